/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions of a label image, shared by the files that prepare and measure them. */
#ifndef CLUP_LABEL_REGIONS_H
#define CLUP_LABEL_REGIONS_H
#include "label/region_facts.h"
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

/* A property that is wanted: its columns begin at column. */
typedef struct clup_region_wanted {
    const clup_region_row *row;
    size_t column;
} clup_region_wanted;

struct clup_regions {
    clup_region_problem problem; /* spacing is set */
    clup_context *context;
    clup_region_needs needs; /* of all wanted properties together */
    double weights[13];      /* of directions */
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

/* Makes a row for a region, the columns of which follow from facts. */
clup_status clup_regions_add(clup_regions *regions, const clup_region_facts *facts);

#endif
