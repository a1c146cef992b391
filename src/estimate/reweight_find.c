/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds peaks, and the crossings of two sizes. */
#include <math.h>
#include <string.h>

#include "estimate/reweight.h"

/* Intervals into which each covered part is cut for the first search, and the most steps that
 * narrow an interval. */
#define INTERVALS 64
#define STEPS 60
/* How often an interval is made wider in the search for the peak without a block. */
#define WIDER 6

static const clup_place nowhere = {0, NAN, NAN, NAN, NAN, NAN, NAN, {0}};

/* Returns an empty place with the range that was searched. */
static clup_place nowhere_in(const reweight_spans *spans)
{
    clup_place place = nowhere;
    if (spans->count > 0) {
        place.from = spans->of[0].from;
        place.to = spans->of[spans->count - 1].to;
    }
    return place;
}

static int row_of(const clup_reweighting *of, const char *name)
{
    for (unsigned row = 0; row < of->rows; row++)
        if (strcmp(clup_observable_name(of->row[row]), name) == 0)
            return (int)row;
    return -1;
}

static double value_at(const clup_reweighting *of, int row, double beta, int without)
{
    double values[OBSERVED];
    clup_reweight_rows(of, beta, without, values);
    return values[row];
}

static clup_status check(const clup_reweighting *of, const char *name, double from, double to,
                         int *row)
{
    if (!(from >= 0) || !(to > from) || !isfinite(to))
        return clup_fail(CLUP_ERROR_USAGE, "beta from %g to %g", from, to);
    *row = row_of(of, name);
    return *row >= 0
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "'%.80s' is not known at other temperatures", name);
}

/* Finds the highest place between two by the golden section (J. Kiefer, Proc. Am. Math. Soc. 4, 502
 * (1953)). */
static double highest(const clup_reweighting *of, int row, int without, double from, double to,
                      double *value)
{
    const double golden = (sqrt(5) - 1) / 2;
    double left = to - golden * (to - from), right = from + golden * (to - from);
    double at_left = value_at(of, row, left, without), at_right = value_at(of, row, right, without);
    /* values that are nearer than the root of the rounding errors are equal */
    for (unsigned k = 0; k < STEPS && to - from > 1e-9 * (to + from); k++)
        if (at_left > at_right) {
            to = right;
            right = left;
            at_right = at_left;
            at_left = value_at(of, row, left = to - golden * (to - from), without);
        } else {
            from = left;
            left = right;
            at_left = at_right;
            at_right = value_at(of, row, right = from + golden * (to - from), without);
        }
    *value = fmax(at_left, at_right);
    return at_left > at_right ? left : right;
}

/* Finds the highest place without a block, near low and high. Widens the interval as long as the
 * place seems to be at an end of it. */
static double highest_without(const clup_reweighting *of, int row, int block, double low,
                              double high, double *value)
{
    double width = high - low, beta = low;
    for (unsigned k = 0; k < WIDER; k++, width *= 2) {
        const double from = fmax(0, low - width), to = high + width;
        beta = highest(of, row, block, from, to, value);
        if (beta - from > width / 16 && to - beta > width / 16)
            break;
    }
    return beta;
}

/* Sets the interval of two steps around the highest of all places on the grid; false if that place
 * is at an end of a covered part. */
