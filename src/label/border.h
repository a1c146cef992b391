/* SPDX-License-Identifier: BSD-3-Clause */
/* Layers of an image that processes have, and clusters at the ends of an image. */
#ifndef CLUP_LABEL_BORDER_H
#define CLUP_LABEL_BORDER_H
#include "base/status.h"

/* Layers of an image, along its last axis: all, or those of a process. */
typedef struct clup_layers {
    const clup_label_problem *image; /* the whole */
    uint32_t first, count;
} clup_layers;

/* Sets *layers to those that a process has; ranks may be NULL. CLUP_ERROR_USAGE where the image is
 * none, or a process would have no layer. */
clup_status clup_layers_of(const clup_label_problem *image, const clup_ranks *ranks,
                           clup_layers *layers);
uint64_t clup_layers_pixels(const clup_layers *layers);
/* Gives each process the items of all processes, of each bytes, in *all, which is to be freed: for
 * each process as many places as the one with the most items needs, filled with 0 behind its own.
 * *places is their number, 0 where nobody has an item. */
clup_status clup_gather_items(const clup_ranks *ranks, const void *items, uint64_t count,
                              size_t each, void **all, uint64_t *places);
/* Sets marks[label] to 1 for each label of the layers' pixels that is at an end of an axis, or up
 * to width pixels from there. An axis that is periodic, or of one pixel, has no ends. */
void clup_border_mark(const clup_layers *layers, uint32_t width, const uint32_t *labels,
                      uint64_t *marks);

#endif
