/* One row for each platform with a peculiarity. */
#include "ocl/quirks.h"

#include "base/text.h"

static const struct {
    const char *platform; /* part of its name */
    clup_quirks quirks;
} rows[] = {
    {"Portable Computing Language", {.caches_binaries = true}},
    {"NVIDIA", {.caches_binaries = true}},
    /* checks every access; does not know the rotate that its compiler makes of two shifts */
    {"Oclgrind", {.race_free = true, .no_optimizer = true}},
};

clup_quirks clup_quirks_of(const clup_device_info *device)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (clup_text_contains(device->platform, rows[k].platform))
            return rows[k].quirks;
    return (clup_quirks){0};
}
