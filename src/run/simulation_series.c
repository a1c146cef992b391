/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the series of the replicas of a simulation from their records, and estimates from the
 * series. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/workers.h"
#include "run/simulation.h"

/* Takes so many sweeps at a time of several replicas, whose records are stored side by side. */
#define TOGETHER 512

/* How many replicas, from the first on, have their series kept at a time. */
static uint32_t replicas_of(const clup_simulation *simulation, uint32_t first, uint32_t count)
{
    const size_t most = REPLICAS_VALUES / (simulation->records.count + 1) + 1;
    const uint32_t all = clup_problem_replicas(&simulation->problem), left = all - first,
                   some = count < left ? count : left;
    return most < some ? (uint32_t)most : some;
}

/* Adds count sweeps to the series; record and apart are of the first one, see
 * clup_sweep_records_of. */
static clup_status add_sweeps(const clup_simulation *simulation, const uint32_t *record,
                              size_t apart, size_t count, replica_series *some)
{
    const uint32_t words = simulation->records.words;
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < count; k += TOGETHER)
        for (uint32_t r = 0; r < some->count; r++) {
            const clup_system system = clup_simulation_system(simulation, some->first + r);
            CLUP_TRY(clup_history_add(&some->histories[r], &system, record + k * apart + r * words,
                                      apart, count - k < TOGETHER ? count - k : TOGETHER));
        }
done:
    return status;
}

/* Brings series up to date. */
static clup_status bring(const clup_simulation *simulation, replica_series *some)
{
    size_t known = some->histories[0].count, count, apart;
    const uint32_t *record;
    clup_status status = CLUP_OK;
    for (size_t chunk = 0;
         status == CLUP_OK && (count = clup_sweep_records_of(&simulation->records, chunk,
                                                             some->first, &record, &apart)) > 0;
         chunk++) {
        const size_t skipped = known < count ? known : count;
        status = add_sweeps(simulation, record + skipped * apart, apart, count - skipped, some);
        known -= skipped;
    }
    /* makes series anew if they have different numbers of sweeps */
    if (status != CLUP_OK)
        some->count = 0;
    return status;
}

/* Makes the series those of other replicas. */
static void turn(replica_series *some, uint32_t first, uint32_t count)
{
    some->first = first;
    some->count = count;
    for (uint32_t r = 0; r < REPLICAS_MOST; r++)
        some->histories[r].count = 0;
}

void clup_replica_series_clear(replica_series *some)
{
    for (uint32_t r = 0; r < REPLICAS_MOST; r++)
        clup_history_clear(&some->histories[r]);
}

static clup_status check_replica(const clup_simulation *simulation, uint32_t replica)
{
    return replica < clup_problem_replicas(&simulation->problem)
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "there is no replica %u", replica);
}

clup_status clup_simulation_history(const clup_simulation *simulation, uint32_t replica,
                                    const clup_history **series)
{
    replica_series *asked = simulation->asked;
    clup_status status = check_replica(simulation, replica);
    if (status != CLUP_OK)
        return status;
    if (replica < asked->first || replica >= asked->first + asked->count)
        turn(asked, replica, replicas_of(simulation, replica, REPLICAS_MOST));
    *series = &asked->histories[replica - asked->first];
    return bring(simulation, asked);
}

clup_status clup_simulation_estimate(const clup_simulation *simulation, uint32_t replica,
                                     clup_estimate *estimates)
{
    CLUP_NEED(simulation);
    CLUP_NEED(estimates);
    const clup_history *series;
    const clup_status status = clup_simulation_history(simulation, replica, &series);
    if (status != CLUP_OK)
        return status;
    const clup_system system = clup_simulation_system(simulation, replica);
    return clup_history_estimate(series, &system, estimates);
}

clup_status clup_simulation_series(const clup_simulation *simulation, uint32_t replica,
                                   clup_observable observable, uint64_t first, uint64_t count,
                                   double *values)
{
    CLUP_NEED(simulation);
    CLUP_NEED(values);
    const clup_history *series;
    const clup_status status = clup_simulation_history(simulation, replica, &series);
    if (status != CLUP_OK)
        return status;
    if ((unsigned)observable >= OBSERVED || clup_observable_has_values(observable))
        return clup_fail(CLUP_ERROR_USAGE, "there is no observable %d", (int)observable);
    if (first > series->count || count > series->count - first)
        return clup_fail(CLUP_ERROR_USAGE, "%llu sweeps from number %llu on: %llu were measured",
                         (unsigned long long)count, (unsigned long long)first,
                         (unsigned long long)series->count);
    const clup_system system = clup_simulation_system(simulation, replica);
    return clup_history_series(series, &system, observable, (size_t)first, (size_t)count, values);
}

