/* What consolidate_union_border.cl does, in volumes: every bond that leaves a tile is inserted at
 * once into the forest of nodes. Most bonds join two clusters that others join as well: each pair
 * of clusters is put on a list, if it was not lately, before the list is worked on.
 *
 * One work-group: one tile; a work-item: some sites of the tile's last layer, and of the first and
 * last rows of the others, and the ends of another row; then some pairs. Local memory: the list and
 * pairs that were on it. Global traffic: bonds that leave, for each two names; for each pair two
 * walks to a root. */
#include "nodes.clh"
#include "systems.clh"

#define SEEN 1024u /* places for pairs that were put on the list */
#define LIST 1024u /* pairs that there is room for */

/* The stores, and what a group knows of its tile. */
typedef struct tile_seams {
    global const border_name *names;
    global const border_edge *edges;
    global border_node *nodes;
    u32 tile;
    border_box box;
    volatile local u32 *seen;  /* by places the last pair there, as a number; 0 for none */
    local uint2 *pairs;        /* nodes */
    volatile local u32 *count; /* pairs found, maybe more than there is room for */
} tile_seams;

/* The number in its tile of the cluster of site x, at a face, of row r; last is the last column of
 * its word. */
u32 number_at(tile_seams seams, u32 tile, u32 last, u32 x, u32 r)
{
    return x == 0      ? seams.edges[tile].left_names[r]
           : x == last ? seams.edges[tile].right_names[r]
                       : seams.names[(ulong)tile * BORDER_SITES + 32 * r + x] % NAMED;
}

/* Puts the clusters that the bond along d of site x of row r joins, which leaves the tile, on the
 * list; or unites them where that is full. */
void list_bond(lattice_args lattice, tile_seams seams, u32 d, u32 r, u32 x)
{
    const border_box box = seams.box;
    const u32 in_y = r % BORDER_Y + offsets[d].y, in_z = r / BORDER_Y + offsets[d].z,
              in_x = x + offsets[d].x;
    const u32 y = stepped(box.y + r % BORDER_Y, offsets[d].y, lattice.ny, 1),
              z = stepped(box.z + r / BORDER_Y, offsets[d].z, lattice.nz, 1),
              w = in_x < box.nx ? box.w : stepped(box.w, offsets[d].x, lattice.words, 1),
              last = last_bit(lattice, w);
    const u32 there = (y / BORDER_Y + border_down(lattice, AXES) * (z / BORDER_Z)) * lattice.words +
                      w;
    const u32 a = number_at(seams, seams.tile, box.nx - 1, x, r),
              b = number_at(seams, there, last,
                            in_x < box.nx      ? in_x
                            : offsets[d].x > 0 ? 0
                                               : last,
                            y % BORDER_Y + BORDER_Y * (z % BORDER_Z));
    /* of the tile there a pair has the side on which it is, along each axis */
    const u32 side = (in_x < box.nx ? 1 : 1 + offsets[d].x) +
                     3 * (in_y < box.ny ? 1 : 1 + offsets[d].y) + 9 * (in_z < box.nz ? 0 : 1);
    const u32 pair = ((a * 18 + side) * BORDER_NODES + b) + 1;
    if (atomic_xchg(&seams.seen[pair * 0x9E3779B9u / (0xFFFFFFFFu / SEEN + 1)], pair) == pair)
        return;
    const uint2 nodes = {seams.tile * BORDER_NODES + a, there * BORDER_NODES + b};
    const u32 place = atomic_inc(seams.count);
    if (place < LIST)
        seams.pairs[place] = nodes;
    else
        node_unite(seams.nodes, nodes.s0, nodes.s1);
}

/* Row k of those in the last layer of a box, and in the first and last row of the other layers. */
u32 face_row(border_box box, u32 k)
{
    const u32 side = k - box.ny;
    return k < box.ny ? k + BORDER_Y * (box.nz - 1)
                      : side % 2 * (box.ny - 1) + BORDER_Y * (side / 2);
}

kernel __attribute__((reqd_work_group_size(BORDER_ROWS, 1, 1))) void
consolidate_union_volume(lattice_args lattice, global const border_name *names,
                         global const border_edge *edges, global border_node *nodes)
{
    local u32 seen[SEEN], count;
    local uint2 pairs[LIST];
    const u32 tile = get_group_id(0), item = get_local_id(0);
    const border_box box = border_box_of(lattice, tile);
    const tile_seams seams = {names + REPLICA(get_num_groups(0) * (ulong)BORDER_SITES),
                              edges + REPLICA(get_num_groups(0)),
                              nodes + REPLICA(get_num_groups(0) * (ulong)BORDER_NODES),
                              tile,
                              box,
                              seen,
                              pairs,
                              &count};
    global const border_edge *edge = seams.edges + tile;
    for (u32 k = item; k < SEEN; k += BORDER_ROWS)
        seen[k] = 0;
    if (item == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = item; k < 32 * (box.ny + 2 * (box.nz - 1)); k += BORDER_ROWS) {
        const u32 r = face_row(box, k / 32), x = k % 32;
        u32 leaving[DIRECTIONS];
#pragma unroll
        for (u32 d = 0; d < DIRECTIONS; d++)
            leaving[d] = edge->leaving[d][r];
#pragma unroll
        for (u32 d = 0; d < DIRECTIONS; d++)
            if (leaving[d] >> x & 1)
                list_bond(lattice, seams, d, r, x);
    }
    /* of other rows bonds leave to a side alone */
    const u32 y = item % BORDER_Y, z = item / BORDER_Y;
    if (y > 0 && y + 1 < box.ny && z + 1 < box.nz) {
#pragma unroll
        for (u32 d = 0; d < DIRECTIONS; d++)
            if (offsets[d].x != 0 && edge->leaving[d][item])
                list_bond(lattice, seams, d, item, offsets[d].x > 0 ? box.nx - 1 : 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = item; k < min(count, LIST); k += BORDER_ROWS)
        node_unite(seams.nodes, pairs[k].s0, pairs[k].s1);
}
