/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels that measure the limits of a device, with which times are compared: a copy, atomics, and
 * an empty kernel. They are no stage of a sweep. */
#include "core/types.clh"

/* One work-item: 16 bytes. Global traffic: 16 bytes read, 16 written. */
kernel void limits_copy(global const uint4 *from, global uint4 *to)
{
    to[get_global_id(0)] = from[get_global_id(0)];
}

/* Adds 1 to one of mask + 1 words, the number of which is a power of two. The words of neighbouring
 * work-items are far apart: multiplication by an odd factor permutes the numbers below 2^32.
 *
 * One work-item: a word. Global traffic: an atomic of 4 bytes. */
kernel void limits_atomics(volatile global u32 *words, u32 mask)
{
    atomic_inc(&words[(u32)get_global_id(0) * 2654435761u & mask]);
}

/* Does nothing. */
kernel void limits_nothing(volatile global u32 *words)
{
    (void)words;
}
