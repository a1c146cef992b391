/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the best plans beside the chosen one: goes through every combination of candidates, in the
 * order of their times. */
#include <string.h>

#include "plan/choose.h"
#include "plan/tables.h"

typedef struct search {
    const clup_report *report;
    clup_combination now; /* the stages filled in so far */
    clup_alternative *best;
    double *costs; /* of the combinations in best */
    size_t count, most;
    bool fitting; /* lists only plans that fit the device, where the chosen plan does */
} search;

/* Whether the combination is the chosen plan, or was offered with an earlier tile. Only a plan
 * whose tile does not matter comes up again with each tile. */
static int met_before(const search *search)
{
    int tiles = 0, taken = 1;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_candidate *candidate = search->now.stages[stage];
        tiles = tiles || (candidate != NULL && candidate->tile > 0);
        taken = taken && (candidate == NULL || candidate->chosen);
    }
    return taken || (!tiles && search->now.tile != search->report->tiles[0]);
}

static double sum(const clup_report *report, const clup_combination *combination,
                  clup_candidate_value *value)
{
    unsigned stages = 0;
    double ps = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        ps += combination->stages[stage] != NULL ? value(combination->stages[stage]) : 0;
        stages += combination->stages[stage] != NULL;
    }
    return ps + clup_launch_cost(report, value, stages);
}

static double cost_of_plan(const clup_report *report)
{
    unsigned stages = 0;
    double ps = 0;
    for (size_t k = 0; k < report->count; k++) {
        ps += report->candidates[k].chosen ? clup_value_of(report)(&report->candidates[k]) : 0;
        stages += report->candidates[k].chosen != 0;
    }
    return ps + clup_launch_cost(report, clup_value_of(report), stages);
}

static bool plan_fits(const clup_report *report)
{
    clup_combination plan = {.bonds = report->plan.bonds, .tile = report->plan.tile[1]};
    for (size_t k = 0; k < report->count; k++)
        if (report->candidates[k].chosen)
            plan.stages[report->candidates[k].stage] = &report->candidates[k];
    return clup_combination_fits(report, &plan);
}

static void describe(const clup_report *report, const clup_combination *combination,
                     clup_alternative *alternative)
{
    clup_plan *plan = &alternative->plan;
    const char **const names[CLUP_MEASURE] = {&plan->source, &plan->local, &plan->consolidate,
                                              &plan->action};
    *alternative = (clup_alternative){
        .plan = {.bonds = combination->bonds,
                 .predicted_ps = sum(report, combination, clup_predicted)},
        .measured_ps = sum(report, combination, clup_measured),
        .ratio = sum(report, combination, clup_value_of(report)) / cost_of_plan(report),
    };
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        *names[stage] = combination->stages[stage] != NULL ? combination->stages[stage]->kernel
                                                           : NULL;
    clup_combination_tile(report, combination, plan->tile);
}

/* Inserts the combination at its place among the best, if it is good enough. */
static void offer(search *search)
{
    size_t place = search->count;
    if (met_before(search) ||
        !clup_combination_cost(search->report, clup_value_of(search->report), &search->now))
        return;
    while (place > 0 && search->now.cost < search->costs[place - 1])
        place--;
    if (place == search->most ||
        (search->fitting && !clup_combination_fits(search->report, &search->now)))
        return;
    search->count += search->count < search->most;
    for (size_t k = search->count - 1; k > place; k--) {
        search->best[k] = search->best[k - 1];
        search->costs[k] = search->costs[k - 1];
    }
    search->costs[place] = search->now.cost;
    describe(search->report, &search->now, &search->best[place]);
}

/* Goes through all candidates of a stage, and of the stages after it. */
static void fill(search *search, clup_stage stage)
{
    const clup_report *report = search->report;
    if (stage == CLUP_MEASURE) {
        offer(search);
        return;
    }
    search->now.stages[stage] = NULL;
    if (!clup_stage_exists(report->problem.model, report->method.algorithm,
                           clup_layout_named(search->now.bonds), stage)) {
        fill(search, stage + 1);
        return;
    }
    for (size_t k = 0; k < report->count; k++) {
        clup_candidate *candidate = &report->candidates[k];
        if (candidate->stage != stage || !candidate->possible ||
            strcmp(candidate->bonds, search->now.bonds) != 0 ||
            (candidate->tile > 0 && candidate->tile != search->now.tile))
            continue;
        search->now.stages[stage] = candidate;
        fill(search, stage + 1);
    }
}

size_t clup_report_alternatives(const clup_report *report, clup_alternative *best, size_t most)
{
    double costs[CLUP_ALTERNATIVES_MAX];
    if (report == NULL || best == NULL)
        return 0;
    search search = {.report = report,
                     .best = best,
                     .costs = costs,
                     .most = most < CLUP_ALTERNATIVES_MAX ? most : CLUP_ALTERNATIVES_MAX};
    const clup_ranks *ranks = clup_report_alone(report);
    search.fitting = plan_fits(report);
    for (size_t b = 0; b < report->layout_count && search.most > 0; b++)
        for (size_t t = 0; t < report->tile_count; t++) {
            search.now = (clup_combination){.bonds = report->layouts[b]->name,
                                            .tile = report->tiles[t]};
            fill(&search, CLUP_SOURCE);
        }
    clup_report_together(report, ranks);
    return search.count;
}
