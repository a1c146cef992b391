/* The text of the last failure. */
#include "bench/result.h"

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

const char *bench_detail(void)
{
    return detail;
}
