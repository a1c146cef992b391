/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns clusters of few pixels into background. */
#include <inttypes.h>
#include <stdlib.h>

#include "update/update.h"

/* Counts the pixels of each label; sizes[0] is the background. */
static clup_status count_pixels(const uint32_t *labels, uint64_t pixels, uint32_t count,
                                uint64_t *sizes)
{
    for (uint64_t i = 0; i < pixels; i++) {
        if (labels[i] > count)
            return clup_fail(CLUP_ERROR_USAGE,
                             "label %" PRIu32 " at pixel %" PRIu64
                             " is larger than their number, %" PRIu32,
                             labels[i], i, count);
        sizes[labels[i]]++;
    }
    return CLUP_OK;
}

clup_status clup_labels_drop_small(const clup_ranks *ranks, uint32_t *labels, uint64_t pixels,
                                   uint64_t least, uint32_t *count, uint64_t *largest)
{
    CLUP_NEED(labels);
    CLUP_NEED(count);
    uint64_t *sizes = calloc((size_t)*count + 1, sizeof *sizes), most = 0;
    uint32_t kept = 0;
    clup_status status = CLUP_OK;
    if (sizes == NULL)
        return clup_fail_memory("the sizes of clusters");
    CLUP_TRY(count_pixels(labels, pixels, *count, sizes));
    if (ranks != NULL && ranks->count > 1)
        CLUP_TRY(ranks->sum(ranks, sizes, (size_t)*count + 1));
    /* replaces sizes by new numbers */
    sizes[0] = 0;
    for (uint64_t label = 1; label <= *count; label++) {
        const int keeps = sizes[label] >= least;
        most = keeps && sizes[label] > most ? sizes[label] : most;
        sizes[label] = keeps ? ++kept : 0;
    }
    for (uint64_t i = 0; i < pixels && kept < *count; i++)
        labels[i] = (uint32_t)sizes[labels[i]];
    *count = kept;
    if (largest != NULL)
        *largest = most;
done:
    free(sizes);
    return status;
}
