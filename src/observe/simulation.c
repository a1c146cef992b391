/* A simulation: sweeps in batches, their measurements, and the time they took; on a device or by the serial reference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "observe/estimate.h"
#include "observe/measure.h"
#include "update/swendsen_wang.h"

/* A batch is enqueued without waiting; it grows until it takes about this long. */
#define BATCH_S 0.05

/* How a kind of engine does what a simulation needs. */
typedef struct engine {
    /* count <= CLUP_RECORDS sweeps, finished on return; records is NULL when they are not measured */
    clup_status (*batch)(clup_simulation *simulation, unsigned count, sweep_record *records);
    clup_status (*spins)(clup_simulation *simulation, uint8_t *spins);
    /* seconds spent in each stage since forget, NAN where not known */
    double (*stage_s)(const clup_simulation *simulation, clup_stage stage);
    void (*forget)(clup_simulation *simulation);
    void (*clear)(clup_simulation *simulation);
} engine;

struct clup_simulation {
    const engine *engine;
    clup_problem problem;
    clup_sw sw;
    clup_measure measure;
    clup_sw_reference reference;
    clup_history history;
    double wall_s, stage_s[CLUP_STAGES], batch_s; /* batch_s: how long the batch in hand should take */
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t sites_of(const clup_simulation *simulation)
{
    return (uint64_t)simulation->problem.size[0] * simulation->problem.size[1];
}

/* ---- on a device ---- */

static clup_status device_batch(clup_simulation *simulation, unsigned count, sweep_record *records)
{
    clup_context *context = simulation->sw.state.context;
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < count; k++) {
        CLUP_TRY(clup_sw_sweep(&simulation->sw));
        if (records != NULL)
            CLUP_TRY(clup_measure_sweep(&simulation->measure, k));
    }
    CLUP_TRY(clup_queue_wait(context, simulation->batch_s));
    if (records != NULL)
        CLUP_TRY(clup_measure_read(&simulation->measure, count, records));
    clup_timer_collect(&context->timer);
done:
    return status;
}

static clup_status device_spins(clup_simulation *simulation, uint8_t *spins)
{
    return clup_state_read_spins(&simulation->sw.state, spins);
}

static double device_stage_s(const clup_simulation *simulation, clup_stage stage)
{
    const clup_context *context = simulation->sw.state.context;
    const clup_timer *timer = &context->timer;
    return timer->unusable > 0 || context->quirks.no_event_times ? NAN : 1e-9 * (double)timer->total_ns[stage];
}

static void device_forget(clup_simulation *simulation)
{
    clup_timer_reset(&simulation->sw.state.context->timer);
}

static void device_clear(clup_simulation *simulation)
{
    clup_measure_clear(&simulation->measure);
    clup_sw_clear(&simulation->sw);
}

static const engine device_engine = {device_batch, device_spins, device_stage_s, device_forget, device_clear};

/* ---- the serial reference ---- */

static clup_status reference_batch(clup_simulation *simulation, unsigned count, sweep_record *records)
{
    clup_sw_reference *sw = &simulation->reference;
    for (unsigned k = 0; k < count; k++) {
        clup_sw_reference_sweep(sw);
        if (records == NULL)
            continue;
        double start = now_s();
        records[k] = clup_measure_reference(&sw->lattice, sw->spins, sw->labels, sw->sizes);
        sw->stage_s[CLUP_MEASURE] += now_s() - start;
    }
    return CLUP_OK;
}

static clup_status reference_spins(clup_simulation *simulation, uint8_t *spins)
{
    for (uint64_t i = 0; i < sites_of(simulation); i++)
        spins[i] = simulation->reference.spins[i];
    return CLUP_OK;
}

static double reference_stage_s(const clup_simulation *simulation, clup_stage stage)
{
    return simulation->reference.stage_s[stage];
}

static void reference_forget(clup_simulation *simulation)
{
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
        simulation->reference.stage_s[stage] = 0;
}

static void reference_clear(clup_simulation *simulation)
{
    clup_sw_reference_clear(&simulation->reference);
}

static const engine reference_engine = {reference_batch, reference_spins, reference_stage_s, reference_forget, reference_clear};

/* ---- both ---- */

static clup_status start_spins(clup_simulation *simulation, uint64_t seed, clup_start start)
{
    lattice_args lattice = clup_lattice_args(&simulation->problem);
    clup_status status = CLUP_OK;
    if (start == CLUP_START_ORDERED)
        return CLUP_OK; /* spins are created as zeros */
    if (simulation->engine == &reference_engine) {
        clup_start_spins(&lattice, simulation->problem.q, seed, start, simulation->reference.spins);
        return CLUP_OK;
    }
    uint8_t *spins = malloc(sites_of(simulation));
    if (spins == NULL)
        return clup_fail_memory("the spins");
    clup_start_spins(&lattice, simulation->problem.q, seed, start, spins);
    status = clup_state_write_spins(&simulation->sw.state, spins);
    free(spins);
    return status;
}

