/* SPDX-License-Identifier: BSD-3-Clause */
/* clup analyse: errors of series, and reweighting to other temperatures. */
#include "cli/analyse/analyse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/result.h"
#include "cli/bench/bench.h"
#include "cli/records.h"

/* The most bins of a histogram. */
#define BINS_MOST 4096

static struct {
    const char *files[ANALYSE_FILES], *names, *expressions, *crossed, *histograms, *out;
    size_t count;
    double *betas;
    uint32_t beta_count;
    void (*write)(analyse_result *result); /* NULL: analyse_print */
    int quiet, all_pairs, slopes, ln_z, double_peaks, rho;
    uint64_t bins;
} request;

static clup_status set_format(void *target, const char *value)
{
    static void (*const writers[CLI_FORMATS])(analyse_result *
                                              result) = {[CLI_TABLE] = analyse_print,
                                                         [CLI_CSV] = analyse_write_csv,
                                                         [CLI_LATEX] = analyse_write_latex,
                                                         [CLI_JSON] = analyse_write_json};
    size_t format = 0;
    (void)target;
    const clup_status status = cli_parse_format(value, &format);
    if (status == CLUP_OK)
        request.write = writers[format];
    return status;
}

static clup_status set_file(void *target, const char *value)
{
    (void)target;
    request.files[request.count++] = value;
    return CLUP_OK;
}

static clup_status set_reweight(void *target, const char *value)
{
    (void)target;
    const clup_status status = cli_parse_numbers(value, &request.betas, &request.beta_count);
    for (uint32_t k = 0; status == CLUP_OK && k < request.beta_count; k++)
        if (!(request.betas[k] >= 0) || !isfinite(request.betas[k]))
            return cli_refuse("has %g, which is not a number from 0 up", request.betas[k]);
    return status;
}

/* A text that does not fit is refused, not cut off. */
static clup_status check_parts(const char *value)
{
    for (const char *at = value; at != NULL; at = strchr(at, ';'), at = at != NULL ? at + 1 : NULL)
        if (strcspn(at, ";") >= ANALYSE_EXPRESSION)
            return cli_refuse("has an expression of more than %d characters",
                              ANALYSE_EXPRESSION - 1);
    return CLUP_OK;
}

static clup_status set_expressions(void *target, const char *value)
{
    (void)target;
    request.expressions = value;
    return check_parts(value);
}

static clup_status set_crossed(void *target, const char *value)
{
    (void)target;
    request.crossed = value;
    return check_parts(value);
}

CLI_SET(set_names, names, value)
CLI_SET(set_all_pairs, all_pairs, 1)
CLI_SET(set_slopes, slopes, 1)
CLI_SET(set_ln_z, ln_z, 1)
CLI_SET(set_double_peaks, double_peaks, 1)
CLI_SET(set_rho, rho, 1)

static clup_status set_histograms(void *target, const char *value)
{
    (void)target;
    request.histograms = value;
    for (const char *at = value; at != NULL; at = strchr(at, ','), at = at != NULL ? at + 1 : NULL)
        if (strcspn(at, ",") == 0 || strcspn(at, ",") > 63)
            return cli_refuse("has a name of no or too many characters");
    return CLUP_OK;
}

static clup_status set_bins(void *target, const char *value)
{
    (void)target;
    return cli_parse_whole(value, 2, BINS_MOST, &request.bins);
}

CLI_SET(set_out, out, value)
CLI_SET(set_json, write, analyse_write_json)
CLI_SET(set_quiet, quiet, 1)

static const cli_option options[] = {
    {"reweight", 0, "FROM:TO:N|X,X,..",
     "means at other inverse temperatures, peaks, and where sizes cross", set_reweight},
    {"crossings", 0, "NAME;TEXT;..",
     "observables and expressions of which crossings of sizes are searched for "
     "(binder;xi_over_l, and --expr)",
     set_crossed},
    {"all-pairs", 0, NULL, "search crossings of all pairs of sizes, not of neighbours alone",
     set_all_pairs},
    {"slopes", 0, NULL, "derivatives by beta as well, at these temperatures and at crossings",
     set_slopes},
    {"histograms", 0, "NAME,NAME,..",
     "shares of energy, abs_m or other values in bins, at the temperatures of the systems and of "
     "--reweight",
     set_histograms},
    {"bins", 0, "N", "at most so many bins (64)", set_bins},
    {"ln-z", 0, NULL, "ln Z, or its differences, at these temperatures", set_ln_z},
    {"double-peaks", 0, NULL, "transitions of first order: latent heat and interface tension",
     set_double_peaks},
    {"rho", 0, NULL, "autocorrelations of series, in CSV and JSON, and in pictures", set_rho},
    {"observables", 0, "NAME,NAME,..", "these alone (all that the files have)", set_names},
    {"expr", 0, "TEXT;TEXT;..", "expressions in means as well, such as 1 - m4/(3*m2^2)",
     set_expressions},
    {"out", 0, "DIR", "draw pictures into a folder, which is made", set_out},
    {"format", 0, "table|csv|latex|json", "what the results are printed as (table)", set_format},
    {"json", 0, NULL, "print one JSON object instead of tables", set_json},
    {"quiet", 'q', NULL, "no progress bar", set_quiet},
    {0},
};

