/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of clup analyse: first those that compare sizes, then those of each size, then of each
 * system. Lines have at most 100 columns, except for names of files. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/analyse/analyse.h"
#include "cli/records.h"
#include "cli/value.h"

/* The number of observables side by side in a table of temperatures. */
#define BESIDE 4
/* The longest name that stands beside others. */
#define LONG_NAME 16

static void print_value(double value, double error, int width)
{
    char text[VALUE_TEXT];
    value_text(value, error, text);
    printf("%*s", width, text);
}

/* ---- crossings and peaks --------------------------------------------------------------------- */

const char *analyse_place_reason(const clup_place *place)
{
    return place->found ? NULL : isnan(place->from) ? "no data there" : "none inside of the data";
}

/* Prints the end of a line about a crossing or a peak: where it is, or why it was not found. */
static void print_place(const char *what, const clup_place *place)
{
    if (place->found) {
        printf(" %s at beta ", what);
        print_value(place->beta, place->beta_error, 0);
        printf(", where it is ");
        print_value(place->value, place->value_error, 0);
        putchar('\n');
    } else if (isnan(place->from)) {
        puts(": no data there");
    } else {
        printf(": none inside of the data, beta %.6g to %.6g\n", place->from, place->to);
    }
}

static void print_crossing(const analyse_result *result, const analyse_crossing *crossing)
{
    char sizes[2][40];
    if (!crossing->wanted)
        return;
    for (unsigned k = 0; k < 2; k++)
        analyse_size_text(&crossing->of[k]->problem, sizes[k]);
    printf("%s of %s and %s", crossing->name, sizes[0], sizes[1]);
    print_place("cross", &crossing->place);
    if (!result->want_slopes || !crossing->place.found)
        return;
    fputs("  their slopes d/dbeta there are ", stdout);
    print_value(crossing->slopes[0].slope, crossing->slopes[0].slope_error, 0);
    fputs(" and ", stdout);
    print_value(crossing->slopes[1].slope, crossing->slopes[1].slope_error, 0);
    putchar('\n');
}

static void print_peaks(const analyse_result *result, const analyse_scan *scan)
{
    char size[40];
    analyse_size_text(&scan->problem, size);
    for (size_t k = 0; analyse_peaks[k] != NULL; k++) {
        if (!scan->looked_for[k] || !analyse_wants(result, analyse_peaks[k]))
            continue;
        printf("%s of %s", analyse_peaks[k], size);
        print_place("is highest", &scan->peaks[k]);
    }
}

/* ---- other temperatures ---------------------------------------------------------------------- */

/* Prints a table of the rows rows[count], or of their slopes. */
static void print_rows(const analyse_result *result, const analyse_scan *scan, const unsigned *rows,
                       unsigned count, int slopes)
{
    printf("  %-12s", "beta");
    for (unsigned k = 0; k < count; k++)
        printf(" %16s", scan->names[rows[k]]);
    printf("%9s\n", "overlap");
    for (uint32_t b = 0; b < result->beta_count; b++) {
        printf("  %-12.9g", result->betas[b]);
        for (unsigned k = 0; k < count; k++) {
            const size_t at = b * scan->rows + rows[k];
            if (slopes)
                print_value(scan->slopes[at].slope, scan->slopes[at].slope_error, 17);
            else
                print_value(scan->values[at], scan->errors[at], 17);
        }
        printf("%9.3f%s\n", scan->coverage[b].overlap, scan->coverage[b].covered ? "" : " outside");
    }
}

/* Prints the rows some at a time; one with a long name by itself. */
static void print_tables(const analyse_result *result, const analyse_scan *scan, int slopes)
{
    unsigned rows[BESIDE], count = 0;
    for (unsigned row = 0; row < scan->rows; row++) {
        const int is_long = strlen(scan->names[row]) > LONG_NAME;
        if (analyse_wants_row(result, scan, row) && is_long) {
            if (count > 0)
                print_rows(result, scan, rows, count, slopes);
            count = 0;
            print_rows(result, scan, &row, 1, slopes);
        } else if (analyse_wants_row(result, scan, row)) {
            rows[count++] = row;
        }
        if (count == BESIDE || (row + 1 == scan->rows && count > 0)) {
            print_rows(result, scan, rows, count, slopes);
            count = 0;
        }
    }
}

static void print_scan(const analyse_result *result, const analyse_scan *scan)
{
    char size[40];
    unsigned outside = 0;
    double least = 1;
    analyse_size_text(&scan->problem, size);
    printf("\n%s, by %u blocks\n", size, clup_reweighting_blocks(scan->reweighting));
    print_tables(result, scan, 0);
    if (scan->slopes != NULL) {
        printf("  slopes d/dbeta\n");
        print_tables(result, scan, 1);
    }
    for (uint32_t k = 0; k < result->beta_count; k++) {
        outside += !scan->coverage[k].covered;
        least = fmin(least, scan->coverage[k].overlap);
    }
    if (outside > 0)
        printf(
            "  note: %u of %" PRIu32 " temperatures are outside of the energies that were "
            "sampled, overlap\n  down to %.3f: values and errors there are not to be relied on\n",
            outside, result->beta_count, least);
}

