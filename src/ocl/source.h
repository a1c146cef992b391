/* SPDX-License-Identifier: BSD-3-Clause */
/* Files embedded in the library; the .cl sources among them may be read from the folder
 * CLUP_CL_PATH instead. */
#ifndef CLUP_OCL_SOURCE_H
#define CLUP_OCL_SOURCE_H
#include "base/text.h"
#include "clup.h"

/* One embedded file, line by line; the generated table ends with a NULL name. */
typedef struct clup_embedded_file {
    const char *name;         /* of a kernel's source: its path in cl/ */
    const char *const *lines; /* each with its newline; ends with NULL */
} clup_embedded_file;
extern const clup_embedded_file clup_embedded_files[];

/* The text of an embedded file. */
clup_status clup_embedded_text(const char *file, clup_text *text);
/* The text of a .cl file with each .clh it includes put in place once, and #line for each change of
 * file. A .cl file is named without its folder of cl/, a .clh file with it. */
clup_status clup_source_load(const char *file, clup_text *source);
/* Hash of the library's version and of the texts of all kernels. */
clup_status clup_sources_hash(char hex[65]);

#endif
