/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what consolidate_union_border.cl does, in volumes: inserts every bond that leaves a tile
 * into the forest of nodes, at the same time.
 *
 * One work-group: one tile; a work-item: a row, then some bonds, then some pairs. Local memory: a
 * list of bonds (listed_bonds.clh), one of pairs, and pairs that were on it. Global traffic: two
 * bytes a row, and a word for each direction along which bonds leave; for each bond two names; for
 * each pair two walks to a root. */
#include "border/listed_bonds.clh"
#include "border/node_pairs.clh"
#include "core/systems.clh"

/* The device buffers, and what a group knows of its tile. */
typedef struct tile_seams {
    global const border_name *names;
    global const border_edge *edges;
    global border_node *nodes;
    u32 tile;
    border_box box;
    local node_pairs *pairs;
} tile_seams;

/* Returns the number in its tile of the cluster of site x, at a face, of row r. last is the last
 * column of the tile's word. */
u32 number_at(tile_seams seams, u32 tile, u32 last, u32 x, u32 r)
{
    return x == 0      ? seams.edges[tile].left_names[r]
           : x == last ? seams.edges[tile].right_names[r]
                       : seams.names[(ulong)tile * BORDER_SITES + 32 * r + x] % NAMED;
}

/* Puts the two clusters that a bond connects, which leaves the tile, on the list of pairs; unites
 * them if the list is full. */
void list_pair(lattice_args lattice, tile_seams seams, u32 bond)
{
    const border_box box = seams.box;
    const lattice_offset step = listed_step(bond);
    const u32 x = bond % 32, r = bond % BORDER_SITES / 32;
    const u32 in_y = r % BORDER_Y + step.y, in_z = r / BORDER_Y + step.z, in_x = x + step.x;
    const u32 y = stepped(box.y + r % BORDER_Y, step.y, lattice.ny, 1),
              z = stepped(box.z + r / BORDER_Y, step.z, lattice.nz, 1),
              w = in_x < box.nx ? box.w : stepped(box.w, step.x, lattice.words, 1),
              last = last_bit(lattice, w);
    const u32 there = (y / BORDER_Y + border_down(lattice, AXES) * (z / BORDER_Z)) * lattice.words +
                      w;
    const u32 a = number_at(seams, seams.tile, box.nx - 1, x, r),
              b = number_at(seams, there, last,
                            in_x < box.nx ? in_x
                            : step.x > 0  ? 0
                                          : last,
                            y % BORDER_Y + BORDER_Y * (z % BORDER_Z));
    /* the number of a pair says on which side of this tile, along each axis, the other tile is */
    const u32 side = (in_x < box.nx ? 1 : 1 + step.x) + 3 * (in_y < box.ny ? 1 : 1 + step.y) +
                     9 * (in_z < box.nz ? 0 : 1);
    pairs_put(seams.pairs, seams.nodes, ((a * 18 + side) * BORDER_NODES + b) + 1,
              seams.tile * BORDER_NODES + a, there * BORDER_NODES + b);
}

kernel __attribute__((reqd_work_group_size(BORDER_ROWS, 1, 1))) void
consolidate_union_volume(lattice_args lattice, global const border_name *names,
                         global const border_edge *edges, global border_node *nodes)
{
    local u32 list[BONDS_LISTED], bond_count;
    local node_pairs pairs;
    const u32 tile = get_group_id(0), r = get_local_id(0);
    const tile_seams seams = {names + REPLICA(get_num_groups(0) * (ulong)BORDER_SITES),
                              edges + REPLICA(get_num_groups(0)),
                              nodes + REPLICA(get_num_groups(0) * (ulong)BORDER_NODES),
                              tile,
                              border_box_of(lattice, tile),
                              &pairs};
    global const border_edge *edge = seams.edges + tile;
    const u32 along = border_has_row(seams.box, r) ? edge->along[r] : 0;
    u32 leaving[DIRECTIONS];
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        leaving[d] = along >> d & 1 ? edge->leaving[d][r] : 0;
    pairs_begin(&pairs, r, BORDER_ROWS);
    if (r == 0)
        bond_count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const u32 number = atomic_add(&bond_count, count_bonds(leaving));
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 first = 0; first < bond_count; first += BONDS_LISTED) {
        list_bonds(list, first, number, r, leaving);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = r; k < min(bond_count - first, BONDS_LISTED); k += BORDER_ROWS)
            list_pair(lattice, seams, list[k]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    pairs_unite(&pairs, seams.nodes, r, BORDER_ROWS);
}
