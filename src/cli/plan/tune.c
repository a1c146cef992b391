/* SPDX-License-Identifier: BSD-3-Clause */
/* clup tune: measures a device once, and saves the times. */
#include <math.h>
#include <string.h>

#include "bench/units.h"
#include "cli/cli.h"
#include "cli/json.h"

static struct {
    const char *device, *export_to, *import_from;
    int quick, json, quiet;
} request;

CLI_SET(set_device, device, value)
CLI_SET(set_export, export_to, value)
CLI_SET(set_import, import_from, value)
CLI_SET(set_quick, quick, 1)
CLI_SET(set_json, json, 1)
CLI_SET(set_quiet, quiet, 1)

static const cli_option options[] = {
    {"quick", 0, NULL, "fewer and smaller lattices", set_quick},
    {"device", 0, "D", "P:D, part of a name, UUID, PCI address, gpu, cpu", set_device},
    {"export", 0, "F.json", "write the tune database to a file; measures nothing", set_export},
    {"import", 0, "F.json", "merge a file into the tune database; measures nothing", set_import},
    {"json", 0, NULL, "print one JSON object instead of tables", set_json},
    {"quiet", 'q', NULL, "no progress bar", set_quiet},
    {0},
};

static void print_fit(const clup_fit *fit)
{
    printf("\n%s: %s\n ", fit->what, fit->formula);
    for (unsigned p = 0; p < fit->parameter_count; p++) {
        printf(" %s = %.5g", fit->parameters[p].name, fit->parameters[p].value);
        if (!isnan(fit->parameters[p].error))
            printf(" +- %.2g", fit->parameters[p].error);
        printf("%s%s", fit->parameters[p].unit[0] != '\0' ? " " : "", fit->parameters[p].unit);
        putchar(p + 1 < fit->parameter_count ? ',' : '\n');
    }
    printf("  deviation %.1f %% (rms)\n  %7s%6s%14s%14s%11s\n", 100 * fit->rms, "L", "B",
           "measured", "fitted", "deviation");
    for (size_t k = 0; k < fit->point_count; k++)
        printf("  %7u%6u%14.5g%14.5g%10.1f%%\n", fit->points[k].size, fit->points[k].tile,
               fit->points[k].measured, fit->points[k].fitted,
               100 * (fit->points[k].measured / fit->points[k].fitted - 1));
}

