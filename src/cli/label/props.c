/* SPDX-License-Identifier: BSD-3-Clause */
/* The properties of components that --props names. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/label/label.h"

clup_status label_set_spacing(void *target, const char *value)
{
    label_request *request = target;
    double *lengths = NULL;
    uint32_t count = 0;
    clup_status status = cli_parse_numbers(value, &lengths, &count);
    for (uint32_t k = 0; k < count && status == CLUP_OK; k++)
        if (!(lengths[k] > 0) || count > 3)
            status = CLUP_ERROR_USAGE;
    if (status == CLUP_OK)
        memcpy(request->spacing, lengths, count * sizeof *lengths);
    request->spacing_count = count;
    free(lengths);
    return status == CLUP_OK ? CLUP_OK
                             : cli_refuse("is not a positive length for each axis, with commas "
                                          "between them, x first");
}

int label_settle_props(const label_request *request)
{
    const char *const without = cli_given("spacing")     ? "--spacing"
                                : cli_given("intensity") ? "--intensity"
                                                         : NULL;
    if (request->props != NULL && request->stats == NULL)
        return cli_usage_error("--props says what --stats writes, and needs it");
    if (request->props == NULL && without != NULL)
        return cli_usage_error("%s is for the properties that --props names", without);
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
    const clup_status status = clup_image_read(request->intensity, &request->options,
                                               &result->intensity);
    if (status != CLUP_OK)
        return cli_fail(status);
    return memcmp(image->size, read->size, sizeof image->size) == 0
               ? 0
               : cli_usage_error("--intensity '%s' has %" PRIu32 " x %" PRIu32 " x %" PRIu32
                                 " pixels, the image %" PRIu32 " x %" PRIu32 " x %" PRIu32,
                                 request->intensity, read->size[0], read->size[1], read->size[2],
                                 image->size[0], image->size[1], image->size[2]);
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
    if (request->spacing_count > 0 && request->spacing_count != axes)
        return cli_usage_error("--spacing has %u lengths, the image %u axes",
                               (unsigned)request->spacing_count, axes);
    memcpy(problem.size, result->image.size, sizeof problem.size);
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
