/* SPDX-License-Identifier: BSD-3-Clause */
/* Lies about the host's memory: it has SHIM_MEMORY bytes left. When a file is mapped, SHIM_MAPPED
 * is done: shorten (the file loses all its bytes) or terminate (a signal comes). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/shim.h"

FILE *fopen(const char *path, const char *mode)
{
    static char text[64];
    const char *left = getenv("SHIM_MEMORY");
    if (left == NULL || strcmp(path, "/proc/meminfo") != 0)
        return SHIM_NEXT(fopen)(path, mode);
    const int length = snprintf(text, sizeof text, "MemAvailable: %llu kB\n",
                                strtoull(left, NULL, 0) / 1024);
    return fmemopen(text, (size_t)length, mode);
}

static void shorten(int file)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int again = open(path, O_WRONLY | O_CLOEXEC);
    if (again < 0 || ftruncate(again, 0) != 0)
        abort();
    close(again);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
    void *mapped = SHIM_NEXT(mmap)(at, bytes, protection, flags, file, offset);
    const char *wish = getenv("SHIM_MAPPED");
    /* the program's own pixels, and what else may be mapped to be changed is not of a file */
    if (wish != NULL && file >= 0 && (protection & PROT_WRITE) && (flags & MAP_NORESERVE)) {
        if (strcmp(wish, "shorten") == 0)
            shorten(file);
        else
            raise(SIGTERM);
    }
    return mapped;
}
