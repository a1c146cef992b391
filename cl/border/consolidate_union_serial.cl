/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what consolidate_union_border.cl does, on any lattice, with one work-item for each tile,
 * which visits the bonds that leave the tile. A bond that connects the same two clusters as the
 * bond before it is left out.
 *
 * One work-group: one tile, one work-item. Local memory: none. Global traffic: as
 * consolidate_union_border. */
#include "border/nodes.clh"
#include "core/run_bits.clh"
#include "core/systems.clh"

/* Returns the bonds along d of row r that leave the tile with this edge. */
u32 bonds_leaving(global const border_edge *edge, border_box box, u32 d, u32 r)
{
#if AXES > 2
    return edge->along[r] >> d & 1 ? edge->leaving[d][r] : 0;
#else
    if (offsets[d].y > 0 && r == box.ny - 1)
        return edge->down[d];
    return (edge->side[d] >> r & 1) << (offsets[d].x > 0 ? box.nx - 1 : 0);
#endif
}

/* Returns the number of the node of border site x of row r of a tile. last is the last column of
 * the tile's word. */
u32 node_at(global const border_name *names, global const border_edge *edges, u32 tile, u32 last,
            u32 x, u32 r)
{
    return tile * BORDER_NODES +
           (x == 0      ? edges[tile].left_names[r]
            : x == last ? edges[tile].right_names[r]
                        : border_number(names[(ulong)tile * BORDER_SITES + 32 * r + x]));
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
consolidate_union_serial(lattice_args lattice, global const border_name *names,
                         global const border_edge *edges, global border_node *nodes)
{
    const u32 tile = get_group_id(0);
    const border_box box = border_box_of(lattice, tile);
    names += REPLICA(get_num_groups(0) * (ulong)BORDER_SITES);
    edges += REPLICA(get_num_groups(0));
    nodes += REPLICA(get_num_groups(0) * (ulong)BORDER_NODES);
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const u32 beside = stepped(box.w, offsets[d].x, lattice.words, 1);
        u32 last_a = NOWHERE, last_b = NOWHERE;
        for (u32 r = 0; r < BORDER_ROWS; r++) {
            u32 bits = border_has_row(box, r) ? bonds_leaving(edges + tile, box, d, r) : 0;
            if (!bits)
                continue;
            const border_place to = border_place_of(
                lattice, 0, row_at(lattice, offsets[d], border_row(lattice, box, r)));
            for (; bits; bits &= bits - 1) {
                const u32 x = lowest(bits), there = x + offsets[d].x;
                const u32 w = there < box.nx ? box.w : beside, end = last_bit(lattice, w);
                const u32 a = node_at(names, edges, tile, box.nx - 1, x, r),
                          b = node_at(names, edges, to.tile + w, end,
                                      there < box.nx     ? there
                                      : offsets[d].x > 0 ? 0
                                                         : end,
                                      to.r);
                if (a != last_a || b != last_b)
                    node_unite(nodes, a, b);
                last_a = a;
                last_b = b;
            }
        }
    }
}