/* ---- of many replicas ------------------------------------------------------------------------ */

/* Visits of replicas; each worker takes some replicas at a time. */
typedef struct visiting {
    const clup_simulation *simulation;
    uint32_t first, count, step;
    clup_visit *visit;
    void *user;
    _Atomic uint32_t next; /* the first replica that no worker has taken, less first */
} visiting;

static clup_status visit_some(const visiting *all, uint32_t from, replica_series *some)
{
    clup_status status;
    const uint32_t left = all->count - from;
    turn(some, all->first + from, left < all->step ? left : all->step);
    CLUP_TRY(bring(all->simulation, some));
    for (uint32_t r = 0; r < some->count; r++) {
        const clup_system system = clup_simulation_system(all->simulation, some->first + r);
        CLUP_TRY(all->visit(all->user, some->first + r, &some->histories[r], &system));
    }
done:
    return status;
}

static clup_status visit_work(void *user, unsigned worker)
{
    visiting *all = user;
    clup_status status = CLUP_OK;
    replica_series some = {0};
    uint32_t from;
    (void)worker;
    while (status == CLUP_OK && (from = atomic_fetch_add(&all->next, all->step)) < all->count)
        status = visit_some(all, from, &some);
    if (status != CLUP_OK)
        atomic_store(&all->next, all->count); /* the other workers need not go on */
    clup_replica_series_clear(&some);
    return status;
}

clup_status clup_simulation_visit(const clup_simulation *simulation, uint32_t first, uint32_t count,
                                  clup_visit *visit, void *user)
{
    if (count == 0)
        return CLUP_OK;
    clup_status status = check_replica(simulation, first);
    if (status == CLUP_OK)
        status = check_replica(simulation,
                               count - 1 > UINT32_MAX - first ? UINT32_MAX : first + (count - 1));
    if (status == CLUP_OK && simulation->records.count == 0)
        status = clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    if (status != CLUP_OK)
        return status;
    visiting all = {.simulation = simulation,
                    .first = first,
                    .count = count,
                    .step = replicas_of(simulation, first, REPLICAS_MOST),
                    .visit = visit,
                    .user = user};
    const unsigned steps = (count - 1) / all.step + 1, processors = clup_processors();
    return clup_workers_run(steps < processors ? steps : processors, visit_work, &all);
}

/* Estimates of replicas from the first on. */
typedef struct estimating {
    uint32_t first;
    const clup_observable *of; /* of[of_count], NULL for the first of_count observables */
    size_t of_count;
    clup_estimate *estimates;
} estimating;

static clup_status estimate(void *user, uint32_t replica, const clup_history *history,
                            const clup_system *system)
{
    const estimating *all = user;
    return clup_history_estimates_of(history, system, all->of, all->of_count,
                                     all->estimates + (replica - all->first) * all->of_count);
}

static clup_status estimate_all(const clup_simulation *simulation, const clup_observable *of,
                                size_t of_count, uint32_t first, uint32_t count,
                                clup_estimate *estimates)
{
    estimating all = {first, of, of_count, estimates};
    return clup_simulation_visit(simulation, first, count, estimate, &all);
}

clup_status clup_simulation_estimates(const clup_simulation *simulation, uint32_t first,
                                      uint32_t count, clup_estimate *estimates)
{
    CLUP_NEED(simulation);
    CLUP_NEED(estimates);
    return estimate_all(simulation, NULL, CLUP_OBSERVABLES, first, count, estimates);
}

clup_status clup_simulation_estimates_of(const clup_simulation *simulation,
                                         const clup_observable *observables,
                                         size_t observable_count, uint32_t first, uint32_t count,
                                         clup_estimate *estimates)
{
    CLUP_NEED(simulation);
    CLUP_NEED(observables);
    CLUP_NEED(estimates);
    for (size_t k = 0; k < observable_count; k++)
        if ((unsigned)observables[k] >= OBSERVED || clup_observable_has_values(observables[k]))
            return clup_fail(CLUP_ERROR_USAGE, "observable %d is none with one value",
                             (int)observables[k]);
    return estimate_all(simulation, observables, observable_count, first, count, estimates);
}
