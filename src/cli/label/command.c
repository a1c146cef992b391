/* SPDX-License-Identifier: BSD-3-Clause */
/* clup label: labels the components of an image. */
#include "cli/label/label.h"

#include <stdlib.h>
#include <string.h>

#include "cli/paths.h"

/* The most pixels of an image that is labelled a second time to measure times, and the most seconds
 * that this may take. */
#define REPEATED_PIXELS ((uint64_t)1 << 28)
#define REPEATED_S 0.02

static int code_of(clup_status status)
{
    return status == CLUP_OK ? 0 : cli_fail(status);
}

/* Whether a file goes to standard output, so that no report is printed. */
static int takes_stdout(const label_request *request)
{
    return cli_is_stdout(request->output) || cli_is_stdout(request->stats);
}

static uint64_t product(const uint32_t size[3])
{
    return (uint64_t)size[0] * size[1] * size[2];
}

/* The pixels of this process. */
static uint64_t own_pixels(const label_result *result)
{
    return product(result->image.size);
}

static clup_status check_files(const label_request *request)
{
    const char *const files[] = {request->output, request->colour,   request->overlay,
                                 request->stats,  request->contacts, request->each};
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < sizeof files / sizeof *files && status == CLUP_OK; k++)
        if (files[k] != NULL && !cli_world_is.silent)
            status = clup_file_writable(files[k]);
    return status;
}

/* Labels the image; uses labelling unless it is NULL. */
static clup_status label_once(clup_context *context, clup_labelling *labelling,
                              label_result *result)
{
    const void *pixels = result->image.pixels;
    if (labelling != NULL)
        return clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, result->labels,
                                  &result->components, &result->timing);
    return clup_label_image(context, &result->request->problem, pixels, 0, result->labels,
                            &result->components, &result->timing);
}

/* Whether to label again: times are printed, and the first labelling took longer than its kernels
 * and transfers. Some drivers, such as PoCL, compile a kernel at its first launch. Larger images
 * are excluded: they may have been cut into slabs, and the union of slabs takes time. */
static int compiled(const label_result *result)
{
    const clup_label_timing *timing = &result->timing;
    const double known = timing->device_s + timing->transfer_s, rest = timing->wall_s - known;
    const int prints = result->request->json || !takes_stdout(result->request);
    /* NAN when events have no times */
    return prints && label_pixels(result) <= REPEATED_PIXELS && !(known > REPEATED_S) &&
           !(rest <= 0.01 || rest <= known / 4);
}

static clup_status label_timed(clup_context *context, clup_labelling *labelling,
                               label_result *result)
{
    clup_status status = label_once(context, labelling, result);
    if (status == CLUP_OK && cli_any(compiled(result)))
        status = label_once(context, labelling, result);
    return status;
}

/* Makes a labelling of the whole image, unless several processes have parts of it, or the device
 * has no room. */
static clup_status make_labelling(clup_context *context, const label_result *result,
                                  clup_labelling **labelling)
{
    *labelling = NULL;
    if (cli_world_is.processes > 1 || own_pixels(result) >= UINT32_MAX)
        return CLUP_OK;
    const clup_status status = clup_labelling_create(context, &result->request->problem, labelling);
    return status == CLUP_ERROR_MEMORY ? CLUP_OK : status;
}

/* Labels the image and measures its components: while it is on the device, where all of it is. */
static int measure_components(clup_context *context, label_result *result)
{
    const label_request *request = result->request;
    clup_labelling *labelling;
    clup_status status = make_labelling(context, result, &labelling);
    if (status == CLUP_OK)
        status = label_timed(context, labelling, result);
    /* the buffers of pixels and labels are made by the first run */
    if (status == CLUP_ERROR_MEMORY && labelling != NULL) {
        clup_labelling_free(labelling);
        labelling = NULL;
        status = label_timed(context, NULL, result);
    }
    int code = code_of(status);
    if (code == 0 && (result->clusters = malloc(((size_t)result->components + 1) *
                                                sizeof *result->clusters)) == NULL)
        code = cli_fail_memory("the statistics");
    status = CLUP_ERROR_MEMORY;
    if (code == 0 && labelling != NULL)
        status = clup_labelling_measure_run(labelling, result->components, result->clusters);
    clup_labelling_free(labelling);
    if (code == 0 && status == CLUP_ERROR_MEMORY)
        status = clup_label_measure(context, &request->problem, result->image.pixels,
                                    result->labels, result->components, result->clusters);
    return code == 0 ? code_of(status) : code;
}

/* Keeps the components that the rule keeps, and the statistics of these. */
static int keep(label_result *result)
{
    const label_request *request = result->request;
    const uint32_t found = result->components;
    uint32_t *numbers = NULL;
    clup_status status;
    if (result->clusters != NULL &&
        (numbers = malloc(((size_t)found + 1) * sizeof *numbers)) == NULL)
        return cli_fail_memory("the numbers of components");
    status = clup_labels_keep(cli_world_is.ranks, &request->problem, &request->rule, result->labels,
                              &result->components, &result->largest, numbers);
    for (uint32_t k = 0; status == CLUP_OK && numbers != NULL && k < found; k++)
        if (numbers[k + 1] > 0)
            result->clusters[numbers[k + 1] - 1] = result->clusters[k];
    free(numbers);
    return code_of(status);
}

