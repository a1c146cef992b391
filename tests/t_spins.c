/* SPDX-License-Identifier: BSD-3-Clause */
/* The spins of a simulation, read or set in pieces: first spins, some rows, hashes, files and
 * checkpoints do not depend on the pieces. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "run/simulation.h"
#include "tap.h"

enum { SWEEPS = 3 };
static const char path[] = "t_spins.npy", saved[] = "t_spins.h5";

static clup_simulation *begin(clup_context *context, const clup_problem *problem, bool tempering,
                              uint64_t piece)
{
    clup_simulation *simulation;
    clup_piece_sites = piece;
    NEED(clup_simulation_create(context, problem, NULL, NULL, 5, CLUP_START_RANDOM, &simulation));
    if (tempering)
        NEED(clup_simulation_temper(simulation, 1));
    NEED(clup_simulation_run(simulation, SWEEPS, 1, NULL, NULL));
    return simulation;
}

/* Whether the file at path ends with these bytes. */
static bool file_has(const uint8_t *spins, size_t count)
{
    FILE *from = fopen(path, "rb");
    uint8_t *found = malloc(count);
    const bool same = from != NULL && fseek(from, -(long)count, SEEK_END) == 0 &&
                      fread(found, 1, count, from) == count && memcmp(found, spins, count) == 0;
    if (from != NULL)
        fclose(from);
    free(found);
    return same;
}

static void check(clup_context *context, const clup_problem *problem, bool tempering,
                  const char *what)
{
    const uint32_t replicas = clup_problem_replicas(problem);
    const uint64_t sites = clup_problem_sites(problem), nx = problem->size[0],
                   rows = replicas * (sites / nx);
    uint8_t *spins = malloc(replicas * sites), *some = malloc(replicas * sites);
    char wanted[65], (*hex)[65] = calloc(replicas, sizeof *hex);
    clup_simulation *whole = begin(context, problem, tempering, UINT64_MAX / 2), *loaded = NULL;
    clup_checkpoint *checkpoint;
    NEED(clup_simulation_spins(whole, spins));
    clup_simulation_free(whole);
    clup_simulation *pieces = begin(context, problem, tempering, 1);
    ok(clup_simulation_piece(pieces, 0) <= 8, "%s: pieces of eight rows", what);
    NEED(clup_simulation_spins(pieces, some));
    ok(memcmp(spins, some, replicas * sites) == 0, "%s: the same spins to start from", what);
    memset(some, 9, replicas * sites);
    for (uint64_t first = 0, count; first < rows; first += count) {
        count = rows - first < 5 ? rows - first : 5;
        NEED(clup_simulation_spin_rows(pieces, first, count, some + first * nx));
    }
    ok(memcmp(spins, some, replicas * sites) == 0, "%s: five rows at a time", what);
    NEED(clup_simulation_hash(pieces, 1, hex));
    bool right = true;
    for (uint32_t r = 0; r < replicas; r++) {
        clup_sha256(spins + r * sites, sites, wanted);
        right = right && strcmp(hex[r], wanted) == 0;
    }
    ok(right, "%s: a hash of each system", what);
    NEED(clup_simulation_hash(pieces, replicas, hex));
    clup_sha256(spins, replicas * sites, wanted);
    ok(strcmp(hex[0], wanted) == 0, "%s: one of all", what);
    NEED(clup_simulation_write_spins(pieces, path));
    ok(file_has(spins, replicas * sites), "%s: a file", what);
    if (clup_hdf5_version() != NULL) {
        NEED(clup_simulation_save(pieces, NULL, saved));
        NEED(clup_checkpoint_read(saved, &checkpoint));
        NEED(clup_simulation_load(context, checkpoint, NULL, &loaded));
        clup_checkpoint_free(checkpoint);
        NEED(clup_simulation_spins(loaded, some));
        ok(memcmp(spins, some, replicas * sites) == 0, "%s: a checkpoint", what);
        clup_simulation_free(loaded);
    }
    ok(clup_simulation_spin_rows(pieces, rows, 1, some) == CLUP_ERROR_USAGE &&
           clup_simulation_spin_rows(pieces, 1, UINT64_MAX, some) == CLUP_ERROR_USAGE &&
           clup_simulation_hash(pieces, replicas + 1, hex) == CLUP_ERROR_USAGE,
       "%s: rows and hashes that there are not", what);
    clup_simulation_free(pieces);
    free(spins);
    free(some);
    free(hex);
}

int main(void)
{
    static const double betas[] = {0.6, 0.8, 0.9, 1.0, 1.2};
    static const clup_problem square = {.size = {45, 70}, .periodic = {1, 1}, .q = 3, .beta = 0.9},
                              several = {.lattice = CLUP_LATTICE_CUBIC,
                                         .size = {33, 7, 5},
                                         .periodic = {1, 0, 1},
                                         .q = 5,
                                         .replicas = 5,
                                         .betas = betas,
                                         .first_replica = 6},
                              small = {.size = {5, 3}, .q = 2, .replicas = 5, .betas = betas};
    clup_context *context;
    const uint64_t piece = clup_piece_sites;
    NEED(clup_context_create(NULL, &context));
    for (unsigned host = 0; host < 2; host++) {
        clup_context *const on = host ? NULL : context;
        check(on, &square, false, host ? "host, one system" : "device, one system");
        check(on, &several, false, host ? "host, systems" : "device, systems");
        check(on, &several, true, host ? "host, tempering" : "device, tempering");
        check(on, &small, false, host ? "host, small systems" : "device, small systems");
        check(on, &small, true, host ? "host, small, tempering" : "device, small, tempering");
    }
    clup_piece_sites = piece;
    clup_context_free(context);
    remove(path);
    remove(saved);
    return done_testing();
}
