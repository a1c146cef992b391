/* What action_number_labels.cl does, for the border layout (border.clh), whose names are those of
 * local_runs_image.cl. */
#include "blocks.clh"
#include "labels.clh"
#include "nodes.clh"

#define QUADS_EACH \
    (BORDER_SITES / 4 / BORDER_NODES) /* times four sites of a row, of a work-item \
                                       */

/* Sets the bits of roots for the keys of clusters at borders; those of complete ones are set
 * already. One work-group: a tile; a work-item: a node. */
kernel __attribute__((reqd_work_group_size(BORDER_NODES, 1, 1))) void
action_number_nodes(lattice_args lattice, global const border_edge *edges,
                    global const border_node *nodes, volatile global u32 *roots)
{
    const u32 tile = get_group_id(0), node = tile * BORDER_NODES + get_local_id(0);
    if (get_local_id(0) < edges[tile].clusters && nodes[node].parent == node)
        atomic_or(&roots[key_word(lattice, nodes[node].key)],
                  1u << key_bit(lattice, nodes[node].key));
}

/* The number, or canonical label, of a complete cluster by its root, a site of the tile. planes has
 * the foreground of the tile if BLOCK > 1, ranks the ranks of the tile's rows of keys. */
u32 complete_number(lattice_args lattice, image_args image, border_box box, u32 root,
                    local const u32 planes[BORDER_Y][PLANES], local const uint2 *ranks,
                    u32 canonical)
{
    const u32 y = root / 32, x = root % 32;
    u32 late = 0, second = 0;
#if BLOCK > 1
    late = !((planes[y][0] | planes[y][1]) >> x & 1);
    second = !(planes[y][2 * late] >> x & 1);
#endif
    return canonical ? (BLOCK * (box.y + y) + late) * image.nx + BLOCK * (32 * box.w + x) + second
                     : ranked(ranks[BLOCK * y + late], x);
}

/* Writes the numbers of four pixels from (x, y) on, without those past the end of the row. */
void store_four(image_args image, u32 x, u32 y, const u32 number[4], global u32 *numbers)
{
    global u32 *to = numbers + (ulong)y * image.nx + x;
    if (x >= image.nx)
        return;
    if (image.nx % 4 == 0)
        *(global uint4 *)to = (uint4)(number[0], number[1], number[2], number[3]);
    else
        for (u32 k = 0; k < min(4u, image.nx - x); k++)
            to[k] = number[k];
}

/* Writes the number of each pixel, or with canonical its canonical label.
 *
 * One work-group: a tile; a work-item: a node, then a row of keys, then some times four sites of a
 * row. Local memory: some words a node and a row. Global traffic, bytes a site: names 2, the
 * foreground, words of ranks; 4 written a pixel; for each cluster at a border a walk to the
 * root, which makes later ones short. */
kernel __attribute__((reqd_work_group_size(BORDER_NODES, 1, 1))) void
action_number_border(lattice_args lattice, image_args image, global const u32 *foreground,
                     global const border_name *names, global const border_edge *edges,
                     global border_node *nodes, global const uint2 *ranks, u32 canonical,
                     global u32 *numbers)
{
    local u32 node_numbers[BORDER_NODES], planes[BORDER_Y][PLANES];
    local uint2 row_ranks[BORDER_Y * BLOCK];
    const u32 tile = get_group_id(0), item = get_local_id(0), absent = canonical ? NOWHERE : 0;
    const border_box box = border_box_of(lattice, tile);
    /* what does not depend on each other is fetched at the same time */
    ushort4 quads[QUADS_EACH];
#pragma unroll
    for (u32 j = 0; j < QUADS_EACH; j++)
        quads[j] = ((global const ushort4 *)(names +
                                             (ulong)tile * BORDER_SITES))[item + j * BORDER_NODES];
    const u32 node = tile * BORDER_NODES + item;
    const border_node own = node_read(nodes, node);
    if (item < edges[tile].clusters) {
        const border_key key = node_flatten(nodes, node, own).key;
        node_numbers[item] = canonical
                                 ? key_pixel(lattice, image, foreground, key)
                                 : ranked(ranks[key_word(lattice, key)], key_bit(lattice, key));
    }
#if BLOCK > 1
    if (item < box.ny) {
        u32 row_planes[PLANES];
        spins_load(lattice, foreground, box.w, box.y + item, row_planes);
        for (u32 p = 0; p < PLANES; p++)
            planes[item][p] = row_planes[p];
    }
#endif
    if (item < box.ny * BLOCK && !canonical)
        row_ranks[item] = ranks[(BLOCK * (ulong)box.y + item) * lattice.words + box.w];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (u32 i = 0; i < QUADS_EACH; i++) {
        const u32 k = item + i * BORDER_NODES, x = 4 * (k % 8), row = k / 8;
        if (row >= box.ny || x >= box.nx)
            continue;
        const u32 name[4] = {quads[i].s0, quads[i].s1, quads[i].s2, quads[i].s3};
        u32 number[4];
#pragma unroll
        for (u32 j = 0; j < 4; j++) {
            number[j] = absent;
            if (name[j] & NAMED)
                number[j] = node_numbers[name[j] % NAMED];
            else if (name[j] != ABSENT)
                number[j] = complete_number(lattice, image, box, name[j], planes, row_ranks,
                                            canonical);
        }
#if BLOCK == 1
        store_four(image, 32 * box.w + x, box.y + row, number, numbers);
#else
#pragma unroll
        for (u32 k = 0; k < 4; k++) {
            const u32 left = planes[row][k / 2 * 2] >> (x + k % 2 * 2),
                      right = planes[row][k / 2 * 2 + 1] >> (x + k % 2 * 2),
                      y = 2 * (box.y + row) + k / 2;
            const u32 one = number[k % 2 * 2], two = number[k % 2 * 2 + 1];
            const u32 four[4] = {left & 1 ? one : absent, right & 1 ? one : absent,
                                 left & 2 ? two : absent, right & 2 ? two : absent};
            if (y < image.ny)
                store_four(image, 2 * (32 * box.w + x) + 4 * (k % 2), y, four, numbers);
        }
#endif
    }
}
