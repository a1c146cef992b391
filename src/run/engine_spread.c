/* SPDX-License-Identifier: BSD-3-Clause */
/* Several processes, each with some of the systems: each simulates its own on its device, and gets
 * the records of all of them. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "run/engine.h"
#include "run/overlaps.h"
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
    clup_problem problem;    /* of all systems; its betas are not kept */
    clup_overlaps overlaps;  /* where they are measured */
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

/* Does sweeps of this process's systems alone; records become theirs. */
static clup_status own_batch(spread_engine *engine, unsigned sweeps, double expected_s,
                             void *records, unsigned *done)
{
    clup_watch_hold();
    leave(engine);
    const clup_status status = engine->own->kind->batch(engine->own, sweeps, expected_s, records,
                                                        done);
    join(engine);
    clup_watch_release();
    return status;
}

static clup_status read_all(spread_engine *engine, uint8_t *spins)
{
    return engine->base.kind->read_rows(&engine->base, 0, engine->replicas * engine->rows, spins);
}

/* Copies a record without overlaps to one that has room for them. */
static void make_room_for_overlaps(uint32_t format, const uint32_t *from, uint32_t *to)
{
    const uint32_t before = record_place(format, RECORD_OVERLAP),
                   after = record_words(format & ~RECORD_OVERLAP) - before;
    memcpy(to, from, before * sizeof *to);
    memcpy(to + record_words(format) - after, from + before, after * sizeof *to);
}

/* Does sweeps one by one, and adds the overlaps of each measured sweep to its records. */
static clup_status batch_with_overlaps(spread_engine *engine, unsigned sweeps, double expected_s,
                                       uint32_t *records, unsigned *done)
{
    const clup_measuring *measuring = &engine->base.measuring;
    const uint32_t format = measuring->format, count = engine->overlaps.count,
                   words = record_words(format), shorter = record_words(format & ~RECORD_OVERLAP);
    uint32_t *own = malloc((size_t)count * shorter * sizeof *own);
    clup_status status = own != NULL ? CLUP_OK : clup_fail_memory("the records");
    status = clup_engine_agree_on(&engine->base, status);
    engine->own->measuring.format = format & ~RECORD_OVERLAP;
    for (*done = 0; *done < sweeps && status == CLUP_OK; ++*done) {
        unsigned one;
        const bool measured = clup_measuring_records(measuring, *done + 1) >
                              clup_measuring_records(measuring, *done);
        engine->own->measuring.before = (measuring->before + *done) % measuring->every;
        status = own_batch(engine, 1, expected_s / sweeps, own, &one);
        CLUP_TRY(clup_engine_agree_on(&engine->base, status));
        if (!measured)
            continue;
        CLUP_TRY(read_all(engine, engine->overlaps.spins));
        for (uint32_t r = 0; r < count; r++)
            make_room_for_overlaps(format, own + (size_t)r * shorter, records + (size_t)r * words);
        clup_overlaps_write(&engine->overlaps, format, records);
        records += (size_t)count * words;
    }
done:
    free(own);
    return status;
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
    if (records != NULL && (base->measuring.format & RECORD_OVERLAP))
        CLUP_TRY(batch_with_overlaps(engine, sweeps, expected_s, engine->mine, done));
    else
        CLUP_TRY(
            own_batch(engine, sweeps, expected_s, records != NULL ? engine->mine : NULL, done));
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
    clup_overlaps_clear(&engine->overlaps);
    free(engine->mine);
    free(engine->all);
    free(engine);
}

static clup_status observe(clup_engine *base, const clup_measuring *measuring)
{
    spread_engine *engine = (spread_engine *)base;
    clup_engine *own = engine->own;
    clup_measuring alone = *measuring;
    clup_status status = CLUP_OK;
    alone.format &= ~RECORD_OVERLAP;
    if (alone.format != measuring->format && engine->overlaps.spins == NULL)
        status = clup_overlaps_create(&engine->problem, first_of(engine, base->ranks->index),
                                      count_of(engine, base->ranks->index), &engine->overlaps);
    leave(engine);
    if (status == CLUP_OK)
        status = own->kind->observe(own, &alone);
    join(engine);
    status = clup_engine_agree_on(base, status);
    base->measuring = own->measuring;
    base->measuring.format |= status == CLUP_OK ? measuring->format & RECORD_OVERLAP : 0;
    base->most = own->most;
    return status;
}

static clup_status set_betas(clup_engine *base, const double *betas)
{
    const spread_engine *engine = (const spread_engine *)base;
    return engine->own->kind->set_betas(engine->own, betas + first_of(engine, base->ranks->index));
}

static clup_status set_partners(clup_engine *base, const uint32_t *partners)
{
    const spread_engine *engine = (const spread_engine *)base;
    memcpy(engine->overlaps.partners, partners, engine->replicas * sizeof *partners);
    return CLUP_OK;
}

/* Systems of several processes have no mates, see create(). */
static clup_status set_mates(clup_engine *base, const uint32_t *mates)
{
    (void)base;
    (void)mates;
    return CLUP_OK;
}

static const clup_engine_kind kind = {batch,   go_to,      read_rows,    write_rows,
                                      stage_s, iterations, forget_times, free_engine,
                                      observe, set_betas,  set_partners, set_mates};

static clup_status create(clup_engine_maker *maker, bool samples, clup_context *context,
                          const clup_problem *problem, const clup_method *method,
                          const clup_plan *plan, uint64_t seed, clup_engine **out)
{
    const clup_ranks *ranks = context->ranks;
    clup_problem some = *problem;
    clup_status status = CLUP_OK;
    if (method != NULL && method->houdayer > 0)
        return clup_fail(CLUP_ERROR_USAGE, "Houdayer's moves are made in one process");
    spread_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return clup_fail_memory("the simulation");
    engine->base = (clup_engine){.kind = &kind, .ranks = ranks};
    engine->samples = samples;
    engine->problem = *problem;
    engine->problem.betas = NULL;
    engine->problem.replicas = clup_problem_replicas(problem);
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
