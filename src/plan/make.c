/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a plan: chooses a layout and a tile for the whole plan, and for each stage the kernel
 * variant that costs least with them; and says why. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "core/small.h"
#include "core/model.h"
#include "plan/choose.h"
#include "plan/fit.h"
#include "plan/tables.h"

/* Builds the kernels of a combination: once compiled, they may need more than their tables say.
 * Rules out the first candidate that does not fit, or that cannot be built on this device although
 * the request does not name it. Sets *refused to this candidate, and *built to whether it was
 * built. */
static clup_status probe(clup_report *report, const clup_combination *chosen,
                         clup_candidate **refused, bool *built)
{
    /* wide enough for the widest tile of the sources */
    const uint32_t most[3] = {300, 20, 20}, *size = report->problem.size;
    const uint32_t few[3] = {size[0] < most[0] ? size[0] : most[0],
                             size[1] < most[1] ? size[1] : most[1],
                             size[2] < most[2] ? size[2] : most[2]};
    const clup_problem small = clup_problem_small(&report->problem, few, 0, 1);
    const clup_variant *variants[CLUP_STAGES] = {NULL};
    unsigned tile[3];
    clup_state state = {0};
    clup_combination_tile(report, chosen, tile);
    *refused = NULL;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        if (chosen->stages[stage] != NULL)
            variants[stage] = clup_table_find(clup_table_of(stage), chosen->stages[stage]->kernel);
    clup_status status = clup_state_describe(report->context, &small, &report->method,
                                             clup_layout_named(chosen->bonds), 0, 1, &state);
    for (clup_stage stage = CLUP_SOURCE;
         stage < CLUP_MEASURE && status == CLUP_OK && *refused == NULL; stage++) {
        if (variants[stage] == NULL)
            continue;
        status = clup_prepared_try(variants[stage], &state, tile);
        if (status == CLUP_ERROR_USAGE ||
            (status == CLUP_ERROR_BUILD && *clup_request_row(&report->request, stage) == NULL)) {
            *refused = chosen->stages[stage];
            *built = status != CLUP_ERROR_BUILD;
            clup_candidate_refuse(*refused);
            status = CLUP_OK;
        }
    }
    clup_state_clear(&state);
    return status;
}

/* Chooses until all kernels of the choice are built. */
static clup_status settle(clup_report *report, clup_candidate_value *value,
                          clup_combination *chosen)
{
    clup_candidate *refused = NULL, *last = NULL;
    clup_status status = CLUP_OK;
    bool built = true;
    do {
        if (report->request.strategy == CLUP_PLAN_RANDOM ? !clup_draw(report, chosen)
                                                         : !clup_choose(report, value, chosen))
            return built ? clup_explain_none(report, last)
                         : clup_fail(CLUP_ERROR_BUILD, "%s", last->reason);
        refused = NULL;
        /* a combination that does not fit is left to the callers who allocate the memory, and say
         * for what it is missing */
        if (report->context != NULL && report->method.algorithm != CLUP_FEW_CLUSTER &&
            !report->interrupted && clup_combination_fits(report, chosen))
            status = probe(report, chosen, &refused, &built);
        last = refused;
    } while (status == CLUP_OK && refused != NULL);
    return status;
}

/* For a candidate of a layout that was not chosen: if the candidate does not fit the device's
 * memory, sets its reason to what does not fit, and returns 1; else returns 0. */
static int lacks_memory(const clup_report *report, clup_candidate *candidate, unsigned tile)
{
    clup_combination alone = {.bonds = candidate->bonds,
                              .tile = candidate->tile > 0 ? candidate->tile : tile};
    clup_need need = {0};
    alone.stages[candidate->stage] = candidate;
    if (clup_combination_fits(report, &alone) ||
        clup_combination_need(report, &alone, &need) != CLUP_OK)
        return 0;
    if (need.largest > report->context->max_alloc)
        snprintf(candidate->reason, sizeof candidate->reason,
                 "%s need %llu bytes, the largest allocation is %llu", need.what,
                 (unsigned long long)need.largest, (unsigned long long)report->context->max_alloc);
    else
        snprintf(candidate->reason, sizeof candidate->reason,
                 "needs %llu bytes, the device has %llu", (unsigned long long)need.bytes,
                 (unsigned long long)report->context->global_mem);
    return 1;
}

