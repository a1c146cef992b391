/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured times, and what they predict. */
#ifndef CLUP_PLAN_SAMPLES_H
#define CLUP_PLAN_SAMPLES_H
#include <stdbool.h>

#include "base/status.h"
#include "program.h"

typedef struct clup_samples {
    clup_sample *items;
    size_t count, capacity;
} clup_samples;

clup_status clup_samples_add(clup_samples *samples, const clup_sample *sample);
void clup_samples_drop_stale(clup_samples *samples);
void clup_samples_free(clup_samples *samples);

/* The time a site of a kernel for so many systems with a side and tile that were measured or lie
 * between or beyond the measured ones, along straight lines in log-log coordinates; NAN for a
 * kernel that was not measured, or with one tile alone that is another. tile is 0 for a kernel
 * whose time does not depend on it. */
double clup_samples_predict(const clup_samples *samples, clup_stage stage, const char *kernel,
                            const char *bonds, unsigned tile, double side, double systems);
/* Whether a time of the kernel is out of date: it was measured with another text of it. */
bool clup_samples_stale(const clup_samples *samples, clup_stage stage, const char *kernel);
/* Of how many kernels there are times, and of how many such as are out of date, which is returned;
 * first is one of these. */
unsigned clup_samples_kernels(const clup_samples *samples, unsigned *kernels,
                              const clup_sample **first);

#endif
