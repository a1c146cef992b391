/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the results of clup analyse as rows. */
#include "cli/analyse/rows.h"

#include <math.h>
#include <stdlib.h>

/* Adds a row without values; valid until the next one is added. */
static analyse_row *add(analyse_rows *rows, const char *what, const char *observable,
                        const clup_problem *of)
{
    if (rows->count == rows->room) {
        const size_t room = 2 * rows->room + 64;
        analyse_row *grown = realloc(rows->of, room * sizeof *grown);
        if (grown == NULL)
            exit(cli_fail_memory("the rows"));
        rows->of = grown;
        rows->room = room;
    }
    analyse_row *row = &rows->of[rows->count++];
    *row = (analyse_row){.what = what,
                         .of = {of, NULL},
                         .system = -1,
                         .beta = NAN,
                         .beta_error = NAN,
                         .x = NAN,
                         .value = NAN,
                         .error = NAN,
                         .low = NAN,
                         .high = NAN,
                         .tau_int = NAN,
                         .tau_error = NAN,
                         .overlap = NAN,
                         .covered = -1};
    snprintf(row->observable, sizeof row->observable, "%s", observable);
    return row;
}

static void put_place(analyse_row *row, const clup_place *place)
{
    row->note = analyse_place_reason(place);
    if (!place->found)
        return;
    row->beta = place->beta;
    row->beta_error = place->beta_error;
    row->value = place->value;
    row->error = place->value_error;
}

static void add_crossings(const analyse_result *result, analyse_rows *rows)
{
    for (size_t k = 0; k < result->crossing_count; k++) {
        const analyse_crossing *crossing = &result->crossings[k];
        if (!crossing->wanted)
            continue;
        analyse_row *row = add(rows, "crossing", crossing->name, &crossing->of[0]->problem);
        row->of[1] = &crossing->of[1]->problem;
        put_place(row, &crossing->place);
    }
}

/* The slopes at crossings; the size that comes first is the one whose slope it is. */
static void add_crossing_slopes(const analyse_result *result, analyse_rows *rows)
{
    for (size_t k = 0; k < result->crossing_count; k++)
        for (unsigned n = 0; n < 2; n++) {
            const analyse_crossing *crossing = &result->crossings[k];
            if (!crossing->wanted || !result->want_slopes || !crossing->place.found)
                continue;
            analyse_row *row = add(rows, "crossing_slope", crossing->name,
                                   &crossing->of[n]->problem);
            row->of[1] = &crossing->of[!n]->problem;
            row->beta = crossing->place.beta;
            row->beta_error = crossing->place.beta_error;
            row->value = crossing->slopes[n].slope;
            row->error = crossing->slopes[n].slope_error;
        }
}

static void add_peaks(const analyse_result *result, analyse_rows *rows)
{
    for (size_t s = 0; s < result->scan_count; s++)
        for (size_t k = 0; analyse_peaks[k] != NULL; k++) {
            const analyse_scan *scan = &result->scans[s];
            if (scan->looked_for[k] && analyse_wants(result, analyse_peaks[k]))
                put_place(add(rows, "peak", analyse_peaks[k], &scan->problem), &scan->peaks[k]);
        }
}

/* Adds the values of a scan, or its slopes. */
static void add_scan(const analyse_result *result, const analyse_scan *scan, int slopes,
                     analyse_rows *rows)
{
    for (uint32_t b = 0; b < result->beta_count; b++)
        for (unsigned k = 0; k < scan->rows; k++) {
            const size_t at = b * scan->rows + k;
            if (!analyse_wants_row(result, scan, k))
                continue;
            analyse_row *row = add(rows, slopes ? "slope" : "reweighted", scan->names[k],
                                   &scan->problem);
            row->beta = result->betas[b];
            row->value = slopes ? scan->slopes[at].slope : scan->values[at];
            row->error = slopes ? scan->slopes[at].slope_error : scan->errors[at];
            row->overlap = scan->coverage[b].overlap;
            row->covered = scan->coverage[b].covered != 0;
            row->note = row->covered ? NULL : "outside";
        }
}

static void put_analysis(analyse_row *row, const analyse_result *result, size_t file,
                         uint32_t system, const clup_analysis *analysis)
{
    row->file = result->files[file];
    row->system = system;
    row->beta = clup_record_problem(result->records[file])->betas[system];
    row->value = analysis->mean;
    row->error = analysis->error;
    row->low = analysis->low;
    row->high = analysis->high;
    row->tau_int = analysis->tau_int;
    row->tau_error = analysis->tau_error;
    if (analysis->is_short && analysis->error > 0)
        row->note = isnan(analysis->bias) ? "short!" : "short";
}

static void add_system(analyse_result *result, size_t file, uint32_t system, analyse_rows *rows)
{
    const clup_record *record = result->records[file];
    const clup_problem *problem = clup_record_problem(record);
    const char *name;
    char text[ANALYSE_EXPRESSION];
    clup_analysis analysis;
    for (size_t k = 0; (name = analyse_name(record, system, k)) != NULL; k++) {
        if (!analyse_wants(result, name))
            continue;
        const clup_status status = clup_analysis_observable(record, system, name, &analysis);
        if (status == CLUP_OK)
            put_analysis(add(rows, "mean", name, problem), result, file, system, &analysis);
        else
            result->failed = (int)status;
    }
    for (size_t k = 0; analyse_part(result->expressions, k, text); k++) {
        const clup_status status = clup_analysis_expression(record, system, text, &analysis);
        if (status == CLUP_OK)
            put_analysis(add(rows, "expression", text, problem), result, file, system, &analysis);
        else
            result->failed = (int)status;
    }
}

void analyse_collect(analyse_result *result, analyse_rows *rows)
{
    *rows = (analyse_rows){0};
    add_crossings(result, rows);
    add_crossing_slopes(result, rows);
    add_peaks(result, rows);
    for (size_t k = 0; k < result->scan_count; k++) {
        add_scan(result, &result->scans[k], 0, rows);
        if (result->want_slopes)
            add_scan(result, &result->scans[k], 1, rows);
    }
    for (size_t k = 0; k < result->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(result->records[k]); r++)
            if (clup_record_count(result->records[k], r) > 0)
                add_system(result, k, r, rows);
}
