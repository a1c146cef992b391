/* SPDX-License-Identifier: BSD-3-Clause */
/* Lattices of several kinds of sites: that they are what their names say, by distances and by
 * cycles; and all states of small ones, of spins and of percolation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/disorder.h"
#include "core/lattice.h"
#include "tap.h"

#define SITES_MOST 16
#define EDGES_MOST 96
#define ENDS_MOST 12

/* ---- what a lattice is ----------------------------------------------------------------------- */

/* Site (x, y, z) is at x u + y v + z w, and t further if x + y + z is odd. Its neighbours are the
 * sites at the least distance, and there are this many of them. */
static const struct {
    clup_lattice_kind kind;
    unsigned neighbours;
    double u[3], v[3], w[3], t[3];
} placed[] = {
    {CLUP_LATTICE_CHAIN, 2, {1}, {0, 9}, {0}, {0}},
    {CLUP_LATTICE_HONEYCOMB, 3, {0.86602540378443865}, {0, 1.5}, {0}, {0, 0.5}},
    {CLUP_LATTICE_LIEB, 0, {1}, {0, 1}, {0}, {0}}, /* 2 or 4 */
    {CLUP_LATTICE_KAGOME, 4, {1}, {0.5, 0.86602540378443865}, {0}, {0}},
    {CLUP_LATTICE_BCC, 8, {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {0}},
    {CLUP_LATTICE_FCC, 12, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {0}},
    /* bonds of an even site along +x, -x, -y, -z are the corners of a tetrahedron, (1, 1, 1),
     * (1, -1, -1), (-1, 1, -1), (-1, -1, 1) */
    {CLUP_LATTICE_DIAMOND, 4, {0, 1, 1}, {2, -1, 1}, {2, 1, -1}, {1, 0, 0}},
};

static bool is_hole(const lattice_args *lattice, uint64_t i)
{
    const bool pierced = lattice->kind == CLUP_LATTICE_KAGOME || lattice->kind == CLUP_LATTICE_LIEB;
    return pierced && i % lattice->nx % 2 && i / lattice->nx % 2;
}

/* Lists the neighbours of a site, ahead and behind; returns their number. */
static unsigned around(const lattice_args *lattice, uint64_t site, uint64_t ends[2 * ENDS_MOST])
{
    unsigned count = 0;
    for (uint64_t i = 0; i < clup_lattice_sites(lattice); i++)
        for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++) {
            uint64_t to;
            if (!clup_lattice_forward(lattice, d, (uint32_t)(i % lattice->nx),
                                      (uint32_t)(i / lattice->nx), &to))
                continue;
            if (i == site)
                ends[count++] = to;
            if (to == site)
                ends[count++] = i;
        }
    return count;
}

static void place_of(const lattice_args *lattice, size_t k, uint64_t i, double place[3])
{
    const uint64_t x = i % lattice->nx, row = i / lattice->nx, y = row % lattice->ny,
                   z = row / lattice->ny;
    for (unsigned c = 0; c < 3; c++)
        place[c] = (double)x * placed[k].u[c] + (double)y * placed[k].v[c] +
                   (double)z * placed[k].w[c] + (double)((x + y + z) % 2) * placed[k].t[c];
}

