/* Simulating with the serial reference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "observe/engine.h"
#include "observe/measure.h"
#include "update/update.h"

typedef struct host_engine {
    clup_engine base;
    clup_reference reference;
} host_engine;

static clup_status batch(clup_engine *base, unsigned count, double expected_s, sweep_record *records)
{
    clup_reference *reference = &((host_engine *)base)->reference;
    (void)expected_s;
    for (unsigned k = 0; k < count; k++) {
        struct timespec start;
        clup_reference_sweep(reference);
        if (records == NULL)
            continue;
        clock_gettime(CLOCK_MONOTONIC, &start);
        records[k] = clup_measure_reference(&reference->lattice, reference->spins, reference->labels, reference->sizes);
        records[k].updated = reference->updated;
        clup_reference_lap(reference, CLUP_MEASURE, &start);
    }
    return CLUP_OK;
}

static clup_status read_spins(clup_engine *base, uint8_t *spins)
{
    const clup_reference *reference = &((host_engine *)base)->reference;
    memcpy(spins, reference->spins, clup_lattice_sites(&reference->lattice));
    return CLUP_OK;
}

static clup_status write_spins(clup_engine *base, const uint8_t *spins)
{
    clup_reference *reference = &((host_engine *)base)->reference;
    memcpy(reference->spins, spins, clup_lattice_sites(&reference->lattice));
    return CLUP_OK;
}

static double stage_s(const clup_engine *base, clup_stage stage)
{
    return ((const host_engine *)base)->reference.stage_s[stage];
}

static double iterations(clup_engine *base, clup_stage stage)
{
    (void)base;
    (void)stage;
    return NAN;
}

static void forget_times(clup_engine *base)
{
    clup_reference *reference = &((host_engine *)base)->reference;
    memset(reference->stage_s, 0, sizeof reference->stage_s);
}

static void free_engine(clup_engine *base)
{
    clup_reference_clear(&((host_engine *)base)->reference);
    free(base);
}

static const clup_engine_kind kind = {batch, read_spins, write_spins, stage_s, iterations, forget_times, free_engine};

clup_status clup_engine_on_host(const clup_problem *problem, const clup_method *method, uint64_t seed, clup_engine **out)
{
    host_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return clup_fail_memory("the simulation");
    engine->base.kind = &kind;
    clup_status status = clup_reference_create(problem, method, seed, &engine->reference);
    if (status == CLUP_OK)
        *out = &engine->base;
    else
        free(engine);
    return status;
}
