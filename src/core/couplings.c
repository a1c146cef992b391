/* SPDX-License-Identifier: BSD-3-Clause */
/* Couplings: one for each direction of bonds. And the field. */
#include "core/couplings.h"

#include <math.h>
#include <stdlib.h>

#include "core/disorder.h"
#include "core/energy.h"
#include "core/graph.h"
#include "core/model.h"
#include "core/table.h"
#include "core/vector.h"
#include "model/matrix_sizes.clh"
#include "program.h"

static int32_t units(const clup_problem *problem, unsigned d)
{
    return clup_units_of(problem->coupling[d]);
}

bool clup_bonds_differ(const clup_problem *problem)
{
    return clup_has_couplings(problem) || clup_has_disorder(problem) || clup_has_field(problem) ||
           clup_has_pair_energies(problem);
}

/* Whether some couplings are negative. */
static bool has_signs(const clup_problem *problem)
{
    return clup_has_random_signs(problem) || clup_has_negative_couplings(problem);
}

bool clup_clusters_estimate(const clup_problem *problem)
{
    return !has_signs(problem) && !clup_has_field(problem) && !clup_has_pair_energies(problem);
}

bool clup_amplitudes_estimate(const clup_problem *problem)
{
    return clup_clusters_estimate(problem) || problem->model == CLUP_ISING ||
           clup_spin_numbers(problem) > 0;
}

bool clup_clusters_flip(const clup_problem *problem)
{
    return problem->model == CLUP_ISING && clup_bonds_differ(problem);
}

