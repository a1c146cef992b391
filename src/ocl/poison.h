/* SPDX-License-Identifier: BSD-3-Clause */
/* For tests: fills memory with a pattern before it is written, so that a kernel that reads memory
 * nobody wrote gives other results, or accesses memory outside its buffers. */
#ifndef CLUP_OCL_POISON_H
#define CLUP_OCL_POISON_H
#include "base/text.h"
#include "clup.h"

/* Reads a byte, such as 0x33, from the environment variable CLUP_POISON into *byte, -1 if it is not
 * set. CLUP_ERROR_USAGE if it is no number from 0 to 255. */
clup_status clup_poison_read(int *byte);
/* Changes a kernel's source, in which includes are resolved: fills every variable in local memory
 * after its declaration, before any later statement. The fill byte is the lowest byte of the
 * launch's offset in dimension 2, for which clup_poison_offset returns a number other than 0. An
 * early return before such a declaration must be taken by all work-items of a group or none, as for
 * barriers. */
clup_status clup_poison_source(clup_text *source);
static inline size_t clup_poison_offset(int byte)
{
    return 256 + (size_t)byte;
}

#endif
