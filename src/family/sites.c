/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels with a label for each site: tiles, local memory, and how they are launched. */
#include "family/sites.h"

#include <stdlib.h>
#include <string.h>

#include "core/method.h"
#include "core/sizes.clh"
#include "family/family.h"
#include "forest/run_sizes.clh"

void clup_site_tile(const lattice_args *lattice, unsigned tile[3])
{
    (void)lattice;
    tile[0] = tile[1] = tile[2] = 1;
}

/* See local_runs.cl. */
uint64_t clup_runs_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned back = clup_lattice_of(lattice)->directions - 1, rows = tile[1] * tile[2];
    (void)q;
    return 2 * (2ull * tile[0] * rows + 4 * (RUN_WORDS_OF(rows, back) + RUN_PAIRS_OF(rows, back)));
}

/* Returns the number of sites at seams, in the order of consolidate_union. */
static uint64_t seam_sites_of(const lattice_args *lattice, const unsigned tile[3])
{
    const clup_lattice *of = clup_lattice_of(lattice);
    uint64_t sum = 0;
    for (unsigned axis = 0; axis < of->axes; axis++)
        for (int step = -1; step < 2; step += 2)
            for (unsigned d = 0; d < of->directions; d++)
                if (step_along(of->offsets[d], axis) == step) {
                    sum += seam_sites(*lattice, axis, tile[axis]);
                    break;
                }
    return sum;
}

clup_status clup_run_union(clup_prepared *prepared)
{
    const size_t items = clup_word_items(prepared->state->context);
    const uint64_t seams = seam_sites_of(&prepared->state->lattice, prepared->tile);
    return clup_prepared_launch_groups(prepared, 0, (seams + items - 1) / items, items, NULL);
}

/* Returns how many random blocks have the random fields of all clusters of a system; 0 where a
 * block has so few fields that they are not drawn beforehand. */
static uint64_t field_blocks(const clup_state *state)
{
    const unsigned field = clup_spin_field(state->decisions);
    return field < 32 ? field_block(clup_lattice_sites(&state->lattice) - 1, field) + 1 : 0;
}

/* Local memory of word_sites.clh. */
uint64_t clup_word_site_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 32 * 32;
}

uint64_t clup_flip_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0
               ? prepared->state->replicas * field_blocks(prepared->state) * sizeof(philox_block)
               : 0;
}

enum { FIELDS, FLIP, TIED };

static clup_status draw_fields(clup_prepared *prepared)
{
    const size_t items = clup_word_items(prepared->state->context);
    const uint64_t blocks = field_blocks(prepared->state);
    return blocks > 0 ? clup_prepared_launch_groups(prepared, FIELDS, (blocks + items - 1) / items,
                                                    items, NULL)
                      : CLUP_OK;
}

const char *clup_no_field(const clup_setting *setting)
{
    return setting->field ? NULL : "is for systems in a field";
}

clup_status clup_run_flip_tied(clup_prepared *prepared)
{
    clup_status status = draw_fields(prepared);
    if (status == CLUP_OK)
        status = clup_prepared_launch(prepared, TIED, NULL);
    return status == CLUP_OK ? clup_prepared_launch(prepared, FLIP, NULL) : status;
}

clup_status clup_run_flip(clup_prepared *prepared)
{
    const clup_status status = draw_fields(prepared);
    return status == CLUP_OK ? clup_prepared_launch(prepared, FLIP, NULL) : status;
}

clup_status clup_run_flip_one(clup_prepared *prepared)
{
    const clup_state *state = prepared->state;
    const clup_wolff_choice choice = clup_wolff_choose(&state->lattice, state->key, state->q);
    return clup_prepared_launch(
        prepared, 0, CLUP_WITH(CLUP_ARG_AS(chosen, choice.site), CLUP_ARG_AS(shift, choice.shift)));
}

const char *clup_no_matrix(const clup_setting *setting)
{
    return setting->matrix ? NULL : "is for models with a matrix of energies";
}

/* Decides for the cluster of the chosen site alone, ties sites in a field, and moves the spins that
 * are then decided to. */
