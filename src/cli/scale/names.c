/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of parameters, and the exponents of observables; the model that --fit, --fix and
 * --start ask for. */
#include <math.h>
#include <string.h>

#include "cli/records.h"
#include "cli/scale/scale.h"

#define SLOPE "_slope"

static const scale_axis axes[] = {
    {"beta", "beta", "beta_c", "beta = J/(k_B T)", 0, 0},
    {"temperature", "T", "T_c", "T = k_B T/J", 1, 0},
    {"p", "p", "p_c", "p", 0, 1},
};

const scale_axis *scale_axis_of(const char *option)
{
    for (size_t k = 0; k < sizeof axes / sizeof *axes; k++)
        if (strcmp(option, axes[k].option) == 0)
            return &axes[k];
    return NULL;
}

const scale_axis *scale_axis_usual(const clup_problem *problem)
{
    const scale_axis *axis = axes;
    while (axis->percolation != cli_is_percolation(problem))
        axis++;
    return axis;
}

/* Observables by what they are made of; a name that ends so, after "staggered_", "overlap_" and the
 * like, is of the same kind. */
static const struct {
    const char *name;
    scale_exponent exponent;
    int dimensional; /* the offset is the number of axes less 2 */
} exponents[] = {
    {"abs_m", {"beta/nu", -1, 0, 0, 0}, 0},
    {"m2", {"beta/nu", -2, 0, 0, 0}, 0},
    {"m2_vector", {"beta/nu", -2, 0, 0, 0}, 0},
    {"m2_improved", {"beta/nu", -2, 0, 0, 0}, 0},
    {"m4", {"beta/nu", -4, 0, 0, 0}, 0},
    {"m4_improved", {"beta/nu", -4, 0, 0, 0}, 0},
    {"chi", {"gamma/nu", 1, 0, 0, 0}, 0},
    {"chi_improved", {"gamma/nu", 1, 0, 0, 0}, 0},
    {"susceptibility", {"gamma/nu", 1, 0, 0, 0}, 0},
    {"sk", {"gamma/nu", 1, 0, 0, 0}, 0},
    {"correlation_half", {"eta", -1, 0, 0, 0}, 1},
    {"correlation_half_improved", {"eta", -1, 0, 0, 0}, 1},
    {"specific_heat", {"alpha/nu", 1, 0, 0, 0}, 0},
    {"binder", {"kappa", 1, 1, 0, 0}, 0},
    {"binder_improved", {"kappa", 1, 1, 0, 0}, 0},
    {"xi_over_l", {"kappa", 1, 1, 0, 0}, 0},
    {"xi_over_l_improved", {"kappa", 1, 1, 0, 0}, 0},
    {"xi", {"kappa", 1, 1, 1, 0}, 0},
    {"xi_improved", {"kappa", 1, 1, 1, 0}, 0},
    {"largest_cluster", {"beta/nu", -1, 0, 0, 0}, 0},
    {"mean_size", {"gamma/nu", 1, 0, 0, 0}, 0},
    {"mean_size_rest", {"gamma/nu", 1, 0, 0, 0}, 0},
    {"wrap_x", {"kappa", 1, 1, 0, 0}, 0},
    {"wrap_y", {"kappa", 1, 1, 0, 0}, 0},
    {"wrap_z", {"kappa", 1, 1, 0, 0}, 0},
    {"wrap_either", {"kappa", 1, 1, 0, 0}, 0},
    {"wrap_both", {"kappa", 1, 1, 0, 0}, 0},
    {"wrap_one", {"kappa", 1, 1, 0, 0}, 0},
};

/* Whether a name is another, or ends with _ and the other. */
static int ends(const char *name, const char *other)
{
    const size_t length = strlen(name), end = strlen(other);
    return length >= end && strcmp(name + length - end, other) == 0 &&
           (length == end || name[length - end - 1] == '_');
}

scale_exponent scale_exponent_of(const char *observable, unsigned axes)
{
    const scale_exponent unknown = {"kappa", 1, 0, 0, 0};
    char name[SCALE_NAME];
    if (observable == NULL)
        return unknown;
    snprintf(name, sizeof name, "%s", observable);
    const size_t length = strlen(name), slope = strlen(SLOPE);
    const int is_slope = length > slope && strcmp(name + length - slope, SLOPE) == 0;
    if (is_slope)
        name[length - slope] = '\0';
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++)
        if (ends(name, exponents[k].name)) {
            scale_exponent of = exponents[k].exponent;
            of.offset = exponents[k].dimensional ? axes - 2. : 0;
            return !is_slope                   ? of
                   : of.known && of.kappa == 0 ? (scale_exponent){"1/nu", 1, 0, 0, 0}
                                               : unknown;
        }
    return unknown;
}

void scale_power(const scale_exponent *exponent, char text[SCALE_POWER])
{
    char sign[24] = "";
    if (exponent->factor == -1)
        snprintf(sign, sizeof sign, "-");
    else if (exponent->factor != 1)
        snprintf(sign, sizeof sign, "%g ", exponent->factor);
    if (exponent->offset == 0)
        snprintf(text, SCALE_POWER, "%s%.40s", sign, exponent->name);
    else
        snprintf(text, SCALE_POWER, "%s(%g + %.40s)", sign, exponent->offset, exponent->name);
}

double scale_shown(const scale_exponent *exponent, unsigned p, double value)
{
    /* no -0 */
    return p == CLUP_SCALING_KAPPA ? value / exponent->factor - exponent->offset + 0. : value;
}

