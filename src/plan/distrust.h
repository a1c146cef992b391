/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernel variants that gave wrong results on a device with a driver, by this version's kernels.
 * Plans do not use them. A context has those of its device, and a file of the user keeps them for
 * other contexts. A file that cannot be used is a warning, not a failure. */
#ifndef CLUP_PLAN_DISTRUST_H
#define CLUP_PLAN_DISTRUST_H
#include "ocl/context.h"

typedef struct clup_distrusted {
    clup_stage stage;
    const char *kernel; /* static */
    char date[32];
} clup_distrusted;

/* Returns the path of the file, $XDG_DATA_HOME/clup/distrust.json, else
 * ~/.local/share/clup/distrust.json; NULL where no folder is known. The text is valid until the
 * next call in the thread. */
const char *clup_distrust_file(void);
/* Reads the user's file into a context. Must be called once, before the other functions. */
clup_status clup_distrust_load(clup_context *context);
/* Returns what is known against a kernel variant; NULL for nothing, and for context NULL. */
const clup_distrusted *clup_distrust_find(const clup_context *context, clup_stage stage,
                                          const char *kernel);
/* Add a kernel variant to those of the context that gave wrong results, and remove it. The file
 * does not change. */
clup_status clup_distrust_mark(clup_context *context, clup_stage stage, const char *kernel,
                               const char *date);
void clup_distrust_unmark(clup_context *context, clup_stage stage, const char *kernel);
/* As mark and unmark, and change the file too. reason is one line for people. */
clup_status clup_distrust_remember(clup_context *context, clup_stage stage, const char *kernel,
                                   const char *reason);
clup_status clup_distrust_forget(clup_context *context, clup_stage stage, const char *kernel);

#endif
