/* SPDX-License-Identifier: BSD-3-Clause */
/* Candidates for a plan: what they cost, and how they are combined. */
#include "plan/choose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/couplings.h"
#include "family/family.h"
#include "core/model.h"
#include "plan/distrust.h"
#include "plan/tables.h"
#include "core/random.clh"

/* ---- candidates ------------------------------------------------------------------------------ */

static bool has_pixels(const clup_report *report)
{
    return clup_model_of(report->problem.model)->runner == CLUP_RUNNER_labelling;
}

/* Returns the layout in which a variant was measured for a layout: the times of one that reads no
 * spins do not depend on how they are stored. */
static const char *measured_layout(const clup_variant *variant, const char *bonds)
{
    const clup_layout *layout = clup_layout_named(bonds);
    if (clup_variant_buffers(variant) & 1u << CLUP_BUFFER_SPINS)
        return bonds;
    for (size_t k = 0; k < clup_layout_count; k++)
        if (clup_layouts[k].bonds == layout->bonds && clup_layouts[k].labels == layout->labels)
            return clup_layouts[k].name;
    return bonds;
}

/* Predicts a time from the samples, scaled by the formulas where the samples are for another q or
 * temperature; NAN where there are no samples. */
static double predict_tuned(const clup_report *report, const clup_variant *variant,
                            const char *bonds, unsigned tile)
{
    const unsigned square[3] = {tile > 0 ? tile : CLUP_TILE_UNKNOWN,
                                tile > 0 ? tile : CLUP_TILE_UNKNOWN, 1};
    clup_problem tuned = report->problem;
    const double side = sqrt((double)clup_lattice_sites(&report->setting.lattice)),
                 ps = clup_samples_predict(&report->knowledge.samples, variant->stage,
                                           variant->name, measured_layout(variant, bonds), tile,
                                           side, report->setting.replicas);
    if (has_pixels(report))
        return ps;
    tuned.q = 2;
    tuned.beta = clup_critical_beta(tuned.lattice, 2) / clup_energy_gap(&tuned);
    double scale = clup_estimate_ps(variant, &report->machine, &report->problem, square) /
                   clup_estimate_ps(variant, &report->machine, &tuned, square);
    return isfinite(scale) && scale > 0 ? ps * scale : ps;
}

static double predict(const clup_report *report, const clup_variant *variant, const char *bonds,
                      unsigned tile)
{
    const clup_problem sites = clup_layout_problem(report->setting.layout, &report->problem);
    unsigned shape[3];
    if (report->context == NULL)
        return NAN;
    clup_variant_tile(variant, &report->setting.lattice, tile > 0 ? tile : CLUP_TILE_UNKNOWN,
                      shape);
    if (report->knowledge.samples.count > 0) {
        /* tuning measures the kernels of spins: those for pixels or samples alone are estimated */
        const double ps = predict_tuned(report, variant, bonds, tile);
        if (!isnan(ps) || (!has_pixels(report) && clup_variant_is_for(variant, CLUP_POTTS)))
            return ps;
    }
    return clup_estimate_ps(variant, &report->machine, &sites, shape) *
           (double)clup_problem_sites(&sites) / (double)clup_problem_sites(&report->problem);
}

/* Whether a plan's tile is the tile of this variant: of one that labels inside tiles, or that does
 * the whole sweep. */
static int has_the_tiles(const clup_report *report, const clup_variant *variant)
{
    return variant->stage == CLUP_LOCAL ||
           (variant->stage == CLUP_ACTION &&
            !clup_stage_exists(report->problem.model, report->method.algorithm,
                               report->setting.layout, CLUP_LOCAL));
}

/* Validates that the kernels that count, after this variant's local labelling or after its sweeps,
 * work on its tile. */
static clup_status check_counting(const clup_report *report, const clup_variant *variant,
                                  unsigned *passed)
{
    const clup_variant *counting = clup_counting_variant(report->problem.model,
                                                         report->setting.layout);
    clup_setting setting = report->setting;
    if (counting == NULL || variant->run_many != NULL)
        return CLUP_OK;
    clup_variant_tile(variant, &setting.lattice, report->setting.tile[1], setting.tile);
    return clup_variant_check_steps(counting, report->context, &setting, passed);
}

