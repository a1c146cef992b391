/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels from every local kernel, consolidation, layout and tile against the serial reference: for
 * every bond configuration of the 2 x 2 torus, of the 2 x 2 triangular one and of 2 x 2 x 2 cubic
 * sites; for some of the 3 x 3 torus; and for random bonds on lattices of awkward sizes. */
#include <math.h>

#include "device.h"
#include "core/random.clh"

static clup_context *context;

static void random_bonds(const lattice_args *lattice, double density, u32 seed, uint8_t *bonds)
{
    uint64_t sites = clup_lattice_sites(lattice), neighbour;
    for (u32 k = 0; k < clup_lattice_of(lattice)->directions * sites; k++) {
        u32 i = k % (u32)sites, d = k / (u32)sites;
        philox_block block = philox((philox_block){{k, 0, 0, 0}}, seed, 1);
        bonds[k] = clup_lattice_forward(lattice, d, i % lattice->nx, i / lattice->nx, &neighbour) &&
                   block.v[0] < density * 4294967296.0;
    }
}

/* Labels every configuration of bonds of a small lattice, or every step-th one. */
static void every_configuration(const clup_problem *problem, const clup_plan *plan, unsigned step)
{
    labeller labeller;
    labeller_create(context, problem, plan, &labeller);
    const lattice_args *lattice = &labeller.state.lattice;
    const unsigned sites = (unsigned)clup_lattice_sites(lattice),
                   all = clup_lattice_of(lattice)->directions * sites;
    uint8_t bonds[27] = {0}, work[9];
    uint32_t labels[9], wanted[9];
    unsigned wrong = 0, places[27], count = 0;
    uint64_t neighbour;
    for (unsigned k = 0; k < all; k++)
        if (clup_lattice_forward(lattice, k / sites, k % sites % lattice->nx,
                                 k % sites / lattice->nx, &neighbour))
            places[count++] = k;
    for (uint32_t bits = 0; bits < 1u << count; bits += step) {
        for (unsigned k = 0; k < count; k++)
            bonds[places[k]] = bits >> k & 1;
        labeller_run(&labeller, bonds, work, labels);
        clup_reference_labels(lattice, bonds, wanted);
        wrong += memcmp(labels, wanted, sites * sizeof *labels) != 0;
    }
    ok(wrong == 0, "%s + %s, %s, tile %u: configurations 0, %u to %u of %s, %u sites (%u wrong)",
       plan->local, plan->consolidate, plan->bonds, plan->tile[1], step, (1u << count) - 1,
       clup_lattice_of(lattice)->name, sites, wrong);
    labeller_free(&labeller);
}

static void exhaustive(const clup_plan *plan, void *user)
{
    const unsigned edge = *(const unsigned *)user;
    const clup_problem problem = {.size = {edge, edge}, .periodic = {1, 1}, .q = 2, .beta = 1};
    /* the larger torus: each local kernel with tiles that hold the lattice, each consolidation with
     * tiles that cut it, one layout, and some of the configurations, in which all bonds are alike;
     * the smaller one has all combinations of all */
    if (edge == 3 && (strcmp(plan->bonds, "word") != 0 ||
                      strcmp(plan->tile[1] == 4 ? plan->consolidate : plan->local,
                             plan->tile[1] == 4 ? "sew" : "selflabel") != 0))
        return;
    every_configuration(&problem, plan, edge == 2 ? 1 : plan->tile[1] == 4 ? 29 : 13);
}

/* Tori with double bonds, one with self-bonds, and open lattices, with tiles that cut the lattice
 * and tiles that do not. */
static void exhaustive_others(const clup_plan *plan, void *user)
{
    const clup_lattice_kind kind = *(const clup_lattice_kind *)user;
    if (kind == CLUP_LATTICE_TRIANGULAR) {
        every_configuration(
            &(clup_problem){.lattice = kind, .size = {2, 2}, .periodic = {1, 1}, .q = 2, .beta = 1},
            plan, 1);
        every_configuration(&(clup_problem){.lattice = kind, .size = {3, 3}, .q = 2, .beta = 1},
                            plan, 5);
    } else {
        every_configuration(&(clup_problem){.lattice = kind, .size = {2, 2, 2}, .q = 2, .beta = 1},
                            plan, 1);
        every_configuration(
            &(clup_problem){
                .lattice = kind, .size = {2, 1, 2}, .periodic = {1, 1, 1}, .q = 2, .beta = 1},
            plan, 1);
    }
}

/* Counts the densities of random bonds for which labels are wrong. */
static unsigned wrong_labels(const clup_problem *problem, const clup_plan *plan, u32 seed)
{
    static const double densities[] = {0, 0.3, 0.5, 1};
    labeller labeller;
    unsigned wrong = 0;
    labeller_create(context, problem, plan, &labeller);
    const lattice_args *lattice = &labeller.state.lattice;
    uint64_t sites = clup_lattice_sites(lattice);
    uint8_t *bonds = malloc(clup_lattice_of(lattice)->directions * sites), *work = malloc(sites);
    uint32_t *labels = malloc(sites * sizeof *labels), *wanted = malloc(sites * sizeof *wanted);
    for (size_t k = 0; k < sizeof densities / sizeof *densities; k++) {
        random_bonds(lattice, densities[k], seed + (u32)k, bonds);
        labeller_run(&labeller, bonds, work, labels);
        clup_reference_labels(lattice, bonds, wanted);
        wrong += memcmp(labels, wanted, sites * sizeof *labels) != 0;
    }
    labeller_free(&labeller);
    free(bonds);
    free(work);
    free(labels);
    free(wanted);
    return wrong;
}

