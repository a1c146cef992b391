/* SPDX-License-Identifier: BSD-3-Clause */
/* Curves of percolation: each step of a sample has what the direct sample with as many bonds or
 * sites has; devices draw what the host draws, in sets and parts of any size; means over the
 * binomial distribution and errors, by their definition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/lattice.h"
#include "core/state.h"
#include "graph/growing.h"
#include "refused.h"
#include "tap.h"
#include "update/percolation.h"

static clup_context *context;

static const struct {
    clup_lattice_kind lattice;
    uint32_t size[3];
    int periodic[3];
} systems[] = {
    {CLUP_LATTICE_SQUARE, {33, 21}, {1, 1}},
    {CLUP_LATTICE_SQUARE, {40, 9}, {0, 1}},
    {CLUP_LATTICE_SQUARE, {1, 50}, {1, 0}},
    {CLUP_LATTICE_SQUARE, {2, 2}, {1, 1}},
    {CLUP_LATTICE_SQUARE, {1, 1}, {1, 0}},
    {CLUP_LATTICE_SQUARE, {70, 1}, {0, 0}},
    {CLUP_LATTICE_TRIANGULAR, {33, 14}, {1, 1}},
    {CLUP_LATTICE_CUBIC, {9, 10, 6}, {1, 1, 1}},
    {CLUP_LATTICE_CUBIC, {34, 3, 5}, {1, 0, 0}},
    {CLUP_LATTICE_CUBIC_26, {5, 4, 6}, {1, 1, 1}},
    {CLUP_LATTICE_KAGOME, {40, 12}, {1, 1}},
    {CLUP_LATTICE_KAGOME, {34, 6}, {1, 0}},
    {CLUP_LATTICE_HONEYCOMB, {36, 10}, {1, 1}},
    {CLUP_LATTICE_DIAMOND, {8, 6, 4}, {1, 1, 1}},
    {CLUP_LATTICE_CHAIN, {77, 1}, {1, 1}},
    /* squares of sizes that do not fit one digit */
    {CLUP_LATTICE_SQUARE, {100, 90}, {1, 1}},
};
#define SYSTEMS (sizeof systems / sizeof *systems)

static clup_problem problem_of(size_t s, clup_model model)
{
    clup_problem problem = {
        .lattice = systems[s].lattice, .model = model, .first_replica = s % 2 == 1 ? 65535 : 0};
    memcpy(problem.size, systems[s].size, sizeof problem.size);
    memcpy(problem.periodic, systems[s].periodic, sizeof problem.periodic);
    return problem;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Returns the steps of a direct sample: its bonds, or its occupied sites. */
static uint64_t steps_of(const clup_percolation_reference *reference,
                         const clup_percolation_sample *sample, clup_model model)
{
    const lattice_args *lattice = &reference->host.lattice;
    const uint64_t sites = clup_lattice_sites(lattice);
    uint64_t bonds = 0, neighbour;
    if (model == CLUP_SITE_PERCOLATION)
        return sample->sizes.sites;
    for (uint64_t e = 0; e < reference->host.laws.edges; e++)
        bonds += reference->host.bonds[e];
    if (reference->host.laws.edges > 0)
        return bonds;
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        for (uint64_t i = 0; i < sites; i++)
            bonds += reference->host.bonds[d * sites + i] &&
                     clup_lattice_forward(lattice, d, (uint32_t)(i % lattice->nx),
                                          (uint32_t)(i / lattice->nx), &neighbour);
    return bonds;
}

/* Compares a sample at some probabilities with direct samples of the same number. */
static void compare_direct(const clup_problem *problem, uint64_t seed)
{
    static const double ps[] = {0, 0.1, 0.25, 0.4, 0.5, 0.6, 0.8, 1};
    static const uint64_t numbers[] = {0, 5, 0xFFFFFFFFu};
    clup_network network;
    clup_percolation_reference reference;
    unsigned wrong = 0, count = 0;
    NEED(clup_network_of_problem(problem, &network));
    NEED(clup_percolation_reference_create(problem, seed, &reference));
    clup_change *changes = malloc((network.steps + 1) * sizeof *changes);
    for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        uint32_t wrapped[WINDING_AXES];
        memset(wrapped, 0xFF, sizeof wrapped);
        memset(changes, 0, (network.steps + 1) * sizeof *changes);
        NEED(clup_growing_serial(&network, clup_random_key(seed, problem->first_replica, 0),
                                 numbers[n], 1, changes, wrapped));
        for (unsigned k = 0; k < sizeof ps / sizeof *ps; k++, count++) {
            const uint64_t all = network.of_sites ? 0 : network.sites,
                           holes = network.of_sites ? 0 : network.vertices - network.sites;
            clup_percolation_sample direct;
            clup_change now = {all, all > 0, all, all > 0};
            unsigned wraps = 0;
            NEED(clup_percolation_reference_draw(&reference, ps[k], numbers[n], &direct));
            const uint64_t steps = steps_of(&reference, &direct, problem->model);
            for (uint64_t step = 1; step <= steps; step++) {
                now.clusters += changes[step].clusters;
                now.largest += changes[step].largest;
                now.squares += changes[step].squares;
                now.largest_square += changes[step].largest_square;
            }
            for (unsigned axis = 0; axis < network.axes; axis++)
                wraps |= (unsigned)(wrapped[axis] <= steps) << axis;
            wrong += now.clusters != direct.sizes.clusters - holes ||
                     now.largest != direct.sizes.largest ||
                     now.squares != direct.sizes.squares - holes ||
                     now.largest_square != direct.sizes.largest * direct.sizes.largest ||
                     wraps != direct.wraps;
        }
    }
    ok(wrong == 0 && (network.steps == 0 || count > 0),
       "%s, %s %u x %u x %u: after as many steps as direct samples have: %u of %u differ",
       clup_model_name(problem->model),
       problem->graph != NULL ? clup_graph_called(problem->graph)
                              : clup_lattice_name(problem->lattice),
       problem->size[0], problem->size[1], problem->size[2], wrong, count);
    free(changes);
    clup_percolation_reference_clear(&reference);
    clup_network_clear(&network);
}

