/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel tempering in a simulation: all callers see places, each with its temperature; only the
 * engine sees systems. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/couplings.h"
#include "core/disorder.h"
#include "core/model.h"
#include "estimate/overlap.h"
#include "run/measure.h"
#include "run/simulation.h"

static uint32_t replicas_of(const clup_simulation *simulation)
{
    return clup_problem_replicas(&simulation->problem);
}

/* Gives the engine for each system the system at the place that is the partner of its place. */
static clup_status settle_partners(const clup_simulation *simulation, const uint32_t *of_places,
                                   clup_status (*set)(clup_engine *engine,
                                                      const uint32_t *partners))
{
    clup_engine *engine = simulation->engine;
    const clup_ladders *ladders = simulation->ladders;
    const uint32_t replicas = replicas_of(simulation);
    if (ladders == NULL)
        return set(engine, of_places);
    uint32_t *partners = malloc(replicas * sizeof *partners);
    if (partners == NULL)
        return clup_fail_memory("the replicas");
    for (uint32_t r = 0; r < replicas; r++)
        partners[ladders->systems[r]] = ladders->systems[of_places[r]];
    const clup_status status = set(engine, partners);
    free(partners);
    return status;
}

clup_status clup_simulation_settle(clup_simulation *simulation)
{
    clup_engine *engine = simulation->engine;
    const clup_ladders *ladders = simulation->ladders;
    const double *betas = simulation->betas;
    if (!simulation->unsettled)
        return CLUP_OK;
    if (ladders != NULL) {
        for (uint32_t r = 0; r < replicas_of(simulation); r++)
            ladders->betas[ladders->systems[r]] = betas[r];
        betas = ladders->betas;
    }
    clup_status status = engine->kind->set_betas(engine, betas);
    if (status == CLUP_OK && (engine->measuring.format & RECORD_OVERLAP))
        status = settle_partners(simulation, simulation->partners, engine->kind->set_partners);
    if (status == CLUP_OK && simulation->method.houdayer > 0)
        status = settle_partners(simulation, simulation->mates, engine->kind->set_mates);
    simulation->unsettled = status != CLUP_OK;
    return status;
}

uint64_t clup_simulation_to_exchange(const clup_simulation *simulation)
{
    const clup_ladders *ladders = simulation->ladders;
    return ladders != NULL ? ladders->every - simulation->sweeps % ladders->every : UINT64_MAX;
}

clup_status clup_simulation_ready_places(clup_simulation *simulation)
{
    return simulation->ladders != NULL
               ? clup_ladders_reserve(simulation->ladders, simulation->records.words)
               : CLUP_OK;
}

/* Lets systems change places by the records of the last sweep, which are sorted by places. */
static void exchange(clup_simulation *simulation, const uint32_t *records, uint32_t format)
{
    clup_ladders *ladders = simulation->ladders;
    for (uint32_t r = 0; r < replicas_of(simulation); r++)
        ladders->satisfied[r] =
            clup_sweep_record_get(records + (size_t)r * record_words(format), format).satisfied;
    clup_ladders_swap(ladders, simulation->seed, simulation->problem.first_replica,
                      simulation->sweeps - 1, simulation->betas,
                      clup_problem_classes(&simulation->problem).unit, ladders->satisfied);
    simulation->unsettled = true;
}

void clup_simulation_take_places(clup_simulation *simulation, uint32_t *records,
                                 const clup_measuring *measuring, unsigned sweeps, bool is_exchange)
{
    clup_ladders *ladders = simulation->ladders;
    const uint32_t words = record_words(measuring->format), replicas = replicas_of(simulation);
    const unsigned count = clup_measuring_records(measuring, sweeps);
    const size_t row = (size_t)replicas * words;
    for (unsigned k = 0; k < count; k++)
        clup_ladders_sort(ladders, words, records + k * row);
    if (records != ladders->row && count > 0) {
        uint32_t *systems = clup_sweep_records_room(&ladders->history, count);
        for (unsigned k = 0; k < count; k++)
            memcpy(systems + (size_t)k * replicas, ladders->systems, replicas * sizeof *systems);
        clup_sweep_records_add(&ladders->history, count);
    }
    if (is_exchange)
        exchange(simulation, records + (count - 1) * row, measuring->format);
}