const char *scale_parameter(const scale_result *result, const scale_exponent *exponent, unsigned p,
                            double *factor)
{
    *factor = p == CLUP_SCALING_KAPPA ? exponent->factor : 1;
    switch (p) {
    case CLUP_SCALING_X_C: return result->request->x->critical;
    case CLUP_SCALING_NU: return "nu";
    case CLUP_SCALING_KAPPA: return exponent->name;
    default: return "omega";
    }
}

/* Finds the parameter of a name, whose value in a fit is factor times (value + offset). kappa is
 * one of any observable. */
static int find(const scale_result *result, const char *name, unsigned *p, double *factor,
                double *offset)
{
    const scale_exponent *exponent = &result->fit.exponent;
    for (*p = 0; *p < CLUP_SCALING_PARAMETERS; ++*p)
        if (strcmp(name, scale_parameter(result, exponent, *p, factor)) == 0) {
            *offset = *p == CLUP_SCALING_KAPPA ? exponent->offset : 0;
            return 1;
        }
    *p = CLUP_SCALING_KAPPA;
    *factor = 1;
    *offset = 0;
    return strcmp(name, "kappa") == 0;
}

/* Reads the next NAME or NAME=VALUE of a list. Returns 0 at its end, -1 after a message. */
static int next(const scale_result *result, const char *option, const char **at, unsigned *p,
                double *value)
{
    char text[SCALE_NAME], known[200] = "";
    double factor, offset;
    if (*at == NULL || **at == '\0')
        return 0;
    const size_t length = strcspn(*at, ",");
    snprintf(text, sizeof text, "%.*s", (int)length, *at);
    *at += length + ((*at)[length] == ',');
    char *equals = strchr(text, '=');
    if ((equals != NULL) != (value != NULL)) {
        cli_usage_error("%s '%s' is not %s", option, text,
                        value != NULL ? "NAME=VALUE" : "the name of a parameter");
        return -1;
    }
    if (equals != NULL)
        *equals = '\0';
    if (!find(result, text, p, &factor, &offset)) {
        for (unsigned k = 0; k < CLUP_SCALING_PARAMETERS; k++)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", k > 0 ? ", " : "",
                     scale_parameter(result, &result->fit.exponent, k, &factor));
        cli_usage_error("%s: '%s' is not known; there is %s", option, text, known);
        return -1;
    }
    if (equals != NULL && (cli_parse_double(equals + 1, value) != CLUP_OK || !isfinite(*value))) {
        cli_usage_error("%s: '%s' of %s is not a number", option, equals + 1, text);
        return -1;
    }
    if (value != NULL)
        *value = (*value + offset) * factor;
    return 1;
}

/* Sets values of the model by a list of NAME=VALUE, which gives each at most once. */
static int read_values(scale_result *result, const char *option, const char *list, unsigned *given)
{
    clup_scaling_model *model = &result->fit.model;
    double value;
    unsigned p;
    int found;
    while ((found = next(result, option, &list, &p, &value)) > 0) {
        double factor;
        const char *name = scale_parameter(result, &result->fit.exponent, p, &factor);
        if (*given >> p & 1)
            return cli_usage_error("%s gives %s twice", option, name);
        if ((p == CLUP_SCALING_NU || p == CLUP_SCALING_OMEGA) && !(value > 0))
            return cli_usage_error("%s: %s %g is not above 0", option, name, value);
        model->values[p] = value;
        *given |= 1u << p;
    }
    return found < 0 ? CLUP_ERROR_USAGE : 0;
}

/* Without --fit: nu, the critical point, and the exponent of the observable; none of them that is
 * fixed. */
static int read_fitted(scale_result *result, unsigned fixed)
{
    clup_scaling_model *model = &result->fit.model;
    const char *list = result->request->fit;
    unsigned p;
    int found;
    if (list == NULL) {
        model->fitted = 1u << CLUP_SCALING_X_C | 1u << CLUP_SCALING_NU |
                        (result->fit.exponent.known ? 0 : 1u << CLUP_SCALING_KAPPA);
        model->fitted &= ~fixed;
        return 0;
    }
    while ((found = next(result, "--fit", &list, &p, NULL)) > 0)
        model->fitted |= 1u << p;
    return found < 0 ? CLUP_ERROR_USAGE : 0;
}

int scale_read_model(scale_result *result)
{
    const scale_request *request = result->request;
    clup_scaling_model *model = &result->fit.model;
    unsigned fixed = 0, started = 0;
    int code;
    *model = (clup_scaling_model){.values = {NAN, NAN, NAN, NAN}, .terms = request->terms};
    result->fit.exponent = scale_exponent_of(
        request->observable, clup_lattice_axes(clup_record_problem(result->records[0])->lattice));
    if ((code = read_values(result, "--fix", request->fix, &fixed)) != 0 ||
        (code = read_fitted(result, fixed)) != 0 ||
        (code = read_values(result, "--start", request->start, &started)) != 0)
        return code;
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++) {
        double factor;
        const char *name = scale_parameter(result, &result->fit.exponent, p, &factor);
        const int fitted = model->fitted >> p & 1, fix = fixed >> p & 1, start = started >> p & 1;
        if (fitted && fix)
            return cli_usage_error("%s is in --fit and in --fix", name);
        if (start && !fitted)
            return cli_usage_error("--start has %s, which is not fitted", name);
        if (p == CLUP_SCALING_KAPPA && !fitted && !fix && result->fit.exponent.known)
            model->values[p] = result->fit.exponent.kappa;
        else if (p != CLUP_SCALING_OMEGA && !fitted && !fix && result->wanted)
            return cli_usage_error("%s is neither in --fit nor in --fix", name);
        if (p == CLUP_SCALING_OMEGA && (fitted || fix))
            model->corrections = request->corrections;
    }
    if (result->wanted && model->fitted == 0)
        return cli_usage_error("--fit has no parameter");
    return 0;
}
