/* SPDX-License-Identifier: BSD-3-Clause */
/* A volume of cells, as segmentations have them, and the noise that benchmarks draw. */
#ifndef CLUP_TESTS_CELLS_H
#define CLUP_TESTS_CELLS_H
#include <math.h>
#include <stdint.h>

static inline uint32_t noise(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

#define CELLS 13u /* along an axis */
#define BOX 8u    /* sites whose cells are looked for together */

static inline float distance2(const float a[3], const float b[3])
{
    return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
           (a[2] - b[2]) * (a[2] - b[2]);
}

/* A volume of the cells around random points, each with a value of its own. */
static inline void draw_cells(uint32_t side, uint32_t *pixels)
{
    static float points[CELLS * CELLS * CELLS][3];
    const unsigned count = CELLS * CELLS * CELLS;
    const float across = 1.7320508f * BOX / 2;
    uint64_t state = 1;
    for (unsigned k = 0; k < count; k++)
        for (unsigned axis = 0; axis < 3; axis++)
            points[k][axis] = (float)side * (float)noise(&state) / 4294967296.0f;
    for (uint64_t box = 0, edge = (side - 1) / BOX + 1; box < edge * edge * edge; box++) {
        const uint32_t x0 = (uint32_t)(box % edge) * BOX, y0 = (uint32_t)(box / edge % edge) * BOX,
                       z0 = (uint32_t)(box / edge / edge) * BOX;
        const float middle[3] = {(float)(x0 + BOX / 2), (float)(y0 + BOX / 2),
                                 (float)(z0 + BOX / 2)};
        float least = 1e30f;
        unsigned near[CELLS * CELLS * CELLS], some = 0;
        for (unsigned k = 0; k < count; k++)
            least = fminf(least, distance2(middle, points[k]));
        for (unsigned k = 0; k < count; k++)
            if (sqrtf(distance2(middle, points[k])) <= sqrtf(least) + 2 * across)
                near[some++] = k;
        for (uint32_t j = 0; j < BOX * BOX * BOX; j++) {
            const uint32_t x = x0 + j % BOX, y = y0 + j / BOX % BOX, z = z0 + j / BOX / BOX;
            const float at[3] = {(float)x, (float)y, (float)z};
            unsigned best = near[0];
            for (unsigned k = 1; k < some; k++)
                if (distance2(at, points[near[k]]) < distance2(at, points[best]))
                    best = near[k];
            if (x < side && y < side && z < side)
                pixels[((uint64_t)z * side + y) * side + x] = best + 1;
        }
    }
}

#endif
