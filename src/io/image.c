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
#include "io/deflate.h"

#define DEFAULT_MAX_BYTES ((uint64_t)1 << 34)
/* Bytes of a file that tell its format; no image is shorter. */
#define FIRST_BYTES 8

/* ---- reading --------------------------------------------------------------------------------- */

/* A format that the first bytes of a file tell, and the options that go with it. */
typedef struct format {
    int (*is)(const clup_input *input);
    clup_status (*decode)(clup_input *input, const clup_image_options *options, clup_image *image);
    bool channels_last, palette, parts, pages, arrays;
} format;

static const format formats[] = {
    {.is = clup_npy_is, .decode = clup_npy_decode, .channels_last = true, .parts = true},
    {.is = clup_npz_is, .decode = clup_npz_decode, .channels_last = true, .arrays = true},
    {.is = clup_png_is, .decode = clup_png_decode, .palette = true},
    {.is = clup_pnm_is, .decode = clup_pnm_decode},
    {.is = clup_pam_is, .decode = clup_pam_decode, .parts = true},
    {.is = clup_tiff_is, .decode = clup_tiff_decode, .palette = true, .pages = true},
    {.is = clup_jpeg_is, .decode = clup_jpeg_decode},
    {.is = clup_nifti_is, .decode = clup_nifti_decode, .parts = true},
};

static const format raw_format = {.decode = clup_raw_decode, .parts = true};

/* Returns the format of a file whose first bytes have been read; NULL for none. */
static const format *format_of(const clup_input *input)
{
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (formats[k].is(input))
            return &formats[k];
    return NULL;
}

/* Returns NULL, or why a format cannot be read with the options. */
static const char *unsuited(const format *format, const clup_input *input,
                            const clup_image_options *options)
{
    if (options->channels_last && !format->channels_last)
        return "channels last is said of NumPy arrays alone, and this is none";
    if (options->palette && !format->palette)
        return "a palette is wanted, and this is neither a PNG nor a TIFF";
    if (options->page > 0 && !format->pages)
        return "a page is wanted, and this is no TIFF";
    if (options->array != NULL && !format->arrays)
        return "an array of an archive is wanted, and this is no .npz";
    if (input->parts > 1 && !format->parts)
        return "a part is read of NumPy arrays, NIfTI, PAM and raw data alone";
    return NULL;
}

clup_status clup_input_decode(clup_input *input, const clup_image_options *options,
                              clup_image *image)
{
    const format *format = &raw_format;
    clup_status status = CLUP_OK;
    if (options->raw.axes == 0) {
        CLUP_TRY(clup_input_reach(input, FIRST_BYTES));
        if (clup_gzip_is(input)) {
            CLUP_TRY(clup_gzip_open(input));
            CLUP_TRY(clup_input_reach(input, FIRST_BYTES));
        }
        if (input->size == 0)
            return clup_input_fail(input, "the file is empty");
        format = format_of(input);
    }
    if (input->parts > 1 && (input->all == 0 || input->descriptor == STDIN_FILENO))
        return clup_input_fail(
            input, "a part is read of a file alone, not of a pipe nor of one packed by gzip");
    if (format == NULL)
        return clup_input_fail(input, "the format is none of PNG, TIFF, JPEG, PNM (P1 to P7), "
                                      "NIfTI and NumPy's .npy and .npz; raw data need a shape and "
                                      "a dtype");
    const char *wrong = unsuited(format, input, options);
    status = wrong != NULL ? clup_input_fail(input, "%s", wrong)
                           : format->decode(input, options, image);
    if (status != CLUP_OK)
        clup_image_clear(image);
done:
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

clup_status clup_image_validate(const clup_image *image)
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
               *extension = dot != NULL && clup_file_slash(dot) == NULL ? dot : "";
    clup_status status = clup_image_validate(image);
    if (status != CLUP_OK)
        return status;
    if (strcmp(path, "-") == 0 || strcasecmp(extension, ".npy") == 0)
        return write_npy(path, image);
    if (strcasecmp(extension, ".png") == 0)
        return write_png(path, image);
    return clup_fail(CLUP_ERROR_USAGE,
                     "'%s': the extension tells no format to write, there is .npy and .png", path);
}