/* ---- devices --------------------------------------------------------------------------------- */

/* Counts steps and observables at which two curves differ in a mean or an error. */
static uint64_t different(const clup_percolation_curves *a, const clup_percolation_curves *b)
{
    const uint64_t length = clup_percolation_curves_steps(a) + 1;
    double *values = malloc(4 * length * sizeof *values);
    uint64_t wrong = length != clup_percolation_curves_steps(b) + 1;
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES && wrong == 0; o++) {
        NEED(clup_percolation_curves_means(a, o, 0, length, values, values + length));
        NEED(clup_percolation_curves_means(b, o, 0, length, values + 2 * length,
                                           values + 3 * length));
        for (uint64_t k = 0; k < 2 * length; k++)
            wrong += !(values[k] == values[2 * length + k] ||
                       (isnan(values[k]) && isnan(values[2 * length + k])));
    }
    free(values);
    return wrong;
}

static uint64_t different_points(const clup_percolation_point *a, const clup_percolation_point *b)
{
    uint64_t wrong = a->samples != b->samples;
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++) {
        const clup_estimate *x = &a->estimates[o], *y = &b->estimates[o];
        wrong += !(x->mean == y->mean || (isnan(x->mean) && isnan(y->mean))) ||
                 !(x->error == y->error || (isnan(x->error) && isnan(y->error)));
    }
    return wrong;
}

/* Compares curves of the device with those of the host. */
static void compare_problem(const clup_problem *of, uint64_t seed, uint64_t samples)
{
    static const double ps[] = {0, 0.3, 0.5, 1};
    enum { PS = sizeof ps / sizeof *ps };
    const clup_problem problem = *of;
    clup_percolation_curves *device, *host;
    clup_percolation_point points[2][PS];
    uint64_t wrong = 0;
    NEED(clup_percolation_curves_create(context, &problem, seed, &device));
    NEED(clup_percolation_curves_create(NULL, &problem, seed, &host));
    NEED(clup_percolation_curves_run(device, samples, ps, PS, NULL, NULL, points[0]));
    NEED(clup_percolation_curves_run(host, samples, ps, PS, NULL, NULL, points[1]));
    for (unsigned k = 0; k < PS; k++)
        wrong += different_points(&points[0][k], &points[1][k]);
    ok(different(device, host) == 0 && wrong == 0,
       "%s, %s %u x %u x %u, %llu samples: the device draws what the host draws",
       clup_model_name(problem.model),
       problem.graph != NULL ? clup_graph_called(problem.graph)
                             : clup_lattice_name(problem.lattice),
       problem.size[0], problem.size[1], problem.size[2], (unsigned long long)samples);
    clup_percolation_curves_free(device);
    clup_percolation_curves_free(host);
}

