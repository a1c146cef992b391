/* Images: reading, writing, and what the formats share. */
#include "io/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/dtype.h"
#include "core/seams.clh"

#define DEFAULT_MAX_BYTES ((uint64_t)1 << 34)
/* Of a file, which tell its format: no image is shorter. */
#define FIRST_BYTES 8

/* ---- pixels ---------------------------------------------------------------------------------- */

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

void clup_image_take(clup_input *input, size_t offset, clup_image *image)
{
    memmove(input->bytes, input->bytes + offset, input->size - offset);
    image->pixels = input->bytes;
    input->bytes = NULL;
}

/* Leaves of an image that has been found to be in the file the part that is wanted, and says where
 * its pixels are. */
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
               maps = clup_pixels_mapped(input, offset, bytes / (part ? input->parts : 1), image);
    clup_status status = CLUP_OK;
    if (!part && !maps)
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
    else if (part) {
        CLUP_TRY(clup_image_allocate(input, bytes, image));
        CLUP_TRY(clup_input_read_at(input, offset, bytes, image->pixels));
    } else
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

/* ---- reading --------------------------------------------------------------------------------- */

clup_status clup_input_decode(clup_input *input, const clup_image_options *options,
                              clup_image *image)
{
    clup_status status = options->raw.axes != 0 ? CLUP_OK : clup_input_reach(input, FIRST_BYTES);
    if (status != CLUP_OK)
        return status;
    if (input->parts > 1 && (input->all == 0 || input->descriptor == STDIN_FILENO))
        status = clup_input_fail(input, "a part is read of a file, not of what comes and goes");
    else if (options->raw.axes != 0)
        status = clup_raw_decode(input, &options->raw, image);
    else if (input->size == 0)
        status = clup_input_fail(input, "the file is empty");
    else if (options->channels_last && !clup_npy_is(input))
        status = clup_input_fail(input,
                                 "channels last is said of NumPy arrays alone, and this is none");
    else if (options->palette && !clup_png_is(input))
        status = clup_input_fail(input, "a palette is wanted, and this is no PNG");
    else if (clup_npy_is(input))
        status = clup_npy_decode(input, options->channels_last, image);
    else if (input->parts > 1)
        status = clup_input_fail(input, "a part is read of NumPy arrays and raw data alone");
    else if (clup_png_is(input))
        status = clup_png_decode(input, options->palette, image);
    else if (clup_pnm_is(input))
        status = clup_pnm_decode(input, image);
    else
        status = clup_input_fail(input, "the format is none of PNG, PNM (P1 to P6) and NumPy's "
                                        ".npy; raw data need a shape and a dtype");
    if (status != CLUP_OK)
        clup_image_clear(image);
    return status;
}

clup_status clup_image_read(const char *path, const clup_image_options *options, clup_image *image)
{
    static const clup_image_options defaults = {0};
    clup_input input = {0};
    CLUP_NEED(image);
    *image = (clup_image){0};
    CLUP_NEED(path);
    if (options == NULL)
        options = &defaults;
    clup_status status = CLUP_RESERVED(options, "clup_image_options");
    if (status == CLUP_OK)
        status = CLUP_RESERVED(&options->raw, "clup_raw");
    if (status != CLUP_OK)
        return status;
    if ((options->raw.axes != 0) != (options->raw.dtype != CLUP_DTYPE_NONE))
        return clup_fail(CLUP_ERROR_USAGE, "raw data need both a shape and a dtype");
    if (options->parts > 0 && options->part >= options->parts)
        return clup_fail(CLUP_ERROR_USAGE, "part %" PRIu32 " of %" PRIu32 " is none", options->part,
                         options->parts);
    status = clup_input_open(path, options->max_bytes > 0 ? options->max_bytes : DEFAULT_MAX_BYTES,
                             &input);
    if (status == CLUP_OK) {
        if (options->max_bytes == 0 && input.all > input.most)
            input.most = input.all;
        input.part = options->part;
        input.parts = options->parts;
        input.most *= options->parts > 0 ? options->parts : 1;
        status = clup_input_decode(&input, options, image);
    }
    clup_input_close(&input);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static clup_status check(const clup_image *image)
{
    int sizes = image->size[0] > 0 && image->size[1] > 0 && image->size[2] > 0 &&
                image->axes >= 1 && image->axes <= 3 && (image->axes > 2 || image->size[2] == 1) &&
                (image->axes > 1 || image->size[1] == 1);
    int channels = image->channels == 1 || image->channels == 3 || image->channels == 4;
    if (!sizes || !channels || clup_dtype_bytes(image->dtype) == 0 || image->pixels == NULL)
        return clup_fail(
            CLUP_ERROR_USAGE, "no image: %u x %u x %u pixels on %u axes, %u channels, dtype %d%s",
            image->size[0], image->size[1], image->size[2], image->axes, image->channels,
            (int)image->dtype, image->pixels == NULL ? ", without pixels" : "");
    return CLUP_RESERVED(image, "clup_image");
}

static clup_status write_png(const char *path, const clup_image *image)
{
    clup_text file = {0};
    clup_status status = clup_png_encode(image, &file);
    if (status == CLUP_OK)
        status = clup_file_write(path, &(clup_piece){file.data, file.length}, 1);
    clup_text_free(&file);
    return status;
}

static clup_status write_npy(const char *path, const clup_image *image)
{
    size_t shape[4];
    unsigned axes = 0;
    char header[CLUP_NPY_HEADER];
    for (unsigned axis = image->axes; axis-- > 0;)
        shape[axes++] = image->size[axis];
    if (image->channels > 1)
        shape[axes++] = image->channels;
    const clup_piece pieces[] = {
        {header, clup_npy_header(header, image->dtype, shape, axes)},
        {image->pixels, clup_image_values(image) * clup_dtype_bytes(image->dtype)}};
    return clup_file_write(path, pieces, 2);
}

clup_status clup_image_write(const char *path, const clup_image *image)
{
    CLUP_NEED(path);
    CLUP_NEED(image);
    const char *dot = strrchr(path, '.'),
               *extension = dot != NULL && strchr(dot, '/') == NULL ? dot : "";
    clup_status status = check(image);
    if (status != CLUP_OK)
        return status;
    if (strcmp(path, "-") == 0 || strcasecmp(extension, ".npy") == 0)
        return write_npy(path, image);
    if (strcasecmp(extension, ".png") == 0)
        return write_png(path, image);
    return clup_fail(CLUP_ERROR_USAGE,
                     "'%s': the extension tells no format to write, there is .npy and .png", path);
}
