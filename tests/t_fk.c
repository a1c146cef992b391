/* SPDX-License-Identifier: BSD-3-Clause */
/* Observables of Fortuin-Kasteleyn clusters, and correlation functions: single sweeps in each
 * layout against the definitions, and runs against the enumeration of all states and of all bond
 * configurations. */
#include <complex.h>
#include <math.h>

#include "device.h"
#include "run/simulation.h"

#define PI 3.14159265358979323846
#define MOST 20000 /* sites */

static clup_context *context;

static const clup_observable wraps[] = {CLUP_WRAP_X,      CLUP_WRAP_Y,    CLUP_WRAP_Z,
                                        CLUP_WRAP_EITHER, CLUP_WRAP_BOTH, CLUP_WRAP_ONE},
                             modes[] = {CLUP_SK_X_IMPROVED, CLUP_SK_Y_IMPROVED, CLUP_SK_Z_IMPROVED},
                             pairs[] = {CLUP_CORRELATION_X, CLUP_CORRELATION_Y, CLUP_CORRELATION_Z},
                             common[] = {CLUP_CORRELATION_X_IMPROVED, CLUP_CORRELATION_Y_IMPROVED,
                                         CLUP_CORRELATION_Z_IMPROVED};

/* ---- definitions ----------------------------------------------------------------------------- */

/* The clusters of bonds[directions*sites]: the name of each site's cluster, and whether it
 * wraps. */
typedef struct clusters {
    uint32_t name[MOST];
    unsigned wraps; /* bit a: along axis a */
} clusters;

static unsigned coordinate(const clup_problem *problem, uint64_t i, unsigned axis)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const unsigned row = (unsigned)(i / lattice.nx);
    return axis == 0 ? (unsigned)(i % lattice.nx) : axis == 1 ? row % lattice.ny : row / lattice.ny;
}

/* Finds clusters by walks along bonds in both directions, and stores for each site the displacement
 * by which it was reached. A site that is reached by several displacements is on a cycle that winds
 * around the lattice. */
static void find_clusters(const clup_problem *problem, const uint8_t *bonds, clusters *found)
{
    static int way[MOST][3];
    static uint32_t from[26 * MOST], to[26 * MOST], queue[MOST];
    static int step[26 * MOST][3];
    const lattice_args lattice = clup_lattice_args(problem);
    const clup_lattice *of = clup_lattice_of(&lattice);
    const uint32_t sites = (uint32_t)clup_lattice_sites(&lattice);
    uint32_t edges = 0;
    uint64_t neighbour;
    for (unsigned d = 0; d < of->directions; d++)
        for (uint32_t i = 0; i < sites; i++)
            if (bonds[d * sites + i] &&
                clup_lattice_forward(&lattice, d, i % lattice.nx, i / lattice.nx, &neighbour)) {
                const int steps[] = {of->offsets[d].x, of->offsets[d].y, of->offsets[d].z};
                from[edges] = i;
                to[edges] = (uint32_t)neighbour;
                memcpy(step[edges++], steps, sizeof steps);
            }
    for (uint32_t i = 0; i < sites; i++)
        found->name[i] = NOWHERE;
    found->wraps = 0;
    for (uint32_t i = 0; i < sites; i++) {
        uint32_t first = 0, last = 0;
        unsigned ends[3] = {0};
        if (found->name[i] != NOWHERE)
            continue;
        found->name[i] = i;
        memset(way[i], 0, sizeof way[i]);
        for (queue[last++] = i; first < last; first++)
            for (uint32_t e = 0; e < edges; e++)
                for (int sign = 1; sign >= -1; sign -= 2) {
                    const uint32_t here = sign > 0 ? from[e] : to[e],
                                   there = sign > 0 ? to[e] : from[e];
                    if (here != queue[first])
                        continue;
                    const bool fresh = found->name[there] == NOWHERE;
                    for (unsigned axis = 0; axis < 3; axis++) {
                        const int at = way[here][axis] + sign * step[e][axis];
                        if (fresh)
                            way[there][axis] = at;
                        else
                            found->wraps |= (unsigned)(way[there][axis] != at) << axis;
                    }
                    if (fresh)
                        found->name[queue[last++] = there] = i;
                }
        for (uint32_t k = 0; k < last; k++)
            for (unsigned axis = 0; axis < of->axes; axis++) {
                const unsigned at = coordinate(problem, queue[k], axis);
                ends[axis] |= (unsigned)(at == 0) |
                              (unsigned)(at + 1 == lattice_size(lattice, axis)) << 1;
            }
        for (unsigned axis = 0; axis < of->axes; axis++)
            found->wraps |= (unsigned)(!problem->periodic[axis] && ends[axis] == 3) << axis;
    }
}

