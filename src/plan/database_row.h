/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the tune database as JSON: {"device", "driver", "kernels", "date", "version", "samples",
 * "fits"}. "kernels" has for each measured kernel variant a hash of its sources, {"local runs":
 * "0123456789abcdef"}. A row that cannot be read fails with a reason. */
#ifndef CLUP_PLAN_DATABASE_ROW_H
#define CLUP_PLAN_DATABASE_ROW_H
#include <jansson.h>

#include "plan/samples.h"

/* Returns the text of a key; "" when the row does not have it. */
const char *clup_row_text(const json_t *row, const char *key);
/* Whether the row, or its unfinished tuning, has a kernel variant that was measured with its
 * present sources. */
int clup_row_current(const json_t *row);
/* Returns the hashes of the present sources of the kernel variants in the samples; NULL without
 * memory. */
json_t *clup_row_kernels(const clup_samples *samples);
/* Validates that the row names its device and driver. */
clup_status clup_row_owner(const json_t *row);
/* Reads all samples of the row. Samples measured with other sources are marked as stale. On failure
 * there are no samples. */
clup_status clup_row_samples(const json_t *row, clup_samples *samples);
/* Validates that the whole row can be read. */
clup_status clup_row_whole(const json_t *row);
/* If warning is "", writes to it which row of the database at path cannot be used, and why: the
 * detail of the present error. */
void clup_row_warn(char warning[512], size_t k, const json_t *row, const char *path);

#endif