clup_status clup_couplings_check(const clup_problem *problem)
{
    bool any = false;
    for (unsigned d = 0; d < clup_problem_directions(problem); d++) {
        char text[32];
        const double coupling = problem->coupling[d];
        clup_number_text(coupling, text);
        if (!(fabs(coupling) <= CLUP_COUPLING_MOST))
            return clup_fail(CLUP_ERROR_USAGE, "coupling %s is not between -%d and %d", text,
                             CLUP_COUPLING_MOST, CLUP_COUPLING_MOST);
        any = any || units(problem, d) != 0;
    }
    return any || !clup_has_couplings(problem)
               ? problem->model == CLUP_TABLE ? clup_table_check(problem)
                                              : clup_matrix_check(problem)
               : clup_fail(CLUP_ERROR_USAGE, "all couplings are below %g, and count as 0",
                           CLUP_COUPLING_UNIT / 2);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b != 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Returns by how much a bond of coupling 1 has less energy when it is satisfied. */
static double gap_of(clup_model model)
{
    const clup_model_row *row = clup_model_of(model);
    return row->algorithms ? row->unequal - row->equal : 1;
}

clup_bond_classes clup_problem_classes(const clup_problem *problem)
{
    const unsigned directions = clup_problem_directions(problem);
    clup_bond_classes classes = {.count = 1, .weight = {1}, .unit = gap_of(problem->model)};
    uint32_t divisor = 0;
    const bool couplings = clup_has_couplings(problem);
    bool alike = true;
    if (!couplings && !clup_has_field(problem) && !clup_has_pair_energies(problem) &&
        !clup_has_sizes(problem))
        return classes;
    for (unsigned d = 0; d < directions; d++) {
        const int32_t coupling = clup_coupling_units(problem, d);
        classes.weight[d] = (uint32_t)abs(coupling);
        classes.unequal[d] = coupling < 0;
        divisor = common_divisor(classes.weight[d], divisor);
        alike = alike && units(problem, d) == units(problem, 0);
    }
    alike = alike && (problem->model != CLUP_TABLE || problem->table->matrices == 1);
    classes.count = alike ? 1 : directions;
    if (clup_has_matrix(problem)) {
        classes.unit = CLUP_COUPLING_UNIT;
        return classes;
    }
    if (clup_has_field(problem)) {
        classes.field = (uint32_t)abs(clup_field_units(problem));
        classes.down = problem->field < 0;
        divisor = common_divisor(classes.field, divisor);
    }
    if (clup_spin_numbers(problem) > 0) {
        classes.unit = CLUP_COUPLING_UNIT;
        return classes;
    }
    if (clup_has_sizes(problem)) {
        classes.unit *= CLUP_COUPLING_UNIT;
        return classes;
    }
    /* couplings that all count as 0 are no right ones */
    divisor = divisor > 0 ? divisor : 1;
    for (unsigned d = 0; d < directions; d++)
        classes.weight[d] /= divisor;
    classes.field /= divisor;
    classes.unit *= divisor * CLUP_COUPLING_UNIT;
    return classes;
}

/* Returns the weight of the bonds along d. */
static uint32_t weight_along(const clup_bond_classes *classes, unsigned d)
{
    return classes->weight[class_of(d, classes->count)];
}

/* Returns by how much energies differ at most. */
static uint64_t width_of(clup_energies range)
{
    return (uint64_t)(range.most - range.least);
}

/* Returns the largest weight of a bond along d, with a matrix; or a number above it. */
static uint64_t matrix_most(const clup_problem *problem, unsigned d)
{
    const uint64_t width = width_of(clup_pair_bonds(problem, d));
    return clup_has_sizes(problem)
               ? (uint64_t)matrix_scaled((int64_t)width, (uint32_t)clup_size_most(problem, d))
               : width;
}

/* Returns the largest weight of the field of a site; and those of the bonds of a site along all
 * directions, summed, or of an edge of a graph. */
static uint64_t most_of_field(const clup_problem *problem)
{
    return clup_has_pair_energies(problem) ? width_of(clup_pair_sites(problem))
                                           : clup_problem_classes(problem).field;
}

static uint64_t most_of_bonds(const clup_problem *problem)
{
    const clup_bond_classes classes = clup_problem_classes(problem);
    const bool pairs = clup_has_pair_energies(problem);
    uint64_t weights = 0;
    for (unsigned d = 0; d < clup_problem_directions(problem); d++)
        weights += clup_has_matrix(problem)  ? matrix_most(problem, d)
                   : clup_has_sizes(problem) ? (pairs ? 2 : 1) * clup_size_most(problem, d)
                   : pairs                   ? width_of(clup_pair_bonds(problem, d))
                                             : weight_along(&classes, d);
    return weights;
}

/* Returns how often the bonds of most_of_bonds occur: once for each edge of a graph, whose edges
 * are bonds of its one direction; else once for each site. */
static uint64_t bond_starts(const clup_problem *problem)
{
    return problem->graph != NULL ? clup_graph_edges(problem) : clup_problem_sites(problem);
}

uint64_t clup_problem_most_satisfied(const clup_problem *problem)
{
    return most_of_field(problem) * clup_problem_sites(problem) +
           most_of_bonds(problem) * bond_starts(problem);
}

/* The weights of 32 bonds are added in a word of 32 bits, those of a system in 63 bits; and the
 * components of spins, in units of 2^-26, likewise. */
#define WEIGHT_MOST ((uint64_t)1 << 27)
#define COMPONENTS_MOST ((uint64_t)1 << 36)
clup_status clup_energies_check(const clup_problem *problem)
{
    const uint64_t sites = clup_problem_sites(problem);
    for (unsigned d = 0; d < clup_problem_directions(problem) && clup_has_matrix(problem) &&
                         clup_has_sizes(problem);
         d++)
        if (matrix_most(problem, d) >= WEIGHT_MOST)
            return clup_fail(CLUP_ERROR_USAGE,
                             "with these couplings, energies of a bond along direction %u can "
                             "differ by %.4g, more than %g",
                             d, (double)matrix_most(problem, d) * CLUP_COUPLING_UNIT,
                             (double)WEIGHT_MOST * CLUP_COUPLING_UNIT);
    if (clup_problem_components(problem) > 0 && sites > COMPONENTS_MOST)
        return clup_fail(
            CLUP_ERROR_USAGE,
            "%llu sites are too many for magnetisations that are vectors: at most 2^36",
            (unsigned long long)sites);
    const uint64_t starts = bond_starts(problem), most = sites > starts ? sites : starts;
    return most_of_field(problem) + most_of_bonds(problem) < ((uint64_t)1 << 63) / most
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE,
                           "energies of %llu sites with these couplings do not fit 63 bits",
                           (unsigned long long)sites);
}

bool clup_bonds_weigh(const clup_problem *problem, double *gap)
{
    if ((problem->model != CLUP_POTTS && problem->model != CLUP_ISING) || clup_has_field(problem) ||
        clup_has_pair_energies(problem) || clup_has_sizes(problem) || problem->graph != NULL)
        return false;
    const clup_bond_classes classes = clup_problem_classes(problem);
    const uint32_t first = weight_along(&classes, 0);
    for (unsigned d = 1; d < clup_problem_directions(problem); d++)
        if (weight_along(&classes, d) != first)
            return false;
    if (gap != NULL)
        *gap = classes.unit * first;
    return first > 0;
}

double clup_energy_gap(const clup_problem *problem)
{
    const clup_bond_classes classes = clup_problem_classes(problem);
    const unsigned directions = clup_problem_directions(problem);
    double sum = 0;
    for (unsigned d = 0; d < directions; d++)
        sum += clup_has_pair_energies(problem) ? (double)width_of(clup_pair_bonds(problem, d))
                                               : weight_along(&classes, d);
    return classes.unit * sum / directions;
}

