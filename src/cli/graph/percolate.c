/* SPDX-License-Identifier: BSD-3-Clause */
/* clup graph percolate: percolation on a graph, an edge or a vertex at a time, or by samples at
 * given probabilities. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/units.h"
#include "cli/graph/graph.h"
#include "cli/paths.h"
#include "cli/percolate/points.h"
#include "cli/records.h"
#include "cli/table.h"

/* Validates what can be validated before the file is read. */
static int settle(const graph_request *request)
{
    char p[32];
    if (request->p_count == 0 && request->direct)
        return cli_usage_error("--algorithm direct needs --ps");
    if (request->p_count == 0 && request->steps == NULL)
        return cli_usage_error("give --ps, --steps or both");
    for (uint32_t k = 0; k < request->p_count; k++)
        if (!(request->ps[k] >= 0 && request->ps[k] <= 1))
            return cli_usage_error("p = %s is not between 0 and 1",
                                   clup_number_text(request->ps[k], p));
    if (request->direct && request->steps != NULL)
        return cli_usage_error("--steps needs --algorithm newman-ziff");
    if (!request->direct && request->series != NULL)
        return cli_usage_error("--series needs --algorithm direct: samples of newman-ziff have no "
                               "value at one p");
    if (request->series != NULL && !cli_has_extension(request->series, ".csv") &&
        !cli_has_extension(request->series, ".h5"))
        return cli_usage_error("--series '%s': the extension is not .h5 or .csv", request->series);
    if (request->series != NULL && clup_file_writable(request->series) != CLUP_OK)
        return graph_code(clup_file_writable(request->series));
    if (request->json && cli_is_stdout(request->steps))
        return cli_usage_error("--json and --steps - both need standard output");
    if (request->steps == NULL || cli_is_stdout(request->steps))
        return 0;
    if (!cli_has_extension(request->steps, ".csv"))
        return cli_usage_error("--steps '%s' is no .csv", request->steps);
    return graph_code(clup_file_writable(request->steps));
}

static percolate_points points_of(const graph_request *request, const graph_result *result,
                                  const clup_percolation_point *points)
{
    return (percolate_points){.points = points,
                              .count = result->points,
                              .asked = request->p_count,
                              .of_sites = request->of_sites,
                              .sites = result->edges.vertices,
                              .critical = NAN};
}

static void print(const graph_request *request, const graph_result *result, uint64_t samples,
                  const clup_percolation_point *points)
{
    const percolate_points all = points_of(request, result, points);
    char sample[BENCH_UNITS], read[BENCH_UNITS];
    printf("clup %s, %s percolation\n", clup_version(), request->of_sites ? "site" : "bond");
    table_line("graph", "%" PRIu64 " vertices, %" PRIu64 " edges", result->edges.vertices,
               result->edges.edges);
    table_line("device", "%s (%s, %s)", result->device.name, result->device.platform,
               result->device.driver);
    if (request->direct)
        table_line("algorithm", "samples at each p");
    else
        table_line("algorithm", "Newman-Ziff, %s at a time",
                   request->of_sites ? "a vertex" : "an edge");
    table_line("samples", "%" PRIu64 "%s",
               request->direct && result->points > 0 ? points[0].samples : samples,
               request->direct && request->p_count > 1 ? " for each p" : "");
    table_line("seed", "%" PRIu64, request->seed);
    putchar('\n');
    if (samples > 0 && result->points > 0) {
        percolate_print_points(&all);
        putchar('\n');
    }
    if (samples > 0)
        table_line("time a sample", "%s by the wall clock; the file was read in %s",
                   bench_units(result->wall_s / (double)samples, "s", sample),
                   bench_units(result->read_s, "s", read));
}

static void write_json(const graph_request *request, const graph_result *result, uint64_t samples,
                       int interrupted, const clup_percolation_point *points)
{
    const percolate_points all = points_of(request, result, points);
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/graph-percolate/1");
    json_text(&json, "version", clup_version());
    json_text(&json, "file", request->input);
    cli_write_device(&json, &result->device);
    json_whole(&json, "vertices", result->edges.vertices);
    json_whole(&json, "edges", result->edges.edges);
    json_text(&json, "kind", request->of_sites ? "site" : "bond");
    json_text(&json, "algorithm", request->direct ? "direct" : "newman-ziff");
    json_whole(&json, "seed", request->seed);
    json_flag(&json, "interrupted", interrupted);
    json_whole(&json, "samples_asked", request->samples);
    json_whole(&json, "points_asked", request->p_count);
    if (request->p_count > 0)
        percolate_write_points(&all, &json);
    json_open(&json, "timing", '{');
    json_number(&json, "read_ms", 1e3 * result->read_s);
    json_number(&json, "sample_ms", samples > 0 ? 1e3 * result->wall_s / (double)samples : NAN);
    json_close(&json, '}');
    json_close(&json, '}');
    json_end(&json);
}

