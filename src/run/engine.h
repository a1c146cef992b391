/* SPDX-License-Identifier: BSD-3-Clause */
/* An engine runs the sweeps of a simulation, or draws the samples of percolation: on a device, or
 * with the serial reference. */
#ifndef CLUP_RUN_ENGINE_H
#define CLUP_RUN_ENGINE_H
#include "base/status.h"
#include "family/measure.h"
#include "family/interface.h"
#include "family/strip.h"
#include "plan/validate.h"
#include "update/percolation.h"

typedef struct clup_engine clup_engine;

/* One kind of engine. The struct of a kind starts with a clup_engine. */
typedef struct clup_engine_kind {
    /* Does count sweeps, count <= most, and returns when they are finished, which should take
     * expected_s. records gets the records of the sweeps that measuring selects, those of all
     * replicas for each sweep; NULL when no sweep is measured. A record is as in record.clh. In
     * percolation a sweep draws one sample in each replica, every sweep is measured, and a record
     * is a clup_percolation_sample. After CLUP_INTERRUPTED the first *done sweeps are complete in
     * all replicas, with their records, and the other sweeps have left nothing */
    clup_status (*batch)(clup_engine *engine, unsigned count, double expected_s, void *records,
                         unsigned *done);
    /* sets the number of the next sweep, or of the first sample; in percolation also the
     * probability from then on */
    void (*go_to)(clup_engine *engine, uint64_t sweep, double p);
    /* reads or writes spins, a byte or a vector (vector.h) each, in raster order: count rows, from
     * row first on, of all systems, one system after the other; NULL for percolation */
    clup_status (*read_rows)(clup_engine *engine, uint64_t first, uint64_t count, uint8_t *spins);
    clup_status (*write_rows)(clup_engine *engine, uint64_t first, uint64_t count,
                              const uint8_t *spins);
    /* seconds spent in a stage since forget_times, NAN where not known */
    double (*stage_s)(const clup_engine *engine, clup_stage stage);
    /* the number of iterations that a stage took in the last sweep, see clup_timing; NAN where the
     * stage has none, or where the number is not known */
    double (*iterations)(clup_engine *engine, clup_stage stage);
    void (*forget_times)(clup_engine *engine);
    void (*free)(clup_engine *engine);
    /* makes measuring say what the records of later batches contain; NULL for percolation.
     * CLUP_ERROR_USAGE for what cannot be measured. After an error the records contain what they
     * did before, or only what the spins tell */
    clup_status (*observe)(clup_engine *engine, const clup_measuring *measuring);
    /* sets betas[replicas] of later sweeps, called between batches; NULL for percolation */
    clup_status (*set_betas)(clup_engine *engine, const double *betas);
    /* sets with which system each is compared (overlap.clh), partners[replicas], where measuring
     * has overlaps; NULL for percolation */
    clup_status (*set_partners)(clup_engine *engine, const uint32_t *partners);
    /* sets with which system each moves (mates.clh), mates[replicas], of a method with
     * Houdayer's moves */
    clup_status (*set_mates)(clup_engine *engine, const uint32_t *mates);
} clup_engine_kind;

struct clup_engine {
    const clup_engine_kind *kind;
    unsigned most;           /* sweeps of a batch, at most */
    const clup_ranks *ranks; /* the processes that have subdomains of the lattice; NULL for one
                                process */
    const clup_interface *interface; /* the interfaces between subdomains; NULL where there are none
                                      */
    const clup_strip *strip;         /* of local updates, likewise */
    bool goes_on;                    /* of percolation: another batch at the same p follows */
    clup_measuring measuring; /* of a simulation: set by observe, or between batches by the owner of
                                 the engine */
};

/* Makes an engine for a validated problem of a spin model or of percolation. With a context it runs
 * on the device, by the given plan, or by a chosen one where given is NULL. With context NULL it
 * runs on the host, and draws bonds as the source of the plan does, or as the problem has them
 * where given is NULL. This function alone validates a given plan and runs the known-answer test of
 * its kernels. *plan, which may be given itself, becomes the plan of the engine: the one that
 * clup_plan_validate returns, or on the host the source alone. All spins are 0. kind->free frees
 * the engine. */
clup_status clup_engine_create(clup_context *context, const clup_problem *problem,
                               const clup_method *method, const clup_plan *given, uint64_t seed,
                               clup_plan *plan, clup_engine **engine);
/* Make an engine of one kind. */
typedef clup_status clup_engine_maker(clup_context *context, const clup_problem *problem,
                                      const clup_method *method, const clup_plan *plan,
                                      uint64_t seed, clup_engine **engine);
clup_engine_maker clup_engine_simulation_device, clup_engine_simulation_host,
    clup_engine_simulation_spread, /* for several processes, each with some of the systems */
    clup_engine_percolation_device, clup_engine_percolation_host, clup_engine_percolation_spread;

/* Called before a batch by processes that must do as many sweeps as one another. *sweeps is the
 * number that all of them can do, at most count. CLUP_INTERRUPTED, with *done = 0, if the watch of
 * one process ends the work. */
clup_status clup_engine_agree(const clup_engine *engine, unsigned count, unsigned *sweeps,
                              unsigned *done);
/* *any is whether here is true in this process, or in another one that has a subdomain of the
 * lattice. */
clup_status clup_engine_any(const clup_engine *engine, bool here, bool *any);

/* The rows that two ranges share: how many, 0 for none, and the distance of the first shared row
 * from the start of each range. */
typedef struct clup_common {
    uint64_t count, in_a, in_b;
} clup_common;
clup_common clup_rows_in_common(uint64_t a, uint64_t a_count, uint64_t b, uint64_t b_count);
/* Returns the status with which a process goes on, where each process has a status: CLUP_OK if all
 * have CLUP_OK. Else a process that failed returns its own status, and every other process the
 * least of the statuses that are not CLUP_OK. */
clup_status clup_engine_agree_on(const clup_engine *engine, clup_status status);
/* Gathers bytes[count] in all processes. Each process has filled in some bytes and has zeros in the
 * place of the others; afterwards each has all of them. status is the status of this process; if
 * one process failed, nothing is gathered. */
clup_status clup_engine_put_together(const clup_engine *engine, clup_status status, uint8_t *bytes,
                                     uint64_t count);

/* Returns how many sites a work-item of the plan's local labelling has, from 16 to 64, for the size
 * of a known-answer test on a device that compiles kernels again for large launches: its lattice
 * has launches as large, up to that many sites for each work-item. Where a work-item has more, such
 * a lattice would take long, and the result is 16. */
unsigned clup_verify_sites_an_item(const clup_plan *plan);

/* Known-answer tests, which find a device or driver that computes wrong results. Each runs two
 * sweeps, or some samples, of a small lattice with the kernels of a plan, compiled as for this
 * problem, and compares with the serial reference; images have a test of their own.
 * CLUP_ERROR_VERIFY when the results differ. clup_verify runs the test of the problem's model. */
clup_known_answer clup_verify, clup_simulation_verify, clup_percolation_verify;

#endif