static void compare_device(size_t s, clup_model model, uint64_t samples)
{
    const clup_problem problem = problem_of(s, model);
    compare_problem(&problem, 7 + s, samples);
}

/* With so little room that there is one sample at a time, and an order in parts. */
static void test_room(void)
{
    static const uint64_t rooms[] = {1, 70000, 1000000};
    for (unsigned k = 0; k < sizeof rooms / sizeof *rooms; k++) {
        clup_growing_room = rooms[k];
        compare_device(0, CLUP_BOND_PERCOLATION, 130);
        compare_device(8, CLUP_SITE_PERCOLATION, 37);
    }
    clup_growing_room = UINT64_MAX;
    /* blocks of 1280 samples, each of two sets */
    compare_device(3, CLUP_BOND_PERCOLATION, 70000);
}

/* What samples take is no more than there is room for, with blocks that must be divided. */
static void test_fits(void)
{
    const clup_problem problem = problem_of(0, CLUP_BOND_PERCOLATION);
    clup_network network;
    NEED(clup_network_of_problem(&problem, &network));
    const uint64_t shared = network.edge_count * (sizeof *network.edges + sizeof(uint32_t)) + 4096;
    for (uint64_t room = 60000; room < 400000; room += 20000) {
        clup_growing *growing;
        clup_growing_room = room;
        NEED(clup_growing_create(context, &network, (random_key){0}, 7, 64, &growing));
        const uint64_t taken = clup_context_allocated(context);
        ok(taken <= room + shared && clup_growing_sets(growing) > 0,
           "%u sets of %u samples take %llu bytes of %llu", clup_growing_sets(growing),
           clup_growing_set_samples(growing), (unsigned long long)taken, (unsigned long long)room);
        clup_growing_free(growing);
    }
    clup_growing_room = UINT64_MAX;
    clup_network_clear(&network);
}

/* ---- means and errors ------------------------------------------------------------------------ */

/* The binomial distribution by its definition. */
static double chance(uint64_t all, uint64_t n, double p)
{
    if (p <= 0 || p >= 1)
        return n == (p <= 0 ? 0 : all);
    return exp(lgamma((double)all + 1) - lgamma((double)n + 1) - lgamma((double)(all - n) + 1) +
               (double)n * log(p) + (double)(all - n) * log1p(-p));
}

static void test_means(clup_model model)
{
    static const double ps[] = {0, 1e-3, 0.2, 0.5, 0.59, 0.97, 1};
    enum { PS = sizeof ps / sizeof *ps };
    const clup_problem problem = problem_of(1, model);
    clup_percolation_curves *curves;
    clup_percolation_point points[PS];
    double worst = 0;
    NEED(clup_percolation_curves_create(context, &problem, 3, &curves));
    NEED(clup_percolation_curves_run(curves, 130, ps, PS, NULL, NULL, points));
    const uint64_t steps = clup_percolation_curves_steps(curves);
    double *means = malloc((steps + 1) * sizeof *means);
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++) {
        NEED(clup_percolation_curves_means(curves, o, 0, steps + 1, means, NULL));
        for (unsigned k = 0; k < PS; k++) {
            double sum = 0;
            for (uint64_t n = 0; n <= steps; n++)
                sum += chance(steps, n, ps[k]) * means[n];
            if (o == CLUP_PERCOLATION_WRAP_Z) {
                worst = isnan(points[k].estimates[o].mean) && isnan(sum) ? worst : INFINITY;
                continue;
            }
            worst = fmax(worst, fabs(sum - points[k].estimates[o].mean) / fmax(fabs(sum), 1e-3));
        }
    }
    ok(worst < 1e-9, "%s: means at p are those over the binomial distribution, but for %.1e",
       clup_model_name(model), worst);
    free(means);
    clup_percolation_curves_free(curves);
}

