/* SPDX-License-Identifier: BSD-3-Clause */
/* Other temperatures: groups records of equal size, and compares the sizes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/analyse/analyse.h"

const char *const analyse_peaks[] = {"specific_heat", "susceptibility", NULL};
/* Crossings that are searched for without being asked for, besides those of expressions. */
static const char *const crossings[] = {"binder", "xi_over_l", NULL};

void analyse_size_text(const clup_problem *problem, char text[40])
{
    char size[CLUP_FIELD_TEXT];
    clup_problem_get(problem, "size", size);
    snprintf(text, 40, "%.39s",
             clup_graph_called(problem->graph) != NULL ? clup_graph_called(problem->graph) : size);
}

static int same_size(const clup_problem *a, const clup_problem *b)
{
    return a->graph == b->graph &&
           memcmp(a->size, b->size, clup_lattice_axes(a->lattice) * sizeof *a->size) == 0;
}

static double lowest(const analyse_result *result)
{
    double beta = INFINITY;
    for (uint32_t k = 0; k < result->beta_count; k++)
        beta = fmin(beta, result->betas[k]);
    return beta;
}

static double highest(const analyse_result *result)
{
    double beta = 0;
    for (uint32_t k = 0; k < result->beta_count; k++)
        beta = fmax(beta, result->betas[k]);
    return beta;
}

/* Allocates zeros, one for each temperature and row. */
static void *room_of(const analyse_result *result, const analyse_scan *scan, size_t size)
{
    void *room = calloc(result->beta_count + 1, (scan->rows + 1) * size);
    if (room == NULL)
        exit(cli_fail_memory("the temperatures"));
    return room;
}

static void add_name(analyse_scan *scan, const char *name)
{
    char **names = realloc(scan->names, (scan->rows + 1) * sizeof *names), *copy = strdup(name);
    if (names == NULL || copy == NULL)
        exit(cli_fail_memory("the names"));
    scan->names = names;
    scan->names[scan->rows++] = copy;
}

/* Names the rows: observables, and expressions in these. The first expression that is none goes
 * into note. */
static void name_rows(const analyse_result *result, analyse_scan *scan, char *note, size_t size)
{
    const char *name;
    char text[ANALYSE_EXPRESSION];
    while ((name = clup_reweighting_name(scan->reweighting, scan->rows)) != NULL)
        add_name(scan, name);
    scan->observables = scan->rows;
    for (size_t k = 0; result->beta_count > 0 && analyse_part(result->expressions, k, text); k++) {
        clup_slope slope;
        if (clup_reweighting_slope(scan->reweighting, text, result->betas[0], &slope) == CLUP_OK)
            add_name(scan, text);
        else if (note[0] == '\0')
            snprintf(note, size, "--expr: %s", clup_error_detail());
    }
}

/* Computes the rows at temperature number k. */
static clup_status fill_at(const analyse_result *result, analyse_scan *scan, uint32_t k)
{
    double *values = scan->values + k * scan->rows, *errors = scan->errors + k * scan->rows;
    clup_status status = clup_reweighting_at(scan->reweighting, result->betas[k], values, errors,
                                             &scan->coverage[k]);
    for (unsigned row = scan->slopes != NULL ? 0 : scan->observables;
         row < scan->rows && status == CLUP_OK; row++) {
        clup_slope slope;
        status = clup_reweighting_slope(scan->reweighting, scan->names[row], result->betas[k],
                                        &slope);
        if (scan->slopes != NULL)
            scan->slopes[k * scan->rows + row] = slope;
        if (row < scan->observables)
            continue;
        values[row] = slope.value;
        errors[row] = slope.value_error;
    }
    return status;
}

static clup_status find_peaks(const analyse_result *result, analyse_scan *scan)
{
    const double from = lowest(result), to = highest(result);
    clup_status status = CLUP_OK;
    for (size_t k = 0; analyse_peaks[k] != NULL; k++) {
        scan->peaks[k] = (clup_place){0, NAN, NAN, NAN, NAN, NAN, NAN, {0}};
        for (unsigned row = 0; row < scan->observables && to > from && status == CLUP_OK; row++)
            if (strcmp(scan->names[row], analyse_peaks[k]) == 0) {
                scan->looked_for[k] = 1;
                status = clup_reweighting_peak(scan->reweighting, analyse_peaks[k], from, to,
                                               &scan->peaks[k]);
            }
    }
    return status;
}

