/* SPDX-License-Identifier: BSD-3-Clause */
/* Percolation as an engine: on a device a sweep is a sample in each replica, on the host there is
 * one replica. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "clup/graph.h"
#include "family/graph.h"
#include "family/sites.h"
#include "family/wraps_pairs.h"
#include "run/engine.h"
#include "update/update.h"

static double no_iterations(clup_engine *base, clup_stage stage)
{
    (void)base, (void)stage;
    return NAN;
}

/* ---- on a device ----------------------------------------------------------------------------- */

typedef struct device_engine {
    clup_engine base;
    clup_update update;
    clup_wraps *joined;
    clup_status (*read)(clup_wraps *joined, const clup_prepared *wraps, unsigned *wrapped);
    random_key start;   /* the key of sample 0 */
    uint64_t next;      /* sample */
    double p, set_p;    /* of the next sample, and that of the state */
    bool drawing;       /* the samples from next on are on their way */
    size_record *parts; /* what the groups of each replica counted */
    size_record *sizes; /* of each replica; wrapped likewise */
    unsigned *wrapped;
} device_engine;

static void device_go_to(clup_engine *base, uint64_t sweep, double p)
{
    device_engine *engine = (device_engine *)base;
    engine->drawing = engine->drawing && engine->next == sweep && engine->p == p;
    engine->next = sweep;
    engine->p = p;
}

/* Enqueues drawing one sample in each replica, from sample next on. */
static clup_status enqueue(device_engine *engine)
{
    clup_state *state = &engine->update.state;
    clup_status status = CLUP_OK;
    if (engine->p != engine->set_p)
        CLUP_TRY(clup_state_set_probability(state, engine->p));
    engine->set_p = engine->p;
    state->key = later_key(engine->start, engine->next);
    CLUP_TRY(clup_update_sweep(&engine->update));
    engine->drawing = true;
done:
    return status;
}

/* Draws one sample in each replica. If others follow, the device begins with them while the host
 * works on these. A watch that ends the work meanwhile is heeded at the next call. */
static clup_status draw(device_engine *engine, clup_percolation_sample *samples)
{
    clup_state *state = &engine->update.state;
    const clup_prepared *wraps = &engine->update.prepared[CLUP_MEASURE];
    const clup_ranks *ranks = engine->base.ranks;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_watch_ask());
    if (!engine->drawing)
        CLUP_TRY(enqueue(engine));
    engine->drawing = false;
    CLUP_TRY(engine->read(engine->joined, wraps, engine->wrapped));
    CLUP_TRY(clup_sizes_read(&engine->update.prepared[CLUP_ACTION], engine->parts, engine->sizes));
    if (ranks != NULL)
        CLUP_TRY(clup_sizes_join(ranks, state->replicas, engine->sizes));
    engine->next += state->replicas;
    clup_timer_collect(&state->context->timer);
    clup_watch_hold();
    if (ranks == NULL && engine->base.goes_on && enqueue(engine) == CLUP_OK)
        clup_queue_begin(state->context);
    clup_watch_release();
    for (uint32_t r = 0; samples != NULL && r < state->replicas; r++)
        samples[r] = (clup_percolation_sample){engine->sizes[r], engine->wrapped[r]};
done:
    return status;
}

static clup_status device_batch(clup_engine *base, unsigned count, double expected_s, void *to,
                                unsigned *done)
{
    device_engine *engine = (device_engine *)base;
    clup_percolation_sample *samples = to;
    clup_status status = CLUP_OK;
    unsigned sweeps = count;
    (void)expected_s;
    *done = 0;
    if (base->ranks != NULL) {
        CLUP_TRY(clup_engine_agree(base, count, &sweeps, done));
        clup_watch_hold();
    }
    for (; *done < sweeps && status == CLUP_OK; *done += status == CLUP_OK)
        status = draw(engine, samples != NULL
                                  ? samples + (size_t)*done * engine->update.state.replicas
                                  : NULL);
    if (base->ranks != NULL)
        clup_watch_release();
done:
    return status;
}

static double device_stage_s(const clup_engine *base, clup_stage stage)
{
    const clup_timer *timer = &((const device_engine *)base)->update.state.context->timer;
    return clup_timer_known(timer) ? 1e-9 * (double)timer->total_ns[stage] : NAN;
}

static void device_forget(clup_engine *base)
{
    clup_timer_reset(&((device_engine *)base)->update.state.context->timer);
}

