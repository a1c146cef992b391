/* SPDX-License-Identifier: BSD-3-Clause */
/* clup compare: shows results of clup bench side by side. */
#include <stdlib.h>
#include <string.h>

#include "bench/draw/compare.h"
#include "bench/result.h"
#include "bench/status.h"
#include "cli/bench/bench.h"
#include "cli/paths.h"

static struct {
    const char *files[BENCH_COMPARED_MOST], *html, *md;
    size_t count;
    int json;
} request;

static clup_status set_file(void *target, const char *value)
{
    (void)target;
    request.files[request.count++] = value;
    return CLUP_OK;
}

CLI_SET(set_html, html, value)
CLI_SET(set_md, md, value)
CLI_SET(set_json, json, 1)

static const cli_option options[] = {
    {"html", 0, "F.html", "write a page that stands alone, in place of the table", set_html},
    {"md", 0, "F.md", "write a page in Markdown, in place of the table", set_md},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {0},
};

/* Before anything is read: refuses a page that would replace a result or another page, and tests
 * that pages can be written. */
static int check_outputs(void)
{
    const char *const outputs[] = {request.html, request.md}, *const names[] = {"html", "md"};
    if (cli_is_stdout(request.html) + cli_is_stdout(request.md) + request.json > 1)
        return cli_usage_error("standard output is for one of --html -, --md - and --json");
    if (request.html != NULL && request.md != NULL && cli_same_file(request.html, request.md))
        return cli_usage_error("--html and --md are the same file, '%s'", request.html);
    for (size_t k = 0; k < 2; k++) {
        for (size_t f = 0; f < request.count && outputs[k] != NULL; f++)
            if (cli_same_file(outputs[k], request.files[f]))
                return cli_usage_error("--%s '%s' is one of the results", names[k], outputs[k]);
        const clup_status status = outputs[k] != NULL ? clup_file_writable(outputs[k]) : CLUP_OK;
        if (status != CLUP_OK)
            return cli_fail(status);
    }
    return 0;
}

/* Fails for points whose spins or labels differ: prints their number, and the first. */
static int fail_different(const json_t *different)
{
    const json_t *first = json_array_get(different, 0), *files = json_object_get(first, "files");
    const size_t count = json_array_size(different);
    return bench_cli_fail(bench_fail(
        CLUP_ERROR_VERIFY, "%zu point%s gave different spins or labels: %s%s, in %s and %s", count,
        count == 1 ? "" : "s", json_string_value(json_object_get(first, "id")),
        count == 1 ? "" : " and others", json_string_value(json_array_get(files, 0)),
        json_string_value(json_array_get(files, 1))));
}

static int show(const json_t *comparison)
{
    const json_t *different = json_object_get(json_object_get(comparison, "hashes"), "different");
    if (request.json) {
        json_dumpf(comparison, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
        putchar('\n');
    } else if (request.html == NULL && request.md == NULL)
        bench_compare_print(comparison, stdout);
    cli_flush();
    if (request.html != NULL || request.md != NULL) {
        const clup_status status = bench_compare_write(comparison, request.md, request.html);
        if (status != CLUP_OK)
            return bench_cli_fail(status);
    }
    return json_array_size(different) > 0 ? fail_different(different) : 0;
}

static int run(void)
{
    json_t *results[BENCH_COMPARED_MOST] = {NULL}, *comparison = NULL;
    int code = check_outputs();
    clup_status status = CLUP_OK;
    if (code != 0)
        return code;
    for (size_t k = 0; k < request.count && status == CLUP_OK; k++)
        status = bench_result_load(request.files[k], &results[k]);
    if (status == CLUP_OK)
        status = bench_compare(results, request.files, request.count, &comparison);
    code = status == CLUP_OK ? show(comparison) : bench_cli_fail(status);
    for (size_t k = 0; k < request.count; k++)
        json_decref(results[k]);
    json_decref(comparison);
    return code;
}

static const cli_operand operand = {{"RESULT.json", 0, "F.json",
                                     "results of clup bench; others are held against the first",
                                     set_file},
                                    1,
                                    BENCH_COMPARED_MOST};

const cli_command cli_compare = {
    "compare", "lays results of clup bench side by side", options, &request, run, NULL, &operand,
    NULL,
};
