/* SPDX-License-Identifier: BSD-3-Clause */
/* Files embedded in the library. The .cl sources among them are read from the folder CLUP_CL_PATH
 * instead, if that is set. */
#ifndef CLUP_OCL_SOURCE_H
#define CLUP_OCL_SOURCE_H
#include "base/text.h"
#include "clup.h"

/* One embedded file, line by line; the generated table ends with a NULL name. */
typedef struct clup_embedded_file {
    const char *name;         /* for a kernel's source its path in cl/ */
    const char *const *lines; /* each line with its newline; ends with NULL */
} clup_embedded_file;
extern const clup_embedded_file clup_embedded_files[];

/* Reads an embedded file. */
clup_status clup_embedded_text(const char *file, clup_text *text);
/* Reads a .cl file, with each .clh file that it includes inserted once, and a #line at each change
 * of file. A .cl file is named without its folder in cl/, a .clh file with it. */
clup_status clup_source_load(const char *file, clup_text *source);
/* Hashes the library's version and the texts of all kernels. */
clup_status clup_sources_hash(char hex[65]);

#endif
