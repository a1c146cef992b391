/* SPDX-License-Identifier: BSD-3-Clause */
/* Spins on graphs: the chain as a graph has the spins of the chain, devices those of the host, and
 * small graphs the means over all their states and all their active edges. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/bond_couplings.h"
#include "core/graph.h"
#include "tap.h"

static clup_context *context;

#define REFUSES(detail, call) \
    ok((call) == CLUP_ERROR_USAGE && strstr(clup_error_detail(), detail) != NULL, "%s", \
       clup_error_detail())

static const clup_graph *graph_of(uint64_t vertices, uint64_t edges, const uint32_t (*ends)[2])
{
    const clup_edges list = {
        .vertices = vertices, .edges = edges, .dtype = CLUP_DTYPE_U32, .ends = ends};
    const clup_graph *graph;
    NEED(clup_graph_make(&list, &graph));
    return graph;
}

/* Puts a graph in the place of a problem's lattice. */
static clup_problem on_graph(clup_problem problem, const clup_graph *graph)
{
    const clup_bond_couplings *own = problem.bond_couplings;
    clup_problem_set_graph(&problem, graph);
    if (own != NULL)
        problem.bond_couplings = own;
    return problem;
}

static const clup_observable measured[] = {CLUP_ENERGY, CLUP_M2, CLUP_M4, CLUP_CLUSTERS,
                                           CLUP_LARGEST_CLUSTER};
enum { MEASURED = sizeof measured / sizeof *measured };

static clup_simulation *simulation_of(clup_context *on, const clup_problem *problem,
                                      clup_algorithm algorithm, uint64_t sweeps)
{
    const clup_method method = {.algorithm = algorithm};
    clup_simulation *simulation;
    NEED(clup_simulation_create(on, problem, &method, NULL, 11, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, measured, MEASURED, 1));
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    return simulation;
}

/* Whether two simulations have equal spins, and equal series of what is measured. */
static bool are_equal(clup_simulation *one, clup_simulation *other, const clup_problem *problem)
{
    const uint32_t replicas = problem->replicas > 0 ? problem->replicas : 1;
    const uint64_t sites = clup_problem_sites(problem) * replicas,
                   sweeps = clup_simulation_measured(one);
    uint8_t *spins[2] = {malloc(sites), malloc(sites)};
    double *series[2] = {malloc(sweeps * sizeof(double)), malloc(sweeps * sizeof(double))};
    NEED(clup_simulation_spins(one, spins[0]));
    NEED(clup_simulation_spins(other, spins[1]));
    bool equal = memcmp(spins[0], spins[1], sites) == 0;
    for (uint32_t r = 0; r < replicas; r++)
        for (size_t k = 0; k < MEASURED; k++) {
            for (int i = 0; i < 2; i++)
                NEED(clup_simulation_series(i == 0 ? one : other, r, measured[k], 0, sweeps,
                                            series[i]));
            equal = equal && memcmp(series[0], series[1], sweeps * sizeof(double)) == 0;
        }
    for (int i = 0; i < 2; i++)
        free(spins[i]), free(series[i]);
    return equal;
}

/* ---- the chain ------------------------------------------------------------------------------- */

static const clup_graph *chain_of(uint32_t sites)
{
    uint32_t(*ends)[2] = malloc(sites * sizeof *ends);
    for (uint32_t i = 0; i < sites; i++)
        ends[i][0] = i, ends[i][1] = (i + 1) % sites;
    const clup_graph *graph = graph_of(sites, sites, (const uint32_t(*)[2])ends);
    free(ends);
    return graph;
}

