/* SPDX-License-Identifier: BSD-3-Clause */
/* Error details of src/bench. */
#include "bench/status.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char detail[1024];

clup_status bench_fail(clup_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(detail, sizeof detail, format, args);
    va_end(args);
    return status;
}

clup_status bench_library(clup_status status)
{
    return status == CLUP_OK ? status : bench_fail(status, "%s", clup_error_detail());
}

const char *bench_detail(void)
{
    return detail;
}
