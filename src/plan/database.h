/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured times of kernel variants: the user's tune database, and the one that the library ships.
 * Both are JSON of one form, with a row for each device and driver. */
#ifndef CLUP_PLAN_DATABASE_H
#define CLUP_PLAN_DATABASE_H
#include "plan/samples.h"
#include "program.h"

/* What is known about a device. */
typedef struct clup_knowledge {
    clup_samples samples;
    char origin[192];  /* where the samples come from, for people; "" when there are none */
    char warning[512]; /* why the user's own samples could not be used, or "" */
} clup_knowledge;

/* Finds samples in the user's database for the device and driver; else in the library's, for the
 * device, its vendor or platform, its type, or any device, in this order. To find no samples is no
 * failure. */
clup_status clup_knowledge_find(const clup_device_info *device, clup_knowledge *knowledge);
/* Reads row k of the times that the library ships; no samples past the last row. knowledge->origin
 * names the device and date. */
clup_status clup_knowledge_shipped(size_t k, clup_knowledge *knowledge);
void clup_knowledge_clear(clup_knowledge *knowledge);

/* Writes a row to the user's database, in place of the present row of the device and driver. */
clup_status clup_database_put(const clup_device_info *device, const clup_samples *samples,
                              const clup_fit *fits, size_t fit_count);
/* Samples of a tuning that is not finished, quick or not. The row of the device and driver keeps
 * them beside the samples by which plans are made, until clup_database_put.
 * clup_database_unfinished reads them: none where they were measured with other kernels. */
clup_status clup_database_put_unfinished(const clup_device_info *device, int quick,
                                         const clup_samples *samples);
clup_status clup_database_unfinished(const clup_device_info *device, int quick,
                                     clup_samples *samples);

#endif