static void check_chain(uint32_t sites)
{
    static const struct {
        const char *called;
        clup_problem problem;
    } models[] = {
        {"Potts, q = 2", {.model = CLUP_POTTS, .q = 2, .beta = 1}},
        {"Potts, q = 7", {.model = CLUP_POTTS, .q = 7, .beta = 2}},
        {"Ising in a field", {.model = CLUP_ISING, .q = 2, .beta = 0.7, .field = 0.2}},
        {"+-J, diluted",
         {.model = CLUP_ISING, .q = 2, .beta = 0.9, .disorder = {0.5, 0.2}, .disorder_seed = 3}},
        {"normal couplings", {.model = CLUP_POTTS, .q = 3, .beta = 0.9, .disorder = {0, 0, 1}}},
        {"clock", {.model = CLUP_CLOCK, .q = 5, .beta = 1.3, .field = 0.1}},
    };
    const clup_graph *graph = chain_of(sites);
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        clup_problem chain = models[k].problem;
        chain.lattice = CLUP_LATTICE_CHAIN;
        chain.size[0] = sites;
        chain.size[1] = 1;
        chain.periodic[0] = 1;
        chain.replicas = 2;
        const clup_problem problem = on_graph(chain, graph);
        clup_simulation *of_chain = simulation_of(NULL, &chain, CLUP_SWENDSEN_WANG, 12);
        clup_simulation *of_graph = simulation_of(context, &problem, CLUP_SWENDSEN_WANG, 12);
        ok(are_equal(of_chain, of_graph, &problem), "%s: a graph is the chain of %u sites",
           models[k].called, sites);
        clup_simulation_free(of_chain);
        clup_simulation_free(of_graph);
    }
}

/* ---- devices --------------------------------------------------------------------------------- */

