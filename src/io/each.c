/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes each cluster of an image by itself. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/text.h"
#include "base/watch.h"
#include "io/image.h"

/* The first and the last coordinates of a cluster; first is above last where there is none. */
typedef struct box {
    uint32_t first[3], last[3];
} box;

static clup_status find_boxes(const clup_image *image, const uint32_t *labels, uint32_t count,
                              box *boxes)
{
    const uint32_t *size = image->size, *label = labels;
    uint32_t at[3];
    for (uint64_t k = 0; k <= count; k++)
        boxes[k] = (box){{UINT32_MAX, UINT32_MAX, UINT32_MAX}, {0, 0, 0}};
    for (at[2] = 0; at[2] < size[2]; at[2]++)
        for (at[1] = 0; at[1] < size[1]; at[1]++)
            for (at[0] = 0; at[0] < size[0]; at[0]++, label++) {
                if (*label > count)
                    return clup_fail(CLUP_ERROR_USAGE,
                                     "label %" PRIu32 " at pixel %zu is larger than their number, "
                                     "%" PRIu32,
                                     *label, (size_t)(label - labels), count);
                for (unsigned axis = 0; axis < 3; axis++) {
                    box *box = &boxes[*label];
                    if (at[axis] < box->first[axis])
                        box->first[axis] = at[axis];
                    if (at[axis] > box->last[axis])
                        box->last[axis] = at[axis];
                }
            }
    return CLUP_OK;
}

/* Cuts the box of a cluster out of the image; the caller frees its pixels, which are NULL where
 * there is no memory. */
static clup_image cut(const clup_image *image, const uint32_t *labels, uint32_t label,
                      const box *box)
{
    const size_t bytes = clup_dtype_bytes(image->dtype) * image->channels;
    const char *const from = image->pixels;
    clup_image crop = {.axes = image->axes, .dtype = image->dtype, .channels = image->channels};
    size_t pixels = 1;
    for (unsigned axis = 0; axis < 3; axis++) {
        crop.size[axis] = box->last[axis] - box->first[axis] + 1;
        pixels *= crop.size[axis];
    }
    char *to = crop.pixels = calloc(pixels, bytes);
    for (size_t k = 0; to != NULL && k < pixels; k++) {
        const size_t x = box->first[0] + k % crop.size[0],
                     y = box->first[1] + k / crop.size[0] % crop.size[1],
                     z = box->first[2] + k / crop.size[0] / crop.size[1],
                     i = x + image->size[0] * (y + (size_t)image->size[1] * z);
        if (labels[i] == label)
            memcpy(to + k * bytes, from + i * bytes, bytes);
    }
    return crop;
}

static int digits_of(uint32_t number)
{
    int digits = 1;
    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

/* Writes a cluster to the path with -label before its extension, in so many digits. */
static clup_status write_one(const char *path, const clup_image *crop, uint32_t label, int digits)
{
    const char *dot = strrchr(path, '.'), *extension = dot != NULL ? dot : path + strlen(path);
    clup_text name = {0};
    clup_text_add(&name, "%.*s-%0*" PRIu32 "%s", (int)(extension - path), path, digits, label,
                  extension);
    const clup_status status = crop->pixels != NULL && clup_text_ok(&name)
                                   ? clup_image_write(name.data, crop)
                                   : clup_fail_memory("a cluster by itself");
    clup_text_free(&name);
    return status;
}

clup_status clup_labels_write_each(const char *path, const clup_image *image,
                                   const uint32_t *labels, uint32_t count)
{
    CLUP_NEED(path);
    CLUP_NEED(image);
    CLUP_NEED(image->pixels);
    CLUP_NEED(labels);
    box *boxes = malloc(((size_t)count + 1) * sizeof *boxes);
    clup_status status = CLUP_OK;
    if (boxes == NULL)
        return clup_fail_memory("the boxes of clusters");
    CLUP_TRY(CLUP_RESERVED(image, "clup_image"));
    CLUP_TRY(find_boxes(image, labels, count, boxes));
    for (uint64_t label = 1; label <= count; label++) {
        if (boxes[label].first[0] > boxes[label].last[0])
            continue;
        CLUP_TRY(clup_watch_ask());
        clup_image crop = cut(image, labels, (uint32_t)label, &boxes[label]);
        status = write_one(path, &crop, (uint32_t)label, digits_of(count));
        free(crop.pixels);
        CLUP_TRY(status);
    }
done:
    free(boxes);
    return status;
}