static clup_status fill(const analyse_result *result, analyse_scan *scan)
{
    clup_status status = CLUP_OK;
    scan->values = room_of(result, scan, sizeof *scan->values);
    scan->errors = room_of(result, scan, sizeof *scan->errors);
    scan->coverage = room_of(result, scan, sizeof *scan->coverage);
    if (result->want_slopes)
        scan->slopes = room_of(result, scan, sizeof *scan->slopes);
    for (uint32_t k = 0; k < result->beta_count && status == CLUP_OK; k++)
        status = cli_interrupted() ? CLUP_INTERRUPTED : fill_at(result, scan, k);
    if (status == CLUP_OK)
        status = find_peaks(result, scan);
    return status == CLUP_OK ? analyse_distribute(result, scan, lowest(result), highest(result))
                             : status;
}

/* Adds the scan of all records that have the size of record first, which must be the first of its
 * size. */
static clup_status add_scan(analyse_result *result, size_t first, char *note, size_t size)
{
    const clup_problem *problem = clup_record_problem(result->records[first]);
    analyse_scan *scan = &result->scans[result->scan_count];
    for (size_t k = first; k < result->count; k++)
        if (same_size(problem, clup_record_problem(result->records[k])))
            scan->records[scan->record_count++] = result->records[k];
    scan->problem = *problem;
    const clup_status status = clup_reweighting_create(scan->records, scan->record_count,
                                                       &scan->reweighting);
    if (status != CLUP_OK)
        return status;
    result->scan_count++;
    name_rows(result, scan, note, size);
    return CLUP_OK;
}

static int compare_sites(const void *a, const void *b)
{
    const uint64_t x = clup_problem_sites(&((const analyse_scan *)a)->problem),
                   y = clup_problem_sites(&((const analyse_scan *)b)->problem);
    return x < y ? -1 : x > y;
}

/* What is searched for crossings, number row: as asked for, or some observables and all
 * expressions. */
static int crossed(const analyse_result *result, size_t row, char text[ANALYSE_EXPRESSION])
{
    const size_t known = sizeof crossings / sizeof *crossings - 1;
    if (result->crossed != NULL)
        return analyse_part(result->crossed, row, text);
    if (row >= known)
        return analyse_part(result->expressions, row - known, text);
    snprintf(text, ANALYSE_EXPRESSION, "%s", crossings[row]);
    return 1;
}

static int is_observable(const analyse_scan *scan, const char *name)
{
    unsigned row = 0;
    while (row < scan->observables && strcmp(scan->names[row], name) != 0)
        row++;
    return row < scan->observables;
}

/* Whether a name of an observable, or an expression, is known at other temperatures of a size. */
static int knows(const analyse_scan *scan, const char *name)
{
    clup_slope slope;
    return clup_reweighting_slope(scan->reweighting, name, 0, &slope) == CLUP_OK;
}

static clup_status add_crossing(analyse_result *result, const char *name, const analyse_scan *a,
                                const analyse_scan *b)
{
    if (!(highest(result) > lowest(result)))
        return CLUP_OK;
    if (result->crossing_count == result->crossing_room) {
        const size_t room = 2 * result->crossing_room + 16;
        analyse_crossing *grown = realloc(result->crossings, room * sizeof *grown);
        if (grown == NULL)
            exit(cli_fail_memory("the crossings"));
        result->crossings = grown;
        result->crossing_room = room;
    }
    analyse_crossing *crossing = &result->crossings[result->crossing_count++];
    *crossing = (analyse_crossing){.of = {a, b}};
    snprintf(crossing->name, sizeof crossing->name, "%s", name);
    crossing->wanted = result->crossed != NULL || analyse_wants(result, name) ||
                       !is_observable(a, name);
    clup_status status = clup_reweighting_crossing(
        a->reweighting, b->reweighting, name, lowest(result), highest(result), &crossing->place);
    if (status == CLUP_OK && result->want_slopes && crossing->place.found)
        status = clup_reweighting_crossing_slopes(a->reweighting, b->reweighting, name,
                                                  &crossing->place, crossing->slopes);
    return status;
}

