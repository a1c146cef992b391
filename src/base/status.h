/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports a failure in one line: sets the detail and returns the status. */
#ifndef CLUP_BASE_STATUS_H
#define CLUP_BASE_STATUS_H
#include <stddef.h>

#include "clup.h"

/* Bytes of a detail: enough for the interesting part of a build log. */
#define CLUP_DETAIL_SIZE 8192
/* Stores the detail for clup_error_detail() and returns status. */
clup_status clup_fail(clup_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns CLUP_ERROR_MEMORY, for a failed host allocation of what. */
clup_status clup_fail_memory(const char *what);

/* Validates the reserved words of a struct called what: CLUP_ERROR_USAGE if one is not zero. */
clup_status clup_reserved_check(const uint64_t *reserved, size_t count, const char *what);
#define CLUP_RESERVED(object, what) \
    clup_reserved_check((object)->reserved, sizeof(object)->reserved / sizeof *(object)->reserved, \
                        what)

/* At the start of a public function: returns CLUP_ERROR_USAGE if a required argument is NULL. */
#define CLUP_NEED(argument) \
    do { \
        if ((argument) == NULL) \
            return clup_fail(CLUP_ERROR_USAGE, "%s: %s is NULL", __func__, #argument); \
    } while (0)

/* In a function with a variable status and a label done: goes to done if the call fails. */
#define CLUP_TRY(call) \
    do { \
        status = (call); \
        if (status != CLUP_OK) \
            goto done; \
    } while (0)

#endif
