/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels batches of images: as many at once as the device has room for. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/dtype.h"
#include "base/watch.h"
#include "family/image.h"
#include "label/labelling.h"

/* ---- one labelling --------------------------------------------------------------------------- */

/* Fills the buffer before, where the last labelling did not. */
static clup_status fill_before(clup_labelling *labelling)
{
    clup_prepared *number = &labelling->update.prepared[CLUP_ACTION];
    uint32_t clusters;
    clup_status status = CLUP_OK;
    if (labelling->ranked)
        return CLUP_OK;
    CLUP_TRY(clup_labelling_count(labelling, &clusters));
    CLUP_TRY(clup_number_ranks(number));
    CLUP_TRY(clup_number_before(number, labelling->before));
    labelling->ranked = true;
done:
    return status;
}

clup_status clup_labelling_before(clup_labelling *labelling, uint32_t *before)
{
    clup_status status = CLUP_OK;
    CLUP_NEED(labelling);
    CLUP_NEED(before);
    const uint32_t images = clup_image_batch(&labelling->problem);
    before[0] = 0;
    if (images > 1 && labelling->found) {
        CLUP_TRY(fill_before(labelling));
        CLUP_TRY(clup_buffer_read(labelling->context, labelling->before, 0, images * sizeof *before,
                                  before));
    }
    CLUP_TRY(clup_labelling_count(labelling, &before[images]));
done:
    return status;
}

clup_status clup_labelling_number_each(clup_labelling *labelling, cl_mem labels)
{
    CLUP_NEED(labelling);
    CLUP_NEED(labels);
    if (!labelling->found || labelling->update.state.canonical)
        return clup_fail(CLUP_ERROR_USAGE, "no image was labelled with CLUP_LABELS_NUMBERED before "
                                           "its clusters are numbered anew");
    if (labelling->before == NULL)
        return CLUP_OK;
    labelling->done = false;
    return clup_number_each(&labelling->update.prepared[CLUP_ACTION], labelling->before, labels);
}

/* ---- all ------------------------------------------------------------------------------------- */

typedef struct batches {
    clup_context *context;
    clup_label_problem problem; /* of batch images */
    uint64_t pixels_each, bytes_each;
    clup_numbering numbering;
    clup_labelling *labelling; /* of the problem; NULL where images are labelled in slabs */
    uint32_t *counts;          /* [batch + 1] */
    uint64_t found;            /* clusters so far */
    clup_cluster **clusters;   /* NULL for no statistics */
    uint64_t room;             /* clusters for which there is memory */
    clup_label_timing spent;
} batches;

/* Makes the labelling of so many images at once. */
static clup_status prepare(batches *batches, uint64_t images)
{
    if (batches->labelling != NULL && batches->problem.batch == images)
        return CLUP_OK;
    clup_labelling_free(batches->labelling);
    batches->labelling = NULL;
    batches->problem.batch = images;
    const clup_status status = clup_labelling_create(batches->context, &batches->problem,
                                                     &batches->labelling);
    return status == CLUP_OK ? clup_labelling_reserve(batches->labelling) : status;
}

/* Finds how many images are labelled at once, at most images. */
static clup_status divide(batches *batches, uint64_t images, uint64_t *each)
{
    if (batches->pixels_each > CLUP_SITES_32) {
        *each = 1;
        return batches->clusters == NULL
                   ? CLUP_OK
                   : clup_fail(CLUP_ERROR_USAGE,
                               "an image of more than %u pixels has no statistics", CLUP_SITES_32);
    }
    const bool alone = batches->problem.periodic[clup_image_last_axis(&batches->problem)];
    const uint64_t room = CLUP_SITES_32 / batches->pixels_each, most = alone || room < 1 ? 1 : room;
    for (uint64_t parts = (images - 1) / most + 1;;
         parts = 2 * parts < images ? 2 * parts : images) {
        *each = (images - 1) / parts + 1;
        const clup_status status = prepare(batches, *each);
        if (status != CLUP_ERROR_MEMORY)
            return status;
        clup_labelling_free(batches->labelling);
        batches->labelling = NULL;
        if (*each == 1)
            return batches->clusters == NULL ? CLUP_OK : status;
    }
}

/* Makes room for count clusters more, and measures them. */
static clup_status measure(batches *batches, uint32_t count)
{
    clup_labelling *labelling = batches->labelling;
    if (batches->clusters == NULL)
        return CLUP_OK;
    const uint64_t needed = batches->found + count + 1;
    if (needed > batches->room) {
        const uint64_t room = needed > 2 * batches->room ? needed : 2 * batches->room;
        clup_cluster *more = realloc(*batches->clusters, room * sizeof *more);
        if (more == NULL)
            return clup_fail_memory("the statistics of clusters");
        *batches->clusters = more;
        batches->room = room;
    }
    return clup_labelling_measure(labelling, labelling->pixels, labelling->labels, count,
                                  *batches->clusters + batches->found);
}

