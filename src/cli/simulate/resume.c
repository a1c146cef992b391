/* SPDX-License-Identifier: BSD-3-Clause */
/* clup resume: goes on with a simulation from its checkpoint. */
#include <inttypes.h>
#include <string.h>

#include "cli/simulate/simulate.h"

static simulate_request request = SIMULATE_WISH;
static const char *path;

static clup_status set_path(void *target, const char *value)
{
    (void)target;
    path = value;
    return CLUP_OK;
}

static const cli_option options[] = {
    {"sweeps", 0, "N", "sweeps that are measured in all (as many as were asked for)",
     simulate_set_sweeps},
    {"bond-couplings", 0, "F", "the couplings of each bond, which checkpoints do not contain",
     simulate_set_bond_couplings},
    {"graph", 0, "EDGES", "the graph, which checkpoints do not contain", simulate_set_graph},
    RUN_OPTIONS,
    {0},
};

/* The value of key as the checkpoint has it; otherwise when the checkpoint has none. */
static uint64_t said_whole(const char *key, uint64_t otherwise)
{
    const char *text = clup_record_get(clup_checkpoint_said(request.from), key);
    uint64_t number;
    return text != NULL && cli_parse_u64(text, UINT64_MAX, &number) == CLUP_OK ? number : otherwise;
}

static int said(const char *key, const char *value)
{
    const char *text = clup_record_get(clup_checkpoint_said(request.from), key);
    return text != NULL && strcmp(text, value) == 0;
}

/* Restores the request of the run. Returns 0, or an exit code after a message. */
static int settle(void)
{
    const uint64_t all = clup_checkpoint_sweeps(request.from);
    const clup_bond_couplings *given = request.problem.bond_couplings;
    const clup_graph *graph = request.problem.graph;
    request.problem = *clup_checkpoint_problem(request.from);
    if (graph != NULL && graph != request.problem.graph)
        return cli_usage_error("--graph: '%s' has %s", path,
                               request.problem.graph != NULL ? "another graph" : "no graph");
    if (given != NULL && given != request.problem.bond_couplings)
        return cli_usage_error("--bond-couplings: '%s' has %s", path,
                               request.problem.bond_couplings != NULL
                                   ? "other couplings"
                                   : "no couplings of single bonds");
    request.method = *clup_checkpoint_method(request.from);
    request.seed = request.plan.seed = clup_checkpoint_seed(request.from);
    request.seed_kind = said("seed_from", "random")    ? SEED_RANDOM
                        : said("seed_from", "default") ? SEED_DEFAULT
                                                       : SEED_GIVEN;
    request.start = said("start", "random") ? CLUP_START_RANDOM : CLUP_START_ORDERED;
    request.measure_every = clup_checkpoint_every(request.from);
    request.thermalize = said_whole("thermalize", 0);
    request.settles = said("thermalize", "auto");
    const uint64_t done = all > request.thermalize ? all - request.thermalize : 0;
    if (!cli_given("sweeps"))
        request.sweeps = said_whole("sweeps", done);
    const char *until = clup_record_get(clup_checkpoint_said(request.from), "until");
    if (until != NULL && simulate_set_until(&request, until) != CLUP_OK)
        return cli_usage_error("'%s' ends at errors that are not known here: %s", path, until);
    request.swap_every = said_whole("swap_every", 0);
    request.tempering = request.swap_every > 0;
    if (request.sweeps < done)
        return cli_usage_error("--sweeps '%" PRIu64 "': '%s' has %" PRIu64 " sweeps already",
                               request.sweeps, path, done);
    const char *measured = clup_record_get(clup_checkpoint_said(request.from), "measured");
    if (measured != NULL && simulate_set_observables(&request, measured) != CLUP_OK)
        return cli_usage_error("'%s' measures what is not known here: %s", path, measured);
    if (request.checkpoint == NULL)
        request.checkpoint = path;
    return 0;
}

static int run(void)
{
    clup_checkpoint *from = NULL;
    const clup_status status = clup_checkpoint_read(path, &from);
    if (status != CLUP_OK)
        return cli_fail(status);
    request.from = from;
    int code = settle();
    if (code == 0)
        code = simulate_run(&request);
    clup_checkpoint_free(from);
    return code;
}

static void more_help(FILE *to)
{
    cli_print_kernels(to, CLUP_POTTS);
}

static const cli_operand operand = {
    {"F.h5", 0, "F.h5", "a checkpoint of clup simulate; new ones replace it, without --checkpoint",
     set_path},
    1,
    1,
};

static const cli_unlike unlike = {simulate_options,
                                  "what is resumed keeps its problem, method and what it measures"};

const cli_command cli_resume = {
    "resume", "goes on with a simulation from its checkpoint",
    options,  &request,
    run,      more_help,
    &operand, &unlike,
};
