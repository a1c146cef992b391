/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn clusters on a device: the stages of percolation, from bonds between equal
 * spins. */
#include "run/fk.h"

#include <stdio.h>
#include <stdlib.h>

#include "family/measure.h"
#include "family/wraps_pairs.h"
#include "core/energy.h"
#include "core/model.h"
#include "plan/tables.h"

/* In the order of measuring: sizes first, while the labels are as consolidation left them. */
static const uint32_t parts[CLUP_FK_PARTS] = {RECORD_SIZES, RECORD_FK_MODES, RECORD_COMMON};

#define HAS(STORE) (1u << CLUP_BUFFER_##STORE)

/* Makes the state, which shares some device buffers with the state fk->of. */
static clup_status make_state(clup_fk *fk, const clup_problem *problem, const clup_layout *layout)
{
    const clup_state *of = fk->of;
    clup_state *state = &fk->state;
    clup_status status = clup_state_describe(of->context, problem, NULL, layout, 0, 0, state);
    CLUP_TRY(status);
    clup_state_define(state, " EVERY_SITE");
    state->laws = of->laws;
    state->disorder = of->disorder;
    state->disorder_bytes = 0; /* the buffer is not its own */
    state->modes = of->modes;
    state->measuring = of->measuring;
    state->stores = HAS(LAWS);
    if (of->layout->spins == layout->spins) {
        state->spins = of->spins;
        state->stores |= HAS(SPINS);
    } else {
        fk->spins = malloc(state->replicas * clup_lattice_sites(&state->lattice));
        if (fk->spins == NULL)
            CLUP_TRY(clup_fail_memory("the spins"));
    }
done:
    return status;
}

static clup_status make_pass(clup_fk *fk, clup_stage stage, const char *name, const clup_plan *plan,
                             clup_prepared *prepared)
{
    const clup_variant *variant;
    const clup_status status = clup_table_variant(stage, name, &variant);
    return status == CLUP_OK ? clup_prepared_create(variant, &fk->state, plan->tile, prepared)
                             : status;
}

clup_status clup_fk_create(const clup_problem *problem, const clup_state *of, uint32_t format,
                           unsigned slots, clup_fk *fk)
{
    clup_problem percolation = *problem;
    const bool vectors = clup_spin_numbers(problem) > 0;
    const clup_plan_request words = {.bonds = "word"};
    clup_plan plan;
    clup_status status = CLUP_OK;
    *fk = (clup_fk){.of = of, .slots = slots};
    percolation.model = CLUP_BOND_PERCOLATION;
    CLUP_TRY(clup_plan_choose(of->context, &percolation, NULL, &words, &plan));
    const clup_layout *layout = clup_layout_named(vectors ? "vectors" : plan.bonds);
    CLUP_TRY(make_state(fk, problem, layout));
    CLUP_TRY(make_pass(fk, CLUP_SOURCE, vectors ? "vector" : "fk", &plan, &fk->source));
    CLUP_TRY(make_pass(fk, CLUP_LOCAL, plan.local, &plan, &fk->local));
    CLUP_TRY(make_pass(fk, CLUP_CONSOLIDATE, plan.consolidate, &plan, &fk->consolidate));
    if (!vectors)
        CLUP_TRY(clup_prepared_create(
            clup_measure_variant(CLUP_BOND_PERCOLATION, layout, true, UINT32_MAX), &fk->state,
            plan.tile, &fk->wraps));
    if ((format & RECORD_FK_MODES) && clup_has_field(problem))
        CLUP_TRY(clup_prepared_create(clup_measure_group_variant(RECORD_TIES, layout), &fk->state,
                                      plan.tile, &fk->ties));
    for (unsigned k = 0; k < CLUP_FK_PARTS; k++)
        if (format & parts[k])
            CLUP_TRY(clup_prepared_create(clup_measure_group_variant(parts[k], layout), &fk->state,
                                          plan.tile, &fk->parts[k]));
    if (format & RECORD_WRAPS) {
        CLUP_TRY(clup_wraps_create(3, &fk->joined));
        fk->wrapped = malloc((size_t)slots * fk->state.replicas * sizeof *fk->wrapped);
        if (fk->wrapped == NULL)
            CLUP_TRY(clup_fail_memory("the clusters that wrap"));
    }
    fk->state.measuring.format = format;
done:
    if (status != CLUP_OK)
        clup_fk_clear(fk);
    return status;
}

