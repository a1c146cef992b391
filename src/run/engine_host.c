/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulating with the serial reference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/method.h"
#include "base/timing.h"
#include "base/watch.h"
#include "core/couplings.h"
#include "core/model.h"
#include "run/engine.h"
#include "run/measure.h"
#include "estimate/modes.h"
#include "estimate/overlap.h"
#include "estimate/sublattices.h"
#include "estimate/twist.h"
#include "family/houdayer.h"
#include "update/update.h"

typedef struct host_engine {
    clup_engine base;
    clup_problem problem; /* its betas are not kept */
    uint32_t replicas;
    int32_t *modes;              /* the table of modes.h; NULL where it is not needed */
    uint32_t *partners;          /* of overlaps, likewise */
    uint32_t *mates;             /* of Houdayer's moves; NULL for none */
    clup_fk_reference fk;        /* used only where records need it */
    clup_reference references[]; /* one for each replica */
} host_engine;

static void measure(const host_engine *engine, clup_reference *reference, uint32_t format,
                    uint32_t *to)
{
    double start = clup_now_s();
    const clup_host *host = &reference->host;
    sweep_record record = clup_measure_reference(&host->lattice, &host->laws, host->spins,
                                                 host->labels, host->sizes,
                                                 format & RECORD_MODES ? engine->modes : NULL);
    if (!clup_updates_all(host->method.algorithm))
        record.updated = host->updated;
    if (format & RECORD_FK)
        clup_fk_reference_measure(&engine->fk, engine->modes, format, &record, to);
    if (format & RECORD_PAIRS)
        clup_pairs_reference(&host->lattice, host->spins, NULL, format, RECORD_PAIRS, to);
    if (format & RECORD_STAGGERED)
        clup_staggered_reference(&host->lattice, &host->laws, host->spins, format, to);
    if (format & RECORD_TWIST)
        clup_twist_reference(&host->lattice, &host->laws, host->spins, format, to);
    record_put(to, format, &record);
    clup_reference_lap(reference, CLUP_MEASURE, &start);
}

/* Measures the overlaps of all systems, once all have done a sweep, into their records. */
static void measure_overlaps(const host_engine *engine, uint32_t format, uint32_t *records)
{
    for (uint32_t r = 0; r < engine->replicas; r++) {
        const clup_host *own = &engine->references[r].host,
                        *partner = &engine->references[engine->partners[r]].host;
        clup_overlap_reference(&own->lattice, &own->laws, engine->modes, &engine->problem,
                               own->spins, partner->spins, format,
                               records + (size_t)r * record_words(format));
    }
}

/* Does Houdayer's moves of all pairs of systems, before their next sweep. */
static clup_status move(host_engine *engine)
{
    clup_status status = CLUP_OK;
    for (uint32_t r = 0; r < engine->replicas && engine->mates != NULL; r++)
        for (uint32_t round = 0;
             round < engine->references[r].host.method.houdayer && engine->mates[r] > r; round++)
            CLUP_TRY(clup_houdayer_reference(&engine->references[r].host,
                                             &engine->references[engine->mates[r]].host, round));
done:
    return status;
}

static clup_status batch(clup_engine *base, unsigned count, double expected_s, void *to,
                         unsigned *done)
{
    host_engine *engine = (host_engine *)base;
    const clup_measuring *measuring = &base->measuring;
    uint32_t *record = to;
    clup_status status = CLUP_OK;
    (void)expected_s;
    for (*done = 0; *done < count; ++*done) {
        const bool measured = to != NULL && clup_measuring_records(measuring, *done + 1) >
                                                clup_measuring_records(measuring, *done);
        CLUP_TRY(clup_watch_ask());
        clup_watch_hold();
        status = move(engine);
        clup_watch_release();
        CLUP_TRY(status);
        for (uint32_t r = 0; r < engine->replicas; r++) {
            /* when one replica has done a sweep, or spins have moved, all must do it */
            const bool hold = r > 0 || engine->mates != NULL;
            if (hold)
                clup_watch_hold();
            if (measured && (measuring->format & RECORD_FK))
                status = clup_fk_reference_find(&engine->fk, &engine->references[r].host);
            if (status == CLUP_OK)
                status = clup_reference_sweep(&engine->references[r]);
            if (hold)
                clup_watch_release();
            CLUP_TRY(status);
            if (measured) {
                measure(engine, &engine->references[r], measuring->format, record);
                record += record_words(measuring->format);
            }
        }
        if (measured && (measuring->format & RECORD_OVERLAP))
            measure_overlaps(engine, measuring->format,
                             record - (size_t)engine->replicas * record_words(measuring->format));
    }
done:
    return status;
}

static void go_to(clup_engine *base, uint64_t sweep, double p)
{
    host_engine *engine = (host_engine *)base;
    (void)p;
    for (uint32_t r = 0; r < engine->replicas; r++)
        engine->references[r].host.key = later_key(engine->references[r].start, sweep);
}

static uint64_t row_bytes(const host_engine *engine)
{
    return engine->problem.size[0] * clup_spin_bytes(&engine->problem);
}

/* Rows are counted through all systems. Returns how many of the count rows from row first on belong
 * to the system that has row first. *spins becomes the spins of that system from that row on. */
static uint64_t rows_from(const host_engine *engine, uint64_t first, uint64_t count,
                          uint8_t **spins)
{
    const lattice_args *lattice = &engine->references[0].host.lattice;
    const uint64_t rows = lattice_rows(*lattice), row = first % rows;
    *spins = engine->references[first / rows].host.spins + row * row_bytes(engine);
    return count < rows - row ? count : rows - row;
}

