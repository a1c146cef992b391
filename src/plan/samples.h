/* Measured times, and what they predict. */
#ifndef CLUP_PLAN_SAMPLES_H
#define CLUP_PLAN_SAMPLES_H
#include "base/status.h"

typedef struct clup_samples {
    clup_sample *items;
    size_t count, capacity;
} clup_samples;

clup_status clup_samples_add(clup_samples *samples, const clup_sample *sample);
void clup_samples_free(clup_samples *samples);

/* The time of a kernel at a size and tile that were measured or lie between or beyond the measured
 * ones, along straight lines in log-log coordinates; NAN for a kernel that was not measured, or
 * with one tile alone that is another. tile is 0 for a kernel whose time does not depend on it. */
double clup_samples_predict(const clup_samples *samples, clup_stage stage, const char *kernel,
                            const char *bonds, unsigned tile, double size);

#endif
