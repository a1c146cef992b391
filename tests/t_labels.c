/* Labels of every local kernel, consolidation, layout and tile against the serial reference: every bond configuration of
 * the 2 x 2 and 3 x 3 torus, and random bonds on lattices of awkward sizes. */
#include <math.h>

#include "device.h"
#include "random.clh"

static clup_context *context;

static void random_bonds(const lattice_args *lattice, double density, u32 seed, uint8_t *bonds)
{
    uint64_t sites = clup_lattice_sites(lattice), neighbour;
    for (u32 k = 0; k < 2 * sites; k++) {
        u32 i = k % (u32)sites, d = k / (u32)sites;
        philox_block block = philox((philox_block){{k, 0, 0, 0}}, seed, 1);
        bonds[k] = clup_lattice_forward(lattice, d, i % lattice->nx, i / lattice->nx, &neighbour) && block.v[0] < density * 4294967296.0;
    }
}

/* How many of the configurations of a 2 x 2 or 3 x 3 torus come out wrong. */
static void exhaustive(const clup_plan *plan, void *user)
{
    const unsigned edge = *(const unsigned *)user, sites = edge * edge;
    const clup_problem problem = {.size = {edge, edge}, .periodic = {1, 1}, .q = 2, .beta = 1};
    labeller labeller;
    uint8_t bonds[18], work[9];
    uint32_t labels[9], wanted[9];
    unsigned wrong = 0;
    /* the larger torus: each local kernel with tiles that hold the lattice, each consolidation with tiles that cut it, and
     * one layout; the smaller one has all combinations */
    if (edge == 3 && (strcmp(plan->bonds, "word") != 0 ||
                      strcmp(plan->tile[0] == 4 ? plan->consolidate : plan->local, plan->tile[0] == 4 ? clup_consolidations.rows[0].name : clup_locals.rows[0].name) != 0))
        return;
    labeller_create(context, &problem, plan, &labeller);
    for (uint32_t bits = 0; bits < 1u << 2 * sites; bits++) {
        for (unsigned k = 0; k < 2 * sites; k++)
            bonds[k] = bits >> k & 1;
        labeller_run(&labeller, bonds, work, labels);
        clup_reference_labels(&labeller.state.lattice, bonds, wanted);
        wrong += memcmp(labels, wanted, sites * sizeof *labels) != 0;
    }
    ok(wrong == 0, "%s + %s, %s, tile %u: all %u configurations of the %u x %u torus (%u wrong)", plan->local, plan->consolidate, plan->bonds, plan->tile[0], 1u << 2 * sites, edge, edge, wrong);
    labeller_free(&labeller);
}

static void awkward_sizes(const clup_plan *plan, void *user)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 2}, {2, 1}, {1, 200}, {200, 1}, {31, 33}, {64, 64}, {257, 5}, {5, 257}, {100, 67}, {9000, 3}, {3, 9000}};
    static const double densities[] = {0, 0.3, 0.5, 0.55, 0.8, 1};
    (void)user;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        unsigned wrong = 0;
        uint64_t sites = (uint64_t)sizes[s][0] * sizes[s][1];
        /* seams so long that they are inserted in pieces: of interest to the consolidations */
        if (sites > 20000 && (strcmp(plan->local, clup_locals.rows[0].name) != 0 || plan->tile[0] > 4))
            continue;
        uint8_t *bonds = malloc(2 * sites), *work = malloc(sites);
        uint32_t *labels = malloc(sites * sizeof *labels), *wanted = malloc(sites * sizeof *wanted);
        for (int periodic = 0; periodic < 4; periodic++) {
            const clup_problem problem = {.size = {sizes[s][0], sizes[s][1]}, .periodic = {periodic & 1, periodic >> 1}, .q = 2, .beta = 1};
            labeller labeller;
            labeller_create(context, &problem, plan, &labeller);
            for (size_t k = 0; k < sizeof densities / sizeof *densities; k++) {
                random_bonds(&labeller.state.lattice, densities[k], (u32)(100 * s + k), bonds);
                labeller_run(&labeller, bonds, work, labels);
                clup_reference_labels(&labeller.state.lattice, bonds, wanted);
                wrong += memcmp(labels, wanted, sites * sizeof *labels) != 0;
            }
            labeller_free(&labeller);
        }
        ok(wrong == 0, "%s + %s, %s, tile %u on %u x %u (%u wrong)", plan->local, plan->consolidate, plan->bonds, plan->tile[0], sizes[s][0], sizes[s][1], wrong);
        free(bonds);
        free(work);
        free(labels);
        free(wanted);
    }
}

/* Passes and iterations that a plan takes for no bonds, then one inside a tile, then one across a seam as well. */
static void count_iterations(const clup_plan *plan, void *user)
{
    const clup_problem problem = {.size = {16, 8}, .q = 2, .beta = 1};
    labeller labeller;
    uint8_t bonds[2 * 128] = {0}, work[128];
    uint32_t labels[128];
    double passes[3], iterations[3];
    (void)user;
    labeller_create(context, &problem, plan, &labeller);
    for (unsigned k = 0; k < 3; k++) {
        if (k > 0)
            bonds[k == 1 ? 0 : 3] = 1; /* from (0, 0), and from (3, 0), along x */
        labeller_run(&labeller, bonds, work, labels);
        NEED(clup_pass_iterations(&labeller.local, &passes[k]));
        NEED(clup_pass_iterations(&labeller.consolidate, &iterations[k]));
    }
    labeller_free(&labeller);
    if (strncmp(plan->local, "selflabel", 9) == 0)
        ok(passes[0] == 1 && passes[1] == 1.125 && passes[2] == 1.125, "%s, %s: %g, %g, %g passes", plan->local, plan->bonds, passes[0], passes[1], passes[2]);
    else
        ok(isnan(passes[0]) && isnan(passes[2]), "%s, %s: no passes", plan->local, plan->bonds);
    if (strncmp(plan->consolidate, "relax", 5) == 0)
        ok(iterations[0] == 1 && iterations[1] == 1 && iterations[2] == 2, "%s, %s: %g, %g, %g iterations", plan->consolidate, plan->bonds, iterations[0], iterations[1], iterations[2]);
    else
        ok(isnan(iterations[0]) && isnan(iterations[2]), "%s, %s: no iterations", plan->consolidate, plan->bonds);
}

int main(void)
{
    static const unsigned smallest[] = {2, 4}, tiles[] = {2, 4, 6, 16, 32, 64}, edges[] = {2, 3};
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    each_plan(context, tiles, sizeof tiles / sizeof *tiles, awkward_sizes, NULL);
    each_plan(context, smallest, 1, exhaustive, (void *)&edges[0]);
    each_plan(context, smallest, 2, exhaustive, (void *)&edges[1]);
    each_plan(context, &smallest[1], 1, count_iterations, NULL);
    clup_context_free(context);
    return done_testing();
}
