/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours of spins: of states such that they are told apart, also by the colour-blind; of angles,
 * by hue. */
#include "io/colours.h"

#include <math.h>
#include <string.h>

#include "base/status.h"
#include "clup/simulation.h"
#include "core/model.h"
#include "core/vector.h"

/* ---- distances ------------------------------------------------------------------------------- */

/* A way to see: three numbers, distances between which are those that are seen. */
#define WAYS 3
typedef struct seen {
    double at[WAYS][3];
} seen;

/* What is seen of a colour, in linear light: by those who lack no cones, and by dichromats, after
 * G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, IEEE Trans. Vis. Comput. Graph. 15, 1291
 * (2009), of severity 1. */
static const double ways[WAYS][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
};

static double linear(uint8_t value)
{
    const double v = value / 255.;
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static void times(const double matrix[3][3], const double in[3], double out[3])
{
    for (unsigned k = 0; k < 3; k++)
        out[k] = matrix[k][0] * in[0] + matrix[k][1] * in[1] + matrix[k][2] * in[2];
}

/* Oklab of each way to see (B. Ottosson, A perceptual color space for image processing, 2020). */
static seen see(clup_colour colour)
{
    static const double to_cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                          {0.2119034982, 0.6806995451, 0.1073969566},
                                          {0.0883024619, 0.2817188376, 0.6299787005}},
                        to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    const double light[3] = {linear(colour.rgb[0]), linear(colour.rgb[1]), linear(colour.rgb[2])};
    seen seen;
    for (unsigned w = 0; w < WAYS; w++) {
        double rest[3], cones[3];
        times(ways[w], light, rest);
        for (unsigned k = 0; k < 3; k++)
            rest[k] = fmin(fmax(rest[k], 0), 1);
        times(to_cones, rest, cones);
        for (unsigned k = 0; k < 3; k++)
            cones[k] = cbrt(cones[k]);
        times(to_lab, cones, seen.at[w]);
    }
    return seen;
}

static double distance(const seen *a, const seen *b)
{
    double least = INFINITY;
    for (unsigned w = 0; w < WAYS; w++) {
        double squares = 0;
        for (unsigned k = 0; k < 3; k++)
            squares += (a->at[w][k] - b->at[w][k]) * (a->at[w][k] - b->at[w][k]);
        least = fmin(least, squares);
    }
    return sqrt(least);
}

