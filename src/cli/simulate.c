/* clup simulate: a Potts model by cluster updates. */
#include "cli/simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/paths.h"

static simulate_wish wish = SIMULATE_WISH;

static uint32_t replicas(void)
{
    return wish.problem.replicas > 0 ? wish.problem.replicas : 1;
}

/* As many sweeps as were asked for, or those before a signal. */
static clup_status run_sweeps(clup_simulation *simulation, simulate_result *result)
{
    clup_status status = clup_simulation_run(simulation, wish.thermalize, 0, NULL, NULL);
    result->thermalize = clup_simulation_sweeps(simulation);
    if (status == CLUP_OK)
        status = simulate_series_begin(simulation, result);
    if (status == CLUP_OK)
        status = clup_simulation_run(simulation, wish.sweeps, 1, simulate_series_progress, NULL);
    result->sweeps = clup_simulation_sweeps(simulation) - result->thermalize;
    result->measured = clup_simulation_measured(simulation);
    result->interrupted = status == CLUP_INTERRUPTED;
    return result->interrupted ? CLUP_OK : status;
}

/* Of all observables with several values. */
static clup_status take_vectors(const clup_simulation *simulation, uint32_t r,
                                struct simulate_vector *vectors)
{
    clup_status status = CLUP_OK;
    for (clup_observable k = CLUP_OBSERVABLES; k < CLUP_OBSERVABLES_ALL && status == CLUP_OK; k++) {
        struct simulate_vector *vector = &vectors[k - CLUP_OBSERVABLES];
        const size_t length = clup_simulation_vector_length(simulation, k);
        if (length == 0)
            continue;
        vector->at = malloc(length * sizeof *vector->at);
        vector->estimates = malloc(length * sizeof *vector->estimates);
        if (vector->at == NULL || vector->estimates == NULL)
            exit(cli_fail_memory("the estimates"));
        vector->length = length;
        status = clup_simulation_vector(simulation, r, k, vector->at, vector->estimates);
    }
    return status;
}

static void free_replicas(struct simulate_replica *results)
{
    for (uint32_t r = 0; results != NULL && r < replicas(); r++)
        for (unsigned k = 0; k < CLUP_OBSERVABLES_ALL - CLUP_OBSERVABLES; k++) {
            free(results[r].vectors[k].at);
            free(results[r].vectors[k].estimates);
        }
    free(results);
}

/* What is known of each replica in the end. */
static clup_status take_results(clup_simulation *simulation, const uint8_t *spins,
                                simulate_result *result)
{
    const size_t sites = (size_t)clup_problem_sites(&wish.problem);
    clup_status status = CLUP_OK;
    for (uint32_t r = 0; r < replicas() && status == CLUP_OK; r++) {
        struct simulate_replica *replica = &result->replicas[r];
        for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++)
            replica->estimates[k] = (clup_estimate){NAN, NAN, NAN, NAN, NAN, {0}};
        if (result->measured > 0)
            status = clup_simulation_estimate(simulation, r, replica->estimates);
        if (result->measured > 0 && status == CLUP_OK)
            status = take_vectors(simulation, r, replica->vectors);
        clup_sha256(spins + r * sites, sites, replica->spins_sha256);
    }
    return status;
}

static clup_status simulate(clup_context **context, clup_simulation **simulation, uint8_t *spins,
                            simulate_result *result)
{
    clup_status status;
    if (wish.save_spins != NULL && (status = clup_file_writable(wish.save_spins)) != CLUP_OK)
        return status;
    if (wish.series != NULL && (status = clup_file_writable(wish.series)) != CLUP_OK)
        return status;
    if ((status = clup_plan_choose(NULL, &wish.problem, &wish.method, &wish.plan, &result->plan)) !=
        CLUP_OK)
        return status;
    if (wish.reference) {
        result->device = simulate_host();
        const char *source = result->plan.source != NULL ? result->plan.source
                                                         : clup_kernel_name(CLUP_SOURCE, 0);
        result->plan = (clup_plan){
            .source = source,
            .bonds = "char",
            .local = "reference",
            .consolidate = "reference",
            .action = result->plan.action,
            .tile = {wish.problem.size[0], wish.problem.size[1], wish.problem.size[2]},
            .why = "asked for: the serial reference"};
    } else {
        if ((status = cli_context_create(wish.device, context)) != CLUP_OK)
            return status;
        result->device = *clup_context_device(*context);
        if ((status = clup_plan_choose(*context, &wish.problem, &wish.method, &wish.plan,
                                       &result->plan)) != CLUP_OK)
            return status;
        cli_warn(result->plan.warning);
    }
    if ((status = clup_simulation_create(*context, &wish.problem, &wish.method, &result->plan,
                                         wish.seed, wish.start, simulation)) != CLUP_OK)
        return status;
    simulate_take_plan(clup_simulation_plan(*simulation), &result->plan);
    if ((status = clup_simulation_observe(*simulation, wish.observables, wish.observable_count,
                                          wish.measure_every)) != CLUP_OK)
        return status;
    if ((status = run_sweeps(*simulation, result)) != CLUP_OK)
        return status;
    clup_simulation_timing(*simulation, &result->timing);
    if ((status = clup_simulation_spins(*simulation, spins)) != CLUP_OK)
        return status;
    return take_results(*simulation, spins, result);
}

