/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports the components of a graph, as a table for people or as JSON. */
#include <inttypes.h>
#include <math.h>

#include "bench/units.h"
#include "cli/graph/graph.h"
#include "cli/table.h"

static double edges_per_s(const graph_result *result)
{
    return result->wall_s > 0 ? (double)result->edges.edges / result->wall_s : NAN;
}

void graph_print_table(const graph_result *result)
{
    const clup_device_info *device = &result->device;
    char read[BENCH_UNITS], wall[BENCH_UNITS], rate[BENCH_UNITS];
    printf("clup %s, graph label\n", clup_version());
    table_line("graph", "%" PRIu64 " vertices, %" PRIu64 " edges", result->edges.vertices,
               result->edges.edges);
    table_line("device", "%s (%s, %s)", device->name, device->platform, device->driver);
    table_line("components", "%" PRIu32, result->components);
    if (result->edges.vertices > 0)
        table_line("largest", "%" PRIu32 " vertices, %.4g %% of the graph", result->largest,
                   100.0 * result->largest / (double)result->edges.vertices);
    table_line("single vertices", "%" PRIu32, result->isolated);
    table_line("time", "%s by the wall clock, %s; the file was read in %s",
               bench_units(result->wall_s, "s", wall),
               bench_units(edges_per_s(result), "edges/s", rate),
               bench_units(result->read_s, "s", read));
}

void graph_write_json(const graph_result *result)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/graph/1");
    json_text(&json, "version", clup_version());
    json_text(&json, "file", result->request->input);
    cli_write_device(&json, &result->device);
    json_whole(&json, "vertices", result->edges.vertices);
    json_whole(&json, "edges", result->edges.edges);
    json_whole(&json, "components", result->components);
    json_whole(&json, "largest", result->largest);
    json_whole(&json, "single_vertices", result->isolated);
    json_text(&json, "labels_sha256", result->labels_sha256);
    json_open(&json, "timing", '{');
    json_number(&json, "read_ms", 1e3 * result->read_s);
    json_number(&json, "wall_ms", 1e3 * result->wall_s);
    json_number(&json, "edges_per_s", edges_per_s(result));
    json_close(&json, '}');
    json_close(&json, '}');
    json_end(&json);
}
