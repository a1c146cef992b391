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

/* Sums of weights times powers of coordinates of the image, in units of 2^unit. */
typedef struct clup_power_sums {
    const uint32_t *words; /* as REGION_MOMENT() places them */
    unsigned words_each, powers;
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
