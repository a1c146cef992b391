/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a simulation, and gives its state, its series, and the time it took. */
#include <math.h>
#include <stdlib.h>

#include "core/couplings.h"
#include "core/vector.h"
#include "core/disorder.h"
#include "core/model.h"
#include "run/measure.h"
#include "estimate/modes.h"
#include "estimate/overlap.h"
#include "run/simulation.h"

static uint64_t sites_of(const clup_simulation *simulation)
{
    return clup_problem_sites(&simulation->problem);
}

static clup_status start_spins(clup_simulation *simulation, uint64_t seed, clup_start start)
{
    lattice_args lattice = clup_lattice_args(&simulation->problem);
    const uint64_t row = lattice.nx * clup_spin_bytes(&simulation->problem);
    if (start == CLUP_START_ORDERED && clup_spin_numbers(&simulation->problem) <= 1)
        return CLUP_OK; /* spins are created as zeros */
    const uint64_t rows = lattice_rows(lattice), all = clup_simulation_rows(simulation),
                   most = clup_simulation_piece(simulation, 0);
    uint8_t *spins = malloc(most * row);
    clup_status status = spins != NULL ? CLUP_OK : clup_fail_memory("the spins");
    for (uint64_t first = 0, count; first < all && status == CLUP_OK; first += count) {
        count = clup_simulation_piece(simulation, first);
        lattice_args some = lattice;
        some.ny = (uint32_t)(count < rows ? count : rows);
        some.nz = 1;
        some.rows_before = first % rows;
        for (uint64_t k = 0; k < count; k += some.ny) {
            const uint32_t r = (uint32_t)((first + k) / rows);
            clup_start_spins(&some, &simulation->problem,
                             clup_random_key(seed, simulation->problem.first_replica + r, 0), start,
                             spins + k * row);
        }
        status = simulation->engine->kind->write_rows(simulation->engine, first, count, spins);
    }
    free(spins);
    return status;
}

/* Finds the energy of each replica without satisfied bonds, its links and vacant sites; replicas
 * with a sample of disorder that an earlier one has need not count its bonds again. */
static clup_status set_unsatisfied(clup_simulation *simulation)
{
    const clup_problem *problem = &simulation->problem;
    const bool alike = !clup_has_absent_bonds(problem) && problem->disorder[CLUP_NORMAL] == 0 &&
                       !(clup_has_matrix(problem) && clup_has_random_signs(problem));
    const uint32_t replicas = clup_problem_replicas(problem),
                   period = alike ? 1 : clup_disorder_period(problem);
    clup_status status = CLUP_OK;
    for (uint32_t r = 0; r < replicas; r++) {
        clup_present present;
        const uint32_t known = r >= period ? r - period : r;
        simulation->links[r] = 0;
        if (known < r) {
            simulation->unsatisfied[r] = simulation->unsatisfied[known];
            simulation->links[r] = simulation->links[known];
            simulation->vacant[r] = simulation->vacant[known];
            continue;
        }
        CLUP_TRY(clup_disorder_count(problem, r, &present));
        CLUP_TRY(clup_vacancies_find(problem, r, &simulation->vacant[r]));
        simulation->unsatisfied[r] = clup_energy_unsatisfied(problem, &present);
        for (unsigned d = 0; d < clup_problem_directions(problem) && clup_has_links(problem); d++)
            simulation->links[r] += (double)present.bonds[d];
    }
done:
    return status;
}

/* Makes the arrays that have an element for each replica. */
static clup_status make_replicas(clup_simulation *simulation)
{
    const uint32_t replicas = clup_problem_replicas(&simulation->problem);
    simulation->betas = malloc(replicas * sizeof *simulation->betas);
    simulation->alike = malloc(replicas * sizeof *simulation->alike);
    simulation->asked = calloc(1, sizeof *simulation->asked);
    simulation->records.replicas = replicas;
    simulation->unsatisfied = malloc(replicas * sizeof *simulation->unsatisfied);
    simulation->links = malloc(replicas * sizeof *simulation->links);
    simulation->vacant = calloc(replicas, sizeof *simulation->vacant);
    simulation->partners = malloc(replicas * sizeof *simulation->partners);
    simulation->mates = malloc(replicas * sizeof *simulation->mates);
    if (simulation->betas == NULL || simulation->alike == NULL || simulation->asked == NULL ||
        simulation->unsatisfied == NULL || simulation->links == NULL ||
        simulation->vacant == NULL || simulation->partners == NULL || simulation->mates == NULL)
        return clup_fail_memory("the replicas");
    for (uint32_t r = 0; r < replicas; r++)
        simulation->betas[r] = clup_problem_beta(&simulation->problem, r);
    clup_simulation_find_alike(simulation);
    simulation->several = simulation->problem.betas != NULL;
    simulation->problem.betas = simulation->betas;
    return set_unsatisfied(simulation);
}

