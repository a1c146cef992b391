/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports a plan, as a table for people or as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/units.h"
#include "cli/label/label.h"
#include "cli/plan/plan.h"

/* The number of plans that are listed after the chosen plan. */
#define NEXT_BEST 5

/* Whether candidates were measured. */
static int measured(const plan_result *result)
{
    return result->request->measure || result->request->plan.strategy == CLUP_PLAN_MEASURE;
}

static void print_ps(double ps)
{
    char text[BENCH_UNITS];
    printf("%10s", isnan(ps) ? "" : bench_digits(ps, text));
}

static void print_candidate(const clup_candidate *candidate, int with_measured)
{
    char tile[16] = "";
    if (candidate->tile > 0)
        snprintf(tile, sizeof tile, "%u", candidate->tile);
    printf("%c %-12s%-20s%-10s%4s", candidate->chosen ? '*' : ' ',
           clup_stage_name(candidate->stage), candidate->kernel, candidate->bonds, tile);
    print_ps(candidate->predicted_ps);
    if (with_measured)
        print_ps(candidate->measured_ps);
    printf("  %s%s%s\n", candidate->possible ? "" : "no: ",
           candidate->possible && candidate->stale ? "(by times from before it was changed) " : "",
           candidate->reason);
}

static void print_rule(const clup_tile_rule *rule)
{
    printf("\ntile by the paper's formulas (constants: %s)\n", rule->origin);
    char local[BENCH_UNITS], b[BENCH_UNITS], relax[BENCH_UNITS];
    printf("  C_local/(m n) = %s, dmin = %.3g, b = %s, C_relax/(m n) = %s\n",
           bench_units(1e-12 * rule->c_local_ps, "s", local), rule->dmin,
           bench_units(1e-12 * rule->b_ps, "s", b),
           bench_units(1e-12 * rule->c_relax_ps, "s", relax));
    printf("  B_opt(sew)   = %8s, on this device %u\n", bench_digits(rule->sew, b),
           rule->sew_limited);
    printf("  B_opt(relax) = %8s, on this device %u\n", bench_digits(rule->relax, b),
           rule->relax_limited);
}

static void print_memory(const plan_result *result)
{
    const clup_problem *problem = &result->request->problem;
    char taken[BENCH_UNITS], there[BENCH_UNITS];
    printf("  %-18s%s of %s on the device, %.3g bytes a site\n", "memory",
           bench_units((double)result->memory.bytes, "B", taken),
           bench_units((double)result->memory.device_bytes, "B", there),
           (double)result->memory.bytes /
               (double)(result->part_sites > 0 ? result->part_sites : clup_problem_sites(problem)) /
               (problem->replicas > 0 ? problem->replicas : 1));
}

/* The time of a sweep of one subdomain, in microseconds; NAN where not known. */
static double part_us(const plan_result *result)
{
    return 1e-6 * clup_report_plan(result->report)->predicted_ps * (double)result->part_sites *
           simulate_replicas(result->request);
}

/* Prints the predicted time of the plan, and how much of it is for launching the stages. */
static void print_predicted(const clup_report *report, const char *a)
{
    char time[BENCH_UNITS], apart[BENCH_UNITS];
    const double ps = clup_report_plan(report)->predicted_ps;
    double launches = ps;
    const clup_candidate *candidate;
    for (size_t k = 0; (candidate = clup_report_candidate(report, k)) != NULL; k++)
        launches -= candidate->chosen ? candidate->predicted_ps : 0;
    printf("  %-18s%s a %s", "predicted", bench_units(1e-12 * ps, "s", time), a);
    if (launches > 1e-6 * ps)
        printf(", %s of it to launch the stages", bench_units(1e-12 * launches, "s", apart));
    printf("\n");
}

/* Prints the union methods between processes. */
static void print_between(const plan_result *result)
{
    const double own_us = part_us(result);
    if (result->processes < 2)
        return;
    if (result->between_count == 0) {
        printf("\n  %" PRIu32 " processes have some of the systems each, and give each other "
               "nothing in a sweep\n",
               result->processes);
        return;
    }
    char bytes[BENCH_UNITS], time[BENCH_UNITS];
    printf("\n  %-12s%-20s%10s%12s%12s", "between", "processes", "rounds", "moved", "time");
    printf("%s\n", isnan(own_us) ? "" : "  efficiency");
    for (size_t k = 0; k < result->between_count; k++) {
        const clup_union_method_kind *row = &result->between[k];
        printf("  %-12s%-20s%10" PRIu32 "%12s%12s", row->chosen ? "*" : "", row->name, row->rounds,
               bench_units((double)row->bytes, "B", bytes),
               bench_units(1e-6 * row->predicted_us, "s", time));
        if (!isnan(own_us))
            printf("%10.1f %%", 100 * own_us / (own_us + row->predicted_us));
        putchar('\n');
    }
    printf("  in a sweep, of %" PRIu32 " processes with %" PRIu64 " sites each at most",
           result->processes, result->part_sites);
    if (!isnan(own_us))
        printf(", which take %s by themselves", bench_units(1e-6 * own_us, "s", time));
    putchar('\n');
}

