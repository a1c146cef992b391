/* SPDX-License-Identifier: BSD-3-Clause */
/* clup plan: prints the candidates for a problem, the plan that is chosen, and why. */
#include <string.h>

#include "cli/label/label.h"
#include "cli/plan/plan.h"

static simulate_request request = SIMULATE_WISH;
static int all;
static uint32_t processes;

static clup_status set_measure(void *target, const char *value)
{
    (void)value;
    ((simulate_request *)target)->measure = 1;
    return CLUP_OK;
}

static clup_status set_processes(void *target, const char *value)
{
    uint64_t count;
    (void)target;
    const clup_status status = cli_parse_whole(value, 1, 1u << 20, &count);
    processes = (uint32_t)count;
    return status;
}

static clup_status set_json(void *target, const char *value)
{
    (void)value;
    ((simulate_request *)target)->json = 1;
    return CLUP_OK;
}

static clup_status set_all(void *target, const char *value)
{
    (void)target;
    (void)value;
    all = 1;
    return CLUP_OK;
}

#define SIMULATION_OPTIONS SYSTEM_OPTIONS, REPLICA_OPTIONS, METHOD_OPTIONS
/* clang-format off */
#define IMAGE_OPTIONS \
    LABEL_MATCH_OPTIONS, {"dtype", 0, "u8|u16|u32|u64|i8|i16|i32|i64|f32|f64", \
                          "type of the pixels (u8)", label_set_dtype}
/* clang-format on */

static const cli_option options[] = {
    SIMULATION_OPTIONS,
    {"image", 0, "WxH[xD]",
     "the plan for labelling images of this size, in place of a simulation's", label_set_shape},
    IMAGE_OPTIONS,
    PLAN_OPTIONS,
    {"processes", 0, "P", "the plan for as many processes, of clup-mpi, and what it takes to join",
     set_processes},
    {"measure", 0, NULL, "measure the candidates on this problem", set_measure},
    {"all", 0, NULL,
     "print every candidate and why it was taken, or not, and the paper's rule for the tile",
     set_all},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {"quiet", 'q', NULL, "no progress bar", simulate_set_quiet},
    {0},
};

/* Refuses options that go with another kind of problem. */
static int refuse(const cli_option *unfit, const char *with)
{
    for (unfit = cli_options(unfit); unfit->name != NULL; unfit++)
        if (cli_given(unfit->name))
            return cli_usage_error("--%s goes with %s", unfit->name, with);
    return 0;
}

/* Turns the options into a problem; 0, or an exit code after a message. */
static int settle(void)
{
    static const cli_option of_simulations[] = {SIMULATION_OPTIONS, {0}},
                            of_images[] = {IMAGE_OPTIONS, {0}};
    const clup_raw *raw = &label_wished.options.raw;
    clup_image image = {.axes = raw->axes,
                        .dtype = raw->dtype != CLUP_DTYPE_NONE ? raw->dtype : CLUP_DTYPE_U8,
                        .channels = 1};
    int code;
    if (!cli_given("image"))
        return (code = refuse(of_images, "--image")) != 0 ? code : simulate_settle(&request);
    if ((code = refuse(of_simulations, "a simulation, not with --image")) != 0)
        return code;
    memcpy(image.size, raw->size, sizeof image.size);
    if (label_level_by() != NULL)
        return cli_usage_error("--match threshold=%s: there are no pixels, give a number",
                               label_level_by());
    if ((code = label_settle_image(&label_wished, &image)) != 0)
        return code;
    request.problem = (clup_problem){.model = CLUP_IMAGE,
                                     .image = &label_wished.problem,
                                     .lattice = image.axes > 2 ? CLUP_LATTICE_CUBIC
                                                               : CLUP_LATTICE_SQUARE};
    memcpy(request.problem.size, image.size, sizeof image.size);
    const clup_status status = clup_problem_check(&request.problem);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

/* Functions of processes that do not exist. A context that has joined such processes makes the plan
 * of one of them, and never calls the others. */
static clup_status no_gather(const clup_ranks *ranks, const void *mine, size_t bytes, void *joined)
{
    (void)ranks, (void)mine, (void)bytes, (void)joined;
    return CLUP_ERROR_RUNTIME;
}

static clup_status no_sum(const clup_ranks *ranks, uint64_t *values, size_t count)
{
    (void)ranks, (void)values, (void)count;
    return CLUP_ERROR_RUNTIME;
}

static clup_status no_exchange(const clup_ranks *ranks, uint32_t to, const void *mine,
                               uint32_t from, void *theirs, size_t bytes)
{
    (void)ranks, (void)to, (void)mine, (void)from, (void)theirs, (void)bytes;
    return CLUP_ERROR_RUNTIME;
}

static clup_ranks absent = {
    .gather = no_gather, .sum = no_sum, .least = no_sum, .exchange = no_exchange};

/* Finds the union methods between so many processes, when each has a subdomain of the lattice. */
static clup_status settle_between(plan_result *result)
{
    const clup_problem *problem = &request.problem;
    const unsigned axis = clup_lattice_axes(problem->lattice) - 1;
    const uint64_t layers = problem->size[axis];
    result->processes = processes;
    if (processes < 2 || problem->replicas >= processes)
        return CLUP_OK;
    result->part_sites = clup_problem_sites(problem) / layers * ((layers - 1) / processes + 1);
    return clup_plan_between(problem, processes, request.plan.between, PLAN_BETWEEN,
                             result->between, &result->between_count);
}

/* Prints the report. Returns 0 or an exit code. When the plan does not fit, says so first, and
 * prints it all the same. */
static int print(clup_context *context, const clup_report *report, const char *interrupted)
{
    plan_result result = {.request = &request,
                          .report = report,
                          .device = clup_context_device(context),
                          .all = all,
                          .interrupted = interrupted};
    clup_status status = settle_between(&result);
    if (status == CLUP_OK)
        status = clup_simulation_memory(context, &request.problem, &request.method,
                                        clup_report_plan(report), &result.memory);
    if (status != CLUP_OK)
        return cli_fail(status);
    (request.json ? plan_write_json : plan_print_table)(&result);
    return result.memory.fits ? 0 : CLUP_ERROR_MEMORY;
}

static int run(void)
{
    clup_context *context = NULL;
    clup_report *report = NULL;
    int code = settle();
    if (code != 0)
        return code;
    if (processes > 1 && cli_given("image"))
        return cli_usage_error("--processes is for simulations, not for images");
    if (request.plan.between != NULL && processes < 2)
        return cli_usage_error("--between goes with --processes");
    cli_watch(request.quiet);
    clup_status status = cli_context_create(request.device, &context);
    if (status == CLUP_OK && processes > 1) {
        absent.count = processes;
        status = clup_context_join(context, &absent);
    }
    if (status == CLUP_OK)
        status = clup_report_create(context, &request.problem, &request.method, &request.plan,
                                    request.measure, &report);
    cli_clear();
    if (report == NULL) {
        clup_context_free(context);
        return cli_fail(status);
    }
    char how_far[256];
    snprintf(how_far, sizeof how_far, "%s", clup_error_detail());
    cli_warn(clup_report_plan(report)->warning);
    code = print(context, report, status == CLUP_INTERRUPTED ? how_far : NULL);
    clup_report_free(report);
    clup_context_free(context);
    return status == CLUP_INTERRUPTED ? cli_stopped("%s", how_far) : code;
}

const cli_command cli_plan = {
    "plan",  "what would be taken for a problem on a device, and why",
    options, &request,
    run,     simulate_more_help,
    NULL,    NULL,
};