clup_status clup_simulation_create(clup_context *context, const clup_problem *problem,
                                   const clup_method *method, const clup_plan *plan, uint64_t seed,
                                   clup_start start, clup_simulation **out)
{
    clup_status status = CLUP_OK;
    clup_simulation *simulation = NULL;
    const clup_generator *rng;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_TRY(clup_problem_check(problem));
    CLUP_TRY(clup_model_check_runner(problem, CLUP_RUNNER_simulation));
    if (start != CLUP_START_ORDERED && start != CLUP_START_RANDOM)
        CLUP_TRY(clup_fail(CLUP_ERROR_USAGE, "start %d is not known", (int)start));
    if ((simulation = calloc(1, sizeof *simulation)) == NULL)
        return clup_fail_memory("the simulation");
    simulation->problem = *problem;
    simulation->method = method != NULL ? *method : (clup_method){0};
    simulation->seed = seed;
    CLUP_TRY(make_replicas(simulation));
    CLUP_TRY(clup_engine_create(context, problem, method, plan, seed, &simulation->plan,
                                &simulation->engine));
    CLUP_TRY(clup_simulation_find_mates(simulation));
    simulation->on_device = context != NULL;
    CLUP_TRY(clup_simulation_observe(simulation, NULL, 0, 1));
    CLUP_TRY(clup_generator_named(method != NULL ? method->rng : NULL, &rng));
    simulation->method.rng = rng->name;
    simulation->streams = rng->words > 0;
    CLUP_TRY(start_spins(simulation, seed, start));
done:
    if (status == CLUP_OK)
        *out = simulation;
    else
        clup_simulation_free(simulation);
    return status;
}

const clup_plan *clup_simulation_plan(const clup_simulation *simulation)
{
    return simulation != NULL && simulation->on_device ? &simulation->plan : NULL;
}

void clup_simulation_free(clup_simulation *simulation)
{
    if (simulation == NULL)
        return;
    if (simulation->engine != NULL)
        simulation->engine->kind->free(simulation->engine);
    if (simulation->asked != NULL)
        clup_replica_series_clear(simulation->asked);
    free(simulation->asked);
    clup_sweep_records_clear(&simulation->records);
    clup_ladders_free(simulation->ladders);
    free(simulation->betas);
    free(simulation->alike);
    free(simulation->unsatisfied);
    free(simulation->links);
    free(simulation->vacant);
    free(simulation->partners);
    free(simulation->mates);
    free(simulation);
}

clup_status clup_simulation_observe(clup_simulation *simulation, const clup_observable *wanted,
                                    size_t count, uint64_t every)
{
    CLUP_NEED(simulation);
    uint32_t format = 0;
    if (count > 0)
        CLUP_NEED(wanted);
    for (size_t k = 0; k < count; k++) {
        if ((unsigned)wanted[k] >= OBSERVED)
            return clup_fail(CLUP_ERROR_USAGE, "there is no observable %d", (int)wanted[k]);
        format |= clup_observable_format(wanted[k], simulation->method.algorithm);
    }
    /* these are improved estimators */
    if (!clup_clusters_estimate(&simulation->problem))
        format &= ~RECORD_COMMON;
    if (!clup_amplitudes_estimate(&simulation->problem))
        format &= ~RECORD_FK_MODES;
    /* others do not give the weights of bonds */
    if (!clup_bonds_weigh(&simulation->problem, NULL))
        format &= ~RECORD_ACTIVE;
    /* those of a sweep belong to one involution */
    if (clup_has_pair_energies(&simulation->problem))
        format &= ~RECORD_FK | RECORD_FK_MODES;
    if (clup_problem_sublattices(&simulation->problem) == 0)
        format &= ~RECORD_STAGGERED;
    /* these compare states, not angles, and not those of vacant sites */
    if (clup_problem_components(&simulation->problem) > 0 ||
        clup_has_vacancies(&simulation->problem))
        format &= ~RECORD_PAIRS;
    if (!clup_has_rotations(&simulation->problem))
        format &= ~RECORD_TWIST;
    if ((format & RECORD_OVERLAP) &&
        clup_problem_partners(&simulation->problem, NULL) == CLUP_ERROR_USAGE)
        format &= ~RECORD_OVERLAP;
    /* a graph has no distances, and nothing wraps around it */
    if (simulation->problem.graph != NULL)
        format &= ~(RECORD_MODES | RECORD_APART);
    if (every < 1 || every > INT32_MAX)
        return clup_fail(CLUP_ERROR_USAGE, "every %llu sweeps: from 1 to %d are possible",
                         (unsigned long long)every, INT32_MAX);
    const clup_measuring measuring = {.format = clup_measure_format_of(&simulation->problem,
                                                                       simulation->method.algorithm,
                                                                       format),
                                      .every = (uint32_t)every};
    return clup_simulation_measure(simulation, &measuring);
}