static bool bracket(const clup_reweighting *of, int row, const reweight_spans *spans, double *low,
                    double *high)
{
    double best = -INFINITY;
    bool inside = false;
    for (size_t s = 0; s < spans->count; s++) {
        const double from = spans->of[s].from, step = (spans->of[s].to - from) / INTERVALS;
        for (unsigned k = 0; k <= INTERVALS && step > 0; k++) {
            const double value = value_at(of, row, from + k * step, -1);
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
    double betas[CLUP_BLOCKS_MOST], values[CLUP_BLOCKS_MOST], errors[OBSERVED], low = 0, high = 0;
    reweight_spans spans;
    int row;
    CLUP_NEED(reweighting);
    CLUP_NEED(name);
    CLUP_NEED(peak);
    *peak = nowhere;
    clup_status status = check(reweighting, name, from, to, &row);
    if (status == CLUP_OK)
        status = clup_reweight_spans(reweighting, from, to, &spans);
    if (status != CLUP_OK)
        return status;
    *peak = nowhere_in(&spans);
    peak->found = bracket(reweighting, row, &spans, &low, &high);
    clup_reweight_spans_free(&spans);
    if (!peak->found)
        return CLUP_OK;
    peak->beta = highest(reweighting, row, -1, low, high, &peak->value);
    for (unsigned b = 0; b < reweighting->blocks; b++)
        betas[b] = highest_without(reweighting, row, (int)b, low, high, &values[b]);
    clup_reweight_errors(reweighting, peak->beta, errors);
    peak->value += clup_reweight_bias(reweighting, (unsigned)row, peak->beta, errors);
    peak->beta_error = clup_jackknife_error(betas, reweighting->blocks);
    peak->value_error = clup_jackknife_error(values, reweighting->blocks);
    return CLUP_OK;
}

/* ---- crossings ------------------------------------------------------------------------------- */

/* Two curves. */
typedef struct pair {
    const clup_reweighting *of[2];
    int row[2];
} pair;

static double difference(const pair *pair, double beta)
{
    return value_at(pair->of[0], pair->row[0], beta, -1) -
           value_at(pair->of[1], pair->row[1], beta, -1);
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

/* Adds one curve's share of the errors of a crossing. Without a block the curve is off by some
 * amount at the crossing, and the crossing moves with it. */
static void add_error(const pair *pair, unsigned which, const double slopes[2], clup_place *place)
{
    const clup_reweighting *of = pair->of[which];
    const double apart = slopes[0] - slopes[1];
    double betas[CLUP_BLOCKS_MOST], values[CLUP_BLOCKS_MOST];
    for (unsigned b = 0; b < of->blocks; b++) {
        const double off = value_at(of, pair->row[which], place->beta, (int)b) - place->value;
        betas[b] = (which == 0 ? -off : off) / apart;
        /* the other curve has not moved, and the value is on it */
        values[b] = betas[b] * slopes[!which];
    }
    place->beta_error = hypot(place->beta_error, clup_jackknife_error(betas, of->blocks));
    place->value_error = hypot(place->value_error, clup_jackknife_error(values, of->blocks));
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
    crossing->value = value_at(pair->of[0], pair->row[0], crossing->beta, -1);
    crossing->beta_error = crossing->value_error = 0;
    for (unsigned k = 0; k < 2; k++)
        slopes[k] = (value_at(pair->of[k], pair->row[k], low + step, -1) -
                     value_at(pair->of[k], pair->row[k], low, -1)) /
                    step;
    for (unsigned k = 0; k < 2; k++)
        add_error(pair, k, slopes, crossing);
}

clup_status clup_reweighting_crossing(const clup_reweighting *a, const clup_reweighting *b,
                                      const char *name, double from, double to,
                                      clup_place *crossing)
{
    pair pair = {{a, b}, {0, 0}};
    reweight_spans spans[2] = {{0}}, common = {0};
    double low = 0, step = 0;
    CLUP_NEED(a);
    CLUP_NEED(b);
    CLUP_NEED(name);
    CLUP_NEED(crossing);
    *crossing = nowhere;
    clup_status status = clup_problem_compare(&a->problem, &b->problem, CLUP_FIELD_LAW);
    for (unsigned k = 0; k < 2 && status == CLUP_OK; k++)
        status = check(pair.of[k], name, from, to, &pair.row[k]);
    for (unsigned k = 0; k < 2 && status == CLUP_OK; k++)
        status = clup_reweight_spans(pair.of[k], from, to, &spans[k]);
    if (status == CLUP_OK)
        status = clup_reweight_common_spans(&spans[0], &spans[1], &common);
    if (status == CLUP_OK) {
        *crossing = nowhere_in(&common);
        crossing->found = steepest(&pair, &common, &low, &step);
    }
    if (crossing->found)
        cross(&pair, low, step, crossing);
    clup_reweight_spans_free(&spans[0]);
    clup_reweight_spans_free(&spans[1]);
    clup_reweight_spans_free(&common);
    return status;
}
