/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports: what a plan is chosen from, and the result. Makes a report up to its candidates, and
 * answers questions about it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "core/disorder.h"
#include "core/couplings.h"
#include "core/matrix.h"
#include "core/vector.h"
#include "core/method.h"
#include "core/model.h"
#include "plan/choose.h"
#include "plan/tables.h"

/* Tiles that are considered: the paper's, and 2 for devices with little local memory. */
static const unsigned tiles_usual[CLUP_TILES_USUAL] = {2, 4, 8, 16, 32, 64};

void clup_candidate_refuse(clup_candidate *candidate)
{
    const char *why = clup_error_detail();
    candidate->possible = 0;
    snprintf(candidate->reason, sizeof candidate->reason, "%.*s", (int)strcspn(why, "\n"), why);
}

/* Sets the layouts of a report: the one that the request names, or all that are for the model. */
static clup_status set_layouts(clup_report *report)
{
    const char *wish = report->request.bonds;
    clup_text known = {0};
    for (const clup_layout *layout = clup_layouts; layout < clup_layouts + clup_layout_count;
         layout++) {
        const bool is_for = clup_layout_is_for(layout, report->problem.model) &&
                            clup_layout_of_graphs(layout) == (report->problem.graph != NULL);
        if (wish != NULL ? strcmp(layout->name, wish) == 0 : is_for)
            report->layouts[report->layout_count++] = layout;
        if (is_for)
            clup_text_add(&known, "%s%s", known.length > 0 ? ", " : "", layout->name);
    }
    const clup_status status = report->layout_count > 0
                                   ? CLUP_OK
                                   : clup_fail(CLUP_ERROR_USAGE, "no bond layout '%s'; there is %s",
                                               wish, clup_text_ok(&known) ? known.data : "?");
    clup_text_free(&known);
    return status;
}

/* A process with a subdomain plans for the subdomain as for a lattice, by itself. It plans for the
 * largest subdomain, so that all processes choose the same plan. */
static clup_status take_part(clup_report *report, uint32_t processes)
{
    clup_subdomain part;
    const clup_status status = clup_subdomain_of(&report->problem, 0, processes, &part);
    if (status != CLUP_OK)
        return status;
    part.own = (part.layers - 1) / processes + 1;
    report->problem = clup_subdomain_problem(&report->problem, &part);
    return CLUP_OK;
}

/* Whether a smaller tile than the usual one number k has the whole lattice in it already: kernels
 * take the time of the whole tile, whatever part of it the lattice fills. */
static bool covers(const clup_report *report, size_t k)
{
    const lattice_args *lattice = &report->setting.lattice;
    uint32_t longest = 1;
    for (unsigned axis = 0; axis < clup_lattice_of(lattice)->axes; axis++)
        longest = lattice_size(*lattice, axis) > longest ? lattice_size(*lattice, axis) : longest;
    return k > 0 && tiles_usual[k - 1] >= longest;
}

