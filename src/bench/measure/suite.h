/* SPDX-License-Identifier: BSD-3-Clause */
/* Suites: what clup bench SUITE measures. A suite is a row that lists points. A point is one thing
 * to measure; its function measure says how. To add a suite, add a row to suites.def and a function
 * that lists its points. */
#ifndef CLUP_BENCH_MEASURE_SUITE_H
#define CLUP_BENCH_MEASURE_SUITE_H
#include <jansson.h>
#include <stdbool.h>

#include "program.h"

#define BENCH_SIZES_MOST 16

/* What the user asked a suite for. */
typedef struct bench_order {
    const char *suite;                /* its name */
    bool quick;                       /* fewer, smaller and shorter points */
    uint64_t sizes[BENCH_SIZES_MOST]; /* values of L in place of the suite's own */
    size_t size_count;                /* 0 for the suite's own */
} bench_order;

/* Measures a point: adds its series, and other results, to a JSON object. */
struct bench_point;
struct bench_run;
typedef clup_status bench_measure(struct bench_run *run, const struct bench_point *point,
                                  json_t *object);
bench_measure bench_measure_sweep, bench_measure_serial, bench_measure_picture, bench_measure_limit;

typedef struct bench_point {
    const char *suite;
    char id[128];   /* of the point: equal on every device, and unique */
    char curve[64]; /* the curve of the point in the suite's picture, and its abscissa x */
    double x;
    bench_measure *measure;
    clup_problem problem;
    clup_method method;
    clup_plan_request request;
    bool measured;       /* wall is the time of sweeps whose clusters are measured */
    bool all_samples;    /* sample every sweep that equilibrium asks for, not only enough of them */
    size_t program;      /* the row of a serial code */
    const char *picture; /* the name of an image, drawn with density and grain; image is its problem
                          */
    double density;
    unsigned grain;
    clup_label_problem image;
    clup_limit limit;
} bench_point;

/* A growing list of points; remembers a failed allocation. */
typedef struct bench_list {
    const bench_order *order;
    const char *suite;
    bench_point *points;
    size_t count, room;
    bool failed;
} bench_list;

/* A suite: its name, its purpose, and a function that appends its points to a list. */
typedef struct bench_suite {
    const char *name, *about;
    void (*points)(bench_list *list);
} bench_suite;
/* Row number row, NULL past the end. The last suite, paper, has the points of all others. */
const bench_suite *bench_suite_row(size_t row);

/* Lists the points of an order. The first is the copy on the device, to which the others are
 * related. The caller frees the list with free(list->points). CLUP_ERROR_USAGE for an unknown
 * suite. */
clup_status bench_points(const bench_order *order, bench_list *list);

#endif