double clup_colour_distance(clup_colour a, clup_colour b)
{
    const seen one = see(a), other = see(b);
    return distance(&one, &other);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* The first states have chosen colours, of hues that are pleasant beside each other: blue, orange,
 * plum, lavender, brown, yellow, sea green and black. */
static const clup_colour chosen[] = {{{0, 92, 170}},    {{230, 150, 0}}, {{60, 10, 40}},
                                     {{185, 170, 255}}, {{160, 70, 10}}, {{250, 240, 60}},
                                     {{0, 150, 130}},   {{0, 0, 0}}};
#define CHOSEN (sizeof chosen / sizeof *chosen)

/* Levels of red, green and blue of the colours from which the others are taken. */
#define LEVELS 12u
#define CANDIDATES (LEVELS * LEVELS * LEVELS)

static clup_colour candidate(unsigned k)
{
    const unsigned step = 255 / (LEVELS - 1);
    return (clup_colour){{(uint8_t)(k % LEVELS * step), (uint8_t)(k / LEVELS % LEVELS * step),
                          (uint8_t)(k / LEVELS / LEVELS * step)}};
}

/* Sets the colours of states count: after the chosen ones, each is that which is farthest from all
 * before it, and from white. A state has the same colour whatever count is. */
static void colour_states(clup_colour *states, unsigned count)
{
    static const clup_colour white = {{255, 255, 255}};
    double apart[CANDIDATES];
    seen candidates[CANDIDATES];
    seen before = see(white);
    memcpy(states, chosen, (count < CHOSEN ? count : CHOSEN) * sizeof *states);
    if (count <= CHOSEN)
        return;
    for (unsigned k = 0; k < CANDIDATES; k++) {
        apart[k] = INFINITY;
        candidates[k] = see(candidate(k));
    }
    for (unsigned state = 0; state < count; state++) {
        unsigned farthest = 0;
        for (unsigned k = 0; k < CANDIDATES; k++) {
            apart[k] = fmin(apart[k], distance(&candidates[k], &before));
            farthest = apart[k] > apart[farthest] ? k : farthest;
        }
        if (state >= CHOSEN)
            states[state] = candidate(farthest);
        before = see(states[state]);
    }
}

/* ---- directions ------------------------------------------------------------------------------ */

/* Red, green and blue are cosines of an angle, 1/3 of a turn apart, about a mean that grows with
 * what a vector has along z. In the plane all hues are as bright on the whole. */
static clup_colour colour_of_direction(double x, double y, double z)
{
    clup_colour colour;
    const double angle = x != 0 || y != 0 ? atan2(y, x) : 0, flat = sqrt(fmax(0, 1 - z * z));
    for (unsigned k = 0; k < 3; k++) {
        const double value = 0.48 + 0.33 * z +
                             (0.35 + 0.1 * flat) * flat * cos(angle - 2 * M_PI / 3 * k);
        colour.rgb[k] = (uint8_t)lrint(255 * fmin(fmax(value, 0), 1));
    }
    return colour;
}

/* ---- models ---------------------------------------------------------------------------------- */

clup_colours clup_colours_of(const clup_problem *problem)
{
    clup_colours colours = {.numbers = clup_spin_numbers(problem)};
    const unsigned q = problem->q < 256 ? problem->q : 256;
    if (problem->model == CLUP_CLOCK && q > 2)
        for (unsigned k = 0; k < q; k++)
            colours.states[k] = colour_of_direction(cos(2 * M_PI * k / q), sin(2 * M_PI * k / q),
                                                    0);
    else if (colours.numbers == 0)
        colour_states(colours.states, q);
    return colours;
}

clup_colour clup_colour_of_spin(const clup_colours *colours, const uint8_t *spins, uint64_t i)
{
    uint32_t spin[VECTOR_NUMBERS_MOST];
    if (colours->numbers == 0)
        return colours->states[spins[i]];
    clup_vector_of_site(spins, colours->numbers, i, spin);
    if (colours->numbers == 1)
        return colour_of_direction(cos(spin[0] * (2 * M_PI * 0x1p-32)),
                                   sin(spin[0] * (2 * M_PI * 0x1p-32)), 0);
    return colour_of_direction((int32_t)spin[0] * 0x1p-30, (int32_t)spin[1] * 0x1p-30,
                               (int32_t)spin[2] * 0x1p-30);
}

clup_status clup_spin_colours(const clup_problem *problem, const uint8_t *spins, uint64_t count,
                              uint8_t *rgb)
{
    static const clup_colour white = {{255, 255, 255}};
    CLUP_NEED(problem);
    if (count > 0) {
        CLUP_NEED(spins);
        CLUP_NEED(rgb);
    }
    if ((unsigned)problem->model >= CLUP_MODELS ||
        clup_model_of(problem->model)->runner != CLUP_RUNNER_simulation)
        return clup_fail(CLUP_ERROR_USAGE, "model %d has no spins", (int)problem->model);
    const clup_colours colours = clup_colours_of(problem);
    for (uint64_t i = 0; i < count; i++) {
        const bool vacant = colours.numbers == 0 && spins[i] == CLUP_VACANT_STATE;
        if (colours.numbers == 0 && !vacant && spins[i] >= problem->q)
            return clup_fail(CLUP_ERROR_USAGE, "site %llu has state %u, which is not below q = %u",
                             (unsigned long long)i, spins[i], problem->q);
        const clup_colour colour = vacant ? white : clup_colour_of_spin(&colours, spins, i);
        memcpy(rgb + 3 * i, colour.rgb, sizeof colour.rgb);
    }
    return CLUP_OK;
}
