/* A simulation: sweeps in batches, their measurements, and the time they took. */
#include <math.h>
#include <stdlib.h>

#include "base/timing.h"
#include "base/watch.h"
#include "model/model.h"
#include "observe/engine.h"
#include "observe/estimate.h"
#include "plan/tables.h"

/* A batch is enqueued without waiting; it grows until it takes about this long. */
#define BATCH_S 0.05

struct clup_simulation {
    clup_engine *engine;
    bool on_device;
    clup_plan plan; /* on a device */
    clup_problem problem;
    double *betas; /* betas[replicas] */
    clup_algorithm algorithm;
    clup_history *histories; /* histories[replicas] */
    sweep_record *records;   /* of a batch */
    bool streams;            /* the generator has a state of its own */
    uint64_t sweeps;         /* the number of the next sweep */
    double wall_s, stage_s[CLUP_STAGES];
};

static uint64_t sites_of(const clup_simulation *simulation)
{
    return clup_problem_sites(&simulation->problem);
}

static clup_status start_spins(clup_simulation *simulation, uint64_t seed, clup_start start)
{
    lattice_args lattice = clup_lattice_args(&simulation->problem);
    if (start == CLUP_START_ORDERED)
        return CLUP_OK; /* spins are created as zeros */
    const uint64_t sites = sites_of(simulation);
    uint8_t *spins = calloc(clup_problem_replicas(&simulation->problem), sites);
    if (spins == NULL)
        return clup_fail_memory("the spins");
    for (uint32_t r = 0; r < clup_problem_replicas(&simulation->problem); r++)
        clup_start_spins(&lattice, simulation->problem.q,
                         clup_random_key(seed, simulation->problem.first_replica + r, 0), start,
                         spins + r * sites);
    clup_status status = simulation->engine->kind->write_spins(simulation->engine, spins);
    free(spins);
    return status;
}

/* What there is one of for each replica. */
static clup_status make_replicas(clup_simulation *simulation)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    simulation->betas = malloc(replicas * sizeof *simulation->betas);
    simulation->histories = calloc(replicas, sizeof *simulation->histories);
    simulation->records = malloc((size_t)clup_records_most(replicas) * replicas *
                                 sizeof *simulation->records);
    if (simulation->betas == NULL || simulation->histories == NULL || simulation->records == NULL)
        return clup_fail_memory("the replicas");
    for (uint32_t r = 0; r < replicas; r++)
        simulation->betas[r] = clup_problem_beta(&simulation->problem, r);
    simulation->problem.betas = simulation->betas;
    return CLUP_OK;
}

clup_status clup_simulation_create(clup_context *context, const clup_problem *problem,
                                   const clup_method *method, const clup_plan *plan, uint64_t seed,
                                   clup_start start, clup_simulation **out)
{
    clup_status status = CLUP_OK;
    clup_simulation *simulation = NULL;
    clup_plan settled = {0};
    const clup_generator *rng;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_TRY(clup_problem_check(problem));
    CLUP_TRY(clup_model_check_runner(problem, CLUP_RUNNER_simulation));
    if (start != CLUP_START_ORDERED && start != CLUP_START_RANDOM)
        CLUP_TRY(clup_fail(CLUP_ERROR_USAGE, "start %d is not known", (int)start));
    if (context != NULL)
        CLUP_TRY(clup_plan_settle(context, problem, method, plan, &settled));
    else if (plan != NULL) {
        CLUP_TRY(CLUP_RESERVED(plan, "clup_plan"));
        settled.source = plan->source;
    }
    if ((simulation = calloc(1, sizeof *simulation)) == NULL)
        return clup_fail_memory("the simulation");
    simulation->problem = *problem;
    simulation->algorithm = method != NULL ? method->algorithm : CLUP_SWENDSEN_WANG;
    CLUP_TRY(make_replicas(simulation));
    CLUP_TRY(clup_engine_create(context, problem, method, &settled, seed, &simulation->engine));
    simulation->on_device = context != NULL;
    simulation->plan = settled;
    CLUP_TRY(clup_generator_named(method != NULL ? method->rng : NULL, &rng));
    simulation->streams = rng->words > 0;
    CLUP_TRY(start_spins(simulation, seed, start));
done:
    if (status == CLUP_OK)
        *out = simulation;
    else
        clup_simulation_free(simulation);
    return status;
}

