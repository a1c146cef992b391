/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a simulation, from its beginning or from a checkpoint, and reports its result. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/paths.h"
#include "cli/simulate/simulate.h"

double simulate_time_left(const simulate_request *request)
{
    return request->checkpoint != NULL ? fmin(request->time_limit, cli_slurm_seconds())
                                       : request->time_limit;
}

/* How many of the sweeps done were not measured: at most as many as --thermalize asks for. */
static uint64_t thermalized(const simulate_request *request, uint64_t sweeps)
{
    return sweeps < request->thermalize ? sweeps : request->thermalize;
}

/* Runs sweeps that are measured, and shows them. */
static clup_status measure(clup_simulation *simulation, uint64_t sweeps, void *user)
{
    const simulate_request *request = user;
    return simulate_sweep(simulation, request, sweeps, 1, simulate_save_progress);
}

/* Runs the sweeps that are left of those asked for, or as many as fit the time limit. */
static clup_status run_sweeps(clup_simulation *simulation, simulate_result *result)
{
    const simulate_request *request = result->request;
    const uint64_t before = clup_simulation_sweeps(simulation),
                   first = thermalized(request, before);
    clup_status status = simulate_sweep(simulation, request, request->thermalize - first, 0,
                                        simulate_save_progress);
    const uint64_t left = request->sweeps - (before - first);
    if (status == CLUP_OK)
        status = request->until != NULL
                     ? clup_simulation_sweep_until(simulation, request->targets,
                                                   request->target_count, request->settles, left,
                                                   measure, (void *)request, &result->reached)
                     : measure(simulation, left, (void *)request);
    result->thermalize = thermalized(request, clup_simulation_sweeps(simulation));
    result->sweeps = clup_simulation_sweeps(simulation) - result->thermalize;
    result->measured = clup_simulation_measured(simulation);
    result->interrupted = status == CLUP_INTERRUPTED;
    result->late = result->interrupted && !cli_interrupted();
    return result->interrupted ? CLUP_OK : status;
}

/* Leaves the sweeps that lead to equilibrium out of the results of a run that settles. */
static clup_status settle(clup_simulation *simulation, simulate_result *result)
{
    const uint64_t every = result->request->measure_every;
    clup_equilibration *equilibration = &result->equilibration;
    if (!result->request->settles || result->measured == 0)
        return CLUP_OK;
    clup_status status = clup_simulation_equilibration(simulation, equilibration);
    if (status == CLUP_OK)
        status = clup_simulation_leave_out(simulation, equilibration->left_out);
    result->thermalize = equilibration->left_out * every;
    result->sweeps -= result->thermalize;
    result->measured = clup_simulation_measured(simulation);
    return status == CLUP_OK && equilibration->left_out > 0 ? simulate_save_settled(result)
                                                            : status;
}

static clup_status create(clup_context *context, const simulate_result *result,
                          clup_simulation **simulation)
{
    const simulate_request *request = result->request;
    if (request->tempering_tune > 0) {
        const clup_status tuned = clup_tempering_tune(context, &request->problem, &request->method,
                                                      &result->plan, request->seed,
                                                      request->tempering_tune, request->betas);
        if (tuned != CLUP_OK)
            return tuned;
    }
    if (request->from != NULL)
        return clup_simulation_load(context, request->from, &result->plan, simulation);
    const clup_status status = clup_simulation_create(context, &request->problem, &request->method,
                                                      &result->plan, request->seed, request->start,
                                                      simulation);
    if (status != CLUP_OK)
        return status;
    const clup_status observed = clup_simulation_observe(
        *simulation, request->observables, request->observable_count, request->measure_every);
    const clup_status tempered = observed == CLUP_OK && request->tempering
                                     ? clup_simulation_temper(*simulation, request->swap_every)
                                     : observed;
    int reached;
    /* before any sweep, refuses errors that are never reached */
    return tempered == CLUP_OK && request->until != NULL
               ? clup_simulation_run_until(*simulation, request->targets, request->target_count, 0,
                                           0, NULL, NULL, &reached)
               : tempered;
}

clup_status simulate_check_writable(const simulate_request *request)
{
    const char *const paths[] = {request->save_spins, request->series, request->checkpoint,
                                 request->watch};
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < sizeof paths / sizeof *paths && status == CLUP_OK; k++)
        if (paths[k] != NULL && !cli_world_is.silent)
            status = clup_file_writable(paths[k]);
    return status;
}

static clup_status simulate(clup_context **context, clup_simulation **simulation,
                            simulate_result *result)
{
    const simulate_request *request = result->request;
    clup_status status;
    if (request->reference)
        result->device = simulate_host();
    else {
        if ((status = cli_context_create(request->device, context)) != CLUP_OK)
            return status;
        result->device = *clup_context_device(*context);
        if ((status = simulate_choose_plan(*context, request, &request->method, &result->plan)) !=
            CLUP_OK)
            return status;
    }
    if ((status = create(*context, result, simulation)) != CLUP_OK)
        return status;
    simulate_take_plan(clup_simulation_plan(*simulation), &result->plan);
    if ((status = simulate_save_begin(*simulation, result)) != CLUP_OK)
        return status;
    if (request->schedule != NULL)
        return simulate_anneal(*simulation, result);
    if ((status = run_sweeps(*simulation, result)) != CLUP_OK)
        return status;
    simulate_save_state();
    if ((status = settle(*simulation, result)) != CLUP_OK)
        return status;
    clup_simulation_timing(*simulation, &result->timing);
    if ((status = simulate_take_tempering(*simulation, result)) != CLUP_OK)
        return status;
    return simulate_take_rows(*simulation, result);
}

