/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares parts of results. Numbers are compared by value: 1 equals 1.0. */
#ifndef CLUP_BENCH_SAME_H
#define CLUP_BENCH_SAME_H
#include <jansson.h>
#include <stdbool.h>

bool bench_same(const json_t *a, const json_t *b);
/* Whether two values, both called name, differ. If so, to[size] says how: "NAME is A", then
 * between, then "B". For objects it is about the first field that differs, NAME.FIELD. */
bool bench_differ(const json_t *a, const json_t *b, const char *name, const char *between, char *to,
                  size_t size);

#endif