static void write_fit(json *json, const clup_fit *fit)
{
    json_open(json, NULL, '{');
    json_text(json, "fit", fit->what);
    json_text(json, "formula", fit->formula);
    json_open(json, "parameters", '{');
    for (unsigned p = 0; p < fit->parameter_count; p++) {
        json_open(json, fit->parameters[p].name, '{');
        json_number(json, "value", fit->parameters[p].value);
        json_number(json, "error", fit->parameters[p].error);
        json_text(json, "unit", fit->parameters[p].unit);
        json_close(json, '}');
    }
    json_close(json, '}');
    json_number(json, "rms", fit->rms);
    json_open(json, "points", '[');
    for (size_t k = 0; k < fit->point_count; k++) {
        json_open(json, NULL, '{');
        json_whole(json, "size", fit->points[k].size);
        json_whole(json, "tile", fit->points[k].tile);
        json_number(json, "measured", fit->points[k].measured);
        json_number(json, "fitted", fit->points[k].fitted);
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void print_tuning(const clup_tuning *tuning, const clup_device_info *device)
{
    printf("clup %s, tuning %s (%s, %s)\n\n%7s%8s  %-12s%-20s%-9s%4s%12s%12s%10s%12s\n",
           clup_version(), device->name, device->platform, device->driver, "L", "systems", "stage",
           "kernel", "bonds", "B", "ps/site", "wall", "spread", "iterations");
    for (size_t k = 0; k < clup_tuning_sample_count(tuning); k++) {
        const clup_sample *sample = clup_tuning_sample(tuning, k);
        char tile[16] = "", spread[16] = "", iterations[16] = "", ps[BENCH_UNITS],
             wall[BENCH_UNITS];
        if (sample->tile > 0)
            snprintf(tile, sizeof tile, "%u", sample->tile);
        if (!isnan(sample->spread))
            snprintf(spread, sizeof spread, "%.1f%%", 100 * sample->spread);
        if (!isnan(sample->iterations))
            snprintf(iterations, sizeof iterations, "%.4g", sample->iterations);
        printf("%7u%8u  %-12s%-20s%-9s%4s%12s%12s%10s%12s\n", sample->size, sample->systems,
               clup_stage_name(sample->stage), sample->kernel, sample->bonds, tile,
               bench_digits(sample->ps, ps), bench_digits(sample->wall_ps, wall), spread,
               iterations);
    }
    for (size_t k = 0; k < clup_tuning_fit_count(tuning); k++)
        print_fit(clup_tuning_fit(tuning, k));
    if (clup_tuning_before_count(tuning) > 0)
        printf("\nthe first %zu are those of a tuning that was interrupted\n",
               clup_tuning_before_count(tuning));
    if (!clup_tuning_finished(tuning))
        printf("\ninterrupted: %zu measured, no fits are made\n", clup_tuning_sample_count(tuning));
}

static void write_tuning(const clup_tuning *tuning, const clup_device_info *device)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/tuning/1");
    json_text(&json, "version", clup_version());
    json_text(&json, "device", device->name);
    json_text(&json, "driver", device->driver);
    json_flag(&json, "interrupted", !clup_tuning_finished(tuning));
    json_whole(&json, "samples", clup_tuning_sample_count(tuning));
    json_whole(&json, "samples_before", clup_tuning_before_count(tuning));
    json_open(&json, "fits", '[');
    for (size_t k = 0; k < clup_tuning_fit_count(tuning); k++)
        write_fit(&json, clup_tuning_fit(tuning, k));
    json_close(&json, ']');
    json_text(&json, "database", clup_tune_database());
    json_close(&json, '}');
    json_end(&json);
}

/* Saves the measured times, also when a signal ended the measurement. */
static int keep(const clup_tuning *tuning, const clup_device_info *device)
{
    const int finished = clup_tuning_finished(tuning);
    const size_t count = clup_tuning_sample_count(tuning);
    (request.json ? write_tuning : print_tuning)(tuning, device);
    if (count == 0)
        return cli_stopped("nothing was measured");
    const clup_status status = clup_tuning_save(tuning);
    if (status != CLUP_OK)
        return cli_fail(status);
    if (!finished)
        return cli_stopped("%zu measurements are kept in %s, where clup tune goes on; plans are "
                           "made without them until it is finished",
                           count, clup_tune_database());
    if (!request.json)
        printf("\nstored in %s\n", clup_tune_database());
    return 0;
}

static int tune(void)
{
    clup_context *context = NULL;
    clup_tuning *tuning = NULL;
    /* fails before time is spent on measuring */
    clup_status status = clup_tune_database_check();
    if (status == CLUP_OK)
        status = cli_context_create(request.device, &context);
    if (status == CLUP_OK)
        status = clup_tuning_create(context, request.quick, NULL, NULL, &tuning);
    cli_clear();
    const int code = tuning != NULL ? keep(tuning, clup_context_device(context)) : cli_fail(status);
    clup_tuning_free(tuning);
    clup_context_free(context);
    return code;
}

static clup_status import(void)
{
    clup_tune_rows rows;
    clup_status status = clup_tune_import(request.import_from, &rows);
    if (status != CLUP_OK)
        return status;
    cli_warn(rows.warning);
    printf("%u rows taken, %u older than those there, %u refused since their kernels were "
           "changed",
           rows.taken, rows.older, rows.stale);
    printf(rows.unreadable > 0 ? ", %u that cannot be read\n" : "\n", rows.unreadable);
    return CLUP_OK;
}

static clup_status export(void)
{
    clup_tune_rows rows;
    clup_status status = clup_tune_export(request.export_to, &rows);
    if (status == CLUP_OK)
        cli_warn(rows.warning);
    return status;
}

static int run(void)
{
    if (request.export_to == NULL && request.import_from == NULL) {
        cli_watch(request.quiet);
        return tune();
    }
    clup_status status = request.export_to != NULL ? export() : import();
    return status == CLUP_OK ? 0 : cli_fail(status);
}

const cli_command cli_tune = {
    "tune",  "measures a device's kernels, for the plans to come",
    options, &request,
    run,     NULL,
    NULL,    NULL,
};