/* Prints in one line which memory is too small. */
static void print_misfit(const clup_memory *memory)
{
    if (memory->fits)
        return;
    if (memory->largest > memory->device_largest)
        printf("does not fit: %s need %" PRIu64
               " bytes, the largest allocation on the device is %" PRIu64 "\n\n",
               memory->what, memory->largest, memory->device_largest);
    else
        printf("does not fit: it needs %" PRIu64 " bytes, the device has %" PRIu64 "\n\n",
               memory->bytes, memory->device_bytes);
}

/* Prints the kernels of the plan with their times. */
static void print_stages(const plan_result *result)
{
    printf("\n  %-12s%-20s%10s%s  ps a %s\n", "stage", "kernel", "predicted",
           measured(result) ? "  measured" : "",
           result->request->problem.model == CLUP_IMAGE ? "pixel" : "site and sweep");
    for (size_t k = 0; k < clup_report_count(result->report); k++) {
        const clup_candidate *candidate = clup_report_candidate(result->report, k);
        if (!candidate->chosen)
            continue;
        printf("  %-12s%-20s", clup_stage_name(candidate->stage), candidate->kernel);
        print_ps(candidate->predicted_ps);
        if (measured(result))
            print_ps(candidate->measured_ps);
        putchar('\n');
    }
}

static void print_alternatives(const plan_result *result)
{
    clup_alternative best[NEXT_BEST];
    char kernels[SIMULATE_KERNELS];
    const size_t count = clup_report_alternatives(result->report, best, NEXT_BEST);
    if (count > 0)
        printf("\n  %-12s%-20s%10s%s\n", "next best", "times the plan's", "predicted",
               measured(result) ? "  measured" : "");
    for (size_t k = 0; k < count; k++) {
        if (isnan(best[k].ratio))
            printf("  %-12s%-20s", "", "not known");
        else
            printf("  %-12s%-20.4g", "", best[k].ratio);
        print_ps(best[k].plan.predicted_ps);
        if (measured(result))
            print_ps(best[k].measured_ps);
        simulate_kernels_text(&best[k].plan, kernels);
        printf("  %s\n", kernels);
    }
}

/* Whether an earlier candidate has the same kernel and is distrusted, too. */
static int named_before(const clup_report *report, size_t candidate)
{
    const clup_candidate *one = clup_report_candidate(report, candidate);
    for (size_t k = 0; k < candidate; k++) {
        const clup_candidate *other = clup_report_candidate(report, k);
        if (other->distrusted && other->stage == one->stage &&
            strcmp(other->kernel, one->kernel) == 0)
            return 1;
    }
    return 0;
}

/* Prints in one line the kernels that gave wrong results. */
static void print_distrusted(const clup_report *report)
{
    const char *before = "\n  left out, for they gave wrong results on this device and driver: ";
    for (size_t k = 0; k < clup_report_count(report); k++) {
        const clup_candidate *candidate = clup_report_candidate(report, k);
        if (!candidate->distrusted || named_before(report, k))
            continue;
        printf("%s%s %s", before, clup_stage_name(candidate->stage), candidate->kernel);
        before = ", ";
    }
    if (*before == ',')
        printf("; clup selftest tries them again\n");
}

static void print_candidates(const plan_result *result)
{
    if (result->request->problem.model != CLUP_IMAGE)
        print_rule(clup_report_tile_rule(result->report));
    printf("\n  %-12s%-20s%-10s%4s%10s%s  reason\n", "stage", "kernel", "bonds", "tile",
           "predicted", measured(result) ? "  measured" : "");
    for (size_t k = 0; k < clup_report_count(result->report); k++)
        print_candidate(clup_report_candidate(result->report, k), measured(result));
}

