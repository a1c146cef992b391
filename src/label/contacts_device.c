/* SPDX-License-Identifier: BSD-3-Clause */
/* The search on a device for labels that touch. */
#include "label/contacts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/timing.h"
#include "core/prepared.h"
#include "image/contacts.clh"
#include "ocl/kernel.h"

/* The first table has a place for so many pixels, and places between these bounds. */
#define PIXELS_OF_PLACE 8
#define PLACES_LEAST ((uint64_t)1 << 10)
#define PLACES_FIRST ((uint64_t)1 << 20)
/* The next table is so many times as large. */
#define GROWTH 8
#define PLACE_BYTES (CONTACT_WORDS * sizeof(cl_uint))

uint64_t clup_contacts_first_places = 0, clup_contacts_piece = 0;

/* A search: its kernels and buffers, the image as they see it, and what it has found. */
typedef struct search {
    clup_context *context;
    const clup_contact_problem *problem;
    bool plane;           /* y is the z of the box, as slabs are along z */
    contact_box box;      /* of the whole image */
    const uint32_t *from; /* labels of the host; NULL where the buffer has all of them */
    const uint32_t *next; /* the layer that follows these; NULL where the problem says which */
    clup_kernel count, list;
    size_t items;
    cl_mem labels, table, found, pairs;
    uint64_t places, pair_room; /* of table and pairs */
    uint64_t slab;              /* layers that are looked at in one go */
    uint32_t given[2];          /* the first and the number of those that labels has */
    double transfer_s;
    clup_contact_list *out;
} search;

static contact_box box_of(const clup_contact_problem *problem)
{
    const uint32_t *size = problem->size;
    const uint32_t x = problem->periodic[0] != 0, y = problem->periodic[1] != 0,
                   z = problem->periodic[2] != 0;
    return clup_connectivity_axes(problem->connectivity) == 2
               ? (contact_box){size[0], 1, size[1], 0, size[1], x | y << 2}
               : (contact_box){size[0], size[1], size[2], 0, size[2], x | y << 1 | z << 2};
}

/* ---- kernels and buffers --------------------------------------------------------------------- */

static uint64_t layer_bytes(const search *search)
{
    return (uint64_t)search->box.nx * search->box.ny * sizeof(cl_uint);
}

static clup_status build(search *search)
{
    /* bits of steps along y are those along z of the box */
    const uint32_t neighbours = clup_contact_neighbours(search->problem->connectivity),
                   plane = (neighbours & 1) | (neighbours >> 1 & 1) << 2 |
                           (neighbours >> 3 & 3) << 5;
    char definitions[96];
    clup_status status = CLUP_OK;
    snprintf(definitions, sizeof definitions, "SITE_ITEMS=%zuu NEIGHBOURS=%" PRIu32 "u PLANE=%d",
             search->items, search->plane ? plane : neighbours, search->plane);
    CLUP_TRY(clup_kernel_create(search->context, "contacts.cl", "contacts_count", definitions,
                                &search->count));
    CLUP_TRY(clup_kernel_create(search->context, "contacts.cl", "contacts_list", definitions,
                                &search->list));
done:
    return status;
}

clup_status clup_contacts_build(clup_context *context, unsigned connectivity)
{
    const clup_contact_problem problem = {.connectivity = connectivity};
    search search = {.context = context,
                     .problem = &problem,
                     .plane = clup_connectivity_axes(connectivity) == 2,
                     .items = clup_site_items(context)};
    const clup_status status = build(&search);
    clup_kernel_free(&search.count);
    clup_kernel_free(&search.list);
    return status;
}

/* The layers of a slab: as many as a launch may have, and labels of the host at most as a third of
 * the device's memory, or one buffer, has room for, with one layer more. */
static uint64_t slab_layers(const search *search)
{
    const clup_context *context = search->context;
    const uint64_t bytes = layer_bytes(search), layers = search->box.nz;
    const uint64_t memory = context->global_mem / 3 < context->max_alloc ? context->global_mem / 3
                                                                         : context->max_alloc;
    const uint64_t piece = clup_contacts_piece > 0 ? clup_contacts_piece : CONTACT_PIXELS_MOST;
    uint64_t most = piece * sizeof(cl_uint) / bytes;
    if (search->from != NULL && most + 1 > memory / bytes &&
        layers + (search->next != NULL) > memory / bytes)
        most = memory / bytes - 1;
    return most < 1 || memory / bytes < 2 ? 1 : most < layers ? most : layers;
}

