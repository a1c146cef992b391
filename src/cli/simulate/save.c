/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves the series and the checkpoint of a run: what the files contain, and when they are
 * written. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/paths.h"
#include "cli/records.h"
#include "cli/saver.h"
#include "cli/simulate/simulate.h"

static struct {
    const simulate_request *request; /* NULL where nothing is saved */
    clup_simulation *simulation;
    clup_record *said;   /* the settings of the run, and the series taken so far */
    clup_record **steps; /* the records of the complete steps of a schedule */
    uint32_t step_count;
    double next_s;      /* when to save next */
    clup_status status; /* of the last checkpoint, with its message in wrong */
    char wrong[1024];
} saving;

/* Writes the checkpoint, if one was asked for. */
static clup_status save_checkpoint(void)
{
    return saving.request->checkpoint != NULL
               ? clup_simulation_save(saving.simulation, saving.said, saving.request->checkpoint)
               : CLUP_OK;
}

/* Writes the series, if they were asked for. Without measured values, keeps an earlier file. */
static clup_status save_series(void)
{
    if (saving.request->series == NULL || clup_simulation_measured(saving.simulation) == 0)
        return CLUP_OK;
    const clup_status status = clup_record_take(saving.said, saving.simulation);
    return status == CLUP_OK ? clup_record_write(saving.said, saving.request->series) : status;
}

static cli_saved files[] = {{save_checkpoint, 0}, {save_series, 0}};

static int check_extensions(const simulate_request *request)
{
    const int hdf5 = request->series != NULL && cli_has_extension(request->series, ".h5");
    if (request->save_spins != NULL && cli_is_stdout(request->save_spins) && request->json)
        return cli_usage_error("--json and --save-spins - both need standard output");
    if (request->save_spins != NULL && !cli_is_stdout(request->save_spins) &&
        !cli_has_extension(request->save_spins, ".npy") && !simulate_draws_spins(request))
        return cli_usage_error("--save-spins '%s': the extension is not .npy or .png",
                               request->save_spins);
    if (simulate_draws_spins(request) && request->problem.graph != NULL)
        return cli_usage_error("--save-spins '%s': there are no pictures of graphs and lattices of "
                               "a cell, there is .npy",
                               request->save_spins);
    if (simulate_draws_spins(request) && cli_world_is.processes > 0)
        return cli_usage_error("--save-spins '%s': several processes write .npy alone",
                               request->save_spins);
    if (request->series != NULL && !hdf5 && !cli_has_extension(request->series, ".csv"))
        return cli_usage_error("--series '%s': the extension is not .h5 or .csv", request->series);
    if (hdf5 && clup_hdf5_version() == NULL)
        return cli_usage_error("--series '%s': this clup was built without HDF5; there is .csv",
                               request->series);
    if (cli_given("checkpoint") && !cli_has_extension(request->checkpoint, ".h5"))
        return cli_usage_error("--checkpoint '%s': the extension is not .h5", request->checkpoint);
    if (request->checkpoint != NULL && clup_hdf5_version() == NULL)
        return cli_usage_error("--checkpoint '%s': this clup was built without HDF5",
                               request->checkpoint);
    return 0;
}

/* What a path names, NULL for no path. */
static cli_file_kind kind_of(const char *path)
{
    return path != NULL ? cli_kind_of(path) : CLI_FILE_NONE;
}

/* Validates that --checkpoint replaces nothing but a checkpoint of the same command, and that
 * --series does not replace a checkpoint. */
static int check_replaced(const simulate_request *request)
{
    const int percolates = cli_is_percolation(&request->problem);
    const cli_file_kind other = percolates ? CLI_FILE_SIMULATION : CLI_FILE_PERCOLATION;
    const cli_file_kind kind = kind_of(request->checkpoint), series = kind_of(request->series);
    if (kind == CLI_FILE_OTHER)
        return cli_usage_error("--checkpoint '%s': there is a file that is no checkpoint, such as "
                               "a series; remove it, or take another name",
                               request->checkpoint);
    if (kind == other)
        return cli_usage_error("--checkpoint '%s': there is a checkpoint of clup %s; remove it, or "
                               "take another name",
                               request->checkpoint, percolates ? "simulate" : "percolate");
    if (series == CLI_FILE_SIMULATION || series == CLI_FILE_PERCOLATION)
        return cli_usage_error("--series '%s': there is a checkpoint; remove it, or take another "
                               "name",
                               request->series);
    return 0;
}