static void awkward_sizes(const clup_plan *plan, void *user)
{
    static const uint32_t sizes[][3] = {{1, 1},   {1, 2},    {2, 1},    {1, 200},
                                        {200, 1}, {31, 33},  {64, 64},  {257, 5},
                                        {5, 257}, {100, 67}, {9000, 3}, {3, 9000}};
    static const uint32_t sizes_3d[][3] = {{1, 1, 1},   {2, 1, 2},    {1, 1, 200},
                                           {31, 5, 7},  {5, 7, 9},    {40, 3, 2},
                                           {65, 33, 3}, {32, 16, 16}, {2, 40, 30}};
    const clup_lattice_kind kind = *(const clup_lattice_kind *)user;
    const unsigned axes = clup_lattice_axes(kind), edge = plan->tile[1];
    /* all combinations with two tiles; with other tiles, each kernel variant once */
    if (edge != 6 && edge != 16 && strcmp(plan->local, "selflabel") != 0 &&
        strcmp(plan->consolidate, "sew") != 0)
        return;
    for (size_t s = 0;
         s<(axes > 2 ? sizeof sizes_3d / sizeof *sizes_3d : sizeof sizes / sizeof *sizes);
             s += kind>
                 CLUP_LATTICE_CUBIC
             ? 2
             : 1) {
        uint32_t size[3] = {1, 1, 1};
        memcpy(size, axes > 2 ? sizes_3d[s] : sizes[s], axes * sizeof *size);
        clup_lattice_fit(kind, size);
        unsigned wrong = 0;
        /* seams so long that pairs are inserted in pieces, which matters to consolidations */
        if (axes < 3 && size[0] * size[1] > 20000 &&
            (strcmp(plan->local, "selflabel") != 0 || plan->tile[1] > 4))
            continue;
        for (unsigned periodic = 0; periodic < 1u << axes; periodic++) {
            clup_problem problem = {.lattice = kind,
                                    .periodic = {periodic & 1, periodic >> 1 & 1, periodic >> 2},
                                    .q = 2,
                                    .beta = 1};
            memcpy(problem.size, size, sizeof problem.size);
            wrong += wrong_labels(&problem, plan, (u32)(100 * s));
        }
        ok(wrong == 0, "%s, %s + %s, %s, tile %u on %u x %u x %u (%u wrong)",
           clup_lattice_name(kind), plan->local, plan->consolidate, plan->bonds, plan->tile[1],
           size[0], size[1], axes > 2 ? size[2] : 1, wrong);
    }
}

/* Counts the iterations that a plan takes for no bonds, then one bond inside a tile, then another
 * across a seam. */
static void count_iterations(const clup_plan *plan, void *user)
{
    const clup_problem problem = {.size = {16, 8}, .q = 2, .beta = 1};
    labeller labeller;
    uint8_t bonds[2 * 128] = {0}, work[128];
    uint32_t labels[128];
    double passes[3], iterations[3];
    (void)user;
    if (plan->tile[0] != plan->tile[1])
        return; /* one tile across: there is no seam at that place */
    labeller_create(context, &problem, plan, &labeller);
    for (unsigned k = 0; k < 3; k++) {
        if (k > 0)
            bonds[k == 1 ? 0 : 3] = 1; /* from (0, 0), and from (3, 0), along x */
        labeller_run(&labeller, bonds, work, labels);
        NEED(clup_prepared_iterations(&labeller.local, &passes[k]));
        NEED(clup_prepared_iterations(&labeller.consolidate, &iterations[k]));
    }
    labeller_free(&labeller);
    if (strncmp(plan->local, "selflabel", 9) == 0)
        ok(passes[0] == 1 && passes[1] == 1.125 && passes[2] == 1.125, "%s, %s: %g, %g, %g passes",
           plan->local, plan->bonds, passes[0], passes[1], passes[2]);
    else
        ok(isnan(passes[0]) && isnan(passes[2]), "%s, %s: no passes", plan->local, plan->bonds);
    if (strncmp(plan->consolidate, "relax", 5) == 0)
        ok(iterations[0] == 1 && iterations[1] == 1 && iterations[2] == 2,
           "%s, %s: %g, %g, %g iterations", plan->consolidate, plan->bonds, iterations[0],
           iterations[1], iterations[2]);
    else
        ok(isnan(iterations[0]) && isnan(iterations[2]), "%s, %s: no iterations", plan->consolidate,
           plan->bonds);
}

int main(void)
{
    static const unsigned smallest[] = {2, 4}, tiles[] = {6, 32, 64}, edges[] = {2, 3};
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    /* those of further lattices have the same steps, some of them without bonds */
    for (clup_lattice_kind kind = 0; kind < CLUP_LATTICE_CHAIN; kind++) {
        directions_many(kind);
        /* the square lattice with all tiles; others with some, which do or do not cut words */
        each_plan(context, kind, tiles,
                  kind == CLUP_LATTICE_SQUARE ? sizeof tiles / sizeof *tiles : 2, awkward_sizes,
                  &kind);
    }
    directions_many(CLUP_LATTICE_SQUARE);
    each_plan(context, CLUP_LATTICE_SQUARE, smallest, 1, exhaustive, (void *)&edges[0]);
    each_plan(context, CLUP_LATTICE_SQUARE, smallest, 2, exhaustive, (void *)&edges[1]);
    for (clup_lattice_kind kind = CLUP_LATTICE_SQUARE + 1; kind <= CLUP_LATTICE_CUBIC; kind++)
        each_plan(context, kind, smallest, 2, exhaustive_others, &kind);
    each_plan(context, CLUP_LATTICE_SQUARE, &smallest[1], 1, count_iterations, NULL);
    clup_context_free(context);
    return done_testing();
}
