/* SPDX-License-Identifier: BSD-3-Clause */
/* The geometry of lattices, layouts, and which problems are valid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/state.h"
#include "tap.h"

static const uint32_t sizes[][3] = {{1, 1, 1},   {2, 1, 1},   {1, 2, 1},   {31, 3, 2},
                                    {32, 2, 1},  {33, 5, 2},  {64, 64, 3}, {1, 200, 1},
                                    {200, 1, 2}, {257, 5, 1}, {2, 3, 5}};
#define SIZES (sizeof sizes / sizeof *sizes)

static const int steps[CLUP_LATTICES][13][3] = {
    [CLUP_LATTICE_SQUARE] = {{1, 0, 0}, {0, 1, 0}},
    [CLUP_LATTICE_TRIANGULAR] = {{1, 0, 0}, {0, 1, 0}, {-1, 1, 0}},
    [CLUP_LATTICE_CUBIC] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [CLUP_LATTICE_SQUARE_8] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}},
    [CLUP_LATTICE_CUBIC_18] = {{1, 0, 0},
                               {0, 1, 0},
                               {0, 0, 1},
                               {1, 1, 0},
                               {-1, 1, 0},
                               {1, 0, 1},
                               {-1, 0, 1},
                               {0, 1, 1},
                               {0, -1, 1}},
    [CLUP_LATTICE_CUBIC_26] = {{1, 0, 0},
                               {0, 1, 0},
                               {0, 0, 1},
                               {1, 1, 0},
                               {-1, 1, 0},
                               {1, 0, 1},
                               {-1, 0, 1},
                               {0, 1, 1},
                               {0, -1, 1},
                               {1, 1, 1},
                               {-1, 1, 1},
                               {1, -1, 1},
                               {-1, -1, 1}},
    [CLUP_LATTICE_CHAIN] = {{1, 0, 0}, {0, 1, 0}},
    [CLUP_LATTICE_HONEYCOMB] = {{1, 0, 0}, {0, 1, 0}},
    [CLUP_LATTICE_SQUARE_OCTAGON] = {{1, 0, 0}, {0, 1, 0}},
    [CLUP_LATTICE_UNION_JACK] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}},
    [CLUP_LATTICE_CHECKERBOARD] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {-1, 1, 0}},
    [CLUP_LATTICE_BCC] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}},
    [CLUP_LATTICE_FCC] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 1, 0}, {-1, 0, 1}, {0, -1, 1}},
    [CLUP_LATTICE_DIAMOND] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [CLUP_LATTICE_KAGOME] = {{1, 0, 0}, {0, 1, 0}, {-1, 1, 0}},
    [CLUP_LATTICE_LIEB] = {{1, 0, 0}, {0, 1, 0}},
};
static const unsigned directions[CLUP_LATTICES] = {2, 3, 3, 4, 9, 13, 2, 2, 2, 4, 4, 4, 6, 3, 3, 2};

/* Whether a site has the step along d, as the header says of each lattice. */
static bool has_step(const clup_problem *problem, uint64_t site, unsigned d)
{
    const uint32_t *size = problem->size;
    const uint64_t x = site % size[0], y = site / size[0] % size[1], z = site / size[0] / size[1];
    const bool odd = (x + y + z) % 2;
    switch (problem->lattice) {
    case CLUP_LATTICE_CHAIN: return d == 0;
    case CLUP_LATTICE_HONEYCOMB:
    case CLUP_LATTICE_DIAMOND: return d == 0 || odd;
    case CLUP_LATTICE_SQUARE_OCTAGON: return d == 0 || x % 4 / 2 == y % 2;
    case CLUP_LATTICE_UNION_JACK: return d < 2 || !odd;
    case CLUP_LATTICE_CHECKERBOARD: return d < 2 || odd == (d == 3);
    case CLUP_LATTICE_KAGOME:
    case CLUP_LATTICE_LIEB: {
        const int *step = steps[problem->lattice][d];
        const uint64_t to_x = x + (uint64_t)step[0] + size[0], to_y = y + (uint64_t)step[1];
        return !(x % 2 && y % 2) && !(to_x % 2 && to_y % 2);
    }
    default: return true;
    }
}

/* Finds the site so many steps from another, by coordinates; returns false past an open end. */
static bool neighbour_of(const clup_problem *problem, uint64_t site, unsigned d, int sign,
                         uint64_t *neighbour)
{
    uint64_t stride = 1;
    *neighbour = 0;
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++) {
        int64_t size = problem->size[axis], at = (int64_t)(site / stride % (uint64_t)size) +
                                                 sign * steps[problem->lattice][d][axis];
        if ((at < 0 || at >= size) && !problem->periodic[axis])
            return false;
        *neighbour += (uint64_t)((at + size) % size) * stride;
        stride *= (uint64_t)size;
    }
    return true;
}

