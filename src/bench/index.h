/* SPDX-License-Identifier: BSD-3-Clause */
/* An index of a result: finds points by id, and by suite and curve, without a search. */
#ifndef CLUP_BENCH_INDEX_H
#define CLUP_BENCH_INDEX_H
#include <jansson.h>

/* Makes the index of a result's points, which the caller releases by json_decref. NULL without
 * memory. */
json_t *bench_index(const json_t *root);
/* The point with an id, or NULL. */
json_t *bench_index_point(const json_t *index, const char *id);
/* The points of a suite, in their order: those of one curve, or all when curve is NULL. NULL for
 * none. */
const json_t *bench_index_points(const json_t *index, const char *suite, const char *curve);
/* The names of a suite's curves, an array in the order of their first points; NULL for none. */
const json_t *bench_index_curves(const json_t *index, const char *suite);

#endif
