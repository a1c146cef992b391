/* SPDX-License-Identifier: BSD-3-Clause */
/* The known-answer test of labelling: labels a small image of the problem's kind, with the kernels
 * compiled as for the problem, and compares with the serial definition. It finds a device or driver
 * that gets kernels wrong before labels are used. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "core/small.h"
#include "core/state.h"
#include "core/random.clh"
#include "label/labelling.h"

/* Pixels along x of a tile of 32 sites if a site is a block of 2 x 2 pixels; for other kernels at
 * least a tile. In the test image the second column of this width is empty, the third is full. */
#define COLUMN 64u

/* Makes a small image of the problem's kind, with tiles of a different kind in each column. A
 * work-item of a source has up to EACH pixels; sources of blocks are not considered, as they would
 * make the test long. */
static clup_label_problem small_problem(const clup_context *context,
                                        const clup_label_problem *image)
{
    enum { EACH = 8 };
    static const uint32_t sizes[2][3] = {{3 * COLUMN + 8, 37, 1}, {3 * COLUMN + 8, 6, 5}};
    const clup_problem whole = clup_image_pixels(image),
                       pixels = clup_problem_small(&whole,
                                                   sizes[clup_lattice_axes(whole.lattice) > 2],
                                                   context->quirks.few_items, EACH);
    const unsigned last = clup_lattice_axes(whole.lattice) - 1;
    clup_label_problem small = *image;
    memcpy(small.size, pixels.size, sizeof small.size);
    /* of a batch two images, with blocks of pixels where the images have them */
    if (clup_image_batch(image) > 1) {
        small.batch = 2;
        small.size[last] = (small.size[last] + 3) / 4 * 2 - image->size[last] % 2;
    }
    /* rows of a multiple of four pixels have special kernels */
    small.size[0] = (small.size[0] + 3) / 4 * 4 - (image->size[0] % 4 != 0);
    return small;
}

/* Returns one of four values of a channel; some pairs of them match, others do not. */
static double value_of(const clup_label_problem *problem, unsigned channel, uint32_t which)
{
    const double wished = problem->level + (double)problem->level_more,
                 level = wished < FLT_MAX / 4 ? floor(wished) : FLT_MAX / 4,
                 background = problem->has_background
                                  ? problem->background[channel] +
                                        (double)problem->background_more[channel]
                                  : 0;
    const double values[CLUP_MATCHES][4] = {
        [CLUP_MATCH_EQUAL] = {background, 0, 1, 1},
        [CLUP_MATCH_TOLERANCE] = {background, 0, level, 2 * level + 1},
        [CLUP_MATCH_NONZERO] = {0, 0, 1, 2},
        [CLUP_MATCH_THRESHOLD] = {level - 1, level, level + 1, level + 2},
    };
    return values[problem->match][which];
}

static void store(const clup_label_problem *problem, void *pixels, uint64_t k, double value)
{
    /* clips the value to the range of its type */
    const double least = clup_dtypes[problem->dtype].least;
    clup_value_put(problem->dtype, pixels, k,
                   clup_value_bits(problem->dtype, value < least ? least : value, 0));
}

/* Sets all channels of a pixel to one of the values; for bonds, sets the drawn bonds of a site. */
static void store_pixel(const clup_label_problem *problem, void *pixels, uint64_t pixel,
                        uint32_t which, uint32_t bonds)
{
    const unsigned channels = problem->channels;
    if (problem->match == CLUP_MATCH_BONDS)
        store(problem, pixels, pixel, (uint16_t)bonds);
    else
        for (unsigned c = 0; c < channels; c++)
            store(problem, pixels, pixel * channels + c, value_of(problem, c, which));
}

/* Draws a pixel. In most pixels all channels have the same value. */
static void draw(const clup_label_problem *problem, random_key key, uint64_t pixel, void *pixels)
{
    const philox_block drawn = random_block(key, PURPOSE_START, pixel, 0);
    /* with many neighbours half the pixels would form one cluster: an eighth are foreground then;
     * likewise few of many bonds are drawn */
    const bool many = problem->connectivity > 8, odd = drawn.v[0] >> 28 < problem->channels,
               empty = many && clup_image_by_foreground(problem) && (drawn.v[2] & 3) != 0;
    store_pixel(problem, pixels, pixel, empty ? 0 : drawn.v[0] & 3,
                many ? drawn.v[0] & drawn.v[1] & drawn.v[2] : drawn.v[0]);
    if (odd && !empty && problem->match != CLUP_MATCH_BONDS)
        store(problem, pixels, pixel * problem->channels + (drawn.v[0] >> 28),
              value_of(problem, drawn.v[0] >> 28, drawn.v[1] >> 30));
}

