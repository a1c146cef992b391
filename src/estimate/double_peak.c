/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the two peaks that the energy has near a transition of first order. */
#include <math.h>
#include <stdlib.h>

#include "estimate/histogram.h"

/* Temperatures at which peaks are looked for; how often peaks are searched again at the temperature
 * where they are of equal height; and the most steps of a search. */
#define PLACES 65
#define AGAIN 4
#define STEPS 60
/* A bin of fewer energies may be empty because a system does not have them. */
#define TOGETHER 4

typedef struct shape {
    const clup_histogram *of;
    uint32_t bins, together;    /* together of the histogram's bins are one */
    double *shares, *energies;  /* of bins, at the last beta */
    double *smooth;             /* shares, see smoothen() */
    uint32_t low, valley, high; /* bins of the peaks and of the valley */
    double step;                /* of the first search */
    clup_status status;         /* the first failure */
} shape;

/* Smoothens shares by the cubic through seven bins (A. Savitzky and M. J. E. Golay, Anal. Chem. 36,
 * 1627 (1964)), which keeps heights of peaks to third order, so that their places and heights are
 * not those of noise. */
static void smoothen(shape *shape)
{
    static const double weights[] = {7, 6, 3, -2};
    for (uint32_t k = 0; k < shape->bins; k++) {
        shape->smooth[k] = shape->shares[k];
        if (k < 3 || k + 3 >= shape->bins)
            continue;
        shape->smooth[k] *= weights[0] / 21;
        for (uint32_t j = 1; j <= 3; j++)
            shape->smooth[k] += weights[j] / 21 * (shape->shares[k - j] + shape->shares[k + j]);
    }
}

/* Sets shares and energies at a beta; false on failure, and where beta is NAN. */
static bool set(shape *shape, double beta, int without)
{
    if (!isfinite(beta))
        return false;
    const clup_status status = clup_histogram_shares(shape->of, beta, without, shape->shares,
                                                     shape->energies);
    if (status != CLUP_OK) {
        shape->status = status;
        return false;
    }
    for (uint32_t k = 0; k < shape->of->bins; k++) {
        const uint32_t to = k / shape->together;
        const double share = shape->shares[k], energy = shape->energies[k];
        if (k % shape->together == 0)
            shape->shares[to] = shape->energies[to] = 0;
        shape->shares[to] += share;
        shape->energies[to] += energy;
    }
    smoothen(shape);
    return true;
}

/* What is 0 where both peaks are equally high, or both phases have the same weight; both grow with
 * beta. */
typedef double measure(const shape *shape);

static double heights(const shape *shape)
{
    return log(shape->smooth[shape->low]) - log(shape->smooth[shape->high]);
}

/* Half of the valley belongs to each phase. */
static double weights(const shape *shape)
{
    double below = shape->shares[shape->valley] / 2;
    for (uint32_t k = 0; k < shape->valley; k++)
        below += shape->shares[k];
    return below - 0.5;
}

static double measured(shape *shape, measure *measure, double beta, int without)
{
    return set(shape, beta, without) ? measure(shape) : NAN;
}

/* Finds where a measure is 0, from a beta on, by the regula falsi in the form of Illinois (M.
 * Dowell and P. Jarratt, BIT 11, 168 (1971)). NAN where it is nowhere near. */
static double zero(shape *shape, measure *measure, double beta, int without)
{
    double low = beta, high = beta, at_low, at_high, step = shape->step;
    at_low = at_high = measured(shape, measure, beta, without);
    for (unsigned k = 0; k < 12 && at_low > 0; k++, step *= 2)
        at_low = measured(shape, measure, low = fmax(0, low - step), without);
    for (unsigned k = 0; k < 12 && at_high < 0; k++, step *= 2)
        at_high = measured(shape, measure, high += step, without);
    if (!(at_low <= 0) || !(at_high >= 0) || !isfinite(at_low) || !isfinite(at_high))
        return NAN;
    int side = 0;
    for (unsigned k = 0; k < STEPS && high - low > 1e-12 * high && at_high > at_low; k++) {
        const double between = (low * at_high - high * at_low) / (at_high - at_low),
                     at = measured(shape, measure, between, without);
        if (at == 0)
            return between;
        if (at > 0) {
            high = between;
            at_high = at;
            at_low /= side == 1 ? 2 : 1;
            side = 1;
        } else {
            low = between;
            at_low = at;
            at_high /= side == -1 ? 2 : 1;
            side = -1;
        }
    }
    return fabs(at_low) < at_high ? low : high;
}