/* Numbers labels on from those of the images before. */
static clup_status number_on(const batches *batches, uint32_t *labels, uint64_t pixels,
                             uint32_t count)
{
    const uint64_t before = batches->found;
    if (before + count > CLUP_SITES_32)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " clusters are more than have a number of 32 bits",
                         before + count);
    for (uint64_t k = 0; before > 0 && k < pixels; k++)
        if (labels[k] > 0)
            labels[k] += (uint32_t)before;
    return CLUP_OK;
}

/* Labels the images that the labelling is for, or one in slabs. counts[] becomes the number of
 * clusters before each. */
static clup_status label_some(batches *batches, const void *pixels, uint32_t *labels)
{
    clup_labelling *labelling = batches->labelling;
    clup_label_timing spent;
    uint32_t count;
    clup_status status = CLUP_OK;
    if (labelling == NULL) {
        batches->counts[0] = 0;
        CLUP_TRY(clup_label_image(batches->context, &batches->problem, pixels, 0, labels,
                                  &batches->counts[1], &spent));
        goto done;
    }
    CLUP_TRY(clup_labelling_find(labelling, pixels, CLUP_LABELS_NUMBERED, labels, &count, &spent));
    CLUP_TRY(clup_labelling_before(labelling, batches->counts));
    CLUP_TRY(measure(batches, count));
    if (batches->numbering == CLUP_NUMBER_EACH)
        CLUP_TRY(clup_labelling_number_each(labelling, labelling->labels));
    CLUP_TRY(clup_labelling_take(labelling, labels, &spent));
done:
    if (status == CLUP_OK)
        clup_label_timing_add(&batches->spent, &spent);
    return status;
}

static clup_status label_all(batches *batches, uint64_t images, const void *pixels,
                             uint32_t *labels, uint64_t *before)
{
    uint64_t each;
    clup_status status = CLUP_OK;
    CLUP_TRY(divide(batches, images, &each));
    if ((batches->counts = malloc((each + 1) * sizeof *batches->counts)) == NULL)
        CLUP_TRY(clup_fail_memory("the numbers of clusters"));
    for (uint64_t first = 0, some; first < images; first += some) {
        some = images - first < each ? images - first : each;
        uint32_t *to = labels + first * batches->pixels_each;
        clup_task_done(first);
        if (batches->labelling != NULL)
            CLUP_TRY(prepare(batches, some));
        CLUP_TRY(label_some(batches, (const char *)pixels + first * batches->bytes_each, to));
        if (batches->numbering == CLUP_NUMBER_THROUGHOUT)
            CLUP_TRY(number_on(batches, to, some * batches->pixels_each, batches->counts[some]));
        for (uint64_t k = 0; before != NULL && k <= some; k++)
            before[first + k] = batches->found + batches->counts[k];
        batches->found += batches->counts[some];
    }
done:
    return status;
}

clup_status clup_label_batch(clup_context *context, const clup_label_problem *problem,
                             uint64_t images, const void *pixels, clup_numbering numbering,
                             uint32_t *labels, uint64_t *before, clup_cluster **clusters,
                             clup_label_timing *timing)
{
    clup_status status = CLUP_OK;
    if (clusters != NULL)
        *clusters = NULL;
    CLUP_NEED(context);
    CLUP_NEED(problem);
    CLUP_NEED(pixels);
    CLUP_NEED(labels);
    clup_label_problem layer = *problem; /* an image that is larger is labelled in slabs */
    layer.size[clup_image_last_axis(problem)] = 1;
    CLUP_TRY(clup_image_check(&layer));
    if (problem->batch > 1 || images == 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " images, each a batch of %" PRIu64
                         ": there is at least one, and each is one image",
                         images, problem->batch);
    if (numbering != CLUP_NUMBER_THROUGHOUT && numbering != CLUP_NUMBER_EACH)
        return clup_fail(CLUP_ERROR_USAGE, "numbering %d is not known", (int)numbering);
    const clup_problem one = clup_image_pixels(problem);
    batches batches = {.context = context,
                       .problem = *problem,
                       .pixels_each = clup_problem_sites(&one),
                       .numbering = numbering,
                       .clusters = clusters};
    batches.bytes_each = batches.pixels_each * problem->channels * clup_dtype_bytes(problem->dtype);
    const clup_task outer = clup_task_begin("label", "images", images);
    status = label_all(&batches, images, pixels, labels, before);
    clup_task_end(outer);
    clup_labelling_free(batches.labelling);
    free(batches.counts);
    if (status == CLUP_OK && timing != NULL)
        *timing = batches.spent;
    if (status != CLUP_OK && clusters != NULL) {
        clup_clusters_free(*clusters);
        *clusters = NULL;
    }
done:
    return status;
}

void clup_clusters_free(clup_cluster *clusters)
{
    free(clusters);
}
