/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes of kernels' sources, by which it is known whether a measured time is of the kernels that
 * there are now. */
#ifndef CLUP_OCL_SOURCE_HASH_H
#define CLUP_OCL_SOURCE_HASH_H
#include "base/text.h"
#include "clup.h"

#define CLUP_SOURCE_HASH 17 /* 16 hexadecimal digits */

/* Appends what a compiler sees of a source to code: without comments and #line, and without white
 * space where it separates nothing. */
void clup_source_strip(const char *source, clup_text *code);
/* The hash of what a compiler sees of a .cl file and of all that it includes. Each file is loaded
 * once in a process, so that CLUP_CL_PATH must not change. CLUP_ERROR_BUILD: there is no such file.
 */
clup_status clup_source_hash(const char *file, char hex[CLUP_SOURCE_HASH]);

#endif
