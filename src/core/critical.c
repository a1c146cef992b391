/* SPDX-License-Identifier: BSD-3-Clause */
/* Critical points of infinite lattices. */
#include <math.h>
#include <stdlib.h>

#include "core/cell.h"
#include "core/couplings.h"
#include "core/disorder.h"
#include "core/matrix.h"
#include "core/model.h"
#include "core/vector.h"

/* Of one lattice: the critical inverse temperature of Ising spins where it is known for no other q
 * (potts_beta() has the formulas for all q), and the critical probability of bonds and of sites; 0
 * where it is not known. problem.h has the sources. */
typedef struct critical_point {
    double ising, bond, site;
} critical_point;

#define SQUARE_SITE 0.59274605
#define SQUARE_OCTAGON_BOND 0.67680232
static const critical_point points[CLUP_LATTICES] = {
    [CLUP_LATTICE_SQUARE] = {0, 0.5, SQUARE_SITE},
    [CLUP_LATTICE_TRIANGULAR] = {0, 0.34729635533386070, 0.5},
    [CLUP_LATTICE_CUBIC] = {0.221654626, 0.24881182, 0.31160768},
    [CLUP_LATTICE_SQUARE_8] = {0.1901926807, 0.25036834, 1 - SQUARE_SITE},
    [CLUP_LATTICE_CUBIC_18] = {0.064422, 0.0752326, 0.1373045},
    [CLUP_LATTICE_CUBIC_26] = {0.043038, 0.0497080, 0.0976444},
    [CLUP_LATTICE_HONEYCOMB] = {0, 0.65270364466613930, 0.697040230},
    [CLUP_LATTICE_SQUARE_OCTAGON] = {0.69507413615559654, SQUARE_OCTAGON_BOND, 0.729724},
    [CLUP_LATTICE_UNION_JACK] = {0.25438734264582478, 1 - SQUARE_OCTAGON_BOND, 0.5},
    [CLUP_LATTICE_CHECKERBOARD] = {0.26809, 0.33721, 0.5},
    [CLUP_LATTICE_KAGOME] = {0.46656601031520970, 0.52440499916744820, 0.65270364466613930},
    [CLUP_LATTICE_LIEB] = {0, 0.70710678118654752, 0.73970},
    [CLUP_LATTICE_BCC] = {0.1573725, 0.18028762, 0.2459615},
    [CLUP_LATTICE_FCC] = {0.102069, 0.12016377, 0.19923517},
    [CLUP_LATTICE_DIAMOND] = {0.3697398, 0.3895892, 0.4299870},
};
/* The hypercubic lattices, by the number of axes; those of two and three are above. */
static const critical_point hypercubic[CLUP_CELL_AXES + 1] = {
    [4] = {0.149693785, 0.16013122, 0.19688561}, [5] = {0.11391498, 0.11817145, 0.14079633},
    [6] = {0.0922982, 0.09420165, 0.109016661},  [7] = {0.0777089, 0.078675230, 0.088951121},
    [8] = {0, 0.06770839, 0.075210128},
};

/* Returns the number of axes of a hypercubic lattice, the graph of a cell of one site with a bond
 * to the next cell along each axis; 0 for another problem. */
static unsigned hypercubic_axes(const clup_problem *problem)
{
    const clup_cell *cell = problem->graph != NULL ? problem->graph->extras.cell : NULL;
    unsigned along = 0; /* bit a: a bond leads along axis a */
    if (cell == NULL || cell->sites != 1 || cell->bonds != cell->axes)
        return 0;
    for (unsigned k = 0; k < cell->bonds; k++) {
        unsigned length = 0, last = 0;
        for (unsigned axis = 0; axis < cell->axes; axis++)
            if (cell->bond[k].offset[axis] != 0) {
                length += (unsigned)abs(cell->bond[k].offset[axis]);
                last = axis;
            }
        if (length == 1)
            along |= 1u << last;
    }
    return along + 1 == 1u << cell->axes ? cell->axes : 0;
}