/* Writes the values of the samples. */
static clup_status save_series(const graph_request *request, const graph_result *result,
                               const clup_percolation_scan *scan)
{
    clup_record *record = NULL;
    clup_status status = clup_percolation_scan_record(scan, &record);
    if (status == CLUP_OK)
        status = clup_record_set(record, "version", clup_version());
    if (status == CLUP_OK)
        status = clup_record_set(record, "rng", clup_rng_name(0));
    if (status == CLUP_OK)
        status = cli_record_device(record, &result->device);
    if (status == CLUP_OK)
        status = cli_record_whole(record, "seed", request->seed);
    if (status == CLUP_OK)
        status = cli_record_whole(record, "samples", request->samples);
    if (status == CLUP_OK)
        status = clup_record_write(record, request->series);
    clup_record_free(record);
    return status;
}

/* Draw samples, at each probability, and for all of them. *drawn is how many in all, fewer than
 * asked for where *interrupted is set. */
static clup_status draw_direct(const graph_request *request, clup_context *context,
                               graph_result *result, clup_percolation_point *points,
                               uint64_t *drawn, int *interrupted)
{
    clup_problem problem = {.model = request->of_sites ? CLUP_SITE_PERCOLATION
                                                       : CLUP_BOND_PERCOLATION};
    clup_percolation *percolation = NULL;
    clup_percolation_scan *scan = NULL;
    const clup_graph *graph;
    clup_status status = clup_graph_make(&result->edges, &graph);
    if (status != CLUP_OK)
        return status;
    clup_problem_set_graph(&problem, graph);
    problem.replicas = clup_percolation_batch(context, &problem, request->samples);
    status = clup_percolation_create(context, &problem, NULL, request->seed, &percolation);
    if (status == CLUP_OK)
        status = clup_percolation_scan_create(&problem, request->seed, request->ps,
                                              request->p_count, request->series != NULL, &scan);
    for (uint32_t k = 0; k < request->p_count && status == CLUP_OK; k++) {
        status = clup_percolation_scan_run(scan, percolation, k, request->samples, NULL, NULL);
        clup_percolation_scan_point(scan, k, &points[k]);
        result->points += points[k].samples > 0;
        result->wall_s += points[k].wall_s;
        *drawn += points[k].samples;
    }
    *interrupted = status == CLUP_INTERRUPTED && *drawn > 0;
    if ((status == CLUP_OK || *interrupted) && request->series != NULL)
        status = save_series(request, result, scan);
    clup_percolation_scan_free(scan);
    clup_percolation_free(percolation);
    return *interrupted && status == CLUP_INTERRUPTED ? CLUP_OK : status;
}

static clup_status draw_curves(const graph_request *request, clup_context *context,
                               graph_result *result, clup_percolation_point *points,
                               uint64_t *drawn, int *interrupted)
{
    clup_percolation_curves *curves = NULL;
    clup_percolation_point any = {0};
    const double half = 0.5;
    const int none = request->p_count == 0;
    clup_status status = clup_percolation_curves_of_graph(
        context, &result->edges, request->of_sites ? CLUP_SITE_PERCOLATION : CLUP_BOND_PERCOLATION,
        request->seed, &curves);
    if (status != CLUP_OK)
        return status;
    const double start = graph_seconds();
    status = clup_percolation_curves_run(curves, request->samples, none ? &half : request->ps,
                                         none ? 1 : request->p_count, NULL, NULL,
                                         none ? &any : points);
    result->wall_s = graph_seconds() - start;
    if (status == CLUP_OK || status == CLUP_INTERRUPTED) {
        *interrupted = status == CLUP_INTERRUPTED;
        *drawn = none ? any.samples : points[0].samples;
        result->points = request->p_count;
        status = CLUP_OK;
        if (request->steps != NULL && *drawn > 0)
            status = clup_percolation_curves_write(curves, request->steps);
    }
    clup_percolation_curves_free(curves);
    return status;
}

int graph_percolate(const graph_request *request, clup_context **context, graph_result *result)
{
    uint64_t drawn = 0;
    int code = settle(request);
    cli_watch(request->quiet);
    if (code != 0 || (code = graph_read(request, result)) != 0)
        return code;
    if (result->edges.vertices == 0)
        return cli_usage_error("'%s' has no edges: give --vertices", request->input);
    if ((code = graph_open(request, context, result)) != 0)
        return code;
    clup_percolation_point *points = calloc((uint64_t)request->p_count + 1, sizeof *points);
    if (points == NULL)
        return cli_fail_memory("the results");
    int interrupted = 0;
    const clup_status status = (request->direct ? draw_direct : draw_curves)(
        request, *context, result, points, &drawn, &interrupted);
    cli_clear();
    if (status == CLUP_INTERRUPTED)
        code = cli_stopped("%s; nothing was drawn", clup_error_detail());
    else if (status != CLUP_OK)
        code = graph_code(status);
    else if (request->json)
        write_json(request, result, drawn, interrupted, points);
    else if (!cli_is_stdout(request->steps))
        print(request, result, drawn, points);
    free(points);
    if (code == 0 && interrupted)
        return cli_stopped("%" PRIu64 " of %" PRIu64 " samples drawn", drawn,
                           request->samples * (request->direct ? request->p_count : 1));
    return code;
}
