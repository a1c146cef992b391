/* SPDX-License-Identifier: BSD-3-Clause */
/* The plans and kernels of several devices, side by side. */
#ifndef CLUP_BENCH_DRAW_COMPARE_PLANS_H
#define CLUP_BENCH_DRAW_COMPARE_PLANS_H
#include <jansson.h>

#include "bench/draw/page.h"

/* The plans that the planner took on each device, from the indices (bench/index.h) of results
 * [count]: [{"id", "unit", "values": [{"plan", "median", "stages": {stage: median, ..},
 * "bandwidth_fraction"} or null, ..]}, ..], a value for each result. Points are those of the
 * planner's kernels in the suites size and lattices, and the first ones of label with each size and
 * neighbourhood. NULL without memory. */
json_t *bench_plans(json_t *const *indices, size_t count);

/* The fastest kernel of each device: of local labelling for each tile, and of consolidation for
 * each lattice: [{"suite", "at", "unit", "values": [..]}, ..], a value for each result, null or
 * {"kernel", "median", "bandwidth_fraction"}. The planner's choice is not among them. NULL without
 * memory. */
json_t *bench_fastest(json_t *const *indices, size_t count);

/* Writes both as tables: "plans" and "fastest" of a comparison. */
void bench_plans_write(const json_t *comparison, bench_page *page);

#endif
