/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides which systems change places, and counts their trips. */
#include "run/tempering.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/state.h"
#include "core/weight.h"

static uint32_t places(const clup_ladders *ladders)
{
    return ladders->ladders * ladders->rungs;
}

clup_status clup_ladders_of(const double *betas, uint32_t replicas, uint32_t *ladders)
{
    uint32_t each = 1;
    while (each < replicas && betas[each] == betas[0])
        each++;
    if (each == replicas)
        return clup_fail(CLUP_ERROR_USAGE,
                         "tempering takes two temperatures or more, and there is only beta = %g",
                         betas[0]);
    for (uint32_t r = each; r < replicas; r++)
        if (isinf(betas[r]))
            return clup_fail(CLUP_ERROR_USAGE,
                             "replica %u has an infinite beta, from which no "
                             "system comes back by tempering",
                             r);
        else if (r % each > 0 ? betas[r] != betas[r - 1] : betas[r] <= betas[r - 1])
            return clup_fail(CLUP_ERROR_USAGE,
                             "the betas of tempering increase, %u of each: that of replica %u is "
                             "%.17g after %.17g",
                             each, r, betas[r], betas[r - 1]);
    if (replicas % each != 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "the betas of tempering increase, %u of each: of the last there are %u",
                         each, replicas % each);
    *ladders = each;
    return CLUP_OK;
}

clup_status clup_ladders_create(const double *betas, uint32_t replicas, uint64_t every,
                                clup_ladders **out)
{
    uint32_t each;
    clup_status status = clup_ladders_of(betas, replicas, &each);
    if (status != CLUP_OK)
        return status;
    clup_ladders *ladders = calloc(1, sizeof *ladders);
    if (ladders == NULL)
        return clup_fail_memory("the ladders");
    *ladders = (clup_ladders){
        .ladders = each,
        .rungs = replicas / each,
        .every = every,
        .systems = calloc(replicas, sizeof *ladders->systems),
        .attempts = calloc(replicas, sizeof *ladders->attempts),
        .accepted = calloc(replicas, sizeof *ladders->accepted),
        .trips = calloc(replicas, sizeof *ladders->trips),
        .ends = calloc(replicas, sizeof *ladders->ends),
        .history = {.words = 1, .replicas = replicas},
        .betas = calloc(replicas, sizeof *ladders->betas),
        .satisfied = calloc(replicas, sizeof *ladders->satisfied),
    };
    if (ladders->systems == NULL || ladders->attempts == NULL || ladders->accepted == NULL ||
        ladders->trips == NULL || ladders->ends == NULL || ladders->betas == NULL ||
        ladders->satisfied == NULL) {
        clup_ladders_free(ladders);
        return clup_fail_memory("the ladders");
    }
    for (uint32_t r = 0; r < replicas; r++) {
        ladders->systems[r] = r;
        ladders->ends[r] = r < each ? CLUP_TRIP_UP : CLUP_TRIP_NONE;
    }
    *out = ladders;
    return CLUP_OK;
}

void clup_ladders_free(clup_ladders *ladders)
{
    if (ladders == NULL)
        return;
    free(ladders->systems);
    free(ladders->attempts);
    free(ladders->accepted);
    free(ladders->trips);
    free(ladders->ends);
    free(ladders->row);
    free(ladders->sorted);
    free(ladders->betas);
    free(ladders->satisfied);
    clup_sweep_records_clear(&ladders->history);
    free(ladders);
}

clup_status clup_ladders_reserve(clup_ladders *ladders, uint32_t words)
{
    if (words <= ladders->room)
        return CLUP_OK;
    free(ladders->row);
    free(ladders->sorted);
    ladders->row = calloc(places(ladders), words * sizeof *ladders->row);
    ladders->sorted = calloc(places(ladders), words * sizeof *ladders->sorted);
    ladders->room = ladders->row != NULL && ladders->sorted != NULL ? words : 0;
    return ladders->room > 0 ? CLUP_OK : clup_fail_memory("the ladders");
}

void clup_ladders_sort(clup_ladders *ladders, uint32_t words, uint32_t *records)
{
    const uint32_t count = places(ladders);
    for (uint32_t r = 0; r < count; r++)
        memcpy(ladders->sorted + (size_t)r * words, records + (size_t)ladders->systems[r] * words,
               words * sizeof *records);
    memcpy(records, ladders->sorted, (size_t)count * words * sizeof *records);
}

/* Whether the systems at a place and the next rung of its ladder change places. */
static bool is_accepted(random_key key, double beta, double next_beta, double unit,
                        uint64_t satisfied, uint64_t next_satisfied)
{
    const philox_block number = random_block(key, PURPOSE_SWAP, 0, 0);
    const double more = next_satisfied > satisfied ? (double)(next_satisfied - satisfied) : 0;
    const double x = (next_beta - beta) * (unit * more);
    return ((uint64_t)number.v[0] << 32 | number.v[1]) >> 1 < clup_weight(x);
}

/* Notes that the system at a place is at an end of its ladder. */
static void reach(clup_ladders *ladders, uint32_t place)
{
    const uint32_t system = ladders->systems[place];
    uint32_t *end = &ladders->ends[system];
    if (place < ladders->ladders) {
        ladders->trips[system] += *end == CLUP_TRIP_DOWN;
        *end = CLUP_TRIP_UP;
    } else if (*end == CLUP_TRIP_UP)
        *end = CLUP_TRIP_DOWN;
}

void clup_ladders_swap(clup_ladders *ladders, uint64_t seed, uint32_t first_replica, uint64_t sweep,
                       const double *betas, double unit, const uint64_t *satisfied)
{
    const uint32_t each = ladders->ladders, last = places(ladders) - each;
    uint32_t *systems = ladders->systems;
    const uint64_t turn = (sweep + 1) / ladders->every;
    for (uint32_t place = 0; place < last; place++) {
        const uint32_t next = place + each;
        if ((place / each + turn) % 2 == 0)
            continue;
        ladders->attempts[place]++;
        if (!is_accepted(clup_random_key(seed, first_replica + place, sweep), betas[place],
                         betas[next], unit, satisfied[place], satisfied[next]))
            continue;
        ladders->accepted[place]++;
        const uint32_t system = systems[place];
        systems[place] = systems[next];
        systems[next] = system;
    }
    for (uint32_t l = 0; l < each; l++) {
        reach(ladders, l);
        reach(ladders, last + l);
    }
}
