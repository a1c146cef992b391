/* SPDX-License-Identifier: BSD-3-Clause */
/* Union methods: what processes with subdomains of a lattice exchange in a sweep. A table gives the
 * rounds that each method takes, and what they cost. */
#ifndef CLUP_FAMILY_UNION_METHODS_H
#define CLUP_FAMILY_UNION_METHODS_H
#include "core/state.h"

typedef struct clup_union_method {
    const char *name, *about;
    bool tree;  /* groups of subdomains unite two by two; else all subdomains unite at once */
    bool relax; /* labels go to neighbours; where sizes are counted, all subdomains unite at once */
} clup_union_method;

extern const clup_union_method clup_union_methods[];
extern const size_t clup_union_method_count;
/* CLUP_ERROR_USAGE lists the known names. */
clup_status clup_union_method_named(const char *name, const clup_union_method **row);
/* Finds the union method for a problem on so many processes: the named one, or for NULL the one
 * with the least predicted time. shared: the processes share memory. */
clup_status clup_union_method_choose(const clup_problem *problem, uint32_t processes, bool shared,
                                     const char *name, const clup_union_method **row);

/* A round in which groups of subdomains unite, and in which a process takes part. Either all
 * subdomains unite, or two groups: subdomains first to middle - 1, and middle to end - 1. */
#define CLUP_MERGES_MOST 32
typedef struct clup_merge {
    uint32_t groups, place; /* number of groups, and the number of this process's group */
    uint32_t first, middle, end;
    uint32_t other; /* of two groups: the process of the other group whose words come to this
                       process */
} clup_merge;

/* Writes the rounds of process index of count, in order. Returns how many there are. */
unsigned clup_union_method_merges(const clup_union_method *row, uint32_t index, uint32_t count,
                                  clup_merge merges[CLUP_MERGES_MOST]);
/* Gathers an array from each group into all, one group after the other; each array has bytes bytes.
 * The own group's array must be in all already. With bytes 0, tells the receivers that this
 * process's shared memory is written. */
clup_status clup_union_method_gather(const clup_ranks *ranks, const clup_merge *merge, void *all,
                                     size_t bytes);

#endif
