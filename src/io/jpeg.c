/* SPDX-License-Identifier: BSD-3-Clause */
/* JPEG, through libjpeg. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/image.h"

int clup_jpeg_is(const clup_input *input)
{
    return input->size >= 3 && memcmp(input->bytes, "\xff\xd8\xff", 3) == 0;
}

#ifdef HAVE_JPEG
#include <setjmp.h>
#include <stdlib.h>

#include <jpeglib.h>

/* Bytes that are read at a time. */
#define STEP 65536
/* Bytes of a file for each byte of pixels, and bytes besides: a file that does not end is read no
 * further. */
#define FILE_MOST 16
#define FILE_BESIDES ((uint64_t)1 << 26)
/* The most scans of a file: each costs a pass over the pixels, whatever its bytes. */
#define SCANS_MOST 500

/* The state of libjpeg's callbacks. Its errors jump back to the last setjmp, so all that must be
 * freed is here or in the image. */
typedef struct session {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    jmp_buf back;
    clup_input *input;
    clup_status status; /* of what ended the reading, where that is not libjpeg */
    uint64_t most;      /* bytes that may be read */
    bool decoding;      /* the first scan has begun */
    char error[JMSG_LENGTH_MAX];
} session;

static session *session_of(j_common_ptr jpeg)
{
    return jpeg->client_data;
}

/* ---- what libjpeg calls ---------------------------------------------------------------------- */

static void on_error(j_common_ptr jpeg)
{
    session *s = session_of(jpeg);
    jpeg->err->format_message(jpeg, s->error);
    longjmp(s->back, 1);
}

/* A warning, which has the level -1, says that pixels are damaged, but before their first scan. */
static void on_message(j_common_ptr jpeg, int level)
{
    if (level < 0 && session_of(jpeg)->decoding)
        on_error(jpeg);
}

static void stop(session *s, clup_status status)
{
    s->status = status;
    longjmp(s->back, 1);
}

