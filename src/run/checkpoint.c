/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: copies the state of a simulation into one, and puts it into another simulation. */
#include "run/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "core/couplings.h"
#include "core/generator.h"
#include "core/method.h"
#include "core/model.h"
#include "core/vector.h"
#include "run/simulation.h"

clup_packing clup_packing_of(const clup_problem *problem)
{
    const uint64_t sites = clup_problem_sites(problem);
    return clup_spin_numbers(problem) > 0
               ? (clup_packing){(unsigned)clup_spin_bytes(problem), sites, true}
               : (clup_packing){clup_spin_planes(problem->q), (sites + 7) / 8, false};
}

void clup_spins_pack(clup_packing packing, const uint8_t *spins, uint64_t first, uint64_t count,
                     uint8_t *packed)
{
    for (unsigned p = 0; p < packing.planes; p++, packed += packing.plane)
        if (packing.whole)
            for (uint64_t i = 0; i < count; i++)
                packed[first + i] = spins[packing.planes * i + p];
        else
            clup_bits_pack(spins, count, p, packed + first / 8);
}

void clup_spins_unpack(clup_packing packing, const uint8_t *packed, uint64_t first, uint64_t count,
                       uint8_t *spins)
{
    if (!packing.whole)
        memset(spins, 0, (size_t)count);
    for (unsigned p = 0; p < packing.planes; p++, packed += packing.plane)
        if (packing.whole)
            for (uint64_t i = 0; i < count; i++)
                spins[packing.planes * i + p] = packed[first + i];
        else
            clup_bits_unpack(packed + first / 8, count, p, spins);
}

void clup_checkpoint_free(clup_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    clup_record_free(checkpoint->said);
    free(checkpoint->betas);
    free(checkpoint->spins);
    free(checkpoint->records);
    free(checkpoint->tempering.systems);
    free(checkpoint->tempering.ends);
    free(checkpoint->tempering.measured_systems);
    free(checkpoint->tempering.attempts);
    free(checkpoint->tempering.accepted);
    free(checkpoint->tempering.trips);
    free(checkpoint);
}

const clup_problem *clup_checkpoint_problem(const clup_checkpoint *checkpoint)
{
    return checkpoint != NULL ? &checkpoint->problem : NULL;
}

const clup_method *clup_checkpoint_method(const clup_checkpoint *checkpoint)
{
    return checkpoint != NULL ? &checkpoint->method : NULL;
}

const clup_record *clup_checkpoint_said(const clup_checkpoint *checkpoint)
{
    return checkpoint != NULL ? checkpoint->said : NULL;
}

uint64_t clup_checkpoint_seed(const clup_checkpoint *checkpoint)
{
    return checkpoint != NULL ? checkpoint->seed : 0;
}

uint64_t clup_checkpoint_sweeps(const clup_checkpoint *checkpoint)
{
    return checkpoint != NULL ? checkpoint->sweeps : 0;
}

uint64_t clup_checkpoint_every(const clup_checkpoint *checkpoint)
{
    return checkpoint != NULL ? checkpoint->measuring.every : 0;
}

/* ---- from a simulation ----------------------------------------------------------------------- */

