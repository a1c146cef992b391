/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates the pixels of an image, takes them from a file, and puts their bytes into the host's
 * order. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/dtype.h"
#include "core/interface_entries.clh"
#include "io/labels.h"

clup_status clup_image_measure(const clup_input *input, const uint64_t size[3], clup_image *image,
                               size_t *bytes)
{
    uint64_t count = clup_dtype_bytes(image->dtype) * image->channels;
    for (unsigned axis = 0; axis < 3; axis++) {
        if (size[axis] == 0)
            return clup_input_fail(input, "the image is empty: an axis has the length 0");
        if (size[axis] > UINT32_MAX)
            return clup_input_fail(input, "an axis of %" PRIu64 " pixels is too long", size[axis]);
        if (size[axis] > input->most / count)
            return clup_fail(CLUP_ERROR_MEMORY,
                             "%s: %" PRIu64 " x %" PRIu64 " x %" PRIu64
                             " pixels of %zu bytes are more than the limit, %" PRIu64 " bytes",
                             input->name, size[0], size[1], size[2],
                             clup_dtype_bytes(image->dtype) * image->channels, input->most);
        count *= size[axis];
        image->size[axis] = (uint32_t)size[axis];
    }
    *bytes = (size_t)count;
    return *bytes == count ? CLUP_OK : clup_fail_memory(input->name);
}

size_t clup_image_values(const clup_image *image)
{
    return (size_t)image->size[0] * image->size[1] * image->size[2] * image->channels;
}

clup_status clup_image_allocate(const clup_input *input, size_t bytes, clup_image *image)
{
    clup_status status = clup_input_room(input, bytes);
    if (status == CLUP_OK && (image->pixels = calloc(bytes, 1)) == NULL)
        status = clup_fail_memory(input->name);
    return status;
}

/* Pages that are large enough to be touched quickly, and the least bytes that are read to where
 * they stay, by several threads. */
#define LARGE_PAGE ((size_t)1 << 21)
#define READ_APART ((size_t)1 << 23)

/* Whether the pixels can be read by themselves: they are not in memory yet, the file has places,
 * and standard input is left to be read on. */
static bool reads_apart(const clup_input *input, size_t offset, size_t bytes)
{
    return input->all > 0 && input->descriptor != STDIN_FILENO && bytes >= READ_APART &&
           input->size < (uint64_t)offset + bytes && (uint64_t)offset + bytes <= input->most;
}

