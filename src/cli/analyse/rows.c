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

static void put_temperature(analyse_row *row, const analyse_scan *scan, uint32_t k)
{
    row->beta = scan->temperatures[k];
    row->overlap = scan->sampled[k].overlap;
    row->covered = scan->sampled[k].covered != 0;
    row->note = row->covered ? NULL : "outside";
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

static void add_histograms(const analyse_scan *scan, analyse_rows *rows)
{
    for (size_t h = 0; h < scan->histogram_count; h++)
        for (uint32_t k = 0; k < scan->temperature_count; k++)
            for (uint32_t bin = 0; bin < scan->histograms[h].bins; bin++) {
                const analyse_histogram *of = &scan->histograms[h];
                analyse_row *row = add(rows, "histogram", of->name, &scan->problem);
                row->x = of->low + (bin + 0.5) * of->width;
                row->value = of->shares[(size_t)k * of->bins + bin];
                row->error = of->errors[(size_t)k * of->bins + bin];
                put_temperature(row, scan, k);
            }
}

static void add_ln_z(const analyse_scan *scan, analyse_rows *rows)
{
    for (uint32_t k = 0; k < scan->temperature_count; k++) {
        analyse_row *row = add(rows, "ln_z", scan->absolute ? "ln Z" : "ln Z - ln Z(first beta)",
                               &scan->problem);
        row->value = scan->ln_z[k];
        row->error = scan->ln_z_errors[k];
        put_temperature(row, scan, k);
    }
}

static void add_double_peak(const analyse_scan *scan, analyse_rows *rows)
{
    const clup_double_peak *peak = &scan->double_peak;
    const struct {
        const char *name;
        double value, error;
        int at_height;
    } figures[] = {{"energy of the lower phase", peak->energies[0], peak->energy_errors[0], 0},
                   {"energy of the upper phase", peak->energies[1], peak->energy_errors[1], 0},
                   {"latent heat", peak->latent, peak->latent_error, 0},
                   {"ln(Pmax/Pmin)", peak->depth, peak->depth_error, 1},
                   {"interface tension", peak->tension, peak->tension_error, 1}};
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        analyse_row *row = add(rows, "double_peak", figures[k].name, &scan->problem);
        row->note = analyse_double_peak_reason(scan);
        row->value = figures[k].value;
        row->error = figures[k].error;
        row->beta = figures[k].at_height ? peak->equal_height : peak->equal_weight;
        row->beta_error = figures[k].at_height ? peak->equal_height_error
                                               : peak->equal_weight_error;
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

static void add_rho(analyse_result *result, size_t file, uint32_t system, const char *name,
                    analyse_rows *rows)
{
    const clup_record *record = result->records[file];
    double rho[ANALYSE_DISTANCES], errors[ANALYSE_DISTANCES];
    uint64_t count;
    const clup_status status = clup_analysis_correlation(record, system, name, ANALYSE_DISTANCES,
                                                         rho, errors, &count);
    if (status != CLUP_OK)
        result->failed = (int)status;
    for (uint64_t t = 0; t < count; t++) {
        analyse_row *row = add(rows, "rho", name, clup_record_problem(record));
        row->file = result->files[file];
        row->system = system;
        row->beta = clup_record_problem(record)->betas[system];
        row->x = (double)t;
        row->value = rho[t];
        row->error = errors[t];
    }
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
    for (size_t k = 0; result->want_rho && (name = analyse_name(record, system, k)) != NULL; k++)
        if (analyse_wants(result, name))
            add_rho(result, file, system, name, rows);
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
    for (size_t k = 0; k < result->scan_count && result->want_double_peaks; k++)
        add_double_peak(&result->scans[k], rows);
    for (size_t k = 0; k < result->scan_count; k++) {
        add_scan(result, &result->scans[k], 0, rows);
        if (result->want_slopes)
            add_scan(result, &result->scans[k], 1, rows);
        if (result->want_ln_z)
            add_ln_z(&result->scans[k], rows);
        add_histograms(&result->scans[k], rows);
    }
    for (size_t k = 0; k < result->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(result->records[k]); r++)
            if (clup_record_count(result->records[k], r) > 0)
                add_system(result, k, r, rows);
}
