/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds peaks. */
#include <math.h>

#include "estimate/reweight.h"

/* Intervals into which each covered part is cut for the first search, and the most steps that
 * narrow an interval. */
#define INTERVALS 64
#define STEPS 60
/* How often an interval is made wider in the search for the peak without a block. */
#define WIDER 6

/* Finds the highest place between two by the golden section (J. Kiefer, Proc. Am. Math. Soc. 4, 502
 * (1953)). */
static double highest(const reweight_curve *curve, int without, double from, double to,
                      double *value)
{
    const double golden = (sqrt(5) - 1) / 2;
    double left = to - golden * (to - from), right = from + golden * (to - from);
    double at_left = clup_reweight_value(curve, left, without),
           at_right = clup_reweight_value(curve, right, without);
    /* values that are nearer than the root of the rounding errors are equal */
    for (unsigned k = 0; k < STEPS && to - from > 1e-9 * (to + from); k++)
        if (at_left > at_right) {
            to = right;
            right = left;
            at_right = at_left;
            at_left = clup_reweight_value(curve, left = to - golden * (to - from), without);
        } else {
            from = left;
            left = right;
            at_left = at_right;
            at_right = clup_reweight_value(curve, right = from + golden * (to - from), without);
        }
    *value = fmax(at_left, at_right);
    return at_left > at_right ? left : right;
}

/* Finds the highest place without a block, near low and high. Widens the interval as long as the
 * place seems to be at an end of it. */
static double highest_without(const reweight_curve *curve, int block, double low, double high,
                              double *value)
{
    double width = high - low, beta = low;
    for (unsigned k = 0; k < WIDER; k++, width *= 2) {
        const double from = fmax(0, low - width), to = high + width;
        beta = highest(curve, block, from, to, value);
        if (beta - from > width / 16 && to - beta > width / 16)
            break;
    }
    return beta;
}

/* Sets the interval of two steps around the highest of all places on the grid; false if that place
 * is at an end of a covered part. */
static bool bracket(const reweight_curve *curve, const reweight_spans *spans, double *low,
                    double *high)
{
    double best = -INFINITY;
    bool inside = false;
    for (size_t s = 0; s < spans->count; s++) {
        const double from = spans->of[s].from, step = (spans->of[s].to - from) / INTERVALS;
        for (unsigned k = 0; k <= INTERVALS && step > 0; k++) {
            const double value = clup_reweight_value(curve, from + k * step, -1);
            if (!(value > best))
                continue;
            best = value;
            inside = k > 0 && k < INTERVALS;
            *low = from + (k - 1.) * step;
            *high = from + (k + 1.) * step;
        }
    }
    return inside;
}

clup_status clup_reweighting_peak(const clup_reweighting *reweighting, const char *name,
                                  double from, double to, clup_place *peak)
{
    double betas[CLUP_BLOCKS_MOST], values[CLUP_BLOCKS_MOST], low = 0, high = 0;
    reweight_spans spans;
    reweight_curve curve;
    CLUP_NEED(reweighting);
    CLUP_NEED(name);
    CLUP_NEED(peak);
    *peak = clup_reweight_nowhere(NULL);
    clup_status status = clup_reweight_curve_between(reweighting, name, from, to, &curve);
    if (status == CLUP_OK)
        status = clup_reweight_spans(reweighting, from, to, &spans);
    if (status != CLUP_OK)
        return status;
    *peak = clup_reweight_nowhere(&spans);
    peak->found = bracket(&curve, &spans, &low, &high);
    clup_reweight_spans_free(&spans);
    if (!peak->found)
        return CLUP_OK;
    peak->beta = highest(&curve, -1, low, high, &peak->value);
    for (unsigned b = 0; b < reweighting->blocks; b++)
        betas[b] = highest_without(&curve, (int)b, low, high, &values[b]);
    peak->value = clup_reweight_corrected(&curve, peak->beta);
    peak->beta_error = clup_jackknife_error(betas, reweighting->blocks);
    peak->value_error = clup_jackknife_error(values, reweighting->blocks);
    return CLUP_OK;
}
