/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports what was measured at some probabilities, as a table for people or as JSON. */
#ifndef CLUP_CLI_PERCOLATE_POINTS_H
#define CLUP_CLI_PERCOLATE_POINTS_H
#include "cli/cli.h"

typedef struct percolate_points {
    const clup_percolation_point *points; /* points[count]; the last may have fewer samples */
    uint32_t count, asked;                /* fewer points than were asked for when interrupted */
    int of_sites;                         /* sites are occupied; else bonds are active */
    uint64_t sites;
    double critical;                   /* the critical probability, NAN where it is not known */
    const clup_percolation_scan *scan; /* has the covariances; NULL where they are not known */
} percolate_points;

/* Print all of one point, or a line for each of several; then the notes. Write them to the object
 * that is open. */
void percolate_print_points(const percolate_points *points);
void percolate_write_points(const percolate_points *points, json *json);

#endif
