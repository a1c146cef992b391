/* SPDX-License-Identifier: BSD-3-Clause */
/* The identity contract: one seed gives equal spins, bit for bit, for every plan and the serial
 * reference. Tests each algorithm; Swendsen-Wang with all combinations of kernels and tiles. */
#include <math.h>

#include "device.h"
#include "core/source.h"

static const struct {
    uint32_t size[3];
    int periodic[3];
    unsigned q;
    double beta;
    clup_start start;
    unsigned seeds; /* number of few-cluster seeds a side */
    clup_lattice_kind lattice;
} systems[] = {
    {{64, 64}, {1, 1}, 2, 0.881373587, CLUP_START_ORDERED, 4, CLUP_LATTICE_SQUARE},
    {{31, 33}, {1, 1}, 2, 0.881373587, CLUP_START_RANDOM, 1, CLUP_LATTICE_SQUARE},
    {{1, 200}, {1, 1}, 2, 1.5, CLUP_START_RANDOM, 1, CLUP_LATTICE_SQUARE},
    {{257, 5}, {1, 1}, 2, 1.0, CLUP_START_ORDERED, 5, CLUP_LATTICE_SQUARE},
    {{64, 64}, {1, 1}, 3, 1.005052539, CLUP_START_RANDOM, 7, CLUP_LATTICE_SQUARE},
    {{31, 33}, {0, 1}, 5, 1.174359, CLUP_START_ORDERED, 31, CLUP_LATTICE_SQUARE},
    {{257, 5}, {1, 0}, 256, 2.8, CLUP_START_RANDOM, 3, CLUP_LATTICE_SQUARE},
    {{1, 200}, {0, 0}, 5, 2.0, CLUP_START_RANDOM, 1, CLUP_LATTICE_SQUARE},
    {{2, 2}, {1, 1}, 4, 0.5, CLUP_START_RANDOM, 2, CLUP_LATTICE_SQUARE},
    {{1, 1}, {1, 1}, 2, 0.5, CLUP_START_ORDERED, 1, CLUP_LATTICE_SQUARE},
    {{31, 33}, {1, 1}, 2, 0.549306144, CLUP_START_RANDOM, 0, CLUP_LATTICE_TRIANGULAR},
    {{97, 10}, {0, 1}, 3, 0.630944, CLUP_START_ORDERED, 0, CLUP_LATTICE_TRIANGULAR},
    {{64, 5}, {1, 0}, 256, 2.0, CLUP_START_RANDOM, 0, CLUP_LATTICE_TRIANGULAR},
    {{2, 2}, {1, 1}, 3, 0.4, CLUP_START_RANDOM, 0, CLUP_LATTICE_TRIANGULAR},
    {{5, 7, 9}, {1, 1, 1}, 2, 0.443309252, CLUP_START_RANDOM, 0, CLUP_LATTICE_CUBIC},
    {{40, 3, 2}, {1, 1, 1}, 2, 0.4, CLUP_START_ORDERED, 0, CLUP_LATTICE_CUBIC},
    {{33, 17, 5}, {0, 1, 0}, 5, 0.7, CLUP_START_RANDOM, 0, CLUP_LATTICE_CUBIC},
    {{1, 1, 40}, {1, 1, 1}, 4, 1.0, CLUP_START_RANDOM, 0, CLUP_LATTICE_CUBIC},
    {{37, 29}, {1, 0}, 2, 0.4, CLUP_START_RANDOM, 0, CLUP_LATTICE_SQUARE_8},
    {{64, 33}, {1, 1}, 5, 0.6, CLUP_START_ORDERED, 0, CLUP_LATTICE_SQUARE_8},
    {{9, 7, 5}, {1, 1, 1}, 2, 0.16, CLUP_START_RANDOM, 0, CLUP_LATTICE_CUBIC_18},
    {{33, 6, 4}, {0, 1, 1}, 3, 0.15, CLUP_START_RANDOM, 0, CLUP_LATTICE_CUBIC_26},
    {{66, 35}, {1, 0}, 2, 1.3, CLUP_START_RANDOM, 0, CLUP_LATTICE_HONEYCOMB},
    {{38, 34}, {1, 1}, 3, 1.1, CLUP_START_RANDOM, 0, CLUP_LATTICE_KAGOME},
    {{36, 18}, {0, 1}, 2, 0.5, CLUP_START_RANDOM, 0, CLUP_LATTICE_UNION_JACK},
    {{9, 7, 5}, {1, 1, 0}, 2, 0.3, CLUP_START_RANDOM, 0, CLUP_LATTICE_BCC},
    {{34, 5, 4}, {1, 1, 1}, 3, 0.25, CLUP_START_RANDOM, 0, CLUP_LATTICE_FCC},
    {{36, 6, 4}, {1, 0, 1}, 2, 0.7, CLUP_START_RANDOM, 0, CLUP_LATTICE_DIAMOND},
};
#define SYSTEMS (sizeof systems / sizeof *systems)

