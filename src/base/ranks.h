/* What a process that does a part of the work needs of the others: each calls the same functions in
 * the same order. What carries it, such as MPI, is made by who knows it. */
#ifndef CLUP_BASE_RANKS_H
#define CLUP_BASE_RANKS_H
#include "base/status.h"

typedef struct clup_ranks clup_ranks;
struct clup_ranks {
    uint32_t index, count; /* of this process, and how many there are */
    /* all[count*bytes]: what each process gives, by its index */
    clup_status (*gather)(const clup_ranks *ranks, const void *mine, size_t bytes, void *all);
    /* each of values[count] becomes the sum of those of all processes, or the smallest */
    clup_status (*sum)(const clup_ranks *ranks, uint64_t *values, size_t count);
    clup_status (*least)(const clup_ranks *ranks, uint64_t *values, size_t count);
};

#endif
