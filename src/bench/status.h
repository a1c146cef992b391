/* SPDX-License-Identifier: BSD-3-Clause */
/* What failed: texts of src/bench, as the library has its own. */
#ifndef CLUP_BENCH_STATUS_H
#define CLUP_BENCH_STATUS_H
#include "clup.h"

/* Keeps the text, as clup_error_detail does, and returns status. */
clup_status bench_fail(clup_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same after a function of the library: with its detail, unless status is CLUP_OK. */
clup_status bench_library(clup_status status);
/* What the last failure in src/bench was about. */
const char *bench_detail(void);

#endif
