/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of noise, and a serial labelling of them. */
#ifndef CLUP_TESTS_PICTURE_H
#define CLUP_TESTS_PICTURE_H
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "clup.h"

typedef struct picture {
    clup_label_problem problem;
    uint64_t sites;
    double *values; /* [sites*channels] */
    void *pixels;
} picture;

/* Pseudo-random numbers below a limit, equal in each run. */
static uint32_t noise_state = 1;

static inline uint32_t noise(uint32_t below)
{
    noise_state = noise_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(noise_state ^ noise_state >> 15) * below) >> 32);
}

static inline void put(const picture *picture, uint64_t k, double value)
{
    switch (picture->problem.dtype) {
    case CLUP_DTYPE_U8: ((uint8_t *)picture->pixels)[k] = (uint8_t)value; break;
    case CLUP_DTYPE_U16: ((uint16_t *)picture->pixels)[k] = (uint16_t)value; break;
    case CLUP_DTYPE_U32: ((uint32_t *)picture->pixels)[k] = (uint32_t)value; break;
    case CLUP_DTYPE_I8: ((int8_t *)picture->pixels)[k] = (int8_t)value; break;
    case CLUP_DTYPE_I16: ((int16_t *)picture->pixels)[k] = (int16_t)value; break;
    case CLUP_DTYPE_I32: ((int32_t *)picture->pixels)[k] = (int32_t)value; break;
    case CLUP_DTYPE_F32: ((float *)picture->pixels)[k] = (float)value; break;
    case CLUP_DTYPE_U64: ((uint64_t *)picture->pixels)[k] = (uint64_t)value; break;
    case CLUP_DTYPE_I64: ((int64_t *)picture->pixels)[k] = (int64_t)value; break;
    case CLUP_DTYPE_F64: ((double *)picture->pixels)[k] = value; break;
    default: break;
    }
    picture->values[k] = value;
}

static inline picture picture_create(const clup_label_problem *problem)
{
    picture picture = {.problem = *problem,
                       .sites = (uint64_t)problem->size[0] * problem->size[1] * problem->size[2]};
    picture.values = calloc(picture.sites * problem->channels, sizeof *picture.values);
    picture.pixels = calloc(picture.sites * problem->channels, clup_dtype_bytes(problem->dtype));
    return picture;
}

static inline void picture_free(picture *picture)
{
    free(picture->values), free(picture->pixels);
}

/* Gives each value one of so many colours; half of them are negative when the type has a sign. */
static inline void picture_draw(picture *picture, unsigned colours)
{
    const clup_dtype dtype = picture->problem.dtype;
    const unsigned below = dtype >= CLUP_DTYPE_I8 && dtype != CLUP_DTYPE_U64 ? colours / 2 : 0;
    for (uint64_t k = 0; k < picture->sites * picture->problem.channels; k++)
        put(picture, k, (double)noise(colours) - below);
}

static inline bool in_foreground(const picture *picture, uint64_t i)
{
    const clup_label_problem *problem = &picture->problem;
    const double *value = picture->values + i * problem->channels;
    bool background = problem->has_background, any = false;
    for (unsigned c = 0; c < problem->channels; c++) {
        background = background && (value[c] == problem->background[c] ||
                                    (isnan(value[c]) && isnan(problem->background[c])));
        any = any ||
              (c < 3 && value[c] > (problem->match == CLUP_MATCH_THRESHOLD ? problem->level : 0)) ||
              (c < 3 && problem->match == CLUP_MATCH_NONZERO && value[c] != 0);
    }
    return problem->match == CLUP_MATCH_NONZERO || problem->match == CLUP_MATCH_THRESHOLD
               ? any
               : !background;
}

/* The number of the direction of a step; with backwards, of the opposite direction. -1 for none. */
static inline int direction_of(const clup_label_problem *problem, const int step[3],
                               bool *backwards)
{
    static const int plane[4][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}};
    static const int volume[13][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},  {1, 1, 0},  {-1, 1, 0},
                                      {1, 0, 1},  {-1, 0, 1}, {0, 1, 1},  {0, -1, 1}, {1, 1, 1},
                                      {-1, 1, 1}, {1, -1, 1}, {-1, -1, 1}};
    const unsigned count = problem->connectivity / 2;
    for (unsigned d = 0; d < count; d++) {
        const int *to = problem->connectivity == 4 || problem->connectivity == 8 ? plane[d]
                                                                                 : volume[d];
        for (int sign = -1; sign <= 1; sign += 2)
            if (step[0] == sign * to[0] && step[1] == sign * to[1] && step[2] == sign * to[2]) {
                *backwards = sign < 0;
                return (int)d;
            }
    }
    return -1;
}