static clup_context *context;
static unsigned sweeps = 40;
static int each_row_once, brief, wide;
static unsigned usual_tile = 16;
static char wanted[CLUP_ALGORITHMS][SYSTEMS][65];
static clup_estimate wanted_estimates[CLUP_ALGORITHMS][SYSTEMS][CLUP_OBSERVABLES];

static clup_problem problem_of(size_t s)
{
    clup_problem problem = {
        .lattice = systems[s].lattice, .q = systems[s].q, .beta = systems[s].beta};
    memcpy(problem.size, systems[s].size, sizeof problem.size);
    memcpy(problem.periodic, systems[s].periodic, sizeof problem.periodic);
    return problem;
}

/* Runs sweeps, some of which are not measured: their leftovers must not count. */
static void run(clup_context *where, clup_algorithm algorithm, size_t s, const clup_plan *plan,
                char hash[65], clup_estimate *estimates)
{
    const clup_method method = {
        .algorithm = algorithm, .seeds_per_side = systems[s].seeds, .p_flip = 0.8};
    clup_problem problem = problem_of(s);
    size_t sites = (size_t)clup_problem_sites(&problem);
    clup_simulation *simulation;
    uint8_t *spins = malloc(sites);
    NEED(clup_simulation_create(where, &problem, &method, plan, 20 + s, systems[s].start,
                                &simulation));
    NEED(clup_simulation_run(simulation, 3, 0, NULL, NULL));
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    NEED(clup_simulation_estimate(simulation, 0, estimates));
    clup_sha256(spins, sites, hash);
    clup_simulation_free(simulation);
    free(spins);
}

/* Whether a system is compared. In brief runs: one system with two axes and one with three. With
 * sites counted by 64 bits, which does not change how states are stored: those with the fewest and
 * the most states. */
static int compared(size_t s)
{
    return brief ? s == 1 || s == 16 : !wide || systems[s].q == 2 || systems[s].q == 256;
}

static void compare_system(clup_algorithm algorithm, const clup_plan *plan, size_t s)
{
    char hash[65];
    clup_estimate estimates[CLUP_OBSERVABLES];
    run(context, algorithm, s, plan, hash, estimates);
    ok(strcmp(hash, wanted[algorithm][s]) == 0, "%s, %s + %s, %s, tile %u: %s %u x %u x %u, q = %u",
       plan->action, plan->local != NULL ? plan->local : "none",
       plan->consolidate != NULL ? plan->consolidate : "none", plan->bonds, plan->tile[1],
       clup_lattice_name(systems[s].lattice), systems[s].size[0], systems[s].size[1],
       systems[s].size[2], systems[s].q);
    int same = 1;
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++) {
        double mean = estimates[k].mean, other = wanted_estimates[algorithm][s][k].mean;
        same = same && (mean == other || (isnan(mean) && isnan(other)));
    }
    ok(same, "and the same measurements");
}

/* Compares the systems of a lattice. */
static void compare(clup_lattice_kind lattice, clup_algorithm algorithm, const clup_plan *plan)
{
    for (size_t s = 0; s < SYSTEMS; s++)
        if (systems[s].lattice == lattice && compared(s))
            compare_system(algorithm, plan, s);
}