/* Validates that each name in --observables exists. */
static int check_names(const analyse_result *result)
{
    char name[80];
    for (const char *at = result->names; at != NULL;
         at = strchr(at, ','), at = at != NULL ? at + 1 : NULL) {
        int known = 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        for (size_t k = 0; k < result->count; k++) {
            const char *other;
            for (size_t row = 0; (other = analyse_name(result->records[k], 0, row)) != NULL; row++)
                known |= strcmp(name, other) == 0;
        }
        if (!known)
            return cli_usage_error("--observables '%s': no file has it", name);
    }
    return 0;
}

/* Validates that each expression has a value in all systems. */
static int check_expressions(const analyse_result *result)
{
    char text[ANALYSE_EXPRESSION];
    for (size_t k = 0; k < result->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(result->records[k]); r++)
            for (size_t row = 0; analyse_part(result->expressions, row, text); row++)
                if (clup_record_count(result->records[k], r) > 0 &&
                    clup_analysis_expression(result->records[k], r, text, NULL) != CLUP_OK)
                    return cli_usage_error("--expr: %s", clup_error_detail());
    return 0;
}

static int draw(const analyse_result *result)
{
    char note[600] = "";
    const clup_status status = analyse_draw(result, request.out, note, sizeof note);
    if (status != CLUP_OK)
        return bench_cli_fail(status);
    cli_warn(note);
    return 0;
}

static int analyse(analyse_result *result)
{
    clup_status status = CLUP_OK;
    char note[600] = "";
    int code = 0;
    for (; result->count < request.count && status == CLUP_OK; result->count++)
        status = clup_record_read(request.files[result->count], &result->records[result->count]);
    if (status != CLUP_OK)
        return cli_fail(status);
    if ((code = cli_records_alike(result->files, result->records, result->count)) != 0 ||
        (code = check_names(result)) != 0 || (code = check_expressions(result)) != 0)
        return code;
    cli_warn_of_seeds(result->files, result->records, result->count);
    if (analyse_scans(result) && cli_is_percolation(clup_record_problem(result->records[0])))
        return cli_usage_error("samples of percolation have no temperature, which --reweight, "
                               "--histograms and --ln-z need");
    if (analyse_scans(result) && (status = analyse_group(result, note, sizeof note)) == CLUP_OK) {
        if ((code = analyse_check_crossed(result)) != 0)
            return code;
        analyse_note_unknown(result, note, sizeof note);
        status = analyse_reweight(result);
    }
    if (status != CLUP_OK) {
        cli_clear();
        return status == CLUP_ERROR_USAGE ? cli_usage_error("%s", clup_error_detail())
                                          : cli_fail(status);
    }
    cli_clear();
    cli_warn(note);
    (request.write != NULL ? request.write : analyse_print)(result);
    cli_flush();
    if (result->failed != CLUP_OK)
        return cli_fail((clup_status)result->failed);
    return request.out != NULL ? draw(result) : 0;
}

static int run(void)
{
    if (request.bins > 0 && request.histograms == NULL && !request.double_peaks)
        return cli_usage_error("--bins goes with --histograms or --double-peaks");
    if (request.rho && request.write != analyse_write_csv && request.write != analyse_write_json &&
        request.out == NULL)
        return cli_usage_error("--rho goes with --format csv or json, or with --out");
    analyse_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return cli_fail_memory("the series");
    memcpy(result->files, request.files, sizeof request.files);
    result->names = request.names;
    result->expressions = request.expressions;
    result->crossed = request.crossed;
    result->all_pairs = request.all_pairs;
    result->want_slopes = request.slopes;
    result->histograms = request.histograms;
    result->bins = (uint32_t)request.bins;
    result->want_ln_z = request.ln_z;
    result->want_rho = request.rho;
    result->want_double_peaks = request.double_peaks;
    result->betas = request.betas;
    result->beta_count = request.beta_count;
    cli_watch(request.quiet);
    const int code = analyse(result);
    analyse_free(result);
    free(request.betas);
    return code;
}

static const cli_operand operand = {
    {"F.h5", 0, "F.h5|F.csv", "series of clup simulate or percolate --series, as HDF5 or tables",
     set_file},
    1,
    ANALYSE_FILES};

const cli_command cli_analyse = {
    "analyse", "errors of series, and means at other temperatures",
    options,   &request,
    run,       NULL,
    &operand,  NULL,
};