/* Packs the spins of a simulation into a checkpoint, or unpacks them from it, piece by piece. */
static clup_status move_spins(clup_simulation *simulation, const clup_checkpoint *checkpoint,
                              bool pack)
{
    const clup_packing packing = clup_packing_of(&checkpoint->problem);
    const uint64_t nx = checkpoint->problem.size[0],
                   sites = clup_problem_sites(&checkpoint->problem),
                   each = clup_spin_bytes(&checkpoint->problem),
                   all = clup_simulation_rows(simulation),
                   most = clup_simulation_piece(simulation, 0);
    clup_status status = CLUP_OK;
    uint8_t *spins = malloc(most * nx * each);
    if (spins == NULL)
        return clup_fail_memory("the spins");
    for (uint64_t first = 0, count; first < all && status == CLUP_OK; first += count) {
        count = clup_simulation_piece(simulation, first);
        if (pack)
            status = clup_simulation_read_places(simulation, first, count, spins);
        for (uint64_t done = 0, some; done < count * nx && status == CLUP_OK; done += some) {
            /* a piece is of whole systems, or begins at a whole byte of one */
            const uint64_t at = first * nx + done, site = at % sites;
            uint8_t *packed = checkpoint->spins + at / sites * packing.planes * packing.plane;
            some = count * nx - done < sites - site ? count * nx - done : sites - site;
            if (pack)
                clup_spins_pack(packing, spins + done * each, site, some, packed);
            else
                clup_spins_unpack(packing, packed, site, some, spins + done * each);
        }
        if (!pack && status == CLUP_OK)
            status = clup_simulation_set_rows(simulation, first, count, spins);
    }
    free(spins);
    return status;
}

static clup_status take_spins(clup_simulation *simulation, clup_checkpoint *checkpoint)
{
    const clup_packing packing = clup_packing_of(&checkpoint->problem);
    checkpoint->spins = calloc(clup_problem_replicas(&checkpoint->problem),
                               (size_t)(packing.planes * packing.plane));
    return checkpoint->spins != NULL ? move_spins(simulation, checkpoint, true)
                                     : clup_fail_memory("the spins");
}

/* All records, those that are left out too, one after the other; NULL where there is no memory. */
static uint32_t *copy_records(const clup_sweep_records *given)
{
    const uint32_t *first;
    clup_sweep_records all = *given, *const records = &all;
    clup_sweep_records_leave_out(&all, 0);
    const size_t words = (size_t)records->words * records->replicas;
    size_t count, apart, at = 0;
    uint32_t *copy = calloc(records->count + 1, words * sizeof *copy);
    for (size_t chunk = 0;
         copy != NULL && (count = clup_sweep_records_of(records, chunk, 0, &first, &apart)) > 0;
         chunk++, at += count)
        memcpy(copy + at * words, first, count * words * sizeof *first);
    return copy;
}

static clup_status take_records(const clup_simulation *simulation, clup_checkpoint *checkpoint)
{
    checkpoint->measured = simulation->records.count + simulation->records.left_out;
    checkpoint->records = copy_records(&simulation->records);
    return checkpoint->records != NULL ? CLUP_OK : clup_fail_memory("the series");
}

static void *copy_of(const void *from, size_t bytes)
{
    void *copy = malloc(bytes);
    return copy != NULL ? memcpy(copy, from, bytes) : NULL;
}

static clup_status take_tempering(const clup_ladders *ladders, clup_checkpoint *checkpoint)
{
    const uint32_t replicas = checkpoint->problem.replicas;
    if (ladders == NULL)
        return CLUP_OK;
    checkpoint->tempering.every = ladders->every;
    checkpoint->tempering.systems = copy_of(ladders->systems, replicas * sizeof(uint32_t));
    checkpoint->tempering.ends = copy_of(ladders->ends, replicas * sizeof(uint32_t));
    checkpoint->tempering.attempts = copy_of(ladders->attempts, replicas * sizeof(uint64_t));
    checkpoint->tempering.accepted = copy_of(ladders->accepted, replicas * sizeof(uint64_t));
    checkpoint->tempering.trips = copy_of(ladders->trips, replicas * sizeof(uint64_t));
    checkpoint->tempering.measured_systems = copy_records(&ladders->history);
    return checkpoint->tempering.systems != NULL && checkpoint->tempering.ends != NULL &&
                   checkpoint->tempering.attempts != NULL &&
                   checkpoint->tempering.accepted != NULL && checkpoint->tempering.trips != NULL &&
                   checkpoint->tempering.measured_systems != NULL
               ? CLUP_OK
               : clup_fail_memory("the ladders");
}

