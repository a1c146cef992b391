/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of percolation, and their serial definition. */
#ifndef CLUP_UPDATE_PERCOLATION_H
#define CLUP_UPDATE_PERCOLATION_H
#include "core/host.h"
#include "core/sizes.clh"

typedef struct clup_percolation_sample {
    size_record sizes;
    unsigned wraps; /* bit a: a cluster wraps around axis a, or spans it if it is open */
} clup_percolation_sample;

/* Samples on the host: every bond is put into one union-find that keeps for each site how far it is
 * from its root. */
typedef struct clup_percolation_reference {
    clup_host host;    /* spins, bonds and sizes of it */
    clup_serial *draw; /* the bonds */
    random_key key;    /* of sample 0 */
    uint32_t *parents;
    struct clup_displacement {
        int64_t steps[3];
    } * displacements; /* from the parent */
    uint8_t *ends;     /* bit 2 a + e: the cluster of a root has a site at end e of axis a */
} clup_percolation_reference;

clup_status clup_percolation_reference_create(const clup_problem *problem, uint64_t seed,
                                              clup_percolation_reference *reference);
void clup_percolation_reference_clear(clup_percolation_reference *reference);
/* CLUP_INTERRUPTED, when the watch ends it, gives no sample. */
clup_status clup_percolation_reference_draw(clup_percolation_reference *reference, double p,
                                            uint64_t number, clup_percolation_sample *sample);
/* The clusters of the bonds and empty sites that are there. */
clup_status clup_percolation_reference_measure(clup_percolation_reference *reference,
                                               clup_percolation_sample *sample);

#endif