void plan_print_table(const plan_result *result)
{
    const clup_plan *plan = clup_report_plan(result->report);
    const clup_device_info *device = result->device;
    const int image = result->request->problem.model == CLUP_IMAGE;
    double plan_ps, best_ps;
    char time[BENCH_UNITS];
    clup_report_measured(result->report, &plan_ps, &best_ps);
    print_misfit(&result->memory);
    printf("clup %s, plan for %s (%s, %s)\n", clup_version(), device->name, device->platform,
           device->driver);
    if (image)
        label_print_image(result->request->problem.image);
    else
        simulate_print_problem(result->request);
    simulate_print_plan(plan);
    if (!isnan(plan->predicted_ps) && result->request->plan.strategy != CLUP_PLAN_MEASURE)
        print_predicted(result->report, image ? "pixel" : "site and sweep");
    if (!isnan(plan_ps))
        printf("  %-18s%s, %.3f times the best combination of what was measured\n", "measured",
               bench_units(1e-12 * plan_ps, "s", time), plan_ps / best_ps);
    if (result->interrupted != NULL)
        printf("  %-18s%s\n", "interrupted:", result->interrupted);
    print_memory(result);
    print_stages(result);
    print_between(result);
    print_alternatives(result);
    print_distrusted(result->report);
    if (result->all)
        print_candidates(result);
    else
        printf("\n  %zu candidates were considered, see clup plan --all\n",
               clup_report_count(result->report));
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
    json_flag(json, "distrusted", candidate->distrusted);
    json_flag(json, "stale", candidate->stale);
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

static void write_memory(json *json, const clup_memory *memory)
{
    json_open(json, "memory", '{');
    json_flag(json, "fits", memory->fits);
    json_whole(json, "device_bytes", memory->device_bytes);
    json_whole(json, "largest", memory->largest);
    json_whole(json, "device_largest", memory->device_largest);
    json_text(json, "what", memory->what);
    json_close(json, '}');
}

static void write_alternatives(json *json, const plan_result *result)
{
    clup_alternative best[NEXT_BEST];
    const size_t count = clup_report_alternatives(result->report, best, NEXT_BEST);
    json_open(json, "next_best", '[');
    for (size_t k = 0; k < count; k++) {
        json_open(json, NULL, '{');
        simulate_write_plan(json, &result->request->problem, &best[k].plan);
        json_number(json, "predicted_ps", best[k].plan.predicted_ps);
        json_number(json, "measured_ps", best[k].measured_ps);
        json_number(json, "ratio", best[k].ratio);
        json_close(json, '}');
    }
    json_close(json, ']');
}

static void write_between(json *json, const plan_result *result)
{
    if (result->processes < 2)
        return;
    json_whole(json, "processes", result->processes);
    json_number(json, "part_us", result->between_count > 0 ? part_us(result) : NAN);
    json_open(json, "between", '[');
    for (size_t k = 0; k < result->between_count; k++) {
        const clup_union_method_kind *row = &result->between[k];
        json_open(json, NULL, '{');
        json_text(json, "name", row->name);
        json_flag(json, "chosen", row->chosen);
        json_whole(json, "rounds", row->rounds);
        json_whole(json, "round_bytes", row->round_bytes);
        json_whole(json, "bytes", row->bytes);
        json_number(json, "predicted_us", row->predicted_us);
        json_close(json, '}');
    }
    json_close(json, ']');
}

void plan_write_json(const plan_result *result)
{
    json json = {stdout, 1};
    const clup_report *report = result->report;
    const int image = result->request->problem.model == CLUP_IMAGE;
    double plan_ps, best_ps;
    clup_report_measured(report, &plan_ps, &best_ps);
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/plan/1");
    json_text(&json, "version", clup_version());
    if (image) {
        cli_write_device(&json, result->device);
        json_open(&json, "problem", '{');
        label_write_image(&json, result->request->problem.image);
        json_close(&json, '}');
        simulate_write_plan(&json, &result->request->problem, clup_report_plan(report));
    } else
        simulate_write_setup(&json, result->device, &result->request->problem,
                             clup_report_plan(report));
    json_whole(&json, "bytes", result->memory.bytes);
    write_memory(&json, &result->memory);
    json_number(&json, "predicted_ps", clup_report_plan(report)->predicted_ps);
    json_number(&json, "measured_ps", plan_ps);
    json_number(&json, "best_measured_ps", best_ps);
    json_flag(&json, "interrupted", result->interrupted != NULL);
    if (!image)
        write_rule(&json, clup_report_tile_rule(report));
    write_between(&json, result);
    write_alternatives(&json, result);
    json_open(&json, "candidates", '[');
    for (size_t k = 0; k < clup_report_count(report); k++)
        write_candidate(&json, clup_report_candidate(report, k));
    json_close(&json, ']');
    json_close(&json, '}');
    json_end(&json);
}
