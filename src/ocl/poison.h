/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests: memory filled with a pattern before anyone writes it, so that what depends on memory
 * that nobody wrote gives other results, or leaves its buffers. */
#ifndef CLUP_OCL_POISON_H
#define CLUP_OCL_POISON_H
#include "base/text.h"
#include "clup.h"

/* Reads the byte of the environment variable CLUP_POISON, such as 0x33, into *byte, or -1 where it
 * is not set. CLUP_ERROR_USAGE if it is no number from 0 to 255. */
clup_status clup_poison_read(int *byte);
/* Changes a kernel's source, whose includes are resolved, so that every variable in local memory is
 * filled with a byte where it is declared, before any statement that follows: with the lowest byte
 * of the launch's offset in dimension 2, for which clup_poison_offset is another number than 0.
 * Needs an early return in front of such a declaration to be the same for all work-items of a
 * group, as barriers do. */
clup_status clup_poison_source(clup_text *source);
static inline size_t clup_poison_offset(int byte)
{
    return 256 + (size_t)byte;
}

#endif