static double wrap_of(const clup_problem *problem, unsigned which, unsigned axes)
{
    const unsigned count = clup_lattice_axes(problem->lattice);
    const unsigned along = (axes & 1) + (axes >> 1 & 1) + (axes >> 2 & 1);
    return which < 3    ? (which < count ? axes >> which & 1 : NAN)
           : which == 3 ? along > 0
           : which == 4 ? along == count
                        : along == 1;
}

/* S(k) of the clusters along an axis; NAN where there is none. */
static double structure(const clup_problem *problem, const uint32_t *names, unsigned axis)
{
    static double complex wave[MOST];
    const lattice_args lattice = clup_lattice_args(problem);
    const uint32_t length = lattice_size(lattice, axis);
    const uint64_t sites = clup_lattice_sites(&lattice);
    double sum = 0;
    if (axis >= clup_lattice_axes(problem->lattice) || !problem->periodic[axis] || length < 2)
        return NAN;
    for (uint64_t i = 0; i < sites; i++)
        wave[i] = 0;
    for (uint64_t i = 0; i < sites; i++)
        wave[names[i]] += cexp(2 * I * PI * coordinate(problem, i, axis) / length);
    for (uint64_t i = 0; i < sites; i++)
        sum += creal(wave[i] * conj(wave[i]));
    return sum / (double)sites;
}

/* Whether site j is so far from site i along an axis. */
static bool are_apart(const clup_problem *problem, uint64_t i, uint64_t j, unsigned axis,
                      unsigned distance)
{
    const lattice_args lattice = clup_lattice_args(problem);
    for (unsigned a = 0; a < 3; a++) {
        const unsigned to = coordinate(problem, i, a) + (a == axis ? distance : 0);
        if (coordinate(problem, j, a) !=
            (problem->periodic[a] ? to % lattice_size(lattice, a) : to))
            return false;
    }
    return true;
}

/* The share of pairs at a distance along an axis with equal values. */
static double equal_share(const clup_problem *problem, const uint32_t *values, unsigned axis,
                          unsigned distance)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t apart[] = {1, lattice.nx, (uint64_t)lattice.nx * lattice.ny};
    const uint32_t size = lattice_size(lattice, axis);
    double equal = 0, all = 0;
    for (uint64_t i = 0; i < clup_lattice_sites(&lattice); i++) {
        const unsigned at = coordinate(problem, i, axis), to = (at + distance) % size;
        const uint64_t j = i + to * apart[axis] - at * apart[axis];
        if (!are_apart(problem, i, j, axis, distance))
            continue;
        all++;
        equal += values[i] == values[j];
    }
    return equal / all;
}

/* ---- single sweeps --------------------------------------------------------------------------- */

static unsigned right, of;

static void expect(double value, double wanted)
{
    right += isnan(wanted) ? isnan(value) : fabs(value - wanted) < 1e-6 * (1 + fabs(wanted));
    of++;
}

/* The share of pairs with equal values at half of the longest periodic axes, their mean; NAN where
 * that is no distance of pairs. */
