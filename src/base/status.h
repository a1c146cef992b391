/* SPDX-License-Identifier: BSD-3-Clause */
/* Failing: one line sets the detail and gives the status. */
#ifndef CLUP_BASE_STATUS_H
#define CLUP_BASE_STATUS_H
#include <stddef.h>

#include "clup.h"

/* Bytes of a detail: enough for the interesting part of a build log. */
#define CLUP_DETAIL_SIZE 8192
/* Stores the detail for clup_error_detail() and returns status. */
clup_status clup_fail(clup_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* CLUP_ERROR_MEMORY for a failed host allocation of what. */
clup_status clup_fail_memory(const char *what);

/* CLUP_ERROR_USAGE when one of the words that are kept for later versions is not zero in a struct
 * called what. */
clup_status clup_reserved_check(const uint64_t *reserved, size_t count, const char *what);
#define CLUP_RESERVED(object, what) \
    clup_reserved_check((object)->reserved, sizeof(object)->reserved / sizeof *(object)->reserved, \
                        what)

/* At the start of a public function: leave with CLUP_ERROR_USAGE when an argument that it needs is
 * NULL. */
#define CLUP_NEED(argument) \
    do { \
        if ((argument) == NULL) \
            return clup_fail(CLUP_ERROR_USAGE, "%s: %s is NULL", __func__, #argument); \
    } while (0)

/* In a function with a variable status and a label done: leave on failure. */
#define CLUP_TRY(call) \
    do { \
        status = (call); \
        if (status != CLUP_OK) \
            goto done; \
    } while (0)

#endif