/* Moves all systems at once, in the order of places: many small ones would take long one by one. */
static clup_status transfer_all(clup_simulation *simulation, const uint8_t *write, uint8_t *read)
{
    const uint32_t *systems = simulation->ladders->systems, replicas = replicas_of(simulation);
    const uint64_t system = clup_problem_sites(&simulation->problem) *
                            clup_spin_bytes(&simulation->problem),
                   rows = clup_simulation_rows(simulation);
    clup_engine *engine = simulation->engine;
    uint8_t *by_systems = malloc(replicas * system);
    clup_status status = by_systems != NULL ? CLUP_OK : clup_fail_memory("the spins");
    for (uint32_t r = 0; r < replicas && write != NULL && status == CLUP_OK; r++)
        memcpy(by_systems + systems[r] * system, write + r * system, system);
    if (status == CLUP_OK)
        status = write != NULL ? engine->kind->write_rows(engine, 0, rows, by_systems)
                               : engine->kind->read_rows(engine, 0, rows, by_systems);
    for (uint32_t r = 0; r < replicas && write == NULL && status == CLUP_OK; r++)
        memcpy(read + r * system, by_systems + systems[r] * system, system);
    free(by_systems);
    return status;
}

/* Moves rows of all places, system by system. */
static clup_status transfer_places(clup_simulation *simulation, uint64_t first, uint64_t count,
                                   const uint8_t *write, uint8_t *read)
{
    const clup_ladders *ladders = simulation->ladders;
    const uint64_t nx = simulation->problem.size[0],
                   rows = clup_problem_sites(&simulation->problem) / nx,
                   bytes = nx * clup_spin_bytes(&simulation->problem);
    clup_engine *engine = simulation->engine;
    clup_status status = CLUP_OK;
    if (ladders == NULL)
        return write != NULL ? engine->kind->write_rows(engine, first, count, write)
                             : engine->kind->read_rows(engine, first, count, read);
    if (count == clup_simulation_rows(simulation))
        return transfer_all(simulation, write, read);
    for (uint64_t done = 0, some; done < count && status == CLUP_OK; done += some) {
        const uint64_t place = (first + done) / rows, row = (first + done) % rows,
                       from = ladders->systems[place] * rows + row;
        some = count - done < rows - row ? count - done : rows - row;
        status = write != NULL ? engine->kind->write_rows(engine, from, some, write + done * bytes)
                               : engine->kind->read_rows(engine, from, some, read + done * bytes);
    }
    return status;
}

clup_status clup_simulation_read_places(clup_simulation *simulation, uint64_t first, uint64_t count,
                                        uint8_t *spins)
{
    return transfer_places(simulation, first, count, NULL, spins);
}

clup_status clup_simulation_write_places(clup_simulation *simulation, uint64_t first,
                                         uint64_t count, const uint8_t *spins)
{
    return transfer_places(simulation, first, count, spins, NULL);
}

/* ---- what a program asks for ----------------------------------------------------------------- */

clup_status clup_simulation_temper(clup_simulation *simulation, uint64_t every)
{
    CLUP_NEED(simulation);
    if (every < 1 || every > CLUP_SWEEPS_ALL)
        return clup_fail(CLUP_ERROR_USAGE,
                         "places change every %llu sweeps: from 1 to 2^48 are possible",
                         (unsigned long long)every);
    if (simulation->ladders != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "the systems change places already");
    if (simulation->records.count > 0)
        return clup_fail(CLUP_ERROR_USAGE, "sweeps were measured already");
    const uint32_t samples = simulation->problem.disorder_samples;
    uint32_t ladders;
    const clup_status status = clup_ladders_of(simulation->betas, replicas_of(simulation),
                                               &ladders);
    if (status == CLUP_OK && clup_has_samples(&simulation->problem) &&
        (samples == 0 || ladders % samples != 0))
        return clup_fail(CLUP_ERROR_USAGE,
                         "systems that change places need the same disorder: disorder_samples = %u "
                         "is no divisor of the number of ladders, %u",
                         samples, ladders);
    return status == CLUP_OK ? clup_ladders_create(simulation->betas, replicas_of(simulation),
                                                   every, &simulation->ladders)
                             : status;
}

