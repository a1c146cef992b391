/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites of percolation on a graph, see source_site.cl: every vertex is occupied with the
 * probability of law, and an edge is active when both of its ends are occupied.
 *
 * Work-group: WORD_ITEMS. */
#include "core/systems.clh"
#include "graph/edges.clh"
#include "model/draw_bonds.clh"

/* Draws the vertices. A bit is set where one is empty.
 *
 * One work-item: 32 vertices. Local memory: none. Global traffic, bytes a vertex: 1/8 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_graph_site(lattice_args lattice, random_key key, bond_law law, global u32 *empty)
{
    const ulong w = get_global_id(0);
    if (w >= lattice.words)
        return;
    const u32 all = word_mask(lattice, w);
    empty[REPLICA(lattice.words) + w] = all & ~draw_bonds(all, system_key(key),
                                                          PURPOSE_SITE - PURPOSE_BOND, w,
                                                          law.threshold, law.always);
}

/* Finds the active edges.
 *
 * One work-item: 32 edges. Local memory: 2 bytes an edge. Global traffic, bytes an edge: 8, the
 * vertices at both ends, and 1/8 written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_graph_site_edges(lattice_args lattice, lattice_args bonds, global const spin_store *empty,
                        global const uint2 *ends, global u32 *active)
{
    local u32 room[EDGE_ROOM(WORD_ITEMS)];
    const ulong first = get_group_id(0) * WORD_ITEMS, w = first + get_local_id(0);
    u32 planes[2 * PLANES];
    empty += REPLICA(spins_length(lattice));
    load_edge_spins(lattice, bonds, empty, ends, first, WORD_ITEMS, room, planes);
    if (w < bonds.words)
        active[REPLICA(bonds.words) + w] = word_mask(bonds, w) & ~planes[0] & ~planes[PLANES];
}
