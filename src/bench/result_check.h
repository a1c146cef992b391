/* SPDX-License-Identifier: BSD-3-Clause */
/* Validates results. */
#ifndef CLUP_BENCH_RESULT_CHECK_H
#define CLUP_BENCH_RESULT_CHECK_H
#include <jansson.h>

#include "clup.h"

/* Validates the schema, that the fields are exactly those of the schema, their types, the ids of
 * points, and that each median and spread follows from the samples. CLUP_ERROR_RUNTIME names path
 * and what is wrong; CLUP_ERROR_MEMORY. */
clup_status bench_result_check(const char *path, const json_t *root);

#endif