/* Whether forward neighbours are right, and a step back leads to the site again. */
static int neighbours_agree(const clup_problem *problem, const lattice_args *lattice)
{
    for (unsigned d = 0; d < directions[problem->lattice]; d++)
        for (uint64_t i = 0; i < clup_problem_sites(problem); i++) {
            uint64_t wanted, found, back;
            bool has = neighbour_of(problem, i, d, 1, &wanted) && has_step(problem, i, d);
            if (clup_lattice_forward(lattice, d, (uint32_t)(i % lattice->nx),
                                     (uint32_t)(i / lattice->nx), &found) != has)
                return 0;
            if (has &&
                (found != wanted || !neighbour_of(problem, found, d, -1, &back) || back != i))
                return 0;
        }
    return 1;
}

/* Compares the masks of kernels with the neighbours of the reference. */
static int masks_agree(const lattice_args *lattice)
{
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
            for (uint32_t x = 0; x < 32 * lattice->words; x++) {
                lattice_offset offset = clup_lattice_of(lattice)->offsets[d];
                uint32_t mask = row_at(*lattice, offset, row) != NOWHERE
                                    ? step_mask(*lattice, offset.x, x / 32) &
                                          pattern_bonds(*lattice, clup_lattice_axes(lattice->kind),
                                                        offset, row)
                                    : 0;
                uint64_t neighbour;
                int has = x < lattice->nx && clup_lattice_forward(lattice, d, x, row, &neighbour);
                if (has != (int)(mask >> x % 32 & 1))
                    return 0;
            }
    return 1;
}

static int round_trip(const lattice_args *lattice, const clup_layout *layout, unsigned planes,
                      size_t each)
{
    uint64_t sites = each * clup_lattice_sites(lattice);
    uint8_t *spins = malloc(sites), *back = malloc(sites);
    void *packed = calloc(1, layout->spins->bytes(lattice, planes));
    for (uint64_t i = 0; i < sites; i++)
        spins[i] = (uint8_t)((i * 2654435761u >> 7) % (1u << (each > 1 ? 8 : planes)));
    layout->spins->pack(lattice, planes, spins, packed);
    layout->spins->unpack(lattice, planes, packed, back);
    int same = memcmp(spins, back, sites) == 0;
    free(spins);
    free(back);
    free(packed);
    return same;
}

static void check_problem(clup_lattice_kind lattice, uint32_t nx, uint32_t ny, uint32_t nz,
                          unsigned q, double beta, const char *names)
{
    clup_problem problem = {
        .lattice = lattice, .size = {nx, ny, nz}, .periodic = {1, 1}, .q = q, .beta = beta};
    clup_status status = clup_problem_check(&problem);
    /* several devices may hold a problem that is too large for one */
    if (status == CLUP_OK && names != NULL && strcmp(names, "size") == 0)
        status = clup_plan_choose(NULL, &problem, NULL, NULL, &(clup_plan){0});
    if (names == NULL)
        ok(status == CLUP_OK, "%s %u x %u x %u, q = %u, beta = %g is a problem",
           clup_lattice_name(lattice), nx, ny, nz, q, beta);
    else
        ok(status == CLUP_ERROR_USAGE && strstr(clup_error_detail(), names) != NULL,
           "%s %u x %u x %u, q = %u, beta = %g is refused for its %s", clup_lattice_name(lattice),
           nx, ny, nz, q, beta, names);
}

static void check_geometry(clup_lattice_kind kind, const uint32_t size[3])
{
    const unsigned axes = clup_lattice_axes(kind);
    uint32_t fit[3] = {size[0], size[1], axes > 2 ? size[2] : 1};
    clup_lattice_fit(kind, fit);
    size = fit;
    const uint32_t z = size[2];
    for (int periodic = 0; periodic < 1 << axes; periodic++) {
        const clup_problem problem = {
            .lattice = kind,
            .size = {size[0], size[1], z},
            .periodic = {periodic & 1, periodic >> 1 & 1, periodic >> 2 & 1}};
        lattice_args lattice = clup_lattice_args(&problem);
        uint64_t bonds[16] = {0}, there[16] = {0}, to;
        for (unsigned d = 0; d < directions[kind]; d++) {
            bonds[d] = clup_problem_bonds(&problem, d);
            for (uint64_t i = 0; i < clup_problem_sites(&problem); i++)
                there[d] += clup_lattice_forward(&lattice, d, (uint32_t)(i % lattice.nx),
                                                 (uint32_t)(i / lattice.nx), &to);
        }
        ok(memcmp(bonds, there, sizeof bonds) == 0, "the number of bonds of");
        ok(neighbours_agree(&problem, &lattice), "neighbours in %s %u x %u x %u, periodic %d",
           clup_lattice_name(kind), size[0], size[1], z, periodic);
        ok(masks_agree(&lattice), "and their masks");
        for (size_t l = 0; l < clup_layout_count && periodic == 0; l++) {
            const bool vectors = clup_layout_of_vectors(&clup_layouts[l]);
            ok(round_trip(&lattice, &clup_layouts[l], vectors ? 32 : 1, vectors ? 4 : 1) &&
                   round_trip(&lattice, &clup_layouts[l], vectors ? 96 : 3, vectors ? 12 : 1) &&
                   round_trip(&lattice, &clup_layouts[l], vectors ? 32 : 8, vectors ? 4 : 1),
               "spins survive the %s layout", clup_layouts[l].name);
        }
    }
}

