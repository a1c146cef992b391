/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what was measured at some probabilities. */
#include "cli/percolate/points.h"

#include <inttypes.h>
#include <math.h>

#include "cli/notes.h"
#include "cli/table.h"
#include "cli/value.h"

/* Whether the table has an observable; otherwise the JSON alone has it. In bond percolation all
 * sites are occupied, so that the table omits their number. */
static int is_told(const percolate_points *points, clup_percolation_observable observable)
{
    return !isnan(points->points[0].estimates[observable].mean) &&
           (observable != CLUP_PERCOLATION_OCCUPIED || points->of_sites);
}

static void print_point(const percolate_points *points)
{
    const clup_percolation_point *point = &points->points[0];
    table_values_head(TABLE_NAME, "mean", "");
    for (clup_percolation_observable k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++)
        if (is_told(points, k))
            table_value(TABLE_NAME, clup_percolation_observable_name(k), point->estimates[k].mean,
                        point->estimates[k].error, "");
    if (isnan(point->classes[0].mean))
        return;
    puts("\n  sites of a cluster     clusters, per site of the lattice");
    for (unsigned k = 0; k < CLUP_SIZE_CLASSES && points->sites >> k > 0; k++) {
        char sizes[48];
        snprintf(sizes, sizeof sizes, k > 0 ? "%" PRIu64 " to %" PRIu64 : "1", (uint64_t)1 << k,
                 ((uint64_t)2 << k) - 1);
        if (point->classes[k].mean > 0)
            table_value(TABLE_NAME, sizes, point->classes[k].mean, point->classes[k].error, "");
    }
}

/* Prints a line for each point; the JSON has the rest. */
static void print_lines(const percolate_points *points)
{
    enum { COLUMNS = 4 };
    static const clup_percolation_observable of_lattices[COLUMNS] = {
        CLUP_PERCOLATION_CLUSTERS, CLUP_PERCOLATION_LARGEST, CLUP_PERCOLATION_WRAP_EITHER,
        CLUP_PERCOLATION_WRAP_BOTH};
    static const clup_percolation_observable of_graphs[COLUMNS] = {
        CLUP_PERCOLATION_CLUSTERS, CLUP_PERCOLATION_LARGEST, CLUP_PERCOLATION_MEAN_SIZE,
        CLUP_PERCOLATION_MEAN_SIZE_REST};
    const clup_percolation_observable *columns =
        isnan(points->points[0].estimates[CLUP_PERCOLATION_WRAP_EITHER].mean) ? of_graphs
                                                                              : of_lattices;
    printf("  %12s", "p");
    for (unsigned c = 0; c < COLUMNS; c++)
        printf("  %-*s", c + 1 < COLUMNS ? 17 : 0, clup_percolation_observable_name(columns[c]));
    putchar('\n');
    for (uint32_t k = 0; k < points->count && points->points[k].samples > 0; k++) {
        printf("  %12.9g", points->points[k].p);
        for (unsigned c = 0; c < COLUMNS; c++) {
            const clup_estimate *estimate = &points->points[k].estimates[columns[c]];
            char text[VALUE_TEXT];
            value_text(estimate->mean, estimate->error, text);
            printf("  %-*s", c + 1 < COLUMNS ? 17 : 0, text);
        }
        putchar('\n');
    }
}

/* Collects the notes on the estimates of a point that can fluctuate; none can where no or all sites
 * or bonds are occupied or active. */
static void add_notes(const percolate_points *points, uint32_t point, notes *notes)
{
    const clup_percolation_point *at = &points->points[point];
    for (clup_percolation_observable k = 0;
         k < CLUP_PERCOLATION_OBSERVABLES && at->p > 0 && at->p < 1; k++)
        /* of curves, p gives the number of occupied sites */
        if (k != CLUP_PERCOLATION_OCCUPIED || (points->of_sites && at->estimates[k].error > 0))
            notes_add(notes, clup_percolation_observable_name(k),
                      clup_estimate_note(&at->estimates[k]));
}

static void print_notes(const percolate_points *points)
{
    notes notes = {0};
    for (uint32_t k = 0; k < points->count; k++)
        add_notes(points, k, &notes);
    notes_print(&notes);
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

/* Writes the covariances of the means that the point has. */
static void write_covariance(json *json, const percolate_points *points, uint32_t number)
{
    enum { ALL = CLUP_PERCOLATION_OBSERVABLES };
    const clup_estimate *estimates = points->points[number].estimates;
    double matrix[ALL * ALL];
    if (points->scan == NULL ||
        clup_percolation_scan_covariance(points->scan, number, matrix) != CLUP_OK)
        return;
    json_open(json, "covariance", '{');
    json_open(json, "observables", '[');
    for (unsigned k = 0; k < ALL; k++)
        if (!isnan(estimates[k].mean))
            json_text(json, NULL, clup_percolation_observable_name(k));
    json_close(json, ']');
    json_open(json, "matrix", '[');
    for (unsigned i = 0; i < ALL; i++) {
        if (isnan(estimates[i].mean))
            continue;
        json_open(json, NULL, '[');
        for (unsigned j = 0; j < ALL; j++)
            if (!isnan(estimates[j].mean))
                json_number(json, NULL, matrix[i * ALL + j]);
        json_close(json, ']');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void write_point(json *json, const percolate_points *points, uint32_t number)
{
    const clup_percolation_point *point = &points->points[number];
    notes notes = {0};
    json_number(json, "p", point->p);
    json_number(json, "p_ratio", point->p / points->critical);
    json_whole(json, "samples", point->samples);
    json_open(json, "observables", '{');
    for (clup_percolation_observable k = 0; k < CLUP_PERCOLATION_OBSERVABLES; k++)
        write_estimate(json, clup_percolation_observable_name(k), &point->estimates[k]);
    json_close(json, '}');
    write_covariance(json, points, number);
    add_notes(points, number, &notes);
    notes_write(&notes, json, "notes");
    json_open(json, "histogram", '[');
    for (unsigned k = 0;
         k < CLUP_SIZE_CLASSES && points->sites >> k > 0 && !isnan(point->classes[0].mean); k++) {
        json_open(json, NULL, '{');
        json_whole(json, "from", (uint64_t)1 << k);
        json_whole(json, "to", ((uint64_t)2 << k) - 1);
        write_estimate(json, NULL, &point->classes[k]);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_number(json, "wall_s", point->wall_s);
}

void percolate_print_points(const percolate_points *points)
{
    if (points->asked == 1)
        print_point(points);
    else
        print_lines(points);
    print_notes(points);
}

void percolate_write_points(const percolate_points *points, json *json)
{
    if (points->asked == 1 && points->count == 1) {
        write_point(json, points, 0);
        return;
    }
    json_open(json, "points", '[');
    for (uint32_t k = 0; k < points->count; k++) {
        json_open(json, NULL, '{');
        write_point(json, points, k);
        json_close(json, '}');
    }
    json_close(json, ']');
}
