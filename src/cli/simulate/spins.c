/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the last spins to the file of --save-spins, as an array or a picture. */
#include <stdlib.h>

#include "cli/paths.h"
#include "cli/simulate/simulate.h"

int simulate_draws_spins(const simulate_request *request)
{
    return request->save_spins != NULL && cli_has_extension(request->save_spins, ".png");
}

/* Draws the spins in the colours of labels, state 0 black, vacant sites in that of state 255.
 * Replicas are slices, as layers are. */
static clup_status draw(clup_simulation *simulation, const simulate_request *request)
{
    const clup_problem *problem = &request->problem;
    const unsigned axes = clup_lattice_axes(problem->lattice);
    const uint32_t replicas = simulate_replicas(request),
                   size[3] = {problem->size[0], problem->size[1],
                              (axes > 2 ? problem->size[2] : 1) * replicas};
    const uint64_t count = clup_problem_sites(problem) * replicas;
    const uint64_t sites = clup_problem_sites(problem);
    uint8_t *spins = malloc((size_t)count), *vacant = malloc((size_t)sites);
    uint32_t *labels = malloc((size_t)count * sizeof *labels);
    if (spins == NULL || vacant == NULL || labels == NULL)
        exit(cli_fail_memory("a picture of the spins"));
    clup_status status = clup_simulation_spins(simulation, spins);
    for (uint32_t r = 0; r < replicas && status == CLUP_OK; r++) {
        status = clup_problem_vacant(problem, r, vacant);
        for (uint64_t i = 0; i < sites && status == CLUP_OK; i++)
            labels[r * sites + i] = vacant[i] ? CLUP_VACANT_STATE : spins[r * sites + i];
    }
    if (status == CLUP_OK)
        status = clup_labels_draw(request->save_spins, labels, size);
    free(labels);
    free(spins);
    free(vacant);
    return status;
}

clup_status simulate_write_spins(clup_simulation *simulation, const simulate_request *request)
{
    return simulate_draws_spins(request)
               ? draw(simulation, request)
               : clup_simulation_write_spins(simulation, request->save_spins);
}
