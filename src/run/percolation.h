/* SPDX-License-Identifier: BSD-3-Clause */
/* A source of samples of percolation. */
#ifndef CLUP_RUN_PERCOLATION_H
#define CLUP_RUN_PERCOLATION_H
#include "run/engine.h"

struct clup_percolation {
    bool on_device;
    clup_plan plan; /* on a device */
    clup_engine *engine;
    clup_problem problem; /* whose samples are drawn */
    uint64_t seed;
    double sites;
    uint64_t holes; /* sites of no lattice site that samples count as clusters */
    unsigned axes, replicas;
    unsigned classes;                 /* of sizes that clusters of the lattice can have */
    clup_percolation_sample *samples; /* of a round */
};

/* Computes the observables of a sample. */
void clup_percolation_values(const clup_percolation *percolation,
                             const clup_percolation_sample *sample,
                             double values[CLUP_PERCOLATION_OBSERVABLES]);

/* Called with samples number first to first + count - 1 of those that are drawn, counted from 0,
 * one round after the other. */
typedef clup_status clup_take_samples(const clup_percolation *percolation,
                                      const clup_percolation_sample *samples, uint64_t first,
                                      uint32_t count, void *to);

/* Draws samples number first to first + count - 1 of the seed. *drawn is how many were taken, fewer
 * than count after a failure. progress is called after a round was taken. */
clup_status clup_percolation_draw(clup_percolation *percolation, double p, uint64_t first,
                                  uint64_t count, clup_progress *progress, void *user,
                                  clup_take_samples *take, void *to, uint64_t *drawn);

#endif
