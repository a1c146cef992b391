/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of statuses, and the error detail of a thread. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "config.h"

static _Thread_local char detail[CLUP_DETAIL_SIZE];

clup_status clup_fail(clup_status status, const char *format, ...)
{
    /* the arguments may point into the old detail */
    char text[sizeof detail];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(detail, sizeof detail, "%s", text);
    return status;
}

clup_status clup_fail_memory(const char *what)
{
    return clup_fail(CLUP_ERROR_MEMORY, "out of host memory for %s", what);
}

clup_status clup_reserved_check(const uint64_t *reserved, size_t count, const char *what)
{
    for (size_t k = 0; k < count; k++)
        if (reserved[k] != 0)
            return clup_fail(CLUP_ERROR_USAGE,
                             "%s.reserved[%zu] is not 0: a field of a later version than %s", what,
                             k, clup_version());
    return CLUP_OK;
}

const char *clup_error_detail(void)
{
    return detail;
}

const char *clup_status_text(clup_status status)
{
    static const char *const texts[] = {
        [CLUP_OK] = "ok",
        [CLUP_ERROR_RUNTIME] = "run-time error",
        [CLUP_ERROR_USAGE] = "invalid argument",
        [CLUP_ERROR_NO_DEVICE] = "no device",
        [CLUP_ERROR_BUILD] = "kernel build failed",
        [CLUP_ERROR_MEMORY] = "out of memory",
        [CLUP_ERROR_VERIFY] = "verification failed",
        [CLUP_INTERRUPTED] = "interrupted",
    };
    return (unsigned)status < sizeof texts / sizeof *texts && texts[status] != NULL
               ? texts[status]
               : "unknown status";
}

const char *clup_version(void)
{
    return PACKAGE_VERSION;
}
