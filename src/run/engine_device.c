/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulating on a device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/method.h"
#include "base/watch.h"
#include "run/engine.h"
#include "run/measure.h"
#include "core/interface_entries.clh"
#include "update/update.h"

typedef struct device_engine {
    clup_engine base;
    clup_update update;
    clup_measure measure;
    clup_problem problem;   /* its betas are not kept */
    random_key start;       /* the key of sweep 0 */
    unsigned slots;         /* the number of sweeps whose measurements fit the device */
    uint64_t sweeps, timed; /* since forget_times */
} device_engine;

/* A batch has so many parts at most. */
#define PARTS 16u

/* One sweep of so many is timed by its events. */
#define TIMED 32u

/* Clears the counts that sweeps left which were not measured. */
static clup_status forget_counts(const clup_state *state)
{
    return clup_buffer_zero(state->context, CLUP_STAGES, state->updated,
                            state->replicas * sizeof(cl_uint));
}

/* Does a sweep and, if measured, enqueues its measurement. Once the sweep has changed the spins,
 * the watch cannot end the work before it is measured. */
static clup_status sweep_alone(device_engine *engine, bool measured, unsigned slot)
{
    clup_state *state = &engine->update.state;
    clup_timer *timer = &state->context->timer;
    const size_t events = timer->count;
    clup_status status = CLUP_OK;
    state->counting = measured && (state->measuring.format & RECORD_CLUSTERS) != 0;
    if (measured && state->measuring.every > 1 && !clup_updates_all(state->method.algorithm))
        status = forget_counts(state);
    if (status == CLUP_OK && measured)
        status = clup_measure_before(&engine->measure, slot);
    if (status == CLUP_OK)
        status = clup_update_sweep(&engine->update);
    if (status == CLUP_INTERRUPTED)
        clup_timer_drop(timer, events);
    if (status == CLUP_OK)
        clup_measure_next(&engine->measure);
    if (status != CLUP_OK || !measured)
        return status;
    clup_watch_hold();
    status = clup_measure_sweep(&engine->measure, slot);
    clup_watch_release();
    return status;
}

/* Does a sweep, with Houdayer's moves before it. What is measured of the spins before a sweep comes
 * between. */
static clup_status sweep(device_engine *engine, bool measured, unsigned slot)
{
    clup_status status = CLUP_OK;
    if (engine->update.state.method.houdayer == 0)
        return sweep_alone(engine, measured, slot);
    CLUP_TRY(clup_watch_ask());
    clup_watch_hold();
    status = clup_update_move(&engine->update);
    if (status == CLUP_OK)
        status = sweep_alone(engine, measured, slot);
    clup_watch_release();
done:
    return status;
}

/* Does sweeps of a plan that does many in one launch and makes their records. count is 1 if
 * the measurement needs other kernels (slots). */
static clup_status sweeps_together(device_engine *engine, unsigned count, bool measured,
                                   unsigned *done)
{
    const clup_measuring *measuring = &engine->update.state.measuring;
    const bool apart = measured && clup_measuring_records(measuring, count) > 0 &&
                       clup_measure_apart(measuring->format);
    clup_status status = apart ? clup_measure_before(&engine->measure, 0) : CLUP_OK;
    if (status == CLUP_OK)
        status = clup_update_many(&engine->update, count,
                                  measured ? clup_measure_records(&engine->measure) : NULL, done);
    if (status != CLUP_OK || !apart)
        return status;
    clup_watch_hold();
    status = clup_measure_after(&engine->measure, 0);
    clup_watch_release();
    return status;
}

/* Does sweeps, at most as many as the device has slots for. */
static clup_status sweeps(device_engine *engine, unsigned count, bool measured, unsigned *done)
{
    clup_timer *timer = &engine->update.state.context->timer;
    const clup_measuring *measuring = &engine->update.state.measuring;
    const bool many = clup_update_has_many(&engine->update);
    clup_status status = CLUP_OK;
    *done = 0;
    if (many)
        status = sweeps_together(engine, count, measured, done);
    while (*done < count && status == CLUP_OK) {
        const unsigned slot = clup_measuring_records(measuring, *done),
                       next = clup_measuring_records(measuring, *done + 1);
        timer->off = *done % TIMED != 0;
        status = sweep(engine, measured && next > slot, slot);
        *done += status == CLUP_OK;
    }
    timer->off = false;
    engine->sweeps += *done;
    engine->timed += many ? *done : (*done + TIMED - 1) / TIMED;
    return status;
}

