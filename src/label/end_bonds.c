/* SPDX-License-Identifier: BSD-3-Clause */
/* The bonds of an image across the ends of its periodic axes, found on the host. */
#include "label/end_bonds.h"

#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/watch.h"
#include "label/labelling.h"

/* Bonds of the last pairs of clusters are known by a table of so many places. */
#define PLACES 4096u

typedef struct bond {
    uint32_t a, b; /* clusters; a is 0 where there is no bond */
    int8_t steps[4];
} bond;

typedef struct search {
    const clup_ranks *ranks;
    const clup_layers *layers;
    const clup_label_problem *image;
    const clup_lattice *lattice;
    unsigned axis;        /* the last one */
    uint64_t layer, each; /* pixels of a layer, bytes of a pixel */
    char *next_pixels;    /* the last layer of this process, and the one that follows it */
    uint32_t *next_numbers;
    bond *bonds, *last; /* last[PLACES] */
    uint64_t count, room;
} search;

/* ---- the layer that follows ------------------------------------------------------------------ */

static clup_status bring_next(search *search, const void *pixels, const uint32_t *numbers)
{
    const clup_ranks *ranks = search->ranks;
    const uint64_t pixel_bytes = search->layer * search->each,
                   number_bytes = search->layer * sizeof *numbers, last = search->layers->count - 1;
    const bool around = search->image->periodic[search->axis] != 0;
    clup_status status = CLUP_OK;
    search->next_pixels = malloc(2 * pixel_bytes);
    search->next_numbers = calloc(2 * search->layer, sizeof *numbers);
    if (search->next_pixels == NULL || search->next_numbers == NULL)
        CLUP_TRY(clup_fail_memory("the layers where processes meet"));
    char *next_pixels = search->next_pixels + pixel_bytes;
    uint32_t *next_numbers = search->next_numbers + search->layer;
    memcpy(search->next_pixels, (const char *)pixels + last * pixel_bytes, pixel_bytes);
    memcpy(search->next_numbers, numbers + last * search->layer, number_bytes);
    if (ranks == NULL) {
        memcpy(next_pixels, pixels, pixel_bytes);
        memcpy(next_numbers, numbers, number_bytes);
        return CLUP_OK;
    }
    const uint32_t index = ranks->index, count = ranks->count,
                   below = index > 0 ? index - 1
                           : around  ? count - 1
                                     : CLUP_NOBODY,
                   above = index < count - 1 ? index + 1
                           : around          ? 0
                                             : CLUP_NOBODY;
    CLUP_TRY(ranks->exchange(ranks, below, pixels, above, next_pixels, pixel_bytes));
    CLUP_TRY(ranks->exchange(ranks, below, numbers, above, next_numbers, number_bytes));
done:
    return status;
}

/* ---- bonds ----------------------------------------------------------------------------------- */

static clup_status add(search *search, const bond *bond)
{
    struct bond *last = &search->last[(bond->a * 31 + bond->b) % PLACES];
    if (memcmp(last, bond, sizeof *bond) == 0)
        return CLUP_OK;
    *last = *bond;
    if (search->count == search->room) {
        const uint64_t room = 2 * search->room + 1024;
        struct bond *more = realloc(search->bonds, room * sizeof *more);
        if (more == NULL)
            return clup_fail_memory("the bonds across boundaries");
        search->bonds = more;
        search->room = room;
    }
    search->bonds[search->count++] = *bond;
    return CLUP_OK;
}

/* A layer of this process, and the one after it. */
typedef struct two_layers {
    const void *pixels;
    const uint32_t *numbers;
    uint64_t first; /* the first pixel of the layer */
    uint32_t place; /* along the last axis */
} two_layers;

