/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which clusters wrap from pairs of roots that the device gives. */
#include "family/wraps_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "forest/wraps_sizes.clh"

/* Kernels, and the scratch buffers of pairs and of what the device found. */
enum { PAIRS, ENDS, UNITE, SPANS, FOUND = 3 };

/* Whether direction d leaves a periodic axis. */
static bool leaves(const lattice_args *lattice, unsigned d, unsigned axis)
{
    return (lattice->periodic >> axis & 1) &&
           step_along(clup_lattice_of(lattice)->offsets[d], axis) != 0;
}

/* Returns the number of pairs in a replica: bonds across periodic boundaries, or opposite sites at
 * the ends of open axes. */
static uint32_t count_of(const lattice_args *lattice, unsigned which)
{
    const clup_lattice *of = clup_lattice_of(lattice);
    uint32_t count = 0;
    for (unsigned axis = 0; axis < of->axes; axis++) {
        if (which == ENDS && !(lattice->periodic >> axis & 1))
            count += layer_sites(*lattice, axis);
        for (unsigned d = 0; which == PAIRS && d < of->directions; d++)
            count += leaves(lattice, d, axis) ? layer_sites(*lattice, axis) : 0;
    }
    return count;
}

uint64_t clup_wraps_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == PAIRS || which == ENDS ? prepared->state->replicas * 2 * sizeof(cl_uint) *
                                                 count_of(&prepared->state->lattice, which)
                                           : 0;
}

/* Launches a kernel with a work-item for each pair. */
static clup_status launch(clup_prepared *prepared, unsigned kernel, cl_uint pairs)
{
    const size_t items = clup_word_items(prepared->state->context);
    return clup_prepared_launch_groups(prepared, kernel, (pairs - 1) / items + 1, items,
                                       CLUP_WITH(CLUP_ARG_AS(count, pairs)));
}

clup_status clup_run_wraps(clup_prepared *prepared)
{
    const clup_state *state = prepared->state;
    const cl_uint pairs = count_of(&state->lattice, PAIRS), ends = count_of(&state->lattice, ENDS);
    clup_status status = CLUP_OK;
    if (pairs > 0)
        CLUP_TRY(launch(prepared, PAIRS, pairs));
    if (ends > 0)
        CLUP_TRY(launch(prepared, ENDS, ends));
    if (pairs > 0)
        CLUP_TRY(launch(prepared, UNITE, pairs));
    if (ends > 0 && prepared->scratch_bytes[FOUND] > 0)
        CLUP_TRY(launch(prepared, SPANS, ends));
done:
    return status;
}

/* The pairs of one replica, of a lattice or a subdomain. Adding the number of sites before the
 * subdomain turns a site into a site of the whole lattice, which names its cluster. */
typedef struct pairs {
    const lattice_args *lattice;
    const uint32_t *bonds, *ends;
} pairs;

static uint32_t name_of(const pairs *pairs, uint32_t site)
{
    return (uint32_t)(pairs->lattice->rows_before * pairs->lattice->nx) + site;
}

/* Adds the bonds of one replica, in the order of consolidate_wraps. */
static void add_bonds(clup_wraps *wraps, const pairs *pairs)
{
    const lattice_args *lattice = pairs->lattice;
    const clup_lattice *of = clup_lattice_of(lattice);
    const uint32_t *pair = pairs->bonds;
    for (unsigned axis = 0; axis < of->axes; axis++)
        for (unsigned d = 0; d < of->directions; d++)
            for (uint32_t k = 0; k < (leaves(lattice, d, axis) ? layer_sites(*lattice, axis) : 0);
                 k++, pair += 2) {
                if (pair[0] == NOWHERE)
                    continue;
                const uint32_t names[2] = {name_of(pairs, pair[0]), name_of(pairs, pair[1])};
                clup_wraps_leaving(wraps, lattice, axis, d, k, names);
            }
}

/* Adds the ends of open axes, except ends that are interfaces: bits 0 and 1 of seams, for the
 * slowest axis. */
static void add_ends(clup_wraps *wraps, const pairs *pairs, unsigned seams)
{
    const lattice_args *lattice = pairs->lattice;
    const uint32_t *pair = pairs->ends;
    const unsigned axes = clup_lattice_of(lattice)->axes;
    for (unsigned axis = 0; axis < axes; axis++)
        for (uint32_t k = 0; k < (lattice->periodic >> axis & 1 ? 0 : layer_sites(*lattice, axis));
             k++, pair += 2)
            for (unsigned end = 0; end < 2; end++)
                if (pair[end] != NOWHERE && !(axis + 1 == axes && (seams >> end & 1)))
                    clup_wraps_end(wraps, name_of(pairs, pair[end]), axis, end);
}

static uint64_t named(const uint32_t *names, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t k = 0; k < count; k++)
        sum += names[k] != NOWHERE;
    return sum;
}

/* Reads the pairs of all replicas, first bonds and then ends. */
static clup_status read_pairs(const clup_prepared *prepared, uint32_t *names)
{
    char *to = (char *)names;
    clup_status status = CLUP_OK;
    for (unsigned which = PAIRS; which <= ENDS; which++) {
        if (prepared->scratch_bytes[which] > 0)
            CLUP_TRY(clup_buffer_read(prepared->state->context, prepared->scratch[which], 0,
                                      prepared->scratch_bytes[which], to));
        to += prepared->scratch_bytes[which];
    }
done:
    return status;
}

static pairs pairs_of(const lattice_args *lattice, const uint32_t *names, uint32_t replicas,
                      uint32_t r)
{
    const uint64_t bonds = 2ull * count_of(lattice, PAIRS), ends = 2ull * count_of(lattice, ENDS);
    return (pairs){lattice, names + r * bonds, names + replicas * bonds + r * ends};
}