const clup_plan *clup_simulation_plan(const clup_simulation *simulation)
{
    return simulation != NULL && simulation->on_device ? &simulation->plan : NULL;
}

void clup_simulation_free(clup_simulation *simulation)
{
    if (simulation == NULL)
        return;
    if (simulation->engine != NULL)
        simulation->engine->kind->free(simulation->engine);
    for (uint32_t r = 0;
         simulation->histories != NULL && r < clup_problem_replicas(&simulation->problem); r++)
        clup_history_clear(&simulation->histories[r]);
    free(simulation->histories);
    free(simulation->records);
    free(simulation->betas);
    free(simulation);
}

/* The records of count sweeps, of all replicas each. */
static clup_status add_records(clup_simulation *simulation, unsigned count)
{
    const double sites = (double)sites_of(simulation), q = simulation->problem.q;
    const size_t replicas = clup_problem_replicas(&simulation->problem);
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < count * replicas && status == CLUP_OK; k++) {
        double values[CLUP_COLUMNS];
        clup_sweep_values(&simulation->records[k], sites, q,
                          simulation->algorithm == CLUP_SWENDSEN_WANG, values);
        status = clup_history_add(&simulation->histories[k % replicas], values);
    }
    return status;
}

clup_status clup_simulation_run(clup_simulation *simulation, uint64_t sweeps, int measure,
                                clup_progress *progress, void *user)
{
    CLUP_NEED(simulation);
    clup_engine *engine = simulation->engine;
    const unsigned most = engine->most;
    unsigned batch = 1;
    clup_status status = CLUP_OK;
    double run_start = clup_now_s(), sweep_s = 0;
    if (sweeps > CLUP_SWEEPS_ALL - simulation->sweeps)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%llu sweeps after %llu: there are random numbers for 2^48 of a seed",
                         (unsigned long long)sweeps, (unsigned long long)simulation->sweeps);
    const clup_task outer = clup_task_begin(measure ? "measure" : "thermalize", "sweeps", sweeps);
    engine->kind->forget_times(engine);
    for (uint64_t done = 0; done < sweeps;) {
        unsigned count = sweeps - done < batch ? (unsigned)(sweeps - done) : batch, finished = 0;
        double start = clup_now_s();
        const clup_status ended = engine->kind->batch(
            engine, count, sweep_s * count, measure ? simulation->records : NULL, &finished);
        if (ended != CLUP_INTERRUPTED)
            CLUP_TRY(ended);
        if (measure)
            CLUP_TRY(add_records(simulation, finished));
        done += finished;
        simulation->sweeps += finished;
        clup_task_done(done);
        CLUP_TRY(ended == CLUP_OK ? CLUP_OK : clup_watch_end());
        sweep_s = (clup_now_s() - start) / count;
        batch = sweep_s * (most - 1) < BATCH_S ? most : (unsigned)(BATCH_S / sweep_s) + 1;
        if (progress != NULL && progress(done, sweeps, user) && done < sweeps)
            CLUP_TRY(clup_watch_end());
    }
