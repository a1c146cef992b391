/* SPDX-License-Identifier: BSD-3-Clause */
/* PNG, through libpng. */
#include <inttypes.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "io/alpha.h"
#include "io/image.h"

#define SIGNATURE "\x89PNG\r\n\x1a\n"
#define SIGNATURE_BYTES 8
/* The most bytes that one byte of deflate expands to. */
#define DEFLATE_MOST 1032
/* Bytes of a file for each byte of pixels, and bytes besides: a file that does not end is read no
 * further. */
#define FILE_MOST 16
#define FILE_BESIDES ((uint64_t)1 << 26)

/* The state of libpng's callbacks. Errors of libpng jump back to the last setjmp, so all that must
 * be freed is here or in the image. */
typedef struct session {
    png_structp png;
    png_infop info;
    char error[256];
    int no_memory;      /* libpng could not allocate memory: it may fail, or go on without */
    clup_input *input;  /* for reading */
    clup_status status; /* of reading the last bytes of input */
    size_t used;
    uint64_t most;   /* memory that may be used */
    clup_text *file; /* for writing */
} session;

static void on_error(png_structp png, png_const_charp text)
{
    session *s = png_get_error_ptr(png);
    snprintf(s->error, sizeof s->error, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

static png_voidp allocate(png_structp png, png_alloc_size_t bytes)
{
    session *s = png_get_mem_ptr(png);
    void *memory = malloc(bytes);
    s->no_memory |= memory == NULL;
    return memory;
}

static void release(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

int clup_png_is(const clup_input *input)
{
    return input->size >= SIGNATURE_BYTES && memcmp(input->bytes, SIGNATURE, SIGNATURE_BYTES) == 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

static void read_bytes(png_structp png, png_bytep bytes, size_t count)
{
    session *s = png_get_io_ptr(png);
    s->status = s->used + (uint64_t)count <= s->most
                    ? clup_input_reach(s->input, s->used + (uint64_t)count)
                    : clup_input_fail(s->input, "the PNG does not end after %" PRIu64 " bytes",
                                      s->most);
    if (s->status != CLUP_OK)
        png_error(png, "the file cannot be read");
    if (count > s->input->size - s->used)
        png_error(png, "the file ends too early");
    memcpy(bytes, s->input->bytes + s->used, count);
    s->used += count;
}

static clup_status too_short(const session *s, const uint64_t size[3])
{
    return clup_input_fail(s->input, "the file is too short for %u x %u pixels", (unsigned)size[0],
                           (unsigned)size[1]);
}

/* Whether pixels have one of these colour types (PNG_COLOR_TYPE_..). */
static bool has_type(const session *s, int type)
{
    return png_get_color_type(s->png, s->info) == type;
}

static bool has_transparent(const session *s)
{
    return png_get_valid(s->png, s->info, PNG_INFO_tRNS) != 0;
}

/* Reads all chunks before the pixels, and describes the image: one byte for each pixel of a
 * palette, one channel for gray, two for gray with alpha. Rows are measured before libpng allocates
 * any. */
static clup_status read_form(session *s, clup_image *image, size_t *bytes)
{
    clup_status status = CLUP_OK;
    png_set_read_fn(s->png, s, read_bytes);
    png_set_user_limits(s->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
#ifdef PNG_HANDLE_AS_UNKNOWN_SUPPORTED
    /* ignores texts and profiles, which may be large */
    png_set_keep_unknown_chunks(s->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
#endif
    s->most = FILE_BESIDES;
    png_read_info(s->png, s->info);
    const bool transparent = has_type(s, PNG_COLOR_TYPE_RGB) && has_transparent(s);
    const uint64_t size[3] = {png_get_image_width(s->png, s->info),
                              png_get_image_height(s->png, s->info), 1};
    /* the bytes of rows, each with a byte for its filter, divided by DEFLATE_MOST without
     * overflow */
    const uint64_t row = png_get_rowbytes(s->png, s->info) + 1,
                   least = size[1] / DEFLATE_MOST * row +
                           size[1] % DEFLATE_MOST * row / DEFLATE_MOST;
    if (clup_input_ends_before(s->input, least))
        return too_short(s, size);
    image->axes = 2;
    image->dtype = png_get_bit_depth(s->png, s->info) == 16 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8;
    image->channels = png_get_channels(s->png, s->info) + (transparent ? 1 : 0);
    CLUP_TRY(clup_image_measure(s->input, size, image, bytes));
    CLUP_TRY(clup_input_reach(s->input, least));
    if (clup_input_ends_before(s->input, least))
        return too_short(s, size);
    if (*bytes < UINT64_MAX / (2 * FILE_MOST))
        s->most += FILE_MOST * (uint64_t)*bytes;
    if (transparent)
        png_set_tRNS_to_alpha(s->png);
    if (image->dtype == CLUP_DTYPE_U16 && !clup_host_big_endian())
        png_set_swap(s->png);
    png_set_packing(s->png);
done:
    return status;
}

static clup_status read_rows(session *s, size_t bytes, clup_image *image)
{
    const int passes = png_set_interlace_handling(s->png);
    const size_t row = bytes / image->size[1];
    png_read_update_info(s->png, s->info);
    if (png_get_rowbytes(s->png, s->info) != row)
        return clup_input_fail(s->input, "rows of %zu bytes in place of %zu",
                               (size_t)png_get_rowbytes(s->png, s->info), row);
    clup_status status = clup_image_allocate(s->input, bytes, image);
    for (int pass = 0; pass < passes && status == CLUP_OK; pass++)
        for (uint32_t y = 0; y < image->size[1]; y++)
            png_read_row(s->png, (png_bytep)image->pixels + row * y, NULL);
    if (status == CLUP_OK)
        png_read_end(s->png, NULL);
    return status;
}

/* Replaces numbers by their entries in the palette. */
static clup_status expand_palette(const session *s, clup_image *image)
{
    png_colorp palette = NULL;
    png_bytep alpha = NULL;
    int colours = 0, alphas = 0;
    png_get_PLTE(s->png, s->info, &palette, &colours);
    if (png_get_valid(s->png, s->info, PNG_INFO_tRNS))
        png_get_tRNS(s->png, s->info, &alpha, &alphas, NULL);
    const uint64_t size[3] = {image->size[0], image->size[1], 1};
    uint8_t *numbers = image->pixels;
    size_t bytes, count = clup_image_values(image);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_image_check_most(s->input, image, (unsigned)colours - 1));
    image->pixels = NULL;
    image->channels = alphas > 0 ? 4 : 3;
    CLUP_TRY(clup_image_measure(s->input, size, image, &bytes));
    CLUP_TRY(clup_image_allocate(s->input, bytes, image));
    uint8_t *to = image->pixels;
    for (size_t k = 0; k < count; k++) {
        const png_color colour = palette[numbers[k]];
        *to++ = colour.red;
        *to++ = colour.green;
        *to++ = colour.blue;
        if (alphas > 0)
            *to++ = numbers[k] < alphas ? alpha[numbers[k]] : 255;
    }
done:
    if (image->pixels != numbers)
        free(numbers);
    return status;
}

/* Keeps the numbers of the palette. */
static clup_status keep_numbers(const session *s, clup_image *image)
{
    png_colorp palette = NULL;
    int colours = 0;
    if (!has_type(s, PNG_COLOR_TYPE_PALETTE))
        return clup_input_fail(s->input, "the PNG has no palette");
    png_get_PLTE(s->png, s->info, &palette, &colours);
    return clup_image_check_most(s->input, image, (unsigned)colours - 1);
}

/* Gray with an alpha channel, or with a value that is transparent. */
static clup_status expand_gray(const session *s, clup_image *image)
{
    clup_alpha alpha = {.opaque = image->dtype == CLUP_DTYPE_U16 ? UINT16_MAX : UINT8_MAX};
    png_color_16p value = NULL;
    if (image->channels == 1 && has_transparent(s))
        png_get_tRNS(s->png, s->info, NULL, NULL, &value);
    if (value != NULL) {
        alpha.one = true;
        alpha.transparent = value->gray;
    }
    return clup_alpha_expand(s->input, &alpha, image);
}

static clup_status decode(session *s, bool numbers, clup_image *image)
{
    clup_status status = CLUP_OK;
    size_t bytes;
    if (setjmp(png_jmpbuf(s->png)))
        return s->status != CLUP_OK ? s->status
                                    : clup_input_fail(s->input, "no valid PNG: %s", s->error);
    CLUP_TRY(read_form(s, image, &bytes));
    CLUP_TRY(read_rows(s, bytes, image));
    if (numbers)
        CLUP_TRY(keep_numbers(s, image));
    else if (has_type(s, PNG_COLOR_TYPE_PALETTE))
        CLUP_TRY(expand_palette(s, image));
    else if (image->channels < 3)
        CLUP_TRY(expand_gray(s, image));
done:
    return status;
}

clup_status clup_png_decode(clup_input *input, const clup_image_options *options, clup_image *image)
{
    session s = {.input = input};
    clup_status status = CLUP_OK;
    s.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning, &s, allocate,
                                     release);
    s.info = s.png != NULL ? png_create_info_struct(s.png) : NULL;
    if (s.info != NULL)
        status = decode(&s, options->palette != 0, image);
    if (s.info == NULL || s.no_memory)
        status = clup_fail_memory(input->name);
    png_destroy_read_struct(&s.png, &s.info, NULL);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void write_bytes(png_structp png, png_bytep bytes, size_t count)
{
    session *s = png_get_io_ptr(png);
    clup_text_add_bytes(s->file, (const char *)bytes, count);
    if (s->file->failed)
        png_error(png, "out of memory");
}

static void flush_bytes(png_structp png)
{
    (void)png;
}

static clup_status encode(session *s, const clup_image *image)
{
    static const int colours[5] = {
        [1] = PNG_COLOR_TYPE_GRAY, [3] = PNG_COLOR_TYPE_RGB, [4] = PNG_COLOR_TYPE_RGB_ALPHA};
    const size_t width = clup_dtype_bytes(image->dtype),
                 row = width * image->channels * image->size[0];
    if (setjmp(png_jmpbuf(s->png)))
        return s->file->failed ? clup_fail_memory("a PNG")
                               : clup_fail(CLUP_ERROR_RUNTIME, "PNG: %s", s->error);
    png_set_write_fn(s->png, s, write_bytes, flush_bytes);
    png_set_user_limits(s->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(s->png, s->info, image->size[0], image->size[1], 8 * (int)width,
                 colours[image->channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(s->png, s->info);
    if (width == 2 && !clup_host_big_endian())
        png_set_swap(s->png);
    for (uint32_t y = 0; y < image->size[1]; y++)
        png_write_row(s->png, (png_const_bytep)image->pixels + row * y);
    png_write_end(s->png, NULL);
    return CLUP_OK;
}

clup_status clup_png_encode(const clup_image *image, clup_text *file)
{
    session s = {.file = file};
    clup_status status = CLUP_OK;
    if (image->axes > 2)
        return clup_fail(CLUP_ERROR_USAGE, "a PNG holds no volume: write .npy");
    if (image->dtype != CLUP_DTYPE_U8 && image->dtype != CLUP_DTYPE_U16)
        return clup_fail(CLUP_ERROR_USAGE, "a PNG holds u8 and u16, not %s: write .npy",
                         clup_dtype_name(image->dtype));
    if (image->size[0] > PNG_UINT_31_MAX || image->size[1] > PNG_UINT_31_MAX)
        return clup_fail(CLUP_ERROR_USAGE, "%u x %u pixels are too many for a PNG: write .npy",
                         image->size[0], image->size[1]);
    s.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &s, on_error, on_warning, &s, allocate,
                                      release);
    s.info = s.png != NULL ? png_create_info_struct(s.png) : NULL;
    if (s.info != NULL)
        status = encode(&s, image);
    if (s.info == NULL || s.no_memory)
        status = clup_fail_memory("a PNG");
    png_destroy_write_struct(&s.png, &s.info);
    return status;
}
