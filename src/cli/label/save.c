/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the files of a labelling. */
#include <sys/stat.h>

#include "cli/label/label.h"
#include "cli/paths.h"

static clup_status write_labels(const label_result *result)
{
    const label_request *request = result->request;
    return clup_labels_write(cli_world_is.ranks, request->output, result->labels,
                             request->problem.size, result->image.axes, result->components);
}

/* The array that a thread writes. */
static struct {
    clup_aside *thread;
    label_result result;
} ahead;

static clup_status write_ahead(void *unused)
{
    (void)unused;
    return write_labels(&ahead.result);
}

/* Whether the array can be written before its hash is known: no picture may fail before it, and it
 * is written whole or not at all. */
static int goes_ahead(const label_request *request)
{
    struct stat found;
    return request->output != NULL && !cli_is_stdout(request->output) &&
           !label_is_png(request->output) && request->colour == NULL &&
           cli_world_is.ranks == NULL &&
           (stat(request->output, &found) != 0 || S_ISREG(found.st_mode));
}

void label_save_begin(const label_result *result)
{
    if (!goes_ahead(result->request))
        return;
    ahead.result = *result;
    ahead.thread = clup_aside_begin(write_ahead, NULL);
}

void label_save_end(void)
{
    if (ahead.thread != NULL)
        (void)clup_aside_end(&ahead.thread);
}

/* The picture is first, as it is the only one that can fail because of the image. */
int label_save(const label_result *result)
{
    const label_request *request = result->request;
    const clup_image *image = &result->image;
    const int written = ahead.thread != NULL;
    clup_status status = written ? clup_aside_end(&ahead.thread) : CLUP_OK;
    if (request->output != NULL && label_is_png(request->output) && result->components > UINT16_MAX)
        return cli_usage_error("--output '%s': %u labels overflow the 16 bits of a PNG, write .npy",
                               request->output, (unsigned)result->components);
    if (status == CLUP_OK && request->colour != NULL)
        status = clup_labels_draw(request->colour, result->labels, image->size);
    if (status == CLUP_OK && request->output != NULL && !written)
        status = write_labels(result);
    if (status == CLUP_OK && request->stats != NULL)
        status = clup_clusters_write(request->stats, result->clusters, result->components,
                                     image->axes > 2 ? 3 : 2, image->channels);
    return status == CLUP_OK ? 0 : cli_fail(status);
}
