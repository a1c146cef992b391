/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a comparison as a page. */
#include <math.h>
#include <string.h>

#include "bench/draw/compare.h"
#include "bench/draw/compare_plans.h"
#include "bench/draw/compare_words.h"
#include "bench/cut.h"
#include "bench/draw/page.h"
#include "bench/point.h"

static void write_devices(const json_t *heads, bench_page *page)
{
    static const char *const head[] = {"",     "device", "vendor", "platform and driver",
                                       "host", "clup",   "date",   "suite"};
    bench_page_table(page, 8);
    for (size_t c = 0; c < 8; c++)
        bench_page_cell(page, c, "%s", head[c]);
    for (size_t r = 0; r < json_array_size(heads); r++) {
        const json_t *one = json_array_get(heads, r);
        bench_page_cell(page, 0, "[%zu]", r + 1);
        bench_page_cell(page, 1, "%s", bench_text(one, "name"));
        bench_page_cell(page, 2, "%s", bench_text(one, "vendor"));
        bench_page_cell(page, 3, "%s, %s", bench_text(one, "platform"), bench_text(one, "driver"));
        bench_page_cell(page, 4, "%s", bench_text(one, "host"));
        bench_page_cell(page, 5, "%s", bench_text(one, "version"));
        bench_page_cell(page, 6, "%.10s", bench_text(one, "created"));
        bench_page_cell(page, 7, "%s%s", bench_text(one, "suite"),
                        json_is_true(json_object_get(one, "quick")) ? ", quick" : "");
    }
    bench_page_table_end(page);
}

/* The columns for each result. */
enum { MEDIAN, SPREAD, RATIO, BANDWIDTH, COLUMNS };

static void write_point(const json_t *point, size_t count, bench_page *page)
{
    const json_t *values = json_object_get(point, "values");
    char cell[64], quantity[128];
    double fastest = INFINITY;
    bench_compare_quantity(point, true, true, quantity, sizeof quantity);
    for (size_t r = 0; r < count; r++)
        fastest = fmin(fastest, bench_number(json_array_get(values, r), "ratio"));
    bench_page_cell(page, 0, "%s", bench_compare_id(point));
    bench_page_cell(page, 1, "%s", quantity);
    for (size_t r = 0; r < count; r++) {
        const json_t *value = json_array_get(values, r);
        const size_t column = COLUMNS * r + 2;
        bench_compare_median(value, cell, sizeof cell);
        bench_page_cell(page, column + MEDIAN, "%s", cell);
        bench_compare_percent(bench_number(value, "spread"), cell, sizeof cell);
        bench_page_cell(page, column + SPREAD, "%s", cell);
        bench_compare_ratio(value, cell, sizeof cell);
        bench_page_bar(page, column + RATIO, fastest / bench_number(value, "ratio"), "%s", cell);
        bench_compare_percent(bench_number(value, "bandwidth_fraction"), cell, sizeof cell);
        bench_page_cell(page, column + BANDWIDTH, "%s", cell);
    }
}

static void write_suite(const json_t *suite, size_t count, bench_page *page)
{
    char title[160];
    const json_t *points = json_object_get(suite, "points");
    const char *name = bench_text(suite, "suite");
    bench_print(title, sizeof title, "%.*s: %s", bench_cut(name, 60), name,
                bench_text(suite, "about"));
    bench_page_heading(page, 2, title);
    bench_page_table(page, COLUMNS * count + 2);
    bench_page_cell(page, 0, "point");
    bench_page_cell(page, 1, "quantity");
    for (size_t r = 0; r < count; r++) {
        bench_page_cell(page, COLUMNS * r + 2 + MEDIAN, "[%zu]", r + 1);
        bench_page_cell(page, COLUMNS * r + 2 + SPREAD, "spread");
        bench_page_cell(page, COLUMNS * r + 2 + RATIO, "ratio");
        bench_page_cell(page, COLUMNS * r + 2 + BANDWIDTH, "bandwidth");
    }
    for (size_t k = 0; k < json_array_size(points); k++)
        write_point(json_array_get(points, k), count, page);
    bench_page_table_end(page);
}

