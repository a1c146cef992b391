/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring sweeps on the device. A batch goes: begin, for each sweep that is measured sweep, for
 * each that follows one, once it is done, next, and end; then its records can be read. */
#ifndef CLUP_RUN_MEASURE_H
#define CLUP_RUN_MEASURE_H
#include "family/interface.h"
#include "estimate/sweep_record.h"
#include "run/fk.h"

#define CLUP_MEASURE_BESIDES 2 /* parts of records that are measured of the spins by a row each */

/* Records that are made, and go to the host. */
#define CLUP_MEASURE_COMING 2 /* at a time; kernels may be at the last ones */
typedef struct clup_coming {
    cl_mem records;
    clup_pinned pinned; /* the same bytes, where there is such memory */
    void *own;          /* memory that is no more needed then */
    void *at;           /* where they come, */
    void *to;           /* and where they are to be */
    unsigned count;     /* slots; 0 for none */
    cl_event event;
} clup_coming;

typedef struct clup_measure {
    clup_state *state;
    unsigned tile[3]; /* the plan's */
    bool by_kernels;
    uint64_t records_bytes; /* of each that are coming */
    clup_coming coming[CLUP_MEASURE_COMING];
    unsigned fetched, taken; /* so often */
    clup_prepared pass;
    /* when they are first wanted */
    clup_prepared besides[CLUP_MEASURE_BESIDES];
    clup_fk fk;
    clup_interface *seams; /* of a part of a lattice */
} clup_measure;

/* What the records of a format of the slots of a device take, each time. */
uint64_t clup_measure_bytes(const clup_state *state, uint32_t format);
/* For sweeps with such a row of local labelling, NULL for none. Without kernels there is only the
 * buffer of records, for sweeps that write theirs. */
clup_status clup_measure_create(clup_state *state, const clup_variant *local,
                                const unsigned tile[3], bool by_kernels, clup_measure *measure);
/* The seams of a part, of which the state is. */
void clup_measure_set_seams(clup_measure *measure, clup_interface *seams);
void clup_measure_clear(clup_measure *measure);
/* Makes what records of a format need, of a simulation of the problem. CLUP_ERROR_USAGE for what
 * cannot be measured. */
clup_status clup_measure_prepare(clup_measure *measure, const clup_problem *problem,
                                 uint32_t format);
/* Whether each measured sweep with records of a format needs work of others than its own, on spins
 * that are there, so that no sweep is done together with others. */
bool clup_measure_apart(uint32_t format);
/* For slots 0 to count - 1. */
clup_status clup_measure_begin(clup_measure *measure, unsigned count);
/* Where records of slots are made until they are fetched. */
static inline cl_mem clup_measure_records(const clup_measure *measure)
{
    return measure->coming[measure->fetched % CLUP_MEASURE_COMING].records;
}
/* Enqueues the measurement of the spins, and of what else the state's measuring says, which was
 * prepared, as they are, for a slot. Once for a sweep: it uses the labels up. Where the next sweep
 * can count the spins by the way they are left to it. */
clup_status clup_measure_sweep(clup_measure *measure, cl_uint slot);
/* Comes before a sweep that is measured. */
clup_status clup_measure_before(clup_measure *measure, cl_uint slot);
/* The same after a sweep of a plan that makes its records itself, but for what is besides. */
clup_status clup_measure_after(clup_measure *measure, cl_uint slot);
/* The next sweep is done. */
void clup_measure_next(clup_measure *measure);
/* Counts spins that were left, and makes the records of slots 0 to count - 1. */
clup_status clup_measure_end(clup_measure *measure, unsigned count);
/* Enqueues their way to the host, one for each replica, after which slots are free again. They are
 * in records once they are taken, the first fetched first. Before slots are used again, fewer than
 * CLUP_MEASURE_COMING may be fetched and not taken. */
clup_status clup_measure_fetch(clup_measure *measure, unsigned count, void *records);
/* Waits for these, which should take expected_s. */
clup_status clup_measure_take(clup_measure *measure, double expected_s);
/* How many there are to take. */
static inline unsigned clup_measure_untaken(const clup_measure *measure)
{
    return measure->fetched - measure->taken;
}
/* Waits for all, and forgets them. */
void clup_measure_drop(clup_measure *measure);
/* Whether records of some slots can be fetched, and slots used again, before they are taken. */
bool clup_measure_ahead(uint32_t format);

/* Bonds of a lattice between equal spins[sites], on the host. */
uint64_t clup_spins_bonds(const lattice_args *lattice, const uint8_t *spins);
/* The record from spins[sites], canonical labels[sites] and sizes[sites] to work in, on the host;
 * with modes by their table (estimate/modes.h), or without for NULL. */
sweep_record clup_measure_reference(const lattice_args *lattice, const uint8_t *spins,
                                    const uint32_t *labels, uint32_t *sizes, const int32_t *modes);

#endif
