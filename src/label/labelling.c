/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels images: one sweep of a plan whose source reads pixels, and whose action numbers
 * clusters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/timing.h"
#include "base/watch.h"
#include "family/image.h"
#include "label/labelling.h"
#include "ocl/host_memory.h"

const char *clup_label_layout = NULL;

static clup_status create(clup_labelling *labelling)
{
    const clup_problem pixels = clup_image_pixels(&labelling->problem);
    clup_update *update = &labelling->update;
    const clup_status status = clup_update_create(labelling->context, &pixels, NULL,
                                                  &labelling->plan, 0, update);
    const uint64_t images = clup_image_batch(&labelling->problem);
    labelling->pixel_lattice = clup_lattice_args(&pixels);
    /* buffer of root marks, for kernels that mark roots while they find clusters */
    update->state.key_bits = update->prepared[CLUP_ACTION].scratch[CLUP_KEY_BITS];
    return status != CLUP_OK || images == 1
               ? status
               : clup_buffer_create(labelling->context, 4 * images, "the images of a batch",
                                    &labelling->before);
}

clup_status clup_labelling_choose(clup_context *context, const clup_problem *image, clup_plan *plan)
{
    const clup_plan_request request = {.bonds = clup_label_layout};
    return clup_plan_choose(context, image, NULL, &request, plan);
}

clup_status clup_labelling_create_only(clup_context *context, const clup_label_problem *problem,
                                       const clup_plan *plan, clup_labelling **out)
{
    clup_labelling *labelling = calloc(1, sizeof *labelling);
    if (labelling == NULL)
        return clup_fail_memory("the labelling");
    labelling->problem = *problem;
    labelling->context = context;
    const clup_problem image = {.model = CLUP_IMAGE, .image = problem};
    clup_status status = CLUP_OK;
    if (plan != NULL)
        labelling->plan = *plan;
    else
        CLUP_TRY(clup_labelling_choose(context, &image, &labelling->plan));
    CLUP_TRY(create(labelling));
done:
    if (status == CLUP_OK)
        *out = labelling;
    else
        clup_labelling_free(labelling);
    return status;
}

const clup_plan *clup_labelling_plan(const clup_labelling *labelling)
{
    return labelling != NULL ? &labelling->plan : NULL;
}

void clup_labelling_free(clup_labelling *labelling)
{
    if (labelling == NULL)
        return;
    clup_prepared_clear(&labelling->measure);
    clup_update_clear(&labelling->update);
    clup_buffer_free(labelling->context, labelling->pixels);
    clup_buffer_free(labelling->context, labelling->labels);
    clup_buffer_free(labelling->context, labelling->statistics);
    clup_buffer_free(labelling->context, labelling->open);
    clup_buffer_free(labelling->context, labelling->before);
    clup_pinned_free(labelling->context, &labelling->room);
    free(labelling);
}

static clup_status check_form(clup_label_form form)
{
    return form == CLUP_LABELS_NUMBERED || form == CLUP_LABELS_CANONICAL
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "form %d of labels is not known", (int)form);
}

static clup_status enqueue(clup_labelling *labelling, cl_mem pixels, cl_mem labels,
                           clup_label_form form)
{
    clup_state *state = &labelling->update.state;
    state->pixels = pixels;
    state->numbers = labels;
    state->canonical = form == CLUP_LABELS_CANONICAL;
    labelling->counted = labelling->ranked = labelling->known = false;
    clup_status status = clup_update_sweep(&labelling->update);
    labelling->counted = status == CLUP_OK && !state->canonical;
    if (labelling->counted && labelling->before != NULL) {
        status = clup_number_before(&labelling->update.prepared[CLUP_ACTION], labelling->before);
        labelling->ranked = status == CLUP_OK;
    }
    return status;
}