clup_status clup_simulation_set_betas(clup_simulation *simulation, const double *betas)
{
    CLUP_NEED(simulation);
    CLUP_NEED(betas);
    clup_problem problem = simulation->problem;
    const bool overlaps = (simulation->engine->measuring.format & RECORD_OVERLAP) != 0,
               moves = simulation->method.houdayer > 0;
    uint32_t ladders;
    problem.betas = betas;
    clup_status status = clup_problem_check(&problem);
    if (status == CLUP_OK && overlaps)
        status = clup_problem_partners(&problem, NULL);
    if (status == CLUP_OK && moves)
        status = clup_problem_mates(&problem, NULL);
    if (status == CLUP_OK && simulation->ladders != NULL &&
        (status = clup_ladders_of(betas, replicas_of(simulation), &ladders)) == CLUP_OK &&
        ladders != simulation->ladders->ladders)
        status = clup_fail(CLUP_ERROR_USAGE, "%u systems at each beta: there are %u ladders",
                           ladders, simulation->ladders->ladders);
    if (status != CLUP_OK)
        return status;
    if (overlaps && (status = clup_problem_partners(&problem, simulation->partners)) != CLUP_OK)
        return status;
    if (moves && (status = clup_problem_mates(&problem, simulation->mates)) != CLUP_OK)
        return status;
    memcpy(simulation->betas, betas, replicas_of(simulation) * sizeof *betas);
    clup_simulation_find_alike(simulation);
    simulation->several = true;
    simulation->unsettled = true;
    clup_simulation_forget(simulation);
    return CLUP_OK;
}

clup_status clup_simulation_tempering(const clup_simulation *simulation, clup_tempering *tempering)
{
    CLUP_NEED(simulation);
    CLUP_NEED(tempering);
    const clup_ladders *ladders = simulation->ladders;
    *tempering = (clup_tempering){0};
    if (ladders == NULL)
        return CLUP_OK;
    tempering->ladders = ladders->ladders;
    tempering->rungs = ladders->rungs;
    tempering->every = ladders->every;
    for (uint32_t r = 0; r < replicas_of(simulation); r++)
        tempering->round_trips += ladders->trips[r];
    return CLUP_OK;
}

static clup_status check_number(const clup_simulation *simulation, uint32_t number)
{
    if (simulation->ladders == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "no system leaves its place: there is no tempering");
    return number < replicas_of(simulation)
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "there is no replica %u", number);
}

clup_status clup_simulation_rung(const clup_simulation *simulation, uint32_t replica,
                                 clup_rung *rung)
{
    CLUP_NEED(simulation);
    CLUP_NEED(rung);
    const clup_status status = check_number(simulation, replica);
    if (status != CLUP_OK)
        return status;
    const clup_ladders *ladders = simulation->ladders;
    *rung = (clup_rung){.beta = simulation->betas[replica],
                        .ladder = replica % ladders->ladders,
                        .rung = replica / ladders->ladders,
                        .system = ladders->systems[replica],
                        .attempts = ladders->attempts[replica],
                        .accepted = ladders->accepted[replica]};
    return CLUP_OK;
}

clup_status clup_simulation_walker(const clup_simulation *simulation, uint32_t system,
                                   clup_walker *walker)
{
    CLUP_NEED(simulation);
    CLUP_NEED(walker);
    const clup_status status = check_number(simulation, system);
    if (status != CLUP_OK)
        return status;
    const clup_ladders *ladders = simulation->ladders;
    *walker = (clup_walker){.round_trips = ladders->trips[system]};
    while (ladders->systems[walker->replica] != system)
        walker->replica++;
    return CLUP_OK;
}

clup_status clup_simulation_systems(const clup_simulation *simulation, uint32_t replica,
                                    uint64_t first, uint64_t count, uint32_t *systems)
{
    CLUP_NEED(simulation);
    CLUP_NEED(systems);
    const clup_status status = check_number(simulation, replica);
    if (status != CLUP_OK)
        return status;
    const clup_sweep_records *history = &simulation->ladders->history;
    if (first > history->count || count > history->count - first)
        return clup_fail(CLUP_ERROR_USAGE, "%llu sweeps from number %llu on: %zu were measured",
                         (unsigned long long)count, (unsigned long long)first, history->count);
    const uint32_t *from;
    size_t known, apart;
    uint64_t before = 0;
    for (size_t chunk = 0;
         (known = clup_sweep_records_of(history, chunk, replica, &from, &apart)) > 0;
         chunk++, before += known)
        for (size_t k = 0; k < known; k++)
            if (before + k >= first && before + k - first < count)
                systems[before + k - first] = from[k * apart];
    return CLUP_OK;
}
