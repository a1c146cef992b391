/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts pairs of labels, and adds up those that are there several times. */
#include <stdlib.h>
#include <string.h>

#include "label/contacts.h"

/* Values of a digit by which is sorted. */
#define DIGIT_BITS 8
#define DIGITS (1u << DIGIT_BITS)

/* A pair, and where it stands. */
typedef struct entry {
    uint64_t key, place;
} entry;

clup_status clup_contact_list_reserve(clup_contact_list *list, uint64_t more)
{
    const uint64_t wanted = list->count + more;
    uint64_t room = list->room + list->room / 2;
    if (wanted <= list->room)
        return CLUP_OK;
    room = room < wanted ? wanted : room;
    clup_contact *pairs = room <= SIZE_MAX / sizeof *pairs
                              ? realloc(list->pairs, (size_t)room * sizeof *pairs)
                              : NULL;
    if (pairs == NULL)
        return clup_fail_memory("pairs of labels that touch");
    list->pairs = pairs;
    list->room = room;
    return CLUP_OK;
}

/* Sorts by one digit, which is left out where all have the same. Returns the array that is sorted
 * then; the other one is free. */
static entry *sort_digit(entry *from, entry *to, uint64_t count, unsigned shift)
{
    uint64_t starts[DIGITS] = {0}, sum = 0;
    for (uint64_t k = 0; k < count; k++)
        starts[from[k].key >> shift & (DIGITS - 1)]++;
    if (count == 0 || starts[from[0].key >> shift & (DIGITS - 1)] == count)
        return from;
    for (unsigned digit = 0; digit < DIGITS; digit++) {
        const uint64_t own = starts[digit];
        starts[digit] = sum;
        sum += own;
    }
    for (uint64_t k = 0; k < count; k++)
        to[starts[from[k].key >> shift & (DIGITS - 1)]++] = from[k];
    return to;
}

/* Adds the contacts of the same pair. */
static void add(clup_contact *to, const clup_contact *more)
{
    for (unsigned axis = 0; axis < 3; axis++)
        to->faces[axis] += more->faces[axis];
    to->edges += more->edges;
    to->corners += more->corners;
}

clup_status clup_contact_list_settle(clup_contact_list *list)
{
    const uint64_t count = list->count;
    entry *entries = malloc((2 * (size_t)count + 1) * sizeof *entries), *sorted = entries;
    clup_contact *pairs = malloc(((size_t)count + 1) * sizeof *pairs);
    uint64_t last = 0;
    if (entries == NULL || pairs == NULL) {
        free(entries);
        free(pairs);
        return clup_fail_memory("pairs of labels that touch");
    }
    for (uint64_t k = 0; k < count; k++)
        entries[k] = (entry){(uint64_t)list->pairs[k].a << 32 | list->pairs[k].b, k};
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS)
        sorted = sort_digit(sorted, sorted == entries ? entries + count : entries, count, shift);
    for (uint64_t k = 0; k < count; k++) {
        const clup_contact *pair = &list->pairs[sorted[k].place];
        if (k > 0 && sorted[k].key == sorted[k - 1].key)
            add(&pairs[last - 1], pair);
        else
            pairs[last++] = *pair;
    }
    free(entries);
    free(list->pairs);
    *list = (clup_contact_list){pairs, last, count + 1};
    return CLUP_OK;
}
