/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures Fortuin-Kasteleyn clusters: sizes, wrapping, Fourier sums, pairs of sites that are in
 * one cluster. The clusters are those of the spins before a sweep, with the bonds that
 * Swendsen-Wang with Philox draws in that sweep, whatever algorithm and generator the sweep uses.
 */
#ifndef CLUP_RUN_FK_H
#define CLUP_RUN_FK_H
#include "family/measure.h"
#include "family/wraps.h"
#include "update/percolation.h"

#define CLUP_FK_PARTS 4   /* parts of records, each measured by a kernel variant of its own */
#define CLUP_FK_FINDERS 2 /* of clusters: by nodes, and by labels of sites */

/* Finds clusters, and measures parts of records. */
typedef struct clup_fk_finder {
    clup_state state; /* shares the temperatures and the table of waves with that of the simulation,
                         and the spins too where both states store them alike */
    uint8_t *spins;   /* host copy of the spins, by which they go from one state to the other; NULL
                         where the states share them */
    clup_prepared source, local, consolidate, wraps, parts[CLUP_FK_PARTS];
    clup_prepared ties; /* in a field */
} clup_fk_finder;

typedef struct clup_fk {
    const clup_state *of;
    clup_fk_finder finders[CLUP_FK_FINDERS];
    unsigned count; /* of finders */
    uint32_t format;
    clup_wraps *joined;
    unsigned *wrapped; /* wrapped[slots*replicas] */
} clup_fk;

/* Prepares the measurement of a format of records, for simulations of a problem with the state *of,
 * with room for so many slots. CLUP_ERROR_USAGE for 2^32 sites and more. */
clup_status clup_fk_create(const clup_problem *problem, const clup_state *of, uint32_t format,
                           unsigned slots, clup_fk *fk);
void clup_fk_clear(clup_fk *fk);
/* Finds the clusters of the present spins, and measures them into a slot of records. */
clup_status clup_fk_measure(clup_fk *fk, cl_uint slot, cl_mem records);
/* Adds what the host computed to the first records[count*replicas], which were read before. */
void clup_fk_finish(const clup_fk *fk, unsigned count, uint32_t *records);

/* The measurement on the host. */
typedef struct clup_fk_reference {
    clup_percolation_reference clusters;
    clup_percolation_sample sample;
    uint32_t *labels;
    int32_t *amplitudes; /* of the sites (measure_fk.cl), in units of 2^-30 */
    int64_t *waves;      /* working space */
    uint8_t *tied;       /* likewise */
} clup_fk_reference;
clup_status clup_fk_reference_create(const clup_problem *problem, clup_fk_reference *reference);
void clup_fk_reference_clear(clup_fk_reference *reference);
clup_status clup_fk_reference_find(clup_fk_reference *reference, const clup_host *host);
/* Sets, in a record and its arrays, all that the format has of the clusters that were found. modes
 * is the table of modes.h; the record is stored at to. */
void clup_fk_reference_measure(const clup_fk_reference *reference, const int32_t *modes,
                               uint32_t format, sweep_record *record, uint32_t *to);
/* Stores how many pairs, of those in pairs.clh, are equal in spins[sites], or where spins is NULL
 * in labels[sites]. */
void clup_pairs_reference(const lattice_args *lattice, const uint8_t *spins, const uint32_t *labels,
                          uint32_t format, uint32_t part, uint32_t *to);

#endif