done:
    clup_task_end(outer);
    if (measure) {
        simulation->wall_s += clup_now_s() - run_start;
        for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
            simulation->stage_s[stage] += engine->kind->stage_s(engine, stage);
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

uint64_t clup_simulation_sweeps(const clup_simulation *simulation)
{
    return simulation != NULL ? simulation->sweeps : 0;
}

clup_status clup_simulation_spins(clup_simulation *simulation, uint8_t *spins)
{
    CLUP_NEED(simulation);
    CLUP_NEED(spins);
    return simulation->engine->kind->read_spins(simulation->engine, spins);
}

clup_status clup_simulation_set_state(clup_simulation *simulation, uint64_t sweep,
                                      const uint8_t *spins)
{
    CLUP_NEED(simulation);
    CLUP_NEED(spins);
    const clup_problem *problem = &simulation->problem;
    const clup_engine_kind *kind = simulation->engine->kind;
    const uint64_t sites = sites_of(simulation);
    if (simulation->streams)
        return clup_fail(CLUP_ERROR_USAGE,
                         "the random numbers have a state besides the spins; philox has none");
    if (sweep >= CLUP_SWEEPS_ALL)
        return clup_fail(CLUP_ERROR_USAGE,
                         "sweep number %llu: there are random numbers for 2^48 of a seed",
                         (unsigned long long)sweep);
    for (uint64_t k = 0; k < clup_problem_replicas(problem) * sites; k++)
        if (spins[k] >= problem->q)
            return clup_fail(CLUP_ERROR_USAGE,
                             "replica %llu, site %llu: there is no spin %u of %u states",
                             (unsigned long long)(k / sites), (unsigned long long)(k % sites),
                             spins[k], problem->q);
    const clup_status status = kind->write_spins(simulation->engine, spins);
    if (status != CLUP_OK)
        return status;
    kind->go_to(simulation->engine, sweep, 0);
    simulation->sweeps = sweep;
    return CLUP_OK;
}

static clup_status check_replica(const clup_simulation *simulation, uint32_t replica)
{
    return replica < clup_problem_replicas(&simulation->problem)
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "there is no replica %u", replica);
}

clup_status clup_simulation_estimate(const clup_simulation *simulation, uint32_t replica,
                                     clup_estimate *estimates)
{
    CLUP_NEED(simulation);
    CLUP_NEED(estimates);
    const clup_status status = check_replica(simulation, replica);
    return status != CLUP_OK
               ? status
               : clup_history_estimate(&simulation->histories[replica], simulation->betas[replica],
                                       (double)sites_of(simulation), estimates);
}

clup_status clup_simulation_like(const clup_simulation *simulation, const clup_problem *problem)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    return sites_of(simulation) == clup_problem_sites(problem) &&
                   replicas == clup_problem_replicas(problem)
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "the simulation is of %llu sites and %u replicas",
                           (unsigned long long)sites_of(simulation), replicas);
}

uint64_t clup_simulation_measured(const clup_simulation *simulation)
{
    return simulation != NULL ? simulation->histories[0].count : 0;
}

clup_status clup_simulation_series(const clup_simulation *simulation, uint32_t replica,
                                   clup_observable observable, uint64_t first, uint64_t count,
                                   double *values)
{
    CLUP_NEED(simulation);
    CLUP_NEED(values);
    const clup_status status = check_replica(simulation, replica);
    if (status != CLUP_OK)
        return status;
    const clup_history *history = &simulation->histories[replica];
    if ((unsigned)observable >= CLUP_OBSERVABLES)
        return clup_fail(CLUP_ERROR_USAGE, "there is no observable %d", (int)observable);
    if (first > history->count || count > history->count - first)
        return clup_fail(CLUP_ERROR_USAGE, "%llu sweeps from number %llu on: %llu were measured",
                         (unsigned long long)count, (unsigned long long)first,
                         (unsigned long long)history->count);
    clup_history_series(history, simulation->betas[replica], (double)sites_of(simulation),
                        observable, (size_t)first, (size_t)count, values);
    return CLUP_OK;
}

void clup_simulation_timing(const clup_simulation *simulation, clup_timing *timing)
{
    if (timing == NULL)
        return;
    *timing = (clup_timing){0};
    if (simulation == NULL)
        return;
    const uint64_t sweeps = clup_simulation_measured(simulation);
    const double updates = (double)sweeps * (double)sites_of(simulation) *
                           clup_problem_replicas(&simulation->problem);
    *timing = (clup_timing){.sweeps = sweeps, .wall_s = simulation->wall_s};
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++) {
        timing->iterations[stage] = updates > 0 ? simulation->engine->kind->iterations(
                                                      simulation->engine, stage)
                                                : NAN;
        timing->stage_ps[stage] = updates > 0 ? 1e12 * simulation->stage_s[stage] / updates : NAN;
        if (stage != CLUP_MEASURE)
            timing->update_ps += timing->stage_ps[stage];
    }
}
