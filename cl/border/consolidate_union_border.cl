/* SPDX-License-Identifier: BSD-3-Clause */
/* Unites clusters across seams in the border layout, by lock-free union: one launch inserts every
 * bond that leaves a tile into the forest of nodes, at the same time. Of two roots the one with the
 * larger key is put below the other. A pair of clusters is united once, if it is known that it was
 * seen before (node_pairs.clh).
 *
 * One work-group: GROUP_TILES tiles; a work-item: a site of a tile's last row, or the two ends of a
 * row; then some pairs. Local memory: the list and pairs that were on it. Global traffic: for each
 * bond two names, for each pair two walks to a root. */
#define PAIRS_GROUP_TILES GROUP_TILES
#include "border/node_pairs.clh"
#include "core/systems.clh"

#define ITEMS (2 * BORDER_Y) /* work-items of a tile */

/* Returns the number in its tile of the cluster of border site (x, y). in_row says that the site is
 * in the first or last row, and its name is not that of the first or last column. */
u32 name_at(global const border_edge *edge, bool in_row, u32 x, u32 y)
{
    return in_row   ? (y == 0 ? edge->first_names[x] : edge->last_names[x])
           : x == 0 ? edge->left_names[y]
                    : edge->right_names[y];
}

/* Returns the bonds along d that leave a tile: if down is set those of its last row, by columns;
 * else those that leave it to a side, by rows. */
u32 bonds_leaving(global const border_edge *edge, border_box box, u32 d, bool down)
{
    if (down)
        return offsets[d].y > 0 ? edge->down[d] : 0;
    return offsets[d].x == 0  ? 0
           : offsets[d].y > 0 ? edge->side[d] & ~(1u << (box.ny - 1))
                              : edge->side[d];
}

kernel __attribute__((reqd_work_group_size(ITEMS * GROUP_TILES, 1, 1))) void
consolidate_union_border(lattice_args lattice, u32 tiles, global const border_edge *edges,
                         global border_node *nodes)
{
    local node_pairs pairs;
    const u32 item = get_local_id(0), k = item % BORDER_Y, sub = item / ITEMS,
              tile = get_group_id(0) * GROUP_TILES + sub, column = tile % lattice.words,
              line = tile / lattice.words;
    const bool down = item % ITEMS < BORDER_Y;
    const border_box box = border_box_of(lattice, tile);
    edges += REPLICA(tiles);
    nodes += REPLICA(tiles * (ulong)BORDER_NODES);
    pairs_begin(&pairs, item, ITEMS * GROUP_TILES);
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const lattice_offset offset = offsets[d];
        if (tile >= tiles || !(bonds_leaving(edges + tile, box, d, down) >> k & 1))
            continue;
        const u32 x = down ? k : offset.x > 0 ? box.nx - 1 : 0, y = down ? box.ny - 1 : k;
        const u32 to_column = x + offset.x < box.nx ? column
                                                    : stepped(column, offset.x, lattice.words, 1);
        const u32 to = to_column +
                       lattice.words *
                           (down ? stepped(line, 1, border_down(lattice, AXES), 1) : line);
        const u32 to_x = x + offset.x < box.nx ? x + offset.x
                         : offset.x > 0        ? 0
                                               : last_bit(lattice, to_column),
                  to_y = down ? 0 : y + offset.y;
        const u32 a = name_at(edges + tile, down, x, y), b = name_at(edges + to, down, to_x, to_y);
        /* the number of a pair says on which side of this tile the other tile is */
        const u32 side = (x + offset.x < box.nx ? 1 : 1 + offset.x) + (down ? 3 : 0);
        pairs_put(&pairs, nodes, ((sub * 6 + side) * BORDER_NODES + a) * BORDER_NODES + b + 1,
                  tile * BORDER_NODES + a, to * BORDER_NODES + b);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    pairs_unite(&pairs, nodes, item, ITEMS * GROUP_TILES);
}
