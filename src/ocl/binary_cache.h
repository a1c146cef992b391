/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps built programs between runs, under CLUP_CACHE_DIR, XDG_CACHE_HOME/clup or ~/.cache/clup. An
 * entry that is wrong in any way is built again. */
#ifndef CLUP_OCL_BINARY_CACHE_H
#define CLUP_OCL_BINARY_CACHE_H
#include "base/text.h"
#include "ocl/context.h"

/* Decides whether the context keeps programs, and where: context->cache. They are kept unless the
 * platform keeps them itself; CLUP_CACHE=1 and CLUP_CACHE=0 override that. Makes the folder. If
 * programs are to be kept and the folder is not the user's alone, context->warning says so. */
void clup_binary_cache_open(clup_context *context);

/* The file in which a program is kept, and all that its binary depends on: the version of clup,
 * platform, device, driver, options and source. */
typedef struct clup_binary_entry {
    clup_text path, description;
    clup_text lock;
} clup_binary_entry;

/* Describes the entry of a program. Where programs are not kept the entry has no path: it is never
 * found and never stored. */
void clup_binary_entry_create(const clup_context *context, const clup_text *source,
                              const char *options, clup_binary_entry *entry);
void clup_binary_entry_free(clup_binary_entry *entry);
/* Locks an entry until clup_binary_entry_release(*held). Waits for another process that builds the
 * program, for a minute at most. *held becomes -1 where there is no folder for locks, where no lock
 * is needed, and where it cannot be had. CLUP_INTERRUPTED where the watch ends the wait, and for
 * nothing else. */
clup_status clup_binary_entry_hold(const clup_binary_entry *entry, int *held);
void clup_binary_entry_release(int held);
/* Returns the kept program, built, or NULL. */
cl_program clup_binary_cache_load(const clup_context *context, const clup_binary_entry *entry,
                                  const char *options);
/* Keeps a program, if that is possible. */
void clup_binary_cache_store(const clup_binary_entry *entry, cl_program program);

#endif
