/* SPDX-License-Identifier: BSD-3-Clause */
/* Interpolation between measured times. */
#include "plan/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"

/* A time a site falls at most as 1/sites, where a launch takes the same time whatever it does, and
 * rises no faster than the number of sites. */
#define SLOPE_MAX 2.0
/* With the tile, times change at most as the sites of the tile, or as 1/B^(dmin+1), and a little
 * more. */
#define TILE_SLOPE_MAX 2.5

clup_status clup_samples_add(clup_samples *samples, const clup_sample *sample)
{
    if (samples->count == samples->capacity) {
        size_t capacity = samples->capacity > 0 ? 2 * samples->capacity : 64;
        clup_sample *grown = realloc(samples->items, capacity * sizeof *grown);
        if (grown == NULL)
            return clup_fail_memory("samples");
        samples->items = grown;
        samples->capacity = capacity;
    }
    samples->items[samples->count++] = *sample;
    return CLUP_OK;
}

void clup_samples_free(clup_samples *samples)
{
    free(samples->items);
    *samples = (clup_samples){0};
}

void clup_samples_drop_stale(clup_samples *samples)
{
    size_t left = 0;
    for (size_t k = 0; k < samples->count; k++)
        if (!samples->items[k].stale)
            samples->items[left++] = samples->items[k];
    samples->count = left;
}

/* Samples of a curve of times against the square root of all sites: of single systems of any side,
 * or of several systems of one side. */
typedef struct curve {
    const clup_samples *samples;
    clup_stage stage;
    const char *kernel, *bonds;
    unsigned tile;
    unsigned side; /* 0 for single systems */
} curve;

static bool is_of(const clup_sample *sample, const curve *curve)
{
    return sample->stage == curve->stage && strcmp(sample->kernel, curve->kernel) == 0 &&
           strcmp(sample->bonds, curve->bonds) == 0 && sample->ps > 0;
}

static bool is_on(const clup_sample *sample, const curve *curve)
{
    return is_of(sample, curve) && sample->tile == curve->tile &&
           (curve->side > 0 ? sample->size == curve->side : sample->systems == 1);
}

static double all_sites(const clup_sample *sample)
{
    return sample->size * sqrt(sample->systems);
}

/* The curve's sample with the next size above (up) or below size, or NULL. */
static const clup_sample *next_size(const curve *curve, double size, int up)
{
    const clup_sample *found = NULL;
    for (size_t k = 0; k < curve->samples->count; k++) {
        const clup_sample *sample = &curve->samples->items[k];
        if (!is_on(sample, curve) || (up ? all_sites(sample) <= size : all_sites(sample) >= size))
            continue;
        if (found == NULL ||
            (up ? all_sites(sample) < all_sites(found) : all_sites(sample) > all_sites(found)))
            found = sample;
    }
    return found;
}

/* Returns the value at x of a straight line through two points in log-log coordinates; its slope is
 * limited to most. */
static double line(double x, double x1, double y1, double x2, double y2, double most)
{
    const double slope = log(y2 / y1) / log(x2 / x1);
    return y1 * pow(x / x1, fmax(-most, fmin(most, slope)));
}

static double at_size(const curve *curve, double size)
{
    const clup_sample *low = next_size(curve, size + 0.5, 0), *high = next_size(curve, size, 1);
    if (low == NULL && high == NULL)
        return NAN;
    /* beyond the last point on one side, use the last two points */
    if (low == NULL)
        high = next_size(curve, all_sites(low = high), 1);
    else if (high == NULL)
        high = next_size(curve, all_sites(low), 0);
    if (high == NULL)
        return low->ps;
    return line(size, all_sites(low), low->ps, all_sites(high), high->ps, SLOPE_MAX);
}

