/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the results of clup analyse as one JSON object. */
#include <math.h>
#include <stdlib.h>

#include "cli/analyse/analyse.h"
#include "cli/records.h"

/* Writes the autocorrelations of an observable, and their errors. */
static void write_rho(json *json, analyse_result *result, const clup_record *record,
                      uint32_t system, const char *name)
{
    double rho[ANALYSE_DISTANCES], errors[ANALYSE_DISTANCES];
    uint64_t count;
    const clup_status status = clup_analysis_correlation(record, system, name, ANALYSE_DISTANCES,
                                                         rho, errors, &count);
    if (status != CLUP_OK)
        result->failed = (int)status;
    json_open(json, "rho", '[');
    for (uint64_t t = 0; t < count; t++)
        json_number(json, NULL, rho[t]);
    json_close(json, ']');
    json_open(json, "rho_errors", '[');
    for (uint64_t t = 0; t < count; t++)
        json_number(json, NULL, errors[t]);
    json_close(json, ']');
}

/* Leaves the object open. */
static void write_analysis(json *json, const char *name, const clup_analysis *analysis)
{
    json_open(json, name, '{');
    json_number(json, "mean", analysis->mean);
    json_number(json, "error", analysis->error);
    json_number(json, "low", analysis->low);
    json_number(json, "high", analysis->high);
    json_number(json, "bias", analysis->bias);
    json_number(json, "naive_error", analysis->naive_error);
    json_number(json, "tau_int", analysis->tau_int);
    json_number(json, "tau_error", analysis->tau_error);
    json_number(json, "binning_error", analysis->binning_error);
    json_flag(json, "plateau", analysis->plateau < analysis->levels);
    json_open(json, "binning", '[');
    for (unsigned k = 0; k < analysis->levels; k++)
        json_number(json, NULL, analysis->binning[k]);
    json_close(json, ']');
    json_number(json, "jackknife_error", analysis->jackknife_error);
    json_whole(json, "blocks", analysis->blocks);
    json_flag(json, "short", analysis->is_short);
}

static void write_covariance(json *json, const clup_record *record, uint32_t system)
{
    unsigned blocks;
    size_t n = 0;
    while (clup_record_observable(record, n) != NULL)
        n++;
    double *matrix = malloc(n * n * sizeof *matrix);
    const int known = matrix != NULL &&
                      clup_analysis_covariance(record, system, matrix, &blocks) == CLUP_OK;
    json_open(json, "covariance", '{');
    json_whole(json, "blocks", known ? blocks : 0);
    json_open(json, "observables", '[');
    for (size_t k = 0; k < n; k++)
        json_text(json, NULL, clup_record_observable(record, k));
    json_close(json, ']');
    json_open(json, "matrix", '[');
    for (size_t i = 0; i < n && known; i++) {
        json_open(json, NULL, '[');
        for (size_t j = 0; j < n; j++)
            json_number(json, NULL, matrix[i * n + j]);
        json_close(json, ']');
    }
    json_close(json, ']');
    json_close(json, '}');
    free(matrix);
}