/* Errors are those of the means of blocks, of 3 samples each and one of 1. */
static void test_errors(void)
{
    enum { SAMPLES = 130, EACH = 3, BLOCKS = 44 };
    const clup_problem problem = problem_of(0, CLUP_SITE_PERCOLATION);
    clup_percolation_curves *curves;
    clup_network network;
    double worst = 0;
    NEED(clup_percolation_curves_create(NULL, &problem, 5, &curves));
    NEED(clup_percolation_curves_run(curves, SAMPLES, NULL, 0, NULL, NULL, NULL));
    NEED(clup_network_of_problem(&problem, &network));
    const uint64_t length = network.steps + 1;
    double *largest = malloc(BLOCKS * length * sizeof *largest),
           *wrap = malloc(BLOCKS * length * sizeof *wrap),
           *mean = malloc(4 * length * sizeof *mean);
    for (unsigned b = 0; b < BLOCKS; b++) {
        const unsigned samples = b + 1 < BLOCKS ? EACH : SAMPLES - EACH * (BLOCKS - 1);
        clup_change *changes = calloc(length, sizeof *changes);
        uint32_t wrapped[2 * EACH];
        double sum = 0;
        NEED(clup_growing_serial(&network, clup_random_key(5, 0, 0), EACH * b, samples, changes,
                                 wrapped));
        for (uint64_t k = 0; k < length; k++) {
            unsigned one = 0;
            for (unsigned s = 0; s < samples; s++)
                one += (wrapped[2 * s] <= k) != (wrapped[2 * s + 1] <= k);
            sum += (double)changes[k].largest;
            largest[b * length + k] = sum / samples / (double)network.sites;
            wrap[b * length + k] = (double)one / samples;
        }
        free(changes);
    }
    NEED(clup_percolation_curves_means(curves, CLUP_PERCOLATION_LARGEST, 0, length, mean,
                                       mean + length));
    NEED(clup_percolation_curves_means(curves, CLUP_PERCOLATION_WRAP_ONE, 0, length,
                                       mean + 2 * length, mean + 3 * length));
    for (unsigned what = 0; what < 2; what++)
        for (uint64_t k = 0; k < length; k++) {
            const double *of = what == 0 ? largest : wrap;
            double all = 0, scatter = 0;
            for (unsigned b = 0; b < BLOCKS; b++)
                all += of[b * length + k] * (b + 1 < BLOCKS ? EACH : 1) / SAMPLES;
            for (unsigned b = 0; b < BLOCKS; b++)
                scatter += pow(of[b * length + k] - all, 2) * (b + 1 < BLOCKS ? EACH : 1) / SAMPLES;
            worst = fmax(worst, fabs(all - mean[2 * what * length + k]));
            worst = fmax(worst,
                         fabs(sqrt(scatter / (BLOCKS - 1)) - mean[(2 * what + 1) * length + k]));
        }
    ok(worst < 1e-7, "errors are those of blocks, but for %.1e", worst);
    free(largest);
    free(wrap);
    free(mean);
    clup_network_clear(&network);
    clup_percolation_curves_free(curves);
}

/* Where all samples have the same value the error is 0, and the mean that value. */
static void test_equal(void)
{
    const clup_problem problem = problem_of(0, CLUP_SITE_PERCOLATION);
    const double ps[2] = {0, 1};
    clup_percolation_curves *curves;
    clup_percolation_point points[2];
    unsigned wrong = 0;
    NEED(clup_percolation_curves_create(context, &problem, 6, &curves));
    NEED(clup_percolation_curves_run(curves, 450, ps, 2, NULL, NULL, points));
    const uint64_t steps = clup_percolation_curves_steps(curves);
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++) {
        const bool ends = o != CLUP_PERCOLATION_CLUSTERS && o != CLUP_PERCOLATION_MEAN_SIZE &&
                          o != CLUP_PERCOLATION_MEAN_SIZE_REST && o != CLUP_PERCOLATION_WRAP_ONE;
        double means[2], errors[2];
        if (o == CLUP_PERCOLATION_WRAP_Z)
            continue;
        NEED(clup_percolation_curves_means(curves, o, 1, 1, &means[0], &errors[0]));
        NEED(clup_percolation_curves_means(curves, o, steps, 1, &means[1], &errors[1]));
        wrong += errors[0] != 0 || errors[1] != 0 || (ends && means[1] != 1);
        for (unsigned k = 0; k < 2; k++)
            wrong += points[k].estimates[o].error != 0 ||
                     (ends && points[k].estimates[o].mean != ps[k]);
    }
    ok(wrong == 0, "values without scatter are exact");
    clup_percolation_curves_free(curves);
}

