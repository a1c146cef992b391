/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes the host for results. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "bench/measure/run.h"

/* Gets the processor's name from /proc/cpuinfo, if it is there. */
static void processor(char *name, size_t size)
{
    char line[256];
    FILE *info = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown");
    while (info != NULL && fgets(line, sizeof line, info) != NULL)
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':') != NULL) {
            snprintf(name, size, "%s", strchr(line, ':') + 2);
            name[strcspn(name, "\n")] = '\0';
            break;
        }
    if (info != NULL)
        fclose(info);
}

json_t *bench_host(void)
{
    struct utsname system;
    char name[256], text[256];
    if (uname(&system) != 0)
        memset(&system, 0, sizeof system);
    processor(name, sizeof name);
    snprintf(text, sizeof text, "%.100s %.100s", system.sysname, system.release);
    return json_pack("{s:s s:s s:s s:I}", "system", text, "machine", system.machine, "processor",
                     name, "cores", (json_int_t)sysconf(_SC_NPROCESSORS_ONLN));
}
