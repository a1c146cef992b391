/* SPDX-License-Identifier: BSD-3-Clause */
/* clup bench SUITE: measures a suite into a folder, writes its report, and finds what became
 * slower. */
#include <stdlib.h>
#include <string.h>

#include "bench/measure/baseline.h"
#include "bench/draw/report.h"
#include "bench/draw/send.h"
#include "bench/result.h"
#include "bench/measure/run.h"
#include "bench/status.h"
#include "cli/bench/bench.h"

int bench_cli_fail(clup_status status)
{
    if (status == CLUP_ERROR_USAGE)
        return cli_usage_error("%s", bench_detail());
    char text[1200];
    snprintf(text, sizeof text, "%s: %s", clup_status_text(status), bench_detail());
    cli_warn(text);
    return (int)status;
}

static void show(size_t done, size_t total, const char *id)
{
    (void)id;
    cli_task("bench", "points", done, total);
}

int bench_check_suite(const bench_request *request, const cli_option *options)
{
    static const char *const of_suites[] = {"quick", "out", "baseline", "report"},
                             *const of_both[] = {"device", "sizes", "quiet"};
    const int suite = request->suite != NULL || request->report != NULL;
    for (const cli_option *option = options; option->name != NULL; option++) {
        int for_suites = 0, for_both = 0;
        for (size_t k = 0; k < sizeof of_suites / sizeof *of_suites; k++)
            for_suites |= strcmp(of_suites[k], option->name) == 0;
        for (size_t k = 0; k < sizeof of_both / sizeof *of_both; k++)
            for_both |= strcmp(of_both[k], option->name) == 0;
        if (!for_both && cli_given(option->name) && for_suites != suite)
            return cli_usage_error("--%s goes %s a suite", option->name,
                                   for_suites ? "with" : "without");
    }
    if (request->suite != NULL && request->report != NULL)
        return cli_usage_error("--report F.json goes without a suite: nothing is measured");
    if (suite && request->out == NULL)
        return cli_usage_error("--out DIR is missing: where results and pictures go");
    return 0;
}

/* Writes the report of the result in a file; pictures may be missing. Says how to send a result of
 * all suites. */
static int write_report(const json_t *root, const char *path, const char *folder)
{
    char note[512] = "";
    clup_status status = bench_report_write(root, folder, note, sizeof note);
    if (status != CLUP_OK)
        return bench_cli_fail(status);
    cli_warn(note);
    printf("%s/report.html, %s/report.md: the report\n", folder, folder);
    if (bench_send_is_wanted(root))
        status = bench_send_write(root, path, folder, stdout);
    cli_flush();
    return status == CLUP_OK ? 0 : bench_cli_fail(status);
}

static void print_slower(void *user, const char *id, const char *series, double before, double now,
                         const char *unit)
{
    (void)user;
    printf("slower: %s, %s: %.4g %s, was %.4g\n", id, series, now, unit, before);
}

/* Reports what became slower than in an earlier result, or has other spins. */
static int compare_baseline(const json_t *baseline, const json_t *root)
{
    size_t slower = 0, compared = 0;
    const clup_status status = bench_slower(baseline, root, print_slower, NULL, &compared, &slower);
    if (status != CLUP_OK)
        return bench_cli_fail(status);
    printf("%zu points compared with the baseline, %zu slower by more than their spread\n",
           compared, slower);
    cli_flush();
    return slower > 0 ? CLUP_ERROR_VERIFY : 0;
}

static int run_suite(const bench_request *request, const json_t *baseline)
{
    bench_order order = {
        .suite = request->suite, .quick = request->quick, .size_count = request->size_count};
    bench_outcome outcome = {0};
    clup_context *context = NULL;
    char path[4200];
    memcpy(order.sizes, request->sizes, sizeof order.sizes);
    cli_watch(request->system.quiet);
    cli_task("bench", "points", 0, 0);
    const clup_status opened = cli_context_create(request->system.device, &context);
    if (opened != CLUP_OK)
        return cli_fail(opened);
    clup_status status = bench_run_suite(context, &order, request->out, cli_interrupted, show,
                                         &outcome);
    cli_clear();
    const size_t done = json_array_size(json_object_get(outcome.root, "points"));
    int code = 0;
    if (status == CLUP_INTERRUPTED)
        code = cli_stopped("%zu of %zu points are in %s/result.json; the same command goes on",
                           done, outcome.points, request->out);
    else if (status != CLUP_OK)
        code = bench_cli_fail(status);
    else {
        printf("%s/result.json: %zu points, %zu of them from before, %zu failed\n", request->out,
               done, outcome.before, outcome.failed);
        snprintf(path, sizeof path, "%s/result.json", request->out);
        code = write_report(outcome.root, path, request->out);
    }
    if (code == 0 && baseline != NULL)
        code = compare_baseline(baseline, outcome.root);
    json_decref(outcome.root);
    clup_context_free(context);
    return code;
}

int bench_suite_main(const bench_request *request)
{
    json_t *root = NULL;
    clup_status status = CLUP_OK;
    int code;
    /* fails before anything is measured */
    const char *read = request->report != NULL ? request->report : request->baseline;
    if (read != NULL && (status = bench_result_load(read, &root)) != CLUP_OK)
        return bench_cli_fail(status);
    code = request->report != NULL ? write_report(root, request->report, request->out)
                                   : run_suite(request, root);
    json_decref(root);
    return code;
}
