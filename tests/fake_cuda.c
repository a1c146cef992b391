/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for CUDA's driver, libcuda.so.1, where there is no GPU: "device" memory is the host's
 * under other addresses, which nobody can read but by its copies. It refuses calls in another order
 * than the driver wants, and counts what is pinned and which contexts are current. It says whether
 * clup calls the driver rightly, and nothing about a GPU. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define AWAY ((uint64_t)1 << 62)
#define INVALID 1
#define NOT_READY 3
#define NO_CONTEXT 201

static int started, depth, retained, waited;
static long pinned;
static void *const context = &started;
static uint64_t first, end; /* the device's memory */
static int owned;           /* whether it belongs to a context */

/* For tests: memory of the device, freed with the next. */
uint64_t fake_alloc(const void *values, size_t size, int in_context)
{
    free((void *)(uintptr_t)(first & ~AWAY));
    void *memory = malloc(size);
    memcpy(memory, values, size);
    first = (uint64_t)(uintptr_t)memory | AWAY;
    end = first + size;
    owned = in_context;
    return first;
}

long fake_pinned(void)
{
    return pinned;
}

int fake_depth(void)
{
    return depth;
}

int fake_retained(void)
{
    return retained;
}

int cuInit(unsigned flags)
{
    started = flags == 0;
    return started ? 0 : INVALID;
}

int cuPointerGetAttribute(void *data, int attribute, uint64_t pointer)
{
    if (!started)
        return NOT_READY;
    if (pointer < first || pointer >= end)
        return INVALID;
    if (attribute == 1 && owned)
        *(void **)data = context;
    else if (attribute == 1)
        return INVALID;
    else if (attribute == 9)
        *(int *)data = 0;
    else
        return INVALID;
    return 0;
}

int cuDevicePrimaryCtxRetain(void **found, int device)
{
    retained++;
    *found = context;
    return device == 0 ? 0 : INVALID;
}

int cuCtxPushCurrent_v2(void *which)
{
    depth++;
    waited = 0;
    return which == context ? 0 : INVALID;
}

int cuCtxPopCurrent_v2(void **which)
{
    *which = context;
    depth--;
    return 0;
}

int cuCtxSynchronize(void)
{
    waited = 1;
    return depth > 0 ? 0 : NO_CONTEXT;
}

int cuMemHostAlloc(void **memory, size_t size, unsigned flags)
{
    if (depth == 0 || flags != 1)
        return INVALID;
    if (getenv("FAKE_CUDA_FULL") != NULL)
        return 2;
    pinned++;
    *memory = malloc(size);
    return 0;
}

int cuMemFreeHost(void *memory)
{
    if (depth == 0)
        return NO_CONTEXT;
    pinned--;
    free(memory);
    return 0;
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t size)
{
    if (depth == 0 || !waited)
        return NO_CONTEXT;
    if (from < first || from + size > end)
        return INVALID;
    memcpy(to, (const void *)(uintptr_t)(from & ~AWAY), size);
    return 0;
}