clup_status clup_checkpoint_take(clup_simulation *simulation, clup_checkpoint **out)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    clup_status status = CLUP_OK;
    *out = NULL;
    if (simulation->streams)
        return clup_fail(CLUP_ERROR_USAGE,
                         "the random numbers of '%s' are those of a device and its plan: a "
                         "simulation that is saved has philox",
                         simulation->method.rng);
    clup_checkpoint *checkpoint = calloc(1, sizeof *checkpoint);
    if (checkpoint == NULL)
        return clup_fail_memory("the checkpoint");
    checkpoint->problem = simulation->problem;
    checkpoint->problem.replicas = replicas;
    checkpoint->problem.betas = NULL;
    checkpoint->method = simulation->method;
    checkpoint->seed = simulation->seed;
    checkpoint->sweeps = simulation->sweeps;
    checkpoint->measuring = simulation->engine->measuring;
    if (simulation->several) {
        if ((checkpoint->betas = calloc(replicas, sizeof *checkpoint->betas)) == NULL)
            CLUP_TRY(clup_fail_memory("the checkpoint"));
        memcpy(checkpoint->betas, simulation->betas, replicas * sizeof *checkpoint->betas);
        checkpoint->problem.betas = checkpoint->betas;
        checkpoint->problem.beta = *checkpoint->betas;
    }
    CLUP_TRY(take_spins(simulation, checkpoint));
    CLUP_TRY(take_records(simulation, checkpoint));
    CLUP_TRY(take_tempering(simulation->ladders, checkpoint));
    *out = checkpoint;
done:
    if (status != CLUP_OK)
        clup_checkpoint_free(checkpoint);
    return status;
}

/* ---- to a simulation ------------------------------------------------------------------------- */

clup_status clup_checkpoint_check(const clup_checkpoint *checkpoint)
{
    const clup_problem *problem = &checkpoint->problem;
    const clup_measuring *measuring = &checkpoint->measuring;
    const clup_generator *rng;
    clup_status status;
    CLUP_TRY(clup_method_check(problem, &checkpoint->method));
    CLUP_TRY(clup_model_check_runner(problem, CLUP_RUNNER_simulation));
    CLUP_TRY(clup_generator_named(checkpoint->method.rng, &rng));
    if (rng->words > 0)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "its random numbers are those of '%s'", rng->name));
    if (measuring->every < 1 || measuring->every > INT32_MAX ||
        measuring->before >= measuring->every)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "its sweeps are measured every %u, %u after one",
                           measuring->every, measuring->before));
    if (clup_measure_format_of(problem, checkpoint->method.algorithm,
                               measuring->format & ~RECORD_LENGTHS) != measuring->format)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "its records have the form %u, unknown here",
                           measuring->format));
    if (checkpoint->sweeps >= CLUP_SWEEPS_ALL)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "it has %llu sweeps",
                           (unsigned long long)checkpoint->sweeps));
done:
    return status;
}

clup_status clup_checkpoint_check_measured(const clup_checkpoint *checkpoint)
{
    const clup_measuring *measuring = &checkpoint->measuring;
    return measuring->before <= checkpoint->sweeps &&
                   checkpoint->measured <=
                       (checkpoint->sweeps - measuring->before) / measuring->every
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_RUNTIME,
                           "of %llu sweeps %llu are measured, one in %u, and %u after the last",
                           (unsigned long long)checkpoint->sweeps,
                           (unsigned long long)checkpoint->measured, measuring->every,
                           measuring->before);
}

/* Whether systems[] has each system once, and each in the ladder of its number. */
static bool are_places(const uint32_t *systems, uint32_t replicas, uint32_t ladders, bool *seen)
{
    memset(seen, 0, replicas * sizeof *seen);
    for (uint32_t r = 0; r < replicas; r++) {
        if (systems[r] >= replicas || seen[systems[r]] || systems[r] % ladders != r % ladders)
            return false;
        seen[systems[r]] = true;
    }
    return true;
}

