/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports percolation, as a table for people or as JSON. */
#include <inttypes.h>
#include <math.h>

#include "bench/units.h"
#include "cli/percolate/percolate.h"
#include "cli/percolate/points.h"
#include "cli/table.h"

static double p_ratio(const percolate_result *result, double p)
{
    return p / clup_problem_critical_p(&result->request->system.problem);
}

static uint64_t sites_of(const percolate_result *result)
{
    return clup_problem_sites(&result->request->system.problem);
}

/* The samples of all points; of curves all points have the same. */
static uint64_t all_samples(const percolate_result *result)
{
    uint64_t samples = 0;
    for (uint32_t k = 0; k < (result->request->curves ? 1 : result->count); k++)
        samples += result->points[k].samples;
    return samples;
}

static percolate_points points_of(const percolate_result *result)
{
    const clup_problem *problem = &result->request->system.problem;
    return (percolate_points){
        .points = result->points,
        .count = result->count,
        .asked = result->request->p_count,
        .of_sites = problem->model == CLUP_SITE_PERCOLATION,
        .sites = clup_problem_sites(problem),
        .critical = clup_problem_critical_p(problem),
        .scan = result->scan,
    };
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
    else {
        double least = 1, most = 0;
        for (uint32_t k = 0; k < request->p_count; k++) {
            least = fmin(least, request->ps[k]);
            most = fmax(most, request->ps[k]);
        }
        table_line("problem", "%s; %" PRIu32 " p from %.9g to %.9g", lattice, request->p_count,
                   least, most);
    }
}

void percolate_print_table(const percolate_result *result)
{
    const percolate_request *request = result->request;
    const clup_problem *problem = &request->system.problem;
    const percolate_points points = points_of(result);
    const uint64_t samples = all_samples(result);
    char sample[BENCH_UNITS], site[BENCH_UNITS];
    const char *ended = result->late ? "time limit:" : "interrupted:";
    printf("clup %s, %s\n", clup_version(), clup_model_name(problem->model));
    print_problem(result);
    table_line("device", "%s (%s, %s)", result->device.name, result->device.platform,
               result->device.driver);
    if (cli_world_is.processes > 0)
        printf("  %-18s%u, with a device each%s%s\n", "processes", cli_world_is.processes,
               result->plan.between != NULL ? "; " : "",
               result->plan.between != NULL ? result->plan.between : "");
    if (request->curves)
        table_line("algorithm", "Newman-Ziff, a %s at a time",
                   problem->model == CLUP_SITE_PERCOLATION ? "site" : "bond");
    else
        simulate_print_plan(&result->plan);
    printf("  %-18s%" PRIu64 "%s\n", "samples",
           request->curves || (request->p_count == 1 && result->count == 1)
               ? result->points[0].samples
               : request->samples,
           request->p_count == 1 ? ""
           : request->curves     ? " for all p"
                                 : " for each p");
    simulate_print_seed(&request->system);
    if (result->interrupted && request->curves)
        printf("  %-18s%" PRIu64 " of %" PRIu64 " samples\n", ended, samples, request->samples);
    else if (result->interrupted)
        printf("  %-18s%" PRIu64 " of %" PRIu64 " samples at p number %" PRIu32 " of %" PRIu32 "\n",
               ended, result->points[result->at].samples, request->samples, result->at + 1,
               request->p_count);
    putchar('\n');
    if (samples == 0)
        return;
    percolate_print_points(&points);
    bench_units(result->wall_s / (double)samples, "s", sample);
    bench_units(result->wall_s / (double)samples / (double)sites_of(result), "s", site);
    putchar('\n');
    table_line("time a sample", "%s by the wall clock; %s a site", sample, site);
}

void percolate_write_json(const percolate_result *result)
{
    const percolate_request *request = result->request;
    const clup_problem *problem = &request->system.problem;
    const percolate_points points = points_of(result);
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
    json_text(&json, "algorithm", request->curves ? "newman-ziff" : "direct");
    if (!request->curves)
        simulate_write_plan(&json, problem, &result->plan);
    json_text(&json, "rng", clup_rng_name(0));
    json_whole(&json, "seed", request->system.seed);
    cli_write_fields(&json, problem, CLUP_FIELD_NUMBERS);
    json_flag(&json, "interrupted", result->interrupted);
    json_flag(&json, "time_limit", result->late);
    json_whole(&json, "samples_asked", request->samples);
    json_whole(&json, "points_asked", request->p_count);
    percolate_write_points(&points, &json);
    json_close(&json, '}');
    json_end(&json);
}