static void explain_choice(clup_report *report, const clup_combination *chosen,
                           clup_candidate_value *value)
{
    for (size_t k = 0; k < report->count; k++) {
        clup_candidate *candidate = &report->candidates[k],
                       *taken = chosen->stages[candidate->stage];
        clup_combination other;
        candidate->chosen = candidate == taken;
        if (!candidate->possible || candidate->reason[0] != '\0')
            continue;
        if (candidate->chosen)
            snprintf(candidate->reason, sizeof candidate->reason, "%s",
                     *clup_request_row(&report->request, candidate->stage) != NULL ? "asked for"
                     : report->request.strategy == CLUP_PLAN_RANDOM                ? "drawn"
                     : isnan(value(candidate)) ? "the first that is possible"
                                               : "least for the whole");
        else if (lacks_memory(report, candidate, chosen->tile))
            continue;
        else if (report->request.strategy == CLUP_PLAN_RANDOM)
            snprintf(candidate->reason, sizeof candidate->reason, "not drawn");
        else if (isnan(value(candidate)))
            snprintf(candidate->reason, sizeof candidate->reason, "no time is known");
        else if (strcmp(candidate->bonds, chosen->bonds) == 0 &&
                 (candidate->tile == 0 || candidate->tile == chosen->tile))
            snprintf(candidate->reason, sizeof candidate->reason, "%.3g times %s",
                     value(candidate) / value(taken), taken->kernel);
        else if (candidate->tile > 0 &&
                 clup_combine(report, candidate->bonds, candidate->tile, candidate, value, &other))
            snprintf(candidate->reason, sizeof candidate->reason,
                     "%s bonds and tile %u make the whole %.3g times the plan's", candidate->bonds,
                     candidate->tile, other.cost / chosen->cost);
        else
            snprintf(candidate->reason, sizeof candidate->reason, "%s bonds were taken",
                     chosen->bonds);
    }
}

/* Adds to basis the names of the plan's kernels whose times are out of date. */
static void add_stale(const clup_combination *chosen, clup_text *basis)
{
    const char *before = ", before these kernels were changed: ";
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        if (chosen->stages[stage] != NULL && chosen->stages[stage]->stale) {
            clup_text_add(basis, "%s%s", before, chosen->stages[stage]->kernel);
            before = ", ";
        }
}

static void make_plan(clup_report *report, const clup_combination *chosen)
{
    static const char *const by[CLUP_STRATEGIES] = {"tuned", "estimated by the cost formulas",
                                                    "measured", "drawn"};
    clup_plan *plan = &report->plan;
    const clup_strategy strategy = report->interrupted &&
                                           report->request.strategy == CLUP_PLAN_MEASURE
                                       ? CLUP_PLAN_TUNED
                                       : report->request.strategy;
    clup_text forced = {0}, basis = {0};
    const char **const names[CLUP_MEASURE] = {&plan->source, &plan->local, &plan->consolidate,
                                              &plan->action};
    plan->chosen = (report->request.bonds == NULL ? CLUP_CHOSE_BONDS : 0) |
                   (report->request.tile == 0 ? CLUP_CHOSE_TILE : 0);
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        *names[stage] = chosen->stages[stage] != NULL ? chosen->stages[stage]->kernel : NULL;
        plan->chosen |= *clup_request_row(&report->request, stage) == NULL ? CLUP_CHOSE_ROW(stage)
                                                                           : 0;
        if (chosen->stages[stage] != NULL && *clup_request_row(&report->request, stage) != NULL)
            clup_text_add(&forced, "%s%s", forced.length > 0 ? ", " : "", clup_stage_name(stage));
    }
    if (report->request.bonds != NULL)
        clup_text_add(&forced, "%sbonds", forced.length > 0 ? ", " : "");
    if (report->request.tile > 0)
        clup_text_add(&forced, "%stile", forced.length > 0 ? ", " : "");
    plan->bonds = chosen->bonds;
    clup_combination_tile(report, chosen, plan->tile);
    plan->predicted_ps = chosen->cost < CLUP_UNKNOWN_PS ? chosen->cost : NAN;
    clup_text_add(&basis, "%s",
                  report->context == NULL ? "the first that is possible"
                  : strategy == CLUP_PLAN_TUNED
                      ? (report->knowledge.origin[0] != '\0' ? report->knowledge.origin
                                                             : by[CLUP_PLAN_ESTIMATE])
                      : by[strategy]);
    if (report->context != NULL && strategy == CLUP_PLAN_TUNED)
        add_stale(chosen, &basis);
    snprintf(plan->why, sizeof plan->why, "%s%s%s%s%s", forced.length > 0 ? "asked for: " : "",
             forced.length > 0 ? forced.data : "", forced.length > 0 ? "; the rest: " : "",
             clup_text_ok(&basis) ? basis.data : "",
             report->interrupted ? "; measuring was interrupted" : "");
    const char *distrust = report->context != NULL ? clup_distrust_warning(report->context) : "";
    const size_t used = strlen(report->knowledge.warning);
    snprintf(plan->warning, sizeof plan->warning, "%s", report->knowledge.warning);
    snprintf(plan->warning + used, sizeof plan->warning - used, "%s%s",
             used > 0 && distrust[0] != '\0' ? "; " : "", distrust);
    clup_text_free(&forced);
    clup_text_free(&basis);
}

