/* SPDX-License-Identifier: BSD-3-Clause */
/* clup bench: measures the time of every kernel of every stage, against size and tile. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure/suite.h"
#include "bench/units.h"
#include "cli/bench/bench.h"
#include "cli/json.h"

static bench_request request = {
    .system = SIMULATE_WISH, .tiles = {4, 8, 16, 32, 64}, .tile_count = 5, .seconds = 0.5};

/* Reads numbers from "A,B,C". */
static clup_status set_list(const char *value, uint64_t most, uint64_t *list, size_t *count)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", value);
    *count = 0;
    for (char *item = copy, *comma; item != NULL; item = comma) {
        if ((comma = strchr(item, ',')) != NULL)
            *comma++ = '\0';
        if (strlen(value) >= sizeof copy || *count == BENCH_LIST_MAX ||
            cli_parse_whole(item, 1, most, &list[(*count)++]) != CLUP_OK)
            return cli_refuse("is no list of up to %d whole numbers from 1 to %" PRIu64
                              " with commas between them",
                              BENCH_LIST_MAX, most);
    }
    return CLUP_OK;
}

static clup_status set_sizes(void *target, const char *value)
{
    (void)target;
    return set_list(value, 1000000, request.sizes, &request.size_count);
}

static clup_status set_tiles(void *target, const char *value)
{
    (void)target;
    return set_list(value, 4096, request.tiles, &request.tile_count);
}

static const char *stage_name(size_t stage)
{
    return stage < CLUP_MEASURE ? clup_stage_name((clup_stage)stage) : NULL;
}

static clup_status set_stage(void *target, const char *value)
{
    (void)target;
    size_t row;
    request.stage = value;
    return cli_parse_name(value, stage_name, &row);
}

static clup_status set_seconds(void *target, const char *value)
{
    (void)target;
    return cli_parse_double(value, &request.seconds) == CLUP_OK && request.seconds >= 0
               ? CLUP_OK
               : cli_refuse("is not a number of seconds, from 0 up");
}

static clup_status set_sweeps(void *target, const char *value)
{
    (void)target;
    (void)value;
    request.sweeps = 1;
    return CLUP_OK;
}

static clup_status set_thermalize(void *target, const char *value)
{
    return cli_parse_u64(value, UINT64_MAX, &((simulate_request *)target)->thermalize);
}

static clup_status set_suite(void *target, const char *value)
{
    (void)target;
    request.suite = value;
    for (size_t row = 0; bench_suite_row(row) != NULL; row++)
        if (strcmp(bench_suite_row(row)->name, value) == 0)
            return CLUP_OK;
    return cli_refuse("is no suite; see clup bench --help");
}

CLI_SET(set_quick, quick, 1)
CLI_SET(set_out, out, value)
CLI_SET(set_baseline, baseline, value)
CLI_SET(set_report, report, value)

static clup_status set_json(void *target, const char *value)
{
    (void)value;
    ((simulate_request *)target)->json = 1;
    return CLUP_OK;
}

static const cli_option options[] = {
    {"sizes", 0, "L,L,...", "lattices of L sites along each axis (512,2048; of three axes 64,256)",
     set_sizes},
    {"tiles", 0, "B,B,...", "tiles (4,8,16,32,64)", set_tiles},
    {"stage", 0, "source|local|consolidate|action", "one stage (all)", set_stage},
    {"seconds", 0, "X", "time for each kernel (0.5)", set_seconds},
    {"sweeps", 0, NULL, "time whole sweeps of the plan instead of kernels", set_sweeps},
    {"thermalize", 0, "N", "with --sweeps: sweeps before those that are timed (100)",
     set_thermalize},
    REPLICA_OPTIONS,
    FIELD_OPTION("lattice"),
    FIELD_OPTION("q"),
    TEMPERATURE_OPTIONS,
    METHOD_OPTIONS,
    KERNEL_OPTIONS,
    {"json", 0, NULL, "print one JSON object a line instead of a table", set_json},
    {"quick", 0, NULL, "of a suite: fewer points, smaller and shorter ones", set_quick},
    {"out", 0, "DIR", "of a suite: the folder of its result, pictures and report", set_out},
    {"baseline", 0, "F.json",
     "of a suite: an earlier result; exit code 6 when something became slower", set_baseline},
    {"report", 0, "F.json", "no suite: the report of a result, anew, into --out DIR", set_report},
    {"quiet", 'q', NULL, "no progress bar", simulate_set_quiet},
    {0},
};

