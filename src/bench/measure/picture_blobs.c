/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws blobs: noise of 16 bits, smoothed along each axis in integers, then divided at the level
 * that gives the wanted density. The axes are periodic. */
#include <stdlib.h>

#include "bench/measure/picture_row.h"
#include "bench/status.h"

enum { TIMES = 3, COLUMNS = 64, LEVELS = 65536, WINDOW_BITS = 3 };

/* Replaces count values, step apart, by means over windows of 2^bits values, for so many columns
 * side by side. old[count*columns] is work space for the old values. */
static void smooth(uint16_t *values, size_t step, size_t count, size_t columns, unsigned bits,
                   uint16_t *old)
{
    const size_t window = (size_t)1 << bits;
    uint64_t sums[COLUMNS] = {0};
    for (size_t k = 0; k < count; k++)
        for (size_t c = 0; c < columns; c++)
            old[k * columns + c] = values[k * step + c];
    for (size_t k = 0; k < window; k++)
        for (size_t c = 0; c < columns; c++)
            sums[c] += old[k % count * columns + c];
    /* the mean of the window that starts at k belongs to the value in its middle */
    size_t middle = window / 2 % count, end = window % count;
    for (size_t k = 0; k < count; k++) {
        uint16_t *to = values + middle * step;
        for (size_t c = 0; c < columns; c++) {
            to[c] = (uint16_t)(sums[c] >> bits);
            sums[c] += old[end * columns + c];
            sums[c] -= old[k * columns + c];
        }
        middle = middle + 1 < count ? middle + 1 : 0;
        end = end + 1 < count ? end + 1 : 0;
    }
}

/* The least level for which the number of values above it is nearest to the wanted number. */
static unsigned level_of(const uint16_t *values, uint64_t count, double wanted, uint64_t *histogram)
{
    uint64_t above = 0;
    unsigned level = LEVELS;
    for (uint64_t k = 0; k < count; k++)
        histogram[values[k]]++;
    while (level > 0 &&
           (double)above + (double)histogram[level - 1] - wanted <= wanted - (double)above)
        above += histogram[--level];
    return level;
}

clup_status picture_blobs(const picture *picture, uint8_t *pixels)
{
    const uint32_t *size = picture->size;
    unsigned bits = picture->grain > 1 ? 1 : WINDOW_BITS;
    while (bits < 16 && picture->grain > 1u << bits)
        bits++;
    size_t room = 0, step = 1;
    for (int axis = 0; axis < 3; step *= size[axis++]) {
        const size_t columns = step < COLUMNS ? step : COLUMNS;
        room = columns * size[axis] > room ? columns * size[axis] : room;
    }
    uint16_t *values = malloc(picture->pixels * sizeof *values), *old = malloc(room * sizeof *old);
    uint64_t *histogram = calloc(LEVELS, sizeof *histogram);
    clup_status status = CLUP_OK;
    if (values == NULL || old == NULL || histogram == NULL) {
        status = bench_fail(CLUP_ERROR_MEMORY, "no memory for blobs of %u x %u x %u pixels",
                            (unsigned)size[0], (unsigned)size[1], (unsigned)size[2]);
        goto done;
    }
    for (uint64_t k = 0; k < picture->pixels; k++)
        values[k] = (uint16_t)picture_noise(picture->seed, k);
    for (int time = 0; time < TIMES; time++) {
        step = 1;
        for (int axis = 0; axis < 3; step *= size[axis++])
            for (uint64_t first = 0; size[axis] > 1 && first < picture->pixels;
                 first += step * size[axis])
                for (size_t c = 0; c < step; c += COLUMNS)
                    smooth(values + first + c, step, size[axis],
                           step - c < COLUMNS ? step - c : COLUMNS, bits, old);
    }
    const unsigned level = level_of(values, picture->pixels,
                                    picture->density * (double)picture->pixels, histogram);
    for (uint64_t k = 0; k < picture->pixels; k++)
        pixels[k] = values[k] >= level;
done:
    free(values);
    free(old);
    free(histogram);
    return status;
}