static uint64_t clusters_of(const pairs *pairs)
{
    return named(pairs->bonds, 2ull * count_of(pairs->lattice, PAIRS)) +
           named(pairs->ends, 2ull * count_of(pairs->lattice, ENDS));
}

/* Reads what the device found. *known becomes whether it found all. */
static clup_status read_found(const clup_prepared *prepared, unsigned *wrapped, bool *known)
{
    const clup_state *state = prepared->state;
    *known = prepared->scratch_bytes[FOUND] > 0;
    if (!*known)
        return CLUP_OK;
    for (uint32_t r = 0; r < state->replicas; r++)
        wrapped[r] = WRAPS_UNKNOWN;
    const clup_status status = clup_buffer_read(state->context, prepared->scratch[FOUND], 0,
                                                state->replicas * sizeof *wrapped, wrapped);
    for (uint32_t r = 0; r < state->replicas; r++)
        *known = *known && (wrapped[r] & WRAPS_UNKNOWN) == 0;
    return status;
}

clup_status clup_wraps_read(clup_wraps *wraps, const clup_prepared *prepared, unsigned *wrapped)
{
    const clup_state *state = prepared->state;
    bool known;
    clup_status status = read_found(prepared, wrapped, &known);
    if (status != CLUP_OK || known)
        return status;
    uint32_t *names = malloc(prepared->scratch_bytes[PAIRS] + prepared->scratch_bytes[ENDS] + 1);
    if (names == NULL)
        return clup_fail_memory("the clusters that wrap");
    CLUP_TRY(read_pairs(prepared, names));
    for (uint32_t r = 0; r < state->replicas; r++) {
        const pairs pairs = pairs_of(&state->lattice, names, state->replicas, r);
        CLUP_TRY(clup_wraps_reset(wraps, clusters_of(&pairs)));
        add_bonds(wraps, &pairs);
        add_ends(wraps, &pairs, 0);
        wrapped[r] = clup_wraps_any(wraps);
    }
done:
    free(names);
    return status;
}

/* ---- several processes ----------------------------------------------------------------------- */

/* Words that a process sends to the others: its lattice, and from here on the pairs. */
#define PAIRS_AT (sizeof(lattice_args) / sizeof(uint32_t))

/* Connects the clusters in the last layer of a subdomain with the clusters of the same sites in the
 * first layer of the next subdomain. The first subdomain follows the last one, in the next box. */
static void add_seam(clup_wraps *wraps, const pairs *part, const pairs *next, bool around)
{
    const unsigned axis = clup_lattice_of(part->lattice)->axes - 1;
    const uint32_t layer = layer_sites(*part->lattice, axis);
    /* the slowest axis is the last axis that has ends, and it is open in a subdomain */
    const uint32_t *last = part->ends + 2 * (uint64_t)(count_of(part->lattice, ENDS) - layer),
                   *first = next->ends + 2 * (uint64_t)(count_of(next->lattice, ENDS) - layer);
    int steps[3] = {0};
    steps[axis] = around;
    for (uint64_t k = 0; k < layer; k++)
        if (last[2 * k + 1] != NOWHERE)
            clup_wraps_bond(wraps, name_of(part, last[2 * k + 1]), name_of(next, first[2 * k]),
                            steps);
}

clup_status clup_wraps_read_parts(clup_wraps *wraps, const clup_prepared *prepared,
                                  unsigned *wrapped)
{
    const clup_state *state = prepared->state;
    const clup_ranks *ranks = state->context->ranks;
    const bool around = state->subdomain.wraps;
    uint64_t largest = ~(sizeof(lattice_args) + prepared->scratch_bytes[PAIRS] +
                         prepared->scratch_bytes[ENDS]);
    uint32_t *all = NULL;
    pairs *parts = malloc(ranks->count * sizeof *parts);
    clup_status status = parts != NULL ? CLUP_OK : clup_fail_memory("the clusters that wrap");
    CLUP_TRY(status);
    CLUP_TRY(ranks->least(ranks, &largest, 1));
    /* rounded up to whole 64-bit numbers, which lattice_args contains */
    const uint64_t words = (~largest / sizeof *all + 1) / 2 * 2;
    if ((all = malloc(ranks->count * words * sizeof *all)) == NULL)
        CLUP_TRY(clup_fail_memory("the clusters that wrap"));
    uint32_t *mine = all + ranks->index * words;
    memcpy(mine, &state->lattice, sizeof state->lattice);
    CLUP_TRY(read_pairs(prepared, mine + PAIRS_AT));
    CLUP_TRY(ranks->gather(ranks, mine, words * sizeof *all, all));
    for (uint32_t r = 0; r < state->replicas; r++) {
        uint64_t clusters = 0;
        for (uint32_t p = 0; p < ranks->count; p++) {
            const uint32_t *theirs = all + p * words;
            parts[p] = pairs_of((const lattice_args *)theirs, theirs + PAIRS_AT, state->replicas,
                                r);
            clusters += clusters_of(&parts[p]);
        }
        CLUP_TRY(clup_wraps_reset(wraps, clusters));
        for (uint32_t p = 0; p < ranks->count; p++) {
            const bool last = p + 1 == ranks->count;
            add_bonds(wraps, &parts[p]);
            add_ends(wraps, &parts[p], (p > 0 || around ? 1u : 0) | (!last || around ? 2u : 0));
            if (!last || around)
                add_seam(wraps, &parts[p], &parts[(p + 1) % ranks->count], last);
        }
        wrapped[r] = clup_wraps_any(wraps);
    }
done:
    free(parts);
    free(all);
    return status;
}