/* Draws the image. Columns whose tiles are empty or full stay so, if what matches allows it. */
static void draw_all(const clup_label_problem *problem, uint64_t count, void *pixels)
{
    const random_key key = clup_random_key(0, 0, 0);
    for (uint64_t pixel = 0; pixel < count; pixel++) {
        const uint64_t column = pixel % problem->size[0] / COLUMN;
        if (column == 1)
            store_pixel(problem, pixels, pixel, 0, 0);
        else if (column == 2)
            store_pixel(problem, pixels, pixel, 2, 0xFFFF);
        else
            draw(problem, key, pixel, pixels);
    }
}

/* Draws an image, and compares the labels of the kernels with those of the serial definition. */
static clup_status compare(clup_labelling *labelling)
{
    const clup_plan *plan = &labelling->plan;
    const clup_label_problem *problem = &labelling->problem;
    const uint64_t count = clup_lattice_sites(&labelling->pixel_lattice);
    void *pixels = calloc(count * problem->channels, clup_dtype_bytes(problem->dtype));
    uint32_t *labels = malloc(3 * count * sizeof *labels), clusters = 0, found = 0;
    clup_status status = CLUP_OK;
    if (pixels == NULL || labels == NULL) {
        status = clup_fail_memory("the known-answer test");
        goto done;
    }
    uint32_t *wanted = labels + count, *numbers = wanted + count;
    draw_all(problem, count, pixels);
    clup_label_reference(problem, pixels, wanted);
    CLUP_TRY(clup_labelling_run(labelling, pixels, CLUP_LABELS_CANONICAL, labels, NULL, NULL));
    bool right = memcmp(labels, wanted, count * sizeof *labels) == 0;
    CLUP_TRY(clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, labels, &found, NULL));
    for (uint64_t k = 0; right && k < count; k++) {
        numbers[k] = wanted[k] == NOWHERE ? 0 : wanted[k] == k ? ++clusters : numbers[wanted[k]];
        right = labels[k] == numbers[k];
    }
    right = right && found == clusters;
    if (!right)
        status = clup_fail(
            CLUP_ERROR_VERIFY,
            "source %s + local %s + consolidate %s + %s gives wrong labels on %s (%s)",
            plan->source, plan->local, plan->consolidate, plan->action,
            labelling->context->device.info.name, labelling->context->device.info.driver);
done:
    free(pixels);
    free(labels);
    return status;
}

/* Appends a line with all that the kernels of a labelling, and their test, depend on. */
static clup_status name_of(const clup_label_problem *small, const clup_plan *plan, clup_text *name)
{
    clup_text_add(name, "label %u %ux%ux%ux%u %u%u%u %d %s %u %s %s %s %s %u\n",
                  small->connectivity, small->size[0], small->size[1], small->size[2],
                  clup_image_batch(small), small->periodic[0] != 0, small->periodic[1] != 0,
                  small->periodic[2] != 0, (int)small->match, clup_dtype_name(small->dtype),
                  small->channels, plan->source, plan->local, plan->consolidate, plan->action,
                  plan->tile[1]);
    return clup_text_ok(name) ? CLUP_OK : clup_fail_memory("the known-answer test");
}

/* Makes a labelling, with buffers for an image and its labels. */
static clup_status make(clup_context *context, const clup_label_problem *problem,
                        const clup_plan *plan, clup_labelling **out)
{
    clup_status status = clup_labelling_create_only(context, problem, plan, out);
    if (status == CLUP_OK && (status = clup_labelling_reserve(*out)) != CLUP_OK) {
        clup_labelling_free(*out);
        *out = NULL;
    }
    return status;
}

clup_status clup_labelling_verify(clup_context *context, const clup_problem *problem,
                                  const clup_method *method, const clup_plan *plan)
{
    const clup_label_problem small = small_problem(context, problem->image);
    clup_text name = {0}, *verified = &context->verified;
    clup_labelling *tried = NULL;
    clup_status status = CLUP_OK;
    (void)method;
    CLUP_TRY(name_of(&small, plan, &name));
    if (verified->length > 0 && strstr(verified->data, name.data) != NULL)
        goto done;
    status = make(context, &small, plan, &tried);
    /* if the device has no room for the small image, tests one of the image's own size */
    if (status == CLUP_ERROR_MEMORY)
        status = make(context, problem->image, plan, &tried);
    CLUP_TRY(status);
    CLUP_TRY(compare(tried));
    clup_text_add_bytes(verified, name.data, name.length);
done:
    clup_labelling_free(tried);
    clup_text_free(&name);
    return status;
}