clup_status clup_report_check_variant(const clup_report *report, const clup_variant *variant,
                                      unsigned asked, unsigned *passed)
{
    unsigned tile[3];
    const unsigned axes = clup_lattice_of(&report->setting.lattice)->axes;
    clup_status status = clup_variant_check_steps(variant, report->context, &report->setting,
                                                  passed);
    if (status == CLUP_OK && has_the_tiles(report, variant))
        status = check_counting(report, variant, passed);
    if (status != CLUP_OK || asked == 0 || !has_the_tiles(report, variant))
        return status;
    if (variant->stage == CLUP_ACTION && variant->shape == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "%s has no tiles", variant->name);
    clup_variant_tile(variant, &report->setting.lattice, asked, tile);
    if (variant->shape != NULL &&
        (tile[0] != asked || tile[1] != asked || (axes > 2 && tile[2] != asked)))
        return clup_fail(CLUP_ERROR_USAGE,
                         axes > 2 ? "the tiles of %s are %u x %u x %u"
                                  : "the tiles of %s are %u x %u",
                         variant->name, tile[0], tile[1], tile[2]);
    return CLUP_OK;
}

void clup_report_enter(clup_report *report, const clup_layout *layout)
{
    const clup_problem sites = clup_layout_problem(layout, &report->problem);
    report->setting.layout = layout;
    report->setting.lattice = clup_lattice_args(&sites);
    report->setting.q = clup_problem_states(&sites);
}

static clup_status add_candidate(clup_report *report, const clup_variant *variant,
                                 const clup_layout *layout, unsigned tile)
{
    const char *wish = *clup_request_row(&report->request, variant->stage);
    unsigned passed;
    clup_candidate *grown = realloc(report->candidates, (report->count + 1) * sizeof *grown);
    if (grown == NULL)
        return clup_fail_memory("candidates");
    report->candidates = grown;
    clup_candidate *candidate = &grown[report->count++];
    *candidate = (clup_candidate){.stage = variant->stage,
                                  .kernel = variant->name,
                                  .bonds = layout->name,
                                  .tile = tile,
                                  .predicted_ps = NAN,
                                  .measured_ps = NAN};
    clup_report_enter(report, layout);
    clup_variant_tile(variant, &report->setting.lattice, tile > 0 ? tile : report->tiles[0],
                      report->setting.tile);
    candidate->possible = clup_report_check_variant(report, variant, report->request.tile,
                                                    &passed) == CLUP_OK;
    if (!candidate->possible)
        snprintf(candidate->reason, sizeof candidate->reason, "%s", clup_error_detail());
    else
        candidate->predicted_ps = predict(report, variant, layout->name, tile);
    candidate->stale = clup_samples_stale(&report->knowledge.samples, variant->stage,
                                          variant->name);
    if (candidate->possible && wish != NULL && strcmp(wish, variant->name) != 0) {
        candidate->possible = 0;
        snprintf(candidate->reason, sizeof candidate->reason, "%s was asked for", wish);
    }
    if (candidate->possible && wish == NULL &&
        clup_table_serial(variant->stage, variant, &report->setting) !=
            clup_table_serial(variant->stage, NULL, &report->setting)) {
        candidate->possible = 0;
        snprintf(candidate->reason, sizeof candidate->reason,
                 "it does something else, and is taken when it is asked for");
    }
    const clup_distrusted *distrusted = clup_distrust_find(report->context, variant->stage,
                                                           variant->name);
    if (candidate->possible && wish == NULL && distrusted != NULL) {
        candidate->possible = 0;
        candidate->distrusted = 1;
        snprintf(candidate->reason, sizeof candidate->reason,
                 "it gave wrong results on this device and driver on %.10s: run clup selftest to "
                 "try it again",
                 distrusted->date);
    }
    return CLUP_OK;
}

bool clup_is_for_smaller(const clup_report *report, const clup_variant *variant)
{
    return variant->group_limit > 0 && report->context != NULL &&
           clup_group_limit(report->context) > variant->group_limit;
}

/* Whether to list a variant: it is for the model, or a user may wonder why it is not. Nobody
 * wonders why a variant for images is not for lattices, or the reverse: the two have little in
 * common. */
static bool is_worth_saying(const clup_report *report, const clup_variant *variant)
{
    return clup_variant_is_for(variant, report->problem.model) ||
           (!has_pixels(report) && variant->models != CLUP_ON(CLUP_IMAGE));
}

/* Adds the candidates for a variant in a layout: one for each tile, if it has tiles. */
static clup_status add_row(clup_report *report, const clup_variant *variant,
                           const clup_layout *layout)
{
    const bool has_tiles = clup_variant_has_tiles(variant);
    clup_status status = CLUP_OK;
    for (size_t t = 0; t < (has_tiles ? report->tile_count : 1) && status == CLUP_OK; t++)
        status = add_candidate(report, variant, layout, has_tiles ? report->tiles[t] : 0);
    return status;
}

