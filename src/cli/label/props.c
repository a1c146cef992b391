/* SPDX-License-Identifier: BSD-3-Clause */
/* The properties of components that --props names. */
#include <inttypes.h>
#include <string.h>

#include "cli/label/label.h"

int label_settle_props(const label_request *request)
{
    if (request->props != NULL && request->stats == NULL)
        return cli_usage_error("--props says what --stats writes, and needs it");
    if (request->props == NULL && request->intensity != NULL)
        return cli_usage_error("--intensity is for the properties that --props names");
    for (unsigned axis = 0; axis < 3 && request->props != NULL; axis++)
        if (request->problem.periodic[axis])
            return cli_usage_error("--props measures components with open axes, not with "
                                   "--periodic; --stats alone does both");
    return 0;
}

/* The image that has the values of pixels. */
static const clup_image *values_of(const label_result *result)
{
    return result->request->intensity != NULL ? &result->intensity : &result->image;
}

int label_read_intensity(label_result *result)
{
    const label_request *request = result->request;
    const clup_image *image = &result->image, *read = &result->intensity;
    if (request->intensity == NULL)
        return 0;
    const int code = label_read(request->intensity, &request->options, &result->intensity);
    if (code != 0)
        return code;
    const uint32_t *size = request->problem.size;
    uint32_t whole[3] = {read->size[0], read->size[1], read->size[2]};
    if (read->layers > 0)
        whole[read->axes == 3 ? 2 : 1] = read->layers;
    return memcmp(image->size, read->size, sizeof image->size) == 0 &&
                   memcmp(size, whole, sizeof whole) == 0
               ? 0
               : cli_usage_error("--intensity '%s' has %" PRIu32 " x %" PRIu32 " x %" PRIu32
                                 " pixels, the image %" PRIu32 " x %" PRIu32 " x %" PRIu32,
                                 request->intensity, whole[0], whole[1], whole[2], size[0], size[1],
                                 size[2]);
}

/* Prepares measuring, so that a property that there is not is refused before anything is
 * labelled. */
int label_prepare_props(clup_context *context, label_result *result)
{
    const label_request *request = result->request;
    const clup_image *values = values_of(result);
    const unsigned axes = result->image.axes > 2 ? 3 : 2;
    clup_region_problem problem = {.axes = axes,
                                   .properties = request->props,
                                   .dtype = values->dtype,
                                   .channels = values->channels};
    if (request->props == NULL)
        return 0;
    memcpy(problem.size, request->problem.size, sizeof problem.size);
    memcpy(problem.spacing, request->spacing, sizeof problem.spacing);
    const clup_status status = clup_regions_create(context, &problem, &result->regions);
    return status == CLUP_OK ? 0 : cli_fail(status);
}

int label_measure_props(label_result *result)
{
    if (result->regions == NULL)
        return 0;
    const clup_status status = clup_regions_measure_host(
        result->regions, result->labels, values_of(result)->pixels, result->components);
    return status == CLUP_OK ? 0 : cli_fail(status);
}
