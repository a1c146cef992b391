/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes requests of clup simulate from the options of a launch; validates them as on a command
 * line. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job/job.h"
#include "cli/message.h"

static int set(const char *name, const char *asked, const json_t *lines, simulate_request *request)
{
    char called[128];
    const cli_option *option = job_option(name);
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
    return cli_set(option, request, flag ? NULL : asked, called);
}

/* Refuses options that clup simulate allows and a job does not support. */
static int check(const simulate_request *request)
{
    int finite = isfinite(request->problem.beta);
    for (uint32_t k = 0; k < request->steps; k++)
        finite = finite && isfinite(request->schedule[k]);
    if (!finite)
        return cli_usage_error("a job has finite temperatures");
    if (request->seed_kind == SEED_RANDOM)
        return cli_usage_error("seed 'random' would be another one each time");
    return 0;
}

int job_request(const json_t *options, const json_t *lines, const char *key, const char *value,
                int reference, simulate_request *request)
{
    const char *name;
    const json_t *text;
    int code = 0;
    *request = (simulate_request)SIMULATE_WISH;
    cli_begin_options(&cli_simulate);
    json_object_foreach((json_t *)options, name, text)
    {
        if ((code = set(name, json_string_value(text), lines, request)) != 0)
            return code;
    }
    if (key != NULL)
        code = set(key, value, lines, request);
    for (const cli_option *option = cli_options(simulate_options);
         reference && option->name != NULL; option++)
        if (code == 0 && strcmp(option->name, "reference") == 0)
            code = cli_set(option, request, NULL, option->name);
    if (code == 0)
        code = cli_check_options();
    if (code == 0)
        code = simulate_settle(request);
    return code == 0 ? check(request) : code;
}

void job_request_free(simulate_request *request)
{
    free(request->betas);
    free(request->schedule);
    request->betas = request->schedule = NULL;
}

/* Whether kernels fit so many replicas. Keeps earlier results: the planner tries all kernel
 * variants, and many launches of a job are equal in what matters to it. */
static int fits(const json_t *options, const simulate_request *request, const clup_problem *problem)
{
    static const char *const alike[] = {"seed",        "sweeps",        "thermalize", "until",
                                        "observables", "measure-every", "series",     "replicas",
                                        "tempering",   "anneal"};
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
                                    : clup_plan_choose(NULL, problem, &request->method,
                                                       &request->plan, &any) == CLUP_OK;
    if (found == NULL)
        json_object_set_new(known, text, json_boolean(right));
    json_decref(key);
    free(text);
    return right;
}

int job_request_fits(const json_t *options, const simulate_request *request)
{
    clup_plan any;
    if (fits(options, request, &request->problem))
        return 0;
    const clup_status status = clup_plan_choose(NULL, &request->problem, &request->method,
                                                &request->plan, &any);
    return status != CLUP_OK ? cli_fail(status) : 0;
}

int job_request_shares(const json_t *options, const simulate_request *request)
{
    clup_problem two = request->problem;
    two.replicas = 2;
    two.betas = NULL;
    return fits(options, request, &two);
}
