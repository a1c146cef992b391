/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of lattices that stay in local memory. A launch does as many sweeps as fit the time that a
 * launch should take. */
#include "base/timing.h"
#include "family/resident.h"
#include "resident/resident.clh"

/* Seconds that a launch should take, at most about. */
#define LAUNCH_S 0.05
/* Number of launches that are timed, by waiting for them. The first may compile the kernel, and
 * does one sweep. */
#define TIMED 2

/* The tile is the whole lattice, in words. */
void clup_resident_tile(const lattice_args *lattice, unsigned tile[3])
{
    tile[0] = 32 * lattice->words;
    tile[1] = lattice->ny;
    tile[2] = 1;
}

size_t clup_resident_items(const unsigned tile[3])
{
    const lattice_args lattice = {.nx = tile[0], .ny = tile[1], .nz = 1, .words = tile[0] / 32};
    return resident_items(lattice);
}

size_t clup_resident_group(const clup_prepared *prepared)
{
    return clup_resident_items(prepared->tile);
}

uint64_t clup_resident_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)tile;
    return 4 * resident_memory(*lattice, clup_spin_planes(q), clup_spin_field(q), q);
}

/* Enqueues sweeps first to last - 1, counted from the sweep of the state's key. */
static clup_status launch(clup_prepared *prepared, cl_uint first, cl_uint last, cl_mem records)
{
    const clup_state *state = prepared->state;
    const clup_measuring *measuring = &state->measuring;
    const cl_uint every = records != NULL ? measuring->every : 0;
    const cl_mem none = state->updated, /* a buffer that the kernel neither reads nor writes */
        to = every > 0 ? records : none, table = state->modes != NULL ? state->modes : none;
    const clup_arg memory = {clup_resident_bytes(&state->lattice, prepared->tile, state->q), NULL,
                             "memory"};
    return clup_prepared_launch_groups(
        prepared, 0, 1, clup_resident_group(prepared),
        CLUP_WITH(CLUP_ARG(first), CLUP_ARG(last), CLUP_ARG(every),
                  CLUP_ARG_AS(before, measuring->before), CLUP_ARG_AS(format, measuring->format),
                  CLUP_ARG(table), CLUP_ARG_AS(records, to), memory));
}

clup_status clup_run_resident(clup_prepared *prepared)
{
    return launch(prepared, 0, 1, NULL);
}

clup_status clup_run_resident_many(clup_prepared *prepared, unsigned count, cl_mem records,
                                   unsigned *done)
{
    clup_status status = CLUP_OK;
    for (*done = 0; *done < count;) {
        const unsigned first = *done;
        /* one sweep until the time of a sweep is known */
        const double fitting = prepared->sweep_s > 0 ? LAUNCH_S / prepared->sweep_s : 1;
        const unsigned sweeps = fitting < 1 || prepared->state->context->quirks.short_loops ? 1
                                : fitting < count - first ? (unsigned)fitting
                                                          : count - first;
        const double start = clup_now_s();
        CLUP_TRY(launch(prepared, first, first + sweeps, records));
        *done += sweeps;
        if (prepared->timed == TIMED)
            continue;
        CLUP_TRY(clup_queue_wait(prepared->state->context, sweeps * prepared->sweep_s));
        prepared->sweep_s = (clup_now_s() - start) / sweeps;
        prepared->timed++;
    }
done:
    return status;
}
