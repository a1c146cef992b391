/* SPDX-License-Identifier: BSD-3-Clause */
/* clup scale: critical points and exponents from series of several sizes. */
#include "cli/scale/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/result.h"
#include "cli/bench/bench.h"

static scale_request request = {.terms = 4, .corrections = 1, .from = -INFINITY, .to = INFINITY};

static clup_status set_file(void *target, const char *value)
{
    (void)target;
    request.files[request.file_count++] = value;
    return CLUP_OK;
}

static clup_status set_observable(void *target, const char *value)
{
    (void)target;
    request.observable = value;
    return strlen(value) < SCALE_NAME && strchr(value, ',') == NULL
               ? CLUP_OK
               : cli_refuse("is not the name of one observable");
}

static clup_status set_expression(void *target, const char *value)
{
    (void)target;
    request.expression = value;
    return strlen(value) < SCALE_EXPRESSION
               ? CLUP_OK
               : cli_refuse("has more than %d characters", SCALE_EXPRESSION - 1);
}

static clup_status set_x(void *target, const char *value)
{
    (void)target;
    request.x = scale_axis_of(value);
    return request.x != NULL ? CLUP_OK : cli_refuse("is not known; there is beta, temperature, p");
}

static clup_status set_betas(void *target, const char *value)
{
    (void)target;
    const clup_status status = cli_parse_numbers(value, &request.betas, &request.beta_count);
    for (uint32_t k = 0; status == CLUP_OK && k < request.beta_count; k++)
        if (!(request.betas[k] > 0) || !isfinite(request.betas[k]))
            return cli_refuse("has %g, which is not a number above 0", request.betas[k]);
    return status;
}

static clup_status set_range(void *target, const char *value)
{
    (void)target;
    char from[64];
    const char *colon = strchr(value, ':');
    if (colon == NULL || (size_t)(colon - value) >= sizeof from)
        return cli_refuse("is not FROM:TO");
    snprintf(from, sizeof from, "%.*s", (int)(colon - value), value);
    if (cli_parse_double(from, &request.from) != CLUP_OK ||
        cli_parse_double(colon + 1, &request.to) != CLUP_OK || !(request.to > request.from))
        return cli_refuse("is not FROM:TO, two numbers of which the second is the larger");
    return CLUP_OK;
}

static clup_status set_degree(void *target, const char *value)
{
    (void)target;
    uint64_t degree;
    const clup_status status = cli_parse_whole(value, 1, CLUP_SCALING_TERMS - 1, &degree);
    request.terms = status == CLUP_OK ? (unsigned)degree + 1 : request.terms;
    return status;
}

static clup_status set_correction_degree(void *target, const char *value)
{
    (void)target;
    uint64_t degree;
    const clup_status status = cli_parse_whole(value, 0, CLUP_SCALING_TERMS - 1, &degree);
    request.corrections = status == CLUP_OK ? (unsigned)degree + 1 : request.corrections;
    return status;
}

static clup_status set_at(void *target, const char *value)
{
    (void)target;
    request.at_point = 1;
    request.at_fitted = strcmp(value, "fit") == 0;
    if (request.at_fitted)
        return CLUP_OK;
    return cli_parse_double(value, &request.at) == CLUP_OK && request.at > 0 && isfinite(request.at)
               ? CLUP_OK
               : cli_refuse("is neither fit nor a number above 0");
}

static clup_status set_format(void *target, const char *value)
{
    static void (*const writers[CLI_FORMATS])(const scale_result *result) = {
        [CLI_TABLE] = scale_print,
        [CLI_CSV] = scale_write_csv,
        [CLI_LATEX] = scale_write_latex,
        [CLI_JSON] = scale_write_json};
    size_t format = 0;
    (void)target;
    const clup_status status = cli_parse_format(value, &format);
    if (status == CLUP_OK)
        request.write = writers[format];
    return status;
}

