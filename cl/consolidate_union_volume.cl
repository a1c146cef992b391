/* What consolidate_union_border.cl does, in volumes: every bond that leaves a tile is inserted at
 * once into the forest of nodes.
 *
 * One work-group: one tile; a work-item: a site of the tile's last rows and layer, or the two ends
 * of another row. Local memory: none. Global traffic: bonds that leave, for each two names and two
 * walks to a root. */
#include "nodes.clh"
#include "systems.clh"

/* The number of the node of site x, at a face, of row r of a tile; last is the last column of its
 * word. */
u32 node_at(global const border_name *names, global const border_edge *edges, u32 tile, u32 last,
            u32 x, u32 r)
{
    return tile * BORDER_NODES + (x == 0 ? edges[tile].left_names[r]
                                  : x == last
                                      ? edges[tile].right_names[r]
                                      : names[(ulong)tile * BORDER_SITES + 32 * r + x] % NAMED);
}

/* The nodes of the clusters at the ends of a bond. */
typedef struct bond_ends {
    u32 a, b;
} bond_ends;

/* Those of the bond along d of site x of row r, which leaves the tile. */
bond_ends ends_of(lattice_args lattice, global const border_name *names,
                  global const border_edge *edges, u32 tile, border_box box, u32 d, u32 r, u32 x)
{
    const u32 y = stepped(box.y + r % BORDER_Y, offsets[d].y, lattice.ny, 1),
              z = stepped(box.z + r / BORDER_Y, offsets[d].z, lattice.nz, 1),
              line = y / BORDER_Y + border_down(lattice, AXES) * (z / BORDER_Z);
    const u32 there = x + offsets[d].x;
    const u32 w = there < box.nx ? box.w : stepped(box.w, offsets[d].x, lattice.words, 1),
              last = last_bit(lattice, w);
    const u32 to_x = there < box.nx ? there : offsets[d].x > 0 ? 0 : last;
    bond_ends ends = {node_at(names, edges, tile, box.nx - 1, x, r),
                      node_at(names, edges, line * lattice.words + w, last, to_x,
                              y % BORDER_Y + BORDER_Y * (z % BORDER_Z))};
    return ends;
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
    const u32 tile = get_group_id(0), item = get_local_id(0);
    const border_box box = border_box_of(lattice, tile);
    names += REPLICA(get_num_groups(0) * (ulong)BORDER_SITES);
    edges += REPLICA(get_num_groups(0));
    nodes += REPLICA(get_num_groups(0) * (ulong)BORDER_NODES);
    global const border_edge *edge = edges + tile;
    /* bonds that join the same as the one of the site before are left out */
    for (u32 k = item; k < 32 * (box.ny + 2 * (box.nz - 1)); k += BORDER_ROWS) {
        const u32 r = face_row(box, k / 32), x = k % 32;
#pragma unroll
        for (u32 d = 0; d < DIRECTIONS; d++) {
            const u32 leaving = edge->leaving[d][r];
            if (!(leaving >> x & 1))
                continue;
            const bond_ends ends = ends_of(lattice, names, edges, tile, box, d, r, x);
            if (x > 0 && leaving >> (x - 1) & 1) {
                const bond_ends before = ends_of(lattice, names, edges, tile, box, d, r, x - 1);
                if (before.a == ends.a && before.b == ends.b)
                    continue;
            }
            node_unite(nodes, ends.a, ends.b);
        }
    }
    /* of other rows bonds leave to a side alone; those that join the same as that of the row
     * before are left out */
    const u32 y = item % BORDER_Y, z = item / BORDER_Y;
    if (y == 0 || y + 1 >= box.ny || z + 1 >= box.nz)
        return;
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++) {
        if (offsets[d].x == 0 || !edge->leaving[d][item])
            continue;
        const u32 x = offsets[d].x > 0 ? box.nx - 1 : 0;
        const bond_ends ends = ends_of(lattice, names, edges, tile, box, d, item, x);
        if (edge->leaving[d][item - 1] >> x & 1) {
            const bond_ends before = ends_of(lattice, names, edges, tile, box, d, item - 1, x);
            if (before.a == ends.a && before.b == ends.b)
                continue;
        }
        node_unite(nodes, ends.a, ends.b);
    }
}
