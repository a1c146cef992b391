/* Test Anything Protocol: one line for each assertion. */
#ifndef CLUP_TESTS_TAP_H
#define CLUP_TESTS_TAP_H
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 2, 3))) static inline int ok(int condition, const char *format, ...)
{
    va_list args;
    printf("%sok %d - ", condition ? "" : "not ", ++tap_count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    tap_failed += !condition;
    return condition;
}

/* For what the rest of the test cannot do without. */
#define NEED(call) \
    do { \
        if ((call) != CLUP_OK) { \
            printf("Bail out! %s: %s\n", #call, clup_error_detail()); \
            exit(1); \
        } \
    } while (0)

static inline int done_testing(void)
{
    printf("1..%d\n", tap_count);
    return tap_failed > 0;
}

#endif