clup_status clup_checkpoint_check_tempering(const clup_checkpoint *checkpoint)
{
    const uint32_t replicas = clup_problem_replicas(&checkpoint->problem);
    uint32_t ladders;
    bool right;
    if (checkpoint->tempering.every == 0)
        return CLUP_OK;
    if (checkpoint->problem.betas == NULL || checkpoint->tempering.every > CLUP_SWEEPS_ALL ||
        clup_ladders_of(checkpoint->betas, replicas, &ladders) != CLUP_OK)
        return clup_fail(CLUP_ERROR_RUNTIME, "its temperatures are not those of tempering");
    bool *seen = calloc(replicas, sizeof *seen);
    if (seen == NULL)
        return clup_fail_memory("the ladders");
    right = are_places(checkpoint->tempering.systems, replicas, ladders, seen);
    for (uint64_t k = 0; k < checkpoint->measured && right; k++)
        right = are_places(checkpoint->tempering.measured_systems + k * replicas, replicas, ladders,
                           seen);
    for (uint32_t r = 0; r < replicas && right; r++)
        right = checkpoint->tempering.ends[r] <= CLUP_TRIP_DOWN &&
                checkpoint->tempering.accepted[r] <= checkpoint->tempering.attempts[r];
    free(seen);
    return right ? CLUP_OK
                 : clup_fail(CLUP_ERROR_RUNTIME, "its systems are not one at each temperature");
}

/* Adds the records of so many sweeps. */
static clup_status put_records(const uint32_t *from, size_t count, clup_sweep_records *records)
{
    if (count == 0)
        return CLUP_OK;
    uint32_t *room = clup_sweep_records_room(records, count);
    if (room == NULL)
        return clup_fail_memory("the series");
    memcpy(room, from, count * records->words * records->replicas * sizeof *room);
    clup_sweep_records_add(records, count);
    return CLUP_OK;
}

static clup_status put_tempering(const clup_checkpoint *checkpoint, clup_simulation *simulation)
{
    const uint32_t replicas = clup_problem_replicas(&checkpoint->problem);
    if (checkpoint->tempering.every == 0)
        return CLUP_OK;
    const clup_status status = clup_simulation_temper(simulation, checkpoint->tempering.every);
    if (status != CLUP_OK)
        return status;
    clup_ladders *ladders = simulation->ladders;
    memcpy(ladders->systems, checkpoint->tempering.systems, replicas * sizeof(uint32_t));
    memcpy(ladders->ends, checkpoint->tempering.ends, replicas * sizeof(uint32_t));
    memcpy(ladders->attempts, checkpoint->tempering.attempts, replicas * sizeof(uint64_t));
    memcpy(ladders->accepted, checkpoint->tempering.accepted, replicas * sizeof(uint64_t));
    memcpy(ladders->trips, checkpoint->tempering.trips, replicas * sizeof(uint64_t));
    simulation->unsettled = true;
    return put_records(checkpoint->tempering.measured_systems, (size_t)checkpoint->measured,
                       &ladders->history);
}

clup_status clup_simulation_load(clup_context *context, const clup_checkpoint *checkpoint,
                                 const clup_plan *plan, clup_simulation **out)
{
    clup_status status;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(checkpoint);
    clup_simulation *simulation = NULL;
    CLUP_TRY(clup_simulation_create(context, &checkpoint->problem, &checkpoint->method, plan,
                                    checkpoint->seed, CLUP_START_ORDERED, &simulation));
    CLUP_TRY(clup_simulation_measure(simulation, &checkpoint->measuring));
    CLUP_TRY(put_tempering(checkpoint, simulation));
    CLUP_TRY(put_records(checkpoint->records, (size_t)checkpoint->measured, &simulation->records));
    CLUP_TRY(clup_simulation_go_to(simulation, checkpoint->sweeps));
    CLUP_TRY(move_spins(simulation, checkpoint, false));
    *out = simulation;
done:
    if (status != CLUP_OK)
        clup_simulation_free(simulation);
    return status;
}
