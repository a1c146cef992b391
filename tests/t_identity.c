/* The identity contract: the same seed gives the same spins, bit for bit, for every plan and the serial reference. */
#include "device.h"
#include "model/source.h"

static const struct {
    uint32_t size[2];
    int periodic[2];
    unsigned q;
    double beta;
    clup_start start;
} systems[] = {
    {{64, 64}, {1, 1}, 2, 0.881373587, CLUP_START_ORDERED},
    {{31, 33}, {1, 1}, 2, 0.881373587, CLUP_START_RANDOM},
    {{1, 200}, {1, 1}, 2, 1.5, CLUP_START_RANDOM},
    {{257, 5}, {1, 1}, 2, 1.0, CLUP_START_ORDERED},
    {{64, 64}, {1, 1}, 3, 1.005052539, CLUP_START_RANDOM},
    {{31, 33}, {0, 1}, 5, 1.174359, CLUP_START_ORDERED},
    {{257, 5}, {1, 0}, 256, 2.8, CLUP_START_RANDOM},
    {{1, 200}, {0, 0}, 10, 2.0, CLUP_START_RANDOM},
    {{2, 2}, {1, 1}, 4, 0.5, CLUP_START_RANDOM},
    {{1, 1}, {1, 1}, 2, 0.5, CLUP_START_ORDERED},
};
#define SYSTEMS (sizeof systems / sizeof *systems)


static clup_context *context;
static unsigned sweeps = 200;
static int each_row_once;
static char wanted[SYSTEMS][65];
static clup_estimate wanted_estimates[SYSTEMS][CLUP_OBSERVABLES];

static void run(clup_context *where, size_t s, const clup_plan *plan, char hash[65], clup_estimate *estimates)
{
    clup_problem problem = {.size = {systems[s].size[0], systems[s].size[1]}, .periodic = {systems[s].periodic[0], systems[s].periodic[1]},
                            .q = systems[s].q, .beta = systems[s].beta};
    size_t sites = (size_t)problem.size[0] * problem.size[1];
    clup_simulation *simulation;
    uint8_t *spins = malloc(sites);
    NEED(clup_simulation_create(where, &problem, NULL, plan, 20 + s, systems[s].start, &simulation));
    NEED(clup_simulation_run(simulation, sweeps, 1, NULL, NULL));
    NEED(clup_simulation_spins(simulation, spins));
    NEED(clup_simulation_estimate(simulation, estimates));
    clup_sha256(spins, sites, hash);
    clup_simulation_free(simulation);
    free(spins);
}

static void compare_system(const clup_plan *plan, size_t s)
{
    char hash[65];
    clup_estimate estimates[CLUP_OBSERVABLES];
    run(context, s, plan, hash, estimates);
    ok(strcmp(hash, wanted[s]) == 0, "%s + %s + %s + %s, %s, tile %u: %u x %u, q = %u", plan->source, plan->local, plan->consolidate, plan->action,
       plan->bonds, plan->tile[0], systems[s].size[0], systems[s].size[1], systems[s].q);
    int same = 1;
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++)
        same = same && memcmp(&estimates[k].mean, &wanted_estimates[s][k].mean, sizeof(double)) == 0;
    ok(same, "and the same measurements");
}

static void compare(const clup_plan *plan, void *user)
{
    (void)user;
    if (each_row_once && strcmp(plan->local, clup_locals.rows[0].name) != 0 && strcmp(plan->consolidate, clup_consolidations.rows[0].name) != 0)
        return;
    for (size_t s = 0; s < SYSTEMS; s++)
        compare_system(plan, s);
}

/* One source or action with the rest by default, in a layout, on each system that it can do. */
static unsigned compare_row(const clup_row *row, const clup_layout *layout)
{
    unsigned done = 0, could = 0;
    for (size_t s = 0; s < SYSTEMS; s++) {
        const clup_problem problem = {.size = {systems[s].size[0], systems[s].size[1]}, .q = systems[s].q, .beta = 1};
        const clup_plan_request request = {.source = row->stage == CLUP_SOURCE ? row->name : NULL, .action = row->stage == CLUP_ACTION ? row->name : NULL,
                                           .bonds = layout->name};
        clup_setting setting = {.lattice = clup_lattice_args(&problem), .q = problem.q, .layout = layout, .tile = {16, 16}};
        clup_plan plan;
        NEED(clup_generator_named(NULL, &setting.rng));
        could += clup_row_check(row, context, &setting) == CLUP_OK;
        if (clup_plan_choose(context, &problem, NULL, &request, &plan) != CLUP_OK)
            continue;
        compare_system(&plan, s);
        done++;
    }
    ok(done == could, "%s, %s: %u systems", row->name, layout->name, done);
    return done;
}

/* Sources and actions besides the usual ones, which each_plan has. */
static void compare_rows(const clup_table *table)
{
    for (size_t r = 1; r < table->count; r++) {
        unsigned done = 0;
        if (table->rows[r].stage == CLUP_ACTION && table->rows[r].algorithm != CLUP_SWENDSEN_WANG)
            continue;
        for (size_t b = 0; b < clup_layout_count; b++)
            done += compare_row(&table->rows[r], &clup_layouts[b]);
        ok(done > 0 || strcmp(table->rows[r].name, "fk_site") == 0, "%s was compared", table->rows[r].name);
    }
}

/* t_identity [SWEEPS TILE...]: with arguments, those sweeps and tiles, and each kernel only with the first of the others. */
int main(int argc, char **argv)
{
    unsigned tiles[8] = {2, 6, 16, 64}, count = 4;
    char other[65];
    if (argc > 1) {
        each_row_once = 1;
        sweeps = (unsigned)atoi(argv[1]);
        for (count = 0; (int)count + 2 < argc && count < 8; count++)
            tiles[count] = (unsigned)atoi(argv[count + 2]);
    }
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    for (size_t s = 0; s < SYSTEMS; s++)
        run(NULL, s, NULL, wanted[s], wanted_estimates[s]);
    clup_estimate estimates[CLUP_OBSERVABLES];
    run(NULL, 0, NULL, other, estimates);
    ok(strcmp(other, wanted[0]) == 0, "the reference repeats itself");
    ok(strcmp(wanted[0], wanted[4]) != 0, "and depends on the system");
    each_plan(context, tiles, count, compare, NULL);
    compare_rows(&clup_sources);
    compare_rows(&clup_actions);
    clup_context_free(context);
    return done_testing();
}