void clup_fk_clear(clup_fk *fk)
{
    clup_prepared *passes[] = {&fk->source, &fk->local, &fk->consolidate, &fk->wraps, &fk->ties};
    for (unsigned k = 0; k < sizeof passes / sizeof *passes; k++)
        clup_prepared_clear(passes[k]);
    for (unsigned k = 0; k < CLUP_FK_PARTS; k++)
        clup_prepared_clear(&fk->parts[k]);
    fk->state.laws = fk->state.modes = NULL;
    if (fk->spins == NULL)
        fk->state.spins = NULL;
    if (fk->state.context != NULL)
        clup_state_clear(&fk->state);
    clup_wraps_free(fk->joined);
    free(fk->wrapped);
    free(fk->spins);
    *fk = (clup_fk){0};
}

/* Finds the clusters with all axes open, in true coordinates, then the bonds across periodic axes.
 * Of vectors, which are not asked how they wrap, at once. */
static clup_status find(clup_fk *fk)
{
    const uint32_t periodic = fk->state.lattice.periodic;
    const bool apart = fk->wraps.variant != NULL;
    clup_status status = clup_prepared_run(&fk->source);
    fk->state.lattice.periodic = apart ? 0 : periodic;
    if (status == CLUP_OK)
        status = clup_prepared_run(&fk->local);
    if (status == CLUP_OK)
        status = clup_prepared_run(&fk->consolidate);
    fk->state.lattice.periodic = periodic;
    return status == CLUP_OK && apart ? clup_prepared_run(&fk->wraps) : status;
}

/* Measures all parts but wrapping. */
static clup_status measure_parts(clup_fk *fk, cl_uint slot, cl_mem records)
{
    const bool tied = fk->ties.variant != NULL;
    clup_status status = tied ? clup_fk_tie(&fk->ties) : CLUP_OK;
    CLUP_TRY(status);
    for (unsigned k = 0; k < CLUP_FK_PARTS; k++) {
        if (tied && parts[k] == RECORD_FK_MODES)
            CLUP_TRY(clup_fk_join_tied(&fk->ties));
        if (fk->parts[k].variant != NULL)
            CLUP_TRY(clup_measure_part(&fk->parts[k], slot, records));
    }
done:
    return status;
}

clup_status clup_fk_measure(clup_fk *fk, cl_uint slot, cl_mem records)
{
    clup_timer *timer = &fk->state.context->timer;
    clup_status status = CLUP_OK;
    timer->measuring = true;
    fk->state.key = fk->of->key;
    if (fk->spins != NULL) {
        clup_state of = *fk->of;
        CLUP_TRY(clup_state_read_spins(&of, fk->spins));
        CLUP_TRY(clup_state_write_spins(&fk->state, fk->spins));
    }
    CLUP_TRY(find(fk));
    CLUP_TRY(measure_parts(fk, slot, records));
    if (fk->wrapped != NULL)
        CLUP_TRY(clup_wraps_read(fk->joined, &fk->wraps,
                                 fk->wrapped + (size_t)slot * fk->state.replicas));
done:
    timer->measuring = false;
    return status;
}

void clup_fk_finish(const clup_fk *fk, unsigned count, uint32_t *records)
{
    const uint32_t format = fk->state.measuring.format;
    for (size_t k = 0; fk->wrapped != NULL && k < (size_t)count * fk->state.replicas; k++)
        number_put(records + k * record_words(format) + record_place(format, RECORD_WRAPS),
                   (format & RECORD_LARGE) != 0, fk->wrapped[k]);
}