/* Two sweeps of a small lattice with the plan's kernels, as they are compiled for this problem, against the serial
 * reference: a device or driver that gets them wrong is found before its results are trusted. */
static clup_status self_test(clup_context *context, const clup_problem *problem, const clup_plan *plan)
{
    enum { NX = 37, NY = 19 };
    clup_problem small = *problem;
    clup_sw sw = {0};
    clup_sw_reference reference = {0};
    uint8_t spins[NX * NY];
    clup_status status = CLUP_OK;
    small.size[0] = NX;
    small.size[1] = NY;
    lattice_args lattice = clup_lattice_args(&small);
    CLUP_TRY(clup_sw_create(context, &small, plan, 1, &sw));
    CLUP_TRY(clup_sw_reference_create(&small, 1, &reference));
    clup_start_spins(&lattice, small.q, 1, CLUP_START_RANDOM, reference.spins);
    CLUP_TRY(clup_state_write_spins(&sw.state, reference.spins));
    for (int sweep = 0; sweep < 2; sweep++) {
        clup_sw_reference_sweep(&reference);
        CLUP_TRY(clup_sw_sweep(&sw));
    }
    CLUP_TRY(clup_state_read_spins(&sw.state, spins));
    if (memcmp(spins, reference.spins, sizeof spins) != 0)
        status = clup_fail(CLUP_ERROR_VERIFY, "%s + %s + %s + %s with %s bonds and tile %u gives wrong spins on %s (%s)", plan->source, plan->local,
                           plan->consolidate, plan->action, plan->bonds, plan->tile[0], context->device.info.name, context->device.info.driver);
done:
    clup_timer_collect(&context->timer);
    clup_sw_clear(&sw);
    clup_sw_reference_clear(&reference);
    return status;
}

clup_status clup_simulation_create(clup_context *context, const clup_problem *problem, const clup_plan *plan, uint64_t seed,
                                   clup_start start, clup_simulation **out)
{
    clup_status status = CLUP_OK;
    clup_simulation *simulation = calloc(1, sizeof *simulation);
    *out = NULL;
    if (simulation == NULL)
        return clup_fail_memory("the simulation");
    simulation->problem = *problem;
    simulation->engine = context != NULL ? &device_engine : &reference_engine;
    CLUP_TRY(clup_problem_check(problem));
    if (context != NULL) {
        CLUP_TRY(self_test(context, problem, plan));
        CLUP_TRY(clup_sw_create(context, problem, plan, seed, &simulation->sw));
        CLUP_TRY(clup_measure_create(&simulation->sw.state, plan->tile, &simulation->measure));
    } else
        CLUP_TRY(clup_sw_reference_create(problem, seed, &simulation->reference));
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
    simulation->engine->clear(simulation);
    clup_history_clear(&simulation->history);
    free(simulation);
}

static clup_status add_records(clup_simulation *simulation, const sweep_record *records, unsigned count)
{
    double sites = (double)sites_of(simulation), q = simulation->problem.q;
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < count && status == CLUP_OK; k++) {
        const sweep_record *record = &records[k];
        status = clup_history_add(&simulation->history, -(double)record->equal_bonds / sites,
                                  (q * (double)record->majority / sites - 1) / (q - 1), (double)record->clusters / sites,
                                  (double)record->largest / sites);
    }
    return status;
}

clup_status clup_simulation_run(clup_simulation *simulation, uint64_t sweeps, int measure, clup_progress *progress, void *user)
{
    sweep_record records[CLUP_RECORDS];
    unsigned batch = 1;
    clup_status status = CLUP_OK;
    double run_start = now_s();
    simulation->engine->forget(simulation);
    simulation->batch_s = 0;
    for (uint64_t done = 0; done < sweeps;) {
        unsigned count = sweeps - done < batch ? (unsigned)(sweeps - done) : batch;
        double start = now_s();
        CLUP_TRY(simulation->engine->batch(simulation, count, measure ? records : NULL));
        if (measure)
            CLUP_TRY(add_records(simulation, records, count));
        done += count;
        double sweep_s = (now_s() - start) / count;
        batch = sweep_s * (CLUP_RECORDS - 1) < BATCH_S ? CLUP_RECORDS : (unsigned)(BATCH_S / sweep_s) + 1;
        simulation->batch_s = sweep_s * batch;
        if (progress != NULL && progress(done, sweeps, user))
            break;
    }
done:
    if (measure) {
        simulation->wall_s += now_s() - run_start;
        for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
            simulation->stage_s[stage] += simulation->engine->stage_s(simulation, stage);
    }
    return status;
}

clup_status clup_simulation_spins(clup_simulation *simulation, uint8_t *spins)
{
    return simulation->engine->spins(simulation, spins);
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
        timing->stage_ps[stage] = updates > 0 ? 1e12 * simulation->stage_s[stage] / updates : NAN;
        if (stage != CLUP_MEASURE)
            timing->update_ps += timing->stage_ps[stage];
    }
}