/* Whether the neighbours of sites in the middle of a lattice are the sites that are nearest. */
static bool nearest_are_neighbours(size_t k)
{
    const clup_problem problem = {.lattice = placed[k].kind,
                                  .size = {12, 12, clup_lattice_axes(placed[k].kind) > 2 ? 12 : 1}};
    const lattice_args lattice = clup_lattice_args(&problem);
    const uint64_t layer = lattice.nx * lattice.ny, middle = lattice.nz > 1 ? 5 : 0;
    bool right = true;
    for (uint64_t shift = 0; shift < 8; shift++) {
        const uint64_t site = 5 + (shift & 1) + lattice.nx * (5 + (shift >> 1 & 1)) +
                              (lattice.nz > 1 ? layer * (middle + (shift >> 2)) : 0);
        uint64_t ends[2 * ENDS_MOST];
        const unsigned count = around(&lattice, site, ends);
        double here[3], there[3], least = 1e9;
        unsigned nearest = 0, found = 0;
        if (is_hole(&lattice, site)) {
            right = right && count == 0;
            continue;
        }
        place_of(&lattice, k, site, here);
        for (unsigned pass = 0; pass < 2; pass++)
            for (uint64_t i = 0; i < clup_lattice_sites(&lattice); i++) {
                if (i == site || is_hole(&lattice, i))
                    continue;
                place_of(&lattice, k, i, there);
                const double distance = hypot(hypot(there[0] - here[0], there[1] - here[1]),
                                              there[2] - here[2]);
                if (pass == 0)
                    least = fmin(least, distance);
                else if (distance < 1.001 * least) {
                    nearest++;
                    for (unsigned e = 0; e < count; e++)
                        found += ends[e] == i;
                }
            }
        right = right && found == count && nearest == count &&
                (placed[k].neighbours == 0 || placed[k].neighbours == count);
    }
    return right;
}

/* Returns the number of cycles of so many bonds through a site, each counted once. */
static unsigned cycles(const lattice_args *lattice, uint64_t path[10], unsigned length,
                       unsigned bonds)
{
    uint64_t ends[2 * ENDS_MOST];
    const unsigned count = around(lattice, path[length - 1], ends);
    unsigned sum = 0;
    for (unsigned e = 0; e < count; e++) {
        bool new = true;
        if (length == bonds)
            sum += ends[e] == path[0] && path[1] < path[bonds - 1];
        for (unsigned k = 0; k < length; k++)
            new = new &&ends[e] != path[k];
        if (new &&length < bonds) {
            path[length] = ends[e];
            sum += cycles(lattice, path, length + 1, bonds);
        }
    }
    return sum;
}

/* The square-octagon lattice: at each site one square and two octagons meet. Of the checkerboard
 * lattice every other square is a clique of four sites, and each site is in two; of the union jack
 * even sites have 8 neighbours and odd ones 4, all of them even. */
static void check_cycles(void)
{
    const clup_problem octagons = {.lattice = CLUP_LATTICE_SQUARE_OCTAGON, .size = {24, 24}},
                       cliques = {.lattice = CLUP_LATTICE_CHECKERBOARD, .size = {12, 12}},
                       jack = {.lattice = CLUP_LATTICE_UNION_JACK, .size = {12, 12}};
    const lattice_args a = clup_lattice_args(&octagons), b = clup_lattice_args(&cliques),
                       c = clup_lattice_args(&jack);
    bool right = true;
    for (unsigned k = 0; k < 8; k++) {
        uint64_t path[10] = {10 + k % 4 + 24 * (10 + k / 4)};
        const unsigned wanted[] = {0, 1, 0, 0, 0, 2};
        for (unsigned bonds = 3; bonds < 9; bonds++)
            right = right && cycles(&a, path, 1, bonds) == wanted[bonds - 3];
    }
    ok(right, "a square and two octagons meet at each site of square-octagon");
    right = true;
    for (unsigned k = 0; k < 4; k++) {
        uint64_t path[10] = {5 + k % 2 + 12 * (5 + k / 2)}, ends[2 * ENDS_MOST];
        const bool odd = (k % 2 + k / 2) % 2;
        /* each clique has 3 triangles through a site, and no triangle is in two cliques */
        right = right && around(&b, path[0], ends) == 6 && cycles(&b, path, 1, 3) == 6;
        right = right && around(&c, path[0], ends) == (odd ? 4 : 8) &&
                cycles(&c, path, 1, 3) == (odd ? 4 : 8);
    }
    ok(right, "triangles of checkerboard and union-jack");
}

/* ---- all states of small lattices ------------------------------------------------------------ */

