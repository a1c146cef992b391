/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions of a label image, shared by the files that prepare and measure them. */
#ifndef CLUP_LABEL_REGIONS_H
#define CLUP_LABEL_REGIONS_H
#include "label/region_facts.h"
#include "label/region_moments.h"
#include "label/region_parts.h"
#include "image/region.clh"
#include "label/region_hull.h"
#include "ocl/kernel.h"

/* clang-format off */
#define CLUP_REGION_KERNELS(KERNEL) \
    KERNEL(SUMS, "region_sums") \
    KERNEL(FACES, "region_faces") \
    KERNEL(ENDS, "region_ends") \
    KERNEL(EXTREMES, "region_extremes") \
    KERNEL(VALUE_SUMS, "region_value_sums") \
    KERNEL(DIGITS, "region_digits") \
    KERNEL(SELECT, "region_select")
/* clang-format on */
#define NAME(NAME, ENTRY) CLUP_REGION_##NAME,
enum { CLUP_REGION_KERNELS(NAME) CLUP_REGION_KERNEL_COUNT };
#undef NAME

/* A property that is wanted: its columns begin at column. A percentile has a name and a number of
 * its own. */
typedef struct clup_region_wanted {
    const clup_region_row *row;
    size_t column;
    char name[48];
    unsigned which;
} clup_region_wanted;

struct clup_regions {
    clup_region_problem problem; /* spacing is set */
    clup_context *context;
    clup_region_part part;                       /* the layers that this process has */
    clup_region_needs needs;                     /* of all wanted properties together */
    double weights[13];                          /* of directions */
    clup_moment_grid grid, value_grid;           /* of sums over pixels, and over values */
    double fractions[CLUP_PERCENTILES_MOST + 1]; /* of percentiles, then that of the median */
    unsigned percentiles, ranked;                /* numbers of percentiles, and of fractions */
    clup_region_wanted *wanted;
    size_t wanted_count, column_count;
    struct clup_region_own_column {
        char name[64];
        bool whole;
        void *values; /* [room]: int64_t or double */
    } * columns;
    size_t rows, room;
    clup_kernel kernels[CLUP_REGION_KERNEL_COUNT];
    size_t items;
    cl_mem labels, values; /* of arrays of the host; NULL before the first */
};

/* The most regions that are measured in one go; 0 for as many as there is room for. Tests make it
 * small. */
extern uint32_t clup_regions_most;

/* What is given to the kernels. */
typedef struct clup_region_image {
    cl_mem labels, values; /* of all layers of args */
    region_args args;
    uint64_t pixels; /* of the layers that are measured */
} clup_region_image;

/* The records of regions as the device has made them; NULL where they are not needed. */
typedef struct clup_region_found {
    uint32_t *sums, *faces;
    struct clup_region_found_values {
        uint32_t *extremes, *sums;
        uint64_t *ranked; /* for each fraction two values of each region, as integers */
    } channel[CLUP_CHANNELS_MOST];
    clup_row_ends *ends;
    uint64_t *places; /* where the rows of a region begin in ends */
} clup_region_found;

/* Lets the kernels measure the regions of image->args; clup_regions_clear frees what was found,
 * after a failure as well. */
clup_status clup_regions_find(clup_regions *regions, const clup_region_image *image,
                              clup_region_found *found);
void clup_regions_clear(clup_region_found *found);
/* Words that kernels add to for each region. */
uint64_t clup_regions_words(const clup_regions *regions);
/* AXES of the kernels, and the words of a region in sums over pixels and over values. */
unsigned clup_region_axes(const clup_regions *regions);
uint64_t clup_region_sum_words(const clup_regions *regions);
uint64_t clup_region_value_words(const clup_regions *regions);
/* Returns the place of a fraction among so many values in order, from 0 on: half-way between two
 * for the median of an even number. */
double clup_regions_place(double fraction, uint64_t values);
/* The sums of region k of those that are measured. */
const uint32_t *clup_region_record(const clup_regions *regions, const clup_region_found *found,
                                   uint32_t k);

/* Makes room for more rows. Puts what follows from facts into a row, for which there is room;
 * several threads may do so for rows of their own. */
clup_status clup_regions_reserve(clup_regions *regions, size_t more);
void clup_regions_put(clup_regions *regions, size_t row, const clup_region_facts *facts);

#endif
