/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn clusters on a device: the stages of percolation, from bonds between equal
 * spins. Sizes, wrapping and in the plane Fourier sums need no labels of sites, and are found by
 * nodes (the border layout) where the problem fits. */
#include "run/fk.h"

#include <stdlib.h>
#include <string.h>

#include "family/border.h"
#include "family/measure.h"
#include "family/wraps_pairs.h"
#include "core/energy.h"
#include "core/model.h"
#include "plan/tables.h"

/* In the order of measuring: sizes first, while the labels are as consolidation left them. */
static const uint32_t parts[CLUP_FK_PARTS] = {RECORD_SIZES, RECORD_FK_MODES, RECORD_COMMON,
                                              RECORD_ACTIVE};

#define HAS(STORE) (1u << CLUP_BUFFER_##STORE)

/* Makes the state, which shares some device buffers with the state of the simulation. */
static clup_status make_state(clup_fk_finder *finder, const clup_state *of,
                              const clup_problem *problem, const clup_layout *layout,
                              uint32_t groups)
{
    clup_state *state = &finder->state;
    clup_status status = clup_state_describe(of->context, problem, NULL, layout, 0, 0, state);
    CLUP_TRY(status);
    if (!clup_layout_of_sites(layout) && !clup_layout_of_vectors(layout)) {
        clup_state_sample(state, (groups & RECORD_FK_MODES) != 0);
        state->counting = true;
    }
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
        finder->spins = malloc(state->replicas * clup_lattice_sites(&state->lattice));
        if (finder->spins == NULL)
            CLUP_TRY(clup_fail_memory("the spins"));
    }
done:
    return status;
}

static clup_status make_pass(clup_fk_finder *finder, clup_stage stage, const char *name,
                             const clup_plan *plan, clup_prepared *prepared)
{
    const clup_variant *variant;
    const clup_status status = clup_table_variant(stage, name, &variant);
    return status == CLUP_OK ? clup_prepared_create(variant, &finder->state, plan->tile, prepared)
                             : status;
}

/* Returns the parts of records that clusters with nodes are enough for. Fourier sums have them in
 * the plane, without a field, which ties clusters together, and where tiles are filled: a lattice
 * smaller than a tile takes longer than by labels of sites, and a narrow one more memory. */
static uint32_t parts_of_nodes(const clup_context *context, const clup_problem *problem)
{
    enum { TILE_SITES = 1024, NARROW = 16 };
    const bool modes = clup_lattice_axes(problem->lattice) == 2 && !clup_has_field(problem) &&
                       clup_problem_sites(problem) >= TILE_SITES && problem->size[0] >= NARROW &&
                       problem->size[1] >= NARROW &&
                       clup_waves_border_bytes(NULL, NULL, 0) <= context->local_mem;
    return RECORD_SIZES | RECORD_WRAPS | RECORD_ACTIVE | (modes ? RECORD_FK_MODES : 0);
}

/* Chooses kernels that find clusters by nodes, those of percolation. Returns false where these are
 * others, and where they do not find those of the problem. */
static bool choose_nodes(clup_context *context, const clup_problem *problem,
                         const clup_problem *percolation, clup_plan *plan)
{
    if (clup_plan_choose(context, percolation, NULL, NULL, plan) != CLUP_OK ||
        strcmp(plan->bonds, "border") != 0)
        return false;
    const clup_plan_request alike = {
        .bonds = plan->bonds, .local = plan->local, .consolidate = plan->consolidate};
    return clup_plan_choose(context, problem, NULL, &alike, plan) == CLUP_OK;
}

/* Prepares what finds clusters, unless bonds alone are counted, and measures the parts of the
 * format that groups has: by the kernels of a plan. */
static clup_status make_finder(const clup_problem *problem, const clup_state *of, uint32_t format,
                               uint32_t groups, const clup_plan *plan, clup_fk_finder *finder)
{
    const bool vectors = clup_spin_numbers(problem) > 0;
    const clup_layout *layout = clup_layout_named(vectors ? "vectors" : plan->bonds);
    clup_status status = CLUP_OK;
    CLUP_TRY(make_state(finder, of, problem, layout, groups));
    if (groups != RECORD_ACTIVE) {
        if (!finder->state.sampled)
            CLUP_TRY(
                make_pass(finder, CLUP_SOURCE, vectors ? "vector" : "fk", plan, &finder->source));
        CLUP_TRY(make_pass(finder, CLUP_LOCAL, plan->local, plan, &finder->local));
        CLUP_TRY(
            make_pass(finder, CLUP_CONSOLIDATE, plan->consolidate, plan, &finder->consolidate));
    }
    if (groups & RECORD_WRAPS)
        CLUP_TRY(clup_prepared_create(
            clup_measure_variant(CLUP_BOND_PERCOLATION, layout, true, UINT32_MAX), &finder->state,
            plan->tile, &finder->wraps));
    if ((groups & RECORD_FK_MODES) && clup_has_field(problem))
        CLUP_TRY(clup_prepared_create(clup_measure_group_variant(RECORD_TIES, layout),
                                      &finder->state, plan->tile, &finder->ties));
    for (unsigned k = 0; k < CLUP_FK_PARTS; k++)
        if (groups & parts[k])
            CLUP_TRY(clup_prepared_create(clup_measure_group_variant(parts[k], layout),
                                          &finder->state, plan->tile, &finder->parts[k]));
    finder->state.measuring.format = format;
done:
    return status;
}

