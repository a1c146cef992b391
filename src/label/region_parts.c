/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions in several processes. */
#include "label/region_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/interface_entries.clh"

/* Numbers that are merged at a time. */
#define PIECE ((uint64_t)1 << 18)

/* ---- layers ---------------------------------------------------------------------------------- */

/* Layers that a pixel's border and perimeter depend on: two rows to each side in the plane, and in
 * volumes the plane before. */
enum { ROWS_BESIDE = 2, PLANES_BEFORE = 1 };

clup_status clup_region_part_of(const clup_ranks *ranks, const clup_region_problem *problem,
                                clup_region_part *part)
{
    const bool volume = problem->axes > 2;
    const uint32_t *size = problem->size, all = size[volume ? 2 : 1];
    *part = (clup_region_part){.ranks = ranks != NULL && ranks->count > 1 ? ranks : NULL,
                               .layer = size[0] * (volume ? (uint64_t)size[1] : 1),
                               .layers = all};
    if (part->ranks != NULL) {
        if (ranks->count > all)
            return clup_fail(CLUP_ERROR_USAGE,
                             "%" PRIu32 " processes for labels of %" PRIu32 " layers", ranks->count,
                             all);
        part->first = (uint32_t)part_first(all, ranks->index, ranks->count);
        const uint32_t end = (uint32_t)part_first(all, ranks->index + 1, ranks->count),
                       before = volume ? PLANES_BEFORE : ROWS_BESIDE,
                       after = volume ? 0 : ROWS_BESIDE;
        part->layers = end - part->first;
        part->above = part->first < before ? part->first : before;
        part->below = all - end < after ? all - end : after;
    }
    return part->layers <= (UINT32_MAX - 1) / part->layer
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "%" PRIu32 " layers of %" PRIu64
                           " pixels: a label image has 1 to 4294967294 pixels in a process",
                           part->layers, part->layer);
}

/* The labels of a layer, relative to the first of the own ones. */
static uint32_t *layer_at(const clup_region_part *part, const uint32_t *labels, uint32_t *above,
                          uint32_t *below, int64_t layer)
{
    return layer < 0              ? above + (uint64_t)(part->above + layer) * part->layer
           : layer < part->layers ? (uint32_t *)labels + (uint64_t)layer * part->layer
                                  : below + ((uint64_t)layer - part->layers) * part->layer;
}

/* Layers go from process to process: the one next to the border first, then the one behind it,
 * which a process with a single layer has got before. */