/* Searches the crossings of size number k with one or all of those before it. */
static clup_status cross(analyse_result *result, size_t k)
{
    clup_status status = CLUP_OK;
    char name[ANALYSE_EXPRESSION];
    for (size_t j = result->all_pairs ? 0 : k - 1; j < k; j++)
        for (size_t n = 0; status == CLUP_OK && crossed(result, n, name); n++)
            if (knows(&result->scans[j], name) && knows(&result->scans[k], name))
                status = add_crossing(result, name, &result->scans[j], &result->scans[k]);
    return status;
}

clup_status analyse_group(analyse_result *result, char *note, size_t size)
{
    clup_status status = CLUP_OK;
    result->scans = calloc(result->count, sizeof *result->scans);
    if (result->scans == NULL)
        exit(cli_fail_memory("the sizes"));
    for (size_t k = 0; k < result->count && status == CLUP_OK; k++) {
        size_t before = 0;
        while (before < k && !same_size(clup_record_problem(result->records[before]),
                                        clup_record_problem(result->records[k])))
            before++;
        if (before == k)
            status = add_scan(result, k, note, size);
    }
    qsort(result->scans, result->scan_count, sizeof *result->scans, compare_sites);
    return status;
}

void analyse_note_unknown(const analyse_result *result, char *note, size_t size)
{
    const char *name;
    clup_slope slope;
    for (size_t row = 0; result->beta_count > 0 && result->scan_count > 0 && note[0] == '\0' &&
                         (name = analyse_name(result->records[0], 0, row)) != NULL;
         row++)
        if (analyse_wants(result, name) &&
            clup_reweighting_slope(result->scans[0].reweighting, name, result->betas[0], &slope) !=
                CLUP_OK &&
            (result->names != NULL || strstr(clup_error_detail(), "fk_bonds") != NULL))
            snprintf(note, size, "--reweight: %s", clup_error_detail());
}

int analyse_check_crossed(const analyse_result *result)
{
    char text[ANALYSE_EXPRESSION], names[1024] = "";
    for (size_t k = 0; k < result->scan_count; k++)
        for (size_t n = 0; analyse_part(result->crossed, n, text); n++) {
            const analyse_scan *scan = &result->scans[k];
            size_t used = 0;
            if (knows(scan, text))
                continue;
            for (unsigned row = 0; row < scan->observables && used < sizeof names; row++)
                used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                         row > 0 ? ", " : "", scan->names[row]);
            clup_slope slope;
            (void)clup_reweighting_slope(scan->reweighting, text, 0, &slope);
            return cli_usage_error("--crossings: %s; there are %s, and expressions in these",
                                   clup_error_detail(), names);
        }
    if (result->crossed == NULL && !result->all_pairs)
        return 0;
    if (result->scan_count < 2)
        cli_warn("no crossings: they are of two sizes, and the files have one");
    else if (!(highest(result) > lowest(result)))
        cli_warn("no crossings: they are searched between temperatures, and --reweight has one");
    return 0;
}

clup_status analyse_reweight(analyse_result *result)
{
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < result->scan_count && status == CLUP_OK; k++)
        status = fill(result, &result->scans[k]);
    for (size_t k = 1; k < result->scan_count && status == CLUP_OK; k++)
        status = cross(result, k);
    return status;
}

static void free_scan(analyse_scan *scan)
{
    analyse_distribution_free(scan);
    clup_reweighting_free(scan->reweighting);
    for (unsigned row = 0; row < scan->rows; row++)
        free(scan->names[row]);
    free(scan->names);
    free(scan->values);
    free(scan->errors);
    free(scan->slopes);
    free(scan->coverage);
}

void analyse_free(analyse_result *result)
{
    for (size_t k = 0; k < result->scan_count; k++)
        free_scan(&result->scans[k]);
    for (size_t k = 0; k < result->count; k++)
        clup_record_free(result->records[k]);
    free(result->scans);
    free(result->crossings);
    free(result);
}