/* Returns the next side above (up) or below that was measured with several systems, or 0. */
static unsigned next_side(const curve *curve, double side, int up)
{
    unsigned found = 0;
    for (size_t k = 0; k < curve->samples->count; k++) {
        const clup_sample *sample = &curve->samples->items[k];
        if (sample->systems > 1 && is_of(sample, curve) && sample->tile == curve->tile &&
            (up ? sample->size > side : sample->size < side) &&
            (found == 0 || (up ? sample->size < found : sample->size > found)))
            found = sample->size;
    }
    return found;
}

/* Predicts the time for a number of systems of a side that was measured with several systems. */
static double at_side(const curve *of, unsigned side, double systems)
{
    curve curve = *of;
    curve.side = side;
    return at_size(&curve, side * sqrt(systems));
}

/* Interpolates between two sides that were measured with several systems. Where no side was, and
 * beyond the largest one where larger single systems were measured, many systems take as long as
 * one of as many sites. */
static double at_tile(const curve *curve, double side, double systems)
{
    unsigned low = next_side(curve, side + 0.5, 0), high = next_side(curve, side, 1);
    if (systems <= 1 || (low == 0 && high == 0) || (high == 0 && next_size(curve, low, 1) != NULL))
        return at_size(curve, side * sqrt(systems));
    if (low == 0)
        high = next_side(curve, low = high, 1);
    else if (high == 0)
        high = next_side(curve, low, 0);
    const double from = at_side(curve, low, systems);
    return high == 0 ? from : line(side, low, from, high, at_side(curve, high, systems), SLOPE_MAX);
}

/* Returns the next tile above (up) or below with which the kernel variant was measured, or 0. */
static unsigned next_tile(const curve *curve, unsigned tile, int up)
{
    unsigned found = 0;
    for (size_t k = 0; k < curve->samples->count; k++) {
        const clup_sample *sample = &curve->samples->items[k];
        if (is_of(sample, curve) && (up ? sample->tile > tile : sample->tile < tile) &&
            (found == 0 || (up ? sample->tile < found : sample->tile > found)))
            found = sample->tile;
    }
    return found;
}

double clup_samples_predict(const clup_samples *samples, clup_stage stage, const char *kernel,
                            const char *bonds, unsigned tile, double side, double systems)
{
    curve curve = {samples, stage, kernel, bonds, tile, 0};
    double exact = at_tile(&curve, side, systems);
    if (!isnan(exact))
        return exact;
    /* along the tile in the same way as along the size */
    unsigned low = next_tile(&curve, tile, 0), high = next_tile(&curve, tile, 1);
    if (low == 0)
        high = next_tile(&curve, low = high, 1);
    else if (high == 0) {
        high = low;
        low = next_tile(&curve, high, 0);
    }
    if (low == 0 || high == 0)
        return NAN;
    curve.tile = low;
    double from = at_tile(&curve, side, systems);
    curve.tile = high;
    return line(tile, low, from, high, at_tile(&curve, side, systems), TILE_SLOPE_MAX);
}

static bool has(const clup_samples *samples, const clup_sample *of, bool stale)
{
    for (size_t k = 0; k < samples->count; k++)
        if ((!stale || samples->items[k].stale) && samples->items[k].stage == of->stage &&
            strcmp(samples->items[k].kernel, of->kernel) == 0)
            return true;
    return false;
}

bool clup_samples_stale(const clup_samples *samples, clup_stage stage, const char *kernel)
{
    return has(samples, &(clup_sample){.stage = stage, .kernel = kernel}, true);
}

unsigned clup_samples_kernels(const clup_samples *samples, unsigned *kernels,
                              const clup_sample **first)
{
    unsigned stale = 0;
    *kernels = 0;
    for (size_t k = 0; k < samples->count; k++) {
        const clup_sample *sample = &samples->items[k];
        const clup_samples before = {samples->items, k, k};
        *kernels += !has(&before, sample, false);
        if (sample->stale && !has(&before, sample, true) && stale++ == 0)
            *first = sample;
    }
    return stale;
}
