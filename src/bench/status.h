/* SPDX-License-Identifier: BSD-3-Clause */
/* Error details of src/bench, which has its own as the library has. */
#ifndef CLUP_BENCH_STATUS_H
#define CLUP_BENCH_STATUS_H
#include "clup.h"

/* Keeps the text, as clup_error_detail does, and returns status. */
clup_status bench_fail(clup_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* For a status that a function of the library returned: keeps the library's detail, unless status
 * is CLUP_OK, and returns status. */
clup_status bench_library(clup_status status);
/* The detail of the last failure in src/bench. */
const char *bench_detail(void);

#endif
