/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as an image: the readers do no harm, say what is wrong, and what they read returns
 * after writing. An entry for libFuzzer, see tests/fuzz.sh, and for tests/t_corpus.c. */
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "image_files.h"
#include "io/image.h"
#include "program.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define MOST_BYTES ((uint64_t)1 << 20)
#define NAME "fuzz"

static void need(int condition)
{
    if (!condition)
        abort();
}

static clup_status decode(const void *bytes, size_t size, const clup_image_options *options,
                          clup_image *image)
{
    clup_input input = {.name = NAME, .bytes = malloc(size), .size = size, .most = MOST_BYTES};
    need(input.bytes != NULL || size == 0);
    if (size > 0)
        memcpy(input.bytes, bytes, size);
    *image = (clup_image){0};
    clup_status status = clup_input_decode(&input, options, image);
    clup_input_close(&input);
    return status;
}

/* channels_last is for arrays that have channels. */
static void need_same(const clup_text *file, const clup_image *image, int channels_last)
{
    const clup_image_options options = {.channels_last = channels_last};
    clup_image back;
    need(decode(file->data, file->length, &options, &back) == CLUP_OK);
    need(memcmp(back.size, image->size, sizeof back.size) == 0 && back.axes == image->axes &&
         back.dtype == image->dtype && back.channels == image->channels);
    need(memcmp(back.pixels, image->pixels,
                clup_image_values(image) * clup_dtype_bytes(image->dtype)) == 0);
    clup_image_clear(&back);
}

static void need_returns(const clup_image *image)
{
    char header[CLUP_NPY_HEADER];
    clup_text npy = {0}, png = {0};
    const size_t shape[4] = {image->size[2], image->size[1], image->size[0], image->channels};
    const unsigned first = 3 - image->axes;
    clup_image picture = *image; /* which a row is as well */
    picture.axes = image->axes > 2 ? 3 : 2;
    clup_text_add_bytes(
        &npy, header,
        clup_npy_header(header, image->dtype, shape + first, 3 - first + (image->channels > 1)));
    clup_text_add_bytes(&npy, image->pixels,
                        clup_image_values(image) * clup_dtype_bytes(image->dtype));
    need_same(&npy, image, image->channels > 1);
    if (clup_png_encode(&picture, &png) == CLUP_OK)
        need_same(&png, &picture, 0);
    else
        need(image->axes == 3 || (image->dtype != CLUP_DTYPE_U8 && image->dtype != CLUP_DTYPE_U16));
    clup_text_free(&npy);
    clup_text_free(&png);
}

static void try(const uint8_t *bytes, size_t size, const clup_image_options *options)
{
    clup_image image;
    if (decode(bytes, size, options, &image) == CLUP_OK) {
        const uint64_t values = clup_image_values(&image);
        need(values > 0 && values * clup_dtype_bytes(image.dtype) <= MOST_BYTES &&
             image.pixels != NULL);
        need(image.channels == 1 || image.channels == 3 || image.channels == 4);
        need(image.axes >= 1 && image.axes <= 3 && (image.axes > 2 || image.size[2] == 1) &&
             (image.axes > 1 || image.size[1] == 1));
        if (values <= 4096)
            need_returns(&image);
    } else {
        const char *detail = clup_error_detail();
        need(strncmp(detail, NAME ": ", 6) == 0 && detail[6] != '\0');
        for (; *detail != '\0'; detail++)
            need(*detail >= ' ' && *detail <= '~');
        need(image.pixels == NULL && image.axes == 0 && image.dtype == CLUP_DTYPE_NONE);
    }
    clup_image_clear(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    clup_image_options options = {.palette = 1};
    try(bytes, size, &options);
    options.palette = 0;
    try(bytes, size, &options);
    options.page = 2;
    try(bytes, size, &options);
    options.page = 0;
    options.channels_last = 1;
    try(bytes, size, &options);
    if (size >= 4) {
        options.raw = (clup_raw){.size = {(uint32_t)(size / 4), 1, 1},
                                 .axes = 2,
                                 .dtype = CLUP_DTYPE_F32,
                                 .big_endian = 1};
        try(bytes, size, &options);
    }
    if (size < 64) {
        char text[64] = "";
        memcpy(text, bytes, size);
        options.raw = (clup_raw){0};
        if (clup_raw_parse_shape(text, &options.raw) == CLUP_OK &&
            clup_raw_parse_dtype(strchr(text, 'x') + 1, &options.raw) == CLUP_OK)
            abort(); /* no text is both */
        (void)clup_raw_parse_dtype(text, &options.raw);
    }
    return 0;
}

#ifdef CLUP_FUZZER
/* ---- PNG whose checks fit -------------------------------------------------------------------- */

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed);

static uint32_t big(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void put_big(uint8_t *bytes, uint32_t value)
{
    for (unsigned k = 0; k < 4; k++)
        bytes[k] = (uint8_t)(value >> (24 - 8 * k));
}

/* Sets the check of each chunk and, in pixels of one stored block, its length and check. */
static void mend(uint8_t *bytes, size_t size)
{
    for (size_t at = 8; size >= 12 && at <= size - 12;) {
        const size_t length = big(bytes + at);
        uint8_t *chunk = bytes + at + 4, *data = chunk + 4;
        if (length > size - 12 - at)
            return;
        if (memcmp(chunk, "IDAT\x78\x01\x01", 7) == 0 && length >= 11 && length < 65536) {
            const size_t stored = length - 11;
            data[3] = (uint8_t)stored;
            data[4] = (uint8_t)(stored >> 8);
            data[5] = (uint8_t)~stored;
            data[6] = (uint8_t)(~stored >> 8);
            put_big(data + 7 + stored, made_adler(data + 7, stored));
        }
        put_big(data + length, made_crc(chunk, 4 + length));
        at += 12 + length;
    }
}

/* ---- archives whose checks fit --------------------------------------------------------------- */

static uint32_t little(const uint8_t *bytes, unsigned count)
{
    return count == 0 ? 0 : bytes[0] | little(bytes + 1, count - 1) << 8;
}

/* Sets the checksum of each file that is stored. */
static void mend_zip(uint8_t *bytes, size_t size)
{
    for (size_t at = 0; size >= 46 && at <= size - 46; at++) {
        uint8_t *record = bytes + at;
        if (memcmp(record, "PK\1\2", 4) != 0 || little(record + 10, 2) != 0)
            continue;
        const size_t length = little(record + 24, 4), local = little(record + 42, 4);
        if (local > size - 30)
            continue;
        const size_t data = local + 30 + little(bytes + local + 26, 2) +
                            little(bytes + local + 28, 2);
        if (data > size || length > size - data)
            continue;
        const uint32_t crc = made_crc(bytes + data, length);
        for (unsigned k = 0; k < 4; k++)
            record[16 + k] = (uint8_t)(crc >> 8 * k);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed)
{
    size = LLVMFuzzerMutate(bytes, size, most);
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0 && seed % 8 != 0)
        mend_zip(bytes, size);
    /* one in eight keeps its wrong checks */
    if (size >= 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0 && seed % 8 != 0)
        mend(bytes, size);
    return size;
}
#endif