/* Enqueues sweeps, and starts the read of their records, NULL for none. */
static clup_status enqueue(device_engine *engine, unsigned count, void *records, unsigned *done)
{
    clup_state *state = &engine->update.state;
    const clup_measuring *measuring = &state->measuring;
    const bool by_kernels = records != NULL && !clup_update_has_many(&engine->update);
    clup_status status = CLUP_OK, ended = CLUP_OK;
    *done = 0;
    if (records != NULL)
        CLUP_TRY(forget_counts(state));
    if (by_kernels)
        CLUP_TRY(clup_measure_begin(&engine->measure, clup_measuring_records(measuring, count)));
    ended = sweeps(engine, count, records != NULL, done);
    if (ended != CLUP_INTERRUPTED)
        CLUP_TRY(ended);
    /* timed only after a single sweep */
    state->context->timer.off = count > 1;
    clup_watch_hold();
    if (by_kernels)
        status = clup_measure_end(&engine->measure, clup_measuring_records(measuring, *done));
    clup_watch_release();
    state->context->timer.off = false;
    CLUP_TRY(status);
    if (records != NULL)
        CLUP_TRY(clup_measure_fetch(&engine->measure, clup_measuring_records(measuring, *done),
                                    records));
done:
    return status == CLUP_OK ? ended : status;
}

/* Does a batch in parts that fit the device. While the device does one part, the host takes the
 * records of the part before. */
static clup_status own_batch(clup_engine *base, unsigned count, double expected_s, void *records,
                             unsigned *done)
{
    device_engine *engine = (device_engine *)base;
    clup_context *context = engine->update.state.context;
    clup_measure *measure = &engine->measure;
    const size_t row = record_words(base->measuring.format) * engine->update.state.replicas;
    clup_status status = CLUP_OK, ended = CLUP_OK;
    engine->update.state.measuring = base->measuring;
    for (*done = 0; *done < count && ended == CLUP_OK;) {
        const unsigned left = count - *done, some = left < engine->slots ? left : engine->slots;
        const uint64_t before = (uint64_t)base->measuring.before + *done;
        uint32_t *to = records;
        unsigned more;
        if (to != NULL)
            to += clup_measuring_records(&base->measuring, *done) * row;
        engine->update.state.measuring.before = (uint32_t)(before % base->measuring.every);
        ended = enqueue(engine, some, to, &more);
        if (ended != CLUP_INTERRUPTED)
            CLUP_TRY(ended);
        *done += more;
        if (clup_measure_untaken(measure) == CLUP_MEASURE_COMING)
            CLUP_TRY(clup_measure_take(measure, expected_s));
    }
    while (clup_measure_untaken(measure) > 0)
        CLUP_TRY(clup_measure_take(measure, expected_s));
    CLUP_TRY(clup_queue_wait(context, records == NULL ? expected_s : 0));
    clup_timer_collect(&context->timer);
done:
    if (status != CLUP_OK)
        clup_measure_drop(measure);
    return status == CLUP_OK ? ended : status;
}

/* Does a batch in processes with subdomains of the lattice: as many sweeps as all of them want, as
 * none may end before the others. */
static clup_status batch(clup_engine *base, unsigned count, double expected_s, void *records,
                         unsigned *done)
{
    unsigned sweeps;
    clup_status status = CLUP_OK;
    if (base->ranks == NULL)
        return own_batch(base, count, expected_s, records, done);
    CLUP_TRY(clup_engine_agree(base, count, &sweeps, done));
    clup_watch_hold();
    status = own_batch(base, sweeps, expected_s, records, done);
    clup_watch_release();
done:
    return status;
}

static void go_to(clup_engine *base, uint64_t sweep, double p)
{
    device_engine *engine = (device_engine *)base;
    (void)p;
    engine->update.state.key = later_key(engine->start, sweep);
}

/* Consecutive rows of the whole lattice that are rows of a subdomain: its own layers, or the layer
 * of its halo. */
typedef struct part_rows {
    uint64_t whole, count, here;
} part_rows;

static part_rows own_rows(const clup_state *state)
{
    const clup_subdomain *part = &state->subdomain;
    const uint64_t layer = lattice_rows(state->lattice) / (part->own + part->above);
    return (part_rows){part->first * layer, part->own * layer, 0};
}

static part_rows above_rows(const clup_state *state)
{
    const clup_subdomain *part = &state->subdomain;
    const uint64_t layer = lattice_rows(state->lattice) / (part->own + part->above);
    return (part_rows){(part->first + part->own) % part->layers * layer, part->above * layer,
                       part->own * layer};
}

/* Moves the rows of the subdomain that are among count rows from first on, of all systems: from
 * write to the device, or from the device to read. */
static clup_status transfer_part(clup_state *state, part_rows rows, uint64_t first, uint64_t count,
                                 const uint8_t *write, uint8_t *read)
{
    const clup_subdomain *part = &state->subdomain;
    const uint64_t here = lattice_rows(state->lattice),
                   all = here / (part->own + part->above) * part->layers;
    clup_status status = CLUP_OK;
    for (uint64_t r = first / all; r * all < first + count && status == CLUP_OK; r++) {
        const clup_common some = clup_rows_in_common(first, count, r * all + rows.whole,
                                                     rows.count);
        const uint64_t at = some.in_a * clup_state_row_bytes(state),
                       row = r * here + rows.here + some.in_b;
        if (some.count > 0)
            status = write != NULL ? clup_state_write_rows(state, row, some.count, write + at)
                                   : clup_state_read_rows(state, row, some.count, read + at);
    }
    return status;
}