static int find_components(clup_context **context, label_request *request, label_result *result)
{
    char before[512];
    int code = code_of(cli_context_create(request->device, context));
    if (code != 0)
        return code;
    result->device = clup_context_device(*context);
    if ((code = label_find_level(*context, &result->image, request)) != 0)
        return code;
    snprintf(before, sizeof before, "%s", clup_context_warning(*context));
    const int measures = request->stats != NULL && request->props == NULL;
    if ((code = label_prepare_props(*context, result)) != 0)
        return code;
    if ((code = measures ? measure_components(*context, result)
                         : code_of(label_timed(*context, NULL, result))) != 0)
        return code;
    /* the warning of the plan */
    if (strcmp(before, clup_context_warning(*context)) != 0)
        cli_warn(clup_context_warning(*context));
    clup_status status = CLUP_OK;
    if (request->fills)
        status = clup_labels_fill_holes(*context, &request->problem, result->labels,
                                        result->components, request->most_hole, &result->filled);
    if (status != CLUP_OK || (code = keep(result)) != 0)
        return status != CLUP_OK ? code_of(status) : code;
    if (request->json)
        status = clup_labels_sha256(cli_world_is.ranks, result->labels, own_pixels(result),
                                    result->labels_sha256);
    return status == CLUP_OK ? label_measure_props(result) : code_of(status);
}

/* Writes the files. The pictures are first, as they alone can fail because of the image. */
static int save(const label_result *result)
{
    const label_request *request = result->request;
    const clup_image *image = &result->image;
    clup_status status = CLUP_OK;
    if (request->output != NULL && label_is_png(request->output) && result->components > UINT16_MAX)
        return cli_usage_error("--output '%s': %u labels overflow the 16 bits of a PNG, write .npy "
                               "or .tif",
                               request->output, (unsigned)result->components);
    if (request->colour != NULL)
        status = (request->by_size ? clup_labels_draw_by_size : clup_labels_draw)(
            request->colour, result->labels, image->size);
    if (status == CLUP_OK && request->overlay != NULL)
        status = clup_labels_overlay(request->overlay, image, result->labels);
    if (status == CLUP_OK && request->output != NULL)
        status = clup_labels_write(cli_world_is.ranks, request->output, result->labels,
                                   request->problem.size, image->axes, result->components);
    if (cli_world_is.silent)
        return code_of(status);
    if (status == CLUP_OK && result->regions != NULL)
        status = clup_regions_write(request->stats, result->regions);
    else if (status == CLUP_OK && request->stats != NULL)
        status = clup_clusters_write(request->stats, result->clusters, result->components,
                                     image->axes > 2 ? 3 : 2, image->channels);
    return code_of(status);
}

static int label(clup_context **context, label_request *request, label_result *result)
{
    int code;
    request->to_folder = label_is_folder(request);
    code = label_settle(request);
    if (code == 0 && label_has_batch(request))
        return label_batch(request);
    cli_watch(request->quiet);
    if (code != 0 || (code = code_of(check_files(request))) != 0)
        return code;
    if (cli_world_is.processes > 1) {
        request->options.part = cli_world_is.ranks->index;
        request->options.parts = cli_world_is.ranks->count;
    }
    label_guard(request->input);
    cli_context_begin(request->device);
    if ((code = label_read(request->input, &request->options, &result->image)) != 0)
        return code;
    if ((code = label_settle_image(request, &result->image)) != 0 ||
        (code = label_read_intensity(result)) != 0)
        return code;
    if ((code = code_of(
             clup_labels_create(own_pixels(result), request->output, &result->labels))) != 0)
        return code;
    code = find_components(context, request, result);
    if (code == 0 && request->contacts != NULL)
        code = label_find_contacts(*context, result);
    cli_clear();
    if (code != 0 || (code = save(result)) != 0)
        return code;
    if (request->contacts != NULL && !cli_world_is.silent &&
        (code = label_save_contacts(result)) != 0)
        return code;
    if (request->each != NULL && (code = label_save_each(result)) != 0)
        return code;
    if (request->json)
        label_write_json(result);
    else if (!takes_stdout(request))
        label_print_table(result);
    return 0;
}

static int run(void)
{
    clup_context *context = NULL;
    label_result result = {.request = &label_wished};
    const int code = label(&context, &label_wished, &result);
    clup_regions_free(result.regions);
    cli_context_drop();
    clup_context_free(context);
    clup_labels_free(result.labels, own_pixels(&result));
    clup_image_clear(&result.image);
    clup_image_clear(&result.intensity);
    clup_contacts_clear(&result.contacts);
    free(result.clusters);
    free(label_wished.inputs);
    return code;
}

const cli_command cli_label = {
    "label",
    "finds the connected components of an image or a volume",
    label_options,
    &label_wished,
    run,
    label_more_help,
    &label_operand,
    NULL,
};
