/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the plans and the fastest kernels of several devices as tables. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "bench/cut.h"
#include "bench/draw/compare_plans.h"
#include "bench/draw/compare_words.h"
#include "bench/point.h"
#include "clup.h"

/* Writes the kernels of a plan, each with its time where that is known. */
static void kernels_text(const json_t *value, char *to, size_t size)
{
    const json_t *plan = json_object_get(value, "plan"), *times = json_object_get(value, "stages");
    to[0] = '\0';
    for (clup_stage stage = CLUP_SOURCE; stage <= CLUP_ACTION; stage++) {
        const char *kernel = bench_text(plan, clup_stage_name(stage));
        const double time = bench_number(times, clup_stage_name(stage));
        const size_t length = strlen(to);
        char number[32] = "";
        if (kernel[0] == '\0')
            continue;
        if (isfinite(time))
            snprintf(number, sizeof number, time < 1000 ? " %.3g" : " %.0f", time);
        bench_print(to + length, size - length, "%s%.*s%s", length > 0 ? ", " : "",
                    bench_cut(kernel, 40), kernel, number);
    }
}

static void tile_text(const json_t *plan, char *to, size_t size)
{
    const json_t *tile = json_object_get(plan, "tile");
    const int x = (int)json_integer_value(json_array_get(tile, 0)),
              y = (int)json_integer_value(json_array_get(tile, 1)),
              z = (int)json_integer_value(json_array_get(tile, 2));
    if (z > 1)
        snprintf(to, size, "%dx%dx%d", x, y, z);
    else
        snprintf(to, size, "%dx%d", x, y);
}

static void write_plan(const json_t *row, size_t r, bool first, bench_page *page)
{
    const json_t *value = json_array_get(json_object_get(row, "values"), r),
                 *plan = json_object_get(value, "plan");
    char text[512];
    bench_page_cell(page, 0, "%s", first ? bench_text(row, "id") : "");
    bench_page_cell(page, 1, "[%zu]", r + 1);
    bench_page_cell(page, 2, "%s", bench_text(plan, "bonds"));
    tile_text(plan, text, sizeof text);
    bench_page_cell(page, 3, "%s", text);
    kernels_text(value, text, sizeof text);
    bench_page_cell(page, 4, "%s", text);
    bench_compare_median(value, text, sizeof text);
    bench_page_cell(page, 5, "%s %s", text, bench_text(row, "unit"));
    bench_compare_percent(bench_number(value, "bandwidth_fraction"), text, sizeof text);
    bench_page_cell(page, 6, "%s", text);
}

static void write_plans(const json_t *plans, bench_page *page)
{
    static const char *const head[] = {
        "point", "", "layout", "tile", "kernels, each with its time", "time", "bandwidth"};
    const size_t columns = sizeof head / sizeof *head;
    bench_page_table(page, columns);
    for (size_t c = 0; c < columns; c++)
        bench_page_cell(page, c, "%s", head[c]);
    for (size_t k = 0; k < json_array_size(plans); k++) {
        const json_t *row = json_array_get(plans, k), *values = json_object_get(row, "values");
        bool first = true;
        for (size_t r = 0; r < json_array_size(values); r++)
            if (json_is_object(json_array_get(values, r))) {
                write_plan(row, r, first, page);
                first = false;
            }
    }
    bench_page_table_end(page);
}

static void write_fastest(const json_t *fastest, size_t count, bench_page *page)
{
    bench_page_table(page, 3 * count + 2);
    bench_page_cell(page, 0, "tile, lattice");
    bench_page_cell(page, 1, "unit");
    for (size_t r = 0; r < count; r++) {
        bench_page_cell(page, 3 * r + 2, "[%zu]", r + 1);
        bench_page_cell(page, 3 * r + 3, "time");
        bench_page_cell(page, 3 * r + 4, "bandwidth");
    }
    for (size_t k = 0; k < json_array_size(fastest); k++) {
        const json_t *row = json_array_get(fastest, k), *values = json_object_get(row, "values");
        bench_page_cell(page, 0, "%s", bench_text(row, "at"));
        bench_page_cell(page, 1, "%s", bench_text(row, "unit"));
        for (size_t r = 0; r < count; r++) {
            const json_t *value = json_array_get(values, r);
            char text[64];
            bench_page_cell(page, 3 * r + 2, "%s", bench_text(value, "kernel"));
            bench_compare_median(value, text, sizeof text);
            bench_page_cell(page, 3 * r + 3, "%s", text);
            bench_compare_percent(bench_number(value, "bandwidth_fraction"), text, sizeof text);
            bench_page_cell(page, 3 * r + 4, "%s", text);
        }
    }
    bench_page_table_end(page);
}

void bench_plans_write(const json_t *comparison, bench_page *page)
{
    const json_t *plans = json_object_get(comparison, "plans"),
                 *fastest = json_object_get(comparison, "fastest");
    if (json_array_size(plans) > 0) {
        bench_page_heading(page, 2, "Plans");
        bench_page_text(page,
                        "What the planner takes on each device: layout, tile and kernels, the time "
                        "of each stage where the device tells it, the time of all, and the part of "
                        "the device's copy bandwidth that is used, if buffers are moved once.");
        write_plans(plans, page);
    }
    if (json_array_size(fastest) > 0) {
        bench_page_heading(page, 2, "Fastest kernels");
        bench_page_text(page, "Of local labelling with the tile B, and of sweeps of the paper's "
                              "kernels by their consolidation on lattices of L x L.");
        write_fastest(fastest, json_array_size(json_object_get(comparison, "results")), page);
    }
}