clup_status clup_labelling_enqueue(clup_labelling *labelling, cl_mem pixels, cl_mem labels,
                                   clup_label_form form, unsigned count, cl_event const *wait,
                                   cl_event *event)
{
    CLUP_NEED(labelling);
    CLUP_NEED(pixels);
    CLUP_NEED(labels);
    clup_context *context = labelling->context;
    clup_status status = check_form(form);
    CLUP_TRY(status);
    if (count > 0)
        CLUP_NEED(wait);
    if (count > 0)
        CLUP_TRY(clup_cl_check(clEnqueueBarrierWithWaitList(context->queue, count, wait, NULL),
                               "clEnqueueBarrierWithWaitList"));
    context->timer.off = context->unpaced = true;
    clup_watch_hold();
    labelling->found = true;
    status = enqueue(labelling, pixels, labels, form);
    clup_watch_release();
    context->timer.off = context->unpaced = false;
    labelling->done = false;
    if (status == CLUP_OK && event != NULL)
        status = clup_cl_check(clEnqueueMarkerWithWaitList(context->queue, 0, NULL, event),
                               "clEnqueueMarkerWithWaitList");
    if (status == CLUP_OK)
        status = clup_cl_check(clFlush(context->queue), "clFlush");
done:
    return status;
}

clup_status clup_labelling_read_count(clup_labelling *labelling, uint32_t *clusters)
{
    const clup_prepared *number = &labelling->update.prepared[CLUP_ACTION];
    return clup_cl_check(clEnqueueReadBuffer(labelling->context->queue,
                                             number->scratch[CLUP_KEY_SUMS], CL_TRUE,
                                             number->scratch_bytes[CLUP_KEY_SUMS] - 4,
                                             sizeof *clusters, clusters, 0, NULL, NULL),
                         "clEnqueueReadBuffer");
}

clup_status clup_labelling_count(clup_labelling *labelling, uint32_t *clusters)
{
    CLUP_NEED(labelling);
    CLUP_NEED(clusters);
    if (!labelling->found)
        return clup_fail(CLUP_ERROR_USAGE, "no image was labelled before its clusters are counted");
    clup_status status = CLUP_OK;
    if (!labelling->counted)
        CLUP_TRY(clup_number_count(&labelling->update.prepared[CLUP_ACTION]));
    labelling->counted = true;
    if (!labelling->known)
        CLUP_TRY(clup_labelling_read_count(labelling, &labelling->clusters));
    labelling->known = true;
    *clusters = labelling->clusters;
    clup_timer_collect(&labelling->context->timer);
done:
    return status;
}

/* Bytes of an image and of its labels. */
static uint64_t pixel_bytes(const clup_labelling *labelling)
{
    const clup_label_problem *problem = &labelling->problem;
    return clup_lattice_sites(&labelling->pixel_lattice) * problem->channels *
           clup_dtype_bytes(problem->dtype);
}

static uint64_t label_bytes(const clup_labelling *labelling)
{
    return 4 * clup_lattice_sites(&labelling->pixel_lattice);
}

static const char pixels_called[] = "the pixels", labels_called[] = "the labels of pixels";

clup_status clup_labelling_reserve(clup_labelling *labelling)
{
    clup_context *context = labelling->context;
    const uint64_t pixels = pixel_bytes(labelling), labels = label_bytes(labelling);
    clup_status status = CLUP_OK;
    if (labelling->lent) {
        CLUP_TRY(clup_buffer_check(context, pixels, pixels_called));
        CLUP_TRY(clup_buffer_check(context, labels, labels_called));
        return CLUP_OK;
    }
    if (labelling->pixels == NULL)
        CLUP_TRY(clup_buffer_create(context, pixels, pixels_called, &labelling->pixels));
    if (labelling->labels == NULL)
        CLUP_TRY(clup_buffer_create(context, labels, labels_called, &labelling->labels));
done:
    return status;
}

bool clup_labelling_leaves_room(const clup_labelling *labelling)
{
    const clup_context *context = labelling->context;
    return !context->shares_host || context->allocated <= clup_host_memory();
}

