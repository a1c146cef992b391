/* SPDX-License-Identifier: BSD-3-Clause */
/* One system on the host, for references. */
#ifndef CLUP_CORE_HOST_H
#define CLUP_CORE_HOST_H
#include "core/lattice.h"
#include "core/random.clh"

typedef struct clup_host {
    lattice_args lattice;
    clup_model model;
    clup_method method;
    unsigned q;
    clup_laws laws;
    uint32_t *disorder;  /* what laws point to */
    clup_matrix *matrix; /* what laws point to as well; and the thresholds */
    uint32_t *thresholds;
    bool flips;         /* clusters flip, see cl/model/ising.clh; else they are assigned a spin */
    uint64_t heat_step; /* of the heat bath, see heat.clh */
    random_key key;
    uint8_t *spins, *bonds; /* spins[sites], a byte each, or vectors (vector.h); in percolation 1
                               where a site is empty.
                               bonds[directions*sites], the bonds of one direction after those of
                               another; or of a graph bonds[edges] */
    uint32_t *labels; /* canonical labels[sites]: the label of a site is the smallest site of its
                         cluster */
    uint32_t *sizes;  /* sizes[sites], scratch memory of the references */
    uint64_t updated; /* sites in the clusters that the last sweep gave a new spin */
} clup_host;

/* The reference of a stage: does what all kernel variants that name it do, whatever the device.
 * CLUP_INTERRUPTED when the watch ends it. */
typedef clup_status clup_serial(clup_host *host);

#endif
