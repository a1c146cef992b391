/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes images, in the format that the file or its name tells. */
#include "io/image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/dtype.h"

#define DEFAULT_MAX_BYTES ((uint64_t)1 << 34)
/* Bytes of a file that tell its format; no image is shorter. */
#define FIRST_BYTES 8

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