CLI_SET(set_fit, fit, value)
CLI_SET(set_fix, fix, value)
CLI_SET(set_start, start, value)
CLI_SET(set_laws, laws, value)
CLI_SET(set_collapse, collapse, 1)
CLI_SET(set_out, out, value)
CLI_SET(set_json, write, scale_write_json)
CLI_SET(set_quiet, quiet, 1)

static const cli_option options[] = {
    {"observable", 0, "NAME", "fit this observable, such as binder", set_observable},
    {"expr", 0, "TEXT", "fit an expression in means instead, such as m4/m2^2", set_expression},
    {"x", 0, "beta|temperature|p", "against this (beta, of percolation p)", set_x},
    {"fit", 0, "NAME,NAME,..",
     "beta_c, T_c or p_c, nu, an exponent such as gamma/nu, omega (all but omega)", set_fit},
    {"fix", 0, "NAME=VALUE,..", "values of parameters that are not fitted", set_fix},
    {"start", 0, "NAME=VALUE,..", "where fits begin (they search by themselves)", set_start},
    {"degree", 0, "N", "of the polynomial in (x - x_c) L^(1/nu) (3)", set_degree},
    {"correction-degree", 0, "N", "of the polynomial that L^-omega multiplies (0)",
     set_correction_degree},
    {"range", 0, "FROM:TO", "values where x is in between alone", set_range},
    {"reweight", 0, "FROM:TO:N|X,X,..",
     "values at these inverse temperatures, by all energies of a size", set_betas},
    {"collapse", 0, NULL, "also find the best collapse of the values", set_collapse},
    {"at", 0, "fit|X", "power laws of sizes where x has this value", set_at},
    {"laws", 0, "NAME,NAME,..", "of these, such as chi,binder_slope (all that are known)",
     set_laws},
    {"out", 0, "DIR", "draw pictures into a folder, which is made", set_out},
    {"format", 0, "table|csv|latex|json", "what the results are printed as (table)", set_format},
    {"json", 0, NULL, "print one JSON object instead of tables", set_json},
    {"quiet", 'q', NULL, "no progress bar", set_quiet},
    {0},
};

/* Refuses options that do not go together. */
static int check_request(void)
{
    const int fits = request.observable != NULL || request.expression != NULL;
    if (request.observable != NULL && request.expression != NULL)
        return cli_usage_error("--observable and --expr: one of them is fitted");
    if (!fits && !request.at_point)
        return cli_usage_error("--observable, --expr or --at says what is fitted");
    if (!fits && (request.collapse || request.at_fitted))
        return cli_usage_error("%s needs --observable or --expr",
                               request.collapse ? "--collapse" : "--at fit");
    if (request.laws != NULL && !request.at_point)
        return cli_usage_error("--laws goes with --at");
    const size_t length = request.observable != NULL ? strlen(request.observable) : 0;
    if (length > 6 && strcmp(request.observable + length - 6, "_slope") == 0 &&
        request.beta_count == 0)
        return cli_usage_error("--observable '%s', a derivative, goes with --reweight",
                               request.observable);
    return 0;
}

static void warn_of_tempering(const scale_result *result)
{
    for (size_t k = 0; k < result->record_count; k++)
        if (clup_record_series(result->records[k], 0, "walker") != NULL) {
            char text[400];
            snprintf(text, sizeof text,
                     "'%.200s' is of parallel tempering: values at its temperatures are "
                     "correlated, which --reweight takes into account",
                     request.files[k]);
            cli_warn(text);
            return;
        }
}

/* Sets what values are fitted against, by the first file. Refuses what its kind does not have. */
static int check_axis(const scale_result *result)
{
    const scale_axis *usual = scale_axis_usual(clup_record_problem(result->records[0]));
    if (request.x == NULL)
        request.x = usual;
    if (request.x->percolation != usual->percolation)
        return cli_usage_error("--x %s: '%s' is of %s", request.x->option, request.files[0],
                               usual->percolation ? "percolation, which has p" : "a simulation");
    if (usual->percolation && request.expression != NULL)
        return cli_usage_error(
            "--expr goes with simulations; of percolation --observable is fitted");
    return usual->percolation && request.beta_count > 0
               ? cli_usage_error("--reweight: samples of percolation have no temperature")
               : 0;
}

