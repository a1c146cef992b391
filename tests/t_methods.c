/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of single algorithms. Wolff: relaxation ends with the chosen cluster. Few-cluster:
 * queues that overflow, growth in several launches, and lattices and temperatures at their
 * limits. */
#include <math.h>

#include "device.h"
#include "family/paper.h"
#include "update/update.h"

static clup_context *context;

/* An update and its reference, which begin with equal spins. */
typedef struct pair {
    clup_update update;
    clup_reference reference;
    uint8_t *spins;
    size_t sites;
} pair;

static void pair_create(const clup_problem *problem, const clup_method *method,
                        const clup_plan_request *request, clup_start start, pair *pair)
{
    clup_plan plan;
    NEED(clup_plan_choose(context, problem, method, request, &plan));
    NEED(clup_update_create(context, problem, method, &plan, 3, &pair->update));
    NEED(clup_reference_create(problem, method, NULL, 3, &pair->reference));
    clup_start_spins(&pair->reference.host.lattice, problem, pair->reference.host.key, start,
                     pair->reference.host.spins);
    NEED(clup_state_write_spins(&pair->update.state, pair->reference.host.spins));
    pair->sites = clup_lattice_sites(&pair->reference.host.lattice);
    pair->spins = malloc(pair->sites);
}

/* Does one sweep with both. Whether spins and the number of updated sites agree. */
static int pair_sweep(pair *pair)
{
    cl_uint updated;
    NEED(clup_buffer_zero(context, CLUP_MEASURE, pair->update.state.updated, sizeof updated));
    NEED(clup_update_sweep(&pair->update));
    clup_reference_sweep(&pair->reference);
    NEED(clup_state_read_spins(&pair->update.state, pair->spins));
    NEED(clup_buffer_read(context, pair->update.state.updated, 0, sizeof updated, &updated));
    return memcmp(pair->spins, pair->reference.host.spins, pair->sites) == 0 &&
           updated == pair->reference.host.updated;
}

static void pair_free(pair *pair)
{
    clup_timer_collect(&context->timer);
    clup_update_clear(&pair->update);
    clup_reference_clear(&pair->reference);
    free(pair->spins);
}

/* Compares Wolff sweeps with labelling the same bonds completely, as for Swendsen-Wang. */
static void check_focus(const char *relax)
{
    enum { SWEEPS = 200 };
    const clup_problem problem = {.size = {64, 64},
                                  .periodic = {1, 1},
                                  .q = 2,
                                  .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2)};
    const clup_method method = {.algorithm = CLUP_WOLFF};
    const clup_plan_request request = {.consolidate = relax, .tile = 4};
    unsigned right = 0, focused = 0, full = 0;
    pair pair;
    pair_create(&problem, &method, &request, CLUP_START_RANDOM, &pair);
    clup_prepared *local = &pair.update.prepared[CLUP_LOCAL],
                  *consolidate = &pair.update.prepared[CLUP_CONSOLIDATE];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        right += (unsigned)pair_sweep(&pair);
        focused += consolidate->iterations;
        pair.update.state.method.algorithm = CLUP_SWENDSEN_WANG;
        NEED(clup_prepared_run(local));
        NEED(clup_prepared_run(consolidate));
        full += consolidate->iterations;
        pair.update.state.method.algorithm = CLUP_WOLFF;
    }
    ok(right == SWEEPS, "wolff with %s: %u of %u sweeps as the reference does them", relax, right,
       SWEEPS);
    ok(focused < 0.8 * full, "in fewer iterations, %u, than it takes to label all clusters, %u",
       focused, full);
    pair_free(&pair);
}

/* Compares the estimates of 40 sweeps with sweeps that are counted one by one. */
static void check_updated(const clup_method *method)
{
    const clup_problem problem = {.size = {40, 33}, .periodic = {1, 1}, .q = 3, .beta = 1};
    clup_estimate estimates[2][CLUP_OBSERVABLES];
    for (int on_host = 0; on_host < 2; on_host++) {
        clup_simulation *simulation;
        NEED(clup_simulation_create(on_host ? NULL : context, &problem, method, NULL, 5,
                                    CLUP_START_RANDOM, &simulation));
        NEED(clup_simulation_run(simulation, 40, 1, NULL, NULL));
        NEED(clup_simulation_estimate(simulation, 0, estimates[on_host]));
        clup_simulation_free(simulation);
    }
    ok(estimates[0][CLUP_UPDATED].mean == estimates[1][CLUP_UPDATED].mean &&
           estimates[0][CLUP_UPDATED].mean > 0 &&
           estimates[0][CLUP_ENERGY].mean == estimates[1][CLUP_ENERGY].mean,
       "%s: %g of the sites are updated in a sweep, %g by the reference",
       clup_algorithm_name(method->algorithm), estimates[0][CLUP_UPDATED].mean,
       estimates[1][CLUP_UPDATED].mean);
}

