/* SPDX-License-Identifier: BSD-3-Clause */
/* What a result has, found without going through all of it: points by id, and by suite and curve.
 */
#ifndef CLUP_BENCH_INDEX_H
#define CLUP_BENCH_INDEX_H
#include <jansson.h>

/* The index of a result's points, to be released by json_decref; NULL without memory. */
json_t *bench_index(const json_t *root);
/* The point of an id, or NULL. */
json_t *bench_index_point(const json_t *index, const char *id);
/* The points of a suite, in their order, of one curve or for NULL of all; NULL for none. */
const json_t *bench_index_points(const json_t *index, const char *suite, const char *curve);
/* The names of a suite's curves, an array in the order of their first points; NULL for none. */
const json_t *bench_index_curves(const json_t *index, const char *suite);

#endif
