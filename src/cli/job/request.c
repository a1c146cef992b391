/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes requests of the commands from the options of a launch, validated as on a command line. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job/job.h"
#include "cli/message.h"

static int set(const char *name, const char *asked, const json_t *lines, job_wish *wish)
{
    char called[128];
    const cli_option *option = job_option(wish->command, name);
    const json_int_t line = json_integer_value(json_object_get(lines, name));
    const int flag = option != NULL && (option->argument == NULL || strcmp(name, "series") == 0);
    if (line > 0)
        snprintf(called, sizeof called, "line %" JSON_INTEGER_FORMAT ": %s", line, name);
    else
        snprintf(called, sizeof called, "%.64s", name);
    if (option == NULL)
        return cli_usage_error("%s is no key of a job", called);
    if (flag != (asked[0] == '\0'))
        return cli_usage_error("%s %s", called,
                               flag ? "is true or false" : "is no flag: it has a value");
    return cli_set(option, &wish->asked, flag ? NULL : asked, called);
}

static int set_all(const json_t *options, const json_t *lines, const char *key, const char *value,
                   int reference, job_wish *wish)
{
    const char *name;
    const json_t *text;
    int code = 0;
    cli_begin_options(wish->command->begins);
    json_object_foreach((json_t *)options, name, text)
    {
        if (strcmp(name, "command") != 0 &&
            (code = set(name, json_string_value(text), lines, wish)) != 0)
            return code;
    }
    if (key != NULL)
        code = set(key, value, lines, wish);
    for (const cli_option *option = cli_options(wish->command->options);
         reference && option->name != NULL; option++)
        if (code == 0 && strcmp(option->name, "reference") == 0)
            code = cli_set(option, &wish->asked, NULL, option->name);
    return code == 0 ? cli_check_options() : code;
}

/* Sets the values to count of betas, each the first of every. */
static int take_values(job_wish *wish, const double *betas, size_t count, size_t every)
{
    if ((wish->values = malloc(count * sizeof *wish->values)) == NULL)
        return cli_fail_memory("the temperatures");
    for (size_t k = 0; k < count; k++)
        wish->values[k] = betas[k * every];
    wish->count = count;
    return 0;
}

/* Settles options of clup simulate; refuses those that a job does not support. */
static int settle_simulation(job_wish *wish)
{
    simulate_request *request = &wish->asked.system;
    int code = simulate_settle(request);
    if (code != 0)
        return code;
    const int anneals = request->schedule != NULL;
    const uint32_t steps = anneals ? request->steps : request->tempering ? request->beta_count : 1;
    wish->systems = simulate_replicas(request);
    wish->sweeps = (anneals ? steps : 1) * (request->thermalize + request->sweeps);
    code = anneals              ? take_values(wish, request->schedule, steps, 1)
           : request->tempering ? take_values(wish, request->betas, steps, wish->systems / steps)
                                : take_values(wish, &request->problem.beta, 1, 1);
    for (size_t k = 0; k < wish->count && code == 0; k++)
        if (!isfinite(wish->values[k]))
            code = cli_usage_error("a job has finite temperatures");
    return code;
}

static int settle_percolation(job_wish *wish)
{
    const int code = percolate_settle(&wish->asked);
    wish->systems = 1;
    wish->sweeps = wish->asked.samples;
    return code == 0 ? take_values(wish, wish->asked.ps, 1, 1) : code;
}

int job_wish_of(const json_t *options, const json_t *lines, const char *key, const char *value,
                int reference, job_wish *wish)
{
    *wish = (job_wish){.command = job_command_of(options), .asked = PERCOLATE_WISH};
    if (wish->command == NULL)
        return cli_usage_error("command '%.64s' is none of a job",
                               json_string_value(json_object_get(options, "command")));
    int code = set_all(options, lines, key, value, reference, wish);
    if (code == 0)
        code = wish->command->begins == &cli_percolate ? settle_percolation(wish)
                                                       : settle_simulation(wish);
    return code == 0 && wish->asked.system.seed_kind == SEED_RANDOM
               ? cli_usage_error("seed 'random' would be another one each time")
               : code;
}

void job_wish_free(job_wish *wish)
{
    free(wish->asked.ps);
    free(wish->asked.system.betas);
    free(wish->asked.system.schedule);
    free(wish->values);
    *wish = (job_wish){0};
}

/* The algorithm, which plans of percolation do not have. */
static const clup_method *method_of(const job_wish *wish)
{
    return wish->command->begins == &cli_percolate ? NULL : &wish->asked.system.method;
}

/* Whether kernels fit so many replicas. Keeps earlier results: the planner tries all kernel
 * variants, and many launches of a job are equal in what matters to it. */
static int fits(const json_t *options, const job_wish *wish, const clup_problem *problem)
{
    static const char *const alike[] = {"seed",        "sweeps",        "thermalize", "until",
                                        "observables", "measure-every", "series",     "replicas",
                                        "tempering",   "anneal",        "samples"};
    static json_t *known;
    clup_plan any;
    json_t *key = json_copy((json_t *)options);
    for (size_t k = 0; k < sizeof alike / sizeof *alike; k++)
        json_object_del(key, alike[k]);
    json_object_set_new(key, "replicas", json_boolean(problem->replicas > 1));
    char *text = json_dumps(key, JSON_SORT_KEYS | JSON_COMPACT);
    if (text == NULL || (known == NULL && (known = json_object()) == NULL))
        exit(cli_fail_memory("the systems of a job"));
    const json_t *found = json_object_get(known, text);
    const int right = found != NULL ? json_is_true(found)
                                    : clup_plan_choose(NULL, problem, method_of(wish),
                                                       &wish->asked.system.plan, &any) == CLUP_OK;
    if (found == NULL)
        json_object_set_new(known, text, json_boolean(right));
    json_decref(key);
    free(text);
    return right;
}

int job_wish_fits(const json_t *options, const job_wish *wish)
{
    const simulate_request *request = &wish->asked.system;
    clup_plan any;
    if (wish->asked.curves || fits(options, wish, &request->problem))
        return 0;
    const clup_status status = clup_plan_choose(NULL, &request->problem, method_of(wish),
                                                &request->plan, &any);
    return status != CLUP_OK ? cli_fail(status) : 0;
}

int job_wish_shares(const json_t *options, const job_wish *wish)
{
    clup_problem two = wish->asked.system.problem;
    two.replicas = 2;
    two.betas = NULL;
    return wish->command->begins == &cli_percolate || fits(options, wish, &two);
}
