/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out how the pixels of a page of a TIFF are stored. The tags: TIFF 6.0, Adobe, 1992. */
#include "config.h"

#include "clup.h"

#ifdef HAVE_TIFF
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "io/tiff_page.h"

static bool refuse(clup_tiff_wrong *wrong, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool refuse(clup_tiff_wrong *wrong, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(wrong->text, sizeof wrong->text, format, args);
    va_end(args);
    return false;
}

/* Reads the tags; those that a page lacks have the values that the format says. */
static bool read_tags(TIFF *tiff, clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    uint16_t orientation;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &page->width) ||
        !TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &page->height) || page->width == 0 ||
        page->height == 0)
        return refuse(wrong, "the image is empty: an axis has the length 0");
    TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &page->bits);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &page->samples);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLEFORMAT, &page->kind);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_PLANARCONFIG, &page->planar);
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &page->compression);
    if (!TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &page->photometric))
        page->photometric = page->samples < 3 ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
    page->notes = (orientation != ORIENTATION_TOPLEFT ? CLUP_IMAGE_TURNED : 0) |
                  (page->photometric == PHOTOMETRIC_MINISWHITE ? CLUP_IMAGE_MIN_IS_WHITE : 0);
    if (!TIFFIsCODECConfigured(page->compression)) {
        const TIFFCodec *codec = TIFFFindCODEC(page->compression);
        return refuse(wrong, "the compression %u%s%.40s%s is not in this libtiff",
                      page->compression, codec != NULL ? " (" : "",
                      codec != NULL ? codec->name : "", codec != NULL ? ")" : "");
    }
    return true;
}

/* Finds the type of a sample, and the type in which it is read. */
static bool find_dtype(clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    static const clup_dtype wholes[2][4] = {
        {CLUP_DTYPE_U8, CLUP_DTYPE_U16, CLUP_DTYPE_U32, CLUP_DTYPE_U64},
        {CLUP_DTYPE_I8, CLUP_DTYPE_I16, CLUP_DTYPE_I32, CLUP_DTYPE_I64}};
    const unsigned bits = page->bits;
    page->sample = CLUP_DTYPE_NONE;
    if (page->kind == SAMPLEFORMAT_IEEEFP && (bits == 16 || bits == 32 || bits == 64))
        page->sample = bits == 64 ? CLUP_DTYPE_F64 : CLUP_DTYPE_F32;
    else if ((page->kind == SAMPLEFORMAT_UINT || page->kind == SAMPLEFORMAT_INT ||
              page->kind == SAMPLEFORMAT_VOID) &&
             ((bits >= 1 && bits <= 32) || bits == 64))
        page->sample = wholes[page->kind == SAMPLEFORMAT_INT][bits <= 8    ? 0
                                                              : bits <= 16 ? 1
                                                              : bits <= 32 ? 2
                                                                           : 3];
    page->dtype = page->sample;
    if (page->sample != CLUP_DTYPE_NONE)
        return true;
    return page->kind == SAMPLEFORMAT_COMPLEXINT || page->kind == SAMPLEFORMAT_COMPLEXIEEEFP
               ? refuse(wrong, "pixels are complex numbers, which are not read")
               : refuse(wrong, "pixels of %u bits and the sample format %u are not read", bits,
                        page->kind);
}

/* Whether the first sample after the colours is called alpha. */
static bool has_alpha(TIFF *tiff)
{
    uint16_t count = 0, *kinds = NULL;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds);
    return count > 0 && (kinds[0] == EXTRASAMPLE_ASSOCALPHA || kinds[0] == EXTRASAMPLE_UNASSALPHA);
}

static bool find_gray(TIFF *tiff, clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    page->alpha = page->samples == 2 && has_alpha(tiff);
    page->channels = page->samples;
    return page->samples == 1 || page->alpha
               ? true
               : refuse(wrong,
                        "a pixel has %u gray values, which are neither one nor one with alpha: "
                        "write one of them",
                        page->samples);
}

static bool find_rgb(clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    page->channels = page->samples;
    return page->samples == 3 || page->samples == 4
               ? true
               : refuse(wrong, "a pixel has %u values, which are neither RGB nor RGBA",
                        page->samples);
}

static bool find_palette(bool numbers, clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    if (page->samples != 1 || page->bits > 16 || page->sample > CLUP_DTYPE_U16)
        return refuse(wrong, "a palette of %u values of %u bits is not read", page->samples,
                      page->bits);
    page->numbers = numbers;
    page->channels = numbers ? 1 : 3;
    /* a palette has colours of 16 bits */
    page->dtype = numbers ? page->sample : CLUP_DTYPE_U16;
    return true;
}