/* Returns the lattice of a problem, or that which its graph is. */
static clup_lattice_kind lattice_of(const clup_problem *problem)
{
    const unsigned axes = hypercubic_axes(problem);
    return axes == 2 ? CLUP_LATTICE_SQUARE : axes == 3 ? CLUP_LATTICE_CUBIC : problem->lattice;
}

static const critical_point *point_of(const clup_problem *problem)
{
    const unsigned axes = hypercubic_axes(problem);
    return axes > 3 ? &hypercubic[axes] : &points[lattice_of(problem)];
}

/* ---- temperatures ---------------------------------------------------------------------------- */

/* Solves v^3 + 3 v^2 = q by Newton's method. Starts above the solution, where it converges. */
static double triangular_v(double q)
{
    double v = sqrt(q / 3);
    for (int k = 0; k < 20; k++)
        v -= (v * v * (v + 3) - q) / (3 * v * (v + 2));
    return v;
}

/* Returns the critical inverse temperature of the Potts model. */
static double potts_beta(clup_lattice_kind lattice, const critical_point *point, unsigned q)
{
    switch (lattice) {
    case CLUP_LATTICE_SQUARE: return log(1 + sqrt(q));
    case CLUP_LATTICE_TRIANGULAR: return log(1 + triangular_v(q));
    case CLUP_LATTICE_HONEYCOMB: return log(1 + q / triangular_v(q)); /* the dual lattice */
    case CLUP_LATTICE_LIEB: /* two bonds one after the other are one of the square lattice */
        return log(1 + sqrt(q) + sqrt(q + q * sqrt(q)));
    default: return q == 2 && point->ising > 0 ? 2 * point->ising : NAN;
    }
}

double clup_critical_beta(clup_lattice_kind lattice, unsigned q)
{
    return (unsigned)lattice < CLUP_LATTICES ? potts_beta(lattice, &points[lattice], q) : NAN;
}

static double potts_beta_of(const clup_problem *problem, unsigned q)
{
    return potts_beta(lattice_of(problem), point_of(problem), q);
}

/* Returns what equals q at the critical temperature of the square or triangular lattice (F. Y. Wu,
 * Rev. Mod. Phys. 54, 235 (1982)); it increases with beta. */
static double critical_sum(const clup_problem *problem, double beta)
{
    const clup_bond_classes classes = clup_problem_classes(problem);
    double v[3] = {0};
    for (unsigned d = 0; d < clup_problem_directions(problem); d++)
        v[d] = expm1(classes.unit * classes.weight[class_of(d, classes.count)] * beta);
    return problem->lattice == CLUP_LATTICE_SQUARE
               ? v[0] * v[1]
               : v[0] * v[1] * v[2] + v[0] * v[1] + v[0] * v[2] + v[1] * v[2];
}

/* Whether spins can satisfy all bonds, so that flipping some of them makes all couplings positive.
 * They always can where all closed paths have an even number of bonds along each direction, as on
 * the square, the cubic, the honeycomb and the diamond lattice. A triangle has one bond along each
 * direction, and an even number of them must be negative. */
static bool is_unfrustrated(const clup_problem *problem)
{
    const unsigned directions = clup_problem_directions(problem);
    unsigned negative = 0;
    for (unsigned d = 0; d < directions; d++)
        negative += clup_units_of(problem->coupling[d]) < 0;
    return negative == 0 ||
           (clup_lattice_changes_parity(problem->lattice) &&
            directions == clup_lattice_axes(problem->lattice)) ||
           (problem->lattice == CLUP_LATTICE_TRIANGULAR && negative == 2);
}

/* Whether all couplings are one, which is positive. */
static bool one_coupling(const clup_problem *problem)
{
    const int32_t coupling = clup_coupling_units(problem, 0);
    bool alike = coupling > 0;
    for (unsigned d = 1; d < clup_problem_directions(problem); d++)
        alike = alike && clup_coupling_units(problem, d) == coupling;
    return alike;
}