/* Writes the means of ratios, a line for each suite. */
static void write_summary(const json_t *comparison, size_t count, bench_page *page)
{
    const json_t *suites = json_object_get(comparison, "suites");
    bench_page_table(page, count + 1);
    bench_page_cell(page, 0, "suite");
    for (size_t r = 0; r < count; r++)
        bench_page_cell(page, r + 1, "[%zu]", r + 1);
    for (size_t s = 0; s < json_array_size(suites); s++) {
        const json_t *suite = json_array_get(suites, s), *ratios = json_object_get(suite, "ratios");
        double fastest = INFINITY;
        for (size_t r = 0; r < count; r++)
            if (json_is_number(json_array_get(ratios, r)))
                fastest = fmin(fastest, json_number_value(json_array_get(ratios, r)));
        bench_page_cell(page, 0, "%s", bench_text(suite, "suite"));
        for (size_t r = 0; r < count; r++) {
            const json_t *ratio = json_array_get(ratios, r);
            if (json_is_number(ratio))
                bench_page_bar(page, r + 1, fastest / json_number_value(ratio), "%.3g",
                               json_number_value(ratio));
            else
                bench_page_cell(page, r + 1, "-");
        }
    }
    bench_page_table_end(page);
}

static void write_hashes(const json_t *comparison, bench_page *page)
{
    const json_t *different = json_object_get(json_object_get(comparison, "hashes"), "different"),
                 *notes = json_object_get(comparison, "notes");
    char line[512];
    bench_compare_hashes(comparison, line, sizeof line);
    bench_page_text(page, "In these results %s.", line);
    for (size_t k = 0; k < json_array_size(different); k++) {
        const json_t *point = json_array_get(different, k),
                     *files = json_object_get(point, "files");
        char list[2048] = "";
        for (size_t f = 0; f < json_array_size(files); f++) {
            const char *file = json_string_value(json_array_get(files, f));
            bench_print(list + strlen(list), sizeof list - strlen(list), "%s%.*s",
                        f > 0 ? ", " : "", bench_cut(file, 200), file);
        }
        bench_page_item(page, "different:", "%s: %s", bench_text(point, "id"), list);
    }
    for (size_t k = 0; k < json_array_size(notes); k++)
        bench_page_item(page, "note:", "%s", json_string_value(json_array_get(notes, k)));
}

clup_status bench_compare_write(const json_t *comparison, const char *md, const char *html)
{
    const json_t *heads = json_object_get(comparison, "results"),
                 *suites = json_object_get(comparison, "suites"),
                 *headlines = json_object_get(comparison, "headlines");
    const size_t count = json_array_size(heads);
    bench_page page;
    const clup_status status = bench_page_open(&page, "clup on several devices");
    if (status != CLUP_OK)
        return status;
    for (size_t k = 0; k < json_array_size(headlines); k++) {
        char line[512];
        bench_compare_headline(comparison, json_array_get(headlines, k), line, sizeof line);
        if (line[0] != '\0')
            bench_page_text(&page, "%s.", line);
    }
    write_devices(heads, &page);
    write_hashes(comparison, &page);
    bench_page_heading(&page, 2, "Suites");
    bench_page_text(&page,
                    "Times over those of [1], the geometric mean over the points that all have: "
                    "above 1 is slower.");
    /* Markdown has no bars */
    fputs("<p>Bars are speeds, the fastest has the longest.</p>\n", page.html);
    write_summary(comparison, count, &page);
    bench_plans_write(comparison, &page);
    bench_page_text(&page,
                    "Below: medians; half the distance of the quartiles over them; ratios of times "
                    "to [1], of rates the other way round, with standard errors in their last "
                    "digits; and the part of the device's copy bandwidth that is "
                    "used, if buffers are moved once.");
    for (size_t k = 0; k < json_array_size(suites); k++)
        write_suite(json_array_get(suites, k), count, &page);
    return bench_page_close(&page, md, html);
}
