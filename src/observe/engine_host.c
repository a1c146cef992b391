/* Simulating with the serial reference. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "observe/engine.h"
#include "observe/measure.h"
#include "update/swendsen_wang.h"

typedef struct host_engine {
    clup_engine base;
    clup_sw_reference sw;
} host_engine;

static clup_status batch(clup_engine *base, unsigned count, double expected_s, sweep_record *records)
{
    clup_sw_reference *sw = &((host_engine *)base)->sw;
    (void)expected_s;
    for (unsigned k = 0; k < count; k++) {
        struct timespec start;
        clup_sw_reference_sweep(sw);
        if (records == NULL)
            continue;
        clock_gettime(CLOCK_MONOTONIC, &start);
        records[k] = clup_measure_reference(&sw->lattice, sw->spins, sw->labels, sw->sizes);
        clup_sw_reference_lap(sw, CLUP_MEASURE, &start);
    }
    return CLUP_OK;
}

static clup_status read_spins(clup_engine *base, uint8_t *spins)
{
    const clup_sw_reference *sw = &((host_engine *)base)->sw;
    memcpy(spins, sw->spins, clup_lattice_sites(&sw->lattice));
    return CLUP_OK;
}

static clup_status write_spins(clup_engine *base, const uint8_t *spins)
{
    clup_sw_reference *sw = &((host_engine *)base)->sw;
    memcpy(sw->spins, spins, clup_lattice_sites(&sw->lattice));
    return CLUP_OK;
}

static double stage_s(const clup_engine *base, clup_stage stage)
{
    return ((const host_engine *)base)->sw.stage_s[stage];
}

static void forget_times(clup_engine *base)
{
    clup_sw_reference *sw = &((host_engine *)base)->sw;
    memset(sw->stage_s, 0, sizeof sw->stage_s);
}

static void free_engine(clup_engine *base)
{
    clup_sw_reference_clear(&((host_engine *)base)->sw);
    free(base);
}

static const clup_engine_kind kind = {batch, read_spins, write_spins, stage_s, forget_times, free_engine};

clup_status clup_engine_on_host(const clup_problem *problem, uint64_t seed, clup_engine **out)
{
    host_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return clup_fail_memory("the simulation");
    engine->base.kind = &kind;
    clup_status status = clup_sw_reference_create(problem, seed, &engine->sw);
    if (status == CLUP_OK)
        *out = &engine->base;
    else
        free(engine);
    return status;
}