int simulate_save_check(const simulate_request *request)
{
    const struct {
        const char *option, *path;
    } outputs[] = {{"checkpoint", request->checkpoint},
                   {"series", request->series},
                   {"save-spins", request->save_spins},
                   {"watch", request->watch}};
    int code = check_extensions(request);
    if (code != 0 || (code = simulate_check_plane(request)) != 0 ||
        (code = simulate_check_watch(request)) != 0)
        return code;
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        for (size_t j = 0; j < k; j++)
            if (outputs[k].path != NULL && outputs[j].path != NULL &&
                cli_same_file(outputs[k].path, outputs[j].path))
                return cli_usage_error("--%s and --%s are the same file, '%s'", outputs[j].option,
                                       outputs[k].option, outputs[j].path);
    const int replaced = check_replaced(request);
    if (replaced != 0)
        return replaced;
    if (cli_given("save-every") && request->series == NULL && request->checkpoint == NULL)
        return cli_usage_error(
            "--save-every goes with --series or --checkpoint: there is nothing else to save");
    if (request->checkpoint != NULL && request->method.rng != NULL &&
        strcmp(request->method.rng, clup_rng_name(0)) != 0)
        return cli_usage_error("--checkpoint goes with --rng %s: the state of '%s' belongs to a "
                               "device and its plan",
                               clup_rng_name(0), request->method.rng);
    return 0;
}

/* The number of sweeps from one measured sweep to the next. */
static uint64_t distance(const simulate_request *request)
{
    return request->measure_every;
}

static clup_status set_real(const char *key, double number)
{
    char text[32];
    return clup_record_set(saving.said, key, clup_number_text(number, text));
}

static clup_status describe_method(const simulate_request *request)
{
    const clup_method *method = &request->method;
    clup_status status = clup_record_set(saving.said, "algorithm",
                                         clup_algorithm_name(method->algorithm));
    if (status == CLUP_OK && method->algorithm == CLUP_FEW_CLUSTER &&
        (status = cli_record_whole(saving.said, "seeds_per_side", method->seeds_per_side)) ==
            CLUP_OK)
        status = set_real("p_flip", method->p_flip);
    if (status == CLUP_OK && method->heat_bath > 0)
        status = cli_record_whole(saving.said, "heat_bath", method->heat_bath);
    if (status == CLUP_OK && method->houdayer > 0)
        status = cli_record_whole(saving.said, "houdayer", method->houdayer);
    if (status == CLUP_OK && method->overrelaxation > 0)
        status = cli_record_whole(saving.said, "overrelaxation", method->overrelaxation);
    if (status == CLUP_OK)
        status = clup_record_set(saving.said, "rng",
                                 method->rng != NULL ? method->rng : clup_rng_name(0));
    return status;
}

/* Records all settings of the run, and the plan and device that ran it. */
static clup_status describe(const simulate_result *result)
{
    const simulate_request *request = result->request;
    static const char *const seeds[] = {
        [SEED_DEFAULT] = "default", [SEED_GIVEN] = "given", [SEED_RANDOM] = "random"};
    const uint64_t every = distance(request), before = request->settles
                                                           ? result->equilibration.left_out * every
                                                           : request->thermalize;
    char observables[1024] = "";
    for (size_t k = 0; k < request->observable_count; k++)
        snprintf(observables + strlen(observables), sizeof observables - strlen(observables),
                 "%s%s", k > 0 ? "," : "", clup_observable_name(request->observables[k]));
    const char *const texts[][2] = {
        {"version", clup_version()},
        {"start", request->start == CLUP_START_RANDOM ? "random" : "ordered"},
        {"seed_from", seeds[request->seed_kind]},
        {"measured", observables[0] != '\0' ? observables : NULL},
        {"thermalize", request->settles ? "auto" : NULL},
        {"until", request->until},
    };
    const struct {
        const char *key;
        uint64_t number;
    } numbers[] = {
        {"seed", request->seed},
        {"sweeps", request->sweeps},
        {request->settles ? "left_out" : "thermalize", before},
        {"first_sweep", before + every},
        {"every", every},
        {request->schedule != NULL ? "anneal_steps" : NULL, request->steps},
        {request->tempering ? "swap_every" : NULL, request->swap_every},
        {request->tempering_tune > 0 ? "tempering_tune" : NULL, request->tempering_tune},
    };
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < sizeof texts / sizeof *texts && status == CLUP_OK; k++)
        status = clup_record_set(saving.said, texts[k][0], texts[k][1]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers && status == CLUP_OK; k++)
        if (numbers[k].key != NULL)
            status = cli_record_whole(saving.said, numbers[k].key, numbers[k].number);
    if (status == CLUP_OK)
        status = cli_record_device(saving.said, &result->device);
    if (status == CLUP_OK)
        status = describe_method(request);
    return status == CLUP_OK ? cli_record_plan(saving.said, &result->plan) : status;
}

