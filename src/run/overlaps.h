/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlaps of systems that are in several processes: found on the host, from spins that the
 * processes send each other. */
#ifndef CLUP_RUN_OVERLAPS_H
#define CLUP_RUN_OVERLAPS_H
#include "core/lattice.h"

typedef struct clup_overlaps {
    clup_problem problem;   /* of all systems; its betas are not kept */
    uint32_t first, count;  /* this process's systems */
    uint32_t *partners;     /* [replicas] */
    uint8_t *spins;         /* of all systems, as an engine reads them */
    int32_t *table;         /* of modes.h */
    uint32_t *disorder;     /* of this process's systems, */
    uint64_t disorder_each; /* words of one */
} clup_overlaps;

clup_status clup_overlaps_create(const clup_problem *problem, uint32_t first, uint32_t count,
                                 clup_overlaps *overlaps);
void clup_overlaps_clear(clup_overlaps *overlaps);
/* Writes the overlaps of this process's systems, by the spins, to their records: count records, one
 * after the other. */
void clup_overlaps_write(const clup_overlaps *overlaps, uint32_t format, uint32_t *records);

#endif
