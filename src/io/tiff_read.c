/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the pixels of a page of a TIFF. */
#include "config.h"

#include "clup.h"

#ifdef HAVE_TIFF
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/watch.h"
#include "io/tiff_page.h"

/* ---- samples --------------------------------------------------------------------------------- */

/* Whether samples are stored as they are read. */
static bool is_plain(const clup_tiff_page *page)
{
    return page->bits == 8 * clup_dtype_bytes(page->sample);
}

/* Returns bits of a row from a place on; the first bit of a byte is its highest. */
static uint32_t take_bits(const uint8_t *row, uint64_t at, unsigned count)
{
    uint64_t value = 0;
    const uint64_t last = (at + count - 1) / 8;
    for (uint64_t byte = at / 8; byte <= last; byte++)
        value = value << 8 | row[byte];
    return (uint32_t)(value >> (7 - (at + count - 1) % 8)) & (((uint32_t)1 << count) - 1);
}

/* Returns a sample of 24 bits, which libtiff puts into the host's order. */
static uint32_t take_three(const uint8_t *row, uint64_t k)
{
    const uint8_t *at = row + 3 * k;
    return clup_host_big_endian() ? (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]
                                  : (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0];
}

/* The bits of a float of 32 bits of those of one of 16, IEEE 754. */
static uint32_t widen_half(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16;
    uint32_t exponent = half >> 10 & 31, fraction = half & 0x3FF;
    if (exponent == 31)
        return sign | 0x7F800000 | fraction << 13;
    if (exponent == 0 && fraction == 0)
        return sign;
    exponent += 112;
    if (exponent == 112) /* the fraction has no 1 before its point */
        for (exponent = 113; (fraction & 0x400) == 0; exponent--)
            fraction <<= 1;
    return sign | exponent << 23 | (fraction & 0x3FF) << 13;
}