/* Must be called before each row that is printed. */
static void count_row(void)
{
    cli_clear();
    cli_task("bench", "rows", ++request.rows, 0);
}

static void print_sample(const clup_sample *sample, unsigned size)
{
    char tile[16] = "", ps[BENCH_UNITS], wall[BENCH_UNITS];
    count_row();
    if (sample->tile > 0)
        snprintf(tile, sizeof tile, "%u", sample->tile);
    printf("%7u  %-12s%-20s%-6s%4s%12s%12s", size, clup_stage_name(sample->stage), sample->kernel,
           sample->bonds, tile, bench_digits(sample->ps, ps), bench_digits(sample->wall_ps, wall));
    if (isnan(sample->spread))
        printf("%10s", "");
    else
        printf("%9.1f%%", 100 * sample->spread);
    printf("%5u", sample->repetitions);
    if (!isnan(sample->iterations))
        printf("%12.4g", sample->iterations);
    putchar('\n');
    cli_flush();
}

static void write_sample(const clup_sample *sample, unsigned size)
{
    json json = {stdout, 1};
    count_row();
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/bench/1");
    json_text(&json, "version", clup_version());
    cli_write_device(&json, request.device);
    json_whole(&json, "size", size);
    json_text(&json, "stage", clup_stage_name(sample->stage));
    json_text(&json, "kernel", sample->kernel);
    json_text(&json, "bonds", sample->bonds);
    json_whole(&json, "tile", sample->tile);
    json_number(&json, "ps", sample->ps);
    json_number(&json, "wall_ps", sample->wall_ps);
    json_number(&json, "spread", sample->spread);
    json_whole(&json, "repetitions", sample->repetitions);
    json_number(&json, "iterations", sample->iterations);
    json_close(&json, '}');
    json_end(&json);
    cli_flush();
}

/* Times all kernels on one lattice in one layout, from the planner's candidates. Counts the kernels
 * that were timed. */
static clup_status bench(clup_context *context, const clup_problem *problem, const char *bonds,
                         unsigned *timed)
{
    clup_trial *trial = NULL;
    clup_status status = clup_trial_create(context, problem, &request.system.method, bonds,
                                           request.seconds, &trial);
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && status == CLUP_OK; stage++)
        for (size_t k = 0; clup_kernel_name(stage, k) != NULL && status == CLUP_OK; k++)
            for (size_t t = 0; t < (clup_kernel_has_tiles(stage, k) ? request.tile_count : 1) &&
                               status == CLUP_OK;
                 t++) {
                clup_sample sample;
                if (!bench_times(&request, stage, clup_kernel_name(stage, k)))
                    continue;
                status = clup_trial_time(
                    trial, stage, clup_kernel_name(stage, k),
                    clup_kernel_has_tiles(stage, k) ? (unsigned)request.tiles[t] : 0, &sample);
                if (status == CLUP_OK) {
                    (request.system.json ? write_sample : print_sample)(&sample, problem->size[0]);
                    ++*timed;
                } else if (status == CLUP_ERROR_USAGE || status == CLUP_ERROR_MEMORY)
                    status = CLUP_OK; /* the kernel does not fit the tile, layout, method or device
                                       */
            }
    clup_trial_free(trial);
    return status;
}