clup_status simulate_save_begin(clup_simulation *simulation, const simulate_result *result)
{
    const simulate_request *request = result->request;
    if (request->series == NULL && request->checkpoint == NULL)
        return CLUP_OK;
    clup_status status = CLUP_OK;
    if (request->schedule != NULL &&
        (saving.steps = calloc(request->steps, sizeof *saving.steps)) == NULL)
        exit(cli_fail_memory("the series"));
    /* the record of a schedule is made at the end, when the number of complete steps is known */
    if (request->schedule == NULL &&
        (status = clup_record_create(&request->problem, &saving.said)) == CLUP_OK)
        status = describe(result);
    if (status != CLUP_OK)
        return status;
    saving.request = request;
    saving.simulation = simulation;
    saving.next_s = cli_now_s() + request->save_every;
    return CLUP_OK;
}

int simulate_save_progress(uint64_t done, uint64_t sweeps, void *unused)
{
    const double start = cli_now_s();
    (void)unused;
    if (saving.request == NULL || done == sweeps)
        return 0;
    /* a checkpoint needs all processes */
    const int due = start >= saving.next_s;
    if (!(saving.request->checkpoint != NULL ? cli_any(due) : due))
        return 0;
    cli_save(files, sizeof files / sizeof *files);
    saving.next_s = cli_next_save(saving.request->save_every, start);
    return 0;
}

void simulate_save_state(void)
{
    if (saving.request == NULL)
        return;
    saving.status = save_checkpoint();
    if (saving.status != CLUP_OK)
        snprintf(saving.wrong, sizeof saving.wrong, "%s", clup_error_detail());
}

clup_status simulate_save_settled(const simulate_result *result)
{
    if (saving.request == NULL || saving.request->series == NULL)
        return CLUP_OK;
    clup_record_free(saving.said);
    saving.said = NULL;
    const clup_status status = clup_record_create(&result->request->problem, &saving.said);
    return status == CLUP_OK ? describe(result) : status;
}

clup_status simulate_save_step(const clup_simulation *simulation, const simulate_result *result)
{
    if (saving.steps == NULL || result->measured == 0)
        return CLUP_OK;
    clup_record **step = &saving.steps[saving.step_count];
    clup_status status = clup_record_create(&result->request->problem, step);
    saving.step_count += status == CLUP_OK;
    return status == CLUP_OK ? clup_record_take(*step, simulation) : status;
}

/* Makes one record of all steps, whose rows are the systems of one step after the other. */
static clup_status join_steps(const simulate_result *result)
{
    const uint32_t each = simulate_replicas(result->request);
    clup_problem problem = result->request->problem;
    double *betas = calloc(result->rows + 1, sizeof *betas);
    if (betas == NULL)
        exit(cli_fail_memory("the series"));
    for (uint32_t r = 0; r < result->rows; r++)
        betas[r] = simulate_row_beta(result, r);
    problem.replicas = result->rows;
    problem.betas = betas;
    clup_status status = clup_record_create(&problem, &saving.said);
    free(betas);
    if (status == CLUP_OK)
        status = describe(result);
    for (uint32_t r = 0; r < result->rows && status == CLUP_OK; r++) {
        const clup_record *step = saving.steps[r / each];
        const char *name;
        for (size_t k = 0; (name = clup_record_observable(step, k)) != NULL && status == CLUP_OK;
             k++)
            status = clup_record_set_series(saving.said, r, name,
                                            clup_record_series(step, r % each, name),
                                            clup_record_count(step, r % each));
    }
    return status;
}

static clup_status write_steps(const simulate_result *result)
{
    clup_status status = saving.step_count > 0 ? join_steps(result) : CLUP_OK;
    for (uint32_t r = 0; saving.step_count > 0 && r < result->rows && status == CLUP_OK; r++)
        status = clup_record_set_spins(saving.said, r, result->replicas[r].spins_sha256);
    if (status == CLUP_OK && saving.step_count > 0)
        status = clup_record_write(saving.said, saving.request->series);
    for (uint32_t k = 0; k < saving.step_count; k++)
        clup_record_free(saving.steps[k]);
    free(saving.steps);
    return status;
}

int simulate_save_end(const simulate_result *result)
{
    clup_status status = CLUP_OK;
    if (saving.request == NULL)
        return 0;
    if (saving.steps != NULL) {
        status = write_steps(result);
        clup_record_free(saving.said);
        return status != CLUP_OK ? cli_fail(status) : 0;
    }
    for (uint32_t r = 0; r < clup_record_systems(saving.said) && status == CLUP_OK; r++)
        status = clup_record_set_spins(saving.said, r, result->replicas[r].spins_sha256);
    if (status == CLUP_OK)
        status = save_series();
    const int code = status != CLUP_OK ? cli_fail(status) : 0;
    if (saving.status != CLUP_OK)
        cli_message(0, "%s: %s", clup_status_text(saving.status), saving.wrong);
    clup_record_free(saving.said);
    saving.said = NULL;
    saving.request = NULL;
    return code != 0 ? code : (int)saving.status;
}