static clup_status set_up(clup_report *report, uint32_t parts)
{
    const clup_plan_request *request = &report->request;
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_RESERVED(request, "clup_plan_request"));
    if ((unsigned)request->strategy >= CLUP_STRATEGIES)
        return clup_fail(CLUP_ERROR_USAGE, "strategy %d is not known", (int)request->strategy);
    CLUP_TRY(clup_method_check(&report->problem, &report->method));
    report->problem = clup_layout_problem(NULL, &report->problem);
    if (parts > 1)
        CLUP_TRY(take_part(report, parts));
    CLUP_TRY(clup_problem_check_device(&report->problem));
    report->setting = (clup_setting){.of_part = parts > 1,
                                     .couplings = clup_bonds_differ(&report->problem),
                                     .classes = clup_problem_classes(&report->problem).count,
                                     .field = clup_has_field(&report->problem),
                                     .matrix = clup_has_matrix(&report->problem),
                                     .sized = clup_has_sizes(&report->problem),
                                     .vectors = clup_spin_numbers(&report->problem) > 0,
                                     .before = clup_before_sweep(&report->method),
                                     .lattice = clup_lattice_args(&report->problem),
                                     .q = clup_problem_states(&report->problem),
                                     .algorithm = report->method.algorithm,
                                     .replicas = clup_problem_replicas(&report->problem),
                                     .model = report->problem.model,
                                     .image = report->problem.image};
    CLUP_TRY(clup_generator_named(report->method.rng, &report->setting.rng));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_variant *variant;
        if (*clup_request_row(&report->request, stage) != NULL)
            CLUP_TRY(
                clup_table_variant(stage, *clup_request_row(&report->request, stage), &variant));
    }
    CLUP_TRY(set_layouts(report));
    if (request->tile > 0 || report->context == NULL)
        report->tiles[report->tile_count++] = request->tile > 0 ? request->tile : CLUP_TILE_UNKNOWN;
    else
        for (size_t k = 0; k < CLUP_TILES_USUAL && !covers(report, k); k++)
            report->tiles[report->tile_count++] = tiles_usual[k];
    if (report->context != NULL) {
        report->machine = clup_machine_of(&report->context->device.info);
        /* times in the databases are of the square lattice */
        if (request->strategy != CLUP_PLAN_ESTIMATE &&
            report->problem.lattice == CLUP_LATTICE_SQUARE)
            CLUP_TRY(clup_knowledge_find(&report->context->device.info, &report->knowledge));
        /* measured times of lattices alone cannot be compared with estimates for images */
        if (clup_model_of(report->problem.model)->runner == CLUP_RUNNER_labelling &&
            isnan(clup_samples_predict(&report->knowledge.samples, CLUP_SOURCE, "image", "word", 0,
                                       1, 1)))
            clup_knowledge_clear(&report->knowledge);
    }
done:
    return status;
}

const clup_ranks *clup_report_alone(const clup_report *report)
{
    const clup_ranks *ranks = NULL;
    if (report->context != NULL) {
        ranks = report->context->ranks;
        report->context->ranks = NULL;
    }
    return ranks;
}

void clup_report_together(const clup_report *report, const clup_ranks *ranks)
{
    if (report->context != NULL)
        report->context->ranks = ranks;
}

clup_status clup_report_begin(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const clup_plan_request *request,
                              clup_report **out)
{
    clup_combination any;
    clup_status status = CLUP_OK;
    clup_report *report = calloc(1, sizeof *report);
    *out = report;
    if (report == NULL)
        return clup_fail_memory("a plan");
    report->context = context;
    report->problem = *problem;
    report->method = method != NULL ? *method : (clup_method){0};
    report->request = request != NULL ? *request : (clup_plan_request){0};
    const uint32_t parts = clup_context_in_parts(context, clup_problem_replicas(problem))
                               ? context->ranks->count
                               : 1;
    const clup_ranks *ranks = clup_report_alone(report);
    CLUP_TRY(set_up(report, parts));
    if (report->request.tile > CLUP_TILE_MAX && context != NULL)
        CLUP_TRY(clup_explain_none(report, NULL));
    CLUP_TRY(clup_candidates_add(report));
    if (!clup_choose(report, clup_predicted, &any))
        CLUP_TRY(clup_explain_none(report, NULL));
done:
    clup_report_together(report, ranks);
    return status;
}

void clup_report_free(clup_report *report)
{
    if (report == NULL)
        return;
    clup_knowledge_clear(&report->knowledge);
    free(report->candidates);
    free(report);
}

const clup_plan *clup_report_plan(const clup_report *report)
{
    return report != NULL ? &report->plan : NULL;
}

size_t clup_report_count(const clup_report *report)
{
    return report != NULL ? report->count : 0;
}

const clup_candidate *clup_report_candidate(const clup_report *report, size_t candidate)
{
    return candidate < clup_report_count(report) ? &report->candidates[candidate] : NULL;
}

const clup_tile_rule *clup_report_tile_rule(const clup_report *report)
{
    return report != NULL ? &report->rule : NULL;
}

void clup_report_measured(const clup_report *report, double *plan_ps, double *best_ps)
{
    if (plan_ps != NULL)
        *plan_ps = report != NULL ? report->plan_measured : NAN;
    if (best_ps != NULL)
        *best_ps = report != NULL ? report->best_measured : NAN;
}
