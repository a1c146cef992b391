/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of percolation, and their reference. */
#ifndef CLUP_UPDATE_PERCOLATION_H
#define CLUP_UPDATE_PERCOLATION_H
#include "core/boundary.h"
#include "core/host.h"
#include "core/sizes.clh"

typedef struct clup_percolation_sample {
    size_record sizes;
    unsigned wraps; /* bit a: a cluster wraps around axis a, or spans it if it is open */
} clup_percolation_sample;

/* Draws samples on the host. Every bond enters one union-find, which keeps for each site its
 * displacement from its parent. */
typedef struct clup_percolation_reference {
    clup_host host;    /* the reference's spins, bonds and sizes */
    clup_serial *draw; /* draws the bonds */
    random_key key;    /* of sample 0 */
    uint32_t *parents;
    int64_t *displacements; /* [axes] of each site: from its parent */
    unsigned axes;
    uint16_t *ends; /* bit 2 a + e: the cluster of a root has a site at end e of axis a */
    /* Of a graph: how each edge winds, and at which ends each vertex is (clup_cell_windings); NULL
     * where it has no axes. */
    uint32_t *crossings, *own_ends;
} clup_percolation_reference;

clup_status clup_percolation_reference_create(const clup_problem *problem, uint64_t seed,
                                              clup_percolation_reference *reference);
void clup_percolation_reference_clear(clup_percolation_reference *reference);
/* Draws sample number. CLUP_INTERRUPTED, when the watch ends it, gives no sample. */
clup_status clup_percolation_reference_draw(clup_percolation_reference *reference, double p,
                                            uint64_t number, clup_percolation_sample *sample);
/* Measures the clusters of the reference's present bonds and empty sites. */
clup_status clup_percolation_reference_measure(clup_percolation_reference *reference,
                                               clup_percolation_sample *sample);

#endif
