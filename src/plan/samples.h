/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured times of kernel variants, and predictions from them. */
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

/* Predicts the time a site of a kernel variant on a number of systems of the given side and tile.
 * Measured times are interpolated, or extrapolated, along straight lines in log-log coordinates.
 * NAN for a variant that was not measured, or that was measured only with one tile, which is
 * another. tile is 0 for a variant whose time does not depend on it. */
double clup_samples_predict(const clup_samples *samples, clup_stage stage, const char *kernel,
                            const char *bonds, unsigned tile, double side, double systems);
/* Whether a time of the variant is out of date: its sources have changed since it was measured. */
bool clup_samples_stale(const clup_samples *samples, clup_stage stage, const char *kernel);
/* Sets *kernels to the number of kernel variants that have times. Returns how many of them have
 * times that are out of date, and sets *first to a time of one of those. */
unsigned clup_samples_kernels(const clup_samples *samples, unsigned *kernels,
                              const clup_sample **first);

#endif