/* Curves at p and direct samples of another seed. */
static void test_statistics(clup_model model, const clup_problem *of, const char *called)
{
    static const double ps[] = {0.45, 0.5, 0.55, 0.6};
    enum { PS = sizeof ps / sizeof *ps };
    const clup_problem problem = problem_of(0, model);
    clup_percolation_curves *curves;
    clup_percolation *direct;
    clup_percolation_point points[PS];
    double worst = 0;
    NEED(clup_percolation_curves_create(context, of != NULL ? of : &problem, 11, &curves));
    NEED(clup_percolation_curves_run(curves, 2048, ps, PS, NULL, NULL, points));
    NEED(clup_percolation_create(NULL, &problem, NULL, 12, &direct));
    for (unsigned k = 0; k < PS; k++) {
        clup_percolation_point point;
        NEED(clup_percolation_run(direct, ps[k], 2048, NULL, NULL, &point));
        for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
            if (o != CLUP_PERCOLATION_WRAP_Z && o != CLUP_PERCOLATION_OCCUPIED)
                worst = fmax(worst,
                             fabs(points[k].estimates[o].mean - point.estimates[o].mean) /
                                 hypot(points[k].estimates[o].error, point.estimates[o].error));
    }
    ok(worst < 4.5, "%s: curves of %s differ by at most %.2f errors from direct samples",
       clup_model_name(model), called, worst);
    clup_percolation_free(direct);
    clup_percolation_curves_free(curves);
}

/* ---- lattices of a cell ---------------------------------------------------------------------- */

/* Puts a lattice of a cell in the place of a problem's lattice. */
static clup_problem of_cells(clup_model model, const char *lattice, unsigned axes,
                             const uint32_t *size, unsigned open)
{
    clup_problem problem = {.model = model};
    const clup_graph *graph;
    NEED(clup_graph_of_lattice(lattice, size, axes, open, &graph));
    clup_problem_set_graph(&problem, graph);
    return problem;
}

/* The device draws what the host draws; and the square lattice by its cell, with bonds that lead
 * back, has the means of the square lattice, wrapping and all. */
static void test_cells(clup_model model)
{
    static const char path[] = "t_curves.toml";
    static const struct {
        const char *lattice;
        unsigned axes, open;
        uint32_t size[5];
    } cells[] = {{"hypercubic", 4, 0, {4, 3, 5, 2}},
                 {"hypercubic", 4, 10, {4, 1, 5, 6}},
                 {"hypercubic", 5, 16, {3, 3, 2, 4, 3}},
                 {"hypercubic", 1, 0, {33}},
                 {path, 2, 0, {7, 5}},
                 {path, 2, 0, {31, 23}},
                 {path, 2, 1, {1, 9}}};
    FILE *file = fopen(path, "w");
    NEED(file == NULL ||
         fputs("sites = 2\nbonds = [[0, 1, [0, 0]], [1, 0, [2, 0]], [1, 0, [-1, -2]]]\n", file) <
             0 ||
         fclose(file) != 0);
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++) {
        const clup_problem problem = of_cells(model, cells[k].lattice, cells[k].axes, cells[k].size,
                                              cells[k].open);
        compare_problem(&problem, 3 + k, 5);
        compare_direct(&problem, 70 + k);
    }
    file = fopen(path, "w");
    NEED(file == NULL || fputs("bonds = [[0, 0, [-1, 0]], [0, 0, [0, -1]]]\n", file) < 0 ||
         fclose(file) != 0);
    const clup_problem square = of_cells(model, path, 2, systems[0].size, 0);
    test_statistics(model, &square, "the square lattice by its cell");
    remove(path);
}

/* An axis of one layer that is open is spanned by any cluster: by the first site, or where bonds
 * become active from the beginning. */