/* Compares the device with the host on a graph without order. */
static void check_device(uint64_t vertices, uint64_t edges)
{
    const clup_graph *graph;
    double *couplings = malloc(edges * sizeof *couplings);
    const clup_bond_couplings *own;
    NEED(clup_graph_sample(vertices, edges, &graph));
    for (uint64_t e = 0; e < edges; e++)
        couplings[e] = (double)(e * 2654435761u % 4001) / 1000 - 2;
    NEED(clup_bond_couplings_make(couplings, 1, edges, &own));
    free(couplings);
    const clup_problem models[] = {
        {.model = CLUP_POTTS, .q = 2, .beta = 0.6, .replicas = 3},
        {.model = CLUP_POTTS, .q = 200, .beta = 2},
        {.model = CLUP_ISING, .q = 2, .beta = 0.2, .field = -0.1, .coupling = {-1}},
        {.model = CLUP_ISING, .q = 2, .beta = 0.4, .bond_couplings = own},
        {.model = CLUP_ISING, .q = 2, .beta = 0.5, .disorder = {0.5, 0.3}, .replicas = 2},
        {.model = CLUP_CLOCK, .q = 6, .beta = 0.4, .disorder = {0, 0, 1}, .replicas = 2},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        for (clup_algorithm algorithm = CLUP_SWENDSEN_WANG; algorithm <= CLUP_WOLFF; algorithm++) {
            clup_problem problem = on_graph(models[k], graph);
            if (algorithm == CLUP_WOLFF)
                problem.replicas = 1;
            clup_simulation *here = simulation_of(NULL, &problem, algorithm, 8),
                            *there = simulation_of(context, &problem, algorithm, 8);
            ok(are_equal(here, there, &problem),
               "%s, %s, %llu vertices, %llu edges: device and host are equal",
               clup_model_name(problem.model), clup_algorithm_name(algorithm),
               (unsigned long long)vertices, (unsigned long long)edges);
            clup_simulation_free(here);
            clup_simulation_free(there);
        }
}

/* ---- all states ------------------------------------------------------------------------------ */

typedef struct exact {
    double energy, m2, clusters;
} exact;

static uint32_t root(const uint32_t *labels, uint32_t i)
{
    while (labels[i] != i)
        i = labels[i];
    return i;
}

static unsigned clusters_of(const clup_graph *graph, uint32_t active)
{
    uint32_t labels[16];
    unsigned clusters = (unsigned)graph->vertices;
    for (uint32_t i = 0; i < graph->vertices; i++)
        labels[i] = i;
    for (uint64_t e = 0; e < graph->edges; e++) {
        const uint32_t a = root(labels, graph->ends[e][0]), b = root(labels, graph->ends[e][1]);
        if (!(active >> e & 1) || a == b)
            continue;
        labels[a] = b;
        clusters--;
    }
    return clusters;
}

/* Sums over all states of a Potts model, and over all sets of active edges, where these are few. */
#define MOST_SUMMED 16
static exact all_states(const clup_graph *graph, unsigned q, double beta)
{
    const unsigned n = (unsigned)graph->vertices;
    const clup_bond_couplings *couplings = graph->extras.couplings;
    exact sum = {0};
    double weights = 0;
    uint64_t states = 1;
    for (unsigned i = 0; i < n; i++)
        states *= q;
    for (uint64_t state = 0; state < states; state++) {
        unsigned spins[16], in_state[16] = {0};
        double equal = 0, most = 0;
        uint64_t rest = state;
        for (unsigned i = 0; i < n; i++, rest /= q)
            in_state[spins[i] = (unsigned)(rest % q)]++;
        for (uint64_t e = 0; e < graph->edges; e++)
            if (spins[graph->ends[e][0]] == spins[graph->ends[e][1]])
                equal += couplings != NULL ? couplings->units[e] * 0x1p-20 : 1;
        for (unsigned s = 0; s < q; s++)
            most = in_state[s] > most ? in_state[s] : most;
        const double m = (q * most / n - 1) / (q - 1), weight = exp(beta * equal);
        weights += weight;
        sum.energy -= weight * equal / n;
        sum.m2 += weight * m * m;
    }
    sum.energy /= weights;
    sum.m2 /= weights;
    weights = 0;
    if (graph->edges > MOST_SUMMED || couplings != NULL) {
        sum.clusters = NAN;
        return sum;
    }
    for (uint32_t active = 0; active < 1u << graph->edges; active++) {
        const unsigned clusters = clusters_of(graph, active);
        const double weight = pow(expm1(beta), __builtin_popcount(active)) * pow(q, clusters);
        weights += weight;
        sum.clusters += weight * clusters / n;
    }
    sum.clusters /= weights;
    return sum;
}

static void is_near(const clup_estimate *estimate, double wanted, const char *called,
                    const char *what)
{
    const double away = (estimate->mean - wanted) / estimate->error;
    ok(fabs(away) < 4.5, "%s: %s %.5f(%.5f), exactly %.5f: %.1f sigma", called, what,
       estimate->mean, estimate->error, wanted, away);
}

static void check_exact(const char *called, const clup_graph *graph, unsigned q, double beta)
{
    const clup_problem problem = on_graph((clup_problem){.q = q, .beta = beta}, graph);
    const exact wanted = all_states(graph, q, beta);
    clup_estimate estimates[CLUP_OBSERVABLES];
    clup_simulation *simulation = simulation_of(NULL, &problem, CLUP_SWENDSEN_WANG, 20000);
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    is_near(&estimates[CLUP_ENERGY], wanted.energy, called, "energy");
    is_near(&estimates[CLUP_M2], wanted.m2, called, "m2");
    if (!isnan(wanted.clusters))
        is_near(&estimates[CLUP_CLUSTERS], wanted.clusters, called, "clusters");
    clup_simulation_free(simulation);
}

static void check_all_exact(void)
{
    static const uint32_t complete[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}},
                          star[][2] = {{4, 0}, {4, 1}, {2, 4}, {4, 3}, {3, 4}, {1, 1}},
                          petersen[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0},
                                           {0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9},
                                           {5, 7}, {7, 9}, {9, 6}, {6, 8}, {8, 5}};
    check_exact("complete, q = 2", graph_of(4, 6, complete), 2, 0.6);
    check_exact("complete, q = 5", graph_of(4, 6, complete), 5, 0.9);
    check_exact("star with a loop, a double edge, and a lone vertex", graph_of(6, 6, star), 3, 0.8);
    check_exact("Petersen's, q = 2", graph_of(10, 15, petersen), 2, 0.9);
}

/* ---- lattices of a cell ---------------------------------------------------------------------- */

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    NEED(file == NULL || fputs(text, file) < 0 || fclose(file) != 0);
}

