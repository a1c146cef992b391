/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that the host has left. */
#include "ocl/host_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the first number in the first line of a file that begins with key; missing if there is
 * none. */
static uint64_t number_of(const char *path, const char *key, uint64_t missing)
{
    char line[512];
    uint64_t number = missing;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return missing;
    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, key, strlen(key)) == 0) {
            if (sscanf(line + strlen(key), "%" SCNu64, &number) != 1)
                number = missing;
            break;
        }
    fclose(file);
    return number;
}

static uint64_t of_system(void)
{
    const char *path = "/proc/meminfo";
    const uint64_t available = number_of(path, "MemAvailable:", UINT64_MAX);
    return available < UINT64_MAX ? 1024 * (available + number_of(path, "SwapFree:", 0))
                                  : UINT64_MAX;
}

static uint64_t of_address_space(void)
{
    struct rlimit limit;
    const uint64_t used = number_of("/proc/self/statm", "", 0) * (uint64_t)sysconf(_SC_PAGESIZE);
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return limit.rlim_cur > used ? limit.rlim_cur - used : 0;
}

/* Returns what a control group's folder says is left. Cached files can be dropped and count as
 * left: inactive ones, and active ones, which mapped files soon are. */
static uint64_t of_folder(const char *folder, const char *most, const char *used,
                          const char *const cached[2])
{
    char path[640], stat[640];
    snprintf(path, sizeof path, "%s/%s", folder, most);
    const uint64_t limit = number_of(path, "", UINT64_MAX);
    snprintf(path, sizeof path, "%s/%s", folder, used);
    snprintf(stat, sizeof stat, "%s/memory.stat", folder);
    const uint64_t now = number_of(path, "", 0),
                   files = number_of(stat, cached[0], 0) + number_of(stat, cached[1], 0);
    if (limit == UINT64_MAX)
        return UINT64_MAX;
    return limit + files > now ? limit + files - now : 0;
}

/* Reads a line of /proc/self/cgroup: number, controllers and path. Inside a container the path may
 * be wrong, and the group is at the top. */
static uint64_t of_group(char *line)
{
    static const char *const cached[] = {"inactive_file ", "active_file "};
    static const char *const all_cached[] = {"total_inactive_file ", "total_active_file "};
    char folder[600];
    uint64_t left = UINT64_MAX;
    char *kinds = strchr(line, ':'), *path = kinds != NULL ? strchr(kinds + 1, ':') : NULL;
    if (path == NULL)
        return left;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    const char *const paths[] = {path, ""};
    for (unsigned k = 0; k < 2; k++) {
        if (kinds[1] == '\0') {
            snprintf(folder, sizeof folder, "/sys/fs/cgroup%s", paths[k]);
            left = lesser(left, of_folder(folder, "memory.max", "memory.current", cached));
        } else if (strcmp(kinds + 1, "memory") == 0) {
            snprintf(folder, sizeof folder, "/sys/fs/cgroup/memory%s", paths[k]);
            left = lesser(left, of_folder(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                          all_cached));
        }
    }
    return left;
}

static uint64_t of_groups(void)
{
    char line[512];
    uint64_t left = UINT64_MAX;
    FILE *file = fopen("/proc/self/cgroup", "r");
    if (file == NULL)
        return left;
    while (fgets(line, sizeof line, file) != NULL)
        left = lesser(left, of_group(line));
    fclose(file);
    return left;
}

uint64_t clup_host_memory(void)
{
    return lesser(of_system(), lesser(of_address_space(), of_groups()));
}
