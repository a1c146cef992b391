/* SPDX-License-Identifier: BSD-3-Clause */
/* Couplings and fields as whole numbers, and the energies of models with a matrix. */
#include "core/energy.h"

#include <math.h>
#include <stdlib.h>

#include "core/bond_couplings.h"
#include "core/model.h"
#include "core/table.h"
#include "core/vector.h"
#include "program.h"

int32_t clup_units_of(double coupling)
{
    return fabs(coupling) <= CLUP_COUPLING_MOST ? (int32_t)round(coupling / CLUP_COUPLING_UNIT) : 0;
}

static int32_t units(const clup_problem *problem, unsigned d)
{
    return clup_units_of(problem->coupling[d]);
}

bool clup_has_couplings(const clup_problem *problem)
{
    bool all_zero = true, all_one = true;
    for (unsigned d = 0; d < clup_problem_directions(problem); d++) {
        all_zero = all_zero && problem->coupling[d] == 0;
        all_one = all_one && units(problem, d) == 1 / CLUP_COUPLING_UNIT;
    }
    return !all_zero && !all_one;
}

int32_t clup_coupling_units(const clup_problem *problem, unsigned d)
{
    return clup_has_couplings(problem) ? units(problem, d) : clup_units_of(1);
}

int32_t clup_field_units(const clup_problem *problem)
{
    return clup_model_of(problem->model)->algorithms ? clup_units_of(problem->field) : 0;
}

bool clup_has_field(const clup_problem *problem)
{
    bool any = clup_field_units(problem) != 0;
    for (unsigned s = 1; problem->model == CLUP_TABLE && s < problem->table->states; s++)
        any = any || problem->table->sites[s] != problem->table->sites[0];
    return any;
}

bool clup_has_negative_couplings(const clup_problem *problem)
{
    bool negative = false;
    for (unsigned d = 0; d < clup_problem_directions(problem); d++)
        negative = negative || units(problem, d) < 0;
    return negative;
}

bool clup_has_random_signs(const clup_problem *problem)
{
    return problem->disorder[CLUP_SIGNS] > 0 || problem->disorder[CLUP_NORMAL] > 0 ||
           (problem->bond_couplings != NULL && problem->bond_couplings->negative);
}

bool clup_has_sizes(const clup_problem *problem)
{
    return problem->disorder[CLUP_NORMAL] > 0 || problem->bond_couplings != NULL;
}

/* ---- matrices of energies -------------------------------------------------------------------- */

#define COSINE_BITS 26

bool clup_has_matrix(const clup_problem *problem)
{
    return problem->model == CLUP_CLOCK || problem->model == CLUP_TABLE ||
           (problem->model == CLUP_POTTS &&
            (clup_has_negative_couplings(problem) || clup_has_random_signs(problem) ||
             clup_has_field(problem)));
}

bool clup_has_pair_energies(const clup_problem *problem)
{
    return clup_has_matrix(problem) || clup_spin_numbers(problem) > 0;
}

clup_status clup_matrix_check(const clup_problem *problem)
{
    return !clup_has_matrix(problem) || problem->q <= CLUP_MATRIX_STATES
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "q = %u: %s has at most %d states", problem->q,
                           clup_matrix_called(problem->model), CLUP_MATRIX_STATES);
}

const char *clup_matrix_called(clup_model model)
{
    return model == CLUP_POTTS ? "the Potts model with negative couplings or a field"
                               : clup_model_of(model)->called;
}

/* Returns cos(2 pi k/q), where the same number stands for k and -k. */
static int32_t clock_cosine(unsigned k, unsigned q)
{
    k %= q;
    k = k < q - k ? k : q - k;
    return (int32_t)lround(ldexp(cos(2 * acos(-1) * k / q), COSINE_BITS));
}

/* Returns sin(2 pi k/q), likewise of the other sign for -k. */
static int32_t clock_sine(unsigned k, unsigned q)
{
    k %= q;
    const bool lower = 2 * k > q;
    const unsigned upper = lower ? q - k : k;
    const int32_t value = (int32_t)lround(ldexp(sin(2 * acos(-1) * upper / q), COSINE_BITS));
    return lower ? -value : value;
}

