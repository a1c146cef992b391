/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments of a region from whole sums that a device has added up (image/region.clh). */
#ifndef CLUP_LABEL_REGION_MOMENTS_H
#define CLUP_LABEL_REGION_MOMENTS_H
#include "image/wide.clh"
#include "label/region_facts.h"

/* Reads a sum of so many words, which has no sign where it has fewer words than wide numbers. */
wide clup_wide_read(const uint32_t *words, unsigned count);
/* Returns number*2^unit, rounded once. */
double clup_wide_number(wide number, int unit);

/* Powers of coordinates below powers, of each axis. The place of a product of powers is that in
 * clup_region_moments. */
typedef struct clup_moment_step {
    uint8_t to, from;
} clup_moment_step;
typedef struct clup_moment_grid {
    unsigned axes, powers, count, steps;                      /* places; steps of an axis */
    uint8_t place[CLUP_MOMENTS_MOST], sum[CLUP_MOMENTS_MOST]; /* REGION_MOMENT() of a place */
    unsigned stride[3]; /* from a place to that with one power of the axis more */
    clup_moment_step step[3][96];
} clup_moment_grid;
void clup_moment_grid_make(unsigned axes, unsigned powers, clup_moment_grid *grid);

/* Sums of weights times powers of coordinates of the image, in units of 2^unit. */
typedef struct clup_power_sums {
    const uint32_t *words; /* as REGION_MOMENT() places them */
    unsigned words_each;
    const clup_moment_grid *grid;
    double most; /* the largest absolute weight, in units; INFINITY where it is not known */
    int unit;
} clup_power_sums;

/* Finds the moments of a region whose box and axes are in facts, exactly but for one rounding of
 * sums about the pixel next to the centroid, and another of the shift from there. */
void clup_region_moments_of(const clup_region_facts *facts, const clup_power_sums *sums,
                            clup_region_moments *moments);
/* Returns the sum of the squared distances of values from their mean: from the number of values,
 * their sum and the sum of their squares. */
double clup_squares_about_mean(uint64_t count, wide sum, wide squares);

#endif
