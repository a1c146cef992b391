/* SPDX-License-Identifier: BSD-3-Clause */
/* What clup label says of several images: tables and JSON. */
#include <inttypes.h>
#include <stdlib.h>

#include "bench/units.h"
#include "cli/label/batch.h"
#include "cli/table.h"

int label_batch_save(const label_batches *batches)
{
    const label_request *request = batches->request;
    uint64_t *before = calloc(batches->images + 1, sizeof *before);
    const char **names = calloc(batches->images + 1, sizeof *names);
    int code = before == NULL || names == NULL ? cli_fail_memory("the statistics") : 0;
    for (uint64_t k = 0; k < batches->images && code == 0; k++) {
        before[k + 1] = before[k] + batches->rows[k].components;
        names[k] = batches->rows[k].name;
    }
    if (code == 0) {
        const clup_status status = clup_batch_write(
            request->stats, batches->clusters, before, batches->images,
            request->batch ? NULL : names, request->numbering, batches->axes, batches->channels);
        code = status == CLUP_OK ? 0 : cli_fail(status);
    }
    free(before);
    free(names);
    return code;
}

void label_batch_table(const label_batches *batches)
{
    const clup_device_info *device = clup_context_device(batches->context);
    uint64_t largest = 0;
    char wall[BENCH_UNITS], rate[BENCH_UNITS];
    for (uint64_t k = 0; k < batches->images; k++)
        if (batches->rows[k].largest > largest)
            largest = batches->rows[k].largest;
    printf("clup %s, label\n", clup_version());
    if (batches->request->batch)
        label_print_image(&batches->problem);
    table_line("device", "%s (%s, %s)", device->name, device->platform, device->driver);
    table_line("images", "%" PRIu64 " %s, numbered %s", batches->images,
               batches->request->batch ? "frames" : "files",
               batches->request->numbering == CLUP_NUMBER_EACH ? "each from 1 on" : "throughout");
    printf("  %-18s%" PRIu64, "components", batches->components);
    label_print_rule(batches->request);
    printf("\n");
    table_line("largest", "%" PRIu64 " pixels", largest);
    table_line("time", "%s by the wall clock; %s", bench_units(batches->spent.wall_s, "s", wall),
               bench_units((double)batches->pixels / batches->spent.wall_s, "pixels/s", rate));
}

void label_batch_json(const label_batches *batches)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/label-batch/1");
    json_text(&json, "version", clup_version());
    cli_write_device(&json, clup_context_device(batches->context));
    if (batches->request->batch) {
        json_text(&json, "file", batches->request->input);
        label_write_image(&json, &batches->problem);
    }
    json_text(&json, "number",
              batches->request->numbering == CLUP_NUMBER_EACH ? "each" : "throughout");
    label_write_rule(&json, batches->request);
    json_whole(&json, "components", batches->components);
    json_open(&json, "images", '[');
    for (uint64_t k = 0; k < batches->images; k++) {
        const label_row *row = &batches->rows[k];
        json_open(&json, NULL, '{');
        if (row->name != NULL)
            json_text(&json, "file", row->name);
        else
            json_whole(&json, "frame", k);
        json_whole(&json, "components", row->components);
        json_whole(&json, "largest", row->largest);
        json_text(&json, "labels_sha256", row->sha256);
        json_close(&json, '}');
    }
    json_close(&json, ']');
    json_open(&json, "timing", '{');
    json_number(&json, "device_ms", 1e3 * batches->spent.device_s);
    json_number(&json, "transfer_ms", 1e3 * batches->spent.transfer_s);
    json_number(&json, "wall_ms", 1e3 * batches->spent.wall_s);
    json_close(&json, '}');
    json_close(&json, '}');
    json_end(&json);
}
