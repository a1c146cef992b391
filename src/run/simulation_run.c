/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a simulation in batches of sweeps; a batch ends where systems change places. */
#include "base/timing.h"
#include "base/watch.h"
#include "program.h"
#include "run/measure.h"
#include "run/simulation.h"

/* A batch is enqueued without waiting, and waited for at its end. Batches grow until one takes
 * about this long, which is also how long a request to end the work may wait. */
#define BATCH_S 0.15

/* Adds the records of so many sweeps, which are in the room made for them. */
static void add_records(clup_simulation *simulation, unsigned sweeps)
{
    clup_measuring *measuring = &simulation->engine->measuring;
    clup_sweep_records_add(&simulation->records, clup_measuring_records(measuring, sweeps));
    measuring->before = (uint32_t)(((uint64_t)measuring->before + sweeps) % measuring->every);
}

/* One batch. */
typedef struct batch {
    unsigned sweeps;
    unsigned kept; /* records that go to the series */
    bool exchange; /* systems change places after its last sweep, which is measured for that */
} batch;

/* Returns the next batch, of at most so many sweeps. It ends with the next exchange of systems at
 * the latest. The energies of the sweep before an exchange decide which systems change places, so
 * that this sweep is always measured. If the series get records of earlier sweeps of the batch but
 * not of that one, the batch ends with the last sweep that they get. The next batch then leads to
 * the exchange, and the series get none of its sweeps. */
static batch next_batch(const clup_simulation *simulation, unsigned most, bool measure)
{
    const clup_measuring *measuring = &simulation->engine->measuring;
    const uint64_t left = clup_simulation_to_exchange(simulation);
    batch batch = {.sweeps = left < most ? (unsigned)left : most};
    batch.kept = measure ? clup_measuring_records(measuring, batch.sweeps) : 0;
    if (batch.sweeps == left && batch.kept > 0)
        batch.sweeps = (unsigned)((uint64_t)batch.kept * measuring->every - measuring->before);
    batch.exchange = batch.sweeps == left;
    return batch;
}

/* Runs a batch; the first *finished of its sweeps are done, also after CLUP_INTERRUPTED. */
static clup_status run_batch(clup_simulation *simulation, const batch *batch, bool measure,
                             double expected_s, unsigned *finished)
{
    clup_engine *engine = simulation->engine;
    clup_ladders *ladders = simulation->ladders;
    const bool aside = batch->exchange && batch->kept == 0;
    const clup_measuring asked = engine->measuring,
                         last = {.format = clup_simulation_spin_format(simulation),
                                 .every = batch->sweeps};
    uint32_t *records = aside ? ladders->row : NULL;
    clup_status status = clup_simulation_settle(simulation);
    if (status != CLUP_OK)
        return status;
    if (measure && !aside &&
        ((records = clup_sweep_records_room(&simulation->records, batch->kept)) == NULL ||
         (ladders != NULL && clup_sweep_records_room(&ladders->history, batch->kept) == NULL)))
        return clup_fail_memory("the series");
    if (aside)
        engine->measuring = last;
    *finished = 0;
    status = engine->kind->batch(engine, batch->sweeps, expected_s, records, finished);
    engine->measuring = asked;
    if (status != CLUP_OK && status != CLUP_INTERRUPTED)
        return status;
    simulation->sweeps += *finished;
    if (ladders != NULL && records != NULL)
        clup_simulation_take_places(simulation, records, aside ? &last : &asked, *finished,
                                    batch->exchange && *finished == batch->sweeps);
    if (measure)
        add_records(simulation, *finished);
    return status;
}

/* What a process has exchanged with others of the same lattice. */
typedef struct traffic {
    uint64_t rounds, bytes;
} traffic;

static traffic traffic_of(const clup_engine *engine)
{
    traffic sum = {0};
    if (engine->interface != NULL)
        sum = (traffic){engine->interface->rounds, engine->interface->bytes};
    if (engine->strip != NULL)
        sum.rounds += engine->strip->rounds, sum.bytes += engine->strip->bytes;
    return sum;
}

clup_status clup_simulation_run(clup_simulation *simulation, uint64_t sweeps, int measure,
                                clup_progress *progress, void *user)
{
    CLUP_NEED(simulation);
    clup_engine *engine = simulation->engine;
    const unsigned most = engine->most;
    unsigned growing = 1;
    clup_status status = CLUP_OK;
    double run_start = clup_now_s(), sweep_s = 0;
    const traffic before = traffic_of(engine);
    if (sweeps > CLUP_SWEEPS_ALL - simulation->sweeps)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%llu sweeps after %llu: there are random numbers for 2^48 of a seed",
                         (unsigned long long)sweeps, (unsigned long long)simulation->sweeps);
    const clup_task outer = clup_task_begin(measure ? "measure" : "thermalize", "sweeps", sweeps);
    engine->kind->forget_times(engine);
    CLUP_TRY(clup_simulation_ready_places(simulation));
    for (uint64_t done = 0; done < sweeps;) {
        const batch batch = next_batch(
            simulation, sweeps - done < growing ? (unsigned)(sweeps - done) : growing, measure);
        unsigned finished;
        double start = clup_now_s();
        const clup_status ended = run_batch(simulation, &batch, measure, sweep_s * batch.sweeps,
                                            &finished);
        if (ended != CLUP_INTERRUPTED)
            CLUP_TRY(ended);
        done += finished;
        simulation->timed += measure ? finished : 0;
        clup_task_done(done);
        CLUP_TRY(ended == CLUP_OK ? CLUP_OK : clup_watch_end());
        sweep_s = (clup_now_s() - start) / batch.sweeps;
        growing = sweep_s * (most - 1) < BATCH_S ? most : (unsigned)(BATCH_S / sweep_s) + 1;
        bool ends = progress != NULL && progress(done, sweeps, user) && done < sweeps;
        CLUP_TRY(clup_engine_any(engine, ends, &ends));
        if (ends)
            CLUP_TRY(clup_watch_end());
    }
done:
    clup_task_end(outer);
    if (measure) {
        simulation->wall_s += clup_now_s() - run_start;
        for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
            simulation->stage_s[stage] += engine->kind->stage_s(engine, stage);
        simulation->rounds += traffic_of(engine).rounds - before.rounds;
        simulation->bytes += traffic_of(engine).bytes - before.bytes;
    }
    return status;
}

clup_status clup_simulation_time_sweep(clup_simulation *simulation, int measure,
                                       clup_timed_sweep *sweep)
{
    CLUP_NEED(simulation);
    CLUP_NEED(sweep);
    const clup_engine *engine = simulation->engine;
    *sweep = (clup_timed_sweep){0};
    const double start = clup_now_s();
    const clup_status status = clup_simulation_run(simulation, 1, measure, NULL, NULL);
    sweep->wall_s = clup_now_s() - start;
    for (clup_stage stage = 0; stage < CLUP_STAGES && status == CLUP_OK; stage++) {
        sweep->stage_s[stage] = engine->kind->stage_s(engine, stage);
        sweep->iterations[stage] = engine->kind->iterations(simulation->engine, stage);
    }
    return status;
}
