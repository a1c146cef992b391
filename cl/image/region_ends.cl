/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of each row of each region, from which its convex hull follows. */
#include "image/region.clh"

/* Raises for each row of the box of each region the complement of its first column, and its last
 * column. Two words for each row are in ends, 0 at first; those of the region with label from + 1 +
 * k begin at row places[k], plane by plane of its box, which begins in row boxes[k].y and plane
 * boxes[k].z of the whole image, and has boxes[k].rows rows in each plane. In the plane z is 0.
 *
 * One work-item: a pixel. Work-group: SITE_ITEMS. Global traffic, bytes a pixel: labels 4; for each
 * run 2 atomics. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
region_ends(region_args image, global const u32 *labels, global const ulong *places,
            global const region_box *boxes, volatile global u32 *ends)
{
    const ulong layer = region_layer(image, AXES), i = get_global_id(0) + layer * image.first;
    if (i >= layer * image.end)
        return;
    const u32 x = (u32)(i % image.nx), label = labels[i], k = label - 1 - image.from;
    if (k >= image.count)
        return;
    const ulong rows = i / image.nx;
    const u32 y = AXES > 2 ? (u32)(rows % image.ny) : image.before + (u32)rows,
              z = AXES > 2 ? image.before + (u32)(rows / image.ny) : 0;
    const region_box box = boxes[k];
    volatile global u32 *row = ends + 2 * (places[k] + (y - box.y) + (ulong)box.rows * (z - box.z));
    if (x == 0 || labels[i - 1] != label)
        atomic_max(&row[0], ~x);
    if (x + 1 == image.nx || labels[i + 1] != label)
        atomic_max(&row[1], x);
}
