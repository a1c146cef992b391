/* SPDX-License-Identifier: BSD-3-Clause */
/* What a result must have. */
#ifndef CLUP_BENCH_RESULT_CHECK_H
#define CLUP_BENCH_RESULT_CHECK_H
#include <jansson.h>

#include "clup.h"

/* Checks the schema, the fields, of which there are no others, and their types, the ids of points,
 * and that each median and spread is that of the samples. CLUP_ERROR_RUNTIME, with path and what is
 * wrong; CLUP_ERROR_MEMORY. */
clup_status bench_result_check(const char *path, const json_t *root);

#endif
