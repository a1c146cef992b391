/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers of an image that processes have, items that they gather, and clusters at the ends. */
#include "label/border.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/interface_entries.clh"
#include "program.h"

static bool is_plane(const clup_label_problem *image)
{
    return clup_connectivity_axes(image->connectivity) == 2;
}

clup_status clup_layers_of(const clup_label_problem *image, const clup_ranks *ranks,
                           clup_layers *layers)
{
    const uint32_t *size = image->size;
    const unsigned connectivity = image->connectivity;
    const bool plane = is_plane(image);
    const uint32_t all = size[plane ? 1 : 2];
    if (size[0] == 0 || size[1] == 0 || size[2] == 0 || (plane && size[2] != 1) ||
        (!plane && connectivity != 6 && connectivity != 18 && connectivity != 26))
        return clup_fail(CLUP_ERROR_USAGE,
                         "no image: %" PRIu32 " x %" PRIu32 " x %" PRIu32
                         " labels with %u neighbours",
                         size[0], size[1], size[2], connectivity);
    *layers = (clup_layers){image, 0, all};
    if (ranks == NULL || ranks->count < 2)
        return CLUP_OK;
    if (ranks->count > all)
        return clup_fail(CLUP_ERROR_USAGE, "%" PRIu32 " processes for labels of %" PRIu32 " layers",
                         ranks->count, all);
    layers->first = (uint32_t)part_first(all, ranks->index, ranks->count);
    layers->count = (uint32_t)part_first(all, ranks->index + 1, ranks->count) - layers->first;
    return CLUP_OK;
}

uint64_t clup_layers_pixels(const clup_layers *layers)
{
    const uint32_t *size = layers->image->size;
    return (uint64_t)size[0] * (is_plane(layers->image) ? 1 : size[1]) * layers->count;
}

clup_status clup_gather_items(const clup_ranks *ranks, const void *items, uint64_t count,
                              size_t each, void **all, uint64_t *places)
{
    uint64_t least = ~count;
    char *found = NULL;
    clup_status status = CLUP_OK;
    *all = NULL;
    *places = 0;
    CLUP_TRY(ranks->least(ranks, &least, 1));
    const uint64_t most = ~least;
    if (most == 0)
        return CLUP_OK;
    if ((found = calloc(ranks->count * most, each)) == NULL)
        CLUP_TRY(clup_fail_memory("what all processes found"));
    char *own = found + ranks->index * most * each;
    if (count > 0)
        memcpy(own, items, count * each);
    CLUP_TRY(ranks->gather(ranks, own, most * each, found));
    *all = found;
    *places = ranks->count * most;
    return CLUP_OK;
done:
    free(found);
    return status;
}

/* Whether a place along an axis is at an end of it, or up to width pixels from there. */
static bool is_at_end(const clup_label_problem *image, unsigned axis, uint32_t place,
                      uint32_t width)
{
    const uint32_t size = image->size[axis];
    return size > 1 && !image->periodic[axis] && (place <= width || size - 1 - place <= width);
}

void clup_border_mark(const clup_layers *layers, uint32_t width, const uint32_t *labels,
                      uint64_t *marks)
{
    const clup_label_problem *image = layers->image;
    const bool plane = is_plane(image);
    const uint32_t nx = image->size[0], rows = plane ? 1 : image->size[1];
    for (uint32_t layer = 0; layer < layers->count; layer++)
        for (uint32_t row = 0; row < rows; row++, labels += nx) {
            const uint32_t place = layers->first + layer, y = plane ? place : row,
                           z = plane ? 0 : place;
            const bool whole = is_at_end(image, 1, y, width) || is_at_end(image, 2, z, width);
            for (uint32_t x = 0; x < nx; x++) {
                if (whole || is_at_end(image, 0, x, width))
                    marks[labels[x]] = 1;
                else if (nx - x > width + (uint64_t)1)
                    x = nx - width - 2; /* the next one is at the end */
            }
        }
}
