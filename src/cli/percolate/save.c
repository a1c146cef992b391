/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves the values of samples and the checkpoint of clup percolate, and goes on from one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/percolate/percolate.h"
#include "cli/records.h"
#include "cli/saver.h"

static struct {
    const percolate_result *result; /* NULL where nothing is saved */
    double next_s;                  /* when to save next */
} saving;

/* Records the settings of the run, and what ran it. */
static clup_status describe(clup_record *record)
{
    static const char *const seeds[] = {
        [SEED_DEFAULT] = "default", [SEED_GIVEN] = "given", [SEED_RANDOM] = "random"};
    const percolate_result *result = saving.result;
    const simulate_request *system = &result->request->system;
    clup_status status = clup_record_set(record, "version", clup_version());
    if (status == CLUP_OK)
        status = clup_record_set(record, "rng", clup_rng_name(0));
    if (status == CLUP_OK)
        status = cli_record_device(record, &result->device);
    if (status == CLUP_OK)
        status = clup_record_set(record, "seed_from", seeds[system->seed_kind]);
    if (status == CLUP_OK)
        status = cli_record_plan(record, &result->plan);
    if (status == CLUP_OK)
        status = cli_record_whole(record, "seed", system->seed);
    if (status == CLUP_OK)
        status = cli_record_whole(record, "samples", result->request->samples);
    return status;
}

/* Writes the checkpoint, if one was asked for. */
static clup_status save_checkpoint(void)
{
    const char *path = saving.result->request->system.checkpoint;
    clup_record *said;
    if (path == NULL)
        return CLUP_OK;
    clup_status status = clup_record_create(clup_percolation_scan_problem(saving.result->scan),
                                            &said);
    if (status == CLUP_OK)
        status = describe(said);
    if (status == CLUP_OK)
        status = clup_percolation_scan_save(saving.result->scan, said, path);
    clup_record_free(said);
    return status;
}

/* Writes the series, if they were asked for. Without samples, keeps an earlier file. */
static clup_status save_series(void)
{
    const char *path = saving.result->request->system.series;
    clup_percolation_point first;
    clup_record *record;
    if (path == NULL || clup_percolation_scan_point(saving.result->scan, 0, &first) != CLUP_OK ||
        first.samples == 0)
        return CLUP_OK;
    clup_status status = clup_percolation_scan_record(saving.result->scan, &record);
    if (status == CLUP_OK)
        status = describe(record);
    if (status == CLUP_OK)
        status = clup_record_write(record, path);
    clup_record_free(record);
    return status;
}

static cli_saved files[] = {{save_checkpoint, 0}, {save_series, 0}};

void percolate_save_begin(const percolate_result *result)
{
    const simulate_request *system = &result->request->system;
    /* of several processes each has all samples, and one writes */
    if ((system->checkpoint == NULL && system->series == NULL) || cli_world_is.silent)
        return;
    saving.result = result;
    saving.next_s = cli_now_s() + system->save_every;
}

int percolate_save_progress(uint64_t done, uint64_t samples, void *unused)
{
    const double start = cli_now_s();
    (void)done;
    (void)samples;
    (void)unused;
    if (saving.result == NULL || start < saving.next_s)
        return 0;
    cli_save(files, sizeof files / sizeof *files);
    saving.next_s = cli_next_save(saving.result->request->system.save_every, start);
    return 0;
}

static int save_at_end(clup_status (*save)(void))
{
    const clup_status status = saving.result != NULL ? save() : CLUP_OK;
    return status == CLUP_OK ? 0 : cli_fail(status);
}

int percolate_save_state(void)
{
    return save_at_end(save_checkpoint);
}

int percolate_save_series(void)
{
    return save_at_end(save_series);
}

/* ---- gone on --------------------------------------------------------------------------------- */

/* Refuses options for what the checkpoint has. */
static int check_options(const percolate_request *request)
{
    static const char *const own[] = {"lattice", "size", "open", "kind",      "first-replica", "p",
                                      "p-ratio", "ps",   "seed", "algorithm", "steps"};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (cli_given(own[k]))
            return cli_usage_error("--%s goes without --resume: '%s' has it", own[k],
                                   request->resume);
    return 0;
}

int percolate_resume(percolate_request *request, percolate_result *result)
{
    simulate_request *system = &request->system;
    const int code = check_options(request);
    if (code != 0)
        return code;
    const clup_status status = clup_percolation_scan_load(request->resume, &result->scan);
    if (status != CLUP_OK)
        return cli_fail(status);
    const clup_record *said = clup_percolation_scan_said(result->scan);
    const char *samples = clup_record_get(said, "samples"),
               *seed = clup_record_get(said, "seed_from");
    const double *ps;
    uint64_t most = 1;
    system->problem = *clup_percolation_scan_problem(result->scan);
    system->seed = system->plan.seed = clup_percolation_scan_seed(result->scan);
    system->seed_kind = seed == NULL || strcmp(seed, "given") == 0 ? SEED_GIVEN
                        : strcmp(seed, "random") == 0              ? SEED_RANDOM
                                                                   : SEED_DEFAULT;
    request->p_kind = P_LIST;
    request->p_count = clup_percolation_scan_points(result->scan, &ps);
    if ((request->ps = malloc(request->p_count * sizeof *ps)) == NULL)
        return cli_fail_memory("the probabilities");
    memcpy(request->ps, ps, request->p_count * sizeof *ps);
    for (uint32_t k = 0; k < request->p_count; k++) {
        clup_percolation_point point;
        if (clup_percolation_scan_point(result->scan, k, &point) == CLUP_OK && point.samples > most)
            most = point.samples;
    }
    if (!cli_given("samples") &&
        (samples == NULL || cli_parse_whole(samples, 1, UINT64_MAX, &request->samples) != CLUP_OK))
        request->samples = most;
    if (request->samples < most)
        return cli_usage_error("--samples '%" PRIu64 "': '%s' has %" PRIu64 " samples already",
                               request->samples, request->resume, most);
    if (system->series != NULL && !clup_percolation_scan_keeps(result->scan))
        return cli_usage_error("--series '%s': '%s' has sums and no values of samples, as it was "
                               "begun without --series",
                               system->series, request->resume);
    if (system->checkpoint == NULL)
        system->checkpoint = request->resume;
    return 0;
}
