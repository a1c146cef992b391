/* clup compare: results of clup bench side by side. */
#include <stdlib.h>
#include <string.h>

#include "bench/compare.h"
#include "bench/result.h"
#include "cli/bench.h"

#define FILES_MOST 16

static struct {
    const char *files[FILES_MOST], *html, *md;
    size_t count;
    int json;
} wish;

static clup_status set_file(void *target, const char *value)
{
    (void)target;
    wish.files[wish.count++] = value;
    return CLUP_OK;
}

CLI_SET(set_html, html, value)
CLI_SET(set_md, md, value)
CLI_SET(set_json, json, 1)

static const cli_option options[] = {
    {"html", 0, "F", "write a page that stands alone", set_html},
    {"md", 0, "F.md", "write a page in Markdown", set_md},
    {"json", 0, NULL, "print one JSON object instead of a table", set_json},
    {0},
};

/* Before anything is read; a page that cannot be written is known in time. */
static int check_outputs(void)
{
    const char *const outputs[] = {wish.html, wish.md};
    for (size_t k = 0; k < 2; k++)
        if (outputs[k] != NULL) {
            const clup_status status = clup_file_writable(outputs[k]);
            if (status != CLUP_OK)
                return cli_fail(status);
        }
    return 0;
}

static int show(const json_t *comparison)
{
    if (wish.json) {
        json_dumpf(comparison, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
        putchar('\n');
    } else if (wish.html == NULL && wish.md == NULL)
        bench_compare_print(comparison, stdout);
    cli_flush();
    if (wish.html != NULL || wish.md != NULL) {
        const clup_status status = bench_compare_write(comparison, wish.md, wish.html);
        if (status != CLUP_OK)
            return bench_cli_fail(status);
    }
    const json_t *different = json_object_get(json_object_get(comparison, "hashes"), "different");
    if (json_array_size(different) == 0)
        return 0;
    return bench_cli_fail(
        bench_fail(CLUP_ERROR_VERIFY, "%zu points gave different spins or labels, the first is %s",
                   json_array_size(different),
                   json_string_value(json_object_get(json_array_get(different, 0), "id"))));
}

static int run(void)
{
    json_t *results[FILES_MOST] = {NULL}, *comparison = NULL;
    int code = check_outputs();
    clup_status status = CLUP_OK;
    if (code != 0)
        return code;
    for (size_t k = 0; k < wish.count && status == CLUP_OK; k++)
        status = bench_result_load(wish.files[k], &results[k]);
    if (status == CLUP_OK)
        status = bench_compare(results, wish.files, wish.count, &comparison);
    code = status == CLUP_OK ? show(comparison) : bench_cli_fail(status);
    for (size_t k = 0; k < wish.count; k++)
        json_decref(results[k]);
    json_decref(comparison);
    return code;
}

static const cli_operand operand = {{"RESULT.json", 0, "F.json",
                                     "results of clup bench; others are held against the first",
                                     set_file},
                                    1,
                                    FILES_MOST};

const cli_command cli_compare = {
    "compare", "lays results of clup bench side by side", options, &wish, run, NULL, &operand,
};
