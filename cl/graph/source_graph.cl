/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn bonds of a graph, see source_fk.cl.
 *
 * One work-item: 32 edges. Work-group: WORD_ITEMS. Local memory: 2 bytes an edge. Global traffic,
 * bytes an edge: 8, the spins at both ends, and 1/8 written. */
#include "core/systems.clh"
#include "graph/edges.clh"
#include "model/model.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_graph(lattice_args lattice, lattice_args bonds, random_key key, global const bond_law *laws,
             global const u32 *disorder, global const spin_store *spins, global const uint2 *ends,
             global u32 *active)
{
    local u32 room[EDGE_ROOM(WORD_ITEMS)];
    const ulong first = get_group_id(0) * WORD_ITEMS, w = first + get_local_id(0);
    const random_key own = system_key(key);
    const system_laws own_laws = laws_in_sweep(system_laws_of(bonds, laws, disorder), own);
    u32 planes[2 * PLANES];
    spins += REPLICA(spins_length(lattice));
    active += REPLICA(bonds.words);
    load_edge_spins(lattice, bonds, spins, ends, first, WORD_ITEMS, room, planes);
    if (w < bonds.words)
        active[w] = drawn_bonds(bonds, spins, own_laws, own, 0, w, 0, planes, w);
}