static void test_single(clup_model model)
{
    static const uint32_t size[] = {5, 1, 4, 3};
    const double p = 0;
    double means[2];
    clup_percolation_curves *curves;
    clup_percolation_point point;
    const clup_problem problem = of_cells(model, "hypercubic", 4, size, 2);
    NEED(clup_percolation_curves_create(context, &problem, 1, &curves));
    NEED(clup_percolation_curves_run(curves, 4, &p, 1, NULL, NULL, &point));
    NEED(clup_percolation_curves_means(curves, CLUP_PERCOLATION_WRAP_Y, 0, 2, means, NULL));
    ok(means[0] == (model == CLUP_BOND_PERCOLATION) && means[1] == 1,
       "%s: an open axis of one layer is spanned at once", clup_model_name(model));
    clup_percolation_curves_free(curves);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

/* A ring is a periodic chain, whose bonds have the numbers of the edges. */
static void test_ring(clup_model model)
{
    enum { RING = 96 };
    const clup_problem problem = {
        .lattice = CLUP_LATTICE_CHAIN, .model = model, .size = {RING, 1, 1}, .periodic = {1, 1, 1}};
    uint64_t ends[RING][2];
    clup_edges edges = {.vertices = RING, .edges = RING, .dtype = CLUP_DTYPE_U64, .ends = ends};
    clup_percolation_curves *ring, *chain;
    double means[2][RING + 1], wraps[RING + 1];
    for (unsigned v = 0; v < RING; v++) {
        ends[v][0] = v;
        ends[v][1] = (v + 1) % RING;
    }
    NEED(clup_percolation_curves_of_graph(context, &edges, model, 9, &ring));
    NEED(clup_percolation_curves_create(context, &problem, 9, &chain));
    NEED(clup_percolation_curves_run(ring, 20, NULL, 0, NULL, NULL, NULL));
    NEED(clup_percolation_curves_run(chain, 20, NULL, 0, NULL, NULL, NULL));
    unsigned same = 0;
    for (unsigned o = 0; o <= CLUP_PERCOLATION_MEAN_SIZE_REST; o++) {
        NEED(clup_percolation_curves_means(ring, o, 0, RING + 1, means[0], NULL));
        NEED(clup_percolation_curves_means(chain, o, 0, RING + 1, means[1], NULL));
        same += memcmp(means[0], means[1], sizeof means[0]) == 0;
    }
    NEED(clup_percolation_curves_means(ring, CLUP_PERCOLATION_WRAP_X, 0, RING + 1, wraps, NULL));
    ok(same == CLUP_PERCOLATION_MEAN_SIZE_REST + 1 && isnan(wraps[RING]),
       "%s: a ring has the curves of a chain, and does not wrap", clup_model_name(model));
    clup_percolation_curves_free(ring);
    clup_percolation_curves_free(chain);
}

/* Graphs with loops and edges that occur twice, on the device and the host. */
static void test_graphs(clup_model model)
{
    static const uint32_t sizes[][2] = {{1, 0}, {1, 3}, {5, 0}, {40, 200}, {3000, 4000}};
    unsigned wrong = 0;
    for (unsigned g = 0; g < sizeof sizes / sizeof *sizes; g++) {
        const uint32_t vertices = sizes[g][0], count = sizes[g][1];
        uint32_t(*ends)[2] = malloc((count + 1) * sizeof *ends);
        clup_percolation_curves *device, *host;
        clup_percolation_point points[2];
        const double p = 0.4;
        for (uint32_t e = 0; e < count; e++) {
            const philox_block drawn = random_block((random_key){.seed0 = g}, 0, e / 2, 0);
            ends[e][0] = drawn.v[0] % vertices;
            ends[e][1] = drawn.v[1] % vertices;
        }
        const clup_edges edges = {
            .vertices = vertices, .edges = count, .dtype = CLUP_DTYPE_U32, .ends = ends};
        NEED(clup_percolation_curves_of_graph(context, &edges, model, g, &device));
        NEED(clup_percolation_curves_of_graph(NULL, &edges, model, g, &host));
        NEED(clup_percolation_curves_run(device, 9, &p, 1, NULL, NULL, &points[0]));
        NEED(clup_percolation_curves_run(host, 9, &p, 1, NULL, NULL, &points[1]));
        wrong += different(device, host) != 0 || different_points(&points[0], &points[1]) != 0;
        clup_percolation_curves_free(device);
        clup_percolation_curves_free(host);
        free(ends);
    }
    ok(wrong == 0, "%s on graphs: the device draws what the host draws", clup_model_name(model));
}

/* ---- what is refused ------------------------------------------------------------------------- */

static int stop(uint64_t done, uint64_t samples, void *user)
{
    (void)samples;
    return done >= *(uint64_t *)user;
}

static void test_refused(void)
{
    const clup_problem problem = problem_of(0, CLUP_BOND_PERCOLATION);
    clup_problem wrong = problem;
    const uint32_t ends[2][2] = {{0, 1}, {2, 3}};
    const clup_edges edges = {.vertices = 3, .edges = 2, .dtype = CLUP_DTYPE_U32, .ends = ends};
    const double p = 1.5, half = 0.5;
    uint64_t after = 40;
    double mean;
    clup_percolation_curves *curves, *none;
    clup_percolation_point point;
    wrong.model = CLUP_POTTS;
    wrong.q = 2;
    ok(clup_percolation_curves_create(NULL, &wrong, 0, &none) == CLUP_ERROR_USAGE && none == NULL,
       "Potts spins do not percolate: %s", clup_error_detail());
    ok(clup_percolation_curves_of_graph(NULL, &edges, CLUP_BOND_PERCOLATION, 0, &none) ==
               CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "edge 1") != NULL,
       "an end that is no vertex: %s", clup_error_detail());
    ok(clup_percolation_curves_of_graph(NULL, &edges, CLUP_IMAGE, 0, &none) == CLUP_ERROR_USAGE,
       "a model of images: %s", clup_error_detail());
    wrong = problem;
    wrong.size[0] = wrong.size[1] = 50000;
    ok(clup_percolation_curves_create(NULL, &wrong, 0, &none) == CLUP_ERROR_USAGE,
       "too many bonds: %s", clup_error_detail());
    NEED(clup_percolation_curves_create(context, &problem, 0, &curves));
    NEED(clup_percolation_curves_means(curves, CLUP_PERCOLATION_CLUSTERS, 0, 1, &mean, NULL));
    ok(isnan(mean), "curves without samples have no means");
    ok(clup_percolation_curves_run(curves, 1, &p, 1, NULL, NULL, &point) == CLUP_ERROR_USAGE,
       "p: %s", clup_error_detail());
    ok(clup_percolation_curves_means(curves, 99, 0, 1, &mean, NULL) == CLUP_ERROR_USAGE,
       "an observable: %s", clup_error_detail());
    ok(clup_percolation_curves_means(curves, 0, clup_percolation_curves_steps(curves), 2, &mean,
                                     NULL) == CLUP_ERROR_USAGE,
       "steps past the end: %s", clup_error_detail());
    NEED(clup_percolation_curves_run(curves, 1, &half, 1, NULL, NULL, &point));
    ok(point.samples == 1 && isnan(point.estimates[0].error), "one sample has no error");
    clup_growing_room = 400000;
    ok(clup_percolation_curves_run(curves, 200, &half, 1, stop, &after, &point) ==
               CLUP_INTERRUPTED &&
           point.samples >= 40 && point.samples < 200 && point.samples % 4 == 0 &&
           point.estimates[0].error > 0,
       "an interrupted run has whole blocks: %llu samples", (unsigned long long)point.samples);
    clup_growing_room = UINT64_MAX;
    NEED(clup_percolation_curves_run(curves, 0, &half, 1, NULL, NULL, &point));
    ok(point.samples == 0 && isnan(point.estimates[0].mean), "no samples");
    clup_percolation_curves_free(curves);
}

int main(void)
{
    static const clup_model models[] = {CLUP_BOND_PERCOLATION, CLUP_SITE_PERCOLATION};
    NEED(clup_context_create(NULL, &context));
    for (unsigned m = 0; m < 2; m++) {
        for (size_t s = 0; s < SYSTEMS; s++) {
            const clup_problem problem = problem_of(s, models[m]);
            compare_direct(&problem, 40 + s);
        }
        for (size_t s = 0; s < SYSTEMS; s++)
            compare_device(s, models[m], 6);
        test_means(models[m]);
        test_statistics(models[m], NULL, "the square lattice");
        test_cells(models[m]);
        test_single(models[m]);
        test_ring(models[m]);
        test_graphs(models[m]);
    }
    test_room();
    test_fits();
    test_errors();
    test_equal();
    test_refused();
    clup_context_free(context);
    return done_testing();
}