/* Finds the valley that is the furthest below the lower of the peaks on its two sides, and these
 * peaks. Returns how far, 0 if there is no valley. */
static double look(shape *shape)
{
    const uint32_t bins = shape->bins;
    const double *shares = shape->smooth;
    double most = 0;
    uint32_t left = 0;
    for (uint32_t k = 1; k + 1 < bins; k++) {
        uint32_t right = k + 1;
        left = shares[k - 1] > shares[left] ? k - 1 : left;
        for (uint32_t j = k + 2; j < bins; j++)
            right = shares[j] > shares[right] ? j : right;
        const double drop = fmin(shares[left], shares[right]) - shares[k];
        if (!(drop > most))
            continue;
        most = drop;
        shape->low = left;
        shape->valley = k;
        shape->high = right;
    }
    return most;
}

/* Searches the temperature at which two peaks stand out the most; NAN if there are never two. */
static double search(shape *shape, const reweight_spans *spans)
{
    double best = 0, found = NAN;
    for (size_t s = 0; s < spans->count; s++) {
        const double from = spans->of[s].from, width = spans->of[s].to - from;
        for (unsigned k = 0; k < PLACES; k++) {
            const double beta = from + width * k / (PLACES - 1);
            const double drop = set(shape, beta, -1) ? look(shape) : 0;
            if (!(drop > best))
                continue;
            best = drop;
            found = beta;
            shape->step = width / (PLACES - 1);
        }
    }
    return found;
}

/* Sets the bins of the peaks and the valley as they are where the peaks are equally high, and
 * returns that temperature. */
static double settle(shape *shape, double beta)
{
    for (unsigned k = 0; k < AGAIN && isfinite(beta); k++) {
        if (!set(shape, beta, -1) || !(look(shape) > 0))
            return NAN;
        const uint32_t low = shape->low, valley = shape->valley, high = shape->high;
        beta = zero(shape, heights, beta, -1);
        if (!isfinite(beta) || !(look(shape) > 0))
            return NAN;
        if (low == shape->low && valley == shape->valley && high == shape->high)
            break;
    }
    return beta;
}

/* What the jackknife gives errors to; NAN where the temperature is that it is taken at. */
enum { WEIGHT, LOWER, UPPER, LATENT, HEIGHT, DEPTH, FIGURES };

static void figure(shape *shape, double beta, int without, double figures[FIGURES])
{
    const uint32_t valley = shape->valley;
    double weight[2], energy[2];
    for (unsigned k = 0; k < FIGURES; k++)
        figures[k] = NAN;
    figures[HEIGHT] = zero(shape, heights, beta, without);
    if (set(shape, figures[HEIGHT], without))
        figures[DEPTH] = (log(shape->smooth[shape->low]) + log(shape->smooth[shape->high])) / 2 -
                         log(shape->smooth[valley]);
    figures[WEIGHT] = zero(shape, weights, beta, without);
    if (!set(shape, figures[WEIGHT], without))
        return;
    for (unsigned side = 0; side < 2; side++) {
        weight[side] = shape->shares[valley] / 2;
        energy[side] = shape->energies[valley] / 2;
        for (uint32_t k = side == 0 ? 0 : valley + 1; k < (side == 0 ? valley : shape->bins); k++) {
            weight[side] += shape->shares[k];
            energy[side] += shape->energies[k];
        }
    }
    figures[LOWER] = energy[0] / weight[0];
    figures[UPPER] = energy[1] / weight[1];
    figures[LATENT] = figures[UPPER] - figures[LOWER];
}

