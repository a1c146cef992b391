/* SPDX-License-Identifier: BSD-3-Clause */
/* Population annealing: weights systems of one temperature for another one, and draws them anew. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/couplings.h"
#include "core/disorder.h"
#include "core/matrix.h"
#include "core/model.h"
#include "core/weight.h"
#include "run/measure.h"
#include "run/simulation.h"

/* Weights are summed in units of 2^-31: products with the number of systems fit 64 bits. */
#define SUMMED 32

static clup_status check(const clup_simulation *simulation, double beta)
{
    const double *betas = simulation->betas;
    if (simulation->ladders != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "systems of tempering are not drawn anew");
    if (!(beta >= 0) || isinf(beta))
        return clup_fail(CLUP_ERROR_USAGE, "beta = %g: systems are weighted from 0 up, finite",
                         beta);
    if (clup_has_samples(&simulation->problem) && simulation->problem.disorder_samples != 1)
        return clup_fail(CLUP_ERROR_USAGE, "systems are drawn anew among those with the same "
                                           "disorder: set disorder_samples to 1");
    for (uint32_t r = 0; r < clup_problem_replicas(&simulation->problem); r++)
        if (betas[r] != betas[0] || isinf(betas[r]))
            return clup_fail(CLUP_ERROR_USAGE,
                             "replica %u has beta = %g, not a finite one that all have", r,
                             betas[r]);
    return CLUP_OK;
}

/* Sets the weights of systems for a beta that is larger by difference / unit, in units of the
 * weight of the heaviest one. satisfied[count] are the satisfied bonds times their weights,
 * where weight 1 is unit less energy. Returns the logarithm of the mean of exp(difference
 * satisfied). */
static double weigh(const uint64_t *satisfied, uint32_t count, double difference, uint64_t *weights)
{
    uint64_t heaviest = satisfied[0];
    double sum = 0;
    for (uint32_t r = 1; r < count; r++)
        if (difference > 0 ? satisfied[r] > heaviest : satisfied[r] < heaviest)
            heaviest = satisfied[r];
    for (uint32_t r = 0; r < count; r++) {
        const uint64_t less = satisfied[r] > heaviest ? satisfied[r] - heaviest
                                                      : heaviest - satisfied[r];
        weights[r] = clup_weight(fabs(difference) * (double)less);
        sum += ldexp((double)weights[r], -63);
    }
    return difference * (double)heaviest + log(sum / count);
}

void clup_population_draw(random_key key, const uint64_t *weights, uint32_t count,
                          uint32_t *sources)
{
    uint64_t all = 0, before = 0;
    for (uint32_t r = 0; r < count; r++)
        all += weights[r] >> SUMMED;
    const philox_block number = random_block(key, PURPOSE_RESAMPLE, 0, 0);
    const uint64_t first = MUL_HI64((uint64_t)number.v[0] << 32 | number.v[1], all);
    uint32_t drawn = 0, more = 0;
    /* systematic resampling: the interval count all is divided among the systems in proportion to
     * their weights; the points first + k all, k < count, each draw the system in whose part they
     * are */
    for (uint32_t r = 0; r < count; r++) {
        uint32_t copies = 0;
        before += count * (weights[r] >> SUMMED);
        for (; drawn < count && first + drawn * all < before; drawn++)
            copies++;
        sources[r] = copies;
    }
    /* a system that was drawn stays; one that was not becomes a copy of the next with a copy to
     * spare */
    uint32_t *copies = sources + count;
    memcpy(copies, sources, count * sizeof *copies);
    for (uint32_t r = 0; r < count; r++) {
        if (copies[r] > 0) {
            sources[r] = r;
            continue;
        }
        while (copies[more] < 2)
            more++;
        copies[more]--;
        sources[r] = more;
    }
}

clup_status clup_simulation_resample(clup_simulation *simulation, double beta, uint32_t *sources,
                                     double *ln_ratio)
{
    CLUP_NEED(simulation);
    CLUP_NEED(sources);
    CLUP_NEED(ln_ratio);
    clup_status status = check(simulation, beta);
    if (status != CLUP_OK)
        return status;
    const uint32_t count = clup_problem_replicas(&simulation->problem);
    const size_t system = (size_t)clup_problem_sites(&simulation->problem) *
                          clup_spin_bytes(&simulation->problem);
    const lattice_args lattice = clup_lattice_args(&simulation->problem);
    clup_laws laws = clup_problem_laws(&simulation->problem, beta);
    clup_matrix *matrix = NULL;
    uint8_t *spins = calloc(count, system), *drawn = calloc(count, system);
    uint64_t *satisfied = calloc(count, 2 * sizeof *satisfied);
    uint32_t *places = calloc(count, 2 * sizeof *places);
    double *betas = calloc(count, sizeof *betas);
    uint32_t *disorder = calloc(clup_disorder_words(&simulation->problem, &lattice) + 1,
                                sizeof *disorder);
    if (spins == NULL || drawn == NULL || satisfied == NULL || places == NULL || betas == NULL ||
        disorder == NULL)
        CLUP_TRY(clup_fail_memory("the population"));
    if (clup_has_matrix(&simulation->problem))
        CLUP_TRY(clup_matrix_create(&simulation->problem, &matrix));
    laws.matrix = matrix;
    CLUP_TRY(clup_disorder_fill(&simulation->problem, &lattice, 0, disorder));
    clup_disorder_in(&simulation->problem, &lattice, disorder, &laws);
    CLUP_TRY(clup_simulation_spins(simulation, spins));
    for (uint32_t r = 0; r < count; r++) {
        satisfied[r] = clup_spins_satisfied(&lattice, &laws, spins + r * system);
        betas[r] = beta;
    }
    const double more = beta - simulation->betas[0],
                 ratio = weigh(satisfied, count,
                               more * clup_problem_classes(&simulation->problem).unit,
                               satisfied + count) -
                         more * simulation->unsatisfied[0];
    clup_population_draw(
        clup_random_key(simulation->seed, simulation->problem.first_replica, simulation->sweeps),
        satisfied + count, count, places);
    for (uint32_t r = 0; r < count; r++)
        memcpy(drawn + r * system, spins + places[r] * system, system);
    CLUP_TRY(clup_simulation_write_places(simulation, 0, clup_simulation_rows(simulation), drawn));
    CLUP_TRY(clup_simulation_set_betas(simulation, betas));
    memcpy(sources, places, count * sizeof *sources);
    *ln_ratio = ratio;
done:
    free(spins);
    free(drawn);
    free(satisfied);
    free(places);
    free(betas);
    free(disorder);
    clup_matrix_free(matrix);
    return status;
}
