/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers the clusters of each image of a batch anew, from numbers throughout the batch: takes away
 * the number of clusters in the images before, which before has for each image. Each image has
 * pixels_each pixels.
 *
 * One work-item: PIXELS_OF_ITEM pixels of an image. Work-group: SITE_ITEMS, all of one image.
 * Global traffic, bytes a pixel: numbers read and written, 4 each. */
#include "core/types.clh"

#define PIXELS_OF_ITEM 8u

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_each(u32 pixels_each, global const u32 *before, global u32 *numbers)
{
    const u32 parts = (pixels_each - 1) / (PIXELS_OF_ITEM * SITE_ITEMS) + 1,
              image = get_group_id(0) / parts,
              first = get_group_id(0) % parts * (PIXELS_OF_ITEM * SITE_ITEMS) + get_local_id(0);
    const u32 less = before[image];
    numbers += (ulong)image * pixels_each;
    for (u32 k = 0; k < PIXELS_OF_ITEM; k++) {
        const u32 pixel = first + k * SITE_ITEMS;
        if (pixel < pixels_each && numbers[pixel] > 0)
            numbers[pixel] -= less;
    }
}
