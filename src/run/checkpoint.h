/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a simulation needs to go on, on any device or host. */
#ifndef CLUP_RUN_CHECKPOINT_H
#define CLUP_RUN_CHECKPOINT_H
#include "base/status.h"
#include "core/state.h"

struct clup_checkpoint {
    clup_problem problem; /* betas point to the array betas below, or are NULL where every replica
                             has beta */
    double *betas;
    clup_method method; /* its strings are the library's own */
    uint64_t seed, sweeps;
    clup_measuring measuring;
    /* packed by clup_spins_pack, in planes, for all replicas */
    uint8_t *spins;
    /* records[measured][replicas][words], see record.clh */
    uint64_t measured;
    uint32_t *records;
    /* parallel tempering, see tempering.h; every is 0 without tempering. Arrays have one element
     * for each replica or system; measured_systems is [measured][replicas] */
    struct {
        uint64_t every;
        uint32_t *systems, *ends, *measured_systems;
        uint64_t *attempts, *accepted, *trips;
    } tempering;
    clup_record *said;
};

/* How the spins of a replica are packed: in planes of so many bytes, one after the other. A plane
 * has one bit of each spin, the lowest first, where site i is bit i % 8 of byte i/8; or of vectors
 * (vector.h) one byte of each spin. */
typedef struct clup_packing {
    unsigned planes;
    uint64_t plane;
    bool whole; /* planes of bytes */
} clup_packing;
clup_packing clup_packing_of(const clup_problem *problem);
/* Packs spins[count], from site first on of a replica whose planes are packed; clup_spins_unpack
 * reverses it. first is a multiple of 8. */
void clup_spins_pack(clup_packing packing, const uint8_t *spins, uint64_t first, uint64_t count,
                     uint8_t *packed);
void clup_spins_unpack(clup_packing packing, const uint8_t *packed, uint64_t first, uint64_t count,
                       uint8_t *spins);

/* Copies the state of a simulation into a new checkpoint. said is NULL. CLUP_ERROR_USAGE if the
 * generator has a state of its own. */
clup_status clup_checkpoint_take(clup_simulation *simulation, clup_checkpoint **out);
/* Validates a checkpoint that was read: its problem, its method and the lengths of all arrays.
 * CLUP_ERROR_RUNTIME if one is not possible. */
clup_status clup_checkpoint_check(const clup_checkpoint *checkpoint);
/* Validate, once it is read, the number of measured sweeps, and the state of tempering.
 * CLUP_ERROR_RUNTIME as above. */
clup_status clup_checkpoint_check_measured(const clup_checkpoint *checkpoint);
clup_status clup_checkpoint_check_tempering(const clup_checkpoint *checkpoint);

#endif