static clup_status read_rows(clup_engine *base, uint64_t first, uint64_t count, uint8_t *spins)
{
    clup_state *state = &((device_engine *)base)->update.state;
    if (base->ranks == NULL)
        return clup_state_read_rows(state, first, count, spins);
    memset(spins, 0, count * clup_state_row_bytes(state));
    const clup_status status = transfer_part(state, own_rows(state), first, count, NULL, spins);
    return clup_engine_put_together(base, status, spins, count * clup_state_row_bytes(state));
}

static clup_status write_rows(clup_engine *base, uint64_t first, uint64_t count,
                              const uint8_t *spins)
{
    clup_state *state = &((device_engine *)base)->update.state;
    if (base->ranks == NULL)
        return clup_state_write_rows(state, first, count, spins);
    const clup_status status = transfer_part(state, own_rows(state), first, count, spins, NULL);
    return status != CLUP_OK ? status
                             : transfer_part(state, above_rows(state), first, count, spins, NULL);
}

static double stage_s(const clup_engine *base, clup_stage stage)
{
    const device_engine *engine = (const device_engine *)base;
    const clup_timer *timer = &engine->update.state.context->timer;
    if (!clup_timer_known(timer))
        return NAN;
    return engine->timed > 0 ? 1e-9 * (double)timer->total_ns[stage] * (double)engine->sweeps /
                                   (double)engine->timed
                             : 0;
}

static double iterations(clup_engine *base, clup_stage stage)
{
    double mean = NAN;
    if (stage < CLUP_MEASURE &&
        clup_prepared_iterations(&((device_engine *)base)->update.prepared[stage], &mean) !=
            CLUP_OK)
        return NAN;
    return mean;
}

static void forget_times(clup_engine *base)
{
    device_engine *engine = (device_engine *)base;
    clup_timer_reset(&engine->update.state.context->timer);
    engine->sweeps = engine->timed = 0;
}

static void free_engine(clup_engine *base)
{
    device_engine *engine = (device_engine *)base;
    clup_measure_clear(&engine->measure);
    clup_update_clear(&engine->update);
    free(engine);
}

static clup_status observe(clup_engine *base, const clup_measuring *measuring)
{
    device_engine *engine = (device_engine *)base;
    const clup_status status = clup_measure_prepare(&engine->measure, &engine->problem,
                                                    measuring->format);
    if (status != CLUP_OK) {
        const clup_state *state = &engine->update.state;
        base->measuring.format = clup_measure_format(&state->lattice, state->q,
                                                     state->most_satisfied, state->method.algorithm,
                                                     state->components_format);
        return status;
    }
    base->measuring = *measuring;
    engine->slots = clup_update_has_many(&engine->update) && clup_measure_apart(measuring->format)
                        ? 1
                        : clup_measure_slots(&engine->update.state,
                                             measuring->format |
                                                 clup_measure_all(&engine->update.state));
    base->most = engine->slots * (clup_measure_ahead(measuring->format) ? PARTS : 1);
    return CLUP_OK;
}

static clup_status set_betas(clup_engine *base, const double *betas)
{
    device_engine *engine = (device_engine *)base;
    clup_problem problem = engine->problem;
    problem.betas = betas;
    return clup_update_set_betas(&engine->update, &problem);
}

static clup_status set_partners(clup_engine *base, const uint32_t *partners)
{
    return clup_measure_set_partners(&((device_engine *)base)->update.state, partners);
}

static clup_status set_mates(clup_engine *base, const uint32_t *mates)
{
    clup_state *state = &((device_engine *)base)->update.state;
    return clup_buffer_write(state->context, state->mates, 0, state->replicas * sizeof *mates,
                             mates);
}

static const clup_engine_kind kind = {batch,   go_to,      read_rows,    write_rows,
                                      stage_s, iterations, forget_times, free_engine,
                                      observe, set_betas,  set_partners, set_mates};

clup_status clup_engine_simulation_device(clup_context *context, const clup_problem *problem,
                                          const clup_method *method, const clup_plan *plan,
                                          uint64_t seed, clup_engine **out)
{
    clup_status status = CLUP_OK;
    device_engine *engine = calloc(1, sizeof *engine);
    if (engine == NULL)
        return clup_fail_memory("the simulation");
    engine->base.kind = &kind;
    CLUP_TRY(clup_update_create(context, problem, method, plan, seed, &engine->update));
    engine->start = engine->update.state.key;
    if (engine->update.state.subdomain.count > 1) {
        engine->base.ranks = context->ranks;
        engine->base.interface = &engine->update.interface;
        engine->base.strip = &engine->update.strip;
    }
    engine->problem = *problem;
    engine->problem.betas = NULL;
    engine->slots = clup_measure_slots(&engine->update.state,
                                       clup_measure_all(&engine->update.state));
    engine->base.most = engine->slots * PARTS;
    engine->base.measuring.every = 1;
    CLUP_TRY(clup_measure_create(&engine->update.state, engine->update.prepared[CLUP_LOCAL].variant,
                                 plan->tile, !clup_update_has_many(&engine->update),
                                 &engine->measure));
    clup_measure_set_interface(&engine->measure, &engine->update.interface);
    *out = &engine->base;
done:
    if (status != CLUP_OK)
        free_engine(&engine->base);
    return status;
}