uint32_t clup_simulation_spin_format(const clup_simulation *simulation)
{
    return clup_measure_format_of(&simulation->problem, simulation->method.algorithm, 0);
}

/* Finds the partners of all places, for overlaps; in all processes, or in none. */
static clup_status find_partners(clup_simulation *simulation)
{
    simulation->unsettled = true;
    return clup_engine_agree_on(simulation->engine,
                                clup_problem_partners(&simulation->problem, simulation->partners));
}

clup_status clup_simulation_find_mates(clup_simulation *simulation)
{
    if (simulation->method.houdayer == 0)
        return CLUP_OK;
    simulation->unsettled = true;
    return clup_problem_mates(&simulation->problem, simulation->mates);
}

clup_status clup_simulation_measure(clup_simulation *simulation, const clup_measuring *measuring)
{
    if (simulation->records.count > 0)
        return clup_fail(CLUP_ERROR_USAGE, "sweeps were measured already");
    clup_status status = measuring->format & RECORD_OVERLAP ? find_partners(simulation) : CLUP_OK;
    if (status == CLUP_OK)
        status = simulation->engine->kind->observe(simulation->engine, measuring);
    simulation->records.words = record_words(simulation->engine->measuring.format);
    return status;
}

uint64_t clup_simulation_sweeps(const clup_simulation *simulation)
{
    return simulation != NULL ? simulation->sweeps : 0;
}

/* Validates the number of a sweep that a simulation is to go to. */
static clup_status check_sweep(const clup_simulation *simulation, uint64_t sweep)
{
    if (simulation->streams)
        return clup_fail(CLUP_ERROR_USAGE,
                         "the random numbers have a state besides the spins; philox has none");
    return sweep < CLUP_SWEEPS_ALL
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "sweep number %llu: there are random numbers for 2^48 of a seed",
                           (unsigned long long)sweep);
}

clup_status clup_simulation_go_to(clup_simulation *simulation, uint64_t sweep)
{
    const clup_status status = check_sweep(simulation, sweep);
    if (status != CLUP_OK)
        return status;
    simulation->engine->kind->go_to(simulation->engine, sweep, 0);
    simulation->sweeps = sweep;
    return CLUP_OK;
}

clup_status clup_simulation_set_state(clup_simulation *simulation, uint64_t sweep,
                                      const uint8_t *spins)
{
    CLUP_NEED(simulation);
    CLUP_NEED(spins);
    clup_status status = check_sweep(simulation, sweep);
    if (status == CLUP_OK)
        status = clup_simulation_set_rows(simulation, 0, clup_simulation_rows(simulation), spins);
    return status == CLUP_OK ? clup_simulation_go_to(simulation, sweep) : status;
}

clup_status clup_simulation_like(const clup_simulation *simulation, const clup_problem *problem)
{
    return clup_problem_compare(&simulation->problem, problem, CLUP_FIELD_ALL);
}

uint64_t clup_simulation_measured(const clup_simulation *simulation)
{
    return simulation != NULL ? simulation->records.count : 0;
}

void clup_simulation_timing(const clup_simulation *simulation, clup_timing *timing)
{
    if (timing == NULL)
        return;
    *timing = (clup_timing){0};
    if (simulation == NULL)
        return;
    const uint64_t sweeps = simulation->timed;
    const double updates = (double)sweeps * (double)sites_of(simulation) *
                           clup_problem_replicas(&simulation->problem);
    *timing = (clup_timing){.sweeps = sweeps,
                            .wall_s = simulation->wall_s,
                            .rounds = simulation->rounds,
                            .bytes = simulation->bytes};
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++) {
        timing->iterations[stage] = updates > 0 ? simulation->engine->kind->iterations(
                                                      simulation->engine, stage)
                                                : NAN;
        timing->stage_ps[stage] = updates > 0 ? 1e12 * simulation->stage_s[stage] / updates : NAN;
        if (stage != CLUP_MEASURE)
            timing->update_ps += timing->stage_ps[stage];
    }
}
