/* SPDX-License-Identifier: BSD-3-Clause */
/* clup percolate: bond and site percolation. */
#include "cli/percolate/percolate.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/message.h"
#include "cli/paths.h"

static percolate_request request = PERCOLATE_WISH;

/* Draws samples a bond or a site at a time. */
static clup_status draw_curves(clup_context *context, percolate_result *result)
{
    clup_percolation_curves *curves = NULL;
    clup_status status = clup_percolation_curves_create(context, &request.system.problem,
                                                        request.system.seed, &curves);
    if (status != CLUP_OK)
        return status;
    status = clup_percolation_curves_run(curves, request.samples, request.ps, request.p_count, NULL,
                                         NULL, result->points);
    if (status == CLUP_OK || status == CLUP_INTERRUPTED) {
        result->interrupted = status == CLUP_INTERRUPTED;
        result->late = result->interrupted && !cli_interrupted();
        result->count = request.p_count;
        result->wall_s = result->points[0].wall_s;
        status = CLUP_OK;
        if (request.steps != NULL && result->points[0].samples > 0)
            status = clup_percolation_curves_write(curves, request.steps);
    }
    clup_percolation_curves_free(curves);
    return status;
}

/* Draws samples at each p, after those that there are. */
static clup_status draw_points(clup_percolation *percolation, percolate_result *result)
{
    clup_status status = CLUP_OK;
    percolate_save_begin(result);
    for (uint32_t k = 0; k < request.p_count && status == CLUP_OK; k++) {
        char what[32];
        snprintf(what, sizeof what, "p = %.6g", request.ps[k]);
        cli_task(what, NULL, 0, 0);
        result->at = k;
        status = clup_percolation_scan_run(result->scan, percolation, k, request.samples,
                                           percolate_save_progress, NULL);
    }
    cli_task(NULL, NULL, 0, 0);
    result->interrupted = status == CLUP_INTERRUPTED;
    result->late = result->interrupted && !cli_interrupted();
    if (status != CLUP_OK && status != CLUP_INTERRUPTED)
        return status;
    for (uint32_t k = 0; k < request.p_count; k++) {
        clup_percolation_point *point = &result->points[k];
        clup_percolation_scan_point(result->scan, k, point);
        if (k > result->at && point->samples == 0)
            break;
        result->count = k + 1;
        result->wall_s += point->wall_s;
    }
    return CLUP_OK;
}

static clup_status percolate(clup_context **context, clup_percolation **percolation,
                             percolate_result *result)
{
    simulate_request *system = &request.system;
    clup_problem *problem = &system->problem;
    clup_status status;
    status = request.curves ? clup_problem_check(problem)
                            : simulate_check_plan(system, NULL, &result->plan);
    if (status != CLUP_OK)
        return status;
    if (system->reference)
        result->device = simulate_host();
    else {
        if ((status = cli_context_create(system->device, context)) != CLUP_OK)
            return status;
        result->device = *clup_context_device(*context);
    }
    if (request.curves)
        return draw_curves(*context, result);
    if (!system->reference) {
        problem->replicas = clup_percolation_batch(*context, problem, request.samples);
        if ((status = simulate_choose_plan(*context, system, NULL, &result->plan)) != CLUP_OK)
            return status;
    }
    if ((status = clup_percolation_create(*context, problem, &result->plan, system->seed,
                                          percolation)) != CLUP_OK)
        return status;
    simulate_take_plan(clup_percolation_plan(*percolation), &result->plan);
    if (result->scan == NULL &&
        (status = clup_percolation_scan_create(problem, system->seed, request.ps, request.p_count,
                                               system->series != NULL, &result->scan)) != CLUP_OK)
        return status;
    return draw_points(*percolation, result);
}

/* Says how far an interrupted run came. Returns the exit code. */
static int say_end(const percolate_result *result, uint64_t samples)
{
    char text[256];
    if (request.curves)
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64 " samples drawn", samples,
                 request.samples);
    else
        snprintf(text, sizeof text,
                 "%" PRIu64 " of %" PRIu64 " samples drawn at p number %" PRIu32 " of %" PRIu32
                 "%s",
                 samples, request.samples, result->at + 1, request.p_count,
                 request.system.checkpoint != NULL ? "; --resume goes on from the checkpoint" : "");
    if (!result->late)
        return cli_stopped("%s", text);
    cli_message(0, "the time is over: %s", text);
    return 0;
}

static int run(void)
{
    clup_context *context = NULL;
    clup_percolation *percolation = NULL;
    percolate_result result = {.request = &request};
    int code = request.resume != NULL ? percolate_resume(&request, &result)
                                      : percolate_settle(&request);
    if (code == 0)
        code = simulate_save_check(&request.system);
    clup_status status = CLUP_OK;
    if (code == 0 && (status = simulate_check_writable(&request.system)) != CLUP_OK)
        code = cli_fail(status);
    if (code == 0) {
        cli_watch(request.system.quiet);
        cli_watch_for(simulate_time_left(&request.system));
        if ((result.points = calloc(request.p_count, sizeof *result.points)) == NULL)
            code = cli_fail_memory("the results");
    }
    if (code == 0) {
        status = percolate(&context, &percolation, &result);
        code = status == CLUP_OK ? percolate_save_state() : 0;
        cli_clear();
        if (status == CLUP_OK && !cli_is_stdout(request.steps))
            (request.system.json ? percolate_write_json : percolate_print_table)(&result);
        /* after the report; a file that cannot be written costs nothing else, and no other file */
        if (status == CLUP_OK) {
            const int series = percolate_save_series();
            code = code != 0 ? code : series;
        }
        if (status == CLUP_INTERRUPTED && cli_late() && !cli_interrupted()) {
            cli_message(0, "the time is over: %s; nothing was drawn", clup_error_detail());
            result.interrupted = result.late = 1;
            if (request.system.json)
                percolate_write_json(&result);
        } else if (status == CLUP_INTERRUPTED)
            code = cli_stopped("%s; nothing was drawn", clup_error_detail());
        else if (status != CLUP_OK)
            code = cli_fail(status);
        else if (result.interrupted) {
            const int end = say_end(&result, result.points[result.at].samples);
            code = code != 0 ? code : end;
        }
    }
    free(result.points);
    free(request.ps);
    clup_percolation_scan_free(result.scan);
    clup_percolation_free(percolation);
    clup_context_free(context);
    return code;
}

static void more_help(FILE *to)
{
    cli_print_kernels(to, CLUP_BOND_PERCOLATION);
    fputs("  of --kind site the source is site; on lattices of a cell graph_bond or graph_site, "
          "graph,\n"
          "  graph_inner and graph_sizes, without tiles\n\nobservables\n",
          to);
    for (clup_percolation_observable k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++)
        fprintf(to, "  %-13s%-20s%s\n", "", clup_percolation_observable_name(k),
                clup_percolation_observable_about(k));
}

const cli_command cli_percolate = {
    "percolate",
    "draws samples of bond or site percolation",
    percolate_options,
    &request,
    run,
    more_help,
    NULL,
    NULL,
};
