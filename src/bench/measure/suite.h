/* SPDX-License-Identifier: BSD-3-Clause */
/* Suites: what clup bench SUITE measures. A suite is a row that lists points; a point is one thing
 * that is measured, and its kind says how. Adding a suite is a row of suites.def and a function
 * that lists its points. */
#ifndef CLUP_BENCH_MEASURE_SUITE_H
#define CLUP_BENCH_MEASURE_SUITE_H
#include <jansson.h>
#include <stdbool.h>

#include "program.h"

#define BENCH_SIZES_MOST 16

/* What a suite was asked for. */
typedef struct bench_order {
    const char *suite;                /* its name */
    bool quick;                       /* fewer, smaller and shorter points */
    uint64_t sizes[BENCH_SIZES_MOST]; /* in place of the suite's own L */
    size_t size_count;                /* 0 for the suite's own */
} bench_order;

/* What measures a point: adds its series, and what else it found, to a JSON object. */
struct bench_point;
struct bench_run;
typedef clup_status bench_measure(struct bench_run *run, const struct bench_point *point,
                                  json_t *object);
bench_measure bench_measure_sweep, bench_measure_serial, bench_measure_picture, bench_measure_limit;

typedef struct bench_point {
    const char *suite;
    char id[128];   /* of the point, the same on every device and in no other point */
    char curve[64]; /* and x, where it stands in the suite's picture */
    double x;
    bench_measure *measure;
    clup_problem problem;
    clup_method method;
    clup_plan_request request;
    bool measured;       /* wall is that of sweeps with clusters measured */
    bool all_samples;    /* of each sweep that equilibrium asks for, not just of enough */
    size_t program;      /* of the serial codes */
    const char *picture; /* an image, drawn with density and grain; its problem is image */
    double density;
    unsigned grain;
    clup_label_problem image;
    clup_limit limit;
} bench_point;

/* Points that are listed; a failed allocation is remembered. */
typedef struct bench_list {
    const bench_order *order;
    const char *suite;
    bench_point *points;
    size_t count, room;
    bool failed;
} bench_list;

/* A suite: its name, what it is for, and its points, appended to a list. */
typedef struct bench_suite {
    const char *name, *about;
    void (*points)(bench_list *list);
} bench_suite;
/* NULL past the end. The last one, paper, is all others. */
const bench_suite *bench_suite_row(size_t row);

/* The points that were asked for, the copy of the device first, by which others are judged;
 * CLUP_ERROR_USAGE for a suite that there is not. Freed with free(list->points). */
clup_status bench_points(const bench_order *order, bench_list *list);

#endif
