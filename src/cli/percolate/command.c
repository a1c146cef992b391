/* SPDX-License-Identifier: BSD-3-Clause */
/* clup percolate: bond and site percolation. */
#include "cli/percolate/percolate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/paths.h"

static percolate_request request = {.system = SIMULATE_WISH, .samples = 1000};

static clup_status set_kind(void *target, const char *value)
{
    percolate_request *request = target;
    request->system.problem.model = strcmp(value, "site") == 0 ? CLUP_SITE_PERCOLATION
                                                               : CLUP_BOND_PERCOLATION;
    return strcmp(value, "site") == 0 || strcmp(value, "bond") == 0
               ? CLUP_OK
               : cli_refuse("is not bond, nor site");
}

static clup_status set_one(percolate_request *request, int kind, const char *value)
{
    double number;
    request->p_kind = request->p_kind == P_DEFAULT ? kind : P_TWICE;
    const int fits = cli_parse_double(value, &number) == CLUP_OK && number >= 0 &&
                     (kind == P ? number <= 1 : isfinite(number));
    return fits ? cli_parse_numbers(value, &request->ps, &request->p_count)
                : cli_refuse(kind == P ? "is not a number from 0 to 1"
                                       : "is not a number from 0 up");
}

static clup_status set_p(void *target, const char *value)
{
    return set_one(target, P, value);
}

static clup_status set_p_ratio(void *target, const char *value)
{
    return set_one(target, P_RATIO, value);
}

static clup_status set_ps(void *target, const char *value)
{
    percolate_request *request = target;
    request->p_kind = request->p_kind == P_DEFAULT ? P_LIST : P_TWICE;
    return cli_parse_numbers(value, &request->ps, &request->p_count);
}

static clup_status set_algorithm(void *target, const char *value)
{
    percolate_request *request = target;
    request->curves = strcmp(value, "newman-ziff") == 0;
    return request->curves || strcmp(value, "direct") == 0
               ? CLUP_OK
               : cli_refuse("is not direct, nor newman-ziff");
}

CLI_SET(set_steps, steps, value)
CLI_SET(set_resume, resume, value)

static clup_status set_samples(void *target, const char *value)
{
    percolate_request *request = target;
    return cli_parse_whole(value, 1, UINT64_MAX, &request->samples);
}

static const cli_option options[] = {
    FIELD_OPTIONS("bond percolation", CLUP_FIELD_LAW | CLUP_FIELD_SIZE),
    {"kind", 0, "bond|site", "what is active or occupied with probability p (bond)", set_kind},
    {"p", 0, "X", "the probability, 0 to 1", set_p},
    {"p-ratio", 0, "X", "--p in units of the critical one (1)", set_p_ratio},
    {"ps", 0, "FROM:TO:N|X,X,..", "several probabilities", set_ps},
    {"samples", 0, "N", "independent samples of each, at least 1 (1000)", set_samples},
    {"algorithm", 0, "direct|newman-ziff",
     "draw samples at each p, or a bond or site at a time for all p (direct)", set_algorithm},
    {"steps", 0, "F.csv|-", "write the means after each step of newman-ziff", set_steps},
    SEED_OPTION,
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", simulate_set_device},
    {"tile", 0, "B", "sites along the edge of a tile, 1 to 4096; it is 32 wide", simulate_set_tile},
    {"plan", 0, "tuned|estimate|measure|random", "how the tile is chosen (tuned)",
     simulate_set_strategy},
    {"series", 0, "F.h5|F.csv", "write the values of each sample, as HDF5 or a table",
     simulate_set_series},
    {"checkpoint", 0, "F.h5", "write what --resume goes on from", simulate_set_checkpoint},
    {"resume", 0, "F.h5", "go on from a checkpoint; new ones replace it, without --checkpoint",
     set_resume},
    {"save-every", 0, "T",
     "time from one writing of --series and --checkpoint to the next, such as 90, 5m (60)",
     simulate_set_save_every},
    {"time-limit", 0, "T", "end, as after a signal, when this time is over: 90, 30m, 3h, 1d",
     simulate_set_time_limit},
    {"reference", 0, NULL, "draw by the serial reference instead of a device",
     simulate_set_reference},
    {"json", 0, NULL, "print one JSON object instead of a table", simulate_set_json},
    {"quiet", 'q', NULL, "no progress bar", simulate_set_quiet},
    {0},
};

/* Makes a problem and probabilities of the options. Returns 0, or an exit code after a message. */
static int settle(void)
{
    clup_problem *problem = &request.system.problem;
    int code = simulate_settle_size(&request.system);
    if (code != 0)
        return code;
    if (problem->model == CLUP_POTTS)
        problem->model = CLUP_BOND_PERCOLATION;
    if (request.curves && cli_world_is.processes > 1)
        return cli_usage_error("newman-ziff draws in one process, not in %u",
                               cli_world_is.processes);
    if (request.steps != NULL && !request.curves)
        return cli_usage_error("--steps needs --algorithm newman-ziff");
    if (request.steps != NULL && cli_is_stdout(request.steps) && request.system.json)
        return cli_usage_error("--json and --steps - both need standard output");
    if (request.curves && (cli_given("tile") || cli_given("plan")))
        return cli_usage_error("newman-ziff has no --tile and no --plan");
    if (request.curves && (request.system.series != NULL || request.system.checkpoint != NULL))
        return cli_usage_error("newman-ziff has no --%s: its samples have no value at one p, and "
                               "its sums belong to steps",
                               request.system.series != NULL ? "series" : "checkpoint");
    if (request.steps != NULL && !cli_is_stdout(request.steps)) {
        if (!cli_has_extension(request.steps, ".csv"))
            return cli_usage_error("--steps '%s' is no .csv", request.steps);
        const clup_status writable = clup_file_writable(request.steps);
        if (writable != CLUP_OK)
            return cli_fail(writable);
    }
    if (request.p_kind == P_TWICE)
        return cli_usage_error("give one of --p, --p-ratio and --ps, once");
    if (request.p_kind == P_DEFAULT &&
        cli_parse_numbers("1", &request.ps, &request.p_count) != CLUP_OK)
        return cli_fail_memory("the probability");
    if ((request.p_kind == P_DEFAULT || request.p_kind == P_RATIO) &&
        isnan(clup_problem_critical_p(problem)))
        return cli_usage_error(
            "the critical probability of %s on the %s lattice is not known: give --p or --ps",
            clup_model_name(problem->model),
            problem->graph != NULL ? clup_graph_called(problem->graph)
                                   : clup_lattice_name(problem->lattice));
    if (request.p_kind == P_DEFAULT || request.p_kind == P_RATIO)
        request.ps[0] *= clup_problem_critical_p(problem);
    for (uint32_t k = 0; k < request.p_count; k++) {
        char p[32];
        if (!(request.ps[k] >= 0 && request.ps[k] <= 1))
            return cli_usage_error("p = %s is not between 0 and 1",
                                   clup_number_text(request.ps[k], p));
    }
    clup_status status = clup_problem_check(problem);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

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
    int code = request.resume != NULL ? percolate_resume(&request, &result) : settle();
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
        if (status == CLUP_INTERRUPTED && cli_late() && !cli_interrupted())
            cli_message(0, "the time is over: %s; nothing was drawn", clup_error_detail());
        else if (status == CLUP_INTERRUPTED)
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
    "percolate", "draws samples of bond or site percolation",
    options,     &request,
    run,         more_help,
    NULL,        NULL,
};