/* Adds the bonds of a pixel that leave a periodic axis. */
static clup_status look_from(search *search, const two_layers *of, uint32_t x, uint32_t y)
{
    const clup_label_problem *image = search->image;
    const bool plane = search->axis == 1;
    const uint32_t *size = image->size;
    const uint32_t at[3] = {x, plane ? of->place : y, plane ? 0 : of->place};
    const uint64_t a = of->first + x + (uint64_t)size[0] * y;
    clup_status status = CLUP_OK;
    if (of->numbers[a] == 0)
        return CLUP_OK;
    for (unsigned d = 0; d < search->lattice->directions; d++) {
        bond bond = {.a = of->numbers[a]};
        uint32_t to[3];
        bool there = true, leaves = false;
        for (unsigned axis = 0; axis < 3; axis++) {
            const int step = step_along(search->lattice->offsets[d], axis);
            if (step != 0 && at[axis] == leaving_end(size[axis], step)) {
                there = there && image->periodic[axis];
                leaves = true;
                bond.steps[axis] = (int8_t)step;
                to[axis] = step > 0 ? 0 : size[axis] - 1;
            } else
                to[axis] = at[axis] + (uint32_t)step;
        }
        if (!there || !leaves)
            continue;
        const uint32_t row = plane ? 0 : to[1];
        const bool after = step_along(search->lattice->offsets[d], search->axis) > 0;
        const uint64_t b = of->first + (after ? search->layer : 0) + to[0] +
                           (uint64_t)size[0] * row;
        bond.b = of->numbers[b];
        if (bond.b != 0 && clup_pixels_match(image, of->pixels, a, b, d))
            CLUP_TRY(add(search, &bond));
    }
done:
    return status;
}

/* Looks at the pixels of a layer that are at an end of a periodic axis. */
static clup_status look_at(search *search, const two_layers *of)
{
    const clup_label_problem *image = search->image;
    const uint32_t nx = image->size[0], rows = search->axis == 1 ? 1 : image->size[1],
                   layers = image->size[search->axis];
    const bool ends = image->periodic[search->axis] && (of->place == 0 || of->place == layers - 1);
    clup_status status = CLUP_OK;
    for (uint32_t y = 0; y < rows; y++) {
        const bool all = ends ||
                         (search->axis > 1 && image->periodic[1] && (y == 0 || y == rows - 1));
        if (!all && !image->periodic[0])
            continue;
        for (uint32_t x = 0; x < nx; x += all || x == nx - 1 ? 1 : nx - 1)
            CLUP_TRY(look_from(search, of, x, y));
    }
done:
    return status;
}

static clup_status look(search *search, const void *pixels, const uint32_t *numbers)
{
    const uint32_t count = search->layers->count;
    clup_status status = CLUP_OK;
    for (uint32_t k = 0; k < count; k++) {
        const bool last = k == count - 1;
        const two_layers of = {last ? search->next_pixels : pixels,
                               last ? search->next_numbers : numbers, last ? 0 : k * search->layer,
                               search->layers->first + k};
        CLUP_TRY(clup_watch_ask());
        CLUP_TRY(look_at(search, &of));
    }
done:
    return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Gathers the bonds of all processes, in the order of these. */
static clup_status gather(search *search)
{
    void *all = NULL;
    uint64_t places;
    clup_status status = CLUP_OK;
    if (search->ranks == NULL)
        return CLUP_OK;
    CLUP_TRY(clup_gather_items(search->ranks, search->bonds, search->count, sizeof *search->bonds,
                               &all, &places));
    if (all == NULL)
        return CLUP_OK;
    free(search->bonds);
    search->bonds = all;
    search->count = search->room = places;
done:
    return status;
}

clup_status clup_end_bonds(const clup_ranks *ranks, const clup_layers *layers, const void *pixels,
                           const uint32_t *numbers, clup_wraps *wraps)
{
    const clup_label_problem *image = layers->image;
    clup_lattice_kind kind;
    search search = {.ranks = ranks != NULL && ranks->count > 1 ? ranks : NULL,
                     .layers = layers,
                     .image = image,
                     .axis = clup_image_last_axis(image),
                     .each = image->channels * clup_dtype_bytes(image->dtype)};
    clup_status status = clup_image_lattice(image, &kind);
    CLUP_TRY(status);
    search.lattice = clup_lattice_of(&(lattice_args){.kind = kind});
    search.layer = image->size[0] * (search.axis > 1 ? (uint64_t)image->size[1] : 1);
    if ((search.last = calloc(PLACES, sizeof *search.last)) == NULL)
        CLUP_TRY(clup_fail_memory("the bonds across boundaries"));
    CLUP_TRY(bring_next(&search, pixels, numbers));
    CLUP_TRY(look(&search, pixels, numbers));
    CLUP_TRY(gather(&search));
    CLUP_TRY(clup_wraps_reset(wraps, 2 * search.count));
    for (uint64_t k = 0; k < search.count; k++) {
        const bond *bond = &search.bonds[k];
        const int steps[3] = {bond->steps[0], bond->steps[1], bond->steps[2]};
        if (bond->a > 0)
            clup_wraps_bond(wraps, bond->a, bond->b, steps);
    }
done:
    free(search.next_pixels);
    free(search.next_numbers);
    free(search.bonds);
    free(search.last);
    return status;
}
