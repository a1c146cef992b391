/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of measured times: the user's tune database and the one that the library ships; both are
 * JSON of one form. */
#ifndef CLUP_PLAN_DATABASE_H
#define CLUP_PLAN_DATABASE_H
#include "plan/samples.h"
#include "program.h"

/* What is known about a device. */
typedef struct clup_knowledge {
    clup_samples samples;
    char origin[192];  /* where they are from, for people; "" when there are none */
    char warning[512]; /* why the user's own could not be used, or "" */
} clup_knowledge;

/* The samples of the user's database for the device and driver; else those shipped for the device,
 * its vendor or platform, its type, or any device, in this order. No samples is no failure. */
clup_status clup_knowledge_find(const clup_device_info *device, clup_knowledge *knowledge);
/* The samples of row k of the times that the library ships, none past the last; origin says of
 * which device and when. */
clup_status clup_knowledge_shipped(size_t k, clup_knowledge *knowledge);
void clup_knowledge_clear(clup_knowledge *knowledge);

/* Puts a row into the user's database, in place of what is there of the device and driver. */
clup_status clup_database_put(const clup_device_info *device, const clup_samples *samples,
                              const clup_fit *fits, size_t fit_count);
/* The samples of a tuning that is not finished, quick or not: kept in the row of the device and
 * driver beside those that plans are made by, until clup_database_put; and those that there are,
 * none where it was made with other kernels. */
clup_status clup_database_put_unfinished(const clup_device_info *device, int quick,
                                         const clup_samples *samples);
clup_status clup_database_unfinished(const clup_device_info *device, int quick,
                                     clup_samples *samples);

#endif
