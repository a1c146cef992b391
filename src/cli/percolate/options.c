/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of clup percolate. */
#include <math.h>
#include <string.h>

#include "cli/paths.h"
#include "cli/percolate/percolate.h"

static clup_status set_kind(void *target, const char *value)
{
    percolate_request *request = target;
    request->system.problem.model = strcmp(value, "site") == 0 ? CLUP_SITE_PERCOLATION
                                                               : CLUP_BOND_PERCOLATION;
    return strcmp(value, "site") == 0 || strcmp(value, "bond") == 0
               ? CLUP_OK
               : cli_refuse("is not bond, nor site");
}

static clup_status set_one(percolate_request *request, int kind, const char *value)
{
    double number;
    request->p_kind = request->p_kind == P_DEFAULT ? kind : P_TWICE;
    const int fits = cli_parse_double(value, &number) == CLUP_OK && number >= 0 &&
                     (kind == P ? number <= 1 : isfinite(number));
    return fits ? cli_parse_numbers(value, &request->ps, &request->p_count)
                : cli_refuse(kind == P ? "is not a number from 0 to 1"
                                       : "is not a number from 0 up");
}

static clup_status set_p(void *target, const char *value)
{
    return set_one(target, P, value);
}

static clup_status set_p_ratio(void *target, const char *value)
{
    return set_one(target, P_RATIO, value);
}

static clup_status set_ps(void *target, const char *value)
{
    percolate_request *request = target;
    request->p_kind = request->p_kind == P_DEFAULT ? P_LIST : P_TWICE;
    return cli_parse_numbers(value, &request->ps, &request->p_count);
}

static clup_status set_algorithm(void *target, const char *value)
{
    percolate_request *request = target;
    request->curves = strcmp(value, "newman-ziff") == 0;
    return request->curves || strcmp(value, "direct") == 0
               ? CLUP_OK
               : cli_refuse("is not direct, nor newman-ziff");
}

static clup_status set_steps(void *target, const char *value)
{
    ((percolate_request *)target)->steps = value;
    return CLUP_OK;
}

static clup_status set_resume(void *target, const char *value)
{
    ((percolate_request *)target)->resume = value;
    return CLUP_OK;
}

static clup_status set_samples(void *target, const char *value)
{
    percolate_request *request = target;
    return cli_parse_whole(value, 1, UINT64_MAX, &request->samples);
}

const cli_option percolate_options[] = {
    FIELD_OPTIONS("bond percolation", CLUP_FIELD_LAW | CLUP_FIELD_SIZE),
    {"kind", 0, "bond|site", "what is active or occupied with probability p (bond)", set_kind},
    {"p", 0, "X", "the probability, 0 to 1", set_p},
    {"p-ratio", 0, "X", "--p in units of the critical one (1)", set_p_ratio},
    {"ps", 0, "FROM:TO:N|X,X,..", "several probabilities", set_ps},
    {"samples", 0, "N", "independent samples of each, at least 1 (1000)", set_samples},
    {"algorithm", 0, "direct|newman-ziff",
     "draw samples at each p, or a bond or site at a time for all p (direct)", set_algorithm},
    {"steps", 0, "F.csv|-", "write the means after each step of newman-ziff", set_steps},
    SEED_OPTION,
    FIELD_OPTIONS("bond percolation", CLUP_FIELD_NUMBERS),
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", simulate_set_device},
    {"tile", 0, "B", "sites along the edge of a tile, 1 to 4096; it is 32 wide", simulate_set_tile},
    {"plan", 0, "tuned|estimate|measure|random", "how the tile is chosen (tuned)",
     simulate_set_strategy},
    {"series", 0, "F.h5|F.csv", "write the values of each sample, as HDF5 or a table",
     simulate_set_series},
    {"checkpoint", 0, "F.h5", "write what --resume goes on from", simulate_set_checkpoint},
    {"resume", 0, "F.h5", "go on from a checkpoint; new ones replace it, without --checkpoint",
     set_resume},
    {"save-every", 0, "T",
     "time from one writing of --series and --checkpoint to the next, such as 90, 5m (60)",
     simulate_set_save_every},
    {"time-limit", 0, "T", "end, as after a signal, when this time is over: 90, 30m, 3h, 1d",
     simulate_set_time_limit},
    {"reference", 0, NULL, "draw by the serial reference instead of a device",
     simulate_set_reference},
    {"json", 0, NULL, "print one JSON object instead of a table", simulate_set_json},
    {"quiet", 'q', NULL, "no progress bar", simulate_set_quiet},
    {0},
};

/* Validates options of newman-ziff. */
static int settle_curves(const percolate_request *request)
{
    if (request->curves && cli_world_is.processes > 1)
        return cli_usage_error("newman-ziff draws in one process, not in %u",
                               cli_world_is.processes);
    if (request->steps != NULL && !request->curves)
        return cli_usage_error("--steps needs --algorithm newman-ziff");
    if (request->steps != NULL && cli_is_stdout(request->steps) && request->system.json)
        return cli_usage_error("--json and --steps - both need standard output");
    if (request->curves && (cli_given("tile") || cli_given("plan")))
        return cli_usage_error("newman-ziff has no --tile and no --plan");
    if (request->curves && (cli_given("series") || cli_given("checkpoint")))
        return cli_usage_error("newman-ziff has no --%s: its samples have no value at one p, and "
                               "its sums belong to steps",
                               cli_given("series") ? "series" : "checkpoint");
    if (request->steps == NULL || cli_is_stdout(request->steps))
        return 0;
    if (!cli_has_extension(request->steps, ".csv"))
        return cli_usage_error("--steps '%s' is no .csv", request->steps);
    const clup_status writable = clup_file_writable(request->steps);
    return writable != CLUP_OK ? cli_fail(writable) : 0;
}

/* Makes probabilities of the options. */
static int settle_ps(percolate_request *request)
{
    const clup_problem *problem = &request->system.problem;
    if (request->p_kind == P_TWICE)
        return cli_usage_error("give one of --p, --p-ratio and --ps, once");
    if (request->p_kind == P_DEFAULT &&
        cli_parse_numbers("1", &request->ps, &request->p_count) != CLUP_OK)
        return cli_fail_memory("the probability");
    if ((request->p_kind == P_DEFAULT || request->p_kind == P_RATIO) &&
        isnan(clup_problem_critical_p(problem)))
        return cli_usage_error(
            "the critical probability of %s on the %s lattice is not known: give --p or --ps",
            clup_model_name(problem->model),
            problem->graph != NULL ? clup_graph_called(problem->graph)
                                   : clup_lattice_name(problem->lattice));
    if (request->p_kind == P_DEFAULT || request->p_kind == P_RATIO)
        request->ps[0] *= clup_problem_critical_p(problem);
    for (uint32_t k = 0; k < request->p_count; k++) {
        char p[32];
        if (!(request->ps[k] >= 0 && request->ps[k] <= 1))
            return cli_usage_error("p = %s is not between 0 and 1",
                                   clup_number_text(request->ps[k], p));
    }
    return 0;
}

int percolate_settle(percolate_request *request)
{
    clup_problem *problem = &request->system.problem;
    int code = simulate_settle_size(&request->system);
    if (problem->model == CLUP_POTTS)
        problem->model = CLUP_BOND_PERCOLATION;
    if (code != 0 || (code = settle_curves(request)) != 0 || (code = settle_ps(request)) != 0)
        return code;
    const clup_status status = clup_problem_check(problem);
    return status == CLUP_OK ? 0 : cli_fail(status);
}