clup_status clup_candidates_add(clup_report *report)
{
    clup_status status = CLUP_OK;
    if (report->context != NULL)
        CLUP_TRY(clup_distrust_load(report->context));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_table *table = clup_table_of(stage);
        for (size_t b = 0; b < report->layout_count; b++)
            for (size_t k = 0; k < table->count &&
                               clup_stage_exists(report->problem.model, report->method.algorithm,
                                                 report->layouts[b], stage);
                 k++)
                if (!clup_is_for_smaller(report, &table->variants[k]) &&
                    is_worth_saying(report, &table->variants[k]))
                    CLUP_TRY(add_row(report, &table->variants[k], report->layouts[b]));
    }
done:
    return status;
}

/* ---- choosing -------------------------------------------------------------------------------- */

double clup_predicted(const clup_candidate *candidate)
{
    return candidate->predicted_ps;
}

double clup_measured(const clup_candidate *candidate)
{
    return candidate->measured_ps;
}

clup_candidate_value *clup_value_of(const clup_report *report)
{
    return report->request.strategy == CLUP_PLAN_MEASURE ? clup_measured : clup_predicted;
}

static double cost_of(const clup_candidate *candidate, clup_candidate_value *value)
{
    double cost = value(candidate);
    return isnan(cost) ? CLUP_UNKNOWN_PS : cost;
}

int clup_asks_too_much(const clup_report *report, const clup_layout *layout, clup_stage stage)
{
    clup_plan_request request = report->request;
    return *clup_request_row(&request, stage) != NULL &&
           !clup_stage_exists(report->problem.model, report->method.algorithm, layout, stage);
}

/* Picoseconds that the host takes to launch a stage on a processor, about. Times of kernels leave
 * it out. On GPUs launches overlap with kernels. */
#define LAUNCH_PS 4e6

double clup_launch_cost(const clup_report *report, clup_candidate_value *value, unsigned stages)
{
    const double sites = (double)clup_lattice_sites(&report->setting.lattice) *
                         (report->setting.replicas > 0 ? report->setting.replicas : 1);
    return value == clup_predicted && !has_pixels(report) && report->context != NULL &&
                   report->context->machine.threads
               ? stages * LAUNCH_PS / sites
               : 0;
}

int clup_combination_cost(const clup_report *report, clup_candidate_value *value,
                          clup_combination *combination)
{
    const clup_layout *layout = clup_layout_named(combination->bonds);
    unsigned missing = 0;
    combination->cost = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_candidate *candidate = combination->stages[stage];
        if (clup_stage_exists(report->problem.model, report->method.algorithm, layout, stage)
                ? candidate == NULL
                : clup_asks_too_much(report, layout, stage))
            return 0;
        if (candidate != NULL)
            combination->cost += cost_of(candidate, value);
        else
            missing++;
    }
    /* A layout may lack a stage, whose work another stage does. If the time of a stage is not
     * known, each missing stage counts as one more unknown time: otherwise a layout would seem
     * cheap because it has few stages. */
    if (combination->cost >= CLUP_UNKNOWN_PS)
        combination->cost += missing * CLUP_UNKNOWN_PS;
    else
        combination->cost += clup_launch_cost(report, value, CLUP_MEASURE - missing);
    return 1;
}

void clup_combination_tile(const clup_report *report, const clup_combination *chosen,
                           unsigned tile[3])
{
    const clup_candidate *local = chosen->stages[CLUP_LOCAL];
    clup_variant_tile(local != NULL ? clup_table_find(&clup_locals, local->kernel) : NULL,
                      &report->setting.lattice, chosen->tile, tile);
}

/* ---- memory of buffers ----------------------------------------------------------------------- */

clup_status clup_combination_need(const clup_report *report, const clup_combination *combination,
                                  clup_need *need)
{
    const clup_variant *rows[CLUP_MEASURE + 1] = {NULL};
    uint64_t streams = 0;
    unsigned tile[3];
    clup_state state;
    clup_combination_tile(report, combination, tile);
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_candidate *candidate = combination->stages[stage];
        rows[stage] = candidate != NULL ? clup_table_find(clup_table_of(stage), candidate->kernel)
                                        : NULL;
        const uint64_t own = rows[stage] != NULL && rows[stage]->streams != NULL
                                 ? rows[stage]->streams(&report->setting.lattice)
                                 : 0;
        streams = own > streams ? own : streams;
    }
    const clup_status status = clup_state_describe(
        report->context, &report->problem, &report->method, clup_layout_named(combination->bonds),
        streams, 0, &state);
    if (status != CLUP_OK)
        return status;
    if (rows[CLUP_ACTION] == NULL || rows[CLUP_ACTION]->run_many == NULL)
        rows[CLUP_MEASURE] = clup_measuring_variant(report->problem.model, state.layout);
    clup_state_need(&state, need);
    for (clup_stage stage = CLUP_SOURCE; stage <= CLUP_MEASURE; stage++)
        if (rows[stage] != NULL)
            clup_prepared_need(rows[stage], &state, tile, need);
    return CLUP_OK;
}