static clup_status make_table(search *search, uint64_t places)
{
    clup_status status = CLUP_OK;
    clup_buffer_free(search->context, search->table);
    search->table = NULL;
    search->places = 0;
    CLUP_TRY(clup_buffer_create(search->context, places * PLACE_BYTES,
                                "a table of labels that touch", &search->table));
    search->places = places;
done:
    return status;
}

static clup_status begin(search *search)
{
    const uint64_t pixels = (uint64_t)search->box.nx * search->box.ny * search->box.nz;
    uint64_t places = PLACES_LEAST;
    clup_status status = CLUP_OK;
    search->items = clup_site_items(search->context);
    search->slab = slab_layers(search);
    CLUP_TRY(build(search));
    if (search->from != NULL)
        CLUP_TRY(clup_buffer_create(
            search->context,
            (search->slab + (search->slab < search->box.nz || search->next != NULL)) *
                layer_bytes(search),
            "the labels of pixels", &search->labels));
    while (places < PLACES_FIRST && places * PIXELS_OF_PLACE < pixels)
        places *= 2;
    CLUP_TRY(clup_buffer_create(search->context, CONTACT_FOUND * sizeof(cl_uint),
                                "the number of pairs", &search->found));
    CLUP_TRY(
        make_table(search, clup_contacts_first_places > 0 ? clup_contacts_first_places : places));
done:
    return status;
}

static void end(search *search)
{
    clup_context *context = search->context;
    if (search->from != NULL)
        clup_buffer_free(context, search->labels);
    clup_buffer_free(context, search->table);
    clup_buffer_free(context, search->found);
    clup_buffer_free(context, search->pairs);
    clup_kernel_free(&search->count);
    clup_kernel_free(&search->list);
}

/* ---- slabs ----------------------------------------------------------------------------------- */

/* Brings the slab of layers first to first + layers - 1, and the layer after it, to the device,
 * unless they are there. *box becomes where the kernel finds them. */
static clup_status give(search *search, uint32_t first, uint32_t layers, contact_box *box)
{
    const uint64_t bytes = layer_bytes(search), each = bytes / sizeof(cl_uint);
    const bool whole = layers == search->box.nz && search->next == NULL,
               last = first + layers == search->box.nz, around = search->box.periodic >> 2 & 1,
               next = !whole && (!last || around || search->next != NULL);
    const double start = clup_now_s();
    clup_status status = CLUP_OK;
    *box = search->box;
    box->first = first;
    box->layers = layers;
    if (search->from == NULL)
        return CLUP_OK;
    box->first = 0;
    box->nz = layers + next;
    if (!whole)
        box->periodic &= 3;
    if (search->given[0] == first && search->given[1] == layers)
        return CLUP_OK;
    search->given[0] = first;
    search->given[1] = layers;
    CLUP_TRY(clup_buffer_write(search->context, search->labels, 0, layers * bytes,
                               search->from + first * each));
    if (next)
        CLUP_TRY(clup_buffer_write(search->context, search->labels, layers * bytes, bytes,
                                   !last                  ? search->from + (first + layers) * each
                                   : search->next != NULL ? search->next
                                                          : search->from));
    search->transfer_s += clup_now_s() - start;
done:
    return status;
}

/* Counts the pairs of a slab that is on the device; found[] become what was found. */
static clup_status count_pairs(search *search, contact_box box, cl_uint found[CONTACT_FOUND])
{
    clup_context *context = search->context;
    const uint64_t groups = ((uint64_t)(box.nx - 1) / CONTACT_TILE_X(search->plane) + 1) *
                            ((box.ny - 1) / CONTACT_TILE_Y(search->plane) + 1) *
                            ((box.layers - 1) / CONTACT_TILE_Z + 1);
    const cl_uint mask = (cl_uint)(search->places - 1);
    const clup_arg args[] = {CLUP_ARG(box), CLUP_ARG(mask), CLUP_ARG(search->labels),
                             CLUP_ARG(search->table), CLUP_ARG(search->found)};
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_buffer_zero(context, CLUP_MEASURE, search->table, search->places * PLACE_BYTES));
    CLUP_TRY(
        clup_buffer_zero(context, CLUP_MEASURE, search->found, CONTACT_FOUND * sizeof(cl_uint)));
    CLUP_TRY(clup_kernel_launch(context, &search->count, CLUP_MEASURE, groups, search->items, args,
                                sizeof args / sizeof *args));
    CLUP_TRY(clup_buffer_read(context, search->found, 0, CONTACT_FOUND * sizeof(cl_uint), found));
done:
    return status;
}

