/* SPDX-License-Identifier: BSD-3-Clause */
/* Built programs kept between runs, under CLUP_CACHE_DIR, XDG_CACHE_HOME/clup or ~/.cache/clup.
 * Whatever is wrong with an entry only means that it is built again. */
#ifndef CLUP_OCL_BINARY_CACHE_H
#define CLUP_OCL_BINARY_CACHE_H
#include "base/text.h"
#include "ocl/context.h"

/* Decides whether the context keeps programs, and where: context->cache. They are kept unless the
 * platform does so by itself; CLUP_CACHE=1 and CLUP_CACHE=0 decide otherwise. Makes the folder; to
 * one that is not the user's alone context->warning refers, where programs are to be kept. */
void clup_binary_cache_open(clup_context *context);

/* Where a program is kept, and all that its binary depends on: the version of clup, platform,
 * device, driver, options and source. */
typedef struct clup_binary_entry {
    clup_text path, description;
    clup_text lock;
} clup_binary_entry;

/* The entry of a program; one without a path, which is not there and cannot be stored, where none
 * are kept. */
void clup_binary_entry_create(const clup_context *context, const clup_text *source,
                              const char *options, clup_binary_entry *entry);
void clup_binary_entry_free(clup_binary_entry *entry);
/* Waits for another process that builds the program, for a minute at most, and keeps others waiting
 * until clup_binary_entry_release. -1 where there is no folder to do so in, or nobody waits. */
int clup_binary_entry_hold(const clup_binary_entry *entry);
void clup_binary_entry_release(int held);
/* The program, built, or NULL. */
cl_program clup_binary_cache_load(const clup_context *context, const clup_binary_entry *entry,
                                  const char *options);
/* Keeps it, if that is possible. */
void clup_binary_cache_store(const clup_binary_entry *entry, cl_program program);

#endif
