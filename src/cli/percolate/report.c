/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports percolation, as a table for people or as JSON. */
#include <inttypes.h>
#include <math.h>

#include "bench/units.h"
#include "cli/notes.h"
#include "cli/percolate/percolate.h"
#include "cli/table.h"
#include "cli/value.h"

static double p_ratio(const percolate_result *result, double p)
{
    const clup_problem *problem = &result->request->system.problem;
    return p / clup_critical_p(problem->lattice, problem->model);
}

static uint64_t sites_of(const percolate_result *result)
{
    return clup_problem_sites(&result->request->system.problem);
}

/* Whether the table has an observable; otherwise the JSON alone has it. In bond percolation all
 * sites are occupied, so that the table omits their number. */
static int is_told(const percolate_result *result, clup_percolation_observable observable)
{
    return !isnan(result->points[0].estimates[observable].mean) &&
           (observable != CLUP_PERCOLATION_OCCUPIED ||
            result->request->system.problem.model == CLUP_SITE_PERCOLATION);
}

static void print_point(const percolate_result *result)
{
    const clup_percolation_point *point = &result->points[0];
    table_values_head(TABLE_NAME, "mean", "");
    for (clup_percolation_observable k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++)
        if (is_told(result, k))
            table_value(TABLE_NAME, clup_percolation_observable_name(k), point->estimates[k].mean,
                        point->estimates[k].error, "");
    puts("\n  sites of a cluster     clusters, per site of the lattice");
    for (unsigned k = 0; k < CLUP_SIZE_CLASSES && sites_of(result) >> k > 0; k++) {
        char sizes[48];
        snprintf(sizes, sizeof sizes, k > 0 ? "%" PRIu64 " to %" PRIu64 : "1", (uint64_t)1 << k,
                 ((uint64_t)2 << k) - 1);
        if (point->classes[k].mean > 0)
            table_value(TABLE_NAME, sizes, point->classes[k].mean, point->classes[k].error, "");
    }
}

/* Prints a line for each point; the JSON has the rest. */
static void print_points(const percolate_result *result)
{
    static const clup_percolation_observable columns[] = {
        CLUP_PERCOLATION_CLUSTERS, CLUP_PERCOLATION_LARGEST, CLUP_PERCOLATION_WRAP_EITHER,
        CLUP_PERCOLATION_WRAP_BOTH};
    printf("  %12s", "p");
    for (unsigned c = 0; c < sizeof columns / sizeof *columns; c++)
        printf("  %-*s", c + 1 < sizeof columns / sizeof *columns ? 17 : 0,
               clup_percolation_observable_name(columns[c]));
    putchar('\n');
    for (uint32_t k = 0; k < result->count && result->points[k].samples > 0; k++) {
        printf("  %12.9g", result->points[k].p);
        for (unsigned c = 0; c < sizeof columns / sizeof *columns; c++) {
            const clup_estimate *estimate = &result->points[k].estimates[columns[c]];
            char text[VALUE_TEXT];
            value_text(estimate->mean, estimate->error, text);
            printf("  %-*s", c + 1 < sizeof columns / sizeof *columns ? 17 : 0, text);
        }
        putchar('\n');
    }
}

/* The seconds of all points, and their samples. */
static double all_wall_s(const percolate_result *result, uint64_t *samples)
{
    double wall_s = 0;
    *samples = 0;
    for (uint32_t k = 0; k < result->count; k++) {
        wall_s += result->points[k].wall_s;
        *samples += result->points[k].samples;
    }
    return wall_s;
}

/* Collects the notes on the estimates of a point that can fluctuate; none can where no or all sites
 * or bonds are occupied or active. */
static void add_notes(const percolate_result *result, uint32_t point, notes *notes)
{
    const clup_percolation_point *at = &result->points[point];
    for (clup_percolation_observable k = 0;
         k < CLUP_PERCOLATION_OBSERVABLES && at->p > 0 && at->p < 1; k++)
        if (k != CLUP_PERCOLATION_OCCUPIED ||
            result->request->system.problem.model == CLUP_SITE_PERCOLATION)
            notes_add(notes, clup_percolation_observable_name(k), &at->estimates[k]);
}

static void print_notes(const percolate_result *result)
{
    notes notes = {0};
    for (uint32_t k = 0; k < result->count; k++)
        add_notes(result, k, &notes);
    notes_print(&notes);
}

/* Prints the lattice and the probabilities. */
static void print_problem(const percolate_result *result)
{
    const percolate_request *request = result->request;
    const double ratio = p_ratio(result, request->ps[0]);
    char lattice[SIMULATE_PROBLEM], of_critical[32] = "";
    simulate_lattice_text(&request->system.problem, lattice);
    if (ratio == 1)
        snprintf(of_critical, sizeof of_critical, " = p_c");
    else if (!isnan(ratio))
        snprintf(of_critical, sizeof of_critical, " = %.6g p_c", ratio);
    if (request->p_count == 1)
        table_line("problem", "%s; p = %.9g%s", lattice, request->ps[0], of_critical);
    else
        table_line("problem", "%s; %" PRIu32 " p from %.9g to %.9g", lattice, request->p_count,
                   request->ps[0], request->ps[request->p_count - 1]);
}

