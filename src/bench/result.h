/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads, validates and writes result files, of the schema clup/result/1
 * (doc/result.schema.json). */
#ifndef CLUP_BENCH_RESULT_H
#define CLUP_BENCH_RESULT_H
#include <jansson.h>

#include "clup.h"

#define BENCH_SCHEMA "clup/result/1"

/* Reads a result and validates it: it must have exactly the fields of the schema, each median and
 * spread must follow from the samples, and the sha256 must be that of the rest of the file. The
 * caller frees it with json_decref. CLUP_ERROR_RUNTIME, with the file's name and what is wrong, for
 * another file; CLUP_ERROR_MEMORY. */
clup_status bench_result_load(const char *path, json_t **root);
/* Sets the sha256, and writes the file whole or not at all. */
clup_status bench_result_save(const char *path, json_t *root);

/* The point with this id; NULL for none. */
const json_t *bench_find(const json_t *root, const char *id);

#endif
