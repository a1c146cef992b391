/* What is special to an algorithm: relaxation for Wolff ends with the chosen cluster; */
#include "device.h"
#include "update/update.h"

static clup_context *context;

/* An update and its reference, from the same random spins. */
typedef struct pair {
    clup_update update;
    clup_reference reference;
    uint8_t *spins;
    size_t sites;
} pair;

static void pair_create(const clup_problem *problem, const clup_method *method, const clup_plan_request *request, pair *pair)
{
    clup_plan plan;
    NEED(clup_plan_choose(context, problem, method, request, &plan));
    NEED(clup_update_create(context, problem, method, &plan, 3, &pair->update));
    NEED(clup_reference_create(problem, method, 3, &pair->reference));
    clup_start_spins(&pair->reference.lattice, problem->q, 3, CLUP_START_RANDOM, pair->reference.spins);
    NEED(clup_state_write_spins(&pair->update.state, pair->reference.spins));
    pair->sites = clup_lattice_sites(&pair->reference.lattice);
    pair->spins = malloc(pair->sites);
}

/* One sweep of both; whether spins and the number of updated sites agree. */
static int pair_sweep(pair *pair)
{
    cl_uint updated;
    NEED(clup_buffer_zero(context, CLUP_MEASURE, pair->update.state.updated, sizeof updated));
    NEED(clup_update_sweep(&pair->update));
    clup_reference_sweep(&pair->reference);
    NEED(clup_state_read_spins(&pair->update.state, pair->spins));
    NEED(clup_buffer_read(context, pair->update.state.updated, sizeof updated, &updated));
    return memcmp(pair->spins, pair->reference.spins, pair->sites) == 0 && updated == pair->reference.updated;
}

static void pair_free(pair *pair)
{
    clup_timer_collect(&context->timer);
    clup_update_clear(&pair->update);
    clup_reference_clear(&pair->reference);
    free(pair->spins);
}

/* Sweeps of Wolff, and each time the same bonds labelled to the end as for Swendsen-Wang. */
static void check_focus(const char *relax)
{
    enum { SWEEPS = 200 };
    const clup_problem problem = {.size = {64, 64}, .periodic = {1, 1}, .q = 2, .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2)};
    const clup_method method = {.algorithm = CLUP_WOLFF};
    const clup_plan_request request = {.consolidate = relax, .tile = 4};
    unsigned right = 0, focused = 0, full = 0;
    pair pair;
    pair_create(&problem, &method, &request, &pair);
    clup_pass *local = &pair.update.passes[CLUP_LOCAL], *consolidate = &pair.update.passes[CLUP_CONSOLIDATE];
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        right += (unsigned)pair_sweep(&pair);
        focused += consolidate->iterations;
        pair.update.state.method.algorithm = CLUP_SWENDSEN_WANG;
        NEED(local->row->run(local));
        NEED(consolidate->row->run(consolidate));
        full += consolidate->iterations;
        pair.update.state.method.algorithm = CLUP_WOLFF;
    }
    ok(right == SWEEPS, "wolff with %s: %u of %u sweeps as the reference does them", relax, right, SWEEPS);
    ok(focused < 0.8 * full, "in fewer iterations, %u, than it takes to label all clusters, %u", focused, full);
    pair_free(&pair);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    check_focus("relax");
    check_focus("relax_multithread");
    clup_context_free(context);
    return done_testing();
}
