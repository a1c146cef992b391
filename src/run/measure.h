/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures sweeps on the device. A batch has a slot for each measured sweep. A slot keeps the
 * counts of its sweep until they become a record, at the end of the batch at the latest. An engine
 * calls, for a batch:
 *
 * - clup_measure_begin();
 * - for each sweep clup_measure_before() if the sweep is measured, then the sweep, then
 *   clup_measure_next(), then clup_measure_sweep() if the sweep is measured;
 * - clup_measure_end(), clup_measure_fetch() and, some time later, clup_measure_take().
 *
 * For sweeps that are done in one launch and make their records themselves (clup_update_many()), it
 * calls clup_measure_fetch() and clup_measure_take() alone. If their records have parts that need
 * other kernels, a launch does a single sweep, between clup_measure_before() and
 * clup_measure_after(). */
#ifndef CLUP_RUN_MEASURE_H
#define CLUP_RUN_MEASURE_H
#include "family/interface.h"
#include "estimate/sweep_record.h"
#include "run/fk.h"

#define CLUP_MEASURE_BESIDES 5 /* parts of records that have a kernel variant of their own */

/* A buffer of records, and their transfer to the host. */
#define CLUP_MEASURE_COMING 2 /* in use at a time; kernels may still read the latest */
typedef struct clup_coming {
    cl_mem records;
    clup_pinned pinned; /* the bytes of records in pinned memory, where the device has it */
    void *own;          /* host memory to free after the records are taken */
    void *at;           /* where the transfer puts the records, */
    void *to;           /* and where the caller wants them */
    unsigned count;     /* slots; 0 for none */
    cl_event event;
} clup_coming;

typedef struct clup_measure {
    clup_state *state;
    unsigned tile[3]; /* the tile of the plan */
    bool by_kernels;
    uint64_t records_bytes; /* of each buffer of records */
    clup_coming coming[CLUP_MEASURE_COMING];
    unsigned fetched, taken; /* how often records were fetched and taken */
    clup_prepared pass;
    /* prepared when they are first needed */
    clup_prepared besides[CLUP_MEASURE_BESIDES];
    clup_fk fk;
    clup_interface *interface; /* of a subdomain; NULL for a whole lattice */
    uint64_t *vacant;          /* [replicas]: vacant sites of the whole lattice of which this is a
                                  subdomain; NULL where none is vacant */
} clup_measure;

/* Bytes of the records that a device has slots for, in a format. */
uint64_t clup_measure_bytes(const clup_state *state, uint32_t format);
/* Prepares measuring in a state. local is the kernel variant of local labelling of the sweeps, NULL
 * for none; if it can count spins, it will. Without by_kernels makes only the buffers of records,
 * for sweeps that write their records themselves. */
clup_status clup_measure_create(clup_state *state, const clup_variant *local,
                                const unsigned tile[3], bool by_kernels, clup_measure *measure);
/* Sets the interfaces of the subdomain that the state is of. */
void clup_measure_set_interface(clup_measure *measure, clup_interface *interface);
void clup_measure_clear(clup_measure *measure);
/* Prepares records of a format in a simulation of the problem. CLUP_ERROR_USAGE for what cannot be
 * measured. */
clup_status clup_measure_prepare(clup_measure *measure, const clup_problem *problem,
                                 uint32_t format);
/* Sets the partners of the state's systems, once clup_measure_prepare was called for records with
 * overlaps. */
clup_status clup_measure_set_partners(clup_state *state, const uint32_t *partners);
/* Whether a measured sweep with records of a format needs kernels besides those of the sweep, so
 * that several sweeps cannot be done in one launch. */
bool clup_measure_apart(uint32_t format);
/* Begins a batch: clears the counts of spins of slots 0 to count - 1. */
clup_status clup_measure_begin(clup_measure *measure, unsigned count);
/* The buffer in which records are made until they are fetched. */
static inline cl_mem clup_measure_records(const clup_measure *measure)
{
    return measure->coming[measure->fetched % CLUP_MEASURE_COMING].records;
}
/* Enqueues the measurement of the present spins, and of all else that the state's measuring names,
 * into a slot. clup_measure_prepare must have been called. Call once for a sweep, as it overwrites
 * the labels. Where the next sweep can count the spins as it reads them, the count is left to
 * it. */
clup_status clup_measure_sweep(clup_measure *measure, cl_uint slot);
/* Call before a sweep that is measured: measures Fortuin-Kasteleyn clusters, if the records have
 * them. */
clup_status clup_measure_before(clup_measure *measure, cl_uint slot);
/* Call instead of clup_measure_sweep after a sweep that makes its records itself: measures only the
 * parts that need kernels of their own. */
clup_status clup_measure_after(clup_measure *measure, cl_uint slot);
/* Call after the next sweep is done, which has counted the spins if that was left to it. */
void clup_measure_next(clup_measure *measure);
/* Counts the spins if that is still left to the next sweep, and makes the records of slots 0 to
 * count - 1. */
clup_status clup_measure_end(clup_measure *measure, unsigned count);
/* Starts an asynchronous read of the records of count slots, of all replicas, to the host. The
 * slots are free again on return. The records are valid after clup_measure_take; the first fetched
 * are the first taken. Before slots are used again, fewer than CLUP_MEASURE_COMING reads may be
 * left to take. */
clup_status clup_measure_fetch(clup_measure *measure, unsigned count, void *records);
/* Waits for the earliest read that was not taken, which should take expected_s. */
clup_status clup_measure_take(clup_measure *measure, double expected_s);
/* How many reads were started and not taken. */
static inline unsigned clup_measure_untaken(const clup_measure *measure)
{
    return measure->fetched - measure->taken;
}
/* Waits for all reads, and drops their records. */
void clup_measure_drop(clup_measure *measure);
/* Whether records of a format can be fetched, and slots used again, before the records are
 * taken. */
bool clup_measure_ahead(uint32_t format);

/* Returns the sum of the weights of the satisfied bonds of spins[sites], and of the sites along the
 * field, on the host. */
uint64_t clup_spins_satisfied(const lattice_args *lattice, const clup_laws *laws,
                              const uint8_t *spins);
/* Makes the record of spins[sites] and canonical labels[sites] on the host. sizes[sites] is working
 * space. modes is the table of estimate/modes.h, or NULL to leave modes out. */
sweep_record clup_measure_reference(const lattice_args *lattice, const clup_laws *laws,
                                    const uint8_t *spins, const uint32_t *labels, uint32_t *sizes,
                                    const int32_t *modes);

#endif