void percolate_print_table(const percolate_result *result)
{
    const percolate_request *request = result->request;
    const clup_problem *problem = &request->system.problem;
    uint64_t samples;
    char sample[BENCH_UNITS], site[BENCH_UNITS];
    const double wall_ps = 1e12 * all_wall_s(result, &samples);
    printf("clup %s, %s\n", clup_version(), clup_model_name(problem->model));
    print_problem(result);
    table_line("device", "%s (%s, %s)", result->device.name, result->device.platform,
               result->device.driver);
    if (cli_world_is.processes > 0)
        printf("  %-18s%u, with a device each%s%s\n", "processes", cli_world_is.processes,
               result->plan.between != NULL ? "; " : "",
               result->plan.between != NULL ? result->plan.between : "");
    simulate_print_plan(&result->plan);
    printf("  %-18s%" PRIu64 "%s\n", "samples",
           request->p_count == 1 && result->count == 1 ? result->points[0].samples
                                                       : request->samples,
           request->p_count == 1 ? "" : " for each p");
    simulate_print_seed(&request->system);
    if (result->interrupted)
        printf("  %-18s%" PRIu64 " of %" PRIu64 " samples at p number %" PRIu32 " of %" PRIu32 "\n",
               "interrupted:", result->points[result->count - 1].samples, request->samples,
               result->count, request->p_count);
    putchar('\n');
    if (request->p_count == 1 && samples > 0)
        print_point(result);
    else if (samples > 0)
        print_points(result);
    if (samples == 0)
        return;
    print_notes(result);
    bench_units(1e-12 * wall_ps / (double)samples, "s", sample);
    bench_units(1e-12 * wall_ps / (double)samples / (double)sites_of(result), "s", site);
    putchar('\n');
    table_line("time a sample", "%s by the wall clock; %s a site", sample, site);
}

static void write_estimate(json *json, const char *key, const clup_estimate *estimate)
{
    if (key != NULL)
        json_open(json, key, '{');
    json_number(json, "mean", estimate->mean);
    json_number(json, "error", estimate->error);
    json_number(json, "events", estimate->events);
    json_number(json, "low", estimate->low);
    json_number(json, "high", estimate->high);
    if (key != NULL)
        json_close(json, '}');
}

static void write_point(json *json, const percolate_result *result, uint32_t number)
{
    const clup_percolation_point *point = &result->points[number];
    notes notes = {0};
    json_number(json, "p", point->p);
    json_number(json, "p_ratio", p_ratio(result, point->p));
    json_whole(json, "samples", point->samples);
    json_open(json, "observables", '{');
    for (clup_percolation_observable k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++)
        write_estimate(json, clup_percolation_observable_name(k), &point->estimates[k]);
    json_close(json, '}');
    add_notes(result, number, &notes);
    notes_write(&notes, json, "notes");
    json_open(json, "histogram", '[');
    for (unsigned k = 0; k < CLUP_SIZE_CLASSES && sites_of(result) >> k > 0; k++) {
        json_open(json, NULL, '{');
        json_whole(json, "from", (uint64_t)1 << k);
        json_whole(json, "to", ((uint64_t)2 << k) - 1);
        write_estimate(json, NULL, &point->classes[k]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_number(json, "wall_s", point->wall_s);
}

void percolate_write_json(const percolate_result *result)
{
    const percolate_request *request = result->request;
    const clup_problem *problem = &request->system.problem;
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/percolate/1");
    json_text(&json, "version", clup_version());
    cli_write_device(&json, &result->device);
    if (cli_world_is.processes > 0)
        json_whole(&json, "processes", cli_world_is.processes);
    json_open(&json, "problem", '{');
    cli_write_fields(&json, problem, CLUP_FIELD_LAW | CLUP_FIELD_SIZE);
    json_text(&json, "kind", problem->model == CLUP_SITE_PERCOLATION ? "site" : "bond");
    json_close(&json, '}');
    simulate_write_plan(&json, problem, &result->plan);
    json_text(&json, "rng", clup_rng_name(0));
    json_whole(&json, "seed", request->system.seed);
    json_flag(&json, "interrupted", result->interrupted);
    json_whole(&json, "samples_asked", request->samples);
    json_whole(&json, "points_asked", request->p_count);
    if (request->p_count == 1 && result->count == 1)
        write_point(&json, result, 0);
    else {
        json_open(&json, "points", '[');
        for (uint32_t k = 0; k < result->count; k++) {
            json_open(&json, NULL, '{');
            write_point(&json, result, k);
            json_close(&json, '}');
        }
        json_close(&json, ']');
    }
    json_close(&json, '}');
    json_end(&json);
}