static int check_save(void)
{
    if (wish.save_spins == NULL)
        return 0;
    if (cli_is_stdout(wish.save_spins) && wish.json)
        return cli_usage_error("--json and --save-spins - both need standard output");
    if (!cli_is_stdout(wish.save_spins) && !cli_has_extension(wish.save_spins, ".npy"))
        return cli_usage_error("--save-spins '%s': the extension is not .npy", wish.save_spins);
    return 0;
}

static clup_status save_spins(const uint8_t *spins)
{
    const uint32_t *size = wish.problem.size;
    const unsigned axes = clup_lattice_axes(wish.problem.lattice), more = replicas() > 1;
    size_t shape[4] = {replicas()};
    for (unsigned axis = 0; axis < axes; axis++)
        shape[more + axis] = size[axes - 1 - axis];
    return clup_npy_write(wish.save_spins, CLUP_DTYPE_U8, spins, shape, axes + more);
}

static int run(void)
{
    clup_context *context = NULL;
    clup_simulation *simulation = NULL;
    simulate_result result = {.wish = &wish};
    clup_status status;
    int code = check_save();
    if (code != 0 || (code = simulate_series_check(&wish)) != 0 ||
        (code = simulate_settle(&wish)) != 0)
        return code;
    cli_watch(wish.quiet);
    uint8_t *spins = calloc(replicas(), (size_t)clup_problem_sites(&wish.problem));
    result.replicas = calloc(replicas(), sizeof *result.replicas);
    if (spins == NULL || result.replicas == NULL)
        return cli_fail_memory("the spins");
    status = simulate(&context, &simulation, spins, &result);
    cli_clear();
    if (status == CLUP_OK && wish.json)
        simulate_write_json(&result);
    else if (status == CLUP_OK && !cli_is_stdout(wish.save_spins))
        simulate_print_table(&result);
    /* last, so that a file that cannot be written costs nothing else */
    if (status == CLUP_OK)
        status = simulate_series_end(&result);
    if (status == CLUP_OK && wish.save_spins != NULL)
        status = save_spins(spins);
    free(spins);
    free_replicas(result.replicas);
    free(wish.betas);
    clup_simulation_free(simulation);
    clup_context_free(context);
    if (status == CLUP_INTERRUPTED)
        return cli_stopped("%s; nothing was simulated", clup_error_detail());
    if (status != CLUP_OK)
        return cli_fail(status);
    if (result.interrupted)
        return cli_stopped("%" PRIu64 " of %" PRIu64 " sweeps measured after %" PRIu64
                           " of %" PRIu64,
                           result.sweeps, wish.sweeps, result.thermalize, wish.thermalize);
    return 0;
}

static void more_help(FILE *to)
{
    simulate_more_help(to);
    fputs("\nobservables\n", to);
    for (clup_observable k = 0; k < CLUP_OBSERVABLES_ALL; k++)
        fprintf(to, "  %-13s%-24s%s%s%s\n", "", clup_observable_name(k), clup_observable_about(k),
                simulate_by_the_way(k) ? "" : "; needs ",
                simulate_by_the_way(k) ? "" : clup_observable_group(k));
}

const cli_command cli_simulate = {
    "simulate",
    "simulates a Potts model by cluster updates",
    simulate_options,
    &wish,
    run,
    more_help,
    NULL,
};