clup_status clup_fk_create(const clup_problem *problem, const clup_state *of, uint32_t format,
                           unsigned slots, clup_fk *fk)
{
    clup_problem percolation = *problem;
    const clup_plan_request words = {.bonds = "word"};
    const uint32_t of_nodes = parts_of_nodes(of->context, problem);
    uint32_t groups = format & RECORD_FK;
    clup_plan plan;
    clup_status status = CLUP_OK;
    *fk = (clup_fk){.of = of, .format = format};
    percolation.model = CLUP_BOND_PERCOLATION;
    if ((groups & of_nodes) && clup_spin_numbers(problem) == 0 &&
        choose_nodes(of->context, problem, &percolation, &plan)) {
        CLUP_TRY(
            make_finder(problem, of, format, groups & of_nodes, &plan, &fk->finders[fk->count++]));
        groups &= ~of_nodes;
    }
    if (groups != 0) {
        CLUP_TRY(clup_plan_choose(of->context, &percolation, NULL, &words, &plan));
        CLUP_TRY(make_finder(problem, of, format, groups, &plan, &fk->finders[fk->count++]));
    }
    if (format & RECORD_WRAPS) {
        CLUP_TRY(clup_wraps_create(3, &fk->joined));
        fk->wrapped = malloc((size_t)slots * of->replicas * sizeof *fk->wrapped);
        if (fk->wrapped == NULL)
            CLUP_TRY(clup_fail_memory("the clusters that wrap"));
    }
done:
    if (status != CLUP_OK)
        clup_fk_clear(fk);
    return status;
}

static void clear_finder(clup_fk_finder *finder)
{
    clup_prepared *passes[] = {&finder->source, &finder->local, &finder->consolidate,
                               &finder->wraps, &finder->ties};
    for (unsigned k = 0; k < sizeof passes / sizeof *passes; k++)
        clup_prepared_clear(passes[k]);
    for (unsigned k = 0; k < CLUP_FK_PARTS; k++)
        clup_prepared_clear(&finder->parts[k]);
    finder->state.laws = finder->state.modes = NULL;
    if (finder->spins == NULL)
        finder->state.spins = NULL;
    if (finder->state.context != NULL)
        clup_state_clear(&finder->state);
    free(finder->spins);
}

void clup_fk_clear(clup_fk *fk)
{
    for (unsigned k = 0; k < fk->count; k++)
        clear_finder(&fk->finders[k]);
    clup_wraps_free(fk->joined);
    free(fk->wrapped);
    *fk = (clup_fk){0};
}

/* Finds the clusters. Where it is asked how they wrap, with all axes open, in true coordinates, and
 * then the bonds across periodic axes. */
static clup_status find(clup_fk_finder *finder)
{
    clup_state *state = &finder->state;
    const uint32_t periodic = state->lattice.periodic;
    const bool apart = finder->wraps.variant != NULL;
    clup_status status = CLUP_OK;
    if (finder->source.variant != NULL)
        CLUP_TRY(clup_prepared_run(&finder->source));
    state->lattice.periodic = apart ? 0 : periodic;
    CLUP_TRY(clup_prepared_run(&finder->local));
    CLUP_TRY(clup_prepared_run(&finder->consolidate));
    state->lattice.periodic = periodic;
    if (apart)
        CLUP_TRY(clup_prepared_run(&finder->wraps));
done:
    state->lattice.periodic = periodic;
    return status;
}

/* Measures all parts but wrapping. */
static clup_status measure_parts(clup_fk_finder *finder, cl_uint slot, cl_mem records)
{
    const bool tied = finder->ties.variant != NULL;
    clup_status status = tied ? clup_fk_tie(&finder->ties) : CLUP_OK;
    CLUP_TRY(status);
    for (unsigned k = 0; k < CLUP_FK_PARTS; k++) {
        if (tied && parts[k] == RECORD_FK_MODES)
            CLUP_TRY(clup_fk_join_tied(&finder->ties));
        if (finder->parts[k].variant != NULL)
            CLUP_TRY(clup_measure_part(&finder->parts[k], slot, records));
    }
done:
    return status;
}

/* Finds the clusters of the present spins, and measures them. */
static clup_status measure(clup_fk *fk, clup_fk_finder *finder, cl_uint slot, cl_mem records)
{
    clup_status status = CLUP_OK;
    finder->state.key = fk->of->key;
    if (finder->spins != NULL) {
        clup_state of = *fk->of;
        CLUP_TRY(clup_state_read_spins(&of, finder->spins));
        CLUP_TRY(clup_state_write_spins(&finder->state, finder->spins));
    }
    if (finder->local.variant != NULL)
        CLUP_TRY(find(finder));
    CLUP_TRY(measure_parts(finder, slot, records));
    if (finder->wraps.variant != NULL)
        CLUP_TRY(clup_wraps_read(fk->joined, &finder->wraps,
                                 fk->wrapped + (size_t)slot * finder->state.replicas));
done:
    return status;
}

clup_status clup_fk_measure(clup_fk *fk, cl_uint slot, cl_mem records)
{
    clup_timer *timer = &fk->of->context->timer;
    clup_status status = CLUP_OK;
    timer->measuring = true;
    for (unsigned k = 0; k < fk->count && status == CLUP_OK; k++)
        status = measure(fk, &fk->finders[k], slot, records);
    timer->measuring = false;
    return status;
}

void clup_fk_finish(const clup_fk *fk, unsigned count, uint32_t *records)
{
    const uint32_t format = fk->format;
    for (size_t k = 0; fk->wrapped != NULL && k < (size_t)count * fk->of->replicas; k++)
        number_put(records + k * record_words(format) + record_place(format, RECORD_WRAPS),
                   (format & RECORD_LARGE) != 0, fk->wrapped[k]);
}