/* Whether each lattice of the table has what kernels rely on: the first neighbour is along the row,
 * all others are in later rows. */
static void check_table(clup_lattice_kind kind)
{
    const clup_problem problem = {.lattice = kind, .size = {4, 4, 4}};
    lattice_args args = clup_lattice_args(&problem);
    const clup_lattice *lattice = clup_lattice_of(&args);
    int fine = lattice->offsets[0].x == 1 && lattice->offsets[0].y == 0 &&
               lattice->offsets[0].z == 0;
    for (unsigned d = 1; d < lattice->directions; d++) {
        lattice_offset offset = lattice->offsets[d];
        fine = fine && abs(offset.x) <= 1 && abs(offset.y) <= 1 && abs(offset.z) <= 1 &&
               (offset.z > 0 || (offset.z == 0 && offset.y > 0));
        fine = fine && (offset.z == 0 || lattice->axes > 2);
    }
    ok(fine && lattice->directions <= CLUP_DIRECTIONS_MAX &&
           lattice->directions == directions[kind],
       "%s: %u directions", lattice->name, lattice->directions);
}

static void check_critical(void)
{
    ok(fabs(clup_critical_beta(CLUP_LATTICE_SQUARE, 2) - 0.881373587019543) < 1e-14,
       "beta_c of the square lattice");
    ok(fabs(clup_critical_beta(CLUP_LATTICE_TRIANGULAR, 2) - 0.549306144334055) < 1e-14,
       "of the triangular one, ln(3)/2");
    for (unsigned q = 2; q <= 256; q++) {
        double v = expm1(clup_critical_beta(CLUP_LATTICE_TRIANGULAR, q));
        if (fabs(v * v * (v + 3) / q - 1) > 1e-13)
            ok(0, "beta_c of the triangular lattice for q = %u", q);
    }
    ok(fabs(clup_critical_beta(CLUP_LATTICE_TRIANGULAR, 3) - 0.630944) < 1e-6, "for q = 3");
    ok(fabs(clup_critical_beta(CLUP_LATTICE_HONEYCOMB, 2) - 2 * 0.658478948462) < 1e-11 &&
           fabs(clup_critical_beta(CLUP_LATTICE_KAGOME, 2) - log(3 + 2 * sqrt(3)) / 2) < 1e-11,
       "of the honeycomb and the kagome lattice");
    for (unsigned q = 2; q <= 256; q++) {
        double v = expm1(clup_critical_beta(CLUP_LATTICE_HONEYCOMB, q));
        if (fabs((v * v * v - 3 * q * v) / q / q - 1) > 1e-12)
            ok(0, "beta_c of the honeycomb lattice for q = %u", q);
    }
    ok(fabs(clup_critical_beta(CLUP_LATTICE_CUBIC, 2) - 0.443309252) < 1e-12 &&
           isnan(clup_critical_beta(CLUP_LATTICE_CUBIC, 3)),
       "of the cubic one, for q = 2 alone");
    const double jack = tanh(clup_critical_beta(CLUP_LATTICE_UNION_JACK, 2) / 2),
                 octagon = tanh(clup_critical_beta(CLUP_LATTICE_SQUARE_OCTAGON, 2) / 2);
    ok(fabs(pow(jack, 4) + 4 * jack - 1) < 1e-14 &&
           fabs(pow(octagon, 4) + 4 * pow(octagon, 3) - 1) < 1e-14,
       "of the union jack and the square-octagon lattice");
    for (unsigned q = 2; q <= 256; q++) {
        /* two bonds, one after the other, are one of v^2 / (q + 2 v) */
        const double v = expm1(clup_critical_beta(CLUP_LATTICE_LIEB, q));
        if (fabs(v * v / (q + 2 * v) - expm1(clup_critical_beta(CLUP_LATTICE_SQUARE, q))) > 1e-12)
            ok(0, "beta_c of the Lieb lattice for q = %u", q);
    }
}

