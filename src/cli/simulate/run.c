/* Runs a simulation, from its beginning or from a checkpoint, and says what came of it. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/paths.h"
#include "cli/simulate/simulate.h"

/* Seconds that it may take: those of --time-limit, and those of the job that it is in where there
 * is a checkpoint from which another job goes on. */
static double time_left(const simulate_wish *wish)
{
    return wish->checkpoint != NULL ? fmin(wish->time_limit, cli_slurm_seconds())
                                    : wish->time_limit;
}

/* Sweeps without measuring, as many as were asked for or all that there are. */
static uint64_t thermalized(const simulate_wish *wish, uint64_t sweeps)
{
    return sweeps < wish->thermalize ? sweeps : wish->thermalize;
}

/* As many sweeps as are left of those that were asked for, or those before the end of the time. */
static clup_status run_sweeps(clup_simulation *simulation, simulate_result *result)
{
    const simulate_wish *wish = result->wish;
    const uint64_t before = clup_simulation_sweeps(simulation), first = thermalized(wish, before);
    clup_status status = clup_simulation_run(simulation, wish->thermalize - first, 0,
                                             simulate_save_progress, NULL);
    if (status == CLUP_OK)
        status = clup_simulation_run(simulation, wish->sweeps - (before - first), 1,
                                     simulate_save_progress, NULL);
    result->thermalize = thermalized(wish, clup_simulation_sweeps(simulation));
    result->sweeps = clup_simulation_sweeps(simulation) - result->thermalize;
    result->measured = clup_simulation_measured(simulation);
    result->interrupted = status == CLUP_INTERRUPTED;
    result->late = result->interrupted && !cli_interrupted();
    return result->interrupted ? CLUP_OK : status;
}

static clup_status create(clup_context *context, const simulate_result *result,
                          clup_simulation **simulation)
{
    const simulate_wish *wish = result->wish;
    if (wish->tempering_tune > 0) {
        const clup_status tuned = clup_tempering_tune(context, &wish->problem, &wish->method,
                                                      &result->plan, wish->seed,
                                                      wish->tempering_tune, wish->betas);
        if (tuned != CLUP_OK)
            return tuned;
    }
    if (wish->from != NULL)
        return clup_simulation_load(context, wish->from, &result->plan, simulation);
    const clup_status status = clup_simulation_create(
        context, &wish->problem, &wish->method, &result->plan, wish->seed, wish->start, simulation);
    if (status != CLUP_OK)
        return status;
    const clup_status observed = clup_simulation_observe(
        *simulation, wish->observables, wish->observable_count, wish->measure_every);
    return observed == CLUP_OK && wish->tempering
               ? clup_simulation_temper(*simulation, wish->swap_every)
               : observed;
}

/* That the files which are asked for can be written. */
static clup_status check_writable(const simulate_wish *wish)
{
    const char *const paths[] = {wish->save_spins, wish->series, wish->checkpoint};
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < sizeof paths / sizeof *paths && status == CLUP_OK; k++)
        if (paths[k] != NULL && !cli_world_is.silent)
            status = clup_file_writable(paths[k]);
    return status;
}

static clup_status simulate(clup_context **context, clup_simulation **simulation,
                            simulate_result *result)
{
    const simulate_wish *wish = result->wish;
    clup_status status;
    if ((status = check_writable(wish)) != CLUP_OK)
        return status;
    if (wish->reference)
        result->device = simulate_host();
    else {
        if ((status = cli_context_create(wish->device, context)) != CLUP_OK)
            return status;
        result->device = *clup_context_device(*context);
        if ((status = simulate_choose_plan(*context, wish, &wish->method, &result->plan)) !=
            CLUP_OK)
            return status;
    }
    if ((status = create(*context, result, simulation)) != CLUP_OK)
        return status;
    simulate_take_plan(clup_simulation_plan(*simulation), &result->plan);
    if ((status = simulate_save_begin(*simulation, result)) != CLUP_OK)
        return status;
    if (wish->schedule != NULL)
        return simulate_anneal(*simulation, result);
    if ((status = run_sweeps(*simulation, result)) != CLUP_OK)
        return status;
    simulate_save_state();
    clup_simulation_timing(*simulation, &result->timing);
    if ((status = simulate_take_tempering(*simulation, result)) != CLUP_OK)
        return status;
    return simulate_take_rows(*simulation, result);
}

