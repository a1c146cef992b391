/* SPDX-License-Identifier: BSD-3-Clause */
/* Bonds of percolation on a graph, see source_bond.cl: every edge is active with the probability of
 * law.
 *
 * One work-item: 32 edges. Work-group: WORD_ITEMS. Local memory: none. Global traffic, bytes an
 * edge: 1/8 written. */
#include "core/spins.clh"
#include "core/systems.clh"
#include "model/draw_bonds.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_graph_bond(lattice_args bonds, random_key key, bond_law law, global u32 *active)
{
    const ulong w = get_global_id(0);
    if (w < bonds.words)
        active[REPLICA(bonds.words) + w] = draw_bonds(word_mask(bonds, w), system_key(key), 0, w,
                                                      law.threshold, law.always);
}