/* Unpacks the samples of a row that are not plain. */
static void unpack(const clup_tiff_page *page, const uint8_t *row, uint64_t count, void *to)
{
    const uint32_t top = page->kind == SAMPLEFORMAT_INT ? (uint32_t)1 << (page->bits - 1) : 0;
    const uint16_t *words = (const uint16_t *)row;
    for (uint64_t k = 0; k < count; k++) {
        if (page->kind == SAMPLEFORMAT_IEEEFP) {
            clup_value_put(page->sample, to, k, widen_half(words[k]));
            continue;
        }
        const uint32_t bits = page->bits == 24 ? take_three(row, k)
                                               : take_bits(row, page->bits * k, page->bits);
        /* extends the sign */
        clup_value_put(page->sample, to, k, (uint64_t)(bits ^ top) - top);
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */

typedef struct reading {
    TIFF *tiff;
    const clup_tiff_page *page;
    uint8_t *pixels;
    uint8_t *block;             /* what has been read */
    void *row;                  /* unpacked samples of a row; NULL where they are plain */
    const uint16_t *colours[3]; /* of the palette */
} reading;

/* Puts pixels of a row of a block into the image, at (x, y). */
static void place(const reading *r, const void *row, uint32_t x, uint32_t y, uint32_t count,
                  unsigned plane)
{
    const clup_tiff_page *page = r->page;
    const size_t width = clup_dtype_bytes(page->dtype),
                 first = ((size_t)y * page->width + x) * page->channels;
    uint8_t *to = r->pixels + first * width;
    if (page->photometric == PHOTOMETRIC_PALETTE && !page->numbers) {
        uint16_t *colours = (uint16_t *)(void *)to;
        for (uint32_t k = 0; k < count; k++)
            for (unsigned c = 0; c < 3; c++)
                *colours++ = r->colours[c][clup_value_get(page->sample, row, k)];
    } else if (page->planar == PLANARCONFIG_CONTIG || page->channels == 1)
        memcpy(to, row, width * page->channels * count);
    else
        for (uint32_t k = 0; k < count; k++)
            memcpy(to + width * (page->channels * (size_t)k + plane),
                   (const uint8_t *)row + width * k, width);
}

/* Reads a tile, or a strip, whose first pixel is (x, y). */
static bool read_block(const reading *r, uint32_t x, uint32_t y, unsigned plane)
{
    const clup_tiff_page *page = r->page;
    const uint32_t columns = page->width - x < page->block_width ? page->width - x
                                                                 : page->block_width,
                   rows = page->height - y < page->block_height ? page->height - y
                                                                : page->block_height;
    const unsigned values = page->planar == PLANARCONFIG_CONTIG ? page->samples : 1;
    const size_t pitch = (size_t)(page->block_bytes / page->block_height);
    const tmsize_t bytes = (tmsize_t)(page->tiled ? page->block_bytes : pitch * rows),
                   got = page->tiled
                             ? TIFFReadEncodedTile(
                                   r->tiff, TIFFComputeTile(r->tiff, x, y, 0, (uint16_t)plane),
                                   r->block, bytes)
                             : TIFFReadEncodedStrip(r->tiff,
                                                    TIFFComputeStrip(r->tiff, y, (uint16_t)plane),
                                                    r->block, bytes);
    if (got != bytes || clup_watch_ask() != CLUP_OK)
        return false;
    for (uint32_t k = 0; k < rows; k++) {
        const uint8_t *row = r->block + pitch * k;
        if (r->row != NULL)
            unpack(page, row, (uint64_t)columns * values, r->row);
        place(r, r->row != NULL ? r->row : row, x, y + k, columns, plane);
    }
    return true;
}

static bool read_blocks(const reading *r)
{
    const clup_tiff_page *page = r->page;
    const unsigned planes = page->planar == PLANARCONFIG_CONTIG ? 1 : page->samples;
    for (unsigned plane = 0; plane < planes; plane++)
        for (uint64_t y = 0; y < page->height; y += page->block_height)
            for (uint64_t x = 0; x < page->width; x += page->block_width)
                if (!read_block(r, (uint32_t)x, (uint32_t)y, plane))
                    return false;
    return true;
}

/* Reads a page whose colours libtiff makes. */
static bool read_colours(const reading *r, uint32_t *raster)
{
    char why[1024];
    TIFFRGBAImage colours;
    const size_t count = (size_t)r->page->width * r->page->height;
    if (!TIFFRGBAImageOK(r->tiff, why) || !TIFFRGBAImageBegin(&colours, r->tiff, 1, why)) {
        TIFFErrorExtR(r->tiff, "colours", "%s", why);
        return false;
    }
    colours.req_orientation = colours.orientation; /* pixels stay where they are */
    const bool read = TIFFRGBAImageGet(&colours, raster, r->page->width, r->page->height) != 0;
    TIFFRGBAImageEnd(&colours);
    for (size_t k = 0; k < count && read; k++) {
        r->pixels[3 * k] = (uint8_t)TIFFGetR(raster[k]);
        r->pixels[3 * k + 1] = (uint8_t)TIFFGetG(raster[k]);
        r->pixels[3 * k + 2] = (uint8_t)TIFFGetB(raster[k]);
    }
    return read;
}

bool clup_tiff_read(TIFF *tiff, const clup_tiff_page *page, void *pixels, bool *no_memory)
{
    const unsigned values = page->planar == PLANARCONFIG_CONTIG ? page->samples : 1;
    const uint64_t room = page->rgba ? 4 * (uint64_t)page->width * page->height : page->block_bytes;
    reading r = {.tiff = tiff, .page = page, .pixels = pixels};
    uint16_t *palette[3];
    bool read = false;
    r.block = room <= SIZE_MAX ? calloc((size_t)room, 1) : NULL;
    if (!is_plain(page) && !page->rgba)
        r.row = malloc((size_t)page->block_width * values * clup_dtype_bytes(page->sample));
    *no_memory = r.block == NULL || (!is_plain(page) && !page->rgba && r.row == NULL);
    if (page->photometric == PHOTOMETRIC_PALETTE &&
        TIFFGetField(tiff, TIFFTAG_COLORMAP, &palette[0], &palette[1], &palette[2]))
        memcpy(r.colours, palette, sizeof r.colours);
    if (page->photometric == PHOTOMETRIC_PALETTE && r.colours[0] == NULL)
        TIFFErrorExtR(tiff, "palette", "the palette is missing");
    else if (!*no_memory)
        read = page->rgba ? read_colours(&r, (uint32_t *)(void *)r.block) : read_blocks(&r);
    free(r.block);
    free(r.row);
    return read;
}
#endif