static void begin_source(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

/* Reads on. The bytes that were read before may move. */
static boolean fill(j_decompress_ptr jpeg)
{
    session *s = session_of((j_common_ptr)jpeg);
    const size_t before = s->input->size;
    clup_status status = before < s->most
                             ? clup_input_reach(s->input, (uint64_t)before + STEP)
                             : clup_input_fail(s->input, "the JPEG does not end after %zu bytes",
                                               before);
    if (status == CLUP_OK && s->input->size == before)
        status = clup_input_fail(s->input, "no valid JPEG: the file ends too early");
    if (status != CLUP_OK)
        stop(s, status);
    s->source.next_input_byte = s->input->bytes + before;
    s->source.bytes_in_buffer = s->input->size - before;
    return TRUE;
}

static void skip(j_decompress_ptr jpeg, long count)
{
    session *s = session_of((j_common_ptr)jpeg);
    while (count > 0) {
        if (s->source.bytes_in_buffer == 0)
            fill(jpeg);
        const size_t some = (size_t)count < s->source.bytes_in_buffer ? (size_t)count
                                                                      : s->source.bytes_in_buffer;
        s->source.next_input_byte += some;
        s->source.bytes_in_buffer -= some;
        count -= (long)some;
    }
}

static void end_source(j_decompress_ptr jpeg)
{
    (void)jpeg;
}

static void on_progress(j_common_ptr jpeg)
{
    session *s = session_of(jpeg);
    if (s->jpeg.input_scan_number > SCANS_MOST)
        stop(s, clup_input_fail(s->input, "the JPEG has more than %d scans", SCANS_MOST));
}

/* ---- the image ------------------------------------------------------------------------------- */

/* Describes the image, and has libjpeg make gray values or RGB. */
static clup_status find_form(session *s, clup_image *image, size_t *bytes)
{
    struct jpeg_decompress_struct *jpeg = &s->jpeg;
    const uint64_t width = jpeg->image_width, height = jpeg->image_height,
                   least = ((width - 1) / 8 + 1) * ((height - 1) / 8 + 1) / 8;
    const bool gray = jpeg->jpeg_color_space == JCS_GRAYSCALE;
    if (jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK)
        return clup_input_fail(s->input, "the colours are CMYK: convert them to RGB");
    if (!gray && jpeg->jpeg_color_space != JCS_RGB && jpeg->jpeg_color_space != JCS_YCbCr)
        return clup_input_fail(s->input, "%d channels are neither gray nor RGB",
                               jpeg->num_components);
    /* a block of 8 x 8 values has a bit at least, and a value may be that of 16 pixels */
    if (clup_input_ends_before(s->input, least / 16))
        return clup_input_fail(
            s->input, "the file is too short for %" PRIu64 " x %" PRIu64 " pixels", width, height);
    jpeg->out_color_space = gray ? JCS_GRAYSCALE : JCS_RGB;
    jpeg->do_block_smoothing = FALSE; /* pixels are what the file says alone */
    image->axes = 2;
    image->dtype = CLUP_DTYPE_U8;
    image->channels = gray ? 1 : 3;
    return clup_image_measure(s->input, (const uint64_t[3]){width, height, 1}, image, bytes);
}

/* Fails where a channel has no data, which libjpeg bears. */
static clup_status check_channels(const session *s)
{
    for (int c = 0; c < s->jpeg.num_components; c++)
        if (s->jpeg.comp_info[c].quant_table == NULL)
            return clup_input_fail(s->input, "no valid JPEG: channel %d has no data", c + 1);
    return CLUP_OK;
}

static clup_status decode(session *s, clup_image *image)
{
    struct jpeg_decompress_struct *jpeg = &s->jpeg;
    clup_status status = CLUP_OK;
    size_t bytes;
    if (setjmp(s->back))
        return s->status != CLUP_OK ? s->status
                                    : clup_input_fail(s->input, "no valid JPEG: %s", s->error);
    jpeg_create_decompress(jpeg);
    jpeg->src = &s->source;
    jpeg->progress = &s->progress;
    jpeg_read_header(jpeg, TRUE);
    CLUP_TRY(find_form(s, image, &bytes));
    s->most = FILE_BESIDES + FILE_MOST * (uint64_t)bytes;
    CLUP_TRY(clup_image_allocate(s->input, bytes, image));
    /* libjpeg keeps all coefficients, of 16 bits */
    if (jpeg_has_multiple_scans(jpeg))
        CLUP_TRY(clup_input_room(s->input, 2 * (uint64_t)bytes));
    s->decoding = true;
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = (uint8_t *)image->pixels +
                       (size_t)jpeg->output_scanline * image->size[0] * image->channels;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
    status = check_channels(s);
    jpeg_finish_decompress(jpeg);
done:
    return status;
}

clup_status clup_jpeg_decode(clup_input *input, const clup_image_options *options,
                             clup_image *image)
{
    session *s = calloc(1, sizeof *s);
    (void)options;
    if (s == NULL)
        return clup_fail_memory(input->name);
    s->input = input;
    s->most = FILE_BESIDES;
    s->jpeg.err = jpeg_std_error(&s->errors);
    s->jpeg.client_data = s;
    s->errors.error_exit = on_error;
    s->errors.emit_message = on_message;
    s->progress.progress_monitor = on_progress;
    s->source = (struct jpeg_source_mgr){.next_input_byte = input->bytes,
                                         .bytes_in_buffer = input->size,
                                         .init_source = begin_source,
                                         .fill_input_buffer = fill,
                                         .skip_input_data = skip,
                                         .resync_to_restart = jpeg_resync_to_restart,
                                         .term_source = end_source};
    const clup_status status = decode(s, image);
    jpeg_destroy_decompress(&s->jpeg);
    free(s);
    return status;
}
#else
clup_status clup_jpeg_decode(clup_input *input, const clup_image_options *options,
                             clup_image *image)
{
    (void)options;
    (void)image;
    return clup_input_fail(input, "this is a JPEG, and this clup was built without libjpeg: "
                                  "convert it to PNG");
}
#endif
