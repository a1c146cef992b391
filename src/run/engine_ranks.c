/* SPDX-License-Identifier: BSD-3-Clause */
/* Agreement between the engines of several processes. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "run/engine.h"

clup_status clup_engine_any(const clup_engine *engine, bool here, bool *any)
{
    uint64_t count = here;
    const clup_status status = engine->ranks != NULL ? engine->ranks->sum(engine->ranks, &count, 1)
                                                     : CLUP_OK;
    *any = count > 0;
    return status;
}

clup_status clup_engine_agree(const clup_engine *engine, unsigned count, unsigned *sweeps,
                              unsigned *done)
{
    uint64_t least = count;
    bool ends = false;
    clup_status status = CLUP_OK;
    *done = 0;
    CLUP_TRY(clup_engine_any(engine, clup_watch_ask() != CLUP_OK, &ends));
    if (ends)
        return clup_watch_end();
    CLUP_TRY(engine->ranks->least(engine->ranks, &least, 1));
    *sweeps = (unsigned)least;
done:
    return status;
}

clup_common clup_rows_in_common(uint64_t a, uint64_t a_count, uint64_t b, uint64_t b_count)
{
    const uint64_t first = a > b ? a : b,
                   end = a + a_count < b + b_count ? a + a_count : b + b_count;
    return first < end ? (clup_common){end - first, first - a, first - b} : (clup_common){0};
}

clup_status clup_engine_agree_on(const clup_engine *engine, clup_status status)
{
    uint64_t least = status != CLUP_OK ? status : UINT64_MAX;
    if (engine->ranks == NULL)
        return status;
    const clup_status asked = engine->ranks->least(engine->ranks, &least, 1);
    if (status != CLUP_OK || asked != CLUP_OK)
        return status != CLUP_OK ? status : asked;
    return least == UINT64_MAX ? CLUP_OK
                               : clup_fail((clup_status)least, "another process has failed");
}

clup_status clup_engine_put_together(const clup_engine *engine, clup_status status, uint8_t *bytes,
                                     uint64_t count)
{
    const uint64_t words = (count + 7) / 8;
    uint64_t *sums = calloc(words, sizeof *sums);
    if (sums == NULL && status == CLUP_OK)
        status = clup_fail_memory("the spins");
    CLUP_TRY(clup_engine_agree_on(engine, status));
    memcpy(sums, bytes, count);
    CLUP_TRY(engine->ranks->sum(engine->ranks, sums, words));
    memcpy(bytes, sums, count);
done:
    free(sums);
    return status;
}