/* Fills in the result of a run that has not begun: the state of the checkpoint, if any, from which
 * a later run goes on. */
static void take_nothing(simulate_result *result)
{
    const simulate_request *request = result->request;
    const uint64_t before = request->from != NULL ? clup_checkpoint_sweeps(request->from) : 0;
    result->thermalize = thermalized(request, before);
    result->sweeps = before - result->thermalize;
    result->measured = 0;
    result->interrupted = result->late = 1;
    result->timing = (clup_timing){.update_ps = NAN};
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
        result->timing.stage_ps[stage] = result->timing.iterations[stage] = NAN;
    simulate_begin_row(&result->replicas[0]);
}

/* Whether an observable has an error above 0 at each temperature. */
static int has_errors(const simulate_result *result, clup_observable observable)
{
    int all = 1;
    for (uint32_t a = 0; a < result->average_count; a++)
        all = all && result->averages[a].of[observable].estimate.error > 0;
    for (uint32_t row = 0; row < result->rows; row++)
        if (simulate_row_alone(result, row))
            all = all && result->replicas[row].estimates[observable].error > 0;
    return all;
}

/* Says that the errors of --until were not reached, and which are not known. */
static void say_not_reached(const simulate_result *result)
{
    const simulate_request *request = result->request;
    char names[1024] = "";
    for (size_t k = 0; k < request->target_count; k++)
        if (!has_errors(result, request->targets[k].observable))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                     names[0] != '\0' ? ", " : "; without an error: ",
                     clup_observable_name(request->targets[k].observable));
    cli_message(0, "--until '%s' was not reached in %" PRIu64 " sweeps%s%s", request->until,
                request->sweeps, names,
                request->checkpoint != NULL ? "; clup resume --sweeps N goes on" : "");
}

/* Prints how far the run came. Returns the exit code. */
static int say_end(const simulate_result *result)
{
    const simulate_request *request = result->request;
    char text[512];
    if (!result->interrupted && request->until != NULL && !result->reached)
        say_not_reached(result);
    if (!result->interrupted)
        return 0;
    snprintf(text, sizeof text,
             "%" PRIu64 " of %" PRIu64 " sweeps measured after %" PRIu64 " of %" PRIu64 "%s",
             request->settles ? result->sweeps + result->thermalize : result->sweeps,
             request->sweeps, request->settles ? 0 : result->thermalize, request->thermalize,
             request->checkpoint != NULL ? "; clup resume goes on from the checkpoint" : "");
    if (request->schedule != NULL)
        snprintf(text, sizeof text, "%" PRIu32 " of %" PRIu32 " temperatures are done",
                 simulate_steps(result), request->steps);
    if (!result->late)
        return cli_stopped("%s", text);
    cli_message(0, "the time is over: %s", text);
    return 0;
}

int simulate_run(const simulate_request *request)
{
    clup_context *context = NULL;
    clup_simulation *simulation = NULL;
    simulate_result result = {.request = request};
    if (request->plan.between != NULL && cli_world_is.processes == 0)
        return cli_usage_error("--between is for several processes, with clup-mpi");
    int code = simulate_save_check(request);
    if (code != 0)
        return code;
    /* before memory is allocated, refuses what no device can do */
    clup_status status = simulate_check_plan(request, &request->method, &result.plan);
    if (status != CLUP_OK)
        return cli_fail(status);
    simulate_request silent = *request;
    if (cli_world_is.silent) {
        silent.series = NULL;
        if (request->reference) /* each process runs it for itself */
            silent.save_spins = silent.checkpoint = NULL;
        result.request = request = &silent;
    }
    if ((status = simulate_check_writable(request)) != CLUP_OK)
        return cli_fail(status);
    cli_watch(request->quiet || simulate_on_screen(request));
    cli_watch_for(simulate_time_left(request));
    const uint32_t steps = request->schedule != NULL && !request->population ? request->steps : 1;
    result.replicas = calloc((size_t)simulate_replicas(request) * steps, sizeof *result.replicas);
    if (result.replicas == NULL)
        return cli_fail_memory("the replicas");
    status = simulate(&context, &simulation, &result);
    const int unbegun = status == CLUP_INTERRUPTED && cli_late() && !cli_interrupted();
    cli_clear();
    if (unbegun) {
        take_nothing(&result);
        if (request->json)
            simulate_write_json(&result);
        cli_message(0, "the time is over: %s; nothing was simulated", clup_error_detail());
    } else if (status == CLUP_OK && request->json)
        simulate_write_json(&result);
    else if (status == CLUP_OK && !cli_is_stdout(request->save_spins))
        simulate_print_table(&result);
    /* after the report, so that a file that cannot be written costs nothing else */
    if (status == CLUP_OK)
        code = simulate_save_end(&result);
    if (status == CLUP_OK && request->save_spins != NULL)
        status = simulate_write_spins(simulation, request);
    int end = 0;
    if (status == CLUP_INTERRUPTED && !unbegun)
        end = cli_stopped("%s; nothing was simulated", clup_error_detail());
    else if (status != CLUP_OK && !unbegun)
        end = cli_fail(status);
    else if (!unbegun)
        end = say_end(&result);
    simulate_free_rows(&result);
    simulate_free_tempering(&result);
    free(result.population);
    clup_simulation_free(simulation);
    clup_context_free(context);
    return status == CLUP_OK && code != 0 ? code : end;
}
