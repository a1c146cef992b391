/* SPDX-License-Identifier: BSD-3-Clause */
/* The ends of each row of each region, from which its convex hull follows. */
#include "image/region.clh"

/* Raises for each row of the box of each region the complement of its first column, and its last
 * column. Two words for each row are in ends, 0 at first; those of the region with label from + 1 +
 * k begin at row places[k], for the row first[k] of the image. Images in the plane.
 *
 * One work-item: a pixel. Work-group: SITE_ITEMS. Global traffic, bytes a pixel: labels 4; for each
 * run 2 atomics. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
region_ends(region_args image, global const u32 *labels, global const ulong *places,
            global const u32 *first, volatile global u32 *ends)
{
    const ulong i = get_global_id(0);
    if (i >= (ulong)image.nx * image.ny)
        return;
    const u32 x = (u32)(i % image.nx), y = (u32)(i / image.nx), label = labels[i],
              k = label - 1 - image.from;
    if (k >= image.count)
        return;
    volatile global u32 *row = ends + 2 * (places[k] + y - first[k]);
    if (x == 0 || labels[i - 1] != label)
        atomic_max(&row[0], ~x);
    if (x + 1 == image.nx || labels[i + 1] != label)
        atomic_max(&row[1], x);
}
