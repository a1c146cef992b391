/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the crossings of two sizes, and the slopes of the curves there. */
#include <math.h>

#include "estimate/reweight.h"

/* Intervals into which each covered part is cut for the first search, and the most steps that
 * narrow an interval. */
#define INTERVALS 64
#define STEPS 60

/* Two curves. */
typedef struct pair {
    reweight_curve of[2];
} pair;

static double difference(const pair *pair, double beta)
{
    return clup_reweight_value(&pair->of[0], beta, -1) -
           clup_reweight_value(&pair->of[1], beta, -1);
}

static double bisect(const pair *pair, double low, double high)
{
    const double sign = difference(pair, low) < 0 ? -1 : 1;
    for (unsigned k = 0; k < STEPS && high - low > 1e-14 * high; k++) {
        const double between = (low + high) / 2;
        *(sign * difference(pair, between) > 0 ? &low : &high) = between;
    }
    return (low + high) / 2;
}

/* Sets shifts[b] to how far the crossing moves without block b of one curve. */
static void shift(const pair *pair, unsigned which, double beta, const double slopes[2],
                  double *shifts)
{
    const double value = clup_reweight_value(&pair->of[which], beta, -1),
                 apart = slopes[which] - slopes[!which];
    for (unsigned b = 0; b < pair->of[which].of->blocks; b++)
        shifts[b] = (value - clup_reweight_value(&pair->of[which], beta, (int)b)) / apart;
}

/* Adds one curve's share of the errors of a crossing: the other curve stays, and the value is on
 * it. */
static void add_error(const pair *pair, unsigned which, const double slopes[2], clup_place *place)
{
    const unsigned blocks = pair->of[which].of->blocks;
    double shifts[CLUP_BLOCKS_MOST], values[CLUP_BLOCKS_MOST];
    shift(pair, which, place->beta, slopes, shifts);
    for (unsigned b = 0; b < blocks; b++)
        values[b] = shifts[b] * slopes[!which];
    place->beta_error = hypot(place->beta_error, clup_jackknife_error(shifts, blocks));
    place->value_error = hypot(place->value_error, clup_jackknife_error(values, blocks));
}

/* Finds the interval, from *low on, in which the curves cross with the largest slope; false if they
 * do not cross. */
static bool steepest(const pair *pair, const reweight_spans *spans, double *low, double *step)
{
    double slope = 0;
    for (size_t s = 0; s < spans->count; s++) {
        const double from = spans->of[s].from, width = (spans->of[s].to - from) / INTERVALS;
        double before = difference(pair, from);
        for (unsigned k = 1; k <= INTERVALS; k++) {
            const double now = difference(pair, from + k * width);
            if (before * now < 0 && fabs(now - before) / width > slope) {
                slope = fabs(now - before) / width;
                *low = from + (k - 1) * width;
                *step = width;
            }
            before = now;
        }
    }
    return slope > 0;
}

static void cross(const pair *pair, double low, double step, clup_place *crossing)
{
    double slopes[2];
    crossing->beta = bisect(pair, low, low + step);
    crossing->value = clup_reweight_value(&pair->of[0], crossing->beta, -1);
    crossing->beta_error = crossing->value_error = 0;
    for (unsigned k = 0; k < 2; k++)
        (void)clup_reweight_slope(&pair->of[k], crossing->beta, -1, &slopes[k]);
    for (unsigned k = 0; k < 2; k++)
        add_error(pair, k, slopes, crossing);
}

/* Reads the curves of a pair; the interval is not looked at where it is NULL. */
static clup_status make_pair(const clup_reweighting *a, const clup_reweighting *b, const char *name,
                             const double *interval, pair *pair)
{
    const clup_reweighting *const of[] = {a, b};
    clup_status status = clup_problem_compare(&a->problem, &b->problem, CLUP_FIELD_LAW);
    for (unsigned k = 0; k < 2 && status == CLUP_OK; k++)
        status = interval != NULL ? clup_reweight_curve_between(of[k], name, interval[0],
                                                                interval[1], &pair->of[k])
                                  : clup_reweight_curve(of[k], name, &pair->of[k]);
    return status;
}

clup_status clup_reweighting_crossing(const clup_reweighting *a, const clup_reweighting *b,
                                      const char *name, double from, double to,
                                      clup_place *crossing)
{
    pair pair;
    reweight_spans spans[2] = {{0}}, common = {0};
    double low = 0, step = 0;
    CLUP_NEED(a);
    CLUP_NEED(b);
    CLUP_NEED(name);
    CLUP_NEED(crossing);
    *crossing = clup_reweight_nowhere(NULL);
    clup_status status = make_pair(a, b, name, (const double[]){from, to}, &pair);
    for (unsigned k = 0; k < 2 && status == CLUP_OK; k++)
        status = clup_reweight_spans(pair.of[k].of, from, to, &spans[k]);
    if (status == CLUP_OK)
        status = clup_reweight_common_spans(&spans[0], &spans[1], &common);
    if (status == CLUP_OK) {
        *crossing = clup_reweight_nowhere(&common);
        crossing->found = steepest(&pair, &common, &low, &step);
    }
    if (crossing->found)
        cross(&pair, low, step, crossing);
    clup_reweight_spans_free(&spans[0]);
    clup_reweight_spans_free(&spans[1]);
    clup_reweight_spans_free(&common);
    return status;
}

/* Adds to the errors of both slopes, and values, at a crossing what the blocks of one curve
 * contribute: the crossing moves, and of that curve the values in the block are left out too. */
static void add_slope_errors(const pair *pair, unsigned which, double beta, const double *shifts,
                             clup_slope slopes[2])
{
    const unsigned blocks = pair->of[which].of->blocks;
    double values[CLUP_BLOCKS_MOST], without[CLUP_BLOCKS_MOST];
    for (unsigned k = 0; k < 2; k++) {
        for (unsigned b = 0; b < blocks; b++)
            values[b] = clup_reweight_slope(&pair->of[k], beta + shifts[b],
                                            k == which ? (int)b : -1, &without[b]);
        slopes[k].value_error = hypot(slopes[k].value_error, clup_jackknife_error(values, blocks));
        slopes[k].slope_error = hypot(slopes[k].slope_error, clup_jackknife_error(without, blocks));
    }
}

clup_status clup_reweighting_crossing_slopes(const clup_reweighting *a, const clup_reweighting *b,
                                             const char *name, const clup_place *crossing,
                                             clup_slope slopes[2])
{
    pair pair;
    double values[2], shifts[CLUP_BLOCKS_MOST];
    CLUP_NEED(a);
    CLUP_NEED(b);
    CLUP_NEED(name);
    CLUP_NEED(crossing);
    CLUP_NEED(slopes);
    if (!crossing->found || !(crossing->beta >= 0) || !isfinite(crossing->beta))
        return clup_fail(CLUP_ERROR_USAGE, "a crossing that was not found has no slopes");
    const clup_status status = make_pair(a, b, name, NULL, &pair);
    if (status != CLUP_OK)
        return status;
    for (unsigned k = 0; k < 2; k++) {
        slopes[k] = (clup_slope){0};
        slopes[k].value = clup_reweight_slope(&pair.of[k], crossing->beta, -1, &slopes[k].slope);
        values[k] = slopes[k].slope;
    }
    for (unsigned k = 0; k < 2; k++) {
        shift(&pair, k, crossing->beta, values, shifts);
        add_slope_errors(&pair, k, crossing->beta, shifts, slopes);
    }
    return CLUP_OK;
}