static double half_share(const clup_problem *problem, const uint32_t *values)
{
    const lattice_args lattice = clup_lattice_args(problem);
    unsigned longest = 0, axes = 0;
    double sum = 0;
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        if (problem->periodic[axis] && lattice_size(lattice, axis) > longest)
            longest = lattice_size(lattice, axis);
    unsigned half = longest / 2, odd = half;
    while (odd > 8 && odd % 2 == 0)
        odd /= 2;
    if (longest < 2 || longest % 2 != 0 || odd > 8)
        return NAN;
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        if (problem->periodic[axis] && lattice_size(lattice, axis) == longest) {
            sum += equal_share(problem, values, axis, half);
            axes++;
        }
    return sum / axes;
}

static double value_named(const clup_simulation *simulation, const char *name, uint32_t replica,
                          uint64_t sweep)
{
    clup_observable observable;
    double value;
    NEED(clup_observable_named(name, &observable));
    NEED(clup_simulation_series(simulation, replica, observable, sweep, 1, &value));
    return value;
}

/* The values of a replica in a sweep, by the spins after it, and the clusters. */
static void expect_values(const clup_simulation *simulation, const clup_problem *problem,
                          uint32_t replica, uint64_t sweep, const uint8_t *spins,
                          const clusters *found)
{
    static uint32_t states[MOST], sizes[MOST];
    const uint64_t sites = clup_problem_sites(problem);
    const double q = problem->q;
    double value;
    for (unsigned k = 0; k < sizeof wraps / sizeof *wraps; k++) {
        NEED(clup_simulation_series(simulation, replica, wraps[k], sweep, 1, &value));
        expect(value, wrap_of(problem, k, found->wraps));
    }
    for (uint64_t i = 0; i < sites; i++)
        states[i] = spins[i];
    expect(value_named(simulation, "correlation_half", replica, sweep),
           (q * half_share(problem, states) - 1) / (q - 1));
    expect(value_named(simulation, "correlation_half_improved", replica, sweep),
           half_share(problem, found->name));
    for (unsigned axis = 0; axis < 3; axis++) {
        NEED(clup_simulation_series(simulation, replica, modes[axis], sweep, 1, &value));
        expect(value, structure(problem, found->name, axis));
        for (size_t k = 0; k < clup_simulation_vector_length(simulation, pairs[axis]); k++) {
            /* 1 to 8, then four to an octave */
            const unsigned distance = k < 8 ? (unsigned)k + 1 : (5u + k % 4) << (k / 4 - 1);
            NEED(clup_simulation_vector_series(simulation, replica, pairs[axis], k, sweep, 1,
                                               &value));
            expect(value, (q * equal_share(problem, states, axis, distance) - 1) / (q - 1));
            NEED(clup_simulation_vector_series(simulation, replica, common[axis], k, sweep, 1,
                                               &value));
            expect(value, equal_share(problem, found->name, axis, distance));
        }
    }
    memset(sizes, 0, sizeof sizes);
    for (uint64_t i = 0; i < sites; i++)
        sizes[found->name[i]]++;
    double squares = 0;
    for (uint64_t i = 0; i < sites; i++)
        squares += (double)sizes[i] * sizes[i];
    NEED(clup_simulation_series(simulation, replica, CLUP_S0_IMPROVED, sweep, 1, &value));
    expect(value, squares / (double)sites);
    for (size_t k = 0; k < clup_simulation_vector_length(simulation, CLUP_CLUSTER_SIZES); k++) {
        double count = 0;
        for (uint64_t i = 0; i < sites; i++)
            count += sizes[i] >= 1u << k && sizes[i] < 2u << k;
        NEED(clup_simulation_vector_series(simulation, replica, CLUP_CLUSTER_SIZES, k, sweep, 1,
                                           &value));
        expect(value, count / (double)sites);
    }
}

