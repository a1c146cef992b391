/* The action that finds the sizes of clusters. */
#include <stdlib.h>

#include "family/label.h"

uint64_t clup_sizes_scratch(const clup_pass *pass, unsigned which)
{
    return which == 0
               ? pass->state->replicas * clup_measure_groups(pass->state) * sizeof(size_record)
               : 0;
}

static void add(size_record *sum, const size_record *part)
{
#define ROW(NAME, OP, VALUE) sum->NAME = counted_##OP(sum->NAME, part->NAME);
    SIZE_COUNTS(ROW)
#undef ROW
    for (unsigned k = 0; k < SIZE_CLASSES; k++)
        sum->classes[k] += part->classes[k];
}

clup_status clup_sizes_read(const clup_pass *pass, size_record *records)
{
    const uint64_t groups = clup_measure_groups(pass->state),
                   count = pass->state->replicas * groups;
    size_record *parts = malloc(count * sizeof *parts);
    if (parts == NULL)
        return clup_fail_memory("the sizes of clusters");
    clup_status status = clup_buffer_read(pass->state->context, pass->scratch[0], 0,
                                          count * sizeof *parts, parts);
    for (uint32_t r = 0; r < pass->state->replicas; r++)
        records[r] = (size_record){0};
    for (uint64_t k = 0; k < count && status == CLUP_OK; k++)
        add(&records[k / groups], &parts[k]);
    free(parts);
    return status;
}

clup_status clup_sizes_join(const clup_ranks *ranks, uint32_t replicas, size_record *records)
{
    enum { NUMBERS = SIZE_SUMS + SIZE_CLASSES };
    uint64_t *sums = malloc(replicas * NUMBERS * sizeof *sums),
             *largest = malloc(replicas * sizeof *largest);
    clup_status status = sums != NULL && largest != NULL
                             ? CLUP_OK
                             : clup_fail_memory("the sizes of clusters");
    CLUP_TRY(status);
    for (uint32_t r = 0; r < replicas; r++) {
        uint64_t *at = sums + r * NUMBERS;
#define ROW(NAME, OP, VALUE) at[CLUSTER_SUM_##NAME] = records[r].NAME;
        SIZE_COUNTS(ROW)
#undef ROW
        for (unsigned k = 0; k < SIZE_CLASSES; k++)
            at[SIZE_SUMS + k] = records[r].classes[k];
        /* what is no sum, as the smallest complement */
        largest[r] = ~records[r].largest;
    }
    CLUP_TRY(ranks->least(ranks, largest, replicas));
    CLUP_TRY(ranks->sum(ranks, sums, replicas * NUMBERS));
    for (uint32_t r = 0; r < replicas; r++) {
        const uint64_t *at = sums + r * NUMBERS;
#define ROW(NAME, OP, VALUE) records[r].NAME = at[CLUSTER_SUM_##NAME];
        SIZE_COUNTS(ROW)
#undef ROW
        for (unsigned k = 0; k < SIZE_CLASSES; k++)
            records[r].classes[k] = (uint32_t)at[SIZE_SUMS + k];
        records[r].largest = ~largest[r];
    }
done:
    free(sums);
    free(largest);
    return status;
}
