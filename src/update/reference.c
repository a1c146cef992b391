/* The serial updates. */
#include <stdlib.h>
#include <string.h>

#include "base/timing.h"
#include "label/label.h"
#include "model/method.h"
#include "model/source.h"
#include "update/update.h"

clup_status clup_reference_create(const clup_problem *problem, const clup_method *method, uint64_t seed, clup_reference *reference)
{
    clup_status status = clup_method_check(problem, method);
    if (status == CLUP_OK && clup_problem_sites(problem) > CLUP_SITES_32)
        status = clup_fail(CLUP_ERROR_USAGE, "the serial reference has at most %u sites", CLUP_SITES_32);
    if (status == CLUP_OK && method != NULL && method->rng != NULL && strcmp(method->rng, "philox") != 0)
        status = clup_fail(CLUP_ERROR_USAGE, "the serial reference draws with philox alone, not %s", method->rng);
    if (status != CLUP_OK)
        return status;
    *reference = (clup_reference){
        .lattice = clup_lattice_args(problem),
        .method = method != NULL ? *method : (clup_method){0},
        .q = problem->q,
        .law = clup_bond_law_of(clup_problem_beta(problem, 0)),
        .key = clup_random_key(seed, problem->first_replica, 0),
    };
    uint64_t sites = clup_lattice_sites(&reference->lattice);
    reference->spins = calloc(sites, 1);
    reference->bonds = calloc(sites, clup_lattice_of(&reference->lattice)->directions);
    reference->labels = calloc(sites, sizeof *reference->labels);
    reference->sizes = calloc(sites, sizeof *reference->sizes);
    if (reference->spins != NULL && reference->bonds != NULL && reference->labels != NULL && reference->sizes != NULL)
        return CLUP_OK;
    clup_reference_clear(reference);
    return clup_fail_memory("the serial reference");
}

void clup_reference_clear(clup_reference *reference)
{
    free(reference->spins);
    free(reference->bonds);
    free(reference->labels);
    free(reference->sizes);
    *reference = (clup_reference){0};
}

void clup_reference_lap(clup_reference *reference, clup_stage stage, double *last_s)
{
    double now_s = clup_now_s();
    reference->stage_s[stage] += now_s - *last_s;
    *last_s = now_s;
}

/* A new spin for each cluster: its first site in raster order is its root, so the root's is there before it is needed. */
static void flip_all(clup_reference *reference)
{
    uint64_t sites = clup_lattice_sites(&reference->lattice);
    unsigned field = clup_spin_field(reference->q);
    for (uint64_t i = 0; i < sites; i++)
        reference->spins[i] = reference->labels[i] == i ? (uint8_t)random_spin(reference->key, PURPOSE_CLUSTER, i, reference->q, field) : reference->spins[reference->labels[i]];
    reference->updated = sites;
}

/* The shifts of clusters are kept in sizes, which measuring clears before it counts: at a root 1 + the shift, 0 at those of
 * clusters without a seed. Seeds come by their numbers, and the first on a cluster decides. */
static void decide(clup_reference *reference, uint32_t seed_site, uint32_t shift)
{
    uint32_t *decided = &reference->sizes[reference->labels[seed_site]];
    if (*decided == 0)
        *decided = 1 + shift;
}

static void decide_few(clup_reference *reference)
{
    const lattice_args *lattice = &reference->lattice;
    uint32_t side = reference->method.seeds_per_side, flip_below = clup_flip_below(reference->method.p_flip);
    for (uint32_t k = 0; k < side * side; k++) {
        philox_block seed = random_seed(reference->key, k);
        decide(reference, seed_site_in_part(seed, k, side, lattice->nx, lattice->ny), seed_decision(seed, flip_below, reference->q));
    }
}

static void flip_some(clup_reference *reference)
{
    uint64_t sites = clup_lattice_sites(&reference->lattice);
    memset(reference->sizes, 0, sites * sizeof *reference->sizes);
    if (reference->method.algorithm == CLUP_WOLFF) {
        clup_wolff_choice choice = clup_wolff_choose(&reference->lattice, reference->key, reference->q);
        decide(reference, choice.site, choice.shift);
    } else {
        decide_few(reference);
    }
    reference->updated = 0;
    for (uint64_t i = 0; i < sites; i++) {
        uint32_t decided = reference->sizes[reference->labels[i]];
        if (decided <= 1)
            continue;
        reference->spins[i] = (uint8_t)((reference->spins[i] + decided - 1) % reference->q);
        reference->updated++;
    }
}

clup_status clup_reference_sweep(clup_reference *reference)
{
    double last = clup_now_s();
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_reference_fk(&reference->lattice, reference->key, reference->law, reference->spins, reference->bonds));
    clup_reference_lap(reference, CLUP_SOURCE, &last);
    CLUP_TRY(clup_reference_labels(&reference->lattice, reference->bonds, reference->labels));
    clup_reference_lap(reference, CLUP_LOCAL, &last);
    if (reference->method.algorithm == CLUP_SWENDSEN_WANG)
        flip_all(reference);
    else
        flip_some(reference);
    clup_reference_lap(reference, CLUP_ACTION, &last);
    reference->key = later_key(reference->key, 1);
done:
    return status;
}
