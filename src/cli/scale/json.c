/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the results of clup scale as one JSON object. */
#include <math.h>

#include "cli/scale/scale.h"

static int fits(const scale_fits *of, unsigned p)
{
    return of->model.fitted >> p & 1;
}

/* Whether a parameter is part of the model. */
static int has(const scale_fits *of, unsigned p)
{
    return p == CLUP_SCALING_OMEGA ? of->model.corrections > 0
                                   : p == CLUP_SCALING_KAPPA || of->model.terms > 1;
}

static void write_pair(json *json, const char *key, double value, double error)
{
    json_open(json, key, '{');
    json_number(json, "value", value);
    json_number(json, "error", error);
    json_close(json, '}');
}

static void write_parameters(json *json, const scale_result *result, const scale_fits *of,
                             const clup_scaling_result *fit)
{
    json_open(json, "parameters", '{');
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        double factor;
        const char *name = scale_parameter(result, &of->exponent, p, &factor);
        if (!has(of, p))
            continue;
        const double a = scale_shown(&of->exponent, p, fit->low[p]),
                     b = scale_shown(&of->exponent, p, fit->high[p]);
        json_open(json, name, '{');
        json_number(json, "value", scale_shown(&of->exponent, p, fit->values[p]));
        json_number(json, "error", fit->errors[p] / fabs(factor));
        json_number(json, "low", fmin(a, b));
        json_number(json, "high", fmax(a, b));
        json_flag(json, "fitted", fits(of, p));
        json_close(json, '}');
    }
    json_close(json, '}');
}

static void write_covariance(json *json, const scale_result *result, const scale_fits *of,
                             const clup_scaling_result *fit)
{
    double factor, other;
    json_open(json, "covariance", '{');
    json_open(json, "parameters", '[');
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++)
        if (fits(of, p))
            json_text(json, NULL, scale_parameter(result, &of->exponent, p, &factor));
    json_close(json, ']');
    json_open(json, "matrix", '[');
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        if (!fits(of, p))
            continue;
        scale_parameter(result, &of->exponent, p, &factor);
        json_open(json, NULL, '[');
        for (unsigned q = 0; q < CLUP_SCALING_PARAMETERS; q++) {
            scale_parameter(result, &of->exponent, q, &other);
            if (fits(of, q))
                json_number(json, NULL, fit->covariance[p][q] / (factor * other));
        }
        json_close(json, ']');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void write_fit(json *json, const scale_result *result, const scale_fits *of, size_t k)
{
    const clup_scaling_result *fit = &of->fits[k];
    json_open(json, NULL, '{');
    json_number(json, "least", of->least[k]);
    json_whole(json, "sizes", fit->sizes);
    json_whole(json, "independent", fit->points);
    write_parameters(json, result, of, fit);
    write_covariance(json, result, of, fit);
    json_open(json, "a", '[');
    for (unsigned t = 0; t < of->model.terms; t++)
        write_pair(json, NULL, fit->a[t], fit->a_errors[t]);
    json_close(json, ']');
    json_open(json, "b", '[');
    for (unsigned t = 0; t < of->model.corrections; t++)
        write_pair(json, NULL, fit->b[t], fit->b_errors[t]);
    json_close(json, ']');
    json_number(json, "chi2", fit->chi2);
    json_whole(json, "freedom", fit->freedom);
    json_number(json, "probability", fit->probability);
    json_close(json, '}');
}

/* Writes values and fits. */
static void write_fits(json *json, const scale_result *result, const scale_fits *of)
{
    size_t values, kept;
    double length;
    json_open(json, "sizes", '[');
    for (size_t k = 0; (length = clup_scaling_length(of->scaling, k, &values, &kept)) > 0; k++) {
        json_open(json, NULL, '{');
        json_number(json, "length", length);
        json_whole(json, "values", values);
        json_whole(json, "independent", kept);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "values", '[');
    for (size_t k = 0; k < of->point_count; k++) {
        json_open(json, NULL, '{');
        json_number(json, "length", of->points[k].length);
        json_number(json, "x", of->points[k].x);
        json_number(json, "value", of->points[k].value);
        json_number(json, "error", of->points[k].error);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_open(json, "fits", '[');
    for (size_t k = 0; k < of->fit_count; k++)
        write_fit(json, result, of, k);
    json_close(json, ']');
}

static void write_collapse(json *json, const scale_result *result)
{
    json_open(json, "collapse", '{');
    json_number(json, "quality", result->collapse.quality);
    json_number(json, "fit_quality", result->fit_quality);
    json_whole(json, "compared", result->collapse.points);
    write_parameters(json, result, &result->fit, &result->collapse);
    json_close(json, '}');
}

static void write_laws(json *json, const scale_result *result)
{
    json_open(json, "at", '{');
    json_number(json, "x", result->at);
    json_number(json, "error", result->at_error);
    json_open(json, "laws", '[');
    for (size_t k = 0; k < result->law_count; k++) {
        const scale_law *law = &result->laws[k];
        json_open(json, NULL, '{');
        json_text(json, "observable", law->name);
        json_text(json, "exponent", law->of.exponent.name);
        write_fits(json, result, &law->of);
        json_number(json, "shift", law->shift);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

void scale_write_json(const scale_result *result)
{
    const scale_request *request = result->request;
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/scale/1");
    json_text(&json, "version", clup_version());
    json_open(&json, "files", '[');
    for (size_t k = 0; k < request->file_count; k++)
        json_text(&json, NULL, request->files[k]);
    json_close(&json, ']');
    json_text(&json, "x", request->x->option);
    json_text(&json, "observable",
              request->observable != NULL ? request->observable : request->expression);
    json_flag(&json, "reweighted", request->beta_count > 0);
    json_whole(&json, "short", result->short_count);
    if (result->wanted)
        write_fits(&json, result, &result->fit);
    if (request->collapse)
        write_collapse(&json, result);
    if (request->at_point)
        write_laws(&json, result);
    json_close(&json, '}');
    json_end(&json);
}
