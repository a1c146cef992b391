/* SPDX-License-Identifier: BSD-3-Clause */
/* JPEG: what libjpeg writes is read as libjpeg reads it, gray and RGB; other colours are refused,
 * and so are damaged data, which libjpeg alone reads as gray. Without libjpeg a JPEG is refused by
 * its name. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "program.h"
#include "tap.h"

static const char path[] = "t_jpeg.jpg";

#ifdef HAVE_JPEG
#include <jpeglib.h>

#include <jerror.h>

enum { WIDTH = 45, HEIGHT = 37 };

/* A pixel's value: smooth, and apart in each channel. */
static uint8_t value(uint32_t x, uint32_t y, unsigned c)
{
    return (uint8_t)(c == 0 ? 5 * x + 20 : c == 1 ? 6 * y : 255 - 2 * (x + y));
}

/* Writes an image of so many channels; scans is 1 for a baseline file, more for a progressive
 * one. */
static void write_jpeg(J_COLOR_SPACE colours, int channels, unsigned scans)
{
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    uint8_t row[4 * WIDTH];
    JSAMPROW rows[1] = {row};
    FILE *file = fopen(path, "wb");
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = WIDTH;
    jpeg.image_height = HEIGHT;
    jpeg.input_components = channels;
    jpeg.in_color_space = colours;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 90, TRUE);
    if (scans > 1)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        for (uint32_t x = 0; x < WIDTH; x++)
            for (int c = 0; c < channels; c++)
                row[(uint32_t)channels * x + (uint32_t)c] = value(x, y, (unsigned)c);
        jpeg_write_scanlines(&jpeg, rows, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    fclose(file);
}

/* Whether an image is, but for what JPEG loses, the one that was written. */
static bool is_like(const clup_image *image, unsigned channels)
{
    uint64_t sum = 0;
    if (image->size[0] != WIDTH || image->size[1] != HEIGHT || image->axes != 2 ||
        image->channels != channels || image->dtype != CLUP_DTYPE_U8)
        return false;
    const uint8_t *at = image->pixels;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            for (unsigned c = 0; c < channels; c++)
                sum += (uint64_t)abs(*at++ - value(x, y, c));
    return sum < 5 * WIDTH * HEIGHT * channels;
}

static void refuses(clup_status wanted, const clup_image_options *options, const char *text)
{
    clup_image image;
    const clup_status status = clup_image_read(path, options, &image);
    ok(status == wanted && strstr(clup_error_detail(), text) != NULL && image.pixels == NULL,
       "refused: %s", status == CLUP_OK ? "was read" : clup_error_detail());
    clup_image_clear(&image);
}

static void check_read(void)
{
    clup_image image;
    for (unsigned scans = 1; scans <= 2; scans++)
        for (int channels = 1; channels <= 3; channels += 2) {
            write_jpeg(channels == 1 ? JCS_GRAYSCALE : JCS_RGB, channels, scans);
            ok(clup_image_read(path, NULL, &image) == CLUP_OK &&
                   is_like(&image, (unsigned)channels),
               "%d channels, %s", channels, scans == 1 ? "baseline" : "progressive");
            clup_image_clear(&image);
        }
    refuses(CLUP_ERROR_MEMORY, &(const clup_image_options){.max_bytes = 4000}, "the limit, 4000");
    write_jpeg(JCS_CMYK, 4, 1);
    refuses(CLUP_ERROR_RUNTIME, NULL, "CMYK");
}

/* Returns where a marker is in a file, from a place on; 0 for nowhere. */
static size_t find(const clup_text *file, size_t from, uint8_t marker)
{
    for (size_t k = from; k + 1 < file->length; k++)
        if ((uint8_t)file->data[k] == 0xFF && (uint8_t)file->data[k + 1] == marker)
            return k;
    return 0;
}

static void check_damaged(void)
{
    clup_text file = {0};
    clup_image image;
    unsigned read = 0;
    for (unsigned scans = 1; scans <= 2; scans++) {
        write_jpeg(JCS_RGB, 3, scans);
        NEED(clup_file_read(path, &file));
        for (size_t length = 8; length < file.length; length += 13) {
            NEED(clup_file_save(path, file.data, length));
            read += clup_image_read(path, NULL, &image) == CLUP_OK;
            clup_image_clear(&image);
        }
        ok(read == 0, "%u beginnings of a file are images", read);
        /* the end of the image after half of its data */
        const size_t data = find(&file, 0, 0xDA), half = (data + file.length) / 2;
        char *whole = malloc(file.length);
        memcpy(whole, file.data, file.length);
        memcpy(whole + half, "\xFF\xD9", 2);
        NEED(clup_file_save(path, whole, half + 2));
        refuses(CLUP_ERROR_RUNTIME, NULL,
                scans == 1 ? "no valid JPEG: Corrupt JPEG data" : "no valid JPEG");
        /* of a progressive file the first scan alone, which has no fine detail, but all channels */
        const size_t next = find(&file, data + 2, 0xDA);
        if (scans > 1 && next > 0) {
            memcpy(whole, file.data, file.length);
            memcpy(whole + data, "\xFF\xD9", 2);
            NEED(clup_file_save(path, whole, data + 2));
            refuses(CLUP_ERROR_RUNTIME, NULL, "no valid JPEG");
        }
        free(whole);
        clup_text_free(&file);
    }
    /* what follows the image is not looked at */
    write_jpeg(JCS_RGB, 3, 1);
    NEED(clup_file_read(path, &file));
    clup_text_add(&file, "and more");
    NEED(clup_file_save(path, file.data, file.length));
    ok(clup_image_read(path, NULL, &image) == CLUP_OK && is_like(&image, 3),
       "what follows the image is ignored");
    clup_image_clear(&image);
    /* nor are bytes between the headers */
    const size_t tables = find(&file, 0, 0xDB);
    char *padded = malloc(file.length + 3);
    memcpy(padded, file.data, tables);
    memcpy(padded + tables, "xyz", 3);
    memcpy(padded + tables + 3, file.data + tables, file.length - tables);
    NEED(clup_file_save(path, padded, file.length + 3));
    ok(clup_image_read(path, NULL, &image) == CLUP_OK && is_like(&image, 3),
       "bytes between headers are ignored");
    clup_image_clear(&image);
    free(padded);
    /* a size that the file has no room for */
    const size_t frame = find(&file, 0, 0xC0);
    memcpy(file.data + frame + 5, "\xFF\x00\xFF\x00", 4);
    NEED(clup_file_save(path, file.data, file.length));
    refuses(CLUP_ERROR_RUNTIME, NULL, "too short for 65280 x 65280 pixels");
    clup_text_free(&file);
}

int main(void)
{
    check_read();
    check_damaged();
    unlink(path);
    return done_testing();
}
#else
int main(void)
{
    clup_image image;
    NEED(clup_file_save(path, "\xFF\xD8\xFF\xE0\0\x10JFIF", 10));
    ok(clup_image_read(path, NULL, &image) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), "is a JPEG, and this clup was built without") != NULL,
       "a JPEG is refused: %s", clup_error_detail());
    unlink(path);
    return done_testing();
}
#endif
