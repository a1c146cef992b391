/* SPDX-License-Identifier: BSD-3-Clause */
/* The laws of the systems of a state at their temperatures. */
#include <stdlib.h>
#include <string.h>

#include "core/couplings.h"
#include "core/heat.h"
#include "core/lattice.h"
#include "core/matrix.h"
#include "core/state.h"

/* Computes the laws at an inverse temperature. */
typedef void law_at(const clup_state *state, const clup_problem *problem, double beta, void *law);

static void heat_at(const clup_state *state, const clup_problem *problem, double beta, void *law)
{
    (void)state;
    *(heat_law *)law = clup_heat_law_of(problem, beta);
}

static void matrix_at(const clup_state *state, const clup_problem *problem, double beta, void *law)
{
    (void)problem;
    clup_matrix_laws(state->of_matrix, beta, law);
}

static unsigned laws_each(const clup_state *state)
{
    return state->classes + state->field;
}

static void laws_at(const clup_state *state, const clup_problem *problem, double beta, void *law)
{
    const clup_laws laws = clup_problem_laws(problem, beta);
    memcpy(law, laws.of, laws_each(state) * sizeof(bond_law));
}

static int compare(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Returns the law of an inverse temperature in a table, NULL if the table does not have it. */
static const char *law_in(const clup_beta_laws *table, size_t each, double beta)
{
    const double *at = table->count > 0
                           ? bsearch(&beta, table->betas, table->count, sizeof beta, compare)
                           : NULL;
    return at != NULL ? table->laws + (size_t)(at - table->betas) * each : NULL;
}

/* Makes a table of the laws, of so many bytes each, at the temperatures of all replicas. Those that
 * known has are copied from it. */
static clup_status make_table(const clup_state *state, const clup_problem *problem, size_t each,
                              law_at *compute, const clup_beta_laws *known, clup_beta_laws *table)
{
    clup_status status = CLUP_OK;
    table->betas = malloc(state->replicas * sizeof *table->betas);
    if (table->betas == NULL)
        CLUP_TRY(clup_fail_memory("the temperatures"));
    for (uint32_t r = 0; r < state->replicas; r++)
        table->betas[r] = clup_problem_beta(problem, r);
    qsort(table->betas, state->replicas, sizeof *table->betas, compare);
    for (uint32_t r = 0; r < state->replicas; r++)
        if (table->count == 0 || table->betas[r] > table->betas[table->count - 1])
            table->betas[table->count++] = table->betas[r];
    table->laws = malloc(table->count * each);
    if (table->laws == NULL)
        CLUP_TRY(clup_fail_memory("the temperatures"));
    for (uint32_t k = 0; k < table->count; k++) {
        const char *law = law_in(known, each, table->betas[k]);
        if (law != NULL)
            memcpy(table->laws + k * each, law, each);
        else
            compute(state, problem, table->betas[k], table->laws + k * each);
    }
done:
    return status;
}

/* Writes the laws of all replicas, of so many bytes each, to a buffer. *known becomes their table:
 * systems that only change places, or have one temperature, cost no new law. */
static clup_status write_laws(const clup_state *state, const clup_problem *problem, size_t each,
                              law_at *compute, clup_beta_laws *known, cl_mem buffer)
{
    clup_beta_laws table = {0};
    char *all = malloc(state->replicas * each);
    clup_status status = all != NULL ? CLUP_OK : clup_fail_memory("the temperatures");
    CLUP_TRY(status);
    CLUP_TRY(make_table(state, problem, each, compute, known, &table));
    for (uint32_t r = 0; r < state->replicas; r++)
        memcpy(all + r * each, law_in(&table, each, clup_problem_beta(problem, r)), each);
    CLUP_TRY(clup_buffer_write(state->context, buffer, 0, state->replicas * each, all));
    clup_beta_laws_clear(known);
    *known = table;
    table = (clup_beta_laws){0};
done:
    clup_beta_laws_clear(&table);
    free(all);
    return status;
}

void clup_beta_laws_clear(clup_beta_laws *table)
{
    free(table->betas);
    free(table->laws);
    *table = (clup_beta_laws){0};
}

clup_status clup_state_set_probability(clup_state *state, double p)
{
    const bool of_sites = state->model == CLUP_SITE_PERCOLATION;
    bond_law *laws = malloc(state->replicas * sizeof *laws);
    if (laws == NULL)
        return clup_fail_memory("the probabilities");
    state->law = clup_law_of_probability(p);
    for (uint32_t r = 0; r < state->replicas; r++)
        laws[r] = of_sites ? clup_law_of_probability(1) : state->law;
    const clup_status status = clup_buffer_write(state->context, state->laws, 0,
                                                 state->replicas * sizeof *laws, laws);
    free(laws);
    return status;
}

clup_status clup_state_set_betas(clup_state *state, const clup_problem *problem)
{
    clup_status status = CLUP_OK;
    if (state->matrix)
        CLUP_TRY(write_laws(state, problem, state->law_words * sizeof(uint32_t), matrix_at,
                            &state->known_laws, state->laws));
    else
        CLUP_TRY(write_laws(state, problem, laws_each(state) * sizeof(bond_law), laws_at,
                            &state->known_laws, state->laws));
    if (!state->matrix)
        state->law = *(const bond_law *)law_in(
            &state->known_laws, laws_each(state) * sizeof(bond_law), clup_problem_beta(problem, 0));
    if (state->heat != NULL)
        CLUP_TRY(
            write_laws(state, problem, sizeof(heat_law), heat_at, &state->known_heat, state->heat));
done:
    return status;
}