/* Compares the graph of a cell with the lattice of the same offsets. */
static void check_like(clup_lattice_kind kind, unsigned open)
{
    static const char path[] = "t_edges.toml";
    const unsigned axes = clup_lattice_axes(kind);
    clup_problem problem = {.lattice = kind, .size = {5, 4, axes > 2 ? 3 : 1}, .q = 2};
    for (unsigned axis = 0; axis < 3; axis++)
        problem.periodic[axis] = !(open >> axis & 1);
    const lattice_args lattice = clup_lattice_args(&problem);
    const clup_lattice *of = clup_lattice_of(&lattice);
    char text[1024] = "bonds = [";
    for (unsigned d = 0; d < of->directions; d++) {
        const lattice_offset offset = of->offsets[d];
        const size_t end = strlen(text);
        snprintf(text + end, sizeof text - end,
                 axes > 2 ? "[0, 0, [%d, %d, %d]]," : "[0, 0, [%d, %d]],", offset.x, offset.y,
                 offset.z);
    }
    strcat(text, "]\n");
    write_text(path, text);
    const clup_graph *graph;
    NEED(clup_graph_of_lattice(path, problem.size, axes, open, &graph));
    uint64_t edge = 0, to;
    bool right = graph->vertices == clup_lattice_sites(&lattice);
    for (unsigned d = 0; d < of->directions; d++)
        for (uint32_t i = 0; i < graph->vertices; i++)
            if (clup_lattice_forward(&lattice, d, i % lattice.nx, i / lattice.nx, &to)) {
                right = right && edge < graph->edges && graph->ends[edge][0] == i &&
                        graph->ends[edge][1] == to;
                edge++;
            }
    ok(right && edge == graph->edges, "%s, open axes %u: the same bonds by its cell", of->name,
       open);
    remove(path);
}

/* Counts the bonds of each vertex. */
static void degrees(const clup_graph *graph, unsigned *bonds)
{
    for (uint64_t i = 0; i < graph->vertices; i++)
        bonds[i] = 0;
    for (uint64_t e = 0; e < graph->edges; e++)
        bonds[graph->ends[e][0]]++, bonds[graph->ends[e][1]]++;
}

/* Of n axes, a site has 2 n bonds, and at the end of an open axis one fewer. */
static void check_hypercubic(void)
{
    static const uint32_t size[] = {3, 2, 3, 1, 2, 3, 1, 2};
    for (unsigned axes = 1; axes <= 8; axes++) {
        const unsigned open = 1u << (axes - 1);
        const clup_graph *graph;
        NEED(clup_graph_of_lattice("hypercubic", size, axes, open, &graph));
        unsigned *bonds = malloc(graph->vertices * sizeof *bonds);
        degrees(graph, bonds);
        bool right = true;
        const uint64_t below = graph->vertices / size[axes - 1];
        for (uint64_t i = 0; i < graph->vertices; i++) {
            const unsigned last = (unsigned)(i / below);
            right = right && bonds[i] == 2 * axes - (last == 0) - (last == size[axes - 1] - 1);
        }
        char text[CLUP_FIELD_TEXT], wanted[32];
        clup_problem problem = on_graph((clup_problem){.q = 2}, graph), again = problem;
        snprintf(wanted, sizeof wanted, "%llu", (unsigned long long)graph->vertices);
        right = right && clup_problem_get(&problem, "size", text) == CLUP_OK &&
                strcmp(text, wanted) == 0 && clup_problem_set(&again, "size", text) == CLUP_OK &&
                again.size[0] == problem.size[0] && again.size[1] == 1;
        ok(right, "%s: %llu sites have as many bonds as they should", clup_graph_called(graph),
           (unsigned long long)graph->vertices);
        free(bonds);
    }
}

/* Energy and m2 of a lattice of four axes, with couplings that differ, by all its states. */
static void check_four_axes(void)
{
    static const char path[] = "t_edges.toml",
                      layered[] = "sites = 2\nname = \"layers\"\nbonds = [[0, 1, [0, 0]], "
                                  "[1, 0, [1, 0], 0.5], [1, 0, [-1, 1], 1.5]]\n";
    static const uint32_t four[] = {2, 2, 2, 2}, two[] = {2, 2};
    const clup_graph *graph;
    NEED(clup_graph_of_lattice("hypercubic", four, 4, 0, &graph));
    check_exact("2 x 2 x 2 x 2", graph, 2, 0.3);
    write_text(path, layered);
    NEED(clup_graph_of_lattice(path, two, 1, 0, &graph));
    const int32_t *units = graph->extras.couplings->units, one = 1 << 20;
    ok(graph->extras.couplings->sites == 12 && units[3] == one && units[4] == one / 2 &&
           units[7] == one / 2 && units[8] == one + one / 2,
       "couplings are those of the bonds' kinds");
    check_exact("two sites a cell, and couplings", graph, 2, 0.9);
    remove(path);
}