static clup_status turn_one(clup_prepared *prepared, bool tied)
{
    enum { DECIDE, TURN, COUNT, TIE_ONE };
    const clup_state *state = prepared->state;
    const size_t items = clup_word_items(state->context);
    const uint64_t words = 4 * field_blocks(state);
    const clup_wolff_choice choice = clup_wolff_choose(&state->lattice, state->key, state->q);
    clup_status status;
    CLUP_TRY(clup_prepared_launch_groups(prepared, DECIDE, (words + items - 1) / items, items,
                                         CLUP_WITH(CLUP_ARG_AS(chosen, choice.site))));
    if (tied)
        CLUP_TRY(clup_prepared_launch(prepared, TIE_ONE, NULL));
    CLUP_TRY(clup_prepared_launch(prepared, COUNT, NULL));
    CLUP_TRY(clup_prepared_launch(prepared, TURN, NULL));
done:
    return status;
}

clup_status clup_run_turn_one(clup_prepared *prepared)
{
    return turn_one(prepared, false);
}

clup_status clup_run_turn_one_tied(clup_prepared *prepared)
{
    return turn_one(prepared, true);
}

uint64_t clup_sizes_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? clup_sizes_parts(prepared->state) * sizeof(size_record) : 0;
}

static void add(size_record *sum, const size_record *part)
{
#define ROW(NAME, OP, VALUE) sum->NAME = counted_##OP(sum->NAME, part->NAME);
    SIZE_COUNTS(ROW)
#undef ROW
    for (unsigned k = 0; k < SIZE_CLASSES; k++)
        sum->classes[k] += part->classes[k];
}

uint64_t clup_sizes_parts(const clup_state *state)
{
    return state->replicas * clup_measure_groups(state);
}

clup_status clup_sizes_read(const clup_prepared *prepared, size_record *parts, size_record *records)
{
    const clup_state *state = prepared->state;
    const uint64_t groups = clup_measure_groups(state), count = clup_sizes_parts(state);
    size_record *const to = groups > 1 ? parts : records;
    const clup_status status = clup_buffer_read(state->context, prepared->scratch[0], 0,
                                                count * sizeof *to, to);
    if (status != CLUP_OK || groups == 1)
        return status;
    memset(records, 0, state->replicas * sizeof *records);
    for (uint64_t k = 0; k < count; k++)
        add(&records[k / groups], &parts[k]);
    return CLUP_OK;
}

clup_status clup_sizes_join(const clup_ranks *ranks, uint32_t replicas, size_record *records)
{
    enum { NUMBERS = SIZE_SUMS + SIZE_CLASSES };
    uint64_t *sums = malloc(replicas * NUMBERS * sizeof *sums),
             *largest = malloc(replicas * sizeof *largest);
    clup_status status = sums != NULL && largest != NULL
                             ? CLUP_OK
                             : clup_fail_memory("the sizes of clusters");
    CLUP_TRY(status);
    for (uint32_t r = 0; r < replicas; r++) {
        uint64_t *at = sums + r * NUMBERS;
#define ROW(NAME, OP, VALUE) at[CLUSTER_SUM_##NAME] = records[r].NAME;
        SIZE_COUNTS(ROW)
#undef ROW
        for (unsigned k = 0; k < SIZE_CLASSES; k++)
            at[SIZE_SUMS + k] = records[r].classes[k];
        /* so that a minimum finds the largest */
        largest[r] = ~records[r].largest;
    }
    CLUP_TRY(ranks->least(ranks, largest, replicas));
    CLUP_TRY(ranks->sum(ranks, sums, replicas * NUMBERS));
    for (uint32_t r = 0; r < replicas; r++) {
        const uint64_t *at = sums + r * NUMBERS;
#define ROW(NAME, OP, VALUE) records[r].NAME = at[CLUSTER_SUM_##NAME];
        SIZE_COUNTS(ROW)
#undef ROW
        for (unsigned k = 0; k < SIZE_CLASSES; k++)
            records[r].classes[k] = (uint32_t)at[SIZE_SUMS + k];
        records[r].largest = ~largest[r];
    }
done:
    free(sums);
    free(largest);
    return status;
}
