/* SPDX-License-Identifier: BSD-3-Clause */
/* Shares of a job: which of several processes that know nothing of each other does which launch. */
#include <stdlib.h>

#include "cli/job/job.h"
#include "cli/message.h"

typedef struct piece {
    size_t launch;
    double work;
} piece;

/* The largest first; of equal ones that which comes first. */
static int compare(const void *left, const void *right)
{
    const piece *a = left, *b = right;
    return a->work != b->work ? (a->work < b->work) - (a->work > b->work)
                              : (a->launch > b->launch) - (a->launch < b->launch);
}

void job_share(json_t *launches, uint32_t number, uint32_t shares)
{
    const size_t count = json_array_size(launches);
    piece *pieces = calloc(count + 1, sizeof *pieces);
    double *given = calloc(shares, sizeof *given);
    size_t asked = 0;
    if (pieces == NULL || given == NULL)
        exit(cli_fail_memory("the launches"));
    for (size_t k = 0; k < count; k++) {
        const json_t *launch = json_array_get(launches, k);
        if (job_asked(launch))
            pieces[asked++] = (piece){k, job_work(launch)};
    }
    qsort(pieces, asked, sizeof *pieces, compare);
    for (size_t k = 0; k < asked; k++) {
        uint32_t least = 0;
        for (uint32_t share = 1; share < shares; share++)
            least = given[share] < given[least] ? share : least;
        given[least] += pieces[k].work;
        if (least != number)
            json_object_set_new(json_array_get(launches, pieces[k].launch), "asked", json_false());
    }
    free(pieces);
    free(given);
}
