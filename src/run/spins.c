/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and sets the spins of a simulation in pieces: the lattice of several processes may be
 * larger than the memory of each. */
#include <stdlib.h>

#include "base/sha256.h"
#include "core/vector.h"
#include "run/simulation.h"

clup_status clup_simulation_spins(clup_simulation *simulation, uint8_t *spins)
{
    CLUP_NEED(simulation);
    CLUP_NEED(spins);
    return clup_simulation_read_places(simulation, 0, clup_simulation_rows(simulation), spins);
}

clup_status clup_simulation_spin_rows(clup_simulation *simulation, uint64_t first, uint64_t count,
                                      uint8_t *spins)
{
    CLUP_NEED(simulation);
    CLUP_NEED(spins);
    const uint64_t all = clup_simulation_rows(simulation);
    if (first > all || count > all - first)
        return clup_fail(CLUP_ERROR_USAGE, "rows %llu to %llu: there are %llu",
                         (unsigned long long)first, (unsigned long long)(first + count),
                         (unsigned long long)all);
    return clup_simulation_read_places(simulation, first, count, spins);
}

clup_status clup_simulation_set_rows(clup_simulation *simulation, uint64_t first, uint64_t count,
                                     const uint8_t *spins)
{
    const clup_problem *problem = &simulation->problem;
    const uint64_t sites = clup_problem_sites(problem), nx = problem->size[0];
    const unsigned numbers = clup_spin_numbers(problem);
    uint32_t spin[VECTOR_NUMBERS_MOST];
    for (uint64_t k = 0; k < count * nx && numbers > 0; k++) {
        clup_vector_of_site(spins, numbers, k, spin);
        if (!clup_is_vector(numbers, spin))
            return clup_fail(CLUP_ERROR_USAGE,
                             "replica %llu, site %llu: the spin (%g, %g, %g) is not of length 1",
                             (unsigned long long)((first * nx + k) / sites),
                             (unsigned long long)((first * nx + k) % sites),
                             (int32_t)spin[0] * 0x1p-30, (int32_t)spin[1] * 0x1p-30,
                             (int32_t)spin[2] * 0x1p-30);
    }
    for (uint64_t k = 0; k < count * nx && numbers == 0; k++)
        if (spins[k] >= problem->q)
            return clup_fail(CLUP_ERROR_USAGE,
                             "replica %llu, site %llu: there is no spin %u of %u states",
                             (unsigned long long)((first * nx + k) / sites),
                             (unsigned long long)((first * nx + k) % sites), spins[k], problem->q);
    return clup_simulation_write_places(simulation, first, count, spins);
}

/* Hashes of blocks of so many bytes, one after the other. */
typedef struct hashes {
    clup_sha256_state state;
    uint64_t each, done; /* bytes of a block, and bytes added to the present block */
    char (*hex)[65];     /* of the present block */
} hashes;

static void add(hashes *hashes, const uint8_t *bytes, uint64_t count)
{
    while (count > 0) {
        const uint64_t left = hashes->each - hashes->done, some = count < left ? count : left;
        if (hashes->done == 0)
            clup_sha256_start(&hashes->state);
        clup_sha256_add(&hashes->state, bytes, some);
        hashes->done += some;
        if (hashes->done == hashes->each) {
            clup_sha256_finish(&hashes->state, *hashes->hex++);
            hashes->done = 0;
        }
        bytes += some;
        count -= some;
    }
}

clup_status clup_simulation_hash(clup_simulation *simulation, uint32_t systems, char (*hex)[65])
{
    CLUP_NEED(simulation);
    CLUP_NEED(hex);
    const clup_problem *problem = &simulation->problem;
    const uint32_t replicas = clup_problem_replicas(problem);
    const uint64_t all = clup_simulation_rows(simulation), each = clup_spin_bytes(problem),
                   row = problem->size[0] * each;
    hashes hashes = {.each = systems * clup_problem_sites(problem) * each, .hex = hex};
    if (systems == 0 || replicas % systems != 0)
        return clup_fail(CLUP_ERROR_USAGE, "%u replicas are not hashed by %u", replicas, systems);
    uint8_t *spins = malloc(clup_simulation_piece(simulation, 0) * row);
    clup_status status = spins != NULL ? CLUP_OK : clup_fail_memory("the spins");
    for (uint64_t first = 0, count; first < all && status == CLUP_OK; first += count) {
        count = clup_simulation_piece(simulation, first);
        status = clup_simulation_read_places(simulation, first, count, spins);
        if (status == CLUP_OK)
            add(&hashes, spins, count * row);
    }
    free(spins);
    return status;
}
