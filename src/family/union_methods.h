/* SPDX-License-Identifier: BSD-3-Clause */
/* What processes that have parts of a lattice give each other in a sweep: a table of rows, the
 * rounds that each takes, and what it costs. */
#ifndef CLUP_FAMILY_UNION_METHODS_H
#define CLUP_FAMILY_UNION_METHODS_H
#include "core/state.h"

typedef struct clup_union_method {
    const char *name, *about;
    bool tree;  /* groups merge two by two, else all parts at once */
    bool relax; /* labels go to neighbours; where sizes are counted, all parts merge at once */
} clup_union_method;

extern const clup_union_method clup_union_methods[];
extern const size_t clup_union_method_count;
/* CLUP_ERROR_USAGE lists the known names. */
clup_status clup_union_method_named(const char *name, const clup_union_method **row);
/* The row for a problem in so many parts: the named one, or for NULL the one that is predicted to
 * take least, where processes share memory or do not. */
clup_status clup_union_method_choose(const clup_problem *problem, uint32_t processes, bool shared,
                                     const char *name, const clup_union_method **row);

/* A merging of groups that a process takes part in: of all parts, or of two groups, parts first to
 * middle - 1, and middle to end - 1. */
#define CLUP_MERGES_MOST 32
typedef struct clup_merge {
    uint32_t groups, place; /* how many, and the number of this process's */
    uint32_t first, middle, end;
    uint32_t other; /* of two groups: the process whose words of the other group come to this one */
} clup_merge;

/* Those of process number index of count, in turn; how many. */
unsigned clup_union_method_merges(const clup_union_method *row, uint32_t index, uint32_t count,
                                  clup_merge merges[CLUP_MERGES_MOST]);
/* Gets what the groups have, bytes each, one after the other, of which this process's is there; of
 * no bytes, that it is there for those who get it. */
clup_status clup_union_method_gather(const clup_ranks *ranks, const clup_merge *merge, void *all,
                                     size_t bytes);

#endif