static inline bool bonded(const picture *picture, uint64_t i, uint64_t k, const int step[3])
{
    bool backwards;
    const int d = direction_of(&picture->problem, step, &backwards);
    return d >= 0 && (uint32_t)picture->values[backwards ? k : i] >> d & 1;
}

static inline bool matches(const picture *picture, uint64_t i, uint64_t k, const int step[3])
{
    const clup_label_problem *problem = &picture->problem;
    const double *a = picture->values + i * problem->channels,
                 *b = picture->values + k * problem->channels;
    bool all = in_foreground(picture, i) && in_foreground(picture, k);
    if (problem->match == CLUP_MATCH_BONDS)
        return bonded(picture, i, k, step);
    for (unsigned c = 0; c < problem->channels; c++) {
        if (problem->match == CLUP_MATCH_EQUAL)
            all = all && a[c] == b[c];
        if (problem->match == CLUP_MATCH_TOLERANCE)
            all = all && (a[c] == b[c] || fabs(a[c] - b[c]) <= problem->level);
    }
    return all;
}

/* Labels a picture by flooding from each unlabelled pixel in raster order. Bit a of wraps[n - 1]
 * (unless wraps is NULL) is set when cluster n winds around axis a: two paths to one pixel wind
 * around a different number of times. turns[] of a pixel: how many times the path to it from the
 * first pixel of its cluster winds around each axis. */
static inline uint32_t flood_turns(const picture *picture, uint32_t *numbers, uint32_t *canonical,
                                   unsigned *wraps, int32_t (*turns)[3])
{
    const clup_label_problem *problem = &picture->problem;
    const uint32_t *size = problem->size;
    const int reach = problem->connectivity == 4 || problem->connectivity == 6    ? 1
                      : problem->connectivity == 18 || problem->connectivity == 8 ? 2
                                                                                  : 3;
    const int deep = problem->connectivity == 4 || problem->connectivity == 8 ? 0 : 1;
    uint64_t *queue = malloc(picture->sites * sizeof *queue);
    uint32_t count = 0;
    memset(turns, 0, picture->sites * sizeof *turns);
    memset(numbers, 0, picture->sites * sizeof *numbers);
    memset(canonical, 0xFF, picture->sites * sizeof *canonical);
    for (uint64_t first = 0; first < picture->sites; first++) {
        if (numbers[first] != 0 || !in_foreground(picture, first))
            continue;
        uint64_t head = 0, tail = 0;
        queue[tail++] = first;
        numbers[first] = ++count;
        while (head < tail) {
            const uint64_t i = queue[head++];
            const int64_t at[3] = {(int64_t)(i % size[0]), (int64_t)(i / size[0] % size[1]),
                                   (int64_t)(i / size[0] / size[1])};
            canonical[i] = (uint32_t)first;
            for (int dz = -deep; dz <= deep; dz++)
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        const int step[3] = {dx, dy, dz};
                        uint64_t to[3];
                        int32_t turn[3];
                        bool there = abs(dx) + abs(dy) + abs(dz) <= reach;
                        for (unsigned axis = 0; axis < 3; axis++) {
                            const int64_t length = size[axis], k = at[axis] + step[axis];
                            there = there && ((k >= 0 && k < length) || problem->periodic[axis]);
                            to[axis] = (uint64_t)((k + length) % length);
                            turn[axis] = turns[i][axis] + (k >= length) - (k < 0);
                        }
                        const uint64_t k = to[0] + size[0] * (to[1] + size[1] * to[2]);
                        if (!there || !matches(picture, i, k, step))
                            continue;
                        if (numbers[k] == 0) {
                            numbers[k] = count;
                            memcpy(turns[k], turn, sizeof turn);
                            queue[tail++] = k;
                        }
                        for (unsigned axis = 0; wraps != NULL && axis < 3; axis++)
                            wraps[count - 1] |= (unsigned)(turns[k][axis] != turn[axis]) << axis;
                    }
        }
    }
    free(queue);
    return count;
}

static inline uint32_t flood(const picture *picture, uint32_t *numbers, uint32_t *canonical,
                             unsigned *wraps)
{
    int32_t(*turns)[3] = malloc(picture->sites * sizeof *turns);
    const uint32_t count = flood_turns(picture, numbers, canonical, wraps, turns);
    free(turns);
    return count;
}

#endif
