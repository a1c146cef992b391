/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits: of all sizes, then without the smallest ones; and power laws at a point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/records.h"
#include "cli/scale/scale.h"

int scale_fit(scale_fits *of, const char *name)
{
    double length;
    size_t sizes = 0;
    while (clup_scaling_length(of->scaling, sizes, NULL, NULL) > 0)
        sizes++;
    of->fits = calloc(sizes + 1, sizeof *of->fits);
    of->least = calloc(sizes + 1, sizeof *of->least);
    if (of->fits == NULL || of->least == NULL)
        return cli_fail_memory("the fits");
    clup_scaling_model model = of->model;
    for (size_t k = 0; (length = clup_scaling_length(of->scaling, k, NULL, NULL)) > 0; k++) {
        if (cli_interrupted())
            return cli_stopped("%zu of %zu fits were made", of->fit_count, sizes);
        model.least = length;
        const clup_status status = clup_scaling_fit(of->scaling, &model, &of->fits[of->fit_count]);
        /* of the largest sizes alone values are too few at some point, or do not test the function
         */
        if (k > 0 && (status != CLUP_OK || of->fits[of->fit_count].freedom == 0))
            continue;
        if (status != CLUP_OK)
            return status == CLUP_ERROR_USAGE ? cli_usage_error("%s: %s", name, clup_error_detail())
                                              : cli_fail(status);
        of->least[of->fit_count++] = length;
    }
    return 0;
}

void scale_free_fits(scale_fits *of)
{
    clup_scaling_free(of->scaling);
    free(of->points);
    free(of->fits);
    free(of->least);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void prepare(const scale_result *result, scale_law *law)
{
    const clup_scaling_model *fit = &result->fit.model;
    law->of.exponent = scale_exponent_of(
        law->name, clup_lattice_axes(clup_record_problem(result->records[0])->lattice));
    law->of.model = (clup_scaling_model){.fitted = 1u << CLUP_SCALING_KAPPA |
                                                   (fit->fitted & 1u << CLUP_SCALING_OMEGA),
                                         .values = {0, 1, NAN, fit->values[CLUP_SCALING_OMEGA]},
                                         .terms = 1,
                                         .corrections = fit->corrections > 0};
}

/* Sets by how much the exponent is larger for a critical point that is larger by its error. */
static int shift(scale_result *result, scale_law *law, const double betas[2])
{
    double exponents[2];
    for (unsigned k = 0; k < 2; k++) {
        scale_law moved = {.of.model = law->of.model};
        clup_scaling_result fit;
        int known;
        snprintf(moved.name, sizeof moved.name, "%s", law->name);
        const int code = scale_collect_law(result, &moved, betas[k], &known);
        if (code == 0 && clup_scaling_fit(moved.of.scaling, &moved.of.model, &fit) != CLUP_OK)
            fit.values[CLUP_SCALING_KAPPA] = NAN;
        scale_free_fits(&moved.of);
        if (code != 0)
            return code;
        exponents[k] = fit.values[CLUP_SCALING_KAPPA] / law->of.exponent.factor;
    }
    law->shift = (exponents[1] - exponents[0]) / 2;
    return 0;
}

static int add_law(scale_result *result, const char *name, int asked)
{
    const int inverse = result->request->x->inverse;
    const char *parameter = cli_parameter(clup_record_problem(result->records[0]));
    scale_law *law = &result->laws[result->law_count];
    int known;
    *law = (scale_law){0};
    snprintf(law->name, sizeof law->name, "%s", name);
    prepare(result, law);
    const double beta = inverse ? 1 / result->at : result->at;
    result->law_count++;
    int code = scale_collect_law(result, law, beta, &known);
    if (code != 0)
        return code;
    const size_t sizes = clup_scaling_length(law->of.scaling, 1, NULL, NULL) > 0;
    if (!asked && (!known || sizes == 0)) {
        scale_free_fits(&law->of);
        result->law_count--;
        return 0;
    }
    if (!known)
        return cli_usage_error("--laws '%s': no file has it at %s %.9g, nor can it be reweighted",
                               name, parameter, beta);
    if (sizes == 0)
        return cli_usage_error(
            "%s at %s %.9g is known for fewer than two sizes%s%s", name, parameter, beta,
            law->left_out[0] != '\0' ? "; there are no energies of L = " : "", law->left_out);
    if ((code = scale_fit(&law->of, name)) != 0 || !(result->at_error > 0))
        return code;
    const double ends[2] = {result->at - result->at_error, result->at + result->at_error};
    const double betas[2] = {inverse ? 1 / ends[0] : ends[0], inverse ? 1 / ends[1] : ends[1]};
    return betas[0] > 0 && betas[1] > 0 ? shift(result, law, betas) : 0;
}

/* Without --laws: those of the list that the files tell. */
int scale_fit_laws(scale_result *result)
{
    static const char usual[] = "abs_m,chi,susceptibility,specific_heat,correlation_half,"
                                "binder_slope,xi_over_l_slope,chi_improved,"
                                "correlation_half_improved",
                      of_percolation[] = "largest_cluster,mean_size,mean_size_rest";
    const char *list = result->request->laws != NULL     ? result->request->laws
                       : result->request->x->percolation ? of_percolation
                                                         : usual;
    int code = 0;
    while (*list != '\0' && code == 0) {
        char name[SCALE_NAME];
        const size_t length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        if (length >= sizeof name)
            return cli_usage_error("--laws '%.80s..' is not the name of an observable", name);
        if (result->law_count == SCALE_LAWS)
            return cli_usage_error("--laws has more than %d names", SCALE_LAWS);
        code = add_law(result, name, result->request->laws != NULL);
    }
    if (code == 0 && result->law_count == 0)
        return cli_usage_error("no observable is known at %.9g for two sizes", result->at);
    return code;
}
