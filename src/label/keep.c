/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns clusters that a rule does not keep into background. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/workers.h"
#include "label/border.h"
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
    uint64_t pixels;
    const clup_label_rule *rule;
    uint32_t count;          /* the largest label */
    _Atomic uint64_t *sizes; /* [count + 1]: pixels of each label, then new numbers; [0] is the
                                background */
    uint64_t *touches;       /* [count + 1]: not 0 for labels at an end; NULL where none count */
    uint64_t enough, equal;  /* of labels that the rule keeps otherwise: those of more pixels than
                                enough are kept, and the first equal ones of so many */
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

/* The pixels of a label. */
static uint64_t size_of(const counting *counting, uint64_t label)
{
    return atomic_load_explicit(&counting->sizes[label], memory_order_relaxed);
}

/* Whether a label of so many pixels is kept, but for how many are. */
static bool is_kept(const counting *counting, uint64_t label, uint64_t size)
{
    const clup_label_rule *rule = counting->rule;
    return size >= rule->least && (rule->most == 0 || size <= rule->most) &&
           (counting->touches == NULL || counting->touches[label] == 0);
}

/* Finds the largest label that is kept, and counts them. */
static clup_status compare_sizes(void *user, unsigned worker, uint64_t first, uint64_t end)
{
    counting *counting = user;
    uint64_t most = 0, kept = 0;
    (void)worker;
    for (uint64_t label = first > 0 ? first : 1; label < end; label++) {
        const uint64_t size = size_of(counting, label);
        if (!is_kept(counting, label, size))
            continue;
        most = size > most ? size : most;
        kept++;
    }
    keep_largest(&counting->largest, most);
    atomic_fetch_add(&counting->kept, kept);
    return CLUP_OK;
}

/* Bits of sizes that are looked at in one go. */
#define PART_BITS 16
#define PART_VALUES (1u << PART_BITS)

/* Sets how many pixels are enough, so that as many labels are kept as the rule says: digit by digit
 * of the sizes, those with the highest ones first. */
static clup_status choose_largest(counting *counting)
{
    uint64_t *digits = malloc(PART_VALUES * sizeof *digits), found = 0,
             left = counting->rule->largest; /* to be kept, of those that begin with found */
    if (digits == NULL)
        return clup_fail_memory("the sizes of clusters");
    for (unsigned shift = 64; shift > 0;) {
        uint64_t digit = PART_VALUES - 1;
        shift -= PART_BITS;
        memset(digits, 0, PART_VALUES * sizeof *digits);
        for (uint64_t label = 1; label <= counting->count; label++) {
            const uint64_t size = size_of(counting, label);
            if (is_kept(counting, label, size) && size >> shift >> PART_BITS == found)
                digits[size >> shift & (PART_VALUES - 1)]++;
        }
        for (; digits[digit] < left; digit--)
            left -= digits[digit];
        found = found << PART_BITS | digit;
    }
    free(digits);
    counting->enough = found;
    counting->equal = left;
    counting->kept = counting->rule->largest;
    return CLUP_OK;
}

