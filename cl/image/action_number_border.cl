/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what action_number_labels.cl does, for the border layout (border.clh), with the names of
 * local_runs_image.cl and local_runs_image_volume.cl. */
#include "image/blocks.clh"
#include "core/labels.clh"
#include "border/nodes.clh"

#define ITEMS (AXES > 2 ? BORDER_ROWS : BORDER_NODES) /* work-items of a group */
#define ABREAST (4 / BLOCK)                           /* sites that make four pixels of a row */
#define TIMES (BORDER_SITES / ABREAST / ITEMS)        /* turns of a work-item */
#if BLOCK > 1
typedef ushort2 names_abreast;
#else
typedef ushort4 names_abreast;
#endif

/* Sets the bits of roots for the keys of clusters at borders. The bits of complete clusters are set
 * already. One work-group: a tile; a work-item: some nodes. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
action_number_nodes(lattice_args lattice, global const border_edge *edges,
                    global const border_node *nodes, volatile global u32 *roots)
{
    const u32 tile = get_group_id(0), clusters = edges[tile].clusters;
    for (u32 k = get_local_id(0); k < clusters; k += ITEMS) {
        const u32 node = tile * BORDER_NODES + k;
        if (nodes[node].parent == node)
            atomic_or(&roots[key_word(lattice, nodes[node].key)],
                      1u << key_bit(lattice, nodes[node].key));
    }
}

/* Returns row part of the KEY_ROWS rows of pixels that belong to row r of a tile, for an image with
 * ny rows of pixels. */
u32 pixel_row(border_box box, u32 ny, u32 r, u32 part)
{
    const u32 y = BLOCK * (box.y + r % BORDER_Y) + part % BLOCK,
              z = AXES > 2 ? DEEP * (box.z + r / BORDER_Y) + part / BLOCK : 0;
    return y + ny * z;
}

/* Returns the number, or canonical label, of a complete cluster. root is its root, a site of the
 * tile; planes has the foreground of the tile if BLOCK > 1; ranks are the ranks of the tile's rows
 * of keys. */
u32 complete_number(image_args image, border_box box, u32 root,
                    local const u32 planes[BORDER_ROWS][PLANES], local const uint2 *ranks,
                    u32 canonical)
{
    const u32 r = root / 32, x = root % 32;
    u32 part = 0, second = 0;
#if BLOCK > 1
    u32 pixels = 0;
#pragma unroll
    for (u32 p = 0; p < PLANES; p++)
        pixels |= (planes[r][p] >> x & 1) << p;
    part = lowest(pixels) / 2;
    second = lowest(pixels) % 2;
#endif
    return canonical
               ? pixel_row(box, image.ny, r, part) * image.nx + BLOCK * (32 * box.w + x) + second
               : ranked(ranks[KEY_ROWS * r + part], x);
}

/* Writes the numbers of four pixels of a row from x on, but not past the end of the row. */
void store_four(image_args image, u32 x, u32 row, const u32 number[4], global u32 *numbers)
{
    global u32 *to = numbers + (ulong)row * image.nx + x;
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
 * One work-group: a tile; a work-item: some nodes, then rows of keys, then several times four
 * pixels of a row. Local memory: some words a node and a row. Global traffic, bytes a site: names
 * 2, the foreground, words of ranks; 4 written a pixel; for each cluster at a border a walk to the
 * root, which makes later walks short. */
kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
action_number_border(lattice_args lattice, image_args image, global const u32 *foreground,
                     global const border_name *names, global const border_edge *edges,
                     global border_node *nodes, global const uint2 *ranks, u32 canonical,
                     global u32 *numbers)
{
    local u32 node_numbers[BORDER_NODES], planes[BORDER_ROWS][PLANES];
    local uint2 row_ranks[BORDER_ROWS * KEY_ROWS];
    const u32 tile = get_group_id(0), item = get_local_id(0), absent = canonical ? NOWHERE : 0,
              clusters = edges[tile].clusters;
    const border_box box = border_box_of(lattice, tile);
    /* independent loads are issued together */
    names_abreast abreast[TIMES];
#pragma unroll
    for (u32 i = 0; i < TIMES; i++)
        abreast[i] = ((global const names_abreast *)(names +
                                                     (ulong)tile * BORDER_SITES))[item + i * ITEMS];
    for (u32 k = item; k < clusters; k += ITEMS) {
        const u32 node = tile * BORDER_NODES + k;
        const border_key key = node_flatten(nodes, node, node_read(nodes, node)).key;
        node_numbers[k] = canonical ? key_pixel(lattice, image, foreground, key)
                                    : ranked(ranks[key_word(lattice, key)], key_bit(lattice, key));
    }
#if BLOCK > 1
    if (item < BORDER_ROWS && border_has_row(box, item)) {
        u32 row_planes[PLANES];
        spins_load(lattice, foreground, box.w, border_row(lattice, box, item), row_planes);
        for (u32 p = 0; p < PLANES; p++)
            planes[item][p] = row_planes[p];
    }
#endif
    for (u32 k = item; k < BORDER_ROWS * KEY_ROWS; k += ITEMS)
        if (border_has_row(box, k / KEY_ROWS) && !canonical)
            row_ranks[k] =
                ranks[(ulong)pixel_row(box, BLOCK * lattice.ny, k / KEY_ROWS, k % KEY_ROWS) *
                          lattice.words +
                      box.w];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (u32 i = 0; i < TIMES; i++) {
        const u32 k = item + i * ITEMS, x = k % (32 / ABREAST) * ABREAST, row = k / (32 / ABREAST);
        if (!border_has_row(box, row) || x >= box.nx)
            continue;
        u32 number[ABREAST];
#pragma unroll
        for (u32 j = 0; j < ABREAST; j++) {
            const u32 name = ((const ushort *)&abreast[i])[j];
            number[j] = absent;
            if (name & NAMED)
                number[j] = node_numbers[name % NAMED];
            else if (name != ABSENT)
                number[j] = complete_number(image, box, name, planes, row_ranks, canonical);
        }
#pragma unroll
        for (u32 part = 0; part < KEY_ROWS; part++) {
            const u32 y = BLOCK * (box.y + row % BORDER_Y) + part % BLOCK,
                      z = AXES > 2 ? DEEP * (box.z + row / BORDER_Y) + part / BLOCK : 0;
            u32 four[4];
#pragma unroll
            for (u32 j = 0; j < 4; j++) {
                four[j] = number[j / BLOCK];
#if BLOCK > 1
                if (!(planes[row][2 * part + j % 2] >> (x + j / 2) & 1))
                    four[j] = absent;
#endif
            }
            if (y < image.ny && z < image.nz)
                store_four(image, BLOCK * (32 * box.w + x), y + image.ny * z, four, numbers);
        }
    }
}