static void device_free(clup_engine *base)
{
    device_engine *engine = (device_engine *)base;
    clup_wraps_free(engine->joined);
    clup_update_clear(&engine->update);
    free(engine->parts);
    free(engine->sizes);
    free(engine->wrapped);
    free(engine);
}

clup_status clup_engine_percolation_device(clup_context *context, const clup_problem *problem,
                                           const clup_method *method, const clup_plan *plan,
                                           uint64_t seed, clup_engine **out)
{
    static const clup_engine_kind kind = {device_batch,   device_go_to,  NULL,          NULL,
                                          device_stage_s, no_iterations, device_forget, device_free,
                                          NULL,           NULL,          NULL,          NULL};
    const uint32_t replicas = clup_problem_replicas(problem);
    device_engine *engine = calloc(1, sizeof *engine);
    clup_status status = engine != NULL ? CLUP_OK : clup_fail_memory("the percolation");
    CLUP_TRY(status);
    engine->base = (clup_engine){.kind = &kind, .most = 1};
    CLUP_TRY(clup_update_create(context, problem, method, plan, seed, &engine->update));
    engine->start = engine->update.state.key;
    engine->set_p = NAN;
    if (engine->update.state.subdomain.count > 1) {
        if (engine->update.state.subdomain.wide)
            CLUP_TRY(clup_fail(CLUP_ERROR_USAGE, "the lattice has too many sites for parts of it"));
        engine->base.ranks = context->ranks;
        engine->base.interface = &engine->update.interface;
    }
    engine->read = problem->graph != NULL       ? clup_graph_wraps_read
                   : engine->base.ranks != NULL ? clup_wraps_read_parts
                                                : clup_wraps_read;
    CLUP_TRY(clup_wraps_create(problem->graph != NULL ? clup_graph_axes(problem->graph) : 3,
                               &engine->joined));
    engine->parts = malloc(clup_sizes_parts(&engine->update.state) * sizeof *engine->parts);
    engine->sizes = malloc(replicas * sizeof *engine->sizes);
    engine->wrapped = malloc(replicas * sizeof *engine->wrapped);
    if (engine->parts == NULL || engine->sizes == NULL || engine->wrapped == NULL)
        CLUP_TRY(clup_fail_memory("the samples"));
    *out = &engine->base;
done:
    if (status != CLUP_OK && engine != NULL)
        device_free(&engine->base);
    return status;
}

/* ---- on the host ----------------------------------------------------------------------------- */

typedef struct host_engine {
    clup_engine base;
    clup_percolation_reference reference;
    uint64_t next; /* sample */
    double p;
} host_engine;

static void host_go_to(clup_engine *base, uint64_t sweep, double p)
{
    host_engine *engine = (host_engine *)base;
    engine->next = sweep;
    engine->p = p;
}

static clup_status host_batch(clup_engine *base, unsigned count, double expected_s, void *to,
                              unsigned *done)
{
    host_engine *engine = (host_engine *)base;
    clup_percolation_sample *samples = to, ignored;
    clup_status status = CLUP_OK;
    (void)expected_s;
    for (*done = 0; *done < count; ++*done, engine->next++)
        CLUP_TRY(clup_percolation_reference_draw(&engine->reference, engine->p, engine->next,
                                                 samples != NULL ? &samples[*done] : &ignored));
done:
    return status;
}

static double host_stage_s(const clup_engine *base, clup_stage stage)
{
    (void)base, (void)stage;
    return NAN;
}

static void host_forget(clup_engine *base)
{
    (void)base;
}

static void host_free(clup_engine *base)
{
    clup_percolation_reference_clear(&((host_engine *)base)->reference);
    free(base);
}

clup_status clup_engine_percolation_host(clup_context *context, const clup_problem *problem,
                                         const clup_method *method, const clup_plan *plan,
                                         uint64_t seed, clup_engine **out)
{
    static const clup_engine_kind kind = {host_batch,   host_go_to,    NULL,        NULL,
                                          host_stage_s, no_iterations, host_forget, host_free,
                                          NULL,         NULL,          NULL,        NULL};
    host_engine *engine = calloc(1, sizeof *engine);
    (void)context, (void)method, (void)plan;
    if (engine == NULL)
        return clup_fail_memory("the percolation");
    engine->base = (clup_engine){.kind = &kind, .most = 1};
    const clup_status status = clup_percolation_reference_create(problem, seed, &engine->reference);
    if (status == CLUP_OK)
        *out = &engine->base;
    else
        host_free(&engine->base);
    return status;
}