/* Times the kernels in all layouts that were asked for. Fails when nothing can be timed in any. */
static clup_status bench_layouts(clup_context *context, uint32_t size)
{
    const clup_problem problem = bench_problem(&request, size);
    clup_status status = CLUP_OK;
    unsigned done = 0, timed = 0;
    for (size_t b = 0;
         clup_layout_name(b) != NULL && (status == CLUP_OK || status == CLUP_ERROR_USAGE); b++) {
        if (request.system.plan.bonds != NULL &&
            strcmp(request.system.plan.bonds, clup_layout_name(b)) != 0)
            continue;
        status = bench(context, &problem, clup_layout_name(b), &timed);
        done += status == CLUP_OK;
    }
    if (done > 0 && timed == 0 && (status == CLUP_OK || status == CLUP_ERROR_USAGE))
        return CLUP_ERROR_USAGE; /* the detail is that of the last kernel that did not fit */
    return done > 0 && status == CLUP_ERROR_USAGE ? CLUP_OK : status;
}

#define REPETITIONS 31

static void print_sweep(const clup_problem *problem, const clup_plan *plan,
                        const clup_sweep_sample *sample)
{
    const double ps = 1e12 / sample->updates;
    count_row();
    printf("%7" PRIu32 "%9" PRIu32 "  %-8s%-16s%10.2f%7.1f%%%10.2f%11.2f%7.1f%%%10.2f%8.1f%%%10.2f"
           "%9.2f\n",
           problem->size[0], problem->replicas > 0 ? problem->replicas : 1, plan->bonds,
           plan->local != NULL ? plan->local : plan->action, ps * sample->plain.device_s,
           100 * sample->plain.spread, ps * sample->plain.wall_s, 1e6 * sample->plain.wall_s,
           100 * (sample->measured.wall_s / sample->plain.wall_s - 1), ps * sample->measured.wall_s,
           100 * (sample->counted.wall_s / sample->plain.wall_s - 1), ps * sample->counted.wall_s,
           sample->bytes_per_site);
    cli_flush();
}

static void write_sweep(const clup_problem *problem, const clup_plan *plan,
                        const clup_sweep_sample *sample)
{
    const double ps = 1e12 / sample->updates;
    json json = {stdout, 1};
    count_row();
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/bench-sweeps/1");
    json_text(&json, "version", clup_version());
    cli_write_device(&json, request.device);
    json_whole(&json, "size", problem->size[0]);
    json_whole(&json, "replicas", problem->replicas > 0 ? problem->replicas : 1);
    json_number(&json, "beta", problem->beta);
    json_text(&json, "bonds", plan->bonds);
    json_text(&json, "local", plan->local);
    json_text(&json, "consolidate", plan->consolidate);
    json_text(&json, "action", plan->action);
    json_number(&json, "ps", ps * sample->plain.device_s);
    json_number(&json, "spread", sample->plain.spread);
    json_number(&json, "wall_ps", ps * sample->plain.wall_s);
    json_number(&json, "measured_ps", ps * sample->measured.device_s);
    json_number(&json, "measured_wall_ps", ps * sample->measured.wall_s);
    json_number(&json, "counted_ps", ps * sample->counted.device_s);
    json_number(&json, "counted_wall_ps", ps * sample->counted.wall_s);
    json_number(&json, "bytes_per_site", sample->bytes_per_site);
    json_whole(&json, "repetitions", sample->repetitions);
    json_close(&json, '}');
    json_end(&json);
    cli_flush();
}

/* Times whole sweeps of the plan, for one size. */
static clup_status bench_sweeps(clup_context *context, uint32_t size)
{
    const clup_problem problem = bench_problem(&request, size);
    clup_plan plan;
    clup_sweep_sample sample;
    clup_status status = clup_plan_choose(context, &problem, &request.system.method,
                                          &request.system.plan, &plan);
    if (status == CLUP_OK)
        status = clup_sweep_time(context, &problem, &request.system.method, &plan,
                                 request.system.thermalize, REPETITIONS, &sample);
    if (status == CLUP_OK)
        (request.system.json ? write_sweep : print_sweep)(&problem, &plan, &sample);
    return status;
}

