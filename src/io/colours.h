/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours of spins in pictures. */
#ifndef CLUP_IO_COLOURS_H
#define CLUP_IO_COLOURS_H
#include "base/status.h"

/* Red, green and blue, 0 to 255. Vacant sites are white, which no spin is. */
typedef struct clup_colour {
    uint8_t rgb[3];
} clup_colour;

/* The colours of a model: of each state; or, of a vector, of the spin. */
typedef struct clup_colours {
    unsigned numbers; /* of a spin that is a vector, see clup_spin_numbers; else 0 */
    clup_colour states[256];
} clup_colours;

clup_colours clup_colours_of(const clup_problem *problem);
/* Returns the colour of site number i of spins, as clup_simulation_spins gives them. */
clup_colour clup_colour_of_spin(const clup_colours *colours, const uint8_t *spins, uint64_t i);
/* Returns how far two colours are apart, in the units of Oklab, where black and white have the
 * distance 1: the least of the distances that people see who lack no, long-wave or medium-wave
 * cones. */
double clup_colour_distance(clup_colour a, clup_colour b);

#endif
