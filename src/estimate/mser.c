/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a series begins to be in equilibrium: see mser.h. */
#include "estimate/mser.h"

/* So many values are taken together. */
#define BATCH 5
/* Fewer values do not tell. */
#define COUNT_LEAST 20

size_t clup_mser(const double *values, size_t count, bool *settled)
{
    const size_t batches = count / BATCH, before = count % BATCH;
    size_t best = 0;
    double least = 0, mean = 0, squares = 0;
    *settled = count >= COUNT_LEAST;
    if (!*settled)
        return 0;
    /* from the last batch on; the batches end with the last value */
    for (size_t b = batches; b-- > 0;) {
        const double *batch = values + before + b * BATCH, n = (double)(batches - b);
        double own = 0;
        for (unsigned k = 0; k < BATCH; k++)
            own += (batch[k] - values[count - 1]) / BATCH;
        const double off = own - mean;
        mean += off / n;
        squares += off * (own - mean);
        if (4 * b > 3 * batches)
            continue;
        if (squares / (n * n) <= least || best == 0)
            least = squares / (n * n), best = b + 1;
    }
    const size_t left_out = best == 1 ? 0 : before + (best - 1) * BATCH;
    *settled = left_out <= count / 2;
    return *settled ? left_out : count / 2;
}