static double centre(const shape *shape, uint32_t bin)
{
    return shape->of->low + (bin + 0.5) * shape->together * shape->of->width;
}

static void fill(shape *shape, double beta, clup_double_peak *peak)
{
    const clup_reweighting *of = shape->of->of;
    double all[FIGURES], without[CLUP_BLOCKS_MOST][FIGURES], errors[FIGURES],
        column[CLUP_BLOCKS_MOST];
    figure(shape, beta, -1, all);
    for (unsigned b = 0; b < of->blocks; b++)
        figure(shape, beta, (int)b, without[b]);
    for (unsigned k = 0; k < FIGURES; k++) {
        for (unsigned b = 0; b < of->blocks; b++)
            column[b] = without[b][k];
        errors[k] = clup_jackknife_error(column, of->blocks);
    }
    const double area = of->sites / clup_record_length(&of->problem);
    if (!(all[DEPTH] > CLUP_DOUBLE_PEAK_LEAST * errors[DEPTH]) || !isfinite(all[DEPTH]) ||
        !isfinite(errors[DEPTH]) || !isfinite(all[WEIGHT]))
        return;
    peak->found = 1;
    peak->equal_weight = all[WEIGHT];
    peak->equal_weight_error = errors[WEIGHT];
    for (unsigned side = 0; side < 2; side++) {
        peak->energies[side] = all[LOWER + side];
        peak->energy_errors[side] = errors[LOWER + side];
    }
    peak->latent = all[LATENT];
    peak->latent_error = errors[LATENT];
    peak->equal_height = all[HEIGHT];
    peak->equal_height_error = errors[HEIGHT];
    peak->peaks[0] = centre(shape, shape->low);
    peak->peaks[1] = centre(shape, shape->high);
    peak->valley = centre(shape, shape->valley);
    peak->depth = all[DEPTH];
    peak->depth_error = errors[DEPTH];
    peak->tension = all[DEPTH] / (2 * area);
    peak->tension_error = errors[DEPTH] / (2 * area);
}

clup_status clup_histogram_double_peak(const clup_histogram *histogram, double from, double to,
                                       clup_double_peak *peak)
{
    CLUP_NEED(histogram);
    CLUP_NEED(peak);
    reweight_spans spans;
    if (!(from >= 0) || !(to > from) || !isfinite(to))
        return clup_fail(CLUP_ERROR_USAGE, "beta from %g to %g", from, to);
    if (!histogram->energies)
        return clup_fail(CLUP_ERROR_USAGE, "two phases are searched for in energies alone");
    *peak = (clup_double_peak){0,          NAN, NAN, {NAN, NAN}, {NAN, NAN}, NAN, NAN, NAN, NAN,
                               {NAN, NAN}, NAN, NAN, NAN,        NAN,        NAN, NAN, NAN, {0}};
    clup_status status = clup_reweight_spans(histogram->of, from, to, &spans);
    if (status != CLUP_OK)
        return status;
    const clup_place place = clup_reweight_nowhere(&spans);
    peak->from = place.from;
    peak->to = place.to;
    double *room = malloc(3 * (size_t)histogram->bins * sizeof *room);
    const uint32_t together = histogram->together < TOGETHER
                                  ? (uint32_t)ceil(TOGETHER / histogram->together)
                                  : 1;
    shape shape = {.of = histogram,
                   .bins = (histogram->bins + together - 1) / together,
                   .together = together,
                   .shares = room,
                   .energies = room + histogram->bins,
                   .smooth = room + 2 * (size_t)histogram->bins};
    if (room == NULL) {
        clup_reweight_spans_free(&spans);
        return clup_fail_memory("the phases");
    }
    double beta = search(&shape, &spans);
    if (isfinite(beta) && shape.status == CLUP_OK)
        beta = settle(&shape, beta);
    if (isfinite(beta) && shape.status == CLUP_OK)
        fill(&shape, beta, peak);
    clup_reweight_spans_free(&spans);
    free(room);
    return shape.status;
}
