/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that gave wrong results on a device with a driver, by this version's kernels: plans leave
 * them out. A context knows those of its device, and the user's file keeps them for others. What is
 * wrong with the file is no failure, but a warning. */
#ifndef CLUP_PLAN_DISTRUST_H
#define CLUP_PLAN_DISTRUST_H
#include "ocl/context.h"

typedef struct clup_distrusted {
    clup_stage stage;
    const char *kernel; /* static */
    char date[32];
} clup_distrusted;

/* Its path, $XDG_DATA_HOME/clup/distrust.json, else ~/.local/share/clup/distrust.json, or NULL
 * where no folder is known; static until the next call in the thread. */
const char *clup_distrust_file(void);
/* Reads the user's file, once for a context, before the others are called. */
clup_status clup_distrust_load(clup_context *context);
/* NULL for a row that nothing is known against, and for context NULL. */
const clup_distrusted *clup_distrust_find(const clup_context *context, clup_stage stage,
                                          const char *kernel);
/* Puts a row among those of the context, and out of them; the file remains as it is. */
clup_status clup_distrust_mark(clup_context *context, clup_stage stage, const char *kernel,
                               const char *date);
void clup_distrust_unmark(clup_context *context, clup_stage stage, const char *kernel);
/* The same with the file. The reason, one line, is for people. */
clup_status clup_distrust_remember(clup_context *context, clup_stage stage, const char *kernel,
                                   const char *reason);
clup_status clup_distrust_forget(clup_context *context, clup_stage stage, const char *kernel);

#endif
