/* clup label: the components of an image. */
#include "cli/label.h"

#include <stdlib.h>
#include <string.h>

static int code_of(clup_status status)
{
    return status == CLUP_OK ? 0 : cli_fail(status);
}

static int is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

uint64_t label_pixels(const label_result *result)
{
    const uint32_t *size = result->image.size;
    return (uint64_t)size[0] * size[1] * size[2];
}

static clup_status check_files(const label_wish *wish)
{
    clup_status status = CLUP_OK;
    if (wish->output != NULL && !is_stdout(wish->output))
        status = clup_file_writable(wish->output);
    if (status == CLUP_OK && wish->colour != NULL)
        status = clup_file_writable(wish->colour);
    if (status == CLUP_OK && wish->stats != NULL)
        status = clup_file_writable(wish->stats);
    return status;
}

/* The image as a whole, whose components can be measured while they are on the device. */
static clup_status measure_components(clup_context *context, label_result *result)
{
    clup_labelling *labelling = NULL;
    clup_status status = clup_labelling_create(context, &result->wish->problem, &labelling);
    if (status == CLUP_OK)
        status = clup_labelling_run(labelling, result->image.pixels, CLUP_LABELS_NUMBERED, result->labels, &result->components, &result->timing);
    if (status == CLUP_OK && (result->clusters = malloc((result->components + 1) * sizeof *result->clusters)) == NULL)
        status = CLUP_ERROR_MEMORY;
    else if (status == CLUP_OK)
        status = clup_labelling_measure_run(labelling, result->components, result->clusters);
    clup_labelling_free(labelling);
    return status;
}

/* Leaves out those of components that are too small, as clup_labels_drop_small does. */
static void drop_small(label_result *result, uint32_t found)
{
    uint32_t kept = 0;
    for (uint32_t k = 0; k < found; k++)
        if (result->clusters[k].size >= result->wish->min_size)
            result->clusters[kept++] = result->clusters[k];
}

static clup_status find_components(clup_context **context, label_result *result)
{
    const label_wish *wish = result->wish;
    clup_status status = clup_context_create(wish->device, context);
    if (status != CLUP_OK)
        return status;
    result->device = clup_context_device(*context);
    if (wish->stats != NULL)
        status = measure_components(*context, result);
    else
        status = clup_label_image(*context, &wish->problem, result->image.pixels, 0, result->labels, &result->components, &result->timing);
    if (status != CLUP_OK)
        return status;
    if (wish->stats != NULL)
        drop_small(result, result->components);
    return clup_labels_drop_small(result->labels, label_pixels(result), wish->min_size, &result->components, &result->largest);
}

/* The picture goes first: of what is asked for it alone can fail on account of the image. */
static int save(const label_result *result)
{
    const label_wish *wish = result->wish;
    const clup_image *image = &result->image;
    clup_status status = CLUP_OK;
    if (wish->output != NULL && label_is_png(wish->output) && result->components > UINT16_MAX)
        return cli_usage_error("--output '%s': %u labels overflow the 16 bits of a PNG, write .npy", wish->output, (unsigned)result->components);
    if (wish->colour != NULL)
        status = clup_labels_draw(wish->colour, result->labels, image->size);
    if (status == CLUP_OK && wish->output != NULL)
        status = clup_labels_write(wish->output, result->labels, image->size, image->axes, result->components);
    if (status == CLUP_OK && wish->stats != NULL)
        status = clup_clusters_write(wish->stats, result->clusters, result->components, image->axes, image->channels);
    return code_of(status);
}

static int label(clup_context **context, label_wish *wish, label_result *result)
{
    int code = label_settle(wish);
    if (code != 0 || (code = code_of(check_files(wish))) != 0)
        return code;
    if ((code = code_of(clup_image_read(wish->input, &wish->options, &result->image))) != 0)
        return code;
    if ((code = label_settle_image(wish, &result->image)) != 0)
        return code;
    if ((result->labels = malloc(label_pixels(result) * sizeof *result->labels)) == NULL)
        return cli_fail_memory("the labels");
    if ((code = code_of(find_components(context, result))) != 0 || (code = save(result)) != 0)
        return code;
    if (wish->json)
        label_write_json(result);
    else if (!is_stdout(wish->output))
        label_print_table(result);
    return 0;
}

static int run(void)
{
    clup_context *context = NULL;
    label_result result = {.wish = &label_wished};
    const int code = label(&context, &label_wished, &result);
    clup_context_free(context);
    clup_image_clear(&result.image);
    free(result.labels);
    free(result.clusters);
    return code;
}

const cli_command cli_label = {
    "label", "finds the connected components of an image or a volume", label_options, &label_wished, run, label_more_help, &label_operand,
};
