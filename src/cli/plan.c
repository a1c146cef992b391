/* clup plan: what could be taken for a problem, what is, and why. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/json.h"
#include "cli/simulate.h"

static simulate_wish wish = SIMULATE_WISH;

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

static const cli_option options[] = {
    SYSTEM_OPTIONS,
    REPLICA_OPTIONS,
    METHOD_OPTIONS,
    PLAN_OPTIONS,
    {"measure", 0, NULL, "measure the candidates on this problem", set_measure},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {"quiet", 'q', NULL, "no progress bar", simulate_set_quiet},
    {0},
};

/* A signal came while candidates were measured. */
static int interrupted;

static void print_ps(double ps)
{
    if (isnan(ps))
        printf("%10s", "");
    else
        printf("%10.4g", ps);
}

static void print_candidate(const clup_candidate *candidate)
{
    char tile[16] = "";
    if (candidate->tile > 0)
        snprintf(tile, sizeof tile, "%u", candidate->tile);
    printf("%c %-12s%-20s%-6s%4s", candidate->chosen ? '*' : ' ', clup_stage_name(candidate->stage), candidate->kernel, candidate->bonds, tile);
    print_ps(candidate->predicted_ps);
    if (wish.measure)
        print_ps(candidate->measured_ps);
    printf("  %s%s\n", candidate->possible ? "" : "no: ", candidate->reason);
}

static void print_rule(const clup_tile_rule *rule)
{
    printf("\ntile by the paper's formulas (constants: %s)\n", rule->origin);
    printf("  C_local/(m n) = %.4g ps, dmin = %.3g, b = %.4g ps, C_relax/(m n) = %.4g ps\n", rule->c_local_ps, rule->dmin, rule->b_ps, rule->c_relax_ps);
    printf("  B_opt(sew)   = %8.3g, on this device %u\n", rule->sew, rule->sew_limited);
    printf("  B_opt(relax) = %8.3g, on this device %u\n", rule->relax, rule->relax_limited);
}

static void print_report(const clup_report *report, const clup_device_info *device, uint64_t bytes)
{
    const clup_plan *plan = clup_report_plan(report);
    double plan_ps, best_ps;
    clup_report_measured(report, &plan_ps, &best_ps);
    printf("clup %s, plan for %s (%s, %s)\n", clup_version(), device->name, device->platform, device->driver);
    simulate_print_problem(&wish);
    simulate_print_plan(plan);
    if (!isnan(plan->predicted_ps))
        printf("  %-18s%.4g ps a site and sweep\n", "predicted", plan->predicted_ps);
    printf("  %-18s%.4g MB on the device, %.3g bytes a site\n", "memory", 1e-6 * (double)bytes,
           (double)bytes / (double)clup_problem_sites(&wish.problem) / (wish.problem.replicas > 0 ? wish.problem.replicas : 1));
    if (wish.measure && !isnan(plan_ps))
        printf("  %-18s%.4g ps, %.3f times the best combination of what was measured\n", "measured", plan_ps, plan_ps / best_ps);
    if (interrupted)
        printf("  %-18s%s\n", "interrupted:", clup_error_detail());
    print_rule(clup_report_tile_rule(report));
    printf("\n  %-12s%-20s%-6s%4s%10s%s  reason\n", "stage", "kernel", "bonds", "tile", "predicted", wish.measure ? "  measured" : "");
    for (size_t k = 0; k < clup_report_count(report); k++)
        print_candidate(clup_report_candidate(report, k));
}

static void write_candidate(json *json, const clup_candidate *candidate)
{
    json_open(json, NULL, '{');
    json_text(json, "stage", clup_stage_name(candidate->stage));
    json_text(json, "kernel", candidate->kernel);
    json_text(json, "bonds", candidate->bonds);
    json_whole(json, "tile", candidate->tile);
    json_flag(json, "possible", candidate->possible);
    json_flag(json, "chosen", candidate->chosen);
    json_number(json, "predicted_ps", candidate->predicted_ps);
    json_number(json, "measured_ps", candidate->measured_ps);
    json_text(json, "reason", candidate->reason);
    json_close(json, '}');
}

static void write_rule(json *json, const clup_tile_rule *rule)
{
    json_open(json, "tile_rule", '{');
    json_text(json, "origin", rule->origin);
    json_number(json, "c_local_ps", rule->c_local_ps);
    json_number(json, "dmin", rule->dmin);
    json_number(json, "a_ps", rule->a_ps);
    json_number(json, "b_ps", rule->b_ps);
    json_number(json, "c_relax_ps", rule->c_relax_ps);
    json_number(json, "sew", rule->sew);
    json_whole(json, "sew_limited", rule->sew_limited);
    json_number(json, "relax", rule->relax);
    json_whole(json, "relax_limited", rule->relax_limited);
    json_close(json, '}');
}

static void write_report(const clup_report *report, const clup_device_info *device, uint64_t bytes)
{
    json json = {stdout, 1};
    double plan_ps, best_ps;
    clup_report_measured(report, &plan_ps, &best_ps);
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/plan/1");
    json_text(&json, "version", clup_version());
    simulate_write_setup(&json, device, &wish.problem, clup_report_plan(report));
    json_whole(&json, "bytes", bytes);
    json_number(&json, "predicted_ps", clup_report_plan(report)->predicted_ps);
    json_number(&json, "measured_ps", plan_ps);
    json_number(&json, "best_measured_ps", best_ps);
    json_flag(&json, "interrupted", interrupted);
    write_rule(&json, clup_report_tile_rule(report));
    json_open(&json, "candidates", '[');
    for (size_t k = 0; k < clup_report_count(report); k++)
        write_candidate(&json, clup_report_candidate(report, k));
    json_close(&json, ']');
    json_close(&json, '}');
    json_end(&json);
}

static clup_status print(clup_context *context, const clup_report *report)
{
    uint64_t bytes;
    clup_status status = clup_simulation_bytes(context, &wish.problem, &wish.method, clup_report_plan(report), &bytes);
    if (status == CLUP_OK)
        (wish.json ? write_report : print_report)(report, clup_context_device(context), bytes);
    return status;
}

static int run(void)
{
    clup_context *context = NULL;
    clup_report *report = NULL;
    int code = simulate_settle(&wish);
    if (code != 0)
        return code;
    cli_watch(wish.quiet);
    clup_status status = clup_context_create(wish.device, &context);
    if (status == CLUP_OK)
        status = clup_report_create(context, &wish.problem, &wish.method, &wish.plan, wish.measure, &report);
    cli_clear();
    if (report != NULL) {
        const clup_status ended = status;
        interrupted = ended == CLUP_INTERRUPTED;
        cli_warn(clup_report_plan(report)->warning);
        status = print(context, report);
        status = status == CLUP_OK ? ended : status;
    }
    clup_report_free(report);
    clup_context_free(context);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

const cli_command cli_plan = {
    "plan", "what would be taken for a problem on a device, and why", options, &wish, run, simulate_more_help, NULL,
};
