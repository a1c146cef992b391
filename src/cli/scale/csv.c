/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the results of clup scale as one table in CSV: a line for each value, for each parameter
 * of a fit, of a collapse and of a power law, and for each coefficient. */
#include <math.h>

#include "cli/csv.h"
#include "cli/scale/scale.h"

/* A line. What it has no value of is NAN or NULL. */
typedef struct row {
    const char *what, *observable, *parameter;
    double least, length, x, x_error, value, error, low, high, chi2, freedom, probability, quality;
} row;

static row row_of(const char *what, const char *observable)
{
    return (row){what, observable, NULL, NAN, NAN, NAN, NAN, NAN,
                 NAN,  NAN,        NAN,  NAN, NAN, NAN, NAN};
}

static void write_row(const row *row)
{
    const double numbers[] = {row->value, row->error,   row->low,         row->high,
                              row->chi2,  row->freedom, row->probability, row->quality};
    csv_text(row->what);
    putchar(',');
    csv_text(row->observable);
    csv_number(row->least);
    csv_number(row->length);
    csv_number(row->x);
    csv_number(row->x_error);
    putchar(',');
    csv_text(row->parameter != NULL ? row->parameter : "");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        csv_number(numbers[k]);
    putchar('\n');
}

/* Writes the parameters that were fitted. */
static void write_parameters(const scale_result *result, const scale_fits *of,
                             const clup_scaling_result *found, unsigned fitted, row row)
{
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        double factor;
        row.parameter = scale_parameter(result, &of->exponent, p, &factor);
        if ((fitted >> p & 1) == 0)
            continue;
        const double a = scale_shown(&of->exponent, p, found->low[p]),
                     b = scale_shown(&of->exponent, p, found->high[p]);
        row.value = scale_shown(&of->exponent, p, found->values[p]);
        row.error = found->errors[p] / fabs(factor);
        row.low = fmin(a, b);
        row.high = fmax(a, b);
        write_row(&row);
    }
}

static void write_coefficients(const char *name, const double *values, const double *errors,
                               unsigned count, row row)
{
    char text[16];
    row.parameter = text;
    for (unsigned k = 0; k < count; k++) {
        snprintf(text, sizeof text, "%s_%u", name, k);
        row.value = values[k];
        row.error = errors[k];
        write_row(&row);
    }
}

/* Writes values and fits of an observable; x is that of a power law, NAN where values have their
 * own. */
static void write_fits(const scale_result *result, const scale_fits *of, const char *observable,
                       double x, double x_error)
{
    for (size_t k = 0; k < of->point_count; k++) {
        row row = row_of(isnan(x) ? "value" : "law_value", observable);
        row.length = of->points[k].length;
        row.x = isnan(x) ? of->points[k].x : x;
        row.value = of->points[k].value;
        row.error = of->points[k].error;
        write_row(&row);
    }
    for (size_t k = 0; k < of->fit_count; k++) {
        const clup_scaling_result *fit = &of->fits[k];
        row row = row_of(isnan(x) ? "fit" : "law", observable);
        row.least = of->least[k];
        row.x = x;
        row.x_error = x_error;
        row.chi2 = fit->chi2;
        row.freedom = fit->freedom;
        row.probability = fit->freedom > 0 ? fit->probability : NAN;
        write_parameters(result, of, fit, of->model.fitted, row);
        write_coefficients("a", fit->a, fit->a_errors, of->model.terms, row);
        write_coefficients("b", fit->b, fit->b_errors, of->model.corrections, row);
    }
}

void scale_write_csv(const scale_result *result)
{
    const scale_request *request = result->request;
    const char *name = request->observable != NULL ? request->observable : request->expression;
    puts("what,observable,least,length,x,x_error,parameter,value,error,low,high,chi2,freedom,"
         "probability,quality");
    if (result->wanted)
        write_fits(result, &result->fit, name, NAN, NAN);
    if (result->wanted && request->collapse) {
        row row = row_of("collapse", name);
        row.quality = result->collapse.quality;
        write_parameters(result, &result->fit, &result->collapse,
                         result->fit.model.fitted & ~(1u << CLUP_SCALING_OMEGA), row);
    }
    for (size_t k = 0; k < result->law_count; k++) {
        const scale_law *law = &result->laws[k];
        write_fits(result, &law->of, law->name, result->at, result->at_error);
        if (result->at_error > 0) {
            row row = row_of("law_shift", law->name);
            row.x = result->at;
            row.x_error = result->at_error;
            row.parameter = law->of.exponent.name;
            row.value = law->shift;
            write_row(&row);
        }
    }
}
