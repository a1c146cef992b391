/* Interpolation between measured times. */
#include "plan/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A time a site falls at most as 1/sites, where a launch costs the same whatever it does, and rises
 * no faster than sites. */
#define SLOPE_MAX 2.0
/* With the tile, times change at most as its sites, or as 1/B^(dmin+1) and a little more. */
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

/* What a curve of times against the size is of. */
typedef struct curve {
    const clup_samples *samples;
    clup_stage stage;
    const char *kernel, *bonds;
    unsigned tile;
} curve;

static int is_of(const clup_sample *sample, const curve *curve)
{
    return sample->stage == curve->stage && strcmp(sample->kernel, curve->kernel) == 0 &&
           strcmp(sample->bonds, curve->bonds) == 0 && sample->ps > 0;
}

/* The curve's sample with the next size above (up) or below size, or NULL. */
static const clup_sample *next_size(const curve *curve, double size, int up)
{
    const clup_sample *found = NULL;
    for (size_t k = 0; k < curve->samples->count; k++) {
        const clup_sample *sample = &curve->samples->items[k];
        if (!is_of(sample, curve) || sample->tile != curve->tile ||
            (up ? sample->size <= size : sample->size >= size))
            continue;
        if (found == NULL || (up ? sample->size < found->size : sample->size > found->size))
            found = sample;
    }
    return found;
}

static double at_tile(const curve *curve, double size)
{
    const clup_sample *low = next_size(curve, size + 0.5, 0), *high = next_size(curve, size, 1);
    if (low == NULL && high == NULL)
        return NAN;
    /* beyond the last of one side, the last two */
    if (low == NULL)
        high = next_size(curve, (low = high)->size, 1);
    else if (high == NULL)
        high = next_size(curve, low->size, 0);
    if (high == NULL)
        return low->ps;
    double slope = log(high->ps / low->ps) / log((double)high->size / low->size);
    return low->ps * pow(size / low->size, fmax(-SLOPE_MAX, fmin(SLOPE_MAX, slope)));
}

/* The next tile above (up) or below that the kernel was measured with, or 0. */
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
                            const char *bonds, unsigned tile, double size)
{
    curve curve = {samples, stage, kernel, bonds, tile};
    double exact = at_tile(&curve, size);
    if (!isnan(exact))
        return exact;
    /* along the tile as along the size */
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
    double from = at_tile(&curve, size);
    curve.tile = high;
    double slope = log(at_tile(&curve, size) / from) / log((double)high / low);
    return from * pow((double)tile / low, fmax(-TILE_SLOPE_MAX, fmin(TILE_SLOPE_MAX, slope)));
}
