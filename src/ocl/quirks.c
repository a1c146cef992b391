/* SPDX-License-Identifier: BSD-3-Clause */
/* A table with a row for each platform or device with a peculiarity. */
#include "ocl/quirks.h"

#include <string.h>

#include "base/text.h"

static const struct {
    const char *platform, *name, *driver; /* parts of the names of platform and device to match,
                                             and how the driver's version begins */
    clup_quirks quirks;
} rows[] = {
    /* a process that has built a program removes the entry that another one put into the cache, and
     * fails if a third one was faster, or while the entry is missing (seen, 3.1). To read the
     * declarations of clang takes 110 of the 130 ms of a small program (seen, 3.1) */
    {"Portable Computing Language",
     "",
     "3.1",
     {.caches_binaries = true, .builds_alone = true, .slow_header = true, .few_items = 65535}},
    {"Portable Computing Language",
     "",
     "",
     {.caches_binaries = true, .builds_alone = true, .few_items = 65535}},
    {"NVIDIA", "", "", {.caches_binaries = true}},
    /* checks every access; does not know the rotate into which its compiler turns two shifts, and
     * with --uninitialized reports memory that the host filled (both seen, 21.10) */
    {"Oclgrind", "", "", {.race_free = true, .no_optimizer = true, .fills_unseen = true}},
    /* all commands take one nanosecond; kernels of several sweeps give wrong spins, always the same
     * ones, from some length on (both seen, Mesa 22.3): the compiler, gallivm, counts the rounds of
     * all loops and leaves the loops when there are too many */
    {"rusticl", "llvmpipe", "", {.no_event_times = true, .short_loops = true}},
};

clup_quirks clup_quirks_of(const clup_device_info *device)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (clup_text_contains(device->platform, rows[k].platform) &&
            clup_text_contains(device->name, rows[k].name) &&
            strncmp(device->driver, rows[k].driver, strlen(rows[k].driver)) == 0)
            return rows[k].quirks;
    return (clup_quirks){0};
}
