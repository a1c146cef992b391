/* The action that finds the sizes of clusters. */
#include <stdlib.h>

#include "label/label.h"

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
    clup_status status = clup_buffer_read(pass->state->context, pass->scratch[0],
                                          count * sizeof *parts, parts);
    for (uint32_t r = 0; r < pass->state->replicas; r++)
        records[r] = (size_record){0};
    for (uint64_t k = 0; k < count && status == CLUP_OK; k++)
        add(&records[k / groups], &parts[k]);
    free(parts);
    return status;
}
