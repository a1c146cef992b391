/* SPDX-License-Identifier: BSD-3-Clause */
/* What OpenCL C has and C lacks, for functions of kernels that are compiled for the host. Each
 * atomic, and each read of a node's parent (nodes.clh), first calls others_go_first(), by which the
 * test lets other work-items run. */
#ifndef CLUP_TESTS_WORK_ITEMS_H
#define CLUP_TESTS_WORK_ITEMS_H
#include "core/types.clh"

#define global
#define local
typedef unsigned short ushort;

static inline u32 min(u32 a, u32 b)
{
    return a < b ? a : b;
}

static inline u32 max(u32 a, u32 b)
{
    return a > b ? a : b;
}

static inline u32 popcount(u32 bits)
{
    return (u32)__builtin_popcount(bits);
}

static inline u32 clz(u32 bits)
{
    return bits != 0 ? (u32)__builtin_clz(bits) : 32;
}

static inline u32 atomic_add(volatile u32 *at, u32 value)
{
    others_go_first();
    const u32 old = *at;
    *at = old + value;
    return old;
}

static inline u32 atomic_or(volatile u32 *at, u32 value)
{
    others_go_first();
    const u32 old = *at;
    *at = old | value;
    return old;
}

static inline u32 atomic_xor(volatile u32 *at, u32 value)
{
    others_go_first();
    const u32 old = *at;
    *at = old ^ value;
    return old;
}

static inline u32 atomic_xchg(volatile u32 *at, u32 value)
{
    others_go_first();
    const u32 old = *at;
    *at = value;
    return old;
}

static inline u32 atomic_min(volatile u32 *at, u32 value)
{
    others_go_first();
    const u32 old = *at;
    *at = min(old, value);
    return old;
}

static inline u32 atomic_cmpxchg(volatile u32 *at, u32 seen, u32 value)
{
    others_go_first();
    const u32 old = *at;
    if (old == seen)
        *at = value;
    return old;
}

/* Without RACE_FREE this is not an atomic. */
static inline u32 others_before_read(volatile u32 *at)
{
    others_go_first();
    return *at;
}
#define PARENT_READ others_before_read

#endif
