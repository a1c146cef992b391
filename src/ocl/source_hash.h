/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes of kernel sources, which tell whether a measured time belongs to the present kernels. */
#ifndef CLUP_OCL_SOURCE_HASH_H
#define CLUP_OCL_SOURCE_HASH_H
#include "base/text.h"
#include "clup.h"

#define CLUP_SOURCE_HASH 17 /* 16 hexadecimal digits */

/* Appends a source to code as a compiler sees it: without comments and #line, and without white
 * space that separates nothing. */
void clup_source_strip(const char *source, clup_text *code);
/* Hashes a .cl file, with all that it includes, as a compiler sees it. Each file is loaded once in
 * a process, so CLUP_CL_PATH must not change. CLUP_ERROR_BUILD if there is no such file. */
clup_status clup_source_hash(const char *file, char hex[CLUP_SOURCE_HASH]);

#endif