static void write_expressions(json *json, analyse_result *result, const clup_record *record,
                              uint32_t system)
{
    char text[ANALYSE_EXPRESSION];
    json_open(json, "expressions", '{');
    for (size_t k = 0; analyse_part(result->expressions, k, text); k++) {
        clup_analysis analysis;
        const clup_status status = clup_analysis_expression(record, system, text, &analysis);
        if (status != CLUP_OK) {
            result->failed = (int)status;
            continue;
        }
        write_analysis(json, text, &analysis);
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void write_system(json *json, analyse_result *result, const clup_record *record,
                         uint32_t system)
{
    const clup_problem *problem = clup_record_problem(record);
    const uint64_t count = clup_record_count(record, system);
    const char *name;
    json_open(json, NULL, '{');
    if (isinf(problem->betas[system]))
        json_text(json, cli_parameter(problem), "inf");
    else
        json_number(json, cli_parameter(problem), problem->betas[system]);
    json_whole(json, "replica", (uint64_t)problem->first_replica + system);
    json_text(json, "spins_sha256", clup_record_spins(record, system));
    json_whole(json, "values", count);
    json_open(json, "observables", '{');
    for (size_t k = 0; (name = analyse_name(record, system, k)) != NULL && count > 0; k++) {
        clup_analysis analysis;
        if (!analyse_wants(result, name))
            continue;
        const clup_status status = clup_analysis_observable(record, system, name, &analysis);
        if (status != CLUP_OK) {
            result->failed = (int)status;
            continue;
        }
        write_analysis(json, name, &analysis);
        if (result->want_rho)
            write_rho(json, result, record, system, name);
        json_close(json, '}');
    }
    json_close(json, '}');
    if (count > 0 && result->expressions != NULL)
        write_expressions(json, result, record, system);
    if (count > 0)
        write_covariance(json, record, system);
    json_close(json, '}');
}

static void write_file(json *json, analyse_result *result, size_t file)
{
    const clup_record *record = result->records[file];
    const clup_problem *problem = clup_record_problem(record);
    const char *key;
    json_open(json, NULL, '{');
    json_text(json, "file", result->files[file]);
    if (cli_is_percolation(problem))
        json_text(json, "model", clup_model_name(problem->model));
    cli_write_fields(json, problem, CLUP_FIELD_LAW | CLUP_FIELD_SIZE);
    json_open(json, "said", '{');
    for (size_t k = 0; (key = clup_record_key(record, k)) != NULL; k++)
        json_text(json, key, clup_record_get(record, key));
    json_close(json, '}');
    json_open(json, "systems", '[');
    for (uint32_t r = 0; r < clup_record_systems(record); r++)
        write_system(json, result, record, r);
    json_close(json, ']');
    json_close(json, '}');
}

/* Writes where a place is, or why it was not found, and the range of beta that was searched. */
static void write_place(json *json, const clup_place *place, int looked_for)
{
    json_flag(json, "found", place->found);
    json_text(json, "reason", looked_for ? analyse_place_reason(place) : "not looked for");
    json_number(json, "from", place->from);
    json_number(json, "to", place->to);
    json_number(json, "beta", place->found ? place->beta : NAN);
    json_number(json, "beta_error", place->found ? place->beta_error : NAN);
    json_number(json, "value", place->found ? place->value : NAN);
    json_number(json, "value_error", place->found ? place->value_error : NAN);
}

static void write_scan(json *json, const analyse_result *result, const analyse_scan *scan)
{
    json_open(json, NULL, '{');
    cli_write_size(json, "size", &scan->problem);
    if (clup_graph_called(scan->problem.graph) != NULL)
        json_text(json, "called", clup_graph_called(scan->problem.graph));
    json_whole(json, "blocks", clup_reweighting_blocks(scan->reweighting));
    json_open(json, "points", '[');
    for (uint32_t k = 0; k < result->beta_count; k++) {
        json_open(json, NULL, '{');
        json_number(json, "beta", result->betas[k]);
        json_number(json, "overlap", scan->coverage[k].overlap);
        json_number(json, "independent", scan->coverage[k].independent);
        json_flag(json, "covered", scan->coverage[k].covered);
        for (unsigned row = 0; row < scan->rows; row++) {
            const size_t at = k * scan->rows + row;
            if (!analyse_wants_row(result, scan, row))
                continue;
            json_open(json, scan->names[row], '{');
            json_number(json, "mean", scan->values[at]);
            json_number(json, "error", scan->errors[at]);
            if (scan->slopes != NULL) {
                json_number(json, "slope", scan->slopes[at].slope);
                json_number(json, "slope_error", scan->slopes[at].slope_error);
            }
            json_close(json, '}');
        }
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "peaks", '{');
    for (size_t k = 0; analyse_peaks[k] != NULL; k++) {
        json_open(json, analyse_peaks[k], '{');
        write_place(json, &scan->peaks[k], scan->looked_for[k]);
        json_close(json, '}');
    }
    json_close(json, '}');
    analyse_write_distribution(json, result, scan);
    json_close(json, '}');
}

void analyse_write_json(analyse_result *result)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/analyse/1");
    json_text(&json, "version", clup_version());
    json_open(&json, "files", '[');
    for (size_t k = 0; k < result->count; k++)
        write_file(&json, result, k);
    json_close(&json, ']');
    json_open(&json, "reweighted", '[');
    for (size_t k = 0; k < result->scan_count; k++)
        write_scan(&json, result, &result->scans[k]);
    json_close(&json, ']');
    json_open(&json, "crossings", '[');
    for (size_t k = 0; k < result->crossing_count; k++) {
        const analyse_crossing *crossing = &result->crossings[k];
        json_open(&json, NULL, '{');
        json_text(&json, "observable", crossing->name);
        json_open(&json, "sizes", '[');
        cli_write_size(&json, NULL, &crossing->of[0]->problem);
        cli_write_size(&json, NULL, &crossing->of[1]->problem);
        json_close(&json, ']');
        write_place(&json, &crossing->place, 1);
        if (result->want_slopes) {
            json_open(&json, "slopes", '[');
            for (unsigned n = 0; n < 2 && crossing->place.found; n++) {
                json_open(&json, NULL, '{');
                json_number(&json, "slope", crossing->slopes[n].slope);
                json_number(&json, "slope_error", crossing->slopes[n].slope_error);
                json_close(&json, '}');
            }
            json_close(&json, ']');
        }
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_close(&json, '}');
    json_end(&json);
}
