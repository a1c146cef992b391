/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches where fits and collapses begin: on a grid of the fitted parameters. */
#include <math.h>
#include <string.h>

#include "estimate/scaling.h"

#define PLACES_MOST 33

/* The places of one parameter; returns their number. */
static unsigned list(const clup_scaling *scaling, const clup_scaling_model *model, unsigned p,
                     double places[PLACES_MOST])
{
    static const struct {
        double from, to;
        unsigned count;
        bool logarithmic;
    } grids[CLUP_SCALING_PARAMETERS] = {[CLUP_SCALING_X_C] = {0, 0, PLACES_MOST, false},
                                        [CLUP_SCALING_NU] = {0.25, 4, 13, true},
                                        [CLUP_SCALING_KAPPA] = {-3, 3, 13, false},
                                        [CLUP_SCALING_OMEGA] = {0.5, 4, 4, true}};
    double from = grids[p].from, to = grids[p].to;
    if (!clup_scaling_fits(model, p) || !isnan(model->values[p])) {
        places[0] = model->values[p];
        return 1;
    }
    if (p == CLUP_SCALING_X_C) {
        from = INFINITY;
        to = -INFINITY;
        for (size_t k = 0; k < scaling->count; k++)
            for (size_t j = 0; j < scaling->sets[k].count; j++) {
                from = fmin(from, scaling->sets[k].x[j]);
                to = fmax(to, scaling->sets[k].x[j]);
            }
    }
    for (unsigned k = 0; k < grids[p].count; k++) {
        const double share = k / (grids[p].count - 1.);
        places[k] = grids[p].logarithmic ? from * pow(to / from, share)
                                         : from + share * (to - from);
    }
    return grids[p].count;
}

static void keep(scaling_start *starts, size_t most, size_t *count, const scaling_start *start)
{
    size_t at = *count < most ? (*count)++ : most;
    if (at == most && !(starts[most - 1].value > start->value))
        return;
    at = at == most ? most - 1 : at;
    for (; at > 0 && starts[at - 1].value > start->value; at--)
        starts[at] = starts[at - 1];
    starts[at] = *start;
}

void clup_scaling_search(const clup_scaling *scaling, const clup_scaling_model *model,
                         double (*of)(void *context, const double *parameters), void *context,
                         scaling_start *starts, size_t most, size_t *count)
{
    double places[CLUP_SCALING_PARAMETERS][PLACES_MOST];
    unsigned counts[CLUP_SCALING_PARAMETERS], all = 1;
    *count = 0;
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++)
        all *= counts[p] = list(scaling, model, p, places[p]);
    for (unsigned k = 0; k < all; k++) {
        scaling_start start;
        for (unsigned p = 0, rest = k; p < CLUP_SCALING_PARAMETERS; rest /= counts[p++])
            start.parameters[p] = places[p][rest % counts[p]];
        start.value = of(context, start.parameters);
        if (isfinite(start.value))
            keep(starts, most, count, &start);
    }
}