clup_status clup_region_part_neighbours(const clup_region_part *part, const uint32_t *labels,
                                        uint32_t *above, uint32_t *below)
{
    const clup_ranks *ranks = part->ranks;
    clup_status status = CLUP_OK;
    if (ranks == NULL)
        return CLUP_OK;
    const uint32_t last = ranks->count - 1,
                   before = ranks->index > 0 ? ranks->index - 1 : CLUP_NOBODY,
                   after = ranks->index < last ? ranks->index + 1 : CLUP_NOBODY;
    const size_t bytes = part->layer * sizeof *labels;
    /* how far processes look to each side, of those that are not at the ends */
    uint64_t most[2] = {~(uint64_t)part->above, ~(uint64_t)part->below};
    CLUP_TRY(ranks->least(ranks, most, 2));
    for (int64_t k = 1; k <= (int64_t)~most[0]; k++) {
        /* the next process looks at it if it is there */
        const bool there = part->first + part->layers >= (uint64_t)k;
        CLUP_TRY(ranks->exchange(
            ranks, there ? after : CLUP_NOBODY,
            there ? layer_at(part, labels, above, below, part->layers - k) : NULL,
            k <= part->above ? before : CLUP_NOBODY,
            k <= part->above ? layer_at(part, labels, above, below, -k) : NULL, bytes));
    }
    for (int64_t k = 0; k < (int64_t)~most[1]; k++) {
        const bool there = k < (int64_t)part->layers + part->below;
        CLUP_TRY(ranks->exchange(
            ranks, there ? before : CLUP_NOBODY,
            there ? layer_at(part, labels, above, below, k) : NULL,
            k < part->below ? after : CLUP_NOBODY,
            k < part->below ? layer_at(part, labels, above, below, part->layers + k) : NULL,
            bytes));
    }
done:
    return status;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Makes a number of a word; and makes words of the numbers that all processes together have of one
 * record. */
typedef uint64_t give(uint32_t word);
typedef clup_status take(const uint64_t *numbers, uint32_t words, uint32_t each, uint32_t *to);

/* Merges piece by piece: the least numbers, or their sums. */
static clup_status merge(const clup_ranks *ranks, clup_record_words of, bool least, give *give,
                         take *take, uint32_t each)
{
    clup_status status = CLUP_OK;
    if (ranks == NULL || of.count == 0 || of.words == 0)
        return CLUP_OK;
    const uint64_t some = of.words < PIECE ? PIECE / of.words : 1;
    uint64_t *numbers = malloc((some < of.count ? some : of.count) * of.words * sizeof *numbers);
    if (numbers == NULL)
        CLUP_TRY(clup_fail_memory("the records of processes"));
    for (uint64_t from = 0, count; from < of.count; from += count) {
        count = of.count - from < some ? of.count - from : some;
        for (uint64_t k = 0; k < count; k++)
            for (uint32_t word = 0; word < of.words; word++)
                numbers[k * of.words + word] = give(
                    of.records[(from + k) * of.stride + of.first + word]);
        CLUP_TRY((least ? ranks->least : ranks->sum)(ranks, numbers, count * of.words));
        for (uint64_t k = 0; k < count; k++)
            CLUP_TRY(take(numbers + k * of.words, of.words, each,
                          of.records + (from + k) * of.stride + of.first));
    }
done:
    free(numbers);
    return status;
}

static uint64_t word_itself(uint32_t word)
{
    return word;
}

static clup_status carry_on(const uint64_t *numbers, uint32_t words, uint32_t each, uint32_t *to)
{
    uint64_t carry = 0;
    for (uint32_t k = 0; k < words; k++) {
        carry = (k % each > 0 ? carry >> 32 : 0) + numbers[k];
        to[k] = (uint32_t)carry;
    }
    return CLUP_OK;
}

clup_status clup_records_add(const clup_ranks *ranks, clup_record_words of, uint32_t each)
{
    return merge(ranks, of, false, word_itself, carry_on, each);
}

static clup_status count_on(const uint64_t *numbers, uint32_t words, uint32_t each, uint32_t *to)
{
    (void)each;
    for (uint32_t k = 0; k < words; k++) {
        if (numbers[k] > UINT32_MAX)
            return clup_fail(CLUP_ERROR_USAGE,
                             "a region of %" PRIu64 " pixels: at most 4294967295 are measured",
                             numbers[k]);
        to[k] = (uint32_t)numbers[k];
    }
    return CLUP_OK;
}

clup_status clup_records_count(const clup_ranks *ranks, clup_record_words of)
{
    return merge(ranks, of, false, word_itself, count_on, 1);
}

static uint64_t complement(uint32_t word)
{
    return ~(uint64_t)word;
}

static clup_status put_largest(const uint64_t *numbers, uint32_t words, uint32_t each, uint32_t *to)
{
    (void)each;
    for (uint32_t k = 0; k < words; k++)
        to[k] = (uint32_t)~numbers[k];
    return CLUP_OK;
}

clup_status clup_records_raise(const clup_ranks *ranks, clup_record_words of)
{
    return merge(ranks, of, true, complement, put_largest, 1);
}

/* Bit k counts at bit 16 k, where fewer than 2^16 processes add to it. */
static uint64_t spread(uint32_t word)
{
    uint64_t number = 0;
    for (unsigned bit = 0; bit < 4; bit++)
        number |= (uint64_t)(word >> bit & 1) << 16 * bit;
    return number;
}

static clup_status put_bits(const uint64_t *numbers, uint32_t words, uint32_t each, uint32_t *to)
{
    (void)each;
    for (uint32_t k = 0; k < words; k++) {
        to[k] = 0;
        for (unsigned bit = 0; bit < 4; bit++)
            to[k] |= (uint32_t)((numbers[k] >> 16 * bit & 0xFFFF) != 0) << bit;
    }
    return CLUP_OK;
}

clup_status clup_records_either(const clup_ranks *ranks, clup_record_words of)
{
    return merge(ranks, of, false, spread, put_bits, 1);
}