typedef struct few_case {
    uint32_t size[2];
    int periodic[2];
    unsigned q;
    double beta;
    unsigned seeds; /* number of seeds a side */
    clup_start start;
} few_case;

/* Runs one case, with rings of so many entries (0 for the default). most becomes the largest number
 * of launches of a sweep. */
static void check_few(const few_case *few, const char *action, const char *bonds, uint32_t entries,
                      unsigned *most)
{
    enum { SWEEPS = 30 };
    const clup_problem problem = {.size = {few->size[0], few->size[1]},
                                  .periodic = {few->periodic[0], few->periodic[1]},
                                  .q = few->q,
                                  .beta = few->beta};
    const clup_method method = {
        .algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = few->seeds, .p_flip = 0.7};
    const clup_plan_request request = {.action = action, .bonds = bonds};
    unsigned right = 0;
    pair pair;
    clup_few_cluster_ring_entries = entries;
    pair_create(&problem, &method, &request, few->start, &pair);
    *most = 0;
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        right += (unsigned)pair_sweep(&pair);
        unsigned launches = pair.update.prepared[CLUP_ACTION].iterations;
        *most = launches > *most ? launches : *most;
    }
    ok(right == SWEEPS,
       "%s, %s, ring %u: %u x %u, q = %u, beta = %g, %u x %u seeds: %u of %u sweeps right", action,
       bonds, entries, problem.size[0], problem.size[1], problem.q, problem.beta, few->seeds,
       few->seeds, right, SWEEPS);
    pair_free(&pair);
    clup_few_cluster_ring_entries = 0;
}

/* Sizes from one site up; from one seed to one for each site of the shorter axis; from single sites
 * to one cluster. */
static void check_limits(void)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 9}, {9, 1}, {2, 2}, {33, 7}};
    static const double betas[] = {0, 1, INFINITY};
    unsigned most;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t b = 0; b < sizeof betas / sizeof *betas; b++)
            for (int all = 0; all < 2; all++) {
                uint32_t shorter = sizes[s][0] < sizes[s][1] ? sizes[s][0] : sizes[s][1];
                const few_case few = {{sizes[s][0], sizes[s][1]}, {(int)s % 2, all}, 3, betas[b],
                                      all ? shorter : 1,          CLUP_START_RANDOM};
                check_few(&few, "few_cluster", all ? "word" : "char", 0, &most);
            }
}

/* Clusters with fronts longer than the ring: sites that do not fit are later found by scans. */
static void check_overflow(void)
{
    static const few_case cases[] = {
        {{40, 30}, {1, 1}, 2, INFINITY, 1, CLUP_START_ORDERED}, /* one cluster, the lattice */
        {{40, 30}, {1, 1}, 2, 1.2, 3, CLUP_START_ORDERED},
        {{40, 30}, {0, 0}, 5, 1.5, 5, CLUP_START_ORDERED},
        {{3, 200}, {0, 1}, 3, 1.3, 3, CLUP_START_RANDOM},
    };
    static const uint32_t rings[] = {1, 2, 4, 16};
    unsigned most;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t r = 0; r < sizeof rings / sizeof *rings; r++)
            check_few(&cases[c], "few_cluster", r % 2 ? "word" : "char", rings[r], &most);
}

/* A chain grows by two sites a step, so that it needs several launches. */
static void check_launches(void)
{
    static const few_case chain = {{1, 6000}, {1, 1}, 2, INFINITY, 1, CLUP_START_ORDERED};
    static const char *const actions[] = {"few_cluster", "few_cluster_linear"};
    for (size_t k = 0; k < 2; k++) {
        unsigned most;
        check_few(&chain, actions[k], "word", 0, &most);
        ok(most > 1, "a long chain takes several launches: %u", most);
    }
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_focus("relax");
    check_focus("relax_multithread");
    check_limits();
    check_overflow();
    check_launches();
    check_updated(&(clup_method){.algorithm = CLUP_WOLFF});
    check_updated(
        &(clup_method){.algorithm = CLUP_FEW_CLUSTER, .seeds_per_side = 4, .p_flip = 0.6});
    clup_context_free(context);
    return done_testing();
}