/* Colours that are not stored as such: of JPEG, its library makes them; of others, libtiff. */
static bool find_ycbcr(TIFF *tiff, clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    if (page->samples != 3 || page->bits != 8)
        return refuse(wrong, "YCbCr of %u values of %u bits is not read", page->samples,
                      page->bits);
    page->channels = 3;
    page->rgba = page->compression != COMPRESSION_JPEG || page->planar != PLANARCONFIG_CONTIG;
    if (!page->rgba)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    return true;
}

static bool find_channels(TIFF *tiff, bool numbers, clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    if (numbers && page->photometric != PHOTOMETRIC_PALETTE)
        return refuse(wrong, "the TIFF has no palette");
    switch (page->photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_MASK:
    case PHOTOMETRIC_CFA: return find_gray(tiff, page, wrong);
    case PHOTOMETRIC_RGB: return find_rgb(page, wrong);
    case PHOTOMETRIC_PALETTE: return find_palette(numbers, page, wrong);
    case PHOTOMETRIC_YCBCR: return find_ycbcr(tiff, page, wrong);
    case PHOTOMETRIC_SEPARATED:
        return refuse(wrong, "the colours are CMYK or other inks: convert them to RGB");
    default:
        return refuse(wrong,
                      "colours of the photometric interpretation %u are not read: convert "
                      "them to RGB",
                      page->photometric);
    }
}

/* Finds the size of tiles or strips. */
static bool find_blocks(TIFF *tiff, clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    page->tiled = TIFFIsTiled(tiff) != 0;
    page->block_width = page->width;
    page->block_height = page->height;
    if (page->tiled && (!TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &page->block_width) ||
                        !TIFFGetField(tiff, TIFFTAG_TILELENGTH, &page->block_height)))
        return refuse(wrong, "the tiles have no size");
    if (!page->tiled)
        TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &page->block_height);
    if (page->block_width == 0 || page->block_height == 0)
        return refuse(wrong, "the tiles or strips are empty");
    if (!page->tiled && page->block_height > page->height)
        page->block_height = page->height;
    const uint64_t values = page->planar == PLANARCONFIG_CONTIG ? page->samples : 1,
                   row = ((uint64_t)page->block_width * values * page->bits + 7) / 8,
                   blocks = page->tiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff);
    /* a row has up to 2^51 bytes */
    if (blocks == 0 || row > UINT64_MAX / page->block_height ||
        row * page->block_height > UINT64_MAX / blocks)
        return refuse(wrong, "the tiles or strips are too large");
    page->block_bytes = row * page->block_height;
    page->bytes = page->block_bytes * blocks;
    if (!page->tiled) /* the last strip of a plane may be shorter */
        page->bytes = row * page->height *
                      (page->planar == PLANARCONFIG_CONTIG ? 1 : page->samples);
    if (page->rgba) /* there are fewer colours than pixels */
        page->bytes = (uint64_t)page->width * page->height;
    return true;
}

bool clup_tiff_describe(TIFF *tiff, bool numbers, clup_tiff_page *page, clup_tiff_wrong *wrong)
{
    *page = (clup_tiff_page){0};
    wrong->text[0] = '\0';
    return read_tags(tiff, page, wrong) && find_dtype(page, wrong) &&
           find_channels(tiff, numbers, page, wrong) && find_blocks(tiff, page, wrong);
}

/* Returns the images that ImageJ's description says the file has; 1 without one. */
static uint32_t images_said(TIFF *tiff)
{
    const char *text = NULL, *line;
    if (!TIFFGetField(tiff, TIFFTAG_IMAGEDESCRIPTION, &text) || strncmp(text, "ImageJ=", 7) != 0 ||
        (line = strstr(text, "\nimages=")) == NULL)
        return 1;
    const unsigned long images = strtoul(line + 8, NULL, 10);
    return images > 1 && images < UINT32_MAX ? (uint32_t)images : 1;
}

uint32_t clup_tiff_stacked(TIFF *tiff, const clup_tiff_page *page, uint64_t *data)
{
    const uint32_t images = images_said(tiff);
    uint64_t *offsets = NULL;
    if (images == 1)
        return 1;
    if (page->compression != COMPRESSION_NONE || page->tiled ||
        page->planar != PLANARCONFIG_CONTIG || page->dtype != page->sample ||
        page->bits != 8 * clup_dtype_bytes(page->sample) || page->alpha || page->rgba ||
        TIFFNumberOfStrips(tiff) != 1 || !TIFFGetField(tiff, TIFFTAG_STRIPOFFSETS, &offsets))
        return 0;
    *data = offsets[0];
    return images;
}
#endif