/* Returns the highest energies of the bonds along d, summed, with a matrix. */
static double highest_of(const clup_problem *problem, const clup_present *present, unsigned d)
{
    const clup_energies energies = clup_pair_bonds(problem, d);
    const bool sized = clup_has_sizes(problem);
    const double all = (double)(sized ? present->sizes[d] : present->bonds[d]),
                 turned = (double)present->turned[d];
    return ((double)energies.most * (all - turned) - (double)energies.least * turned) *
           (sized ? CLUP_COUPLING_UNIT : 1);
}

double clup_energy_unsatisfied(const clup_problem *problem, const clup_present *present)
{
    const clup_bond_classes classes = clup_problem_classes(problem);
    const double unsatisfied = clup_model_of(problem->model)->unequal;
    uint64_t all = 0;
    if (clup_has_pair_energies(problem)) {
        double sum = (double)clup_pair_sites(problem).most * (double)present->sites;
        for (unsigned d = 0; d < clup_problem_directions(problem); d++)
            sum += clup_has_matrix(problem) ? highest_of(problem, present, d)
                   : clup_has_sizes(problem)
                       ? (double)present->sizes[d]
                       : (double)clup_pair_bonds(problem, d).most * (double)present->bonds[d];
        return classes.unit * sum;
    }
    for (unsigned d = 0; d < clup_problem_directions(problem) && unsatisfied != 0; d++)
        all += clup_has_sizes(problem) ? present->sizes[d]
                                       : weight_along(&classes, d) * present->bonds[d];
    all += classes.field * present->sites;
    return unsatisfied * classes.unit / gap_of(problem->model) * (double)all;
}

double clup_energy_of(const clup_problem *problem, double satisfied)
{
    clup_present present = {.sites = clup_problem_sites(problem)};
    for (unsigned d = 0; d < clup_problem_directions(problem); d++)
        present.bonds[d] = clup_problem_bonds(problem, d);
    return clup_energy_unsatisfied(problem, &present) -
           clup_problem_classes(problem).unit * satisfied;
}

/* Returns the law of what has so much less energy, times beta, when it is satisfied; or of vectors,
 * when they are parallel and not at right angles. */
static bond_law law_of(const clup_laws *laws, double strength)
{
    return laws->numbers > 0 ? clup_vector_law(strength) : clup_bond_law_of(strength);
}

uint64_t clup_step_of(double unit, double beta)
{
    const double step = ldexp(unit * beta, 58);
    return step < ldexp(1, 64) ? (uint64_t)step : UINT64_MAX;
}

uint64_t clup_energy_step(const clup_problem *problem, double beta)
{
    return clup_step_of(clup_problem_classes(problem).unit, beta);
}

clup_laws clup_problem_laws(const clup_problem *problem, double beta)
{
    const clup_bond_classes classes = clup_problem_classes(problem);
    clup_laws laws = {.classes = classes.count,
                      .edges = clup_graph_edges(problem),
                      .ends = problem->graph != NULL ? problem->graph->ends : NULL,
                      .field = clup_has_field(problem),
                      .numbers = clup_spin_numbers(problem),
                      .components = clup_problem_components(problem)};
    if (clup_has_matrix(problem))
        return laws;
    const uint64_t step = clup_energy_step(problem, beta);
    for (unsigned k = 0; k < classes.count; k++) {
        /* without a coupling, no bond at any temperature */
        laws.of[k] = law_of(&laws,
                            classes.weight[k] > 0 ? classes.unit * classes.weight[k] * beta : 0);
        laws.of[k].weight = classes.weight[k];
        laws.of[k].unequal = classes.unequal[k] ? 0xFFFFFFFFu : 0;
        if (clup_has_sizes(problem) && laws.numbers > 0) {
            const bond_law of_most = clup_vector_law(CLUP_COUPLING_MOST * beta);
            laws.of[k].threshold = of_most.threshold;
            laws.of[k].always = of_most.always;
        } else if (clup_has_sizes(problem)) {
            laws.of[k].threshold = (uint32_t)step;
            laws.of[k].always = (uint32_t)(step >> 32);
        }
    }
    if (laws.field) {
        bond_law *field = &laws.of[classes.count];
        *field = law_of(&laws, classes.unit * classes.field * beta);
        field->weight = classes.field;
        field->unequal = classes.down ? 0xFFFFFFFFu : 0;
    }
    return laws;
}
