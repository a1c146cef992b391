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
    return status;
}

static clup_status find_components(clup_context **context, label_result *result)
{
    const label_wish *wish = result->wish;
    clup_status status = clup_context_create(wish->device, context);
    if (status != CLUP_OK)
        return status;
    result->device = clup_context_device(*context);
    status = clup_label_image(*context, &wish->problem, result->image.pixels, 0, result->labels, &result->components, &result->timing);
    if (status != CLUP_OK)
        return status;
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
    return code;
}

const cli_command cli_label = {
    "label", "finds the connected components of an image or a volume", label_options, &label_wished, run, label_more_help, &label_operand,
};