/* Returns the critical beta of q states, and the critical p of bonds and sites, of a lattice. */
static double beta_of(const clup_graph *graph, clup_model model, unsigned q)
{
    const clup_problem problem = on_graph((clup_problem){.model = model, .q = q}, graph);
    return clup_problem_critical_beta(&problem);
}
static double p_of(const clup_graph *graph, clup_model model)
{
    const clup_problem problem = on_graph((clup_problem){.model = model}, graph);
    return clup_problem_critical_p(&problem);
}

/* Critical points of hypercubic lattices: those of two and three axes are known by another name. */
static void check_critical(void)
{
    static const uint32_t size[] = {3, 3, 3, 2, 2, 2, 2, 2};
    /* Ising beta, bonds, sites */
    static const double known[][3] = {{0.149693785, 0.16013122, 0.19688561},
                                      {0.11391498, 0.11817145, 0.14079633},
                                      {0.0922982, 0.09420165, 0.109016661},
                                      {0.0777089, 0.078675230, 0.088951121},
                                      {NAN, 0.06770839, 0.075210128}};
    static const char path[] = "t_edges.toml";
    static const char *const others[] = {
        "bonds = [[0, 0, [1, 0]], [0, 0, [1, 1]]]", "bonds = [[0, 0, [1, 0]], [0, 0, [0, 2]]]",
        "bonds = [[0, 0, [1, 0]], [0, 0, [2, 0]]]", "bonds = [[0, 0, [1, 0]]]",
        "sites = 2\nbonds = [[0, 1, [1, 0]], [0, 0, [0, 1]]]"};
    const clup_graph *graph;
    NEED(clup_graph_of_lattice("hypercubic", size, 1, 0, &graph));
    ok(isnan(beta_of(graph, CLUP_ISING, 2)) && isnan(p_of(graph, CLUP_BOND_PERCOLATION)),
       "a chain has no critical point");
    NEED(clup_graph_of_lattice("hypercubic", size, 2, 1, &graph));
    ok(beta_of(graph, CLUP_POTTS, 5) == clup_critical_beta(CLUP_LATTICE_SQUARE, 5) &&
           beta_of(graph, CLUP_ISING, 2) == clup_critical_beta(CLUP_LATTICE_SQUARE, 2) / 2 &&
           p_of(graph, CLUP_BOND_PERCOLATION) == 0.5 &&
           p_of(graph, CLUP_SITE_PERCOLATION) == 0.59274605,
       "with two axes that of the square lattice");
    NEED(clup_graph_of_lattice("hypercubic", size, 3, 0, &graph));
    ok(beta_of(graph, CLUP_ISING, 2) == 0.221654626 && isnan(beta_of(graph, CLUP_POTTS, 3)) &&
           p_of(graph, CLUP_BOND_PERCOLATION) == 0.24881182,
       "with three that of the cubic one");
    for (unsigned axes = 4; axes <= 8; axes++) {
        const double *of = known[axes - 4];
        NEED(clup_graph_of_lattice("hypercubic", size, axes, 0, &graph));
        const double beta = beta_of(graph, CLUP_ISING, 2);
        ok((beta == of[0] || (isnan(beta) && isnan(of[0]))) &&
               p_of(graph, CLUP_BOND_PERCOLATION) == of[1] &&
               p_of(graph, CLUP_SITE_PERCOLATION) == of[2] && isnan(p_of(graph, CLUP_POTTS)),
           "with %u its own, %g", axes, of[1]);
    }
    for (size_t k = 0; k <= sizeof others / sizeof *others; k++) {
        const bool square = k == sizeof others / sizeof *others;
        write_text(path, square ? "bonds = [[0, 0, [0, -1]], [0, 0, [1, 0]]]" : others[k]);
        NEED(clup_graph_of_lattice(path, size, 2, 0, &graph));
        const double beta = beta_of(graph, CLUP_ISING, 2), p = p_of(graph, CLUP_BOND_PERCOLATION);
        ok(square ? beta == clup_critical_beta(CLUP_LATTICE_SQUARE, 2) / 2 && p == 0.5
                  : isnan(beta) && isnan(p),
           "of a cell of one's own: %s", square ? "the square lattice" : others[k]);
    }
    write_text(path, "bonds = [[0, 0, [0, 1]], [0, 0, [1, 0], 0.5]]");
    NEED(clup_graph_of_lattice(path, size, 2, 0, &graph));
    ok(isnan(beta_of(graph, CLUP_ISING, 2)), "with two couplings it is not known");
    remove(path);
}