/* Replaces sizes by new numbers. */
static void number(counting *counting)
{
    uint32_t kept = 0;
    uint64_t equal = counting->equal;
    atomic_store_explicit(&counting->sizes[0], 0, memory_order_relaxed);
    for (uint64_t label = 1; label <= counting->count; label++) {
        const uint64_t size = size_of(counting, label);
        bool stays = is_kept(counting, label, size) && size >= counting->enough;
        if (stays && size == counting->enough) {
            stays = equal > 0;
            equal -= stays;
        }
        atomic_store_explicit(&counting->sizes[label], stays ? ++kept : 0, memory_order_relaxed);
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

/* Counts the pixels of all labels, in all processes. */
static clup_status count_all(counting *counting, const clup_ranks *ranks)
{
    clup_status status = CLUP_OK;
    if (counting->pixels > 0)
        CLUP_TRY(by_pieces(counting, counting->pixels, count_pixels));
    if (counting->wrong != UINT64_MAX)
        return clup_fail(
            CLUP_ERROR_USAGE,
            "label %" PRIu32 " at pixel %" PRIu64 " is larger than their number, %" PRIu32,
            counting->labels[counting->wrong], (uint64_t)counting->wrong, counting->count);
    if (ranks != NULL && ranks->count > 1)
        CLUP_TRY(ranks->sum(ranks, (uint64_t *)counting->sizes, (size_t)counting->count + 1));
done:
    return status;
}

/* Marks the labels at the ends, in all processes. */
static clup_status mark_border(counting *counting, const clup_layers *layers,
                               const clup_ranks *ranks)
{
    const size_t all = (size_t)counting->count + 1;
    if ((counting->touches = calloc(all, sizeof *counting->touches)) == NULL)
        return clup_fail_memory("the clusters at the border");
    clup_border_mark(layers, counting->rule->border, counting->labels, counting->touches);
    return ranks != NULL && ranks->count > 1 ? ranks->sum(ranks, counting->touches, all) : CLUP_OK;
}

/* Keeps what the rule says, of labels[pixels]; layers are those of the image, NULL where the rule
 * does not look at the border. */
static clup_status keep(const clup_ranks *ranks, const clup_layers *layers, uint64_t pixels,
                        const clup_label_rule *rule, uint32_t *labels, uint32_t *count,
                        uint64_t *largest, uint32_t *numbers)
{
    uint64_t *sizes = calloc((size_t)*count + 1, sizeof *sizes);
    counting counting = {.labels = labels,
                         .pixels = pixels,
                         .rule = rule,
                         .count = *count,
                         .sizes = (_Atomic uint64_t *)sizes,
                         .equal = UINT64_MAX,
                         .wrong = UINT64_MAX};
    clup_status status = CLUP_OK;
    if (sizes == NULL)
        return clup_fail_memory("the sizes of clusters");
    CLUP_TRY(count_all(&counting, ranks));
    if (rule->clear_border)
        CLUP_TRY(mark_border(&counting, layers, ranks));
    CLUP_TRY(by_pieces(&counting, (uint64_t)*count + 1, compare_sizes));
    if (rule->largest > 0 && counting.kept > rule->largest)
        CLUP_TRY(choose_largest(&counting));
    number(&counting);
    for (uint64_t label = 0; numbers != NULL && label <= *count; label++)
        numbers[label] = (uint32_t)size_of(&counting, label);
    if (counting.kept < *count && pixels > 0)
        CLUP_TRY(by_pieces(&counting, pixels, replace_labels));
    *count = (uint32_t)counting.kept;
    if (largest != NULL)
        *largest = counting.largest;
done:
    free(counting.touches);
    free(sizes);
    return status;
}

clup_status clup_labels_keep(const clup_ranks *ranks, const clup_label_problem *image,
                             const clup_label_rule *rule, uint32_t *labels, uint32_t *count,
                             uint64_t *largest, uint32_t *numbers)
{
    clup_layers layers;
    clup_status status = CLUP_OK;
    CLUP_NEED(image);
    CLUP_NEED(rule);
    CLUP_NEED(labels);
    CLUP_NEED(count);
    CLUP_TRY(CLUP_RESERVED(rule, "clup_label_rule"));
    CLUP_TRY(clup_layers_of(image, ranks, &layers));
    CLUP_TRY(
        keep(ranks, &layers, clup_layers_pixels(&layers), rule, labels, count, largest, numbers));
done:
    return status;
}

clup_status clup_labels_drop_small(const clup_ranks *ranks, uint32_t *labels, uint64_t pixels,
                                   uint64_t least, uint32_t *count, uint64_t *largest)
{
    const clup_label_rule rule = {.least = least};
    CLUP_NEED(labels);
    CLUP_NEED(count);
    return keep(ranks, NULL, pixels, &rule, labels, count, largest, NULL);
}