bool clup_combination_fits(const clup_report *report, const clup_combination *combination)
{
    clup_need need = {0};
    if (report->context == NULL)
        return true;
    return clup_combination_need(report, combination, &need) == CLUP_OK &&
           need.largest <= report->context->max_alloc && need.bytes <= report->context->global_mem;
}

/* Whether the buffers of the candidate and of the state, without those of other stages, fit the
 * device. */
static bool candidate_fits(const clup_report *report, clup_candidate *candidate, unsigned tile)
{
    clup_combination alone = {.bonds = candidate->bonds, .tile = tile};
    alone.stages[candidate->stage] = candidate;
    return clup_combination_fits(report, &alone);
}

/* ---- combinations ---------------------------------------------------------------------------- */

/* As clup_combine, with all candidates, or with those whose buffers fit the device. */
static int combine(const clup_report *report, const char *bonds, unsigned tile,
                   clup_candidate *fixed, clup_candidate_value *value, bool fitting,
                   clup_combination *found)
{
    *found = (clup_combination){.bonds = bonds, .tile = tile};
    for (size_t k = 0; k < report->count; k++) {
        clup_candidate *candidate = &report->candidates[k],
                       **best = &found->stages[candidate->stage];
        if (!candidate->possible || strcmp(candidate->bonds, bonds) != 0 ||
            (candidate->tile > 0 && candidate->tile != tile))
            continue;
        if (fixed != NULL && fixed->stage == candidate->stage && fixed != candidate)
            continue;
        if ((*best == NULL || cost_of(candidate, value) < cost_of(*best, value)) &&
            (!fitting || candidate_fits(report, candidate, tile)))
            *best = candidate;
    }
    return clup_combination_cost(report, value, found) &&
           (!fitting || clup_combination_fits(report, found));
}

int clup_combine(const clup_report *report, const char *bonds, unsigned tile, clup_candidate *fixed,
                 clup_candidate_value *value, clup_combination *found)
{
    return combine(report, bonds, tile, fixed, value, false, found);
}

static int choose(const clup_report *report, clup_candidate_value *value, bool fitting,
                  clup_combination *best)
{
    int any = 0;
    for (size_t b = 0; b < report->layout_count; b++)
        for (size_t t = 0; t < report->tile_count; t++) {
            clup_combination found;
            if (combine(report, report->layouts[b]->name, report->tiles[t], NULL, value, fitting,
                        &found) &&
                (!any || found.cost < best->cost)) {
                *best = found;
                any = 1;
            }
        }
    return any;
}

int clup_choose(const clup_report *report, clup_candidate_value *value, clup_combination *best)
{
    return choose(report, value, true, best) || choose(report, value, false, best);
}

int clup_draw(const clup_report *report, clup_combination *drawn)
{
    unsigned possible = 0, index = 0;
    clup_combination found;
    philox_block random = philox((philox_block){{0, 0, 0, 1}}, (u32)report->request.seed,
                                 (u32)(report->request.seed >> 32));
    for (size_t k = 0; k < report->layout_count * report->tile_count; k++)
        possible += (unsigned)clup_combine(report, report->layouts[k / report->tile_count]->name,
                                           report->tiles[k % report->tile_count], NULL,
                                           clup_predicted, &found);
    unsigned wanted = MUL_HI(random.v[0], possible);
    for (size_t k = 0; k < report->layout_count * report->tile_count; k++)
        if (clup_combine(report, report->layouts[k / report->tile_count]->name,
                         report->tiles[k % report->tile_count], NULL, clup_predicted, &found) &&
            index++ == wanted)
            *drawn = found;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && possible > 0; stage++) {
        unsigned rows = 0;
        random = philox((philox_block){{stage + 1, 0, 0, 1}}, (u32)report->request.seed,
                        (u32)(report->request.seed >> 32));
        for (size_t k = 0; k < report->count; k++) {
            clup_candidate *candidate = &report->candidates[k];
            if (candidate->stage != stage || !candidate->possible ||
                strcmp(candidate->bonds, drawn->bonds) != 0 ||
                (candidate->tile > 0 && candidate->tile != drawn->tile))
                continue;
            /* so that each candidate is equally likely */
            random = philox(random, (u32)report->request.seed, stage);
            if (MUL_HI(random.v[0], ++rows) == 0)
                drawn->stages[stage] = candidate;
        }
    }
    return possible > 0;
}
