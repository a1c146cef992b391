/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the results of clup scale as tables of LaTeX, which need no package: of the fits of an
 * observable, of its collapse, and of each power law with its values. */
#include <math.h>

#include "cli/latex.h"
#include "cli/scale/scale.h"
#include "cli/value.h"

static unsigned count_of(unsigned bits)
{
    unsigned count = 0;
    for (; bits != 0; bits &= bits - 1)
        count++;
    return count;
}

/* Writes a number as it is, or a dash for none. */
static void write_number(const char *format, double number)
{
    char text[40];
    snprintf(text, sizeof text, format, number);
    latex_digits(isnan(number) ? "-" : text);
}

static void write_names(const scale_result *result, const scale_fits *of, unsigned fitted)
{
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        double factor;
        if ((fitted >> p & 1) == 0)
            continue;
        fputs(" & ", stdout);
        latex_name(scale_parameter(result, &of->exponent, p, &factor));
    }
}

static void write_fit(const scale_result *result, const scale_fits *of, size_t k)
{
    const clup_scaling_result *fit = &of->fits[k];
    printf("$%g$", of->least[k]);
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        double factor;
        scale_parameter(result, &of->exponent, p, &factor);
        if ((of->model.fitted >> p & 1) == 0)
            continue;
        fputs(" & ", stdout);
        latex_value(scale_shown(&of->exponent, p, fit->values[p]), fit->errors[p] / fabs(factor));
    }
    printf(" & $%.1f/%u$ & ", fit->chi2, fit->freedom);
    write_number("%.3g", fit->freedom > 0 ? fit->probability : NAN);
    latex_end_row();
}

/* Writes a line for each fit. */
static void write_fits(const scale_result *result, const scale_fits *of, const char *observable,
                       const char *title)
{
    latex_begin(count_of(of->model.fitted) + 3, title);
    latex_text(observable);
    latex_end_title();
    fputs("from $L$", stdout);
    write_names(result, of, of->model.fitted);
    fputs(" & $\\chi^2$/freedom & probability", stdout);
    latex_end_head();
    for (size_t k = 0; k < of->fit_count; k++)
        write_fit(result, of, k);
    latex_end();
}

static void write_collapse(const scale_result *result, const char *observable)
{
    const scale_fits *of = &result->fit;
    const clup_scaling_result *best = &result->collapse;
    const unsigned fitted = of->model.fitted & ~(1u << CLUP_SCALING_OMEGA);
    latex_begin(count_of(fitted) + 1, "collapse of ");
    latex_text(observable);
    latex_end_title();
    fputs("$S$", stdout);
    write_names(result, of, fitted);
    latex_end_head();
    write_number("%.3f", best->quality);
    for (unsigned p = 0; p < CLUP_SCALING_OMEGA; p++) {
        char text[VALUE_TEXT];
        if ((fitted >> p & 1) == 0)
            continue;
        const double value = scale_shown(&of->exponent, p, best->values[p]),
                     a = scale_shown(&of->exponent, p, best->low[p]),
                     b = scale_shown(&of->exponent, p, best->high[p]);
        value_text_between(value, value - fmin(a, b), fmax(a, b) - value, text);
        fputs(" & ", stdout);
        latex_digits(text);
    }
    latex_end_row();
    latex_end();
}

/* Writes the values of a law, one for each size. */
static void write_values(const scale_result *result, const scale_law *law)
{
    latex_begin(2, "");
    latex_text(law->name);
    fputs(" at ", stdout);
    latex_name(result->request->x->name);
    fputs(" = ", stdout);
    if (result->at_error > 0)
        latex_value(result->at, result->at_error);
    else
        write_number("%.10g", result->at);
    latex_end_title();
    fputs("$L$ & value", stdout);
    latex_end_head();
    for (size_t k = 0; k < law->of.point_count; k++) {
        printf("$%g$ & ", law->of.points[k].length);
        latex_value(law->of.points[k].value, law->of.points[k].error);
        latex_end_row();
    }
    latex_end();
}

void scale_write_latex(const scale_result *result)
{
    const scale_request *request = result->request;
    const char *name = request->observable != NULL ? request->observable : request->expression;
    latex_head("clup scale");
    if (result->wanted)
        write_fits(result, &result->fit, name, "fits of ");
    if (result->wanted && request->collapse)
        write_collapse(result, name);
    for (size_t k = 0; k < result->law_count; k++) {
        write_values(result, &result->laws[k]);
        write_fits(result, &result->laws[k].of, result->laws[k].name, "power laws of ");
    }
}
