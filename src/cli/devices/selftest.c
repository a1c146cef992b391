/* SPDX-License-Identifier: BSD-3-Clause */
/* clup selftest: compares every kernel with the serial definition of what it computes. */
#include <stdlib.h>

#include "cli/cli.h"
#include "cli/json.h"

static struct {
    const char *device;
    int full, json, quiet;
} request;

CLI_SET(set_device, device, value)
CLI_SET(set_full, full, 1)
CLI_SET(set_json, json, 1)
CLI_SET(set_quiet, quiet, 1)

static const cli_option options[] = {
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", set_device},
    {"full", 0, NULL, "all lattices, boundaries, numbers of states, tiles and types: minutes",
     set_full},
    {"json", 0, NULL, "print one JSON object", set_json},
    {"quiet", 'q', NULL, "no kernels that are right", set_quiet},
    {0},
};

/* The results that were reported. */
typedef struct results {
    json json;
    unsigned kernels, untried, runs, wrong;
} results;

/* The new trust in a kernel, in words for programs and for people. */
static const char *const trust_names[] = {[CLUP_TRUST_AS_BEFORE] = "as before",
                                          [CLUP_TRUST_LOST] = "lost",
                                          [CLUP_TRUST_REGAINED] = "regained"};
static const char *const trust_texts[] = {
    [CLUP_TRUST_AS_BEFORE] = "",
    [CLUP_TRUST_LOST] = "; plans leave it out from now on",
    [CLUP_TRUST_REGAINED] = "right again: plans may have it from now on"};

static void report(void *user, const clup_selftest_row *row)
{
    results *all = user;
    all->kernels++;
    all->untried += row->runs == 0;
    all->runs += row->runs;
    all->wrong += row->wrong > 0;
    if (request.json) {
        json_open(&all->json, NULL, '{');
        json_text(&all->json, "stage", clup_stage_name(row->stage));
        json_text(&all->json, "kernel", row->kernel);
        json_text(&all->json, "model", row->model);
        json_whole(&all->json, "runs", row->runs);
        json_whole(&all->json, "wrong", row->wrong);
        json_text(&all->json, "trust", trust_names[row->trust]);
        json_text(&all->json, "reason", row->reason);
        json_close(&all->json, '}');
    } else if (!request.quiet || row->wrong > 0 || row->trust != CLUP_TRUST_AS_BEFORE) {
        printf("  %-12s%-21s%-17s", clup_stage_name(row->stage), row->kernel, row->model);
        if (row->runs == 0)
            printf("%6s  %6s  %s\n", "-", "-", row->reason);
        else
            printf("%6u  %6u  %s%s\n", row->runs, row->wrong, row->reason, trust_texts[row->trust]);
        cli_flush();
    }
}

static clup_status test(clup_context *context, results *all)
{
    const clup_device_info *device = clup_context_device(context);
    if (request.json) {
        json_open(&all->json, NULL, '{');
        json_text(&all->json, "schema", "clup/selftest/1");
        json_text(&all->json, "version", clup_version());
        cli_write_device(&all->json, device);
        json_flag(&all->json, "full", request.full);
        json_open(&all->json, "kernels", '[');
    } else
        printf("clup %s, self-test of %s (%s, %s)\n\n  %-12s%-21s%-17s%6s  %6s\n", clup_version(),
               device->name, device->platform, device->driver, "stage", "kernel", "on", "tried",
               "wrong");
    const clup_status status = clup_selftest(context, request.full, report, all);
    if (request.json) {
        json_close(&all->json, ']');
        json_flag(&all->json, "right", status == CLUP_OK);
        json_close(&all->json, '}');
        json_end(&all->json);
    } else
        printf("\n  %u problems, %u kernels of which %u are wrong and %u were not tried\n",
               all->runs, all->kernels, all->wrong, all->untried);
    return status;
}

static int run(void)
{
    clup_context *context = NULL;
    results all = {.json = {stdout, 1}};
    cli_watch(1);
    clup_status status = cli_context_create(request.device, &context);
    if (status == CLUP_OK)
        status = test(context, &all);
    if (context != NULL)
        cli_warn(clup_distrust_warning(context));
    const int code = status == CLUP_OK ? 0 : cli_fail(status);
    clup_context_free(context);
    return code;
}

const cli_command cli_selftest = {
    "selftest", "tries every kernel on a device", options, NULL, run, NULL, NULL, NULL,
};
