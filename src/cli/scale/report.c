/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of clup scale: of the fit, of the collapse, and of each power law. A line is a fit from a
 * smallest size on. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cli/scale/scale.h"
#include "cli/table.h"
#include "cli/value.h"

#define COLUMN 16

static void print_value(double value, double error)
{
    char text[VALUE_TEXT];
    value_text(value, error, text);
    printf("%*s", COLUMN, text);
}

/* Prints one of several items after each other, on a new line where it does not fit. column is that
 * of the place, 0 before the first item, which begin introduces. */
static void print_item(int *column, const char *begin, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void print_item(int *column, const char *begin, const char *format, ...)
{
    char text[SCALE_EXPRESSION];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    const int length = (int)strlen(text);
    if (*column == 0)
        *column = printf("  %s", begin);
    else if (*column + length + 3 > TABLE_COLUMNS)
        *column = printf(",\n    ") - 2;
    else
        *column += printf(", ");
    *column += printf("%s", text);
}

static int fits(const scale_fits *of, unsigned p)
{
    return of->model.fitted >> p & 1;
}

/* ---- tables of fits -------------------------------------------------------------------------- */

static void print_head(const scale_result *result, const scale_fits *of)
{
    double factor;
    printf("  %6s", "from L");
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++)
        if (fits(of, p))
            printf("%*s", COLUMN, scale_parameter(result, &of->exponent, p, &factor));
    printf("%14s%13s\n", "chi2/freedom", "probability");
}

static void print_fit(const scale_result *result, const scale_fits *of, size_t k)
{
    const clup_scaling_result *fit = &of->fits[k];
    char chi2[40];
    printf("  %6g", of->least[k]);
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        double factor;
        scale_parameter(result, &of->exponent, p, &factor);
        if (fits(of, p))
            print_value(scale_shown(&of->exponent, p, fit->values[p]),
                        fit->errors[p] / fabs(factor));
    }
    snprintf(chi2, sizeof chi2, "%.1f/%u", fit->chi2, fit->freedom);
    printf("%14s", chi2);
    if (fit->freedom > 0)
        printf("%13.3g\n", fit->probability);
    else
        printf("%13s\n", "-");
}

static void print_fits(const scale_result *result, const scale_fits *of)
{
    print_head(result, of);
    for (size_t k = 0; k < of->fit_count; k++)
        print_fit(result, of, k);
    if (of->fits[0].freedom > 0 && of->fits[0].probability < 0.01)
        printf("  note: the values of all sizes do not follow this function: errors are not to be "
               "relied on\n  where the probability is below 0.01\n");
}

/* ---- the fit --------------------------------------------------------------------------------- */

static void print_function(const scale_result *result)
{
    const scale_request *request = result->request;
    const scale_fits *of = &result->fit;
    const char *x = request->x->name, *x_c = request->x->critical;
    char power[SCALE_POWER + 8] = "", exponent[SCALE_POWER];
    scale_power(&of->exponent, exponent);
    if (fits(of, CLUP_SCALING_KAPPA))
        snprintf(power, sizeof power, "L^(%s) ", exponent);
    else if (of->model.values[CLUP_SCALING_KAPPA] != 0)
        snprintf(power, sizeof power, "L^%.6g ", of->model.values[CLUP_SCALING_KAPPA]);
    printf("%s = %s(a_0 + .. + a_%u z^%u",
           request->observable != NULL ? request->observable : request->expression, power,
           of->model.terms - 1, of->model.terms - 1);
    if (of->model.corrections == 1)
        printf(" + L^-omega b_0");
    else if (of->model.corrections > 1)
        printf(" + L^-omega (b_0 + .. + b_%u z^%u)", of->model.corrections - 1,
               of->model.corrections - 1);
    printf("), z = (%s - %s) L^(1/nu)\n", x, x_c);
}

static void print_fixed(const scale_result *result, const scale_fits *of)
{
    int some = 0;
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        double factor;
        const char *name = scale_parameter(result, &of->exponent, p, &factor);
        if (fits(of, p) || (p == CLUP_SCALING_OMEGA && of->model.corrections == 0) ||
            (p == CLUP_SCALING_KAPPA && of->model.values[p] == 0))
            continue;
        printf("%s%s = %.10g", some++ > 0 ? ", " : "  with ", name,
               scale_shown(&of->exponent, p, of->model.values[p]));
    }
    if (some > 0)
        putchar('\n');
}

static void print_sizes(const scale_result *result)
{
    size_t values, kept, all = 0;
    double length;
    int fewer = 0, column = 0;
    for (size_t k = 0; (length = clup_scaling_length(result->fit.scaling, k, &values, &kept)) > 0;
         k++) {
        print_item(&column, "L = ", "%g", length);
        all += values;
        fewer |= kept < values;
    }
    printf("%s%zu values%s\n", column + 40 > TABLE_COLUMNS ? "\n    " : "; ", all,
           result->disorder                  ? ", averages over samples of disorder"
           : result->request->beta_count > 0 ? ", reweighted"
           : result->request->x->percolation ? ", with the covariances of samples"
                                             : " of independent systems");
    column = 0;
    for (size_t k = 0; fewer && clup_scaling_length(result->fit.scaling, k, &values, &kept) > 0;
         k++)
        print_item(&column, "independent: ", "%zu of %zu", kept, values);
    if (fewer)
        putchar('\n');
}

