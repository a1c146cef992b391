/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device can do, for times to be held against: a copy, atomics, and nothing at all. These
 * are no stage of the pipeline. */
#include "core/types.clh"

/* One work-item: 16 bytes. Global traffic: 16 bytes read, 16 written. */
kernel void limits_copy(global const uint4 *from, global uint4 *to)
{
    to[get_global_id(0)] = from[get_global_id(0)];
}

/* Adds 1 to one of mask + 1 words, a power of two. Neighbouring work-items have words far apart:
 * an odd factor permutes the numbers below 2^32.
 *
 * One work-item: a word. Global traffic: an atomic of 4 bytes. */
kernel void limits_atomics(volatile global u32 *words, u32 mask)
{
    atomic_inc(&words[(u32)get_global_id(0) * 2654435761u & mask]);
}

/* Nothing. */
kernel void limits_nothing(volatile global u32 *words)
{
    (void)words;
}
