/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what became slower than in an earlier result. */
#ifndef CLUP_BENCH_MEASURE_BASELINE_H
#define CLUP_BENCH_MEASURE_BASELINE_H
#include <jansson.h>

#include "clup.h"

typedef void bench_slower_report(void *user, const char *id, const char *series, double before,
                                 double now, const char *unit);

/* Compares the points that both results have, by one time: of a sweep, its update; of an image, the
 * time on the device; of a serial code, the time on the wall clock; of a limit of the device, the
 * limit itself. A point is slower when the faster quartile of its samples is slower than the slower
 * quartile of the earlier samples. Calls report for each point. CLUP_ERROR_USAGE for results of
 * different devices or hosts, or for one id with different problems; CLUP_ERROR_VERIFY for a point
 * whose spins or labels differ from the earlier ones. */
clup_status bench_slower(const json_t *before, const json_t *now, bench_slower_report *report,
                         void *user, size_t *compared, size_t *slower);

#endif
