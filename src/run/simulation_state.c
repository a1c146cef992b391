/* SPDX-License-Identifier: BSD-3-Clause */
/* The present state of a simulation: its systems, and the pieces by which rows are moved. */
#include "core/method.h"
#include "core/model.h"
#include "core/couplings.h"
#include "core/vector.h"
#include "estimate/modes.h"
#include "measure/pairs.clh"
#include "run/simulation.h"

void clup_simulation_forget(clup_simulation *simulation)
{
    clup_sweep_records_forget(&simulation->records);
    if (simulation->ladders != NULL)
        clup_sweep_records_forget(&simulation->ladders->history);
    simulation->asked->count = 0;
    simulation->engine->measuring.before = 0;
}

/* Finds the pairs at half of a periodic axis, if that is one of the distances. */
static void find_half(const lattice_args *lattice, unsigned axis, clup_system *system)
{
    for (uint32_t k = 0; system->lengths[axis] > 0 && k < pair_distances(*lattice, axis); k++)
        if (2. * pair_distance(k) == system->lengths[axis]) {
            system->half[axis] = pair_place(*lattice, axis) + k;
            system->half_pairs[axis] = (double)pairs_there(*lattice, axis, pair_distance(k));
        }
}

clup_system clup_simulation_system(const clup_simulation *simulation, uint32_t replica)
{
    const lattice_args lattice = clup_lattice_args(&simulation->problem);
    clup_system system = {.beta = simulation->betas[replica],
                          .sites = (double)clup_problem_real_sites(&simulation->problem),
                          .q = simulation->problem.q,
                          .unsatisfied = simulation->unsatisfied[replica],
                          .links = simulation->links[replica],
                          .vacant = simulation->vacant[replica],
                          .improved = clup_clusters_estimate(&simulation->problem),
                          .amplitudes = clup_amplitudes_estimate(&simulation->problem),
                          .components = clup_problem_components(&simulation->problem),
                          .directed = clup_problem_components(&simulation->problem) > 0,
                          .unit = clup_problem_classes(&simulation->problem).unit,
                          .axes = clup_lattice_axes(simulation->problem.lattice),
                          .all = clup_updates_all(simulation->method.algorithm),
                          .format = simulation->engine->measuring.format};
    for (unsigned axis = 0; axis < 3; axis++) {
        system.lengths[axis] = clup_modes_length(&lattice, axis);
        find_half(&lattice, axis, &system);
    }
    return system;
}

uint64_t clup_piece_sites = (uint64_t)1 << 26;

uint64_t clup_simulation_rows(const clup_simulation *simulation)
{
    const clup_problem *problem = &simulation->problem;
    return clup_problem_replicas(problem) * (clup_problem_sites(problem) / problem->size[0]);
}

uint64_t clup_simulation_piece(const clup_simulation *simulation, uint64_t first)
{
    const uint64_t nx = simulation->problem.size[0],
                   rows = clup_problem_sites(&simulation->problem) / nx,
                   left = clup_simulation_rows(simulation) - first,
                   eights = clup_piece_sites / clup_spin_bytes(&simulation->problem) / 8 / nx;
    uint64_t most = eights > 0 ? 8 * eights : 8;
    if (rows > most)
        return most < rows - first % rows ? most : rows - first % rows;
    most -= most % rows;
    return most < left ? most : left;
}
