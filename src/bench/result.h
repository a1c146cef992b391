/* Failures below src/cli: a status, and what was wrong. */
#ifndef CLUP_BENCH_RESULT_H
#define CLUP_BENCH_RESULT_H
#include "clup.h"

/* Keeps the text, as clup_error_detail does, and returns status. */
clup_status bench_fail(clup_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What the last failure in src/bench was about. */
const char *bench_detail(void);

#endif