static void print_correlations(const scale_result *result)
{
    const scale_fits *of = &result->fit;
    const clup_scaling_result *fit = &of->fits[0];
    int column = 0;
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++)
        for (unsigned q = p + 1; q < CLUP_SCALING_PARAMETERS; q++) {
            double factor, other;
            const char *a = scale_parameter(result, &of->exponent, p, &factor),
                       *b = scale_parameter(result, &of->exponent, q, &other);
            if (fits(of, p) && fits(of, q))
                print_item(&column, "correlations: ", "%s and %s %.2f", a, b,
                           fit->covariance[p][q] / (fit->errors[p] * fit->errors[q]) *
                               (factor * other < 0 ? -1 : 1));
        }
    if (column > 0)
        putchar('\n');
}

/* A critical point that is not among the values is an extrapolation. */
static void print_outside(const scale_result *result)
{
    double from = INFINITY, to = -INFINITY;
    const double at = result->fit.fits[0].values[CLUP_SCALING_X_C];
    for (size_t k = 0; k < result->fit.point_count; k++) {
        from = fmin(from, result->fit.points[k].x);
        to = fmax(to, result->fit.points[k].x);
    }
    if (at < from || at > to)
        printf("  note: %.6g is outside of the values, %.6g to %.6g\n", at, from, to);
}

static void print_collapse(const scale_result *result)
{
    const clup_scaling_result *best = &result->collapse;
    printf(
        "\ncollapse of %zu of the values, S = %.3f (%.3f by the fit above); errors by S + 1\n  %6s",
        best->points, best->quality, result->fit_quality, "");
    for (unsigned p = 0; p < CLUP_SCALING_OMEGA; p++) {
        double factor;
        const char *name = scale_parameter(result, &result->fit.exponent, p, &factor);
        if (fits(&result->fit, p))
            printf("%*s", COLUMN, name);
    }
    printf("\n  %6s", "");
    for (unsigned p = 0; p < CLUP_SCALING_OMEGA; p++) {
        double factor;
        char text[VALUE_TEXT];
        scale_parameter(result, &result->fit.exponent, p, &factor);
        if (!fits(&result->fit, p))
            continue;
        const scale_exponent *exponent = &result->fit.exponent;
        const double value = scale_shown(exponent, p, best->values[p]),
                     a = scale_shown(exponent, p, best->low[p]),
                     b = scale_shown(exponent, p, best->high[p]);
        value_text_between(value, value - fmin(a, b), fmax(a, b) - value, text);
        printf("%*s", COLUMN, text);
    }
    putchar('\n');
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void print_law(const scale_result *result, const scale_law *law)
{
    const scale_exponent *exponent = &law->of.exponent;
    char power[SCALE_POWER];
    int column = 0;
    scale_power(exponent, power);
    printf("\n%s = L^(%s) %s\n", law->name, power,
           law->of.model.corrections > 0 ? "(a_0 + b_0 L^-omega)" : "a_0");
    for (size_t k = 0; k < law->of.point_count; k++) {
        char text[VALUE_TEXT];
        value_text(law->of.points[k].value, law->of.points[k].error, text);
        print_item(&column, "", "L = %g: %s", law->of.points[k].length, text);
    }
    putchar('\n');
    if (law->left_out[0] != '\0')
        printf("  left out, as no energies reach there: L = %s\n", law->left_out);
    print_fits(result, &law->of);
    if (result->at_error > 0)
        printf("  %s %.2g for a larger %s by its error\n", exponent->name, law->shift,
               result->request->x->critical);
}

void scale_print(const scale_result *result)
{
    char text[VALUE_TEXT];
    if (result->wanted) {
        print_function(result);
        print_fixed(result, &result->fit);
        print_sizes(result);
        print_fits(result, &result->fit);
        print_correlations(result);
        if (fits(&result->fit, CLUP_SCALING_X_C))
            print_outside(result);
        if (result->request->collapse)
            print_collapse(result);
    }
    if (result->law_count > 0) {
        if (result->at_error > 0)
            value_text(result->at, result->at_error, text);
        else
            snprintf(text, sizeof text, "%.10g", result->at);
        printf("%sat %s %s\n", result->wanted ? "\n" : "", result->request->x->option, text);
    }
    for (size_t k = 0; k < result->law_count; k++)
        print_law(result, &result->laws[k]);
    if (result->short_count > 0)
        printf(
            "\nnote: %u values are from fewer than %d tau_int: their errors are not well known\n",
            result->short_count, 2 * CLUP_INDEPENDENT_LEAST);
}