/* Fits the observable. */
static int fit(scale_result *result)
{
    int code;
    if (request.beta_count == 0 && !result->disorder)
        warn_of_tempering(result);
    if ((code = scale_collect(result)) != 0 ||
        (code = scale_fit(&result->fit, request.observable != NULL ? request.observable
                                                                   : request.expression)) != 0 ||
        !request.collapse)
        return code;
    clup_scaling_model model = result->fit.model;
    const unsigned omega = 1u << CLUP_SCALING_OMEGA;
    model.fitted &= ~omega;
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++)
        if (model.fitted >> p & 1 && isnan(model.values[p]))
            model.values[p] = result->fit.fits[0].values[p];
    clup_status status = clup_scaling_collapse(result->fit.scaling, &model, &result->collapse);
    if (status == CLUP_OK)
        status = clup_scaling_quality(result->fit.scaling, result->fit.fits[0].values, 0,
                                      &result->fit_quality, NULL);
    return status == CLUP_OK            ? 0
           : status == CLUP_ERROR_USAGE ? cli_usage_error("--collapse: %s", clup_error_detail())
                                        : cli_fail(status);
}

static int work(scale_result *result)
{
    clup_status status = CLUP_OK;
    char note[600] = "";
    int code;
    for (; result->record_count < request.file_count && status == CLUP_OK; result->record_count++)
        status = clup_record_read(request.files[result->record_count],
                                  &result->records[result->record_count]);
    cli_clear();
    if (status != CLUP_OK)
        return cli_fail(status);
    if ((code = check_axis(result)) != 0 || (code = scale_read_model(result)) != 0 ||
        (code = scale_sort(result)) != 0 || (result->wanted && (code = fit(result)) != 0))
        return code;
    result->at = request.at_fitted ? result->fit.fits[0].values[CLUP_SCALING_X_C] : request.at;
    result->at_error = request.at_fitted ? result->fit.fits[0].errors[CLUP_SCALING_X_C] : 0;
    if (request.at_point && (code = scale_fit_laws(result)) != 0)
        return code;
    (request.write != NULL ? request.write : scale_print)(result);
    cli_flush();
    if (request.out == NULL)
        return 0;
    if ((status = scale_draw(result, request.out, note, sizeof note)) != CLUP_OK)
        return bench_cli_fail(status);
    cli_warn(note);
    return 0;
}

static int run(void)
{
    int code = check_request();
    if (code != 0) {
        free(request.betas);
        return code;
    }
    scale_result *result = calloc(1, sizeof *result);
    if (result == NULL)
        return cli_fail_memory("the series");
    result->request = &request;
    result->wanted = request.observable != NULL || request.expression != NULL;
    cli_watch(request.quiet);
    code = work(result);
    scale_free_fits(&result->fit);
    for (size_t k = 0; k < result->law_count; k++)
        scale_free_fits(&result->laws[k].of);
    for (size_t k = 0; k < result->size_count; k++)
        clup_reweighting_free(result->sizes[k].reweighting);
    for (size_t k = 0; k < result->record_count; k++)
        clup_record_free(result->records[k]);
    free(result);
    free(request.betas);
    return code;
}

static const cli_operand operand = {
    {"F.h5", 0, "F.h5|F.csv",
     "series of clup simulate --series or percolate --series, of two sizes or more", set_file},
    1,
    SCALE_FILES};

const cli_command cli_scale = {
    "scale",  "critical points and exponents from several sizes",
    options,  &request,
    run,      NULL,
    &operand, NULL,
};
