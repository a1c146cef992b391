/* clup plan: what could be taken for a problem, what is, and why. */
#include "cli/plan.h"

static simulate_wish wish = SIMULATE_WISH;
static int all;

static clup_status set_measure(void *target, const char *value)
{
    (void)value;
    ((simulate_wish *)target)->measure = 1;
    return CLUP_OK;
}

static clup_status set_json(void *target, const char *value)
{
    (void)value;
    ((simulate_wish *)target)->json = 1;
    return CLUP_OK;
}

static clup_status set_all(void *target, const char *value)
{
    (void)target;
    (void)value;
    all = 1;
    return CLUP_OK;
}

static const cli_option options[] = {
    SYSTEM_OPTIONS,
    REPLICA_OPTIONS,
    METHOD_OPTIONS,
    PLAN_OPTIONS,
    {"measure", 0, NULL, "measure the candidates on this problem", set_measure},
    {"all", 0, NULL, "print every candidate and why it was taken, or not, and the paper's rule for the tile", set_all},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {"quiet", 'q', NULL, "no progress bar", simulate_set_quiet},
    {0},
};

/* 0, or an exit code: that the plan does not fit is said first, and is no reason not to print it. */
static int print(clup_context *context, const clup_report *report, const char *interrupted)
{
    plan_result result = {.wish = &wish, .report = report, .device = clup_context_device(context), .all = all, .interrupted = interrupted};
    clup_status status = clup_simulation_memory(context, &wish.problem, &wish.method, clup_report_plan(report), &result.memory);
    if (status != CLUP_OK)
        return cli_fail(status);
    (wish.json ? plan_write_json : plan_print_table)(&result);
    return result.memory.fits ? 0 : CLUP_ERROR_MEMORY;
}

static int run(void)
{
    clup_context *context = NULL;
    clup_report *report = NULL;
    int code = simulate_settle(&wish);
    if (code != 0)
        return code;
    cli_watch(wish.quiet);
    clup_status status = cli_context_create(wish.device, &context);
    if (status == CLUP_OK)
        status = clup_report_create(context, &wish.problem, &wish.method, &wish.plan, wish.measure, &report);
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
    "plan", "what would be taken for a problem on a device, and why", options, &wish, run, simulate_more_help, NULL,
};