/* Whether a local kernel works on a lattice in a layout. */
static int labelled_in(clup_lattice_kind lattice, const clup_layout *layout)
{
    int any = 0;
    for (size_t k = 0; k < clup_locals.count; k++)
        any = any || works_on(&clup_locals.variants[k], lattice, layout);
    return any;
}

/* Compares one source or action in a layout, with other stages by default, on each system that it
 * can do. Returns the number of systems. */
static unsigned compare_row(const clup_variant *variant, const clup_layout *layout)
{
    unsigned done = 0, could = 0;
    for (size_t s = 0; s < SYSTEMS; s++) {
        const clup_problem problem = problem_of(s);
        const clup_plan_request request = {
            .source = variant->stage == CLUP_SOURCE ? variant->name : NULL,
            .action = variant->stage == CLUP_ACTION ? variant->name : NULL,
            .bonds = layout->name};
        clup_setting setting = {.lattice = clup_lattice_args(&problem),
                                .q = problem.q,
                                .layout = layout,
                                .tile = {16, 16, 1}};
        clup_plan plan;
        if (!compared(s))
            continue;
        NEED(clup_generator_named(NULL, &setting.rng));
        could += clup_variant_check(variant, context, &setting) == CLUP_OK &&
                 labelled_in(problem.lattice, layout);
        if (clup_plan_choose(context, &problem, NULL, &request, &plan) != CLUP_OK)
            continue;
        compare_system(CLUP_SWENDSEN_WANG, &plan, s);
        done++;
    }
    ok(done == could, "%s, %s: %u systems", variant->name, layout->name, done);
    return done;
}

/* Compares the sources and actions that each_plan does not use. */
static void compare_rows(const clup_table *table)
{
    for (size_t r = 1; r < table->count; r++) {
        unsigned done = 0;
        /* those for a field: t_field and t_matrix */
        if (!clup_variant_is_for(&table->variants[r], CLUP_POTTS) ||
            table->variants[r].models == CLUP_ON_SPINS)
            continue;
        if (table->variants[r].stage == CLUP_ACTION &&
            table->variants[r].algorithm != CLUP_SWENDSEN_WANG)
            continue;
        for (size_t b = 0; b < clup_layout_count; b++)
            done += !clup_layout_of_sites(&clup_layouts[b])
                        ? 0
                        : compare_row(&table->variants[r], &clup_layouts[b]);
        ok(done > 0 || clup_variant_layout(&table->variants[r]) != NULL ||
               strcmp(table->variants[r].name, "fk_site") == 0,
           "%s was compared", table->variants[r].name);
    }
}

static void compare_labelling(const clup_plan *plan, void *user)
{
    const int once = strcmp(plan->local, "selflabel") == 0 || strcmp(plan->consolidate, "sew") == 0;
    const clup_lattice_kind lattice = *(const clup_lattice_kind *)user;
    clup_plan wolff = *plan;
    /* all combinations with one tile on the square lattice, else each row: t_labels has all on
     * each lattice */
    if (once || (!each_row_once && plan->tile[1] == usual_tile && lattice == CLUP_LATTICE_SQUARE))
        compare(lattice, CLUP_SWENDSEN_WANG, plan);
    wolff.action = "flip_one";
    if (once && plan->tile[1] == usual_tile)
        compare(lattice, CLUP_WOLFF, &wolff);
}

/* Whether all kernel variants of a plan work on a problem. */
static int can_do(const clup_plan *plan, const clup_problem *problem)
{
    clup_setting setting = {.lattice = clup_lattice_args(problem),
                            .q = problem->q,
                            .layout = clup_layout_named(plan->bonds),
                            .tile = {16, 16, 1},
                            .replicas = problem->replicas};
    int can = 1;
    NEED(clup_generator_named(NULL, &setting.rng));
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const char *name = clup_plan_row(plan, stage);
        can = can &&
              (name == NULL || clup_variant_check(clup_table_find(clup_table_of(stage), name),
                                                  context, &setting) == CLUP_OK);
    }
    return can;
}