/* ---- systems --------------------------------------------------------------------------------- */

static void print_error(double error)
{
    if (isnan(error))
        printf("%10s", "-");
    else
        printf("%10.2g", error);
}

static void print_observable(const char *name, const clup_analysis *analysis)
{
    char interval[VALUE_TEXT];
    value_text_between(analysis->mean, analysis->mean - analysis->low,
                       analysis->high - analysis->mean, interval);
    printf("  %-18s", name);
    print_value(analysis->mean, analysis->error, 17);
    printf("%20s", isnan(analysis->low) ? "-" : interval);
    print_error(analysis->plateau < analysis->levels ? analysis->binning_error : NAN);
    print_error(analysis->jackknife_error);
    if (isfinite(analysis->tau_int)) {
        print_value(analysis->tau_int, analysis->tau_error, 12);
        if (analysis->is_short && analysis->error > 0)
            printf(isnan(analysis->bias) ? "  short!" : "  short");
    }
    putchar('\n');
}

/* Prints the expressions of a system, each as a line of its own where it is long; returns whether
 * one is short. */
static int print_expressions(analyse_result *result, const clup_record *record, uint32_t system)
{
    char text[ANALYSE_EXPRESSION];
    int some_short = 0;
    for (size_t k = 0; analyse_part(result->expressions, k, text); k++) {
        clup_analysis analysis;
        const clup_status status = clup_analysis_expression(record, system, text, &analysis);
        if (status != CLUP_OK) {
            result->failed = (int)status;
            return 0;
        }
        if (strlen(text) > 18)
            printf("  %s\n", text);
        print_observable(strlen(text) > 18 ? "" : text, &analysis);
        some_short |= analysis.is_short && analysis.error > 0;
    }
    return some_short;
}

static void print_system(analyse_result *result, size_t file, uint32_t system)
{
    const clup_record *record = result->records[file];
    const clup_problem *problem = clup_record_problem(record);
    const uint64_t count = clup_record_count(record, system);
    const char *name, *every = clup_record_get(record, "every");
    char size[40], number[32], more[CLI_MORE_FIELDS];
    int some_short = 0, some_biased = 0;
    analyse_size_text(problem, size);
    cli_more_fields_text(problem, more, sizeof more);
    printf("\n%s, system %" PRIu32 "\n  %s %s, ", result->files[file], system,
           clup_lattice_name(problem->lattice), size);
    if (cli_is_percolation(problem))
        printf("%s, p %s", clup_model_name(problem->model),
               clup_number_text(problem->betas[system], number));
    else
        printf("q = %u, beta %s%s", problem->q, clup_number_text(problem->betas[system], number),
               more);
    printf(", %" PRIu64 " values", count);
    if (every != NULL && strcmp(every, "1") != 0)
        printf(", one in %s sweeps: tau_int is in values", every);
    printf("\n  %-18s%17s%20s%10s%10s%12s\n", "", "mean", "within 95 %", "by bins", "jackknife",
           "tau_int");
    for (size_t k = 0; (name = analyse_name(record, system, k)) != NULL && count > 0; k++) {
        clup_analysis analysis;
        if (!analyse_wants(result, name))
            continue;
        const clup_status status = clup_analysis_observable(record, system, name, &analysis);
        if (status != CLUP_OK) {
            result->failed = (int)status;
            return;
        }
        print_observable(name, &analysis);
        some_short |= analysis.is_short && analysis.error > 0;
        some_biased |= isnan(analysis.bias);
    }
    if (count > 0)
        some_short |= print_expressions(result, record, system);
    if (result->failed != CLUP_OK)
        return;
    if (some_short)
        printf("  note: short is a run of fewer than %d tau_int, whose errors are not well known\n",
               2 * CLUP_INDEPENDENT_LEAST);
    if (some_biased)
        printf("  note: short! is fewer than %d tau_int: the value is not corrected for its bias, "
               "too small\n",
               2 * CLUP_CORRECTED_LEAST);
}

void analyse_print(analyse_result *result)
{
    for (size_t k = 0; k < result->crossing_count; k++)
        print_crossing(result, &result->crossings[k]);
    for (size_t k = 0; k < result->scan_count; k++)
        print_peaks(result, &result->scans[k]);
    for (size_t k = 0; k < result->scan_count && result->want_double_peaks; k++)
        analyse_print_double_peak(&result->scans[k]);
    for (size_t k = 0; k < result->scan_count; k++) {
        if (result->beta_count > 0)
            print_scan(result, &result->scans[k]);
        analyse_print_distribution(result, &result->scans[k]);
    }
    for (size_t k = 0; k < result->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(result->records[k]); r++)
            print_system(result, k, r);
}
