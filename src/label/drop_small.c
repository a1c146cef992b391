/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns clusters of few pixels into background. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/workers.h"
#include "update/update.h"

/* Pixels, or labels, that a thread takes at a time. */
#define PIECE ((uint64_t)1 << 20)

/* Pixels are first counted in a table of the thread, whose places are those of labels modulo their
 * number. Numbered labels that are near each other in the image mostly have different places. */
#define PLACES 16384u

typedef struct place {
    uint32_t label, pixels;
} place;

/* What the threads share. */
typedef struct counting {
    uint32_t *labels;
    uint64_t pixels, least;
    uint32_t count;          /* the largest label */
    _Atomic uint64_t *sizes; /* [count + 1]: pixels of each label, then new numbers; [0] is the
                                background */
    _Atomic uint64_t wrong;  /* the first pixel whose label is above count; UINT64_MAX for none */
    _Atomic uint64_t largest, kept;
} counting;

static clup_status by_pieces(counting *counting, uint64_t all,
                             clup_status (*work)(void *user, unsigned worker, uint64_t first,
                                                 uint64_t end))
{
    return clup_workers_share(clup_processors(), all, PIECE, work, counting);
}

static void keep_largest(_Atomic uint64_t *largest, uint64_t value)
{
    uint64_t before = atomic_load(largest);
    while (value > before && !atomic_compare_exchange_weak(largest, &before, value))
        ;
}

static void keep_least(_Atomic uint64_t *least, uint64_t value)
{
    uint64_t before = atomic_load(least);
    while (value < before && !atomic_compare_exchange_weak(least, &before, value))
        ;
}

static void add(counting *counting, place *place)
{
    atomic_fetch_add_explicit(&counting->sizes[place->label], place->pixels, memory_order_relaxed);
    place->pixels = 0;
}

/* Counts the pixels of a piece; stops at a label above count. */
static void count_piece(counting *counting, uint64_t first, uint64_t end, place *places)
{
    const uint32_t *labels = counting->labels;
    for (uint64_t i = first; i < end; i++) {
        const uint32_t label = labels[i];
        place *place = &places[label % PLACES];
        if (place->label != label) {
            if (label > counting->count) {
                keep_least(&counting->wrong, i);
                return;
            }
            if (place->pixels > 0)
                add(counting, place);
            place->label = label;
        }
        place->pixels++;
    }
}

static clup_status count_pixels(void *user, unsigned worker, uint64_t first, uint64_t end)
{
    counting *counting = user;
    place *places = calloc(PLACES, sizeof *places);
    (void)worker;
    if (places == NULL)
        return clup_fail_memory("the sizes of clusters");
    count_piece(counting, first, end, places);
    for (unsigned k = 0; k < PLACES; k++)
        add(counting, &places[k]);
    free(places);
    return CLUP_OK;
}

/* Finds the largest label, and counts those that are kept. */
static clup_status compare_sizes(void *user, unsigned worker, uint64_t first, uint64_t end)
{
    counting *counting = user;
    uint64_t most = 0, kept = 0;
    (void)worker;
    for (uint64_t label = first > 0 ? first : 1; label < end; label++) {
        const uint64_t size = atomic_load_explicit(&counting->sizes[label], memory_order_relaxed);
        most = size > most ? size : most;
        kept += size >= counting->least;
    }
    keep_largest(&counting->largest, most);
    atomic_fetch_add(&counting->kept, kept);
    return CLUP_OK;
}

/* Replaces sizes by new numbers. */
static void number(counting *counting)
{
    uint32_t kept = 0;
    atomic_store_explicit(&counting->sizes[0], 0, memory_order_relaxed);
    for (uint64_t label = 1; label <= counting->count; label++) {
        const uint64_t size = atomic_load_explicit(&counting->sizes[label], memory_order_relaxed);
        atomic_store_explicit(&counting->sizes[label], size >= counting->least ? ++kept : 0,
                              memory_order_relaxed);
    }
}

static clup_status replace_labels(void *user, unsigned worker, uint64_t first, uint64_t end)
{
    counting *counting = user;
    (void)worker;
    for (uint64_t i = first; i < end; i++)
        counting->labels[i] = (uint32_t)atomic_load_explicit(&counting->sizes[counting->labels[i]],
                                                             memory_order_relaxed);
    return CLUP_OK;
}

clup_status clup_labels_drop_small(const clup_ranks *ranks, uint32_t *labels, uint64_t pixels,
                                   uint64_t least, uint32_t *count, uint64_t *largest)
{
    CLUP_NEED(labels);
    CLUP_NEED(count);
    uint64_t *sizes = calloc((size_t)*count + 1, sizeof *sizes);
    counting counting = {.labels = labels,
                         .pixels = pixels,
                         .least = least,
                         .count = *count,
                         .sizes = (_Atomic uint64_t *)sizes,
                         .wrong = UINT64_MAX};
    clup_status status = CLUP_OK;
    if (sizes == NULL)
        return clup_fail_memory("the sizes of clusters");
    if (pixels > 0)
        CLUP_TRY(by_pieces(&counting, pixels, count_pixels));
    if (counting.wrong != UINT64_MAX) {
        status = clup_fail(CLUP_ERROR_USAGE,
                           "label %" PRIu32 " at pixel %" PRIu64
                           " is larger than their number, %" PRIu32,
                           labels[counting.wrong], (uint64_t)counting.wrong, *count);
        goto done;
    }
    if (ranks != NULL && ranks->count > 1)
        CLUP_TRY(ranks->sum(ranks, sizes, (size_t)*count + 1));
    CLUP_TRY(by_pieces(&counting, (uint64_t)*count + 1, compare_sizes));
    if (counting.kept < *count && pixels > 0) {
        number(&counting);
        CLUP_TRY(by_pieces(&counting, pixels, replace_labels));
    }
    *count = (uint32_t)counting.kept;
    if (largest != NULL)
        *largest = counting.kept > 0 && counting.largest >= least ? counting.largest : 0;
done:
    free(sizes);
    return status;
}
