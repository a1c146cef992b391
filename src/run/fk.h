/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn clusters that are found for what is measured of them by their labels: sizes,
 * wrapping, Fourier sums, pairs of sites that they have in common. They are those of the spins
 * before a sweep with the bonds that Swendsen-Wang draws in it with Philox, whatever the sweep
 * does and keeps. */
#ifndef CLUP_RUN_FK_H
#define CLUP_RUN_FK_H
#include "family/measure.h"
#include "family/wraps.h"
#include "update/percolation.h"

#define CLUP_FK_PARTS 3 /* of records, that have a row each */

typedef struct clup_fk {
    const clup_state *of;
    clup_state state; /* whose spins, temperatures and table of waves are those of the other, where
                         they are kept the same way */
    uint8_t *spins;   /* on their way, where they are not; NULL where they are */
    clup_prepared source, local, consolidate, wraps, parts[CLUP_FK_PARTS];
    clup_wraps *joined;
    unsigned *wrapped; /* wrapped[slots*replicas] */
    unsigned slots;
} clup_fk;

/* For simulations of a problem in such a state, with room for so many slots; what a format of
 * records needs. CLUP_ERROR_USAGE for 2^32 sites and more. */
clup_status clup_fk_create(const clup_problem *problem, const clup_state *of, uint32_t format,
                           unsigned slots, clup_fk *fk);
void clup_fk_clear(clup_fk *fk);
/* Finds the clusters of the spins as they are, and measures them for a slot of records. */
clup_status clup_fk_measure(clup_fk *fk, cl_uint slot, cl_mem records);
/* Puts what the host knows into the first records[count*replicas], which have been read. */
void clup_fk_finish(const clup_fk *fk, unsigned count, uint32_t *records);

/* The same on the host. */
typedef struct clup_fk_reference {
    clup_percolation_reference clusters;
    clup_percolation_sample sample;
    uint32_t *labels;
    int64_t *waves; /* to work in */
} clup_fk_reference;
clup_status clup_fk_reference_create(const clup_problem *problem, clup_fk_reference *reference);
void clup_fk_reference_clear(clup_fk_reference *reference);
clup_status clup_fk_reference_find(clup_fk_reference *reference, const clup_host *host);
/* Sets what a record and its arrays have of the clusters that were found; modes is the table of
 * modes.h. to is where the record is stored. */
void clup_fk_reference_measure(const clup_fk_reference *reference, const int32_t *modes,
                               uint32_t format, sweep_record *record, uint32_t *to);
/* Stores the pairs of pairs.clh that are equal in spins[sites], or for NULL in labels[sites]. */
void clup_pairs_reference(const lattice_args *lattice, const uint8_t *spins, const uint32_t *labels,
                          uint32_t format, uint32_t part, uint32_t *to);

#endif
