/* SPDX-License-Identifier: BSD-3-Clause */
/* clup label of several images: the frames of a stack, or files, of which those that follow one
 * another and are of one kind are labelled together. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/label/batch.h"
#include "cli/message.h"
#include "cli/paths.h"

/* The most bytes of pixels of files that are labelled together, unless one has more. */
#define GROUP_BYTES ((uint64_t)1 << 28)

/* Images of one kind. */
typedef struct group {
    clup_image kind; /* what each is */
    uint64_t images, bytes_each;
    char *pixels;  /* of all */
    uint64_t room; /* images for which they have memory, where they are files */
    const char **names;
    uint32_t *labels;
} group;

static uint64_t pixels_each(const group *group)
{
    return (uint64_t)group->kind.size[0] * group->kind.size[1] * group->kind.size[2];
}

/* ---- a group --------------------------------------------------------------------------------- */

/* Keeps the components of an image that the rule keeps, and what is known of them, and adds to the
 * labels the number of those before where they are numbered throughout. */
static int keep(label_batches *batches, const group *group, uint64_t k,
                const clup_cluster *clusters, uint32_t count)
{
    const label_request *request = batches->request;
    uint32_t *labels = group->labels + k * pixels_each(group), left = count;
    label_row *row = &batches->rows[batches->images];
    row->name = group->names != NULL ? group->names[k] : NULL;
    uint32_t *numbers = malloc(((size_t)count + 1) * sizeof *numbers);
    if (numbers == NULL)
        return cli_fail_memory("the numbers of components");
    clup_status status = clup_labels_keep(NULL, &batches->problem, &request->rule, labels, &left,
                                          &row->largest, numbers);
    for (uint32_t n = 0; status == CLUP_OK && clusters != NULL && n < count; n++)
        if (numbers[n + 1] > 0)
            batches->clusters[batches->components + numbers[n + 1] - 1] = clusters[n];
    free(numbers);
    if (status != CLUP_OK)
        return cli_fail(status);
    row->components = left;
    if (batches->components + left > UINT32_MAX - 1)
        return cli_usage_error("%" PRIu64 " components are more than have a number of 32 bits",
                               batches->components + left);
    if (request->numbering == CLUP_NUMBER_THROUGHOUT)
        for (uint64_t i = 0; i < pixels_each(group); i++)
            labels[i] += labels[i] > 0 ? (uint32_t)batches->components : 0;
    if (request->json)
        status = clup_labels_sha256(NULL, labels, pixels_each(group), row->sha256);
    batches->images++;
    batches->components += left;
    batches->pixels += pixels_each(group);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

/* Makes room for the clusters of a group. */
static int reserve(label_batches *batches, uint64_t more)
{
    const uint64_t needed = batches->components + more + 1,
                   room = needed > 2 * batches->room ? needed : 2 * batches->room;
    if (needed <= batches->room)
        return 0;
    clup_cluster *grown = realloc(batches->clusters, room * sizeof *grown);
    if (grown == NULL)
        return cli_fail_memory("the statistics");
    batches->clusters = grown;
    batches->room = room;
    return 0;
}

/* Labels the images of a group. */
static int label_group(label_batches *batches, group *group)
{
    label_request request = *batches->request;
    const int measured = request.stats != NULL;
    uint64_t *before = calloc(group->images + 1, sizeof *before);
    clup_cluster *clusters = NULL;
    clup_label_timing timing;
    int code = before == NULL ? cli_fail_memory("the numbers of components") : 0;
    if (code == 0)
        code = label_settle_image(&request, &group->kind);
    if (code == 0) {
        clup_image all = group->kind;
        all.size[2] *= (uint32_t)group->images;
        all.pixels = group->pixels;
        code = label_find_level(batches->context, &all, &request);
    }
    if (code == 0) {
        batches->problem = request.problem;
        const clup_status status = clup_label_batch(
            batches->context, &request.problem, group->images, group->pixels, CLUP_NUMBER_EACH,
            group->labels, before, measured ? &clusters : NULL, &timing);
        code = status == CLUP_OK ? 0 : cli_fail(status);
    }
    if (code == 0) {
        clup_label_timing_add(&batches->spent, &timing);
        code = measured ? reserve(batches, before[group->images]) : 0;
    }
    for (uint64_t k = 0; k < group->images && code == 0; k++)
        code = keep(batches, group, k, measured ? clusters + before[k] : NULL,
                    (uint32_t)(before[k + 1] - before[k]));
    const unsigned axes = group->kind.axes > 2 ? 3 : 2;
    batches->axes = axes > batches->axes ? axes : batches->axes;
    if (group->kind.channels > batches->channels)
        batches->channels = group->kind.channels;
    clup_clusters_free(clusters);
    free(before);
    return code;
}

/* ---- a stack --------------------------------------------------------------------------------- */

static int label_stack(label_batches *batches)
{
    const label_request *request = batches->request;
    clup_image stack;
    uint32_t largest = 0;
    clup_status status;
    label_guard(request->input);
    int code = label_read(request->input, &request->options, &stack);
    if (code != 0)
        return code;
    group group = {.kind = stack, .images = stack.size[2], .pixels = stack.pixels};
    code = stack.axes == 3 ? 0
                           : cli_usage_error("--batch: '%s' is no stack of frames, it has %u "
                                             "axes",
                                             request->input, stack.axes);
    group.kind.axes = 2;
    group.kind.size[2] = 1;
    const uint64_t all = pixels_each(&group) * group.images;
    if (code == 0 && (batches->rows = calloc(group.images, sizeof *batches->rows)) == NULL)
        code = cli_fail_memory("the frames");
    if (code == 0 && (status = clup_labels_create(all, request->output, &group.labels)) != CLUP_OK)
        code = cli_fail(status);
    if (code == 0)
        code = label_group(batches, &group);
    for (uint64_t k = 0; k < batches->images; k++)
        if (batches->rows[k].components > largest)
            largest = batches->rows[k].components;
    if (request->numbering == CLUP_NUMBER_THROUGHOUT)
        largest = (uint32_t)batches->components;
    if (code == 0 && request->output != NULL &&
        (status = clup_labels_write(NULL, request->output, group.labels, stack.size, 3, largest)) !=
            CLUP_OK)
        code = cli_fail(status);
    clup_labels_free(group.labels, all);
    clup_image_clear(&stack);
    return code;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int is_of_kind(const group *group, const clup_image *image)
{
    const clup_image *kind = &group->kind;
    return memcmp(kind->size, image->size, sizeof kind->size) == 0 && kind->axes == image->axes &&
           kind->dtype == image->dtype && kind->channels == image->channels;
}

/* Writes the labels of each image of a group to its file; images and components are those of the
 * groups before. */
static int save_group(const label_batches *batches, const group *group, uint64_t images,
                      uint64_t components)
{
    const label_request *request = batches->request;
    char path[4096];
    for (uint64_t k = 0; k < group->images && request->to_folder; k++) {
        const uint64_t count = batches->rows[images + k].components;
        components += count;
        (void)label_output_of(request, group->names[k], path);
        const clup_status status = clup_labels_write(
            NULL, path, group->labels + k * pixels_each(group), group->kind.size, group->kind.axes,
            (uint32_t)(request->numbering == CLUP_NUMBER_EACH ? count : components));
        if (status != CLUP_OK)
            return cli_fail(status);
    }
    return 0;
}

/* Labels and saves what is in a group, and empties it. A problem that is not valid for the kind of
 * the group is that of its files, the others go on. */
static int flush_group(label_batches *batches, group *group)
{
    const uint64_t first = batches->images, components = batches->components,
                   pixels = batches->pixels;
    int code = 0;
    if (group->images == 0)
        return 0;
    if ((group->labels = malloc(4 * pixels_each(group) * group->images)) == NULL)
        code = cli_fail_memory("the labels");
    if (code == 0)
        code = label_group(batches, group);
    if (code == 0)
        code = save_group(batches, group, first, components);
    for (uint64_t k = 0; k < group->images && code != 0; k++)
        cli_message(0, "'%s' has not been labelled", group->names[k]);
    if (code != 0) {
        batches->images = first;
        batches->components = components;
        batches->pixels = pixels;
    }
    free(group->labels);
    free(group->pixels);
    group->labels = NULL;
    group->pixels = NULL;
    group->images = 0;
    return code;
}

/* Adds a file to the group that it is of, and labels the group before if it is of another. */
static int add_file(label_batches *batches, group *group, const char *name)
{
    clup_image image;
    int code = 0;
    label_guard(name);
    if ((code = label_read(name, &batches->request->options, &image)) != 0)
        return code;
    const uint64_t pixels = (uint64_t)image.size[0] * image.size[1] * image.size[2],
                   bytes = pixels * image.channels * clup_dtype_bytes(image.dtype);
    /* each file has its own threshold where that follows from pixels */
    if (group->images > 0 && (batches->request->threshold > 0 || !is_of_kind(group, &image) ||
                              (group->images + 1) * group->bytes_each > GROUP_BYTES))
        code = flush_group(batches, group);
    if (group->images == 0 || group->images == group->room) {
        const uint64_t room = group->images == 0 ? 1 : 2 * group->images;
        char *more = realloc(group->pixels, room * bytes);
        if (more == NULL) {
            clup_image_clear(&image);
            return cli_fail_memory("the pixels");
        }
        group->pixels = more;
        group->room = room;
    }
    group->kind = image;
    group->bytes_each = bytes;
    memcpy(group->pixels + group->images * bytes, image.pixels, bytes);
    group->names[group->images++] = name;
    clup_image_clear(&image);
    group->kind.pixels = NULL;
    return code;
}

static void note(label_batches *batches, int code)
{
    if (batches->failed == 0)
        batches->failed = code;
}

static int label_files(label_batches *batches)
{
    const label_request *request = batches->request;
    group group = {.names = calloc(request->input_count, sizeof *group.names)};
    batches->rows = calloc(request->input_count, sizeof *batches->rows);
    int code = group.names == NULL || batches->rows == NULL ? cli_fail_memory("the files") : 0;
    for (unsigned k = 0; k < request->input_count && code == 0; k++)
        note(batches, add_file(batches, &group, request->inputs[k]));
    if (code == 0)
        note(batches, flush_group(batches, &group));
    free(group.pixels);
    free(group.names);
    return code;
}

static int run(label_batches *batches)
{
    const label_request *request = batches->request;
    const char *const alone = request->to_folder ? NULL : request->output;
    int code = label_check_outputs(request);
    cli_watch(request->quiet);
    clup_status status = CLUP_OK;
    if (code == 0 && alone != NULL)
        status = clup_file_writable(alone);
    if (code == 0 && status == CLUP_OK && request->stats != NULL)
        status = clup_file_writable(request->stats);
    if (code != 0 || status != CLUP_OK)
        return code != 0 ? code : cli_fail(status);
    if ((status = cli_context_create(request->device, &batches->context)) != CLUP_OK)
        return cli_fail(status);
    code = request->batch ? label_stack(batches) : label_files(batches);
    cli_clear();
    if (code == 0 && request->stats != NULL)
        code = label_batch_save(batches);
    if (code == 0 && request->json)
        label_batch_json(batches);
    else if (code == 0 && batches->images > 0 && !cli_is_stdout(request->output) &&
             !cli_is_stdout(request->stats))
        label_batch_table(batches);
    return code != 0 ? code : batches->failed;
}

int label_batch(const label_request *request)
{
    label_batches batches = {.request = request, .axes = 2, .channels = 1};
    const int code = run(&batches);
    clup_context_free(batches.context);
    free(batches.clusters);
    free(batches.rows);
    return code;
}