/* Gives the pixels to the device: transfers or lends them. */
static clup_status give(clup_labelling *labelling, const void *pixels, uint32_t *labels)
{
    clup_context *context = labelling->context;
    clup_status status = CLUP_OK;
    if (!labelling->lent)
        return clup_buffer_write(context, labelling->pixels, 0, pixel_bytes(labelling), pixels);
    CLUP_TRY(clup_buffer_lend(context, (void *)pixels, pixel_bytes(labelling), &labelling->pixels));
    if (context->poison >= 0)
        memset(labels, context->poison, label_bytes(labelling));
    CLUP_TRY(clup_buffer_lend(context, labels, label_bytes(labelling), &labelling->labels));
done:
    return status;
}

/* Takes back what was lent, whether or not the labelling succeeded. */
static clup_status take_back(clup_labelling *labelling)
{
    clup_context *context = labelling->context;
    const clup_status pixels = clup_buffer_return(context, labelling->pixels,
                                                  pixel_bytes(labelling)),
                      labels = clup_buffer_return(context, labelling->labels,
                                                  label_bytes(labelling));
    labelling->pixels = labelling->labels = NULL;
    return pixels != CLUP_OK ? pixels : labels;
}

/* Takes the labels from the device. */
static clup_status take(clup_labelling *labelling, uint32_t *labels)
{
    return labelling->lent ? take_back(labelling)
                           : clup_buffer_read(labelling->context, labelling->labels, 0,
                                              label_bytes(labelling), labels);
}

clup_status clup_labelling_find(clup_labelling *labelling, const void *pixels, clup_label_form form,
                                uint32_t *labels, uint32_t *clusters, clup_label_timing *spent)
{
    clup_context *context = labelling->context;
    clup_status status = CLUP_OK;
    labelling->done = false;
    const double start = clup_now_s();
    *spent = (clup_label_timing){0};
    CLUP_TRY(clup_labelling_reserve(labelling));
    clup_timer_collect(&context->timer);
    clup_timer_reset(&context->timer);
    const double last = clup_now_s();
    CLUP_TRY(give(labelling, pixels, labels));
    spent->transfer_s += clup_now_s() - last;
    labelling->found = true;
    CLUP_TRY(enqueue(labelling, labelling->pixels, labelling->labels, form));
    CLUP_TRY(clup_labelling_count(labelling, clusters));
    spent->wall_s += clup_now_s() - start;
done:
    if (status != CLUP_OK && labelling->lent)
        (void)take_back(labelling);
    return status;
}

clup_status clup_labelling_take(clup_labelling *labelling, uint32_t *labels,
                                clup_label_timing *spent)
{
    clup_context *context = labelling->context;
    const double last = clup_now_s();
    const clup_status status = take(labelling, labels);
    spent->transfer_s += clup_now_s() - last;
    clup_timer_collect(&context->timer);
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
        spent->device_s += 1e-9 * (double)context->timer.total_ns[stage];
    if (!clup_timer_known(&context->timer))
        spent->device_s = NAN;
    spent->wall_s += clup_now_s() - last;
    return status;
}

clup_status clup_labelling_run(clup_labelling *labelling, const void *pixels, clup_label_form form,
                               uint32_t *labels, uint32_t *clusters, clup_label_timing *timing)
{
    clup_label_timing spent;
    clup_status status = CLUP_OK;
    uint32_t count;
    CLUP_NEED(labelling);
    CLUP_NEED(pixels);
    CLUP_NEED(labels);
    CLUP_TRY(check_form(form));
    CLUP_TRY(clup_labelling_find(labelling, pixels, form, labels, &count, &spent));
    CLUP_TRY(clup_labelling_take(labelling, labels, &spent));
    labelling->done = form == CLUP_LABELS_NUMBERED && !labelling->lent;
    if (clusters != NULL)
        *clusters = count;
    if (timing != NULL)
        *timing = spent;
done:
    return status;
}