static void print_head(void)
{
    printf("# %s (%s, %s), q = %u, beta = %.9g\n", request.device->name, request.device->platform,
           request.device->driver, request.system.problem.q, request.system.problem.beta);
    if (request.sweeps)
        printf("%7s%9s  %-8s%-16s%10s%8s%10s%11s%8s%10s%9s%10s%9s\n", "size", "replicas", "bonds",
               "local", "ps/site", "spread", "wall", "us/sweep", "measure", "wall", "clusters",
               "wall", "B/site");
    else
        printf("%7s  %-12s%-20s%-6s%4s%12s%12s%10s%5s%12s\n", "size", "stage", "kernel", "bonds",
               "tile", "ps/site", "wall", "spread", "n", "iterations");
}

/* Reports an interruption, after the rows that were printed. */
static int stopped(void)
{
    json json = {stdout, 1};
    if (request.system.json) {
        json_open(&json, NULL, '{');
        json_text(&json, "schema", request.sweeps ? "clup/bench-sweeps/1" : "clup/bench/1");
        json_flag(&json, "interrupted", 1);
        json_whole(&json, "rows", request.rows);
        json_close(&json, '}');
        json_end(&json);
    } else {
        printf("# interrupted: %" PRIu64 " rows\n", request.rows);
    }
    return cli_stopped("%" PRIu64 " rows", request.rows);
}

static int run(void)
{
    clup_context *context = NULL;
    int code = bench_check_suite(&request, options);
    if (code == 0 && (request.suite != NULL || request.report != NULL))
        return bench_suite_main(&request);
    if (code == 0)
        code = request.system.problem.lattice == CLUP_LATTICE_GRAPH
                   ? cli_usage_error("--lattice: graphs and lattices of a cell are not timed here; "
                                     "clup simulate says how long their sweeps take")
                   : simulate_settle(&request.system);
    if (code != 0 || (code = bench_check_options(&request)) != 0)
        return code;
    if (request.size_count == 0) {
        const int space = clup_lattice_axes(request.system.problem.lattice) > 2;
        request.sizes[request.size_count++] = space ? 64 : 512;
        request.sizes[request.size_count++] = space ? 256 : 2048;
    }
    cli_watch(request.system.quiet);
    cli_task("bench", "rows", 0, 0);
    clup_status status = cli_context_create(request.system.device, &context);
    if (status == CLUP_OK) {
        request.device = clup_context_device(context);
        code = bench_check_plans(&request, context);
    }
    if (status == CLUP_OK && code == 0 && !request.system.json)
        print_head();
    for (size_t s = 0; s < request.size_count && status == CLUP_OK && code == 0; s++)
        status = (request.sweeps ? bench_sweeps : bench_layouts)(context,
                                                                 (uint32_t)request.sizes[s]);
    clup_context_free(context);
    cli_clear();
    return status == CLUP_OK ? code : status == CLUP_INTERRUPTED ? stopped() : cli_fail(status);
}

static void more_help(FILE *to)
{
    fputs("\nsuites, the paper's measurements:\n", to);
    for (size_t row = 0; bench_suite_row(row) != NULL; row++)
        fprintf(to, "  %-16s%s\n", bench_suite_row(row)->name, bench_suite_row(row)->about);
    simulate_more_help(to);
}

static const cli_operand operand = {
    {"SUITE", 0,
     "bandwidth|tiles|relax|sew|optimal|breakdown|size|beta|speedup|lattices|wolff|label|table|"
     "paper",
     "a suite of measurements, see below; without it single kernels", set_suite},
    0,
    1};

const cli_command cli_bench = {
    "bench",  "times every kernel against size and tile, or runs the paper's measurements",
    options,  &request.system,
    run,      more_help,
    &operand, NULL,
};
