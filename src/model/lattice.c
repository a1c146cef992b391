/* Geometry of a problem. */
#include "model/lattice.h"

#include <math.h>

clup_status clup_problem_check(const clup_problem *problem)
{
    if (problem->lattice != CLUP_LATTICE_SQUARE)
        return clup_fail(CLUP_ERROR_USAGE, "lattice %d is not known", (int)problem->lattice);
    for (int axis = 0; axis < 2; axis++)
        if (problem->size[axis] < 1)
            return clup_fail(CLUP_ERROR_USAGE, "size %ux%u: each axis needs at least one site", problem->size[0], problem->size[1]);
    if ((uint64_t)problem->size[0] * problem->size[1] >= 0xFFFFFFFFu)
        return clup_fail(CLUP_ERROR_USAGE, "size %ux%u: 32-bit labels allow at most 4294967294 sites", problem->size[0], problem->size[1]);
    if (problem->q < 2 || problem->q > 256)
        return clup_fail(CLUP_ERROR_USAGE, "q = %u is not between 2 and 256", problem->q);
    if (!(problem->beta >= 0))
        return clup_fail(CLUP_ERROR_USAGE, "beta = %g is not a number >= 0", problem->beta);
    return CLUP_OK;
}

double clup_critical_beta(clup_lattice_kind lattice, unsigned q)
{
    (void)lattice; /* square is the one there is */
    return log(1 + sqrt(q));
}

lattice_args clup_lattice_args(const clup_problem *problem)
{
    return (lattice_args){
        .nx = problem->size[0],
        .ny = problem->size[1],
        .words = (problem->size[0] - 1) / 32 + 1,
        .periodic = (problem->periodic[0] ? 1u : 0) | (problem->periodic[1] ? 2u : 0),
    };
}

uint64_t clup_lattice_sites(const lattice_args *lattice)
{
    return (uint64_t)lattice->nx * lattice->ny;
}

uint64_t clup_lattice_words(const lattice_args *lattice)
{
    return (uint64_t)lattice->words * lattice->ny;
}

uint64_t clup_lattice_tiles(const lattice_args *lattice, const unsigned tile[2])
{
    return (uint64_t)((lattice->nx - 1) / tile[0] + 1) * ((lattice->ny - 1) / tile[1] + 1);
}

bool clup_lattice_forward(const lattice_args *lattice, unsigned d, uint32_t x, uint32_t y, uint64_t *neighbour)
{
    uint32_t at[2] = {x, y};
    const uint32_t size[2] = {lattice->nx, lattice->ny};
    if (++at[d] == size[d]) {
        if (!(lattice->periodic >> d & 1))
            return false;
        at[d] = 0;
    }
    *neighbour = at[0] + (uint64_t)lattice->nx * at[1];
    return true;
}

unsigned clup_spin_planes(unsigned q)
{
    unsigned planes = 1;
    while (1u << planes < q)
        planes++;
    return planes;
}

unsigned clup_spin_field(unsigned q)
{
    unsigned width = 1, planes = clup_spin_planes(q);
    if (1u << planes != q)
        return 32;
    while (width < planes)
        width *= 2;
    return width;
}

clup_bond_law clup_bond_law_of(double beta)
{
    double scaled = round(-expm1(-beta) * 4294967296.0);
    if (scaled >= 4294967296.0)
        return (clup_bond_law){.always = 1};
    return (clup_bond_law){.threshold = (uint32_t)scaled};
}