static void check_sweeps(const clup_problem *problem, clup_algorithm algorithm, const char *layout)
{
    enum { SWEEPS = 3, EVERY = 2 };
    clup_observable wanted[] = {CLUP_XI_IMPROVED,   CLUP_WRAP_X, CLUP_CLUSTER_SIZES,
                                CLUP_CORRELATION_X, CLUP_ENERGY, CLUP_CORRELATION_X_IMPROVED};
    static clusters found;
    const clup_method method = {.algorithm = algorithm, .seeds_per_side = 2, .p_flip = 0.9};
    const lattice_args lattice = clup_lattice_args(problem);
    const uint64_t sites = clup_lattice_sites(&lattice);
    const uint32_t replicas = problem->replicas > 0 ? problem->replicas : 1;
    const clup_plan_request request = {.bonds = layout};
    clup_simulation *simulation;
    clup_plan plan = {0};
    if (layout != NULL && clup_plan_choose(context, problem, &method, &request, &plan) != CLUP_OK)
        return;
    uint8_t *before = malloc(replicas * sites), *after = malloc(replicas * sites),
            *bonds = malloc(clup_lattice_of(&lattice)->directions * sites);
    right = of = 0;
    NEED(clup_simulation_create(layout != NULL ? context : NULL, problem, &method, &plan, 3,
                                CLUP_START_RANDOM, &simulation));
    NEED(clup_observable_named("fk_bonds", &wanted[4]));
    NEED(clup_simulation_observe(simulation, wanted, sizeof wanted / sizeof *wanted, EVERY));
    for (unsigned sweep = 0; sweep < EVERY * SWEEPS; sweep++) {
        NEED(clup_simulation_spins(simulation, before));
        NEED(clup_simulation_run(simulation, 1, 1, NULL, NULL));
        NEED(clup_simulation_spins(simulation, after));
        for (uint32_t r = 0; r < replicas && (sweep + 1) % EVERY == 0; r++) {
            const double beta = problem->betas != NULL ? problem->betas[r] : problem->beta;
            NEED(clup_reference_fk(&lattice, clup_random_key(3, r, sweep),
                                   &(clup_laws){.classes = 1, .of = {clup_bond_law_of(beta)}},
                                   before + r * sites, bonds));
            find_clusters(problem, bonds, &found);
            double active = 0;
            for (uint64_t b = 0; b < clup_lattice_of(&lattice)->directions * sites; b++)
                active += bonds[b];
            expect(value_named(simulation, "fk_bonds", r, sweep / EVERY), active / (double)sites);
            expect_values(simulation, problem, r, sweep / EVERY, after + r * sites, &found);
        }
    }
    ok(right == of && of > 0,
       "%s, %s, %s %u x %u x %u, q = %u, %u replicas: %u values of %u are right",
       layout != NULL ? layout : "reference", clup_algorithm_name(algorithm),
       clup_lattice_name(problem->lattice), lattice.nx, lattice.ny, lattice.nz, problem->q,
       replicas, right, of);
    clup_simulation_free(simulation);
    free(before);
    free(after);
    free(bonds);
}

