/* SPDX-License-Identifier: BSD-3-Clause */
/* Several processes, each with some of the systems: each simulates its own on its device, and gets
 * the records of all of them. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "run/engine.h"
#include "core/record.clh"

typedef struct spread_engine {
    clup_engine base;
    clup_context *context;
    clup_engine *own; /* for this process's systems, on a context without the other processes */
    uint32_t replicas, most; /* in all, and in one process at most */
    uint64_t row, rows;      /* of a system: bytes of a row, and rows */
    uint32_t *mine, *all;    /* room for the records of a batch */
    uint64_t room;           /* bytes of mine */
    bool samples;            /* systems are samples, with consecutive numbers */
} spread_engine;

/* leave: takes the other processes out of the context, for work that this process does alone. The
 * next function puts them back. */
static void leave(spread_engine *engine)
{
    engine->context->ranks = NULL;
}

static void join(spread_engine *engine)
{
    engine->context->ranks = engine->base.ranks;
}

/* The first system of a process. */
static uint32_t first_of(const spread_engine *engine, uint32_t index)
{
    return (uint32_t)((uint64_t)engine->replicas * index / engine->base.ranks->count);
}

static uint32_t count_of(const spread_engine *engine, uint32_t index)
{
    return first_of(engine, index + 1) - first_of(engine, index);
}

/* Gathers rows from all processes. In a row each system has an item of bytes bytes. mine has the
 * rows of this process's systems, and to becomes those of all systems. mine must have room for
 * rows*most items, as every process sends so many; all, working space, for ranks->count times that.
 */
static clup_status gather(const spread_engine *engine, const void *mine, uint64_t rows,
                          size_t bytes, char *all, char *to)
{
    const clup_ranks *ranks = engine->base.ranks;
    const uint64_t each = rows * engine->most * bytes;
    const clup_status status = ranks->gather(ranks, mine, each, all);
    for (uint32_t p = 0; p < ranks->count && status == CLUP_OK; p++) {
        const uint32_t count = count_of(engine, p);
        for (uint64_t row = 0; row < rows; row++)
            memcpy(to + (row * engine->replicas + first_of(engine, p)) * bytes,
                   all + p * each + row * count * bytes, count * bytes);
    }
    return status;
}

/* Makes room for the records of a batch. */
static clup_status make_room(spread_engine *engine, uint64_t bytes)
{
    if (bytes <= engine->room)
        return CLUP_OK;
    free(engine->mine);
    free(engine->all);
    engine->mine = malloc(bytes);
    engine->all = malloc(engine->base.ranks->count * bytes);
    engine->room = engine->mine != NULL && engine->all != NULL ? bytes : 0;
    return engine->room > 0 ? CLUP_OK : clup_fail_memory("the records");
}

static clup_status batch(clup_engine *base, unsigned count, double expected_s, void *records,
                         unsigned *done)
{
    spread_engine *engine = (spread_engine *)base;
    const size_t each = engine->samples ? sizeof(clup_percolation_sample)
                                        : sizeof(uint32_t) * record_words(base->measuring.format);
    unsigned sweeps;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_engine_agree(base, count, &sweeps, done));
    engine->own->measuring = base->measuring;
    const uint64_t rows = records == NULL   ? 0
                          : engine->samples ? sweeps
                                            : clup_measuring_records(&base->measuring, sweeps);
    if (records != NULL)
        CLUP_TRY(make_room(engine, (rows + 1) * engine->most * each));
    clup_watch_hold();
    leave(engine);
    status = engine->own->kind->batch(engine->own, sweeps, expected_s,
                                      records != NULL ? engine->mine : NULL, done);
    join(engine);
    clup_watch_release();
    CLUP_TRY(status);
    if (rows > 0)
        CLUP_TRY(gather(engine, engine->mine, rows, each, (char *)engine->all, records));
done:
    return status;
}

static void go_to(clup_engine *base, uint64_t sweep, double p)
{
    const spread_engine *engine = (const spread_engine *)base;
    engine->own->kind->go_to(
        engine->own, sweep + (engine->samples ? first_of(engine, base->ranks->index) : 0), p);
}

/* Which of count rows from first on, of all systems, belong to this process's systems. */
static clup_common own_rows(const spread_engine *engine, uint64_t first, uint64_t count)
{
    const uint32_t index = engine->base.ranks->index;
    return clup_rows_in_common(first, count, first_of(engine, index) * engine->rows,
                               count_of(engine, index) * engine->rows);
}

