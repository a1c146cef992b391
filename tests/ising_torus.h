/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of states that are drawn from all states of a small Ising model. */
#ifndef CLUP_TESTS_ISING_TORUS_H
#define CLUP_TESTS_ISING_TORUS_H
#include <stdlib.h>

#include "clup.h"
#include "ising_states.h"
#include "tap.h"

enum { SAMPLES = 1000, BETAS = 2, STATES = 65536 };
static const double betas[BETAS] = {0.75, 0.95};

/* A lattice with all its states, and the sums of their weights at each beta. */
typedef struct torus {
    unsigned side;
    size_t count;
    state states[STATES];
    double sums[BETAS][STATES];
} torus;

static inline void make_torus(unsigned side, torus *torus)
{
    torus->side = side;
    torus->count = all_states(side, torus->states);
    for (unsigned j = 0; j < BETAS; j++)
        for (size_t k = 0; k < torus->count; k++)
            torus->sums[j][k] = (k > 0 ? torus->sums[j][k - 1] : 0) +
                                exp(-betas[j] * side * side * (torus->states[k].energy + 2));
}

static inline void put_states(clup_record *record, uint32_t system, const state *states,
                              size_t count)
{
    static const char *const names[] = {"energy", "abs_m", "m2", "m4", "m2_vector", "sk"};
    double *values = malloc(count * sizeof *values);
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++) {
        for (size_t k = 0; k < count; k++) {
            const state *at = &states[k];
            const double of[] = {at->energy,     at->m,         at->m * at->m,
                                 pow(at->m, 4.), at->m * at->m, at->sk};
            values[k] = of[n];
        }
        NEED(clup_record_set_series(record, system, names[n], values, count));
    }
    free(values);
}

/* A record of states that are drawn at each beta. */
static inline clup_record *draw_record(const torus *torus, u32 seed)
{
    static state drawn[SAMPLES];
    const clup_problem problem = {.size = {torus->side, torus->side},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .replicas = BETAS,
                                  .betas = betas};
    clup_record *record;
    NEED(clup_record_create(&problem, &record));
    for (u32 j = 0; j < BETAS; j++) {
        for (u32 k = 0; k < SAMPLES; k++)
            drawn[k] = *state_at(torus->states, torus->sums[j], torus->count,
                                 uniform(k, seed * BETAS + j));
        put_states(record, j, drawn, SAMPLES);
    }
    return record;
}

/* A record of all states, as if they were drawn at beta 0: exact at every beta. */
static inline clup_record *whole_record(const torus *torus)
{
    const clup_problem problem = {
        .size = {torus->side, torus->side}, .periodic = {1, 1}, .q = 2, .replicas = 1};
    clup_record *record;
    NEED(clup_record_create(&problem, &record));
    put_states(record, 0, torus->states, torus->count);
    return record;
}

static inline clup_reweighting *reweighting_of(clup_record *record)
{
    clup_reweighting *reweighting;
    NEED(clup_reweighting_create((const clup_record *const[]){record}, 1, &reweighting));
    clup_record_free(record);
    return reweighting;
}

#endif