/* The run has not begun: what is reported is the state from which a later run goes on, that of the
 * checkpoint or none. */
static void take_nothing(simulate_result *result)
{
    const simulate_wish *wish = result->wish;
    const uint64_t before = wish->from != NULL ? clup_checkpoint_sweeps(wish->from) : 0;
    result->thermalize = thermalized(wish, before);
    result->sweeps = before - result->thermalize;
    result->measured = 0;
    result->interrupted = result->late = 1;
    result->timing = (clup_timing){.update_ps = NAN};
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
        result->timing.stage_ps[stage] = result->timing.iterations[stage] = NAN;
    simulate_begin_row(&result->replicas[0]);
}

/* How far it came, in a message; the exit code. */
static int say_end(const simulate_result *result)
{
    const simulate_wish *wish = result->wish;
    char text[512];
    if (!result->interrupted)
        return 0;
    snprintf(text, sizeof text,
             "%" PRIu64 " of %" PRIu64 " sweeps measured after %" PRIu64 " of %" PRIu64 "%s",
             result->sweeps, wish->sweeps, result->thermalize, wish->thermalize,
             wish->checkpoint != NULL ? "; clup resume goes on from the checkpoint" : "");
    if (wish->schedule != NULL)
        snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32 " temperatures are done",
                 simulate_steps(result), wish->steps);
    if (!result->late)
        return cli_stopped("%s", text);
    cli_message(0, "the time is over: %s", text);
    return 0;
}

int simulate_run(const simulate_wish *wish)
{
    clup_context *context = NULL;
    clup_simulation *simulation = NULL;
    simulate_result result = {.wish = wish};
    if (wish->plan.between != NULL && cli_world_is.processes == 0)
        return cli_usage_error("--between is for several processes, with clup-mpi");
    int code = simulate_save_check(wish);
    if (code != 0)
        return code;
    /* what no device can do is refused before there is any memory for it */
    clup_status status = simulate_check_plan(wish, &wish->method, &result.plan);
    if (status != CLUP_OK)
        return cli_fail(status);
    simulate_wish silent = *wish;
    if (cli_world_is.silent) {
        silent.series = NULL;
        if (wish->reference) /* which each process runs for itself */
            silent.save_spins = silent.checkpoint = NULL;
        result.wish = wish = &silent;
    }
    cli_watch(wish->quiet);
    cli_watch_for(time_left(wish));
    const uint32_t steps = wish->schedule != NULL && !wish->population ? wish->steps : 1;
    result.replicas = calloc((size_t)simulate_replicas(wish) * steps, sizeof *result.replicas);
    if (result.replicas == NULL)
        return cli_fail_memory("the replicas");
    status = simulate(&context, &simulation, &result);
    const int unbegun = status == CLUP_INTERRUPTED && cli_late() && !cli_interrupted();
    cli_clear();
    if (unbegun) {
        take_nothing(&result);
        if (wish->json)
            simulate_write_json(&result);
        cli_message(0, "the time is over: %s; nothing was simulated", clup_error_detail());
    } else if (status == CLUP_OK && wish->json)
        simulate_write_json(&result);
    else if (status == CLUP_OK && !cli_is_stdout(wish->save_spins))
        simulate_print_table(&result);
    /* after that, so that a file that cannot be written costs nothing else */
    if (status == CLUP_OK)
        code = simulate_save_end(&result);
    if (status == CLUP_OK && wish->save_spins != NULL)
        status = simulate_write_spins(simulation, wish);
    simulate_free_rows(&result);
    simulate_free_tempering(&result);
    free(result.population);
    clup_simulation_free(simulation);
    clup_context_free(context);
    if (unbegun)
        return 0;
    if (status == CLUP_INTERRUPTED)
        return cli_stopped("%s; nothing was simulated", clup_error_detail());
    if (status != CLUP_OK)
        return cli_fail(status);
    const int end = say_end(&result);
    return code != 0 ? code : end;
}
