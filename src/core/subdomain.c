/* SPDX-License-Identifier: BSD-3-Clause */
/* Subdomains of lattices. */
#include <inttypes.h>

#include "core/bond_couplings.h"
#include "core/energy.h"
#include "core/state.h"

#include "core/interface_entries.clh"
#include "heat/heat.clh"

uint64_t clup_sites_wide = CLUP_SITES_32;

static unsigned slowest_axis(const clup_problem *problem)
{
    return clup_lattice_axes(problem->lattice) - 1;
}

clup_status clup_subdomain_of(const clup_problem *whole, uint32_t index, uint32_t count,
                              clup_subdomain *part)
{
    const unsigned axis = slowest_axis(whole);
    const uint64_t layers = whole->size[axis];
    const bool wraps = whole->periodic[axis] && count > 1;
    if (count > 1 && whole->lattice == CLUP_LATTICE_GRAPH)
        return clup_fail(CLUP_ERROR_USAGE,
                         "graphs are not divided: %" PRIu32 " processes need as many systems",
                         count);
    if (count > layers)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu32 " processes for %" PRIu64
                         " layers along %c: each has to have one",
                         count, layers, 'x' + (int)axis);
    *part = (clup_subdomain){.index = index, .count = count, .layers = layers};
    part->first = part_first(layers, index, count);
    part->own = part_first(layers, index + 1, count) - part->first;
    /* with two layers of entries and a halo; in a field there are twice as many numbers */
    part->wide = clup_problem_sites(whole) / layers *
                     (clup_has_field(whole) ? 2 * layers + 4 : layers + 3) >
                 clup_sites_wide;
    part->wraps = wraps;
    part->below = index > 0 || wraps;
    part->above = index + 1 < count || wraps;
    return CLUP_OK;
}

clup_status clup_subdomain_here(const clup_context *context, const clup_problem *whole,
                                clup_subdomain *part)
{
    const bool in_parts = clup_context_in_parts(context, clup_problem_replicas(whole));
    return clup_subdomain_of(whole, in_parts ? context->ranks->index : 0,
                             in_parts ? context->ranks->count : 1, part);
}

clup_problem clup_subdomain_problem(const clup_problem *whole, const clup_subdomain *part)
{
    const unsigned axis = slowest_axis(whole);
    clup_problem problem = *whole;
    problem.size[axis] = (uint32_t)(part->own + part->above);
    problem.periodic[axis] = part->count == 1 && whole->periodic[axis];
    if (part->count > 1 && whole->bond_couplings != NULL)
        problem.bond_couplings = whole->bond_couplings->fold;
    return problem;
}

uint64_t clup_subdomain_sites(const clup_problem *whole, const clup_subdomain *part)
{
    const uint64_t sites = clup_problem_sites(whole);
    return part->count > 1 ? sites / part->layers * ((part->layers - 1) / part->count + 2) : sites;
}

lattice_args clup_subdomain_lattice(const clup_problem *whole, const clup_subdomain *part)
{
    const clup_problem problem = clup_subdomain_problem(whole, part);
    lattice_args lattice = clup_lattice_args(&problem);
    const uint64_t rows = lattice_rows(lattice) / (part->own + part->above);
    lattice.rows_before = part->first * rows;
    lattice.rows_own = part->own * rows;
    if (part->count > 1)
        lattice.rows_whole = part->layers * rows;
    lattice.periodic |= part->wraps << WHOLE_PERIODIC;
    return lattice;
}
