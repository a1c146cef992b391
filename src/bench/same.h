/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether parts of results are the same. Numbers are compared by value, as 1 and 1.0 are. */
#ifndef CLUP_BENCH_SAME_H
#define CLUP_BENCH_SAME_H
#include <jansson.h>
#include <stdbool.h>

bool bench_same(const json_t *a, const json_t *b);
/* Whether two values differ that are called name; to[size] then says how: "NAME is A", between, and
 * "B". Of objects it is their first field that differs, NAME.FIELD. */
bool bench_differ(const json_t *a, const json_t *b, const char *name, const char *between, char *to,
                  size_t size);

#endif
