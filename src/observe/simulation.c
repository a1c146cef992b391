/* A simulation: sweeps in batches, their measurements, and the time they took. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "model/state.h"
#include "observe/engine.h"
#include "observe/estimate.h"

/* A batch is enqueued without waiting; it grows until it takes about this long. */
#define BATCH_S 0.05

struct clup_simulation {
    clup_engine *engine;
    clup_problem problem;
    clup_algorithm algorithm;
    clup_history history;
    double wall_s, stage_s[CLUP_STAGES];
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t sites_of(const clup_simulation *simulation)
{
    return clup_problem_sites(&simulation->problem);
}

static clup_status start_spins(clup_simulation *simulation, uint64_t seed, clup_start start)
{
    lattice_args lattice = clup_lattice_args(&simulation->problem);
    if (start == CLUP_START_ORDERED)
        return CLUP_OK; /* spins are created as zeros */
    uint8_t *spins = malloc(sites_of(simulation));
    if (spins == NULL)
        return clup_fail_memory("the spins");
    clup_start_spins(&lattice, simulation->problem.q, seed, start, spins);
    clup_status status = simulation->engine->kind->write_spins(simulation->engine, spins);
    free(spins);
    return status;
}

clup_status clup_simulation_create(clup_context *context, const clup_problem *problem, const clup_method *method, const clup_plan *plan,
                                   uint64_t seed, clup_start start, clup_simulation **out)
{
    clup_status status = CLUP_OK;
    clup_simulation *simulation = calloc(1, sizeof *simulation);
    *out = NULL;
    if (simulation == NULL)
        return clup_fail_memory("the simulation");
    simulation->problem = *problem;
    simulation->algorithm = method != NULL ? method->algorithm : CLUP_SWENDSEN_WANG;
    CLUP_TRY(clup_problem_check(problem));
    CLUP_TRY(context != NULL ? clup_engine_on_device(context, problem, method, plan, seed, &simulation->engine)
                             : clup_engine_on_host(problem, method, seed, &simulation->engine));
    CLUP_TRY(start_spins(simulation, seed, start));
done:
    if (status == CLUP_OK)
        *out = simulation;
    else
        clup_simulation_free(simulation);
    return status;
}

void clup_simulation_free(clup_simulation *simulation)
{
    if (simulation == NULL)
        return;
    if (simulation->engine != NULL)
        simulation->engine->kind->free(simulation->engine);
    clup_history_clear(&simulation->history);
    free(simulation);
}

static clup_status add_records(clup_simulation *simulation, const sweep_record *records, unsigned count)
{
    double sites = (double)sites_of(simulation), q = simulation->problem.q;
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < count && status == CLUP_OK; k++) {
        const sweep_record *record = &records[k];
        int all = simulation->algorithm == CLUP_SWENDSEN_WANG;
        const double values[CLUP_COLUMNS] = {
            [CLUP_COLUMN_ENERGY] = -(double)record->equal_bonds / sites,
            [CLUP_COLUMN_M] = (q * (double)record->majority / sites - 1) / (q - 1),
            [CLUP_COLUMN_CLUSTERS] = all ? (double)record->clusters / sites : NAN,
            [CLUP_COLUMN_LARGEST] = all ? (double)record->largest / sites : NAN,
            [CLUP_COLUMN_UPDATED] = all ? 1 : (double)record->updated / sites,
        };
        status = clup_history_add(&simulation->history, values);
    }
    return status;
}

clup_status clup_simulation_run(clup_simulation *simulation, uint64_t sweeps, int measure, clup_progress *progress, void *user)
{
    sweep_record records[CLUP_RECORDS];
    clup_engine *engine = simulation->engine;
    unsigned batch = 1;
    clup_status status = CLUP_OK;
    double run_start = now_s(), sweep_s = 0;
    engine->kind->forget_times(engine);
    for (uint64_t done = 0; done < sweeps;) {
        unsigned count = sweeps - done < batch ? (unsigned)(sweeps - done) : batch;
        double start = now_s();
        CLUP_TRY(engine->kind->batch(engine, count, sweep_s * count, measure ? records : NULL));
        if (measure)
            CLUP_TRY(add_records(simulation, records, count));
        done += count;
        sweep_s = (now_s() - start) / count;
        batch = sweep_s * (CLUP_RECORDS - 1) < BATCH_S ? CLUP_RECORDS : (unsigned)(BATCH_S / sweep_s) + 1;
        if (progress != NULL && progress(done, sweeps, user))
            break;
    }
done:
    if (measure) {
        simulation->wall_s += now_s() - run_start;
        for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
            simulation->stage_s[stage] += engine->kind->stage_s(engine, stage);
    }
    return status;
}

clup_status clup_simulation_spins(clup_simulation *simulation, uint8_t *spins)
{
    return simulation->engine->kind->read_spins(simulation->engine, spins);
}

clup_status clup_simulation_estimate(const clup_simulation *simulation, clup_estimate *estimates)
{
    return clup_history_estimate(&simulation->history, simulation->problem.beta, (double)sites_of(simulation), estimates);
}

void clup_simulation_timing(const clup_simulation *simulation, clup_timing *timing)
{
    double updates = (double)simulation->history.count * (double)sites_of(simulation);
    *timing = (clup_timing){.sweeps = simulation->history.count, .wall_s = simulation->wall_s};
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++) {
        timing->iterations[stage] = updates > 0 ? simulation->engine->kind->iterations(simulation->engine, stage) : NAN;
        timing->stage_ps[stage] = updates > 0 ? 1e12 * simulation->stage_s[stage] / updates : NAN;
        if (stage != CLUP_MEASURE)
            timing->update_ps += timing->stage_ps[stage];
    }
}
