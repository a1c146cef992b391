/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of one region, and the properties that follow from it. Axes are in the order of
 * NumPy, the slowest first, as in the properties. */
#ifndef CLUP_LABEL_REGION_FACTS_H
#define CLUP_LABEL_REGION_FACTS_H
#include <stdbool.h>

#include "base/status.h"
#include "image/region.clh"

/* Places of moments: 4 powers of each axis, the last axis the fastest. */
#define CLUP_MOMENTS_MOST 64
#define CLUP_CHANNELS_MOST 4
/* Percentiles that are found at once. */
#define CLUP_PERCENTILES_MOST 16

/* Moments of weights: about the corner of the box, and about their centroid, in lengths. */
typedef struct clup_region_moments {
    double local[CLUP_MOMENTS_MOST], central[CLUP_MOMENTS_MOST];
    double centroid[3]; /* from the first pixel of the image on */
} clup_region_moments;

/* The values of a channel. */
typedef struct clup_region_values {
    double least, most, sum, mean, deviation, median;
    double percentiles[CLUP_PERCENTILES_MOST];
    clup_region_moments moments;
} clup_region_values;

typedef struct clup_region_facts {
    unsigned axes;
    double spacing[3];
    uint32_t label;
    uint64_t size;
    uint32_t first[3], end[3];
    clup_region_moments moments;
    uint32_t faces[FACE_WORDS];
    double crofton;  /* perimeter or surface */
    uint64_t convex; /* pixels of the convex hull */
    double feret;    /* its largest diameter */
    clup_region_values values[CLUP_CHANNELS_MOST];
} clup_region_facts;

/* What is to be found out for properties. */
typedef struct clup_region_needs {
    unsigned powers, value_powers; /* POWERS of region.clh; 0 for no sums */
    bool faces, hull, extremes, median, percentile;
    bool of_values, whole, isotropic;
} clup_region_needs;

/* A property: its name, the axes of images that have it as bits, what it needs, and its numbers. */
typedef struct clup_region_row {
    const char *name;
    enum {
        CLUP_REGION_NUMBER,
        CLUP_REGION_VECTOR,
        CLUP_REGION_BOX,
        CLUP_REGION_MATRIX,
        CLUP_REGION_MOMENTS,
        CLUP_REGION_HU
    } shape;
    unsigned axes;
    clup_region_needs needs;
    void (*put)(const clup_region_facts *facts, unsigned channel, double *numbers);
} clup_region_row;
extern const clup_region_row clup_region_properties[];
extern const size_t clup_region_property_count;

/* Returns how many numbers a property has for each channel, CLUP_MOMENTS_MOST at most, and writes
 * the place of one, such as "-0-1", "" for a single number. */
unsigned clup_region_numbers(const clup_region_row *row, unsigned axes);
void clup_region_place(const clup_region_row *row, unsigned axes, unsigned number, char text[16]);

#endif