static clup_status read_rows(clup_engine *base, uint64_t first, uint64_t count, uint8_t *spins)
{
    spread_engine *engine = (spread_engine *)base;
    const clup_common own = own_rows(engine, first, count);
    clup_status status = CLUP_OK;
    memset(spins, 0, count * engine->row);
    if (own.count > 0)
        status = engine->own->kind->read_rows(engine->own, own.in_b, own.count,
                                              spins + own.in_a * engine->row);
    return clup_engine_put_together(base, status, spins, count * engine->row);
}

static clup_status write_rows(clup_engine *base, uint64_t first, uint64_t count,
                              const uint8_t *spins)
{
    spread_engine *engine = (spread_engine *)base;
    const clup_common own = own_rows(engine, first, count);
    return own.count == 0 ? CLUP_OK
                          : engine->own->kind->write_rows(engine->own, own.in_b, own.count,
                                                          spins + own.in_a * engine->row);
}

static double stage_s(const clup_engine *base, clup_stage stage)
{
    const clup_engine *own = ((const spread_engine *)base)->own;
    return own->kind->stage_s(own, stage);
}

static double iterations(clup_engine *base, clup_stage stage)
{
    clup_engine *own = ((spread_engine *)base)->own;
    return own->kind->iterations(own, stage);
}

static void forget_times(clup_engine *base)
{
    clup_engine *own = ((spread_engine *)base)->own;
    own->kind->forget_times(own);
}

static void free_engine(clup_engine *base)
{
    spread_engine *engine = (spread_engine *)base;
    if (engine->own != NULL)
        engine->own->kind->free(engine->own);
    free(engine->mine);
    free(engine->all);
    free(engine);
}

static clup_status observe(clup_engine *base, const clup_measuring *measuring)
{
    spread_engine *engine = (spread_engine *)base;
    clup_engine *own = engine->own;
    leave(engine);
    const clup_status status = own->kind->observe(own, measuring);
    join(engine);
    base->measuring = own->measuring;
    base->most = own->most;
    return status;
}

static clup_status set_betas(clup_engine *base, const double *betas)
{
    const spread_engine *engine = (const spread_engine *)base;
    return engine->own->kind->set_betas(engine->own, betas + first_of(engine, base->ranks->index));
}

static const clup_engine_kind kind = {batch,      go_to,        read_rows,   write_rows, stage_s,
                                      iterations, forget_times, free_engine, observe,    set_betas};

static clup_status create(clup_engine_maker *maker, bool samples, clup_context *context,
                          const clup_problem *problem, const clup_method *method,
                          const clup_plan *plan, uint64_t seed, clup_engine **out)
{
    const clup_ranks *ranks = context->ranks;
    clup_problem some = *problem;
    clup_status status = CLUP_OK;
    spread_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return clup_fail_memory("the simulation");
    engine->base = (clup_engine){.kind = &kind, .ranks = ranks};
    engine->samples = samples;
    engine->replicas = clup_problem_replicas(problem);
    engine->row = problem->size[0] * clup_spin_bytes(problem);
    engine->rows = clup_problem_sites(problem) / problem->size[0];
    engine->most = (engine->replicas - 1) / ranks->count + 1;
    const uint32_t first = first_of(engine, ranks->index);
    some.replicas = count_of(engine, ranks->index);
    some.first_replica += samples ? 0 : first;
    if (some.betas != NULL)
        some.betas += first;
    engine->context = context;
    leave(engine);
    status = maker(context, &some, method, plan, seed, &engine->own);
    join(engine);
    if (status == CLUP_OK) {
        engine->base.most = engine->own->most;
        engine->base.measuring = engine->own->measuring;
        *out = &engine->base;
    } else {
        free_engine(&engine->base);
    }
    return status;
}

clup_status clup_engine_simulation_spread(clup_context *context, const clup_problem *problem,
                                          const clup_method *method, const clup_plan *plan,
                                          uint64_t seed, clup_engine **engine)
{
    return create(clup_engine_simulation_device, false, context, problem, method, plan, seed,
                  engine);
}

clup_status clup_engine_percolation_spread(clup_context *context, const clup_problem *problem,
                                           const clup_method *method, const clup_plan *plan,
                                           uint64_t seed, clup_engine **engine)
{
    return create(clup_engine_percolation_device, true, context, problem, method, plan, seed,
                  engine);
}
