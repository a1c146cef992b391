/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the holes of clusters. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "label/border.h"
#include "label/enclosed.h"
#include "label/labelling.h"
#include "program.h"

/* An image whose background has components too: regions are the clusters, and after them these. */
typedef struct filling {
    clup_context *context;
    const clup_label_problem *image;
    clup_layers layers;
    uint64_t pixels;
    uint32_t clusters, components; /* of the foreground and of the background */
    uint32_t *regions;             /* [pixels] */
    clup_contacts contacts;
    uint64_t *sizes;  /* [regions + 1]: their pixels */
    uint64_t *border; /* [regions + 1]: not 0 for those at an end of an axis */
    uint32_t *by;     /* [regions + 1]: the region that encloses each */
} filling;

static unsigned face_neighbours(const clup_label_problem *image)
{
    return clup_connectivity_axes(image->connectivity) == 2 ? 4 : 6;
}

/* Labels the background. */
static clup_status label_background(filling *filling, const uint32_t *labels)
{
    clup_label_problem problem = {.connectivity = face_neighbours(filling->image),
                                  .dtype = CLUP_DTYPE_U8,
                                  .channels = 1,
                                  .match = CLUP_MATCH_NONZERO};
    uint8_t *background = malloc((size_t)filling->pixels);
    clup_status status = CLUP_OK;
    if (background == NULL)
        return clup_fail_memory("the background of an image");
    memcpy(problem.size, filling->image->size, sizeof problem.size);
    memcpy(problem.periodic, filling->image->periodic, sizeof problem.periodic);
    for (uint64_t i = 0; i < filling->pixels; i++) {
        background[i] = labels[i] == 0;
        if (labels[i] > filling->clusters) {
            status = clup_fail(CLUP_ERROR_USAGE,
                               "label %" PRIu32 " at pixel %" PRIu64
                               " is larger than their number, %" PRIu32,
                               labels[i], i, filling->clusters);
            goto done;
        }
    }
    CLUP_TRY(clup_label_image(filling->context, &problem, background, 0, filling->regions,
                              &filling->components, NULL));
    if ((uint64_t)filling->clusters + filling->components > UINT32_MAX - 2)
        status = clup_fail(CLUP_ERROR_USAGE,
                           "%" PRIu32 " clusters and %" PRIu32 " components of the background are "
                           "more than 2^32 - 2",
                           filling->clusters, filling->components);
done:
    free(background);
    return status;
}

/* Numbers the regions, and finds which of them touch, are at the border and are enclosed. */
static clup_status find_regions(filling *filling, const uint32_t *labels)
{
    const uint32_t regions = filling->clusters + filling->components;
    const size_t all = (size_t)regions + 1;
    clup_contact_problem problem = {.connectivity = face_neighbours(filling->image)};
    clup_status status = CLUP_OK;
    memcpy(problem.size, filling->image->size, sizeof problem.size);
    memcpy(problem.periodic, filling->image->periodic, sizeof problem.periodic);
    filling->sizes = calloc(all, sizeof *filling->sizes);
    filling->border = calloc(all, sizeof *filling->border);
    filling->by = malloc(all * sizeof *filling->by);
    if (filling->sizes == NULL || filling->border == NULL || filling->by == NULL)
        return clup_fail_memory("the regions of an image");
    for (uint64_t i = 0; i < filling->pixels; i++) {
        uint32_t *region = &filling->regions[i];
        *region = *region == 0 ? labels[i] : filling->clusters + *region;
        filling->sizes[*region]++;
    }
    clup_border_mark(&filling->layers, 0, filling->regions, filling->border);
    CLUP_TRY(
        clup_contacts_find(filling->context, &problem, filling->regions, &filling->contacts, NULL));
    CLUP_TRY(clup_enclosed(regions, filling->contacts.pairs, filling->contacts.count,
                           filling->border, filling->by));
done:
    return status;
}

/* Replaces by[] of each region by the cluster that fills it, 0 for none. Returns how many are
 * filled. */
static uint32_t choose(filling *filling, uint64_t most)
{
    uint32_t filled = 0, *const by = filling->by;
    for (uint64_t region = 0; region <= filling->clusters; region++)
        by[region] = 0;
    /* a cluster that encloses a hole fills it if they touch; the smaller label is the cluster's */
    for (uint64_t k = 0; k < filling->contacts.count; k++) {
        const clup_contact *pair = &filling->contacts.pairs[k];
        if (by[pair->b] == pair->a && pair->a <= filling->clusters &&
            (most == 0 || filling->sizes[pair->b] <= most)) {
            filling->sizes[pair->b] = 0;
            filled++;
        }
    }
    for (uint64_t region = filling->clusters + (uint64_t)1;
         region <= (uint64_t)filling->clusters + filling->components; region++)
        if (filling->sizes[region] != 0)
            by[region] = 0;
    return filled;
}

static clup_status fill(filling *filling, uint32_t *labels, uint64_t most, uint32_t *filled)
{
    clup_status status = CLUP_OK;
    filling->regions = malloc((size_t)filling->pixels * sizeof *filling->regions);
    if (filling->regions == NULL)
        return clup_fail_memory("the regions of an image");
    CLUP_TRY(label_background(filling, labels));
    CLUP_TRY(find_regions(filling, labels));
    const uint32_t found = choose(filling, most);
    for (uint64_t i = 0; found > 0 && i < filling->pixels; i++)
        if (labels[i] == 0)
            labels[i] = filling->by[filling->regions[i]];
    if (filled != NULL)
        *filled = found;
done:
    free(filling->regions);
    clup_contacts_clear(&filling->contacts);
    free(filling->sizes);
    free(filling->border);
    free(filling->by);
    return status;
}

clup_status clup_labels_fill_holes(clup_context *context, const clup_label_problem *image,
                                   uint32_t *labels, uint32_t count, uint64_t most,
                                   uint32_t *filled)
{
    filling filling = {.context = context, .image = image, .clusters = count};
    clup_status status = CLUP_OK;
    CLUP_NEED(context);
    CLUP_NEED(image);
    CLUP_NEED(labels);
    if (clup_context_in_parts(context, 1))
        return clup_fail(CLUP_ERROR_USAGE, "holes are not filled by several processes, which the "
                                           "context has joined");
    CLUP_TRY(clup_layers_of(image, NULL, &filling.layers));
    filling.pixels = clup_layers_pixels(&filling.layers);
    CLUP_TRY(fill(&filling, labels, most, filled));
done:
    return status;
}
