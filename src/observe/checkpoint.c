/* Checkpoints: what a simulation has come to is taken from one, and put into another. */
#include "observe/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "model/generator.h"
#include "model/model.h"
#include "observe/simulation.h"

void clup_spins_pack(const uint8_t *spins, uint64_t sites, unsigned planes, uint8_t *packed)
{
    const uint64_t bytes = clup_spins_plane(sites);
    memset(packed, 0, (size_t)(planes * bytes));
    for (unsigned plane = 0; plane < planes; plane++, packed += bytes)
        for (uint64_t i = 0; i < sites; i++)
            packed[i / 8] |= (uint8_t)((spins[i] >> plane & 1) << i % 8);
}

void clup_spins_unpack(const uint8_t *packed, uint64_t sites, unsigned planes, uint8_t *spins)
{
    const uint64_t bytes = clup_spins_plane(sites);
    memset(spins, 0, (size_t)sites);
    for (unsigned plane = 0; plane < planes; plane++, packed += bytes)
        for (uint64_t i = 0; i < sites; i++)
            spins[i] |= (uint8_t)((packed[i / 8] >> i % 8 & 1) << plane);
}

void clup_checkpoint_free(clup_checkpoint *checkpoint)
{
    if (checkpoint == NULL)
        return;
    clup_record_free(checkpoint->said);
    free(checkpoint->betas);
    free(checkpoint->spins);
    free(checkpoint->records);
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

/* Words of the records of a sweep. */
static size_t sweep_words(const clup_checkpoint *checkpoint)
{
    return (size_t)record_words(checkpoint->measuring.format) *
           clup_problem_replicas(&checkpoint->problem);
}

/* ---- from a simulation ----------------------------------------------------------------------- */

static clup_status take_spins(clup_simulation *simulation, clup_checkpoint *checkpoint)
{
    const uint32_t replicas = clup_problem_replicas(&checkpoint->problem);
    const uint64_t sites = clup_problem_sites(&checkpoint->problem);
    const unsigned planes = clup_spin_planes(checkpoint->problem.q);
    const uint64_t bytes = planes * clup_spins_plane(sites);
    uint8_t *spins = calloc(replicas, (size_t)sites);
    clup_status status = CLUP_OK;
    checkpoint->spins = calloc(replicas, (size_t)bytes);
    if (spins == NULL || checkpoint->spins == NULL)
        CLUP_TRY(clup_fail_memory("the spins"));
    CLUP_TRY(clup_simulation_spins(simulation, spins));
    for (uint32_t r = 0; r < replicas; r++)
        clup_spins_pack(spins + r * sites, sites, planes, checkpoint->spins + r * bytes);
done:
    free(spins);
    return status;
}

static clup_status take_records(const clup_simulation *simulation, clup_checkpoint *checkpoint)
{
    const size_t words = sweep_words(checkpoint);
    const uint32_t *first;
    size_t count, apart, at = 0;
    checkpoint->measured = simulation->records.count;
    if ((checkpoint->records = calloc((size_t)checkpoint->measured + 1,
                                      words * sizeof *checkpoint->records)) == NULL)
        return clup_fail_memory("the series");
    for (size_t chunk = 0;
         (count = clup_sweep_records_of(&simulation->records, chunk, 0, &first, &apart)) > 0;
         chunk++, at += count)
        memcpy(checkpoint->records + at * words, first, count * words * sizeof *first);
    return CLUP_OK;
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
    const lattice_args lattice = clup_lattice_args(problem);
    if (rng->words > 0)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "its random numbers are those of '%s'", rng->name));
    if (measuring->every < 1 || measuring->every > INT32_MAX ||
        measuring->before >= measuring->every)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "its sweeps are measured every %u, %u after one",
                           measuring->every, measuring->before));
    if (clup_measure_format(&lattice, problem->q, checkpoint->method.algorithm,
                            measuring->format & ~RECORD_LENGTHS) != measuring->format)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "its records have the form %u, unknown here",
                           measuring->format));
    if (checkpoint->sweeps >= CLUP_SWEEPS_ALL)
        CLUP_TRY(clup_fail(CLUP_ERROR_RUNTIME, "it has %llu sweeps",
                           (unsigned long long)checkpoint->sweeps));
done:
    return status;
}

static clup_status put_spins(const clup_checkpoint *checkpoint, clup_simulation *simulation)
{
    const uint32_t replicas = clup_problem_replicas(&checkpoint->problem);
    const uint64_t sites = clup_problem_sites(&checkpoint->problem);
    const unsigned planes = clup_spin_planes(checkpoint->problem.q);
    const uint64_t bytes = planes * clup_spins_plane(sites);
    uint8_t *spins = calloc(replicas, (size_t)sites);
    if (spins == NULL)
        return clup_fail_memory("the spins");
    for (uint32_t r = 0; r < replicas; r++)
        clup_spins_unpack(checkpoint->spins + r * bytes, sites, planes, spins + r * sites);
    const clup_status status = clup_simulation_set_state(simulation, checkpoint->sweeps, spins);
    free(spins);
    return status;
}

static clup_status put_records(const clup_checkpoint *checkpoint, clup_simulation *simulation)
{
    if (checkpoint->measured == 0)
        return CLUP_OK;
    uint32_t *room = clup_sweep_records_room(&simulation->records, (size_t)checkpoint->measured);
    if (room == NULL)
        return clup_fail_memory("the series");
    memcpy(room, checkpoint->records,
           (size_t)checkpoint->measured * sweep_words(checkpoint) * sizeof *room);
    clup_sweep_records_add(&simulation->records, (size_t)checkpoint->measured);
    return CLUP_OK;
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
    CLUP_TRY(put_records(checkpoint, simulation));
    CLUP_TRY(put_spins(checkpoint, simulation));
    *out = simulation;
done:
    if (status != CLUP_OK)
        clup_simulation_free(simulation);
    return status;
}