static void sweeps(void)
{
    static const double betas[] = {0.5, 0.9, 2};
    static const struct {
        const char *layout; /* NULL for all */
        clup_algorithm algorithm;
        clup_problem problem;
    } rows[] = {
        {NULL, CLUP_SWENDSEN_WANG, {.size = {40, 30}, .periodic = {1, 1}, .q = 2, .beta = 0.88}},
        {"word", CLUP_WOLFF, {.size = {33, 20}, .periodic = {0, 1}, .q = 3, .beta = 1}},
        {"char", CLUP_FEW_CLUSTER, {.size = {20, 17}, .periodic = {1, 1}, .q = 2, .beta = 0.9}},
        {"resident",
         CLUP_SWENDSEN_WANG,
         {.size = {37, 9}, .periodic = {1, 0}, .q = 3, .replicas = 3, .betas = betas}},
        {"border",
         CLUP_SWENDSEN_WANG,
         {.lattice = CLUP_LATTICE_TRIANGULAR,
          .size = {35, 33},
          .periodic = {1, 1},
          .q = 4,
          .beta = 0.6}},
        /* rows of whole words */
        {"border", CLUP_SWENDSEN_WANG, {.size = {96, 21}, .periodic = {1, 1}, .q = 2, .beta = 0.9}},
        {"border",
         CLUP_SWENDSEN_WANG,
         {.size = {64, 18}, .periodic = {0, 1}, .q = 200, .beta = 2.7}},
        {"border",
         CLUP_SWENDSEN_WANG,
         {.lattice = CLUP_LATTICE_CUBIC,
          .size = {32, 6, 17},
          .periodic = {1, 1, 0},
          .q = 3,
          .beta = 0.55}},
        {"word",
         CLUP_SWENDSEN_WANG,
         {.lattice = CLUP_LATTICE_CUBIC,
          .size = {9, 8, 5},
          .periodic = {1, 0, 1},
          .q = 2,
          .beta = 0.45}},
        /* lines of several pieces, and distances that do not fit into local memory */
        {"word", CLUP_SWENDSEN_WANG, {.size = {6500, 2}, .periodic = {1, 1}, .q = 2, .beta = 3}},
        {"word", CLUP_SWENDSEN_WANG, {.size = {3, 6300}, .periodic = {1, 0}, .q = 2, .beta = 3}},
    };
    for (size_t p = 0; p < sizeof rows / sizeof *rows; p++) {
        if (p == 0)
            check_sweeps(&rows[p].problem, rows[p].algorithm, NULL);
        for (size_t k = 0; clup_layout_name(k) != NULL; k++)
            if (rows[p].layout == NULL || strcmp(rows[p].layout, clup_layout_name(k)) == 0)
                check_sweeps(&rows[p].problem, rows[p].algorithm, clup_layout_name(k));
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

enum { LONGEST = 4, CLASSES = 5 };
typedef struct exact {
    double correlation[3][LONGEST], structure[3], wraps[6], sizes[CLASSES];
} exact;

/* S(k), and the share of pairs at a distance, by the weights with which pairs of sites are
 * together. */
static double structure_of(const clup_problem *problem, const double *together, unsigned axis)
{
    const lattice_args lattice = clup_lattice_args(problem);
    const unsigned sites = (unsigned)clup_lattice_sites(&lattice),
                   length = lattice_size(lattice, axis);
    double sum = 0;
    if (axis >= clup_lattice_axes(problem->lattice) || !problem->periodic[axis] || length < 2)
        return NAN;
    for (unsigned k = 0; k < sites * sites; k++)
        sum += together[k] * cos(2 * PI *
                                 ((double)coordinate(problem, k / sites, axis) -
                                  (double)coordinate(problem, k % sites, axis)) /
                                 length);
    return sum / sites;
}

static double mean_apart(const clup_problem *problem, const double *together, unsigned axis,
                         unsigned distance)
{
    const unsigned sites = (unsigned)clup_problem_sites(problem);
    double sum = 0, all = 0;
    for (unsigned k = 0; k < sites * sites; k++)
        if (are_apart(problem, k / sites, k % sites, axis, distance)) {
            sum += together[k];
            all++;
        }
    return sum / all;
}

/* Sums over all configurations of bonds of the random-cluster model, of which each cluster has any
 * of q states. */
static exact enumerate(const clup_problem *problem)
{
    static clusters found;
    const lattice_args lattice = clup_lattice_args(problem);
    const unsigned sites = (unsigned)clup_lattice_sites(&lattice);
    unsigned places[18], count = 0;
    uint64_t neighbour;
    exact sums = {0};
    const double p = 1 - exp(-problem->beta);
    double z = 0, together[256] = {0}; /* sites i and j in one cluster, at i*sites + j */
    for (unsigned k = 0; k < clup_lattice_of(&lattice)->directions * sites; k++)
        if (clup_lattice_forward(&lattice, k / sites, k % sites % lattice.nx,
                                 k % sites / lattice.nx, &neighbour))
            places[count++] = k;
    for (uint32_t bits = 0; bits < 1u << count; bits++) {
        uint8_t bonds[64] = {0};
        unsigned active = 0, clusters = 0, sizes[16] = {0};
        for (unsigned b = 0; b < count; b++) {
            bonds[places[b]] = bits >> b & 1;
            active += bits >> b & 1;
        }
        find_clusters(problem, bonds, &found);
        for (unsigned i = 0; i < sites; i++) {
            clusters += found.name[i] == i;
            sizes[found.name[i]]++;
        }
        const double weight = pow(p, active) * pow(1 - p, count - active) *
                              pow(problem->q, clusters);
        z += weight;
        for (unsigned k = 0; k < sites * sites; k++)
            if (found.name[k / sites] == found.name[k % sites])
                together[k] += weight;
        for (unsigned k = 0; k < 6; k++)
            sums.wraps[k] += weight * wrap_of(problem, k, found.wraps);
        for (unsigned i = 0; i < sites; i++)
            for (unsigned k = 0; k < CLASSES; k++)
                sums.sizes[k] += weight * (sizes[i] >> k == 1) / sites;
    }
    for (unsigned axis = 0; axis < 3; axis++) {
        sums.structure[axis] = structure_of(problem, together, axis);
        for (unsigned r = 1; r <= LONGEST && r < lattice_size(lattice, axis); r++)
            sums.correlation[axis][r - 1] = mean_apart(problem, together, axis, r);
    }
    for (double *sum = (double *)&sums; sum < (double *)(&sums + 1); sum++)
        *sum /= z;
    return sums;
}

static void near(const clup_estimate *estimate, double exact, const char *what, unsigned k)
{
    const double sigma = fabs(estimate->mean - exact) / estimate->error;
    ok(isnan(exact) ? isnan(estimate->mean) : sigma < 4.5 || fabs(estimate->mean - exact) < 1e-7,
       "%s %u: %.6f +- %.6f, exact %.6f: %.1f sigma", what, k, estimate->mean, estimate->error,
       exact, sigma);
}

static void against_enumeration(clup_problem problem, clup_context *on, uint64_t seed)
{
    static const clup_observable wanted[] = {CLUP_SK,
                                             CLUP_SK_IMPROVED,
                                             CLUP_WRAP_X,
                                             CLUP_CLUSTER_SIZES,
                                             CLUP_CORRELATION_X,
                                             CLUP_CORRELATION_X_IMPROVED};
    const exact exact = enumerate(&problem);
    clup_simulation *simulation;
    clup_estimate estimates[CLUP_OBSERVABLES], vector[64];
    double at[64];
    NEED(clup_simulation_create(on, &problem, NULL, NULL, seed, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, wanted, sizeof wanted / sizeof *wanted, 1));
    NEED(clup_simulation_run(simulation, 100, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, on != NULL ? 3000 : 20000, 1, NULL, NULL));
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    printf("# %s %u x %u x %u, q = %u, beta = %g\n", clup_lattice_name(problem.lattice),
           problem.size[0], problem.size[1], clup_lattice_args(&problem).nz, problem.q,
           problem.beta);
    for (unsigned k = 0; k < 6; k++)
        near(&estimates[wraps[k]], exact.wraps[k], "wrapping", k);
    for (unsigned axis = 0; axis < 3; axis++) {
        near(&estimates[modes[axis]], exact.structure[axis], "S(k) by clusters along", axis);
        near(&estimates[CLUP_SK_X + axis], exact.structure[axis], "S(k) along", axis);
        for (unsigned improved = 0; improved < 2; improved++) {
            const clup_observable of_pairs = improved ? common[axis] : pairs[axis];
            const size_t length = clup_simulation_vector_length(simulation, of_pairs);
            if (length > 0)
                NEED(clup_simulation_vector(simulation, 0, of_pairs, at, vector));
            for (size_t k = 0; k < length; k++)
                near(&vector[k], exact.correlation[axis][(unsigned)at[k] - 1],
                     clup_observable_name(of_pairs), (unsigned)at[k]);
        }
    }
    NEED(clup_simulation_vector(simulation, 0, CLUP_CLUSTER_SIZES, at, vector));
    for (size_t k = 0; k < clup_simulation_vector_length(simulation, CLUP_CLUSTER_SIZES); k++)
        near(&vector[k], exact.sizes[k], "clusters of size", (unsigned)at[k]);
    clup_simulation_free(simulation);
}

static void check_arguments(void)
{
    static const clup_observable wanted[] = {CLUP_CORRELATION_Y};
    const clup_problem problem = {.size = {12, 40}, .periodic = {1, 0}, .q = 2, .beta = 0.9};
    clup_simulation *simulation;
    clup_estimate estimates[64];
    double at[64], values[2];
    NEED(clup_simulation_create(NULL, &problem, NULL, NULL, 1, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_observe(simulation, wanted, 1, 1));
    ok(clup_simulation_vector(simulation, 0, CLUP_CORRELATION_Y, at, estimates) == CLUP_ERROR_USAGE,
       "there is nothing to estimate before a sweep was measured");
    NEED(clup_simulation_run(simulation, 2, 1, NULL, NULL));
    NEED(clup_simulation_vector(simulation, 0, CLUP_CORRELATION_Y, at, estimates));
    ok(clup_simulation_vector_length(simulation, CLUP_CORRELATION_X) == 6 &&
           clup_simulation_vector_length(simulation, CLUP_CORRELATION_Y) == 16 && at[7] == 8 &&
           at[8] == 10 && at[15] == 32 &&
           clup_simulation_vector_length(simulation, CLUP_CORRELATION_X_IMPROVED) == 0 &&
           clup_simulation_vector_length(simulation, CLUP_ENERGY) == 0 &&
           clup_simulation_vector_length(simulation, CLUP_OBSERVABLES_ALL) == 0 &&
           clup_simulation_vector_length(NULL, CLUP_CORRELATION_Y) == 0,
       "vectors have as many values as there are distances, others none");
    ok(clup_simulation_vector(simulation, 1, CLUP_CORRELATION_Y, at, estimates) ==
               CLUP_ERROR_USAGE &&
           clup_simulation_vector(simulation, 0, CLUP_CLUSTER_SIZES, at, estimates) ==
               CLUP_ERROR_USAGE &&
           clup_simulation_vector_series(simulation, 0, CLUP_CORRELATION_Y, 16, 0, 1, values) ==
               CLUP_ERROR_USAGE &&
           clup_simulation_vector_series(simulation, 0, CLUP_CORRELATION_Y, 0, 1, 2, values) ==
               CLUP_ERROR_USAGE &&
           clup_simulation_vector(NULL, 0, CLUP_CORRELATION_Y, at, estimates) == CLUP_ERROR_USAGE,
       "a replica, a vector, an element and sweeps that there are not are errors");
    clup_simulation_free(simulation);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_arguments();
    sweeps();
    against_enumeration((clup_problem){.size = {3, 3}, .periodic = {1, 1}, .q = 2, .beta = 0.8},
                        context, 1);
    against_enumeration((clup_problem){.size = {4, 3}, .periodic = {0, 0}, .q = 3, .beta = 1}, NULL,
                        2);
    against_enumeration((clup_problem){.size = {3, 3}, .periodic = {1, 0}, .q = 4, .beta = 0.9},
                        NULL, 3);
    against_enumeration((clup_problem){.lattice = CLUP_LATTICE_TRIANGULAR,
                                       .size = {3, 2},
                                       .periodic = {1, 1},
                                       .q = 3,
                                       .beta = 0.5},
                        NULL, 4);
    against_enumeration((clup_problem){.lattice = CLUP_LATTICE_CUBIC,
                                       .size = {2, 2, 2},
                                       .periodic = {0, 0, 0},
                                       .q = 2,
                                       .beta = 0.6},
                        NULL, 5);
    clup_context_free(context);
    return done_testing();
}