typedef struct small_graph {
    unsigned sites, axes, edges;
    unsigned ends[EDGES_MOST][2]; /* sites that are no holes, numbered in their order */
    int steps[EDGES_MOST][3];     /* from the first end to the second */
} small_graph;

static small_graph graph_of(const clup_problem *problem)
{
    const lattice_args lattice = clup_lattice_args(problem);
    unsigned number[SITES_MOST];
    small_graph graph = {.axes = clup_lattice_axes(problem->lattice)};
    for (uint64_t i = 0; i < clup_lattice_sites(&lattice); i++)
        number[i] = is_hole(&lattice, i) ? SITES_MOST : graph.sites++;
    for (unsigned d = 0; d < clup_lattice_of(&lattice)->directions; d++)
        for (uint64_t i = 0; i < clup_lattice_sites(&lattice); i++) {
            uint64_t to;
            if (clup_lattice_forward(&lattice, d, (uint32_t)(i % lattice.nx),
                                     (uint32_t)(i / lattice.nx), &to)) {
                const lattice_offset offset = clup_lattice_of(&lattice)->offsets[d];
                for (unsigned axis = 0; axis < 3; axis++)
                    graph.steps[graph.edges][axis] = step_along(offset, axis);
                graph.ends[graph.edges][0] = number[i];
                graph.ends[graph.edges++][1] = number[to];
            }
        }
    return graph;
}

static void near(const clup_estimate *estimate, double exact, const char *what)
{
    const double sigma = fabs(estimate->mean - exact) / estimate->error;
    ok(sigma < 4.5 || fabs(estimate->mean - exact) < 1e-9,
       "%s %.6f +- %.6f, exact %.6f: %.1f sigma", what, estimate->mean, estimate->error, exact,
       sigma);
}

/* Ising spins by clusters or the heat bath. */
static void all_states(clup_context *context, clup_problem problem, const clup_method *method)
{
    const small_graph graph = graph_of(&problem);
    double z = 0, e1 = 0, e2 = 0, m1 = 0, m2 = 0, m4 = 0;
    clup_estimate estimates[CLUP_OBSERVABLES];
    clup_plan plan;
    clup_simulation *simulation;
    for (uint32_t spins = 0; spins < 1u << graph.sites; spins++) {
        double energy = 0;
        for (unsigned k = 0; k < graph.edges; k++)
            energy -= (spins >> graph.ends[k][0] & 1) == (spins >> graph.ends[k][1] & 1) ? 1 : -1;
        const double weight = exp(-problem.beta * energy),
                     m = fabs(2.0 * __builtin_popcount(spins) / graph.sites - 1);
        energy /= graph.sites;
        z += weight, e1 += weight * energy, e2 += weight * energy * energy;
        m1 += weight * m, m2 += weight * m * m, m4 += weight * m * m * m * m;
    }
    printf("# %s %u x %u x %u, %u sites and %u bonds, beta = %g, %s\n",
           clup_lattice_name(problem.lattice), problem.size[0], problem.size[1], problem.size[2],
           graph.sites, graph.edges, problem.beta, clup_algorithm_name(method->algorithm));
    NEED(clup_plan_choose(context, &problem, method, NULL, &plan));
    NEED(clup_simulation_create(context, &problem, method, &plan, 5, CLUP_START_RANDOM,
                                &simulation));
    if (method->algorithm == CLUP_SWENDSEN_WANG)
        NEED(clup_simulation_observe(simulation, (const clup_observable[]){CLUP_CHI_IMPROVED}, 1,
                                     1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 4000, 1, NULL, NULL));
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    near(&estimates[CLUP_ENERGY], e1 / z, "energy");
    near(&estimates[CLUP_SPECIFIC_HEAT],
         problem.beta * problem.beta * graph.sites * (e2 / z - e1 / z * (e1 / z)), "specific heat");
    near(&estimates[CLUP_ABS_M], m1 / z, "|m|");
    near(&estimates[CLUP_M2], m2 / z, "m2");
    near(&estimates[CLUP_M4], m4 / z, "m4");
    if (method->algorithm == CLUP_SWENDSEN_WANG) {
        near(&estimates[CLUP_M2_IMPROVED], m2 / z, "m2 by clusters");
        near(&estimates[CLUP_M4_IMPROVED], m4 / z, "m4 by clusters");
    }
    clup_simulation_free(simulation);
}