int32_t clup_matrix_cosine(const clup_problem *problem, unsigned s)
{
    return problem->model == CLUP_TABLE
               ? (int32_t)lround(ldexp(problem->table->order[2 * s], COSINE_BITS))
               : clock_cosine(s, problem->q);
}

int32_t clup_matrix_sine(const clup_problem *problem, unsigned s)
{
    return problem->model == CLUP_TABLE
               ? (int32_t)lround(ldexp(problem->table->order[2 * s + 1], COSINE_BITS))
               : clock_sine(s, problem->q);
}

/* Returns units times a cosine, rounded to the nearest whole number. */
static int64_t projected(int32_t units, int32_t cosine_of)
{
    const int64_t product = (int64_t)units * cosine_of, half = (int64_t)1 << (COSINE_BITS - 1);
    return product < 0 ? -((half - product) >> COSINE_BITS) : (product + half) >> COSINE_BITS;
}

/* Returns the coupling along d with which a matrix is made. */
static int32_t matrix_units(const clup_problem *problem, unsigned d)
{
    const int32_t units = clup_coupling_units(problem, d), one = clup_units_of(1);
    return !clup_has_sizes(problem) ? units : units < 0 ? -one : one;
}

int32_t clup_clock_current(const clup_problem *problem, unsigned d, unsigned by)
{
    return (int32_t)projected(matrix_units(problem, d), clock_sine(by, problem->q));
}

/* Returns units times an energy of a table. */
static int64_t scaled(int32_t units, double energy)
{
    return llround(units * energy);
}

int64_t clup_matrix_bond_energy(const clup_problem *problem, unsigned d, unsigned s, unsigned t)
{
    const int32_t units = matrix_units(problem, d);
    const clup_table *table = problem->table;
    if (problem->model == CLUP_TABLE)
        return scaled(
            units,
            table->bonds[((table->matrices > 1 ? d : 0) * table->states + s) * table->states + t]);
    if (problem->model == CLUP_CLOCK)
        return -projected(units, clock_cosine(s + problem->q - t, problem->q));
    return s == t ? -units : 0;
}

int64_t clup_matrix_site_energy(const clup_problem *problem, unsigned s)
{
    const int32_t units = clup_field_units(problem);
    if (problem->model == CLUP_TABLE)
        return clup_units_of(problem->table->sites[s]);
    if (problem->model == CLUP_CLOCK)
        return -projected(units, clock_cosine(s, problem->q));
    return s == 0 ? -units : 0;
}

static void widen(clup_energies *range, int64_t energy)
{
    range->most = energy > range->most ? energy : range->most;
    range->least = energy < range->least ? energy : range->least;
}

/* Returns the energies of vectors that are parallel or opposite. */
static clup_energies both_ways(int32_t units)
{
    return (clup_energies){-(int64_t)abs(units), abs(units)};
}

/* But for tables, the energy of a bond depends on the difference of its states alone: one of them
 * may be state 0. */
clup_energies clup_pair_bonds(const clup_problem *problem, unsigned d)
{
    clup_energies range = {INT64_MAX, INT64_MIN};
    if (clup_spin_numbers(problem) > 0)
        return both_ways(clup_coupling_units(problem, d));
    for (unsigned s = 0; s < problem->q; s++)
        for (unsigned t = 0; t < (problem->model == CLUP_TABLE ? problem->q : 1); t++)
            widen(&range, clup_matrix_bond_energy(problem, d, s, t));
    return range;
}

clup_energies clup_pair_sites(const clup_problem *problem)
{
    clup_energies range = {INT64_MAX, INT64_MIN};
    if (clup_spin_numbers(problem) > 0)
        return both_ways(clup_field_units(problem));
    for (unsigned s = 0; s < problem->q; s++)
        widen(&range, clup_matrix_site_energy(problem, s));
    return range;
}
