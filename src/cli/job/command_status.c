/* SPDX-License-Identifier: BSD-3-Clause */
/* clup status: how far the job in a folder has come. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/job/job.h"
#include "cli/message.h"

static struct {
    const char *folder, *results;
    int json;
} request;

CLI_SET(set_folder, folder, value)
CLI_SET(set_results, results, value)
CLI_SET(set_json, json, 1)

static const cli_option options[] = {
    {"results", 0, "NAME,NAME,..",
     "these observables of the systems that are done, a line for each", set_results},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {0},
};

/* The state of a launch, or NOT_ASKED: it has not ended, and the job file that was last run does
 * not ask for it. */
enum { NOT_ASKED = JOB_DONE + 1, STATES };
typedef struct row {
    int state;
    double seconds, tau; /* NAN where not known */
    int is_short;        /* some observable has too few independent values */
} row;

static const char *const states[STATES] = {"left", "started", "running", "done", "not_asked"};

/* Finds the largest tau_int of a system's observables, and whether any has too few independent
 * values. Samples of percolation are independent. */
static void look(const json_t *system, double measured, row *row)
{
    const char *name;
    json_t *estimate;
    if (json_object_get(system, "p") != NULL)
        return;
    json_object_foreach(json_object_get(system, "observables"), name, estimate)
    {
        const json_t *tau = json_object_get(estimate, "tau_int"),
                     *independent = json_object_get(estimate, "independent"),
                     *error = json_object_get(estimate, "error");
        if (json_is_number(tau))
            row->tau = fmax(row->tau, json_number_value(tau));
        if (json_number_value(error) > 0 && json_is_number(independent))
            row->is_short |= json_number_value(independent) < CLUP_INDEPENDENT_LEAST;
    }
    row->is_short |= measured < 2 * CLUP_INDEPENDENT_LEAST;
}

static int is_percolation(const json_t *launch)
{
    return job_launch_command(launch)->begins == &cli_percolate;
}

static row row_of(const char *folder, size_t k, const json_t *launch)
{
    json_t *result = NULL;
    row row = {(int)job_state_of(folder, k, &result), NAN, NAN, 0};
    const json_t *system;
    const double measured = json_number_value(json_object_get(result, "measured"));
    if (!job_asked(launch) && (row.state == JOB_LEFT || row.state == JOB_STARTED))
        row.state = NOT_ASKED;
    if (result == NULL)
        return row;
    const double steps = job_value(launch, "anneal") != NULL
                             ? (double)json_array_size(json_object_get(launch, "betas"))
                             : 1;
    row.seconds = is_percolation(launch)
                      ? 0
                      : steps * json_number_value(json_object_get(result, "sweeps")) /
                            json_number_value(
                                json_object_get(json_object_get(result, "timing"), "sweeps_per_s"));
    for (size_t r = 0; (system = job_row(result, r)) != NULL; r++) {
        row.seconds += json_number_value(json_object_get(system, "wall_s"));
        look(system, measured, &row);
    }
    json_decref(result);
    return row;
}

/* An amount of work, and the seconds that it took. */
typedef struct speed {
    int64_t sites;
    double work, seconds;
} speed;

static int compare(const void *left, const void *right)
{
    const speed *a = left, *b = right;
    return (a->sites > b->sites) - (a->sites < b->sites);
}

/* Computes the speeds of the launches that are done, one for each number of sites, in order.
 * Returns how many there are. */
static size_t speeds_of(const json_t *launches, const row *rows, speed *speeds)
{
    size_t count = 0, kept = 0;
    for (size_t k = 0; k < json_array_size(launches); k++) {
        const json_t *launch = json_array_get(launches, k);
        if (isfinite(rows[k].seconds))
            speeds[count++] = (speed){json_integer_value(json_object_get(launch, "sites")),
                                      job_work(launch), rows[k].seconds};
    }
    qsort(speeds, count, sizeof *speeds, compare);
    for (size_t k = 0; k < count; k++)
        if (kept > 0 && speeds[kept - 1].sites == speeds[k].sites) {
            speeds[kept - 1].work += speeds[k].work;
            speeds[kept - 1].seconds += speeds[k].seconds;
        } else
            speeds[kept++] = speeds[k];
    return kept;
}

/* Estimates the seconds that one process needs for the launches that are left, by the speed of
 * finished launches, of the same number of sites where there are some. */
static double seconds_left(const json_t *launches, const row *rows)
{
    double left = 0, all_work = 0, all_seconds = 0;
    const size_t count = json_array_size(launches);
    speed *speeds = calloc(count + 1, sizeof *speeds);
    if (speeds == NULL)
        exit(cli_fail_memory("the launches"));
    const size_t kinds = speeds_of(launches, rows, speeds);
    for (size_t k = 0; k < kinds; k++) {
        all_work += speeds[k].work;
        all_seconds += speeds[k].seconds;
    }
    for (size_t k = 0; k < count; k++) {
        const json_t *launch = json_array_get(launches, k);
        const speed key = {json_integer_value(json_object_get(launch, "sites")), 0, 0},
                    *own = bsearch(&key, speeds, kinds, sizeof key, compare);
        if (rows[k].state != JOB_DONE && rows[k].state != NOT_ASKED)
            left += job_work(launch) *
                    (own != NULL ? own->seconds / own->work : all_seconds / all_work);
    }
    free(speeds);
    return left;
}

/* The work of launches in each state, as parts of the work that is asked for. */
typedef struct shares {
    double done, begun;
} shares;

static shares shares_of(const json_t *launches, const row *rows)
{
    double work[STATES] = {0}, all = 0;
    for (size_t k = 0; k < json_array_size(launches); k++) {
        const double own = job_work(json_array_get(launches, k));
        work[rows[k].state] += own;
        all += rows[k].state != NOT_ASKED ? own : 0;
    }
    return all > 0 ? (shares){work[JOB_DONE] / all, (work[JOB_STARTED] + work[JOB_RUNNING]) / all}
                   : (shares){0, 0};
}

