/* The serial Swendsen-Wang update. */
#include <stdlib.h>

#include "label/label.h"
#include "model/source.h"
#include "update/swendsen_wang.h"

clup_status clup_sw_reference_create(const clup_problem *problem, uint64_t seed, clup_sw_reference *sw)
{
    *sw = (clup_sw_reference){
        .lattice = clup_lattice_args(problem),
        .q = problem->q,
        .law = clup_bond_law_of(problem->beta),
        .key = clup_random_key(seed, 0),
    };
    uint64_t sites = clup_lattice_sites(&sw->lattice);
    sw->spins = calloc(sites, 1);
    sw->bonds = calloc(sites, DIRECTIONS);
    sw->labels = calloc(sites, sizeof *sw->labels);
    sw->sizes = calloc(sites, sizeof *sw->sizes);
    if (sw->spins != NULL && sw->bonds != NULL && sw->labels != NULL && sw->sizes != NULL)
        return CLUP_OK;
    clup_sw_reference_clear(sw);
    return clup_fail_memory("the serial reference");
}

void clup_sw_reference_clear(clup_sw_reference *sw)
{
    free(sw->spins);
    free(sw->bonds);
    free(sw->labels);
    free(sw->sizes);
    *sw = (clup_sw_reference){0};
}

void clup_sw_reference_lap(clup_sw_reference *sw, clup_stage stage, struct timespec *last)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    sw->stage_s[stage] += (double)(now.tv_sec - last->tv_sec) + 1e-9 * (double)(now.tv_nsec - last->tv_nsec);
    *last = now;
}

void clup_sw_reference_sweep(clup_sw_reference *sw)
{
    struct timespec last;
    uint64_t sites = clup_lattice_sites(&sw->lattice);
    unsigned field = clup_spin_field(sw->q);
    clock_gettime(CLOCK_MONOTONIC, &last);
    clup_reference_fk(&sw->lattice, sw->key, sw->law, sw->spins, sw->bonds);
    clup_sw_reference_lap(sw, CLUP_SOURCE, &last);
    clup_reference_labels(&sw->lattice, sw->bonds, sw->labels);
    clup_sw_reference_lap(sw, CLUP_LOCAL, &last);
    /* a cluster's first site in raster order is its root, so the root's new spin is there before it is needed */
    for (uint64_t i = 0; i < sites; i++)
        sw->spins[i] = sw->labels[i] == i ? (uint8_t)random_spin(sw->key, PURPOSE_CLUSTER, i, sw->q, field) : sw->spins[sw->labels[i]];
    clup_sw_reference_lap(sw, CLUP_ACTION, &last);
    if (++sw->key.sweep0 == 0)
        sw->key.sweep1++;
}