/* Reads pixels from their place in the file to new memory. */
static clup_status read_pixels(const clup_input *input, size_t offset, size_t bytes,
                               clup_image *image)
{
    const size_t pages = (bytes - 1) / LARGE_PAGE + 1;
    clup_status status = clup_input_room(input, bytes);
    if (status != CLUP_OK)
        return status;
    image->pixels = bytes < READ_APART ? malloc(bytes)
                                       : aligned_alloc(LARGE_PAGE, pages * LARGE_PAGE);
    if (image->pixels == NULL)
        return clup_fail_memory(input->name);
#ifdef MADV_HUGEPAGE
    if (bytes >= READ_APART)
        (void)madvise(image->pixels, pages * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    return clup_input_read_at(input, input->start + offset, bytes, image->pixels);
}

void clup_image_take(clup_input *input, size_t offset, clup_image *image)
{
    memmove(input->bytes, input->bytes + offset, input->size - offset);
    image->pixels = input->bytes;
    input->bytes = NULL;
}

/* Reduces an image that is known to be in the file to the part that is wanted, and sets the offset
 * of its pixels. */
static clup_status take_part(const clup_input *input, size_t *offset, size_t *bytes,
                             clup_image *image)
{
    const unsigned axis = image->axes > 2 ? 2 : 1;
    const uint64_t layers = image->size[axis];
    const size_t layer = *bytes / layers;
    if (input->parts > layers)
        return clup_fail(CLUP_ERROR_USAGE,
                         "%s: %" PRIu32 " processes for %" PRIu64
                         " layers along %c: each has to have one",
                         input->name, input->parts, layers, 'x' + (int)axis);
    image->layers = (uint32_t)layers;
    image->before = (uint32_t)part_first(layers, input->part, input->parts);
    image->size[axis] = (uint32_t)part_first(layers, input->part + 1, input->parts) - image->before;
    *offset += image->before * layer;
    *bytes = image->size[axis] * layer;
    return CLUP_OK;
}

clup_status clup_image_load(clup_input *input, const char *called, size_t offset, size_t bytes,
                            clup_image *image)
{
    const bool part = input->parts > 1,
               maps = clup_pixels_mapped(input, offset, bytes / (part ? input->parts : 1), image),
               apart = part || reads_apart(input, offset, bytes);
    clup_status status = CLUP_OK;
    if (!apart && !maps)
        CLUP_TRY(clup_input_reach(input, (uint64_t)offset + bytes + 1));
    if (clup_input_bytes(input) - offset != bytes)
        return clup_input_fail(input,
                               "%s has %" PRIu64 " bytes%s, %" PRIu32 " x %" PRIu32 " x %" PRIu32
                               " pixels of %zu need %zu",
                               called, clup_input_bytes(input) - offset,
                               input->more && input->all == 0 ? " or more" : "", image->size[0],
                               image->size[1], image->size[2],
                               clup_dtype_bytes(image->dtype) * image->channels, bytes);
    if (part)
        CLUP_TRY(take_part(input, &offset, &bytes, image));
    if (maps)
        CLUP_TRY(clup_pixels_map(input, offset, bytes, image));
    else if (apart)
        CLUP_TRY(read_pixels(input, offset, bytes, image));
    else
        clup_image_take(input, offset, image);
done:
    return status;
}

void clup_image_clear(clup_image *image)
{
    if (image == NULL)
        return;
    if (image->mapped > 0)
        clup_pixels_unmap(image);
    else
        free(image->pixels);
    *image = (clup_image){0};
}

int clup_host_big_endian(void)
{
    const uint16_t one = 1;
    return *(const uint8_t *)&one == 0;
}

bool clup_other_order(clup_dtype dtype, int big_endian)
{
    return clup_dtype_bytes(dtype) > 1 && !big_endian != !clup_host_big_endian();
}

void clup_image_to_host(clup_image *image, int big_endian)
{
    size_t count = clup_image_values(image), bytes = clup_dtype_bytes(image->dtype);
    if (!clup_other_order(image->dtype, big_endian))
        return;
    if (bytes == 2) {
        uint16_t *values = image->pixels;
        for (size_t k = 0; k < count; k++)
            values[k] = (uint16_t)(values[k] << 8 | values[k] >> 8);
    } else if (bytes == 4) {
        uint32_t *values = image->pixels;
        for (size_t k = 0; k < count; k++)
            values[k] = values[k] << 24 | (values[k] & 0xFF00) << 8 | (values[k] >> 8 & 0xFF00) |
                        values[k] >> 24;
    } else {
        uint64_t *values = image->pixels;
        for (size_t k = 0; k < count; k++) {
            uint64_t turned = 0;
            for (unsigned b = 0; b < 64; b += 8)
                turned |= (values[k] >> b & 255) << (56 - b);
            values[k] = turned;
        }
    }
}

static clup_status fail_at(const clup_input *input, const clup_image *image, size_t value,
                           const char *what)
{
    const size_t pixel = value / image->channels, row = pixel / image->size[0];
    size_t y = row % image->size[1], z = row / image->size[1];
    *(image->axes > 2 ? &z : &y) += image->before;
    return clup_input_fail(input, "%s at x = %zu, y = %zu, z = %zu", what, pixel % image->size[0],
                           y, z);
}

clup_status clup_image_check_most(const clup_input *input, const clup_image *image, unsigned most)
{
    const uint8_t *bytes = image->dtype == CLUP_DTYPE_U8 ? image->pixels : NULL;
    const uint16_t *words = image->pixels;
    const size_t count = clup_image_values(image);
    char what[80];
    for (size_t k = 0; k < count; k++) {
        unsigned value = bytes != NULL ? bytes[k] : words[k];
        if (value > most) {
            snprintf(what, sizeof what, "the value %u is above the maximum, %u,", value, most);
            return fail_at(input, image, k, what);
        }
    }
    return CLUP_OK;
}

void clup_labels_narrow(const uint32_t *labels, size_t count, clup_dtype dtype, void *to)
{
    uint8_t *bytes = to;
    uint16_t *words = to;
    if (dtype == CLUP_DTYPE_U32) {
        memcpy(to, labels, count * sizeof *labels);
        return;
    }
    for (size_t k = 0; k < count; k++)
        if (dtype == CLUP_DTYPE_U8)
            bytes[k] = (uint8_t)labels[k];
        else
            words[k] = (uint16_t)labels[k];
}
