/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports a labelling, as a table for people or as JSON. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bench/units.h"
#include "cli/label/label.h"
#include "cli/table.h"

uint64_t label_pixels(const label_result *result)
{
    const uint32_t *size = result->request->problem.size;
    return (uint64_t)size[0] * size[1] * size[2];
}

static double gpixel_per_s(const label_result *result)
{
    return result->timing.wall_s > 0 ? 1e-9 * (double)label_pixels(result) / result->timing.wall_s
                                     : NAN;
}

static const char *const matches[CLUP_MATCHES] = {"equal", "tolerance", "nonzero", "threshold",
                                                  "bonds"};

static int has_level(const clup_label_problem *problem)
{
    return problem->match == CLUP_MATCH_TOLERANCE || problem->match == CLUP_MATCH_THRESHOLD;
}

/* Whether one value is the background of a problem; otherwise the background is all pixels outside
 * of the foreground. */
static int has_background(const clup_label_problem *problem)
{
    return problem->has_background &&
           (problem->match == CLUP_MATCH_EQUAL || problem->match == CLUP_MATCH_TOLERANCE);
}

void label_print_image(const clup_label_problem *problem)
{
    char text[40];
    printf("  %-18s", "image");
    for (unsigned axis = 0; axis < clup_connectivity_axes(problem->connectivity); axis++)
        printf("%s%" PRIu32, axis > 0 ? " x " : "", problem->size[axis]);
    printf(", %s", clup_dtype_name(problem->dtype));
    if (problem->channels > 1)
        printf(", %u channels", problem->channels);
    printf("; %u neighbours", problem->connectivity);
    for (unsigned axis = 0; axis < clup_connectivity_axes(problem->connectivity); axis++)
        if (problem->periodic[axis])
            printf(", %c periodic", "xyz"[axis]);
    printf("; match %s", matches[problem->match]);
    if (has_level(problem) && problem->level_more == 0)
        printf(" %.9g", problem->level);
    else if (has_level(problem)) {
        cli_sum_text(problem->level, problem->level_more, text);
        printf(" %s", text);
    }
    if (label_level_by() != NULL)
        printf(" by %s", label_level_by());
    putchar('\n');
}

/* Prints which components are kept, in the line of their number. */
void label_print_rule(const label_request *request)
{
    const clup_label_rule *rule = &request->rule;
    const char *between = " of";
    if (rule->least > 1) {
        printf(" of %" PRIu64 " pixels or more", rule->least);
        between = ",";
    }
    if (rule->most > 0) {
        printf("%s %" PRIu64 " pixels or fewer", between, rule->most);
        between = ",";
    }
    if (rule->clear_border)
        printf(", not at the border");
    if (rule->largest > 0)
        printf(", the %" PRIu64 " largest", rule->largest);
}

void label_print_table(const label_result *result)
{
    const clup_label_timing *timing = &result->timing;
    char text[BENCH_UNITS];
    printf("clup %s, label\n", clup_version());
    label_print_image(&result->request->problem);
    table_line("device", "%s (%s, %s)", result->device->name, result->device->platform,
               result->device->driver);
    if (cli_world_is.processes > 0)
        printf("  %-18s%u, with a device each and a part of the image\n", "processes",
               cli_world_is.processes);
    printf("  %-18s%" PRIu32, "components", result->components);
    label_print_rule(result->request);
    printf("\n  %-18s%" PRIu64 " pixels, %.4g %% of the image\n", "largest", result->largest,
           100 * (double)result->largest / (double)label_pixels(result));
    if (result->request->fills)
        table_line("holes", "%" PRIu32 " filled", result->filled);
    if (result->request->contacts != NULL)
        table_line("contacts", "%" PRIu64 " pairs of components that touch, found in %s",
                   result->contacts.count,
                   bench_units(isfinite(result->contact_timing.device_s)
                                   ? result->contact_timing.device_s
                                   : result->contact_timing.wall_s,
                               "s", text));
    char wall[BENCH_UNITS], transfers[BENCH_UNITS], rate[BENCH_UNITS], kernels[64] = "";
    if (isfinite(timing->device_s))
        snprintf(kernels, sizeof kernels, "%s of it kernels and ",
                 bench_units(timing->device_s, "s", text));
    table_line("time", "%s by the wall clock, %s%s transfers; %s",
               bench_units(timing->wall_s, "s", wall), kernels,
               bench_units(timing->transfer_s, "s", transfers),
               bench_units(1e9 * gpixel_per_s(result), "pixels/s", rate));
}

