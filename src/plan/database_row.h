/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the tune database as JSON: {"device", "driver", "kernels", "date", "version", "samples",
 * "fits"}. "kernels" has a hash for each kernel that was measured, {"local runs":
 * "0123456789abcdef"}: of the sources that it was made of. What cannot be read fails with a reason.
 */
#ifndef CLUP_PLAN_DATABASE_ROW_H
#define CLUP_PLAN_DATABASE_ROW_H
#include <jansson.h>

#include "plan/samples.h"

/* The text of a key; "" when it has none. */
const char *clup_row_text(const json_t *row, const char *key);
/* Whether a kernel of it, or one of its unfinished tuning, was measured with the text that it has
 * now. */
int clup_row_current(const json_t *row);
/* The hashes of the kernels that samples are of, as they are now; NULL without memory. */
json_t *clup_row_kernels(const clup_samples *samples);
/* Whether it says whose it is. */
clup_status clup_row_owner(const json_t *row);
/* All its samples, those of other texts marked as stale, or none. */
clup_status clup_row_samples(const json_t *row, clup_samples *samples);
/* Whether all of it can be read. */
clup_status clup_row_whole(const json_t *row);
/* Puts which row it is, of the database at path, and why it cannot be used, the error detail, to
 * warning, unless there is one. */
void clup_row_warn(char warning[512], size_t k, const json_t *row, const char *path);

#endif
