/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares parts of results. */
#include "bench/same.h"

#include <stdio.h>
#include <stdlib.h>

bool bench_same(const json_t *a, const json_t *b)
{
    return json_is_number(a) && json_is_number(b) ? json_number_value(a) == json_number_value(b)
                                                  : json_equal(a, b);
}

/* The first field of an object that differs in b; NULL for none. */
static const char *other_field(const json_t *a, const json_t *b)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)a, key, value)
    {
        if (!bench_same(value, json_object_get(b, key)))
            return key;
    }
    return NULL;
}

bool bench_differ(const json_t *a, const json_t *b, const char *name, const char *between, char *to,
                  size_t size)
{
    enum { FLAGS = JSON_ENCODE_ANY | JSON_REAL_PRECISION(15) | JSON_COMPACT };
    const char *key = other_field(a, b);
    if (key == NULL)
        key = other_field(b, a);
    if (key == NULL && (json_is_object(a) || bench_same(a, b)))
        return false;
    char *one = json_dumps(key != NULL ? json_object_get(a, key) : a, FLAGS),
         *other = json_dumps(key != NULL ? json_object_get(b, key) : b, FLAGS);
    snprintf(to, size, "%s%s%s is %s%s%s", name, key != NULL ? "." : "", key != NULL ? key : "",
             one != NULL ? one : "missing", between, other != NULL ? other : "missing");
    free(one);
    free(other);
    return true;
}