int main(void)
{
    for (clup_lattice_kind kind = 0; kind < CLUP_LATTICE_GRAPH; kind++) {
        check_table(kind);
        for (size_t k = 0; k < SIZES; k++)
            check_geometry(kind, sizes[k]);
    }
    check_critical();
    ok(clup_lattice_name(CLUP_LATTICES) == NULL && clup_lattice_axes(CLUP_LATTICES) == 0,
       "there are no more lattices");
    /* the convention: a bond onto itself at size 1, two bonds between a pair at size 2 */
    clup_problem tiny = {.size = {2, 1, 0}, .periodic = {1, 1}};
    lattice_args lattice = clup_lattice_args(&tiny);
    uint64_t right, left, self;
    ok(clup_lattice_forward(&lattice, 0, 0, 0, &right) && right == 1 &&
           clup_lattice_forward(&lattice, 0, 1, 0, &left) && left == 0,
       "two bonds join the pair of a periodic axis of size 2");
    ok(clup_lattice_forward(&lattice, 1, 1, 0, &self) && self == 1,
       "a bond joins the site of a periodic axis of size 1 with itself");
    check_problem(CLUP_LATTICE_SQUARE, 1, 1, 0, 2, 0, NULL);
    check_problem(CLUP_LATTICE_SQUARE, 524288, 65537, 0, 256, INFINITY, "size");
    check_problem(CLUP_LATTICE_SQUARE, 65535, 65536, 1, 256, INFINITY, NULL);
    check_problem(CLUP_LATTICE_SQUARE, 262144, 131072, 1, 2, 1, NULL);
    check_problem(CLUP_LATTICE_CUBIC, 0xFFFFFFFE, 1, 1, 2, 1, NULL);
    check_problem(CLUP_LATTICE_CUBIC, 0xFFFFFFFF, 1, 1, 2, 1, "size");
    check_problem(CLUP_LATTICE_SQUARE, 0, 4, 0, 2, 1, "size");
    check_problem(CLUP_LATTICE_SQUARE, 4, 4, 0, 1, 1, "q = 1");
    check_problem(CLUP_LATTICE_SQUARE, 4, 4, 0, 257, 1, "q = 257");
    check_problem(CLUP_LATTICE_SQUARE, 4, 4, 0, 2, -0.5, "beta = -0.5");
    check_problem(CLUP_LATTICE_SQUARE, 4, 4, 0, 2, NAN, "beta = ");
    check_problem(CLUP_LATTICE_SQUARE, 4, 4, 4, 2, 1, "4x4x4: the square lattice has two axes");
    check_problem(CLUP_LATTICE_TRIANGULAR, 4, 4, 2, 2, 1, "the triangular lattice has two axes");
    check_problem(CLUP_LATTICE_CUBIC, 4, 4, 0, 2, 1, "4x4x0: each axis");
    check_problem(CLUP_LATTICE_CUBIC, 65536, 65536, 65536, 2, 1, "size");
    check_problem(CLUP_LATTICE_CUBIC, 65536, 65536, 9, 2, 1, "size");
    check_problem(CLUP_LATTICE_CUBIC, 1600, 1600, 1600, 2, 1, NULL);
    check_problem(CLUP_LATTICE_HONEYCOMB, 5, 4, 1, 2, 1,
                  "5 sites along x: the honeycomb lattice has cells of 2");
    check_problem(CLUP_LATTICE_HONEYCOMB, 4, 5, 1, 2, 1,
                  "5 sites along y: the honeycomb lattice "
                  "needs a multiple of 2");
    check_problem(CLUP_LATTICE_SQUARE_OCTAGON, 6, 4, 1, 2, 1, "cells of 4");
    check_problem(CLUP_LATTICE_KAGOME, 4, 5, 1, 2, 1, "5 sites along y");
    check_problem(CLUP_LATTICE_LIEB, 5, 4, 1, 2, 1, "cells of 2");
    check_problem(CLUP_LATTICE_DIAMOND, 4, 3, 4, 2, 1, "3 sites along y");
    check_problem(CLUP_LATTICE_DIAMOND, 4, 4, 3, 2, 1, NULL);
    const clup_problem long_row = {
        .lattice = CLUP_LATTICE_CUBIC, .size = {0xFFFFFFFF, 1, 1}, .periodic = {1, 0, 0}};
    ok(clup_problem_bonds(&long_row, 0) == 0xFFFFFFFF && clup_problem_bonds(&long_row, 1) == 0,
       "bonds of a row of 2^32 - 1 sites");
    check_problem(CLUP_LATTICES, 4, 4, 4, 2, 1, "not known");
    return done_testing();
}
