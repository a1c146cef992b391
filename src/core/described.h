/* SPDX-License-Identifier: BSD-3-Clause */
/* What a text in TOML or JSON describes, such as a table of energies, and messages about it. */
#ifndef CLUP_CORE_DESCRIBED_H
#define CLUP_CORE_DESCRIBED_H
#include <jansson.h>

#include "base/status.h"

typedef struct clup_described {
    const char *from;   /* the path of the text; "" for none */
    const char *called; /* what messages call it where it has no path */
    json_t *values;     /* an object */
    json_t *marks;      /* of a text in TOML, see toml.h; else NULL */
} clup_described;

/* Reads text[size], JSON where it begins with '{', else TOML, which ends with a zero byte.
 * CLUP_ERROR_USAGE for what is neither. The caller clears it in any case. */
clup_status clup_described_read(clup_described *at, char *text, size_t size);
void clup_described_clear(clup_described *at);
/* Returns CLUP_ERROR_USAGE, with the detail "FROM, line N: KEY TEXT". */
clup_status clup_described_refuse(const clup_described *at, const char *key, const char *format,
                                  ...) __attribute__((format(printf, 3, 4)));
/* Validates that all keys are among keys, which end with NULL. what says what the text is of. */
clup_status clup_described_keys(const clup_described *at, const char *const *keys,
                                const char *what);

#endif