/* Draws how much of the work, sites times sweeps, is done, and in launches that have begun. A mark
 * stands for what is complete, so that all are there at the end alone. */
static void print_bar(shares shares)
{
    enum { MARKS = 50 };
    const int done = (int)floor(MARKS * shares.done + 1e-9),
              begun = shares.begun > 0 ? (int)ceil(MARKS * (shares.done + shares.begun) - 1e-9)
                                       : done;
    putchar('[');
    for (int k = 0; k < MARKS; k++)
        putchar(k < done ? '#' : k < begun ? '+' : '.');
    printf("] %.3g %% of the work done", floor(1000 * shares.done + 1e-6) / 10);
    if (shares.begun > 0)
        printf(", %.3g %% in launches that have begun (+)", 100 * shares.begun);
    putchar('\n');
}

static void print_table(const json_t *launches, const row *rows, const unsigned counts[STATES],
                        double left)
{
    int percolates = 0;
    for (size_t k = 0; k < json_array_size(launches); k++)
        percolates |= is_percolation(json_array_get(launches, k));
    printf("%6s  %-9s%10s%10s%24s%10s%10s\n", "launch", "state", "systems", "size",
           percolates ? "beta or p" : "beta", "wall s", "tau_int");
    for (size_t k = 0; k < json_array_size(launches); k++) {
        const json_t *launch = json_array_get(launches, k);
        char range[64];
        const char *size = job_value(launch, "graph") != NULL ? "graph" : job_value(launch, "size");
        job_range_text(launch, "%.6g", range, sizeof range);
        printf("%6zu  %-9s%10u%10s%24s", k + 1,
               rows[k].state == NOT_ASKED ? "not asked" : states[rows[k].state],
               job_systems(launch), size != NULL ? size : "-", range);
        if (rows[k].state == JOB_DONE && isfinite(rows[k].seconds))
            printf("%10.2f", rows[k].seconds);
        else if (rows[k].state == JOB_DONE)
            printf("%10s", "-");
        if (rows[k].state == JOB_DONE && isfinite(rows[k].tau))
            printf("%10.1f%s", rows[k].tau,
                   rows[k].is_short ? "  shorter than 50 tau_int: errors may be too small" : "");
        else if (rows[k].state == JOB_DONE)
            printf("%10s", "-");
        printf("\n");
    }
    print_bar(shares_of(launches, rows));
    printf("%u of %u systems done, %u running, %u started, %u left", counts[JOB_DONE],
           counts[0] + counts[1] + counts[2] + counts[3], counts[JOB_RUNNING], counts[JOB_STARTED],
           counts[JOB_LEFT]);
    if (counts[NOT_ASKED] > 0)
        printf(", %u not asked for any more", counts[NOT_ASKED]);
    if (isfinite(left) && left > 0)
        printf("; some %.3g s of one process", left);
    printf("\n");
}

static void print_json(const json_t *launches, const row *rows, const unsigned counts[STATES],
                       double left)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/status/1");
    for (unsigned k = 0; k < STATES; k++)
        json_whole(&json, states[k], counts[k]);
    json_number(&json, "seconds_left", left);
    json_number(&json, "work_done", shares_of(launches, rows).done);
    json_number(&json, "work_begun", shares_of(launches, rows).begun);
    json_open(&json, "launches", '[');
    for (size_t k = 0; k < json_array_size(launches); k++) {
        json_open(&json, NULL, '{');
        json_text(&json, "state", states[rows[k].state]);
        json_whole(&json, "systems", job_systems(json_array_get(launches, k)));
        json_number(&json, "wall_s", rows[k].seconds);
        json_number(&json, "tau_int", rows[k].tau);
        json_flag(&json, "short", rows[k].is_short);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_end(&json);
}

static int run(void)
{
    unsigned counts[STATES] = {0};
    int code;
    if (request.json && request.results != NULL)
        return cli_usage_error("--results goes without --json: the results are in %s/table.csv",
                               request.folder);
    json_t *launches = job_manifest(request.folder, &code);
    if (launches == NULL)
        return code;
    const size_t count = json_array_size(launches);
    if (count == 0) {
        json_decref(launches);
        cli_message(0, "'%s' is no folder of clup run: it has no job.json", request.folder);
        return CLUP_ERROR_RUNTIME;
    }
    if (request.results != NULL &&
        (code = job_check_results(request.folder, launches, request.results)) != 0) {
        json_decref(launches);
        return code;
    }
    row *rows = calloc(count, sizeof *rows);
    if (rows == NULL)
        return cli_fail_memory("the launches");
    for (size_t k = 0; k < count; k++) {
        rows[k] = row_of(request.folder, k, json_array_get(launches, k));
        counts[rows[k].state] += job_systems(json_array_get(launches, k));
    }
    const double left = seconds_left(launches, rows);
    if (request.json)
        print_json(launches, rows, counts, left);
    else
        print_table(launches, rows, counts, left);
    if (counts[JOB_DONE] > 0)
        code = job_write_table(request.folder, launches);
    /* the table has refused texts that no result has */
    if (request.results != NULL && code == 0) {
        job_print_results(request.folder, launches, request.results);
        code = job_print_samples(request.folder, launches, request.results);
    }
    free(rows);
    json_decref(launches);
    return code;
}

static const cli_operand operand = {{"DIR", 0, "DIR", "a folder of clup run", set_folder}, 1, 1};

const cli_command cli_status = {
    "status", "says how far a job is", options, NULL, run, NULL, &operand, NULL,
};
