/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing whole sweeps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "base/watch.h"
#include "core/couplings.h"
#include "core/model.h"
#include "run/engine.h"
#include "run/measure.h"
#include "ocl/context.h"

#define REPETITIONS_MAX 1001

/* The wall clock times several sweeps together, as the queue is never empty in a simulation; they
 * should take so long. */
#define WALL_S 0.2
#define WALL_SWEEPS_MAX 10000u

/* Times one sweep by device events, NAN where there are none; *wall_s gets its wall clock time. */
static clup_status one_sweep(clup_engine *engine, uint32_t *records, double *device_s,
                             double *wall_s)
{
    unsigned done;
    double start = clup_now_s();
    engine->kind->forget_times(engine);
    clup_status status = engine->kind->batch(engine, 1, 0, records, &done);
    *wall_s = clup_now_s() - start;
    *device_s = 0;
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++) {
        double part = engine->kind->stage_s(engine, stage);
        *device_s += stage == CLUP_MEASURE && records == NULL ? 0 : part;
    }
    return status;
}

/* Times sweeps by device events one by one, and by the wall clock in batches. */
static clup_status time_sweeps(clup_engine *engine, uint32_t *records, unsigned repetitions,
                               clup_sweep_times *times)
{
    double device[REPETITIONS_MAX], wall_s = 0;
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < repetitions; k++)
        CLUP_TRY(one_sweep(engine, records, &device[k], &wall_s));
    times->device_s = clup_median(device, repetitions, &times->spread);
    unsigned sweeps = (unsigned)fmin(WALL_SWEEPS_MAX, fmax(1, WALL_S / wall_s)), done = 0;
    double start = clup_now_s();
    for (unsigned count, finished; done < sweeps; done += count) {
        count = sweeps - done < engine->most ? sweeps - done : engine->most;
        CLUP_TRY(engine->kind->batch(engine, count, 0, records, &finished));
    }
    times->wall_s = (clup_now_s() - start) / sweeps;
done:
    return status;
}

clup_status clup_sweep_time(clup_context *context, const clup_problem *problem,
                            const clup_method *method, const clup_plan *plan, uint64_t thermalize,
                            unsigned repetitions, clup_sweep_sample *sample)
{
    clup_engine *engine = NULL;
    uint32_t *records = NULL;
    clup_plan given, settled;
    CLUP_NEED(context);
    CLUP_NEED(sample);
    const clup_task outer = clup_task_begin("time", "sweeps", 0);
    *sample = (clup_sweep_sample){.repetitions = repetitions};
    clup_status status = clup_problem_check(problem);
    if (status == CLUP_OK && (repetitions < 1 || repetitions > REPETITIONS_MAX))
        status = clup_fail(CLUP_ERROR_USAGE, "%u repetitions are not between 1 and %d", repetitions,
                           REPETITIONS_MAX);
    if (status == CLUP_OK)
        status = clup_model_check_runner(problem, CLUP_RUNNER_simulation);
    CLUP_TRY(status);
    /* another plan would be timed than the one given */
    if (plan != NULL) {
        given = *plan;
        given.chosen = 0;
    }
    const uint32_t replicas = clup_problem_replicas(problem);
    const double sites = (double)clup_problem_real_sites(problem) * replicas;
    const clup_algorithm algorithm = method != NULL ? method->algorithm : CLUP_SWENDSEN_WANG;
    const uint32_t all = clup_measure_format_of(problem, algorithm, RECORD_CLUSTERS);
    const uint64_t before = clup_context_allocated(context);
    CLUP_TRY(clup_engine_create(context, problem, method, plan != NULL ? &given : NULL, 1, &settled,
                                &engine));
    sample->bytes_per_site = (double)(clup_context_allocated(context) - before) / sites;
    if ((records = malloc((size_t)engine->most * replicas * record_words(all) * sizeof *records)) ==
        NULL)
        CLUP_TRY(clup_fail_memory("the records"));
    clup_task_begin("thermalize", "sweeps", thermalize);
    for (uint64_t done = 0; done < thermalize;) {
        const uint64_t left = thermalize - done;
        unsigned finished;
        CLUP_TRY(engine->kind->batch(engine, left < engine->most ? (unsigned)left : engine->most, 0,
                                     NULL, &finished));
        clup_task_done(done += finished);
    }
    clup_task_begin("time", "sweeps", 0);
    CLUP_TRY(time_sweeps(engine, NULL, repetitions, &sample->plain));
    engine->measuring.format = all & ~RECORD_CLUSTERS;
    CLUP_TRY(time_sweeps(engine, records, repetitions, &sample->measured));
    engine->measuring.format = all;
    if (all & RECORD_CLUSTERS)
        CLUP_TRY(time_sweeps(engine, records, repetitions, &sample->counted));
    sample->updates = sites;
done:
    clup_task_end(outer);
    if (engine != NULL)
        engine->kind->free(engine);
    free(records);
    return status;
}
