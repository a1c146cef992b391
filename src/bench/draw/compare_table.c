/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a comparison as a table for a terminal. */
#include <stdbool.h>
#include <string.h>

#include "bench/draw/compare.h"
#include "bench/draw/compare_words.h"
#include "bench/cut.h"
#include "bench/point.h"

/* Columns of a line; ids get those that the results leave. */
#define LINE 100
#define ID_LEAST 12
/* Columns of the first result: median, spread and bandwidth. Other results also have, in between,
 * the ratio to the first. */
#define CELL 17
#define CELL_RATIO 28

/* The number of UTF-8 characters of a text. */
static int width(const char *of)
{
    int count = 0;
    for (; *of != '\0'; of++)
        count += ((unsigned char)*of & 0xC0) != 0x80;
    return count;
}

/* Prints a text from a file, padded to a width. Replaces bytes that a terminal would interpret. */
static void print_plain(const char *of, int columns, FILE *to)
{
    const int printed = width(of);
    for (; *of != '\0'; of++) {
        /* the controls U+0080 to U+009F are two bytes */
        const bool second = (unsigned char)of[0] == 0xC2 && (unsigned char)of[1] < 0xA0;
        fputc((unsigned char)*of < 0x20 || *of == 0x7F || second ? '?' : *of, to);
        of += second;
    }
    fprintf(to, "%*s", columns > printed ? columns - printed : 0, "");
}

static void print_value(const json_t *value, bool first, FILE *to)
{
    char median[64], spread[16], ratio[64], bandwidth[16];
    bench_compare_median(value, median, sizeof median);
    bench_compare_ratio(value, ratio, sizeof ratio);
    bench_compare_percent(bench_number(value, "spread"), spread, sizeof spread);
    bench_compare_percent(bench_number(value, "bandwidth_fraction"), bandwidth, sizeof bandwidth);
    if (first)
        fprintf(to, " %6s %4s %4s", median, spread, bandwidth);
    else
        fprintf(to, "  %6s %4s %9s %4s", median, spread, ratio, bandwidth);
}

/* Whether all points of a suite have the same text under key. */
static bool is_common(const json_t *points, const char *key)
{
    const char *first = NULL;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const char *here = bench_text(json_array_get(points, k), key);
        /* a point that failed in all results has none */
        if (here[0] != '\0' && first != NULL && strcmp(here, first) != 0)
            return false;
        first = here[0] != '\0' ? here : first;
    }
    return true;
}

/* Writes the id of a point, and its series and unit as far as the head of the table lacks them. */
static void name_text(const json_t *point, bool series, bool unit, char *to, size_t size)
{
    char quantity[128];
    bench_compare_quantity(point, series, unit, quantity, sizeof quantity);
    bench_print(to, size, "%s%s%s", bench_compare_id(point), quantity[0] != '\0' ? ", " : "",
                quantity);
}

static void print_point(const json_t *point, bool series, bool unit, int columns, FILE *to)
{
    const json_t *values = json_object_get(point, "values");
    char name[512];
    name_text(point, series, unit, name, sizeof name);
    print_plain(name, columns, to);
    if (width(name) > columns)
        fprintf(to, "\n%*s", columns, "");
    for (size_t r = 0; r < json_array_size(values); r++)
        print_value(json_array_get(values, r), r == 0, to);
    fputc('\n', to);
}

static void print_head(const char *quantity, size_t count, int columns, FILE *to)
{
    print_plain(quantity, columns, to);
    for (size_t r = 0; r < count; r++) {
        char cell[24];
        snprintf(cell, sizeof cell, "[%zu]", r + 1);
        if (r == 0)
            fprintf(to, " %6s %4s %4s", cell, "+-", "bw");
        else
            fprintf(to, "  %6s %4s %9s %4s", cell, "+-", "ratio", "bw");
    }
    fputc('\n', to);
}