/* Writes a sum; null for NAN and infinities. */
static void write_sum(json *json, const char *key, double number, int64_t more)
{
    char text[40];
    cli_sum_text(number, more, text);
    json_digits(json, key, isfinite(number) ? text : "null");
}

void label_write_image(json *json, const clup_label_problem *problem)
{
    json_open(json, "size", '[');
    for (unsigned axis = 0; axis < clup_connectivity_axes(problem->connectivity); axis++)
        json_whole(json, NULL, problem->size[axis]);
    json_close(json, ']');
    json_text(json, "dtype", clup_dtype_name(problem->dtype));
    json_whole(json, "channels", problem->channels);
    json_whole(json, "connectivity", problem->connectivity);
    json_open(json, "periodic", '[');
    for (unsigned axis = 0; axis < clup_connectivity_axes(problem->connectivity); axis++)
        json_flag(json, NULL, problem->periodic[axis]);
    json_close(json, ']');
    json_text(json, "match", matches[problem->match]);
    if (has_level(problem))
        write_sum(json, "level", problem->level, problem->level_more);
    else
        json_text(json, "level", NULL);
    json_text(json, "level_by", label_level_by());
    if (has_background(problem)) {
        json_open(json, "background", '[');
        for (unsigned c = 0; c < problem->channels; c++)
            write_sum(json, NULL, problem->background[c], problem->background_more[c]);
        json_close(json, ']');
    } else {
        json_text(json, "background", NULL);
    }
}

/* Writes which components are kept; what does not limit them only where it was given. */
void label_write_rule(json *json, const label_request *request)
{
    const clup_label_rule *rule = &request->rule;
    json_whole(json, "min_size", rule->least);
    if (rule->most > 0)
        json_whole(json, "max_size", rule->most);
    if (rule->clear_border)
        json_flag(json, "clear_border", 1);
    if (rule->largest > 0)
        json_whole(json, "most_components", rule->largest);
}

void label_write_json(const label_result *result)
{
    json json = {stdout, 1};
    json_open(&json, NULL, '{');
    json_text(&json, "schema", "clup/label/1");
    json_text(&json, "version", clup_version());
    json_text(&json, "file", result->request->input);
    cli_write_device(&json, result->device);
    if (cli_world_is.processes > 0)
        json_whole(&json, "processes", cli_world_is.processes);
    label_write_image(&json, &result->request->problem);
    label_write_rule(&json, result->request);
    json_whole(&json, "components", result->components);
    json_whole(&json, "largest", result->largest);
    if (result->request->fills)
        json_whole(&json, "filled_holes", result->filled);
    json_text(&json, "labels_sha256", result->labels_sha256);
    if (result->request->contacts != NULL)
        json_whole(&json, "contacts", result->contacts.count);
    json_open(&json, "timing", '{');
    json_number(&json, "device_ms", 1e3 * result->timing.device_s);
    json_number(&json, "transfer_ms", 1e3 * result->timing.transfer_s);
    json_number(&json, "wall_ms", 1e3 * result->timing.wall_s);
    json_number(&json, "gpixel_per_s", gpixel_per_s(result));
    if (result->request->contacts != NULL) {
        json_number(&json, "contacts_device_ms", 1e3 * result->contact_timing.device_s);
        json_number(&json, "contacts_wall_ms", 1e3 * result->contact_timing.wall_s);
    }
    json_close(&json, '}');
    json_close(&json, '}');
    json_end(&json);
}