/* Returns the candidate tile nearest to wish that fits self-labelling. */
static unsigned nearest_tile(const clup_report *report, double wish)
{
    unsigned nearest = 0;
    for (size_t k = 0; k < report->count; k++) {
        const clup_candidate *candidate = &report->candidates[k];
        if (candidate->stage == CLUP_LOCAL && strcmp(candidate->kernel, "selflabel") == 0 &&
            candidate->possible &&
            (nearest == 0 || fabs(log(candidate->tile / wish)) < fabs(log(nearest / wish))))
            nearest = candidate->tile;
    }
    return nearest;
}

static double model_constant(const clup_report *report, clup_stage stage, const char *row)
{
    return 1000 * clup_table_find(clup_table_of(stage), row)->cost /
           (report->machine.lanes * report->machine.units);
}

/* Finds the tile by the paper's rules, with constants fitted to the samples, or else with those of
 * the model. */
static clup_status make_rule(clup_report *report)
{
    clup_tile_rule *rule = &report->rule;
    clup_fit *fits = NULL;
    size_t count = 0;
    clup_status status = clup_fits_make(&report->knowledge.samples, &fits, &count);
    if (status != CLUP_OK)
        return status;
    double size = sqrt((double)clup_lattice_sites(&report->setting.lattice)),
           all = report->machine.units * report->machine.resident;
    *rule = (clup_tile_rule){
        .c_local_ps = clup_fits_value(fits, count, "local", "C_local/(m n)"),
        .a_ps = clup_fits_value(fits, count, "sew", "a"),
        .b_ps = clup_fits_value(fits, count, "sew", "b"),
        .c_relax_ps = clup_fits_value(fits, count, "relax", "C_relax/(m n)"),
        .dmin = clup_d_min(&report->problem),
        .origin = report->knowledge.origin,
    };
    if (!(rule->c_local_ps > 0 && rule->b_ps > 0 && rule->c_relax_ps > 0)) {
        double sew = 1000 * report->machine.serial *
                     clup_table_find(clup_table_of(CLUP_CONSOLIDATE), "sew")->cost;
        rule->c_local_ps = model_constant(report, CLUP_LOCAL, "selflabel");
        rule->c_relax_ps = model_constant(report, CLUP_CONSOLIDATE, "relax_multithread");
        rule->a_ps = sew * fmax(4 - 5 / sqrt(all), 0);
        rule->b_ps = sew / all;
        rule->origin = "the model's constants";
    }
    rule->sew = clup_best_tile_sew(rule->c_local_ps, rule->b_ps, rule->dmin);
    rule->relax = clup_best_tile_relax(rule->c_local_ps, rule->c_relax_ps, rule->dmin, size);
    rule->sew_limited = nearest_tile(report, rule->sew);
    rule->relax_limited = nearest_tile(report, rule->relax);
    clup_fits_free(fits, count);
    return CLUP_OK;
}

/* The part of clup_report_finish that a process with a subdomain does by itself. */
static clup_status finish(clup_report *report)
{
    clup_combination chosen;
    clup_status status = CLUP_OK;
    clup_candidate_value *value = report->interrupted ? clup_predicted : clup_value_of(report);
    if (report->context != NULL &&
        clup_model_of(report->problem.model)->runner != CLUP_RUNNER_labelling)
        CLUP_TRY(make_rule(report));
    CLUP_TRY(settle(report, value, &chosen));
    explain_choice(report, &chosen, value);
    make_plan(report, &chosen);
    report->plan_measured = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        report->plan_measured += chosen.stages[stage] != NULL ? chosen.stages[stage]->measured_ps
                                                              : 0;
    clup_choose(report, clup_measured, &chosen);
    report->best_measured = chosen.cost < CLUP_UNKNOWN_PS ? chosen.cost : NAN;
done:
    return status;
}

clup_status clup_report_finish(clup_report *report, const clup_problem *problem)
{
    const clup_ranks *ranks = clup_report_alone(report);
    const clup_status status = finish(report);
    clup_report_together(report, ranks);
    return status == CLUP_OK ? clup_plan_set_between(report->context, problem,
                                                     report->request.between, &report->plan)
                             : status;
}

clup_status clup_plan_make(clup_context *context, const clup_problem *problem,
                           const clup_method *method, const clup_plan_request *request,
                           clup_plan *plan)
{
    clup_report *report = NULL;
    clup_status status = clup_report_begin(context, problem, method, request, &report);
    if (status == CLUP_OK)
        status = clup_report_finish(report, problem);
    *plan = status == CLUP_OK ? report->plan : (clup_plan){0};
    clup_report_free(report);
    return status;
}
