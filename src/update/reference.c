/* The serial updates. */
#include <stdlib.h>
#include <string.h>

#include "label/label.h"
#include "model/source.h"
#include "update/update.h"

clup_status clup_reference_create(const clup_problem *problem, const clup_method *method, uint64_t seed, clup_reference *reference)
{
    clup_status status = clup_method_check(problem, method);
    if (status == CLUP_OK && method != NULL && method->rng != NULL && strcmp(method->rng, "philox") != 0)
        status = clup_fail(CLUP_ERROR_USAGE, "the serial reference draws with philox alone, not %s", method->rng);
    if (status != CLUP_OK)
        return status;
    *reference = (clup_reference){
        .lattice = clup_lattice_args(problem),
        .method = method != NULL ? *method : (clup_method){0},
        .q = problem->q,
        .law = clup_bond_law_of(problem->beta),
        .key = clup_random_key(seed, 0),
    };
    uint64_t sites = clup_lattice_sites(&reference->lattice);
    reference->spins = calloc(sites, 1);
    reference->bonds = calloc(sites, DIRECTIONS);
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

void clup_reference_lap(clup_reference *reference, clup_stage stage, struct timespec *last)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    reference->stage_s[stage] += (double)(now.tv_sec - last->tv_sec) + 1e-9 * (double)(now.tv_nsec - last->tv_nsec);
    *last = now;
}

void clup_reference_sweep(clup_reference *reference)
{
    struct timespec last;
    uint64_t sites = clup_lattice_sites(&reference->lattice);
    unsigned field = clup_spin_field(reference->q);
    clock_gettime(CLOCK_MONOTONIC, &last);
    clup_reference_fk(&reference->lattice, reference->key, reference->law, reference->spins, reference->bonds);
    clup_reference_lap(reference, CLUP_SOURCE, &last);
    clup_reference_labels(&reference->lattice, reference->bonds, reference->labels);
    clup_reference_lap(reference, CLUP_LOCAL, &last);
    /* a cluster's first site in raster order is its root, so the root's new spin is there before it is needed */
    for (uint64_t i = 0; i < sites; i++)
        reference->spins[i] = reference->labels[i] == i ? (uint8_t)random_spin(reference->key, PURPOSE_CLUSTER, i, reference->q, field) : reference->spins[reference->labels[i]];
    reference->updated = sites;
    clup_reference_lap(reference, CLUP_ACTION, &last);
    if (++reference->key.sweep0 == 0)
        reference->key.sweep1++;
}