/* Makes the buffer of listed pairs, and memory of the host for them. */
static clup_status reserve_pairs(search *search, uint64_t pairs, cl_uint **words)
{
    clup_status status = CLUP_OK;
    if (pairs > search->pair_room) {
        clup_buffer_free(search->context, search->pairs);
        search->pairs = NULL;
        search->pair_room = 0;
        CLUP_TRY(clup_buffer_create(search->context, pairs * PLACE_BYTES, "labels that touch",
                                    &search->pairs));
        search->pair_room = pairs;
    }
    CLUP_TRY(clup_contact_list_reserve(search->out, pairs));
    if ((*words = malloc((size_t)(pairs * PLACE_BYTES))) == NULL)
        status = clup_fail_memory("pairs of labels that touch");
done:
    return status;
}

/* Adds the pairs of the table to the list. */
static clup_status take(search *search, uint64_t pairs)
{
    clup_context *context = search->context;
    const cl_uint mask = (cl_uint)(search->places - 1);
    cl_uint *words = NULL;
    clup_status status = CLUP_OK;
    if (pairs == 0)
        return CLUP_OK;
    CLUP_TRY(reserve_pairs(search, pairs, &words));
    const clup_arg args[] = {CLUP_ARG(mask), CLUP_ARG(search->table), CLUP_ARG(search->found),
                             CLUP_ARG(search->pairs)};
    CLUP_TRY(clup_kernel_launch(context, &search->list, CLUP_MEASURE,
                                (search->places - 1) / search->items + 1, search->items, args,
                                sizeof args / sizeof *args));
    CLUP_TRY(clup_buffer_read(context, search->pairs, 0, pairs * PLACE_BYTES, words));
    for (uint64_t k = 0; k < pairs; k++) {
        const cl_uint *of = words + k * CONTACT_WORDS, *faces = of + CONTACT_SUMS;
        search->out->pairs[search->out->count++] = (clup_contact){
            .a = of[CONTACT_LOW],
            .b = of[CONTACT_HIGH],
            .faces = {faces[0], faces[search->plane ? 2 : 1], search->plane ? 0 : faces[2]},
            .edges = of[CONTACT_EDGE_SUM],
            .corners = of[CONTACT_CORNER_SUM]};
    }
done:
    free(words);
    return status;
}

/* Makes a larger table, or slabs of half as many layers where the device has no room for it. */
static clup_status grow(search *search, uint32_t layers)
{
    const uint64_t before = search->places;
    clup_status status = before < (uint64_t)1 << 31
                             ? make_table(search, before * GROWTH < (uint64_t)1 << 32
                                                      ? before * GROWTH
                                                      : (uint64_t)1 << 31)
                             : clup_fail(CLUP_ERROR_MEMORY, "a layer has over 2^30 pairs of labels "
                                                            "that touch");
    if (status != CLUP_ERROR_MEMORY || layers == 1)
        return status;
    search->slab = (layers + 1) / 2;
    return search->places == before ? CLUP_OK : make_table(search, before);
}

static clup_status look_at_all(search *search)
{
    cl_uint found[CONTACT_FOUND];
    contact_box box;
    clup_status status = CLUP_OK;
    for (uint32_t first = 0, layers; first < search->box.nz;) {
        const uint32_t left = search->box.nz - first;
        layers = left < search->slab ? left : (uint32_t)search->slab;
        CLUP_TRY(give(search, first, layers, &box));
        CLUP_TRY(count_pairs(search, box, found));
        if (found[CONTACT_FULL]) {
            CLUP_TRY(grow(search, layers));
            continue;
        }
        CLUP_TRY(take(search, found[CONTACT_PAIRS]));
        first += layers;
    }
    CLUP_TRY(clup_contact_list_settle(search->out));
done:
    return status;
}

static clup_status look(search *search)
{
    clup_status status = CLUP_OK;
    search->plane = clup_connectivity_axes(search->problem->connectivity) == 2;
    search->box = box_of(search->problem);
    CLUP_TRY(begin(search));
    CLUP_TRY(look_at_all(search));
done:
    end(search);
    return status;
}

clup_status clup_contacts_on_device(clup_context *context, const clup_contact_problem *problem,
                                    const clup_contact_labels *labels, clup_contact_list *list,
                                    double *transfer_s)
{
    search search = {.context = context,
                     .problem = problem,
                     .from = labels->from,
                     .next = labels->next,
                     .labels = labels->buffer,
                     .out = list};
    const clup_status status = look(&search);
    *transfer_s = search.transfer_s;
    return status;
}