/* The clusters of a configuration of bonds between the sites that are there. */
typedef struct configuration {
    double clusters, largest, squares, occupied;
    unsigned wraps; /* the axes around which a cluster winds, as bits */
} configuration;

/* Whether an edge is active between sites that are there. */
static bool is_active(const small_graph *graph, uint32_t there, uint64_t bonds, unsigned k)
{
    return (bonds >> k & 1) && (there >> graph->ends[k][0] & there >> graph->ends[k][1] & 1);
}

/* Returns the axes around which clusters wind: places that follow each other along active edges
 * from some site of each cluster do not fit some other edge. */
static unsigned wraps_of(const small_graph *graph, uint32_t there, uint64_t bonds)
{
    int places[SITES_MOST][3];
    bool placed_yet[SITES_MOST] = {false};
    unsigned wraps = 0;
    for (unsigned first = 0; first < graph->sites; first++) {
        bool changed = !placed_yet[first];
        if (placed_yet[first])
            continue;
        placed_yet[first] = true;
        memset(places[first], 0, sizeof places[first]);
        while (changed) {
            changed = false;
            for (unsigned k = 0; k < 2 * graph->edges; k++) {
                const unsigned e = k / 2, a = graph->ends[e][k % 2], b = graph->ends[e][1 - k % 2];
                if (!is_active(graph, there, bonds, e) || !placed_yet[a] || placed_yet[b])
                    continue;
                for (unsigned axis = 0; axis < 3; axis++)
                    places[b][axis] = places[a][axis] + (k % 2 ? -1 : 1) * graph->steps[e][axis];
                placed_yet[b] = changed = true;
            }
        }
    }
    for (unsigned e = 0; e < graph->edges; e++)
        for (unsigned axis = 0; axis < graph->axes && is_active(graph, there, bonds, e); axis++)
            if (places[graph->ends[e][1]][axis] - places[graph->ends[e][0]][axis] !=
                graph->steps[e][axis])
                wraps |= 1u << axis;
    return wraps;
}

static configuration clusters_of(const small_graph *graph, uint32_t there, uint64_t bonds)
{
    unsigned label[SITES_MOST], size[SITES_MOST] = {0};
    configuration found = {0};
    bool changed = true;
    for (unsigned i = 0; i < graph->sites; i++)
        label[i] = i;
    while (changed) {
        changed = false;
        for (unsigned k = 0; k < graph->edges; k++) {
            const unsigned a = graph->ends[k][0], b = graph->ends[k][1];
            if (is_active(graph, there, bonds, k) && label[a] != label[b]) {
                label[a] = label[b] = label[a] < label[b] ? label[a] : label[b];
                changed = true;
            }
        }
    }
    for (unsigned i = 0; i < graph->sites; i++)
        size[label[i]] += there >> i & 1;
    for (unsigned i = 0; i < graph->sites; i++) {
        found.clusters += size[i] > 0;
        found.occupied += size[i];
        found.squares += (double)size[i] * size[i];
        found.largest = size[i] > found.largest ? size[i] : found.largest;
    }
    found.wraps = wraps_of(graph, there, bonds);
    return found;
}

/* Potts spins, whose Fortuin-Kasteleyn clusters are bonds of probability p with a weight of q for
 * each cluster. */