static void check_cells(void)
{
    for (unsigned open = 0; open < 8; open += 3) {
        check_like(CLUP_LATTICE_SQUARE, open & 3);
        check_like(CLUP_LATTICE_TRIANGULAR, open & 3);
        check_like(CLUP_LATTICE_CUBIC, open);
        check_like(CLUP_LATTICE_FCC, open);
        check_like(CLUP_LATTICE_CUBIC_26, open);
    }
    check_hypercubic();
    check_four_axes();
    check_critical();
}

static void refuses_cell(const char *text, const char *detail)
{
    static const char path[] = "t_edges.toml";
    static const uint32_t size[] = {3, 3};
    const clup_graph *graph;
    write_text(path, text);
    ok(clup_graph_of_lattice(path, size, 2, 0, &graph) == CLUP_ERROR_USAGE && graph == NULL &&
           strstr(clup_error_detail(), detail) != NULL,
       "%s", clup_error_detail());
    remove(path);
}

static void check_wrong_cells(void)
{
    static const uint32_t size[] = {3, 0, 3}, large[] = {4000000000u, 4000000000u};
    const clup_graph *graph;
    refuses_cell("bonds = [[0, 0, [1, 0]], [0, 0, [-1, 0]]]", "line 1: bonds has one bond twice");
    refuses_cell("bonds = [[0, 0, [0, 0]]]", "has a loop, number 0");
    refuses_cell("bonds = [[0, 1, [1, 0]]]", "a site that is not one of 0 to 0");
    refuses_cell("bonds = [[0, 0, [3, 0]]]", "an offset that is not -2 to 2");
    refuses_cell("bonds = [[0, 0, [1, 0]], [0, 0, [1]]]", "an offset along 1 axes");
    refuses_cell("bonds = [[0, 0, [1]]]", "a size along 2 axes");
    refuses_cell("bonds = [[0, 0]]", "number 0, that is not [from, to, [offset, ..]]");
    refuses_cell("bonds = [[0, 0, [0, 1], 17]]", "no number between -16 and 16");
    refuses_cell("bonds = []", "no list of 1 to 256 bonds");
    refuses_cell("sites = 17\nbonds = [[0, 1, [0, 0]]]", "not a number from 1 to 16");
    refuses_cell("size = [3, 3]\nbonds = [[0, 0, [0, 1]]]", "is no key of a lattice");
    refuses_cell("name = 1\nbonds = [[0, 0, [0, 1]]]", "is no text of 1 to 64 bytes");
    refuses_cell("name = \"a\\u001b[2J\"\nbonds = [[0, 0, [0, 1]]]", "bytes in one line");
    refuses_cell("bonds = [[0, 0, [0, 1]", "line 1");
    refuses_cell("", "bonds is missing");
    ok(clup_graph_of_lattice("nowhere.toml", size, 1, 0, &graph) == CLUP_ERROR_RUNTIME,
       "no file: %s", clup_error_detail());
    REFUSES("0 cells along axis 1", clup_graph_of_lattice("hypercubic", size, 3, 0, &graph));
    REFUSES("more than 4294967294 sites", clup_graph_of_lattice("hypercubic", large, 2, 0, &graph));
    REFUSES("a lattice of 9 axes", clup_graph_of_lattice("hypercubic", size, 9, 0, &graph));
    REFUSES("an axis is open", clup_graph_of_lattice("hypercubic", large, 2, 4, &graph));
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void check_refused(void)
{
    const clup_graph *const graph = chain_of(40), *same = chain_of(40), *unknown;
    const clup_problem right = on_graph((clup_problem){.q = 2, .beta = 1}, graph);
    clup_problem problem = right;
    const clup_edges none = {.vertices = 4};
    const uint32_t outside[1][2] = {{0, 4}};
    const clup_edges wrong = {.vertices = 4, .edges = 1, .dtype = CLUP_DTYPE_U32, .ends = outside};
    clup_simulation *simulation;
    ok(graph == same, "equal graphs are one");
    REFUSES("has no edges", clup_graph_make(&none, &unknown));
    REFUSES("edge 0 has the vertex 4", clup_graph_make(&wrong, &unknown));
    problem.graph = NULL;
    REFUSES("there is none", clup_problem_check(&problem));
    problem = right;
    problem.lattice = CLUP_LATTICE_CHAIN;
    REFUSES("beside a lattice", clup_problem_check(&problem));
    problem = right;
    problem.size[0] = 41;
    REFUSES("40 vertices", clup_problem_check(&problem));
    problem = right;
    problem.model = CLUP_XY;
    REFUSES("is not there for graphs", clup_problem_check(&problem));
    problem = right;
    problem.disorder[3] = 0.5;
    REFUSES("no vacant sites", clup_problem_check(&problem));
    const clup_method heat = {.algorithm = CLUP_HEAT_BATH}, moves = {.houdayer = 1};
    REFUSES("no heat bath",
            clup_simulation_create(NULL, &right, &heat, NULL, 1, CLUP_START_ORDERED, &simulation));
    REFUSES("moves of Houdayer",
            clup_simulation_create(NULL, &right, &moves, NULL, 1, CLUP_START_ORDERED, &simulation));
    const double ones[41] = {1};
    problem = right;
    NEED(clup_bond_couplings_make(ones, 1, 41, &problem.bond_couplings));
    REFUSES("the graph has 40 edges", clup_problem_check(&problem));
    ok(clup_problem_sublattices(&right) == 0 && isnan(clup_problem_critical_beta(&right)),
       "graphs have no sublattices and no critical point");
    ok(clup_observable_group(CLUP_ENERGY) != NULL, "energies have a group");
    problem = right;
    NEED(clup_problem_set(&problem, "graph",
                          "sha256:"
                          "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"));
    NEED(clup_problem_check(&problem));
    for (int k = 0; k < 2; k++)
        REFUSES("0123456789ab.. is not known",
                clup_simulation_create(k == 0 ? NULL : context, &problem, NULL, NULL, 1,
                                       CLUP_START_ORDERED, &simulation));
}

/* What graphs do not have is not measured, and is NAN. */
static void check_not_measured(void)
{
    const clup_problem problem = on_graph((clup_problem){.q = 2, .beta = 1}, chain_of(40));
    clup_observable all[CLUP_OBSERVABLES];
    clup_estimate estimates[CLUP_OBSERVABLES];
    clup_simulation *simulation;
    for (size_t k = 0; k < CLUP_OBSERVABLES; k++)
        all[k] = (clup_observable)k;
    for (int k = 0; k < 2; k++) {
        NEED(clup_simulation_create(k == 0 ? NULL : context, &problem, NULL, NULL, 1,
                                    CLUP_START_ORDERED, &simulation));
        NEED(clup_simulation_observe(simulation, all, CLUP_OBSERVABLES, 1));
        NEED(clup_simulation_run(simulation, 20, 1, NULL, NULL));
        NEED(clup_simulation_estimate(simulation, 0, estimates));
        ok(!isnan(estimates[CLUP_ENERGY].mean) && !isnan(estimates[CLUP_CLUSTERS].mean) &&
               isnan(estimates[CLUP_XI].mean) && isnan(estimates[CLUP_WRAP_EITHER].mean),
           "lengths and wrapping are not measured, all else is");
        clup_simulation_free(simulation);
    }
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    static const uint32_t lengths[] = {1, 2, 31, 32, 33, 1000, 1025};
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        check_chain(lengths[k]);
    check_device(1, 3);
    check_device(77, 20);
    check_device(5000, 20001);
    check_all_exact();
    check_cells();
    check_wrong_cells();
    check_refused();
    check_not_measured();
    clup_context_free(context);
    return done_testing();
}
