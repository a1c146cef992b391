/* SPDX-License-Identifier: BSD-3-Clause */
/* Result files, of the schema clup/result/1 (doc/result.schema.json): reading, checking, writing.
 */
#ifndef CLUP_BENCH_RESULT_H
#define CLUP_BENCH_RESULT_H
#include <jansson.h>

#include "clup.h"

#define BENCH_SCHEMA "clup/result/1"

/* Reads a result and checks it: that it has the fields of the schema and no others, that each
 * median and spread is that of the samples, and that the sha256 is that of the rest.
 * CLUP_ERROR_RUNTIME, with the file's name and what is wrong, for what is none; CLUP_ERROR_MEMORY.
 * Freed with json_decref. */
clup_status bench_result_load(const char *path, json_t **root);
/* Sets the sha256, and writes the file, whole or not at all. */
clup_status bench_result_save(const char *path, json_t *root);

/* The point of this id; NULL for none. */
const json_t *bench_find(const json_t *root, const char *id);

#endif
