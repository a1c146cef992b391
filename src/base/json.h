/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the grammar of a text that a JSON parser has refused. */
#ifndef CLUP_BASE_JSON_H
#define CLUP_BASE_JSON_H
#include <stdbool.h>
#include <stddef.h>

/* Whether a text is an object or array by the grammar of RFC 8259. Allocates nothing. */
bool clup_json_is(const char *text, size_t size);

#endif