static clup_status read_rows(clup_engine *base, uint64_t first, uint64_t count, uint8_t *spins)
{
    const host_engine *engine = (const host_engine *)base;
    const uint64_t bytes = row_bytes(engine);
    for (uint64_t done = 0, some; done < count; done += some) {
        uint8_t *from;
        some = rows_from(engine, first + done, count - done, &from);
        memcpy(spins + done * bytes, from, some * bytes);
    }
    return CLUP_OK;
}

static clup_status write_rows(clup_engine *base, uint64_t first, uint64_t count,
                              const uint8_t *spins)
{
    const host_engine *engine = (const host_engine *)base;
    const uint64_t bytes = row_bytes(engine);
    for (uint64_t done = 0, some; done < count; done += some) {
        uint8_t *to;
        some = rows_from(engine, first + done, count - done, &to);
        memcpy(to, spins + done * bytes, some * bytes);
    }
    return CLUP_OK;
}

static double stage_s(const clup_engine *base, clup_stage stage)
{
    const host_engine *engine = (const host_engine *)base;
    double sum = 0;
    for (uint32_t r = 0; r < engine->replicas; r++)
        sum += engine->references[r].stage_s[stage];
    return sum;
}

static double iterations(clup_engine *base, clup_stage stage)
{
    (void)base;
    (void)stage;
    return NAN;
}

static void forget_times(clup_engine *base)
{
    host_engine *engine = (host_engine *)base;
    for (uint32_t r = 0; r < engine->replicas; r++)
        memset(engine->references[r].stage_s, 0, sizeof engine->references[r].stage_s);
}

static void free_engine(clup_engine *base)
{
    host_engine *engine = (host_engine *)base;
    for (uint32_t r = 0; r < engine->replicas; r++)
        clup_reference_clear(&engine->references[r]);
    free(engine->modes);
    free(engine->partners);
    free(engine->mates);
    clup_fk_reference_clear(&engine->fk);
    free(engine);
}

static clup_status observe(clup_engine *base, const clup_measuring *measuring)
{
    host_engine *engine = (host_engine *)base;
    if ((measuring->format & (RECORD_MODES | RECORD_FK_MODES | RECORD_OVERLAP)) &&
        engine->modes == NULL &&
        (engine->modes = clup_modes_table(&engine->references[0].host.lattice)) == NULL)
        return clup_fail_memory("the table of waves");
    if ((measuring->format & RECORD_OVERLAP) && engine->partners == NULL &&
        (engine->partners = calloc(engine->replicas, sizeof *engine->partners)) == NULL)
        return clup_fail_memory("the replicas");
    const clup_status status = (measuring->format & RECORD_FK) && engine->fk.labels == NULL
                                   ? clup_fk_reference_create(&engine->problem, &engine->fk)
                                   : CLUP_OK;
    if (status == CLUP_OK)
        base->measuring = *measuring;
    return status;
}

static clup_status set_betas(clup_engine *base, const double *betas)
{
    host_engine *engine = (host_engine *)base;
    for (uint32_t r = 0; r < engine->replicas; r++)
        clup_reference_set_beta(&engine->references[r], &engine->problem, betas[r]);
    return CLUP_OK;
}

static clup_status set_partners(clup_engine *base, const uint32_t *partners)
{
    host_engine *engine = (host_engine *)base;
    for (uint32_t r = 0; r < engine->replicas; r++)
        engine->partners[r] = partners[r];
    return CLUP_OK;
}

static clup_status set_mates(clup_engine *base, const uint32_t *mates)
{
    host_engine *engine = (host_engine *)base;
    if (engine->mates == NULL &&
        (engine->mates = malloc(engine->replicas * sizeof *engine->mates)) == NULL)
        return clup_fail_memory("the replicas");
    memcpy(engine->mates, mates, engine->replicas * sizeof *engine->mates);
    return CLUP_OK;
}

static const clup_engine_kind kind = {batch,   go_to,      read_rows,    write_rows,
                                      stage_s, iterations, forget_times, free_engine,
                                      observe, set_betas,  set_partners, set_mates};

clup_status clup_engine_simulation_host(clup_context *context, const clup_problem *problem,
                                        const clup_method *method, const clup_plan *plan,
                                        uint64_t seed, clup_engine **out)
{
    const uint32_t replicas = clup_problem_replicas(problem);
    host_engine *engine = calloc(1, sizeof *engine + replicas * sizeof *engine->references);
    clup_status status = engine != NULL ? CLUP_OK : clup_fail_memory("the simulation");
    (void)context;
    CLUP_TRY(status);
    engine->base.kind = &kind;
    engine->problem = *problem;
    engine->problem.betas = NULL;
    engine->base.measuring.every = 1;
    engine->base.most = clup_records_most(clup_problem_replicas(problem));
    for (; engine->replicas < replicas; engine->replicas++) {
        clup_problem own = *problem;
        own.beta = clup_problem_beta(problem, engine->replicas);
        own.betas = NULL;
        own.first_replica += engine->replicas;
        own.replicas = 1;
        CLUP_TRY(clup_reference_create(&own, method, plan->source, seed,
                                       &engine->references[engine->replicas]));
    }
    *out = &engine->base;
done:
    if (status != CLUP_OK && engine != NULL)
        free_engine(&engine->base);
    return status;
}