/* Returns the critical inverse temperature of a clock model with one positive coupling that is an
 * Ising model (q = 2), the Potts model of three states, or two independent Ising models (q = 4);
 * NAN for others. */
static double critical_clock(const clup_problem *problem)
{
    static const double gaps[] = {[2] = 2, [3] = 1.5, [4] = 1};
    const int32_t coupling = clup_coupling_units(problem, 0);
    return one_coupling(problem) && problem->q <= 4
               ? potts_beta_of(problem, problem->q == 3 ? 3 : 2) /
                     (gaps[problem->q] * coupling * CLUP_COUPLING_UNIT)
               : NAN;
}

/* Returns the critical inverse temperature of vectors with one positive coupling: those that the
 * header names; NAN for others. */
static double critical_vectors(const clup_problem *problem)
{
    static const double known[CLUP_MODELS][CLUP_LATTICES] = {
        [CLUP_XY] = {[CLUP_LATTICE_SQUARE] = 1.1199, [CLUP_LATTICE_CUBIC] = 0.45416474},
        [CLUP_HEISENBERG] = {[CLUP_LATTICE_CUBIC] = 0.693003},
    };
    const double beta = known[problem->model][lattice_of(problem)];
    return beta > 0 && one_coupling(problem)
               ? beta / (clup_coupling_units(problem, 0) * CLUP_COUPLING_UNIT)
               : NAN;
}

double clup_problem_critical_beta(const clup_problem *problem)
{
    if (problem == NULL || (unsigned)problem->model >= CLUP_MODELS ||
        !clup_model_of(problem->model)->algorithms || clup_lattice_axes(problem->lattice) == 0 ||
        clup_couplings_check(problem) != CLUP_OK || clup_has_disorder(problem) ||
        clup_has_field(problem) || !is_unfrustrated(problem))
        return NAN;
    if (clup_spin_numbers(problem) > 0)
        return critical_vectors(problem);
    if (clup_has_matrix(problem))
        return problem->model == CLUP_CLOCK && problem->q >= 2 ? critical_clock(problem) : NAN;
    const clup_bond_classes classes = clup_problem_classes(problem);
    bool alike = true;
    for (unsigned k = 1; k < classes.count; k++)
        alike = alike && classes.weight[k] == classes.weight[0];
    if (alike)
        return potts_beta_of(problem, problem->q) / clup_energy_gap(problem);
    if (problem->lattice != CLUP_LATTICE_SQUARE && problem->lattice != CLUP_LATTICE_TRIANGULAR)
        return NAN;
    uint32_t largest = 0;
    for (unsigned k = 0; k < classes.count; k++)
        largest = classes.weight[k] > largest ? classes.weight[k] : largest;
    double low = 0, high = 1 / (classes.unit * largest);
    while (critical_sum(problem, high) < problem->q && high < 1e9)
        high *= 2;
    if (!(critical_sum(problem, high) >= problem->q))
        return NAN; /* chains that are not connected */
    for (int k = 0; k < 200; k++) {
        const double middle = (low + high) / 2;
        *(critical_sum(problem, middle) < problem->q ? &low : &high) = middle;
    }
    return (low + high) / 2;
}

/* ---- probabilities --------------------------------------------------------------------------- */

static double probability_of(const critical_point *point, clup_model model)
{
    const double p = model == CLUP_BOND_PERCOLATION   ? point->bond
                     : model == CLUP_SITE_PERCOLATION ? point->site
                                                      : 0;
    return p > 0 ? p : NAN;
}

double clup_critical_p(clup_lattice_kind lattice, clup_model model)
{
    return (unsigned)lattice < CLUP_LATTICES ? probability_of(&points[lattice], model) : NAN;
}

double clup_problem_critical_p(const clup_problem *problem)
{
    return problem != NULL && (unsigned)problem->lattice < CLUP_LATTICES
               ? probability_of(point_of(problem), problem->model)
               : NAN;
}