/* There are many plans and replicas: fewer sweeps than for single systems. */
#define REPLICA_SWEEPS 10

/* Runs a problem with replicas, and takes its observables and spins; context NULL for the
 * reference. */
static void run_replicas(clup_context *where, const clup_problem *problem, const clup_plan *plan,
                         char hash[65], clup_estimate (*estimates)[CLUP_OBSERVABLES])
{
    const size_t sites = problem->replicas * (size_t)clup_problem_sites(problem);
    clup_simulation *simulation;
    uint8_t *spins = malloc(sites);
    NEED(clup_simulation_create(where, problem, NULL, plan, 7, CLUP_START_RANDOM, &simulation));
    NEED(clup_simulation_run(simulation, REPLICA_SWEEPS, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    for (uint32_t r = 0; r < problem->replicas; r++)
        NEED(clup_simulation_estimate(simulation, r, estimates[r]));
    clup_sha256(spins, sites, hash);
    clup_simulation_free(simulation);
    free(spins);
}

static clup_plan any_plan;

/* Compares replicas at several temperatures. */
static void compare_replicas(const clup_plan *plan)
{
    enum { REPLICAS = 4 };
    static const double betas[REPLICAS] = {0.7, 1.1, 0, INFINITY};
    static const unsigned states[] = {2, 256, 3, 5};
    for (size_t k = 0; k < (brief || wide ? 2 : sizeof states / sizeof *states); k++) {
        const clup_problem problem = {.size = {100, 70},
                                      .periodic = {0, k % 2 == 1},
                                      .q = states[k],
                                      .replicas = REPLICAS,
                                      .betas = betas};
        clup_estimate estimates[REPLICAS][CLUP_OBSERVABLES], expected[REPLICAS][CLUP_OBSERVABLES];
        char hash[65], expected_hash[65];
        int same = 1;
        if (!can_do(plan, &problem))
            continue;
        run_replicas(context, &problem, plan, hash, estimates);
        run_replicas(NULL, &problem, NULL, expected_hash, expected);
        for (size_t r = 0; r < REPLICAS; r++)
            for (clup_observable o = 0; o < CLUP_OBSERVABLES; o++)
                same = same && (estimates[r][o].mean == expected[r][o].mean ||
                                (isnan(estimates[r][o].mean) && isnan(expected[r][o].mean)));
        ok(strcmp(hash, expected_hash) == 0 && same, "%s, %s: %d replicas, q = %u", plan->action,
           plan->bonds, REPLICAS, states[k]);
    }
}

/* The spins of so many replicas of a seed, from number first on. */
static void replica_spins(clup_context *where, uint64_t seed, uint32_t first, uint32_t replicas,
                          uint8_t *spins)
{
    const clup_problem problem = {.size = {37, 21},
                                  .periodic = {1, 1},
                                  .q = 3,
                                  .beta = 1,
                                  .first_replica = first,
                                  .replicas = replicas};
    clup_simulation *simulation;
    NEED(clup_simulation_create(where, &problem, NULL, &any_plan, seed, CLUP_START_RANDOM,
                                &simulation));
    NEED(clup_simulation_run(simulation, 5, 0, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    clup_simulation_free(simulation);
}

/* A replica is equal alone and among others, and differs from replicas of other seeds and
 * numbers. */
static void check_replicas(void)
{
    enum { SITES = 37 * 21, SEEDS = 3, REPLICAS = 16, SYSTEMS_OF = SEEDS * REPLICAS };
    static uint8_t all[SYSTEMS_OF][SITES], part[4][SITES];
    const clup_problem problem = {
        .size = {37, 21}, .periodic = {1, 1}, .q = 3, .beta = 1, .replicas = REPLICAS};
    unsigned alone = 0, shared = 0;
    NEED(clup_plan_choose(context, &problem, NULL,
                          &(clup_plan_request){.strategy = CLUP_PLAN_TUNED}, &any_plan));
    for (uint64_t seed = 0; seed < SEEDS; seed++)
        replica_spins(context, seed, 0, REPLICAS, all[seed * REPLICAS]);
    for (uint32_t r = 0; r < REPLICAS; r++) {
        replica_spins(r % 2 ? context : NULL, 1, r, 1, part[0]);
        alone += memcmp(part[0], all[REPLICAS + r], SITES) == 0;
    }
    ok(alone == REPLICAS, "%u of %d replicas are the same when simulated alone", alone, REPLICAS);
    replica_spins(context, 2, 5, 4, part[0]);
    ok(memcmp(part, all[2 * REPLICAS + 5], sizeof part) == 0, "and some of them together");
    for (unsigned a = 0; a < SYSTEMS_OF; a++)
        for (unsigned b = 0; b < a; b++)
            shared += memcmp(all[a], all[b], SITES) == 0;
    ok(shared == 0, "%d seeds of %d replicas each: %u are another's", SEEDS, REPLICAS, shared);
    replica_spins(context, UINT64_MAX, 65534, 2, part[0]);
    replica_spins(NULL, UINT64_MAX, 65534, 2, part[2]);
    ok(memcmp(part[0], part[2], 2 * SITES) == 0 && memcmp(part[0], part[1], SITES) != 0,
       "the last replicas of the last seed");
    const clup_problem beyond = {
        .size = {8, 8}, .q = 2, .beta = 1, .first_replica = 65535, .replicas = 2};
    ok(clup_problem_check(&beyond) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "65536") != NULL,
       "there is none after them: %s", clup_error_detail());
}

/* The number of kernel variants to choose from for a stage of a layout; 1 when the layout lacks
 * that stage, and none is needed. */
static size_t choices(const clup_layout *layout, clup_stage stage)
{
    return clup_stage_exists(CLUP_POTTS, CLUP_SWENDSEN_WANG, layout, stage)
               ? clup_table_of(stage)->count
               : 1;
}

/* Gets the name of one kernel variant; returns 0 when it is for other layouts. */
static int choose(const clup_layout *layout, clup_stage stage, size_t k, const char **name)
{
    const clup_variant *variant = &clup_table_of(stage)->variants[k];
    const int exists = clup_stage_exists(CLUP_POTTS, CLUP_SWENDSEN_WANG, layout, stage);
    *name = exists ? variant->name : NULL;
    return !exists || layout_suits(variant, layout);
}

/* Whether Swendsen-Wang works in a layout. */
static int has_clusters(const clup_layout *layout)
{
    int has = 0;
    for (size_t k = 0; k < clup_actions.count; k++)
        has |= clup_variant_is_for(&clup_actions.variants[k], CLUP_POTTS) &&
               clup_actions.variants[k].algorithm == CLUP_SWENDSEN_WANG &&
               clup_variant_suits(&clup_actions.variants[k], layout);
    return has;
}

/* Compares all combinations of variants in layouts whose stages also do the work of another
 * stage. */
static void compare_fused(const clup_layout *layout)
{
    unsigned done = 0, fitting = 0;
    for (size_t l = 0; l < choices(layout, CLUP_LOCAL); l++)
        for (size_t c = 0; c < choices(layout, CLUP_CONSOLIDATE); c++)
            for (size_t a = 0; a < choices(layout, CLUP_ACTION); a++) {
                clup_plan plan = {.bonds = layout->name, .tile = {32, 32, 1}};
                if (!choose(layout, CLUP_LOCAL, l, &plan.local) ||
                    !choose(layout, CLUP_CONSOLIDATE, c, &plan.consolidate) ||
                    !choose(layout, CLUP_ACTION, a, &plan.action))
                    continue;
                for (size_t s = 0; s < SYSTEMS; s++) {
                    const clup_problem problem = problem_of(s);
                    if (!compared(s) || !can_do(&plan, &problem))
                        continue;
                    compare_system(CLUP_SWENDSEN_WANG, &plan, s);
                    fitting++;
                }
                compare_replicas(&plan);
                done++;
            }
    ok(done > 0 && fitting > 0, "%s: %u combinations, %u systems", layout->name, done, fitting);
}

/* t_identity [brief] [SWEEPS TILE...]: with arguments, uses these sweeps and tiles, and tests each
 * kernel only with the first of the others. brief: tests a few systems. */
int main(int argc, char **argv)
{
    /* t_labels tests other tiles: variants that find equal clusters give equal spins */
    unsigned tiles[8] = {16}, count = 1;
    char other[65];
    if (argc > 1 && strcmp(argv[1], "brief") == 0) {
        brief = 1;
        argc--;
        argv++;
    }
    if (argc > 1) {
        each_row_once = 1;
        sweeps = (unsigned)atoi(argv[1]);
        for (count = 0; (int)count + 2 < argc && count < 8; count++)
            tiles[count] = (unsigned)atoi(argv[count + 2]);
        usual_tile = count > 0 ? tiles[0] : usual_tile;
    }
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    for (clup_algorithm algorithm = 0; algorithm < CLUP_ALGORITHMS; algorithm++)
        for (size_t s = 0; s < SYSTEMS; s++)
            if (algorithm != CLUP_FEW_CLUSTER || systems[s].lattice == CLUP_LATTICE_SQUARE)
                run(NULL, algorithm, s, NULL, wanted[algorithm][s], wanted_estimates[algorithm][s]);
    clup_estimate estimates[CLUP_OBSERVABLES];
    run(NULL, CLUP_SWENDSEN_WANG, 0, NULL, other, estimates);
    ok(strcmp(other, wanted[CLUP_SWENDSEN_WANG][0]) == 0, "the reference repeats itself");
    ok(strcmp(wanted[CLUP_SWENDSEN_WANG][0], wanted[CLUP_SWENDSEN_WANG][4]) != 0,
       "and depends on the system");
    ok(strcmp(wanted[CLUP_SWENDSEN_WANG][0], wanted[CLUP_WOLFF][0]) != 0 &&
           strcmp(wanted[CLUP_WOLFF][0], wanted[CLUP_FEW_CLUSTER][0]) != 0,
       "and on the algorithm");
    for (clup_lattice_kind lattice = 0; lattice < CLUP_LATTICE_GRAPH; lattice++) {
        directions_many(lattice);
        /* of volumes, in a short run or with little local memory, tiles that fit every device */
        const unsigned small = lattice > CLUP_LATTICE_CUBIC ? 4 : 8;
        const bool smaller = (each_row_once ||
                              clup_context_device(context)->local_mem_bytes < 1 << 16) &&
                             count == 1 && clup_lattice_axes(lattice) > 2 && tiles[0] > small;
        each_plan(context, lattice, smaller ? &small : tiles, count, compare_labelling, &lattice);
    }
    directions_many(CLUP_LATTICE_SQUARE);
    for (size_t k = 0; k < clup_actions.count; k++)
        for (size_t b = 0;
             b < clup_layout_count && clup_actions.variants[k].algorithm == CLUP_FEW_CLUSTER &&
             clup_layout_of_sites(&clup_layouts[b]);
             b++)
            compare(CLUP_LATTICE_SQUARE, CLUP_FEW_CLUSTER,
                    &(clup_plan){.action = clup_actions.variants[k].name,
                                 .bonds = clup_layouts[b].name,
                                 .tile = {usual_tile, usual_tile, 1}});
    check_replicas();
    compare_rows(&clup_sources);
    compare_rows(&clup_actions);
    for (size_t b = 0; b < clup_layout_count; b++)
        if (!clup_layout_of_sites(&clup_layouts[b]) && has_clusters(&clup_layouts[b]) &&
            !clup_layout_of_graphs(&clup_layouts[b]))
            compare_fused(&clup_layouts[b]);
    /* once more, with sites counted by 64 bits */
    clup_sites_wide = 0;
    wide = 1;
    for (size_t b = 0; b < clup_layout_count; b++)
        if (!clup_layout_of_sites(&clup_layouts[b]) && has_clusters(&clup_layouts[b]) &&
            !clup_layout_of_graphs(&clup_layouts[b]))
            compare_fused(&clup_layouts[b]);
    clup_context_free(context);
    return done_testing();
}
