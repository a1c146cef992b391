/* SPDX-License-Identifier: BSD-3-Clause */
/* Scans: sums over samples of percolation at several probabilities. */
#ifndef CLUP_RUN_PERCOLATION_SCAN_H
#define CLUP_RUN_PERCOLATION_SCAN_H
#include "estimate/record.h"
#include "estimate/series.h"
#include "run/percolation.h"

/* Samples of a block, whose values are added up together: as there are blocks from sample 0 on,
 * sums are the same whatever rounds and threads there are. */
#define CLUP_SCAN_BLOCK 1000u
/* A column for each observable and then for each class of sizes. */
#define CLUP_SCAN_COLUMNS (CLUP_PERCOLATION_OBSERVABLES + CLUP_SIZE_CLASSES)

/* Sums over samples: of each column, and of the products of the deviations of two observables from
 * their means. */
typedef struct clup_scan_sums {
    clup_sums columns[CLUP_SCAN_COLUMNS];
    double products[CLUP_PERCOLATION_OBSERVABLES][CLUP_PERCOLATION_OBSERVABLES];
} clup_scan_sums;

/* What is known at one p. */
typedef struct clup_scan_point {
    uint64_t samples;
    clup_scan_sums sums; /* of the blocks that are complete */
    double *open;        /* open[columns][open_room] of samples % CLUP_SCAN_BLOCK samples */
    unsigned open_room;  /* 0 for none; a block while samples are drawn, else just enough */
    double *values;      /* values[CLUP_PERCOLATION_OBSERVABLES][room], where they are kept */
    uint64_t room;
    double wall_s;
} clup_scan_point;

struct clup_percolation_scan {
    clup_problem problem; /* without replicas and betas */
    uint64_t seed;
    uint32_t count;
    unsigned classes;        /* of sizes that clusters of the lattice can have */
    bool keeps;              /* the values of all samples */
    double *ps;              /* ps[count] */
    clup_scan_point *points; /* points[count] */
    clup_record *said;       /* what a checkpoint says besides; NULL for none */
};

/* The number of columns that are not 0 for all samples. */
unsigned clup_scan_columns(const clup_percolation_scan *scan);
/* Makes room for so many open values of each column; those that are there stay, and fit. */
clup_status clup_scan_open(const clup_percolation_scan *scan, clup_scan_point *point,
                           unsigned room);
/* Makes room for the kept values of so many samples; those that are there stay. */
clup_status clup_scan_reserve(clup_scan_point *point, uint64_t samples);

#endif
