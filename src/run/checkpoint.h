/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a simulation has to go on from, wherever it ran. */
#ifndef CLUP_RUN_CHECKPOINT_H
#define CLUP_RUN_CHECKPOINT_H
#include "base/status.h"
#include "core/state.h"

struct clup_checkpoint {
    clup_problem problem; /* with betas of the checkpoint's own, or NULL where all have beta */
    double *betas;
    clup_method method; /* with a name of the library's */
    uint64_t seed, sweeps;
    clup_measuring measuring;
    /* as clup_spins_pack has them, in planes of clup_spins_plane() bytes, of all replicas */
    uint8_t *spins;
    /* records[measured][replicas][words], see record.clh */
    uint64_t measured;
    uint32_t *records;
    /* of parallel tempering, see tempering.h; every is 0 without. Arrays are of one element for
     * each replica, or system; measured_systems is [measured][replicas] */
    struct {
        uint64_t every;
        uint32_t *systems, *ends, *measured_systems;
        uint64_t *attempts, *accepted, *trips;
    } tempering;
    clup_record *said;
};

/* Bytes of a plane of bits of the spins of a replica. */
static inline uint64_t clup_spins_plane(uint64_t sites)
{
    return (sites + 7) / 8;
}
/* Packs spins[count] below 2^planes as bits: planes of so many bytes one after the other, the
 * lowest bit of all sites first, site i being bit i % 8 of byte i / 8. And back. */
void clup_spins_pack(const uint8_t *spins, uint64_t count, unsigned planes, uint64_t bytes,
                     uint8_t *packed);
void clup_spins_unpack(const uint8_t *packed, uint64_t count, unsigned planes, uint64_t bytes,
                       uint8_t *spins);

/* What a simulation has come to, but for what is said, which is NULL. CLUP_ERROR_USAGE where its
 * random numbers have a state of their own. */
clup_status clup_checkpoint_take(clup_simulation *simulation, clup_checkpoint **out);
/* That what was read can be: else CLUP_ERROR_RUNTIME. The problem and the method are checked, and
 * all arrays are as long as they say. */
clup_status clup_checkpoint_check(const clup_checkpoint *checkpoint);
/* The same of how many sweeps are measured, and of its tempering, each once that is read. */
clup_status clup_checkpoint_check_measured(const clup_checkpoint *checkpoint);
clup_status clup_checkpoint_check_tempering(const clup_checkpoint *checkpoint);

#endif
