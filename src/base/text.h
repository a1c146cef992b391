/* SPDX-License-Identifier: BSD-3-Clause */
/* A string that grows. A failed allocation is remembered and reported once, by clup_text_ok. */
#ifndef CLUP_BASE_TEXT_H
#define CLUP_BASE_TEXT_H
#include <stdbool.h>
#include <stddef.h>

typedef struct clup_text {
    char *data; /* NUL-terminated, or NULL while empty */
    size_t length, capacity;
    bool failed;
} clup_text;

void clup_text_add(clup_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void clup_text_add_bytes(clup_text *text, const char *bytes, size_t count);
bool clup_text_ok(const clup_text *text);
void clup_text_free(clup_text *text);

/* Whether part occurs in text, compared without case. */
bool clup_text_contains(const char *text, const char *part);

#endif
