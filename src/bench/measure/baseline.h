/* SPDX-License-Identifier: BSD-3-Clause */
/* What became slower than in an earlier result. */
#ifndef CLUP_BENCH_MEASURE_BASELINE_H
#define CLUP_BENCH_MEASURE_BASELINE_H
#include <jansson.h>

#include "clup.h"

typedef void bench_slower_report(void *user, const char *id, const char *series, double before,
                                 double now, const char *unit);

/* Compares the points that both results have, by the time of all of them: of a sweep its update, of
 * an image that on the device, of a serial code that on the wall clock, of the device's limits
 * themselves. One is slower when the faster quartile of its samples is slower than the slower
 * quartile of those before. report is called for each. CLUP_ERROR_USAGE for results of different
 * devices or hosts, or of different problems under one id; CLUP_ERROR_VERIFY for a point of which
 * spins or labels are others than before. */
clup_status bench_slower(const json_t *before, const json_t *now, bench_slower_report *report,
                         void *user, size_t *compared, size_t *slower);

#endif
