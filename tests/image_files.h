/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes image files byte by byte, without the library's code. */
#ifndef CLUP_TESTS_IMAGE_FILES_H
#define CLUP_TESTS_IMAGE_FILES_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MADE_BYTES 60000

typedef struct made {
    uint8_t bytes[MADE_BYTES];
    size_t size;
} made;

static inline void made_add(made *m, const void *bytes, size_t count)
{
    if (count > MADE_BYTES - m->size)
        abort();
    memcpy(m->bytes + m->size, bytes, count);
    m->size += count;
}

static inline void made_big(made *m, uint32_t value)
{
    made_add(m,
             (const uint8_t[4]){(uint8_t)(value >> 24), (uint8_t)(value >> 16),
                                (uint8_t)(value >> 8), (uint8_t)value},
             4);
}

/* ---- PNG ------------------------------------------------------------------------------------- */

typedef struct made_form {
    uint32_t nx, ny;
    unsigned depth, colour, interlaced; /* colour 0 gray, 2 RGB, 3 palette, 4 gray with alpha, 6
                                           RGBA */
    uint8_t palette[768], transparent[256];
    size_t colours, transparents; /* bytes of PLTE and tRNS are 3*colours and transparents */
} made_form;

static inline unsigned made_channels(const made_form *f)
{
    return (const unsigned[]){1, 0, 3, 1, 2, 0, 4}[f->colour];
}

/* Bit by bit, as in PNG's annex D. */
static inline uint32_t made_crc(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0xFFFFFFFF;
    for (size_t k = 0; k < count; k++) {
        crc ^= bytes[k];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) ? 0xEDB88320 : 0);
    }
    return ~crc;
}

static inline uint32_t made_adler(const uint8_t *bytes, size_t count)
{
    uint32_t a = 1, b = 0;
    for (size_t k = 0; k < count; k++) {
        a = (a + bytes[k]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static inline void made_chunk(made *m, const char *type, const void *bytes, size_t count)
{
    made_big(m, (uint32_t)count);
    made_add(m, type, 4);
    made_add(m, bytes, count);
    made_big(m, made_crc(m->bytes + m->size - 4 - count, 4 + count));
}

/* Writes rows of every step-th pixel, each after a filter byte of 0. */
static inline void made_rows(made *m, const made_form *f, const uint16_t *values, unsigned x0,
                             unsigned y0, unsigned dx, unsigned dy)
{
    const unsigned channels = made_channels(f);
    for (uint32_t y = y0; y < f->ny && x0 < f->nx; y += dy) {
        uint8_t byte = 0;
        unsigned used = 0;
        made_add(m, "", 1);
        for (uint32_t x = x0; x < f->nx; x += dx)
            for (unsigned k = 0; k < channels; k++) {
                const uint16_t value = values[(y * f->nx + x) * channels + k];
                if (f->depth == 16)
                    made_add(m, (const uint8_t[2]){(uint8_t)(value >> 8), (uint8_t)value}, 2);
                else {
                    byte = (uint8_t)(byte << (f->depth % 8) | value);
                    if ((used += f->depth) == 8) {
                        made_add(m, &byte, 1);
                        byte = 0;
                        used = 0;
                    }
                }
            }
        if (used > 0) {
            byte = (uint8_t)(byte << (8 - used));
            made_add(m, &byte, 1);
        }
    }
}

/* Writes zlib's format with one stored block. */
static inline void made_deflate(made *m, const uint8_t *bytes, size_t count)
{
    made_add(m,
             (const uint8_t[7]){0x78, 1, 1, (uint8_t)count, (uint8_t)(count >> 8), (uint8_t)~count,
                                (uint8_t)(~count >> 8)},
             7);
    made_add(m, bytes, count);
    made_big(m, made_adler(bytes, count));
}

static inline void made_png(made *m, const made_form *f, const uint16_t *values)
{
    static const unsigned adam7[7][4] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                                         {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
    static made rows, packed, header;
    m->size = rows.size = packed.size = header.size = 0;
    made_add(m, "\x89PNG\r\n\x1a\n", 8);
    made_big(&header, f->nx);
    made_big(&header, f->ny);
    made_add(
        &header,
        (const uint8_t[5]){(uint8_t)f->depth, (uint8_t)f->colour, 0, 0, (uint8_t)f->interlaced}, 5);
    made_chunk(m, "IHDR", header.bytes, header.size);
    if (f->colours > 0)
        made_chunk(m, "PLTE", f->palette, 3 * f->colours);
    if (f->transparents > 0)
        made_chunk(m, "tRNS", f->transparent, f->transparents);
    if (!f->interlaced)
        made_rows(&rows, f, values, 0, 0, 1, 1);
    else
        for (unsigned pass = 0; pass < 7; pass++)
            made_rows(&rows, f, values, adam7[pass][0], adam7[pass][1], adam7[pass][2],
                      adam7[pass][3]);
    made_deflate(&packed, rows.bytes, rows.size);
    made_chunk(m, "IDAT", packed.bytes, packed.size);
    made_chunk(m, "IEND", "", 0);
}

/* ---- NumPy ----------------------------------------------------------------------------------- */

static inline void made_npy(made *m, unsigned version, const char *header, const void *data,
                            size_t count)
{
    const size_t length = strlen(header);
    m->size = 0;
    made_add(m, "\x93NUMPY", 6);
    made_add(m,
             (const uint8_t[6]){(uint8_t)version, 0, (uint8_t)length, (uint8_t)(length >> 8), 0, 0},
             version == 1 ? 4 : 6);
    made_add(m, header, length);
    made_add(m, data, count);
}

/* ---- files ----------------------------------------------------------------------------------- */

static inline void made_save(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        abort();
}

#endif