static void print_suite(const json_t *suite, size_t count, FILE *to)
{
    const json_t *points = json_object_get(suite, "points"),
                 *ratios = json_object_get(suite, "ratios");
    const bool series = !is_common(points, "series"), unit = !is_common(points, "unit");
    const int left = LINE - CELL - CELL_RATIO * (int)(count - 1);
    char quantity[128] = "", name[512];
    int columns = ID_LEAST;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *point = json_array_get(points, k);
        name_text(point, series, unit, name, sizeof name);
        if (quantity[0] == '\0')
            bench_compare_quantity(point, !series, !unit, quantity, sizeof quantity);
        columns = width(name) > columns ? width(name) : columns;
        columns = width(quantity) > columns ? width(quantity) : columns;
    }
    if (columns > left)
        columns = left > ID_LEAST ? left : ID_LEAST;
    fputc('\n', to);
    print_plain(bench_text(suite, "suite"), 0, to);
    fprintf(to, ": %s\n", bench_text(suite, "about"));
    print_head(quantity, count, columns, to);
    for (size_t k = 0; k < json_array_size(points); k++)
        print_point(json_array_get(points, k), series, unit, columns, to);
    if (count < 2)
        return;
    print_plain("mean", columns + CELL, to);
    for (size_t r = 1; r < count; r++) {
        const json_t *ratio = json_array_get(ratios, r);
        if (json_is_number(ratio))
            fprintf(to, "%23.3g%5s", json_number_value(ratio), "");
        else
            fprintf(to, "%23s%5s", "-", "");
    }
    fputc('\n', to);
}

/* Prints a text, wrapped at spaces. */
static void print_wrapped(char *of, FILE *to)
{
    const char *indent = "";
    while (*of != '\0') {
        char *end = of + strlen(of);
        for (char *at = of; width(of) > LINE && at < of + LINE - 4 && *at != '\0'; at++)
            end = *at == ' ' ? at : end;
        const char kept = *end;
        *end = '\0';
        fputs(indent, to);
        print_plain(of, 0, to);
        fputc('\n', to);
        indent = "    ";
        of = kept != '\0' ? end + 1 : end;
    }
}

/* Prints the headlines, before the tables. */
static void print_headlines(const json_t *comparison, FILE *to)
{
    const json_t *headlines = json_object_get(comparison, "headlines");
    bool any = false;
    for (size_t k = 0; k < json_array_size(headlines); k++) {
        char line[512];
        bench_compare_headline(comparison, json_array_get(headlines, k), line, sizeof line);
        any = any || line[0] != '\0';
        if (line[0] == '\0')
            continue;
        print_wrapped(line, to);
    }
    if (any)
        fputc('\n', to);
}

void bench_compare_print(const json_t *comparison, FILE *to)
{
    const json_t *heads = json_object_get(comparison, "results"),
                 *different = json_object_get(json_object_get(comparison, "hashes"), "different"),
                 *notes = json_object_get(comparison, "notes");
    const size_t count = json_array_size(heads);
    char line[512];
    print_headlines(comparison, to);
    for (size_t r = 0; r < count; r++) {
        const json_t *head = json_array_get(heads, r);
        const char *name = bench_text(head, "name"), *driver = bench_text(head, "driver");
        bench_print(line, sizeof line, "%.*s, %.*s, clup %s, %s", bench_cut(name, 200), name,
                    bench_cut(driver, 100), driver, bench_text(head, "version"),
                    bench_text(head, "created"));
        fprintf(to, "[%zu] ", r + 1);
        print_plain(line, 0, to);
        fputs(": ", to);
        print_plain(bench_text(head, "file"), 0, to);
        fputc('\n', to);
    }
    for (size_t k = 0; k < json_array_size(json_object_get(comparison, "suites")); k++)
        print_suite(json_array_get(json_object_get(comparison, "suites"), k), count, to);
    fputs("\nmedians; +-: half the distance of the quartiles; bw: part of the device's copy "
          "bandwidth",
          to);
    if (count > 1)
        fputs(
            ";\nratio: of times to [1], of rates the other way round, above 1 is slower; mean: the "
            "geometric one\nof points that all have",
            to);
    bench_compare_hashes(comparison, line, sizeof line);
    fprintf(to, "\n%s\n", line);
    for (size_t k = 0; k < json_array_size(different); k++) {
        const json_t *point = json_array_get(different, k),
                     *files = json_object_get(point, "files");
        fputs("different: ", to);
        print_plain(bench_text(point, "id"), 0, to);
        for (size_t f = 0; f < json_array_size(files); f++) {
            fputs(f == 0 ? " in " : f + 1 < json_array_size(files) ? ", " : " and ", to);
            print_plain(json_string_value(json_array_get(files, f)), 0, to);
        }
        fputc('\n', to);
    }
    for (size_t k = 0; k < json_array_size(notes); k++) {
        fputs("note: ", to);
        print_plain(json_string_value(json_array_get(notes, k)), 0, to);
        fputc('\n', to);
    }
}