static void all_clusters(clup_context *context, clup_problem problem)
{
    const small_graph graph = graph_of(&problem);
    const double p = -expm1(-problem.beta);
    double z = 0, either = 0, x = 0, y = 0;
    clup_estimate estimates[CLUP_OBSERVABLES];
    clup_simulation *simulation;
    for (uint64_t bonds = 0; bonds < (uint64_t)1 << graph.edges; bonds++) {
        const configuration found = clusters_of(&graph, UINT32_MAX, bonds);
        const int on = __builtin_popcountll(bonds);
        const double weight = pow(p, on) * pow(1 - p, (int)graph.edges - on) *
                              pow(problem.q, found.clusters);
        z += weight;
        x += weight * (found.wraps & 1);
        y += weight * (found.wraps >> 1 & 1);
        either += weight * (found.wraps != 0);
    }
    NEED(clup_simulation_create(context, &problem, NULL, NULL, 6, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(
        simulation, (const clup_observable[]){CLUP_WRAP_X, CLUP_WRAP_Y, CLUP_WRAP_EITHER}, 3, 1));
    NEED(clup_simulation_run(simulation, 200, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, 4000, 1, NULL, NULL));
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    printf("# clusters of q = %u, %s %u x %u x %u\n", problem.q, clup_lattice_name(problem.lattice),
           problem.size[0], problem.size[1], problem.size[2]);
    near(&estimates[CLUP_WRAP_X], x / z, "a cluster of spins wraps x");
    near(&estimates[CLUP_WRAP_Y], y / z, "y");
    near(&estimates[CLUP_WRAP_EITHER], either / z, "either");
    clup_simulation_free(simulation);
}

static void all_samples(clup_context *context, clup_problem problem, clup_model model, double p)
{
    const small_graph graph = graph_of(&problem);
    const bool bonds = model == CLUP_BOND_PERCOLATION;
    const unsigned count = bonds ? graph.edges : graph.sites;
    const unsigned every = (1u << graph.axes) - 1;
    double exact[CLUP_PERCOLATION_OBSERVABLES] = {0};
    clup_percolation_curves *curves;
    clup_plan plan;
    clup_percolation *percolation;
    clup_percolation_point point;
    problem.model = model;
    for (uint64_t k = 0; k < (uint64_t)1 << count; k++) {
        const int on = __builtin_popcountll(k);
        const double weight = pow(p, on) * pow(1 - p, (int)count - on);
        const configuration found = bonds ? clusters_of(&graph, UINT32_MAX, k)
                                          : clusters_of(&graph, (uint32_t)k, UINT64_MAX);
        const double values[CLUP_PERCOLATION_OBSERVABLES] = {
            [CLUP_PERCOLATION_CLUSTERS] = found.clusters / graph.sites,
            [CLUP_PERCOLATION_LARGEST] = found.largest / graph.sites,
            [CLUP_PERCOLATION_OCCUPIED] = found.occupied / graph.sites,
            [CLUP_PERCOLATION_MEAN_SIZE] = found.squares / fmax(found.occupied, 1),
            [CLUP_PERCOLATION_MEAN_SIZE_REST] = (found.squares - found.largest * found.largest) /
                                                fmax(found.occupied, 1),
            [CLUP_PERCOLATION_WRAP_X] = found.wraps & 1,
            [CLUP_PERCOLATION_WRAP_Y] = found.wraps >> 1 & 1,
            [CLUP_PERCOLATION_WRAP_Z] = found.wraps >> 2 & 1,
            [CLUP_PERCOLATION_WRAP_EITHER] = found.wraps != 0,
            [CLUP_PERCOLATION_WRAP_BOTH] = found.wraps == every,
            [CLUP_PERCOLATION_WRAP_ONE] = __builtin_popcount(found.wraps) == 1,
        };
        for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
            exact[o] += weight * values[o];
    }
    printf("# %s on %s %u x %u x %u, p = %g\n", clup_model_name(model),
           clup_lattice_name(problem.lattice), problem.size[0], problem.size[1], problem.size[2],
           p);
    problem.replicas = 64;
    NEED(clup_plan_choose(context, &problem, NULL, NULL, &plan));
    NEED(clup_percolation_create(context, &problem, &plan, 3, &percolation));
    NEED(clup_percolation_run(percolation, p, 12000, NULL, NULL, &point));
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
        if (o != CLUP_PERCOLATION_WRAP_Z || graph.axes > 2)
            near(&point.estimates[o], exact[o], clup_percolation_observable_name(o));
    NEED(clup_percolation_curves_create(context, &problem, 4, &curves));
    NEED(clup_percolation_curves_run(curves, 6400, &p, 1, NULL, NULL, &point));
    puts("# a step at a time");
    for (unsigned o = 0; o < CLUP_PERCOLATION_OBSERVABLES; o++)
        if (o != CLUP_PERCOLATION_WRAP_Z || graph.axes > 2)
            near(&point.estimates[o], exact[o], clup_percolation_observable_name(o));
    clup_percolation_curves_free(curves);
    clup_percolation_free(percolation);
}

int main(void)
{
    static const struct {
        clup_lattice_kind kind;
        uint32_t size[3], few[3]; /* for spins, and with at most 18 bonds */
        double beta, p;
    } small[] = {
        {CLUP_LATTICE_CHAIN, {7, 1, 1}, {9, 1, 1}, 0.7, 0.6},
        {CLUP_LATTICE_HONEYCOMB, {4, 4, 1}, {4, 2, 1}, 0.5, 0.5},
        {CLUP_LATTICE_KAGOME, {4, 4, 1}, {4, 2, 1}, 0.3, 0.4},
        {CLUP_LATTICE_LIEB, {4, 4, 1}, {4, 4, 1}, 0.6, 0.6},
        {CLUP_LATTICE_SQUARE_OCTAGON, {8, 2, 1}, {4, 2, 1}, 0.5, 0.6},
        {CLUP_LATTICE_UNION_JACK, {4, 4, 1}, {2, 2, 1}, 0.2, 0.3},
        {CLUP_LATTICE_CHECKERBOARD, {4, 4, 1}, {2, 2, 1}, 0.2, 0.3},
        {CLUP_LATTICE_BCC, {2, 3, 2}, {2, 2, 1}, 0.15, 0.2},
        {CLUP_LATTICE_FCC, {2, 2, 3}, {3, 1, 1}, 0.1, 0.2},
        {CLUP_LATTICE_DIAMOND, {4, 2, 2}, {2, 2, 2}, 0.3, 0.4},
    };
    static const clup_method sw = {0}, wolff = {.algorithm = CLUP_WOLFF},
                             bath = {.algorithm = CLUP_HEAT_BATH};
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    for (size_t k = 0; k < sizeof placed / sizeof *placed; k++)
        ok(nearest_are_neighbours(k), "neighbours in %s are the nearest sites",
           clup_lattice_name(placed[k].kind));
    check_cycles();
    for (size_t k = 0; k < sizeof small / sizeof *small; k++) {
        clup_problem problem = {.lattice = small[k].kind,
                                .model = CLUP_ISING,
                                .size = {small[k].size[0], small[k].size[1], small[k].size[2]},
                                .periodic = {1, 1, 1},
                                .q = 2,
                                .beta = small[k].beta};
        all_states(context, problem, &sw);
        all_states(context, problem, k % 2 ? &wolff : &bath);
        memcpy(problem.size, small[k].few, sizeof problem.size);
        problem.model = CLUP_POTTS;
        problem.q = 3;
        problem.beta = 1.5 * small[k].beta;
        all_clusters(context, problem);
        problem.q = 2;
        problem.beta = 0;
        memcpy(problem.size, small[k].few, sizeof problem.size);
        all_samples(context, problem, CLUP_BOND_PERCOLATION, small[k].p);
        memcpy(problem.size, small[k].size, sizeof problem.size);
        all_samples(context, problem, CLUP_SITE_PERCOLATION, 0.7);
    }
    clup_context_free(context);
    return done_testing();
}
