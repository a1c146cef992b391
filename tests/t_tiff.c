/* SPDX-License-Identifier: BSD-3-Clause */
/* TIFF: what libtiff writes is read as it was, of all numbers of bits, strips and tiles, channels
 * and pages; what cannot be read is refused with a reason; labels are written so that libtiff reads
 * them. Without libtiff a TIFF is refused by its name. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dtype.h"
#include "base/file.h"
#include "io/labels.h"
#include "program.h"
#include "tap.h"

static const char path[] = "t_tiff.tif";

#ifdef HAVE_TIFF
#include <tiffio.h>

enum { WIDTH = 37, HEIGHT = 29, TILE = 16, ROWS = 7, BLOCK = 1 << 16 };

/* How a page is written. */
typedef struct form {
    const char *mode;
    unsigned bits, kind, samples, planar, compression, photometric, orientation, extra, alpha;
    unsigned subfile, width, height;
    bool tiled;
} form;

static const form plain = {.mode = "w",
                           .bits = 8,
                           .kind = SAMPLEFORMAT_UINT,
                           .samples = 1,
                           .planar = PLANARCONFIG_CONTIG,
                           .compression = COMPRESSION_NONE,
                           .photometric = PHOTOMETRIC_MINISBLACK,
                           .orientation = 1,
                           .width = WIDTH,
                           .height = HEIGHT};

/* The bits of a sample. */
static uint64_t sample(const form *f, uint32_t x, uint32_t y, unsigned c)
{
    uint64_t bits = (x + 1) * 0x9E3779B97F4A7C15u ^ (y + 1) * 0xC2B2AE3D27D4EB4Fu ^ c * 0x165667B1u;
    bits ^= bits >> 29;
    bits *= 0xBF58476D1CE4E5B9u;
    bits ^= bits >> 32;
    return bits >> (64 - f->bits);
}

/* Puts a sample number k of a row, in the form in which libtiff takes it. */
static void pack(const form *f, uint8_t *row, size_t k, uint64_t bits)
{
    const unsigned count = f->bits;
    if (count == 8 || count == 16 || count == 32 || count == 64)
        clup_value_put(count == 8    ? CLUP_DTYPE_U8
                       : count == 16 ? CLUP_DTYPE_U16
                       : count == 32 ? CLUP_DTYPE_U32
                                     : CLUP_DTYPE_U64,
                       row, k, bits);
    else if (count == 24)
        for (unsigned byte = 0; byte < 3; byte++)
            row[3 * k + (clup_host_big_endian() ? 2 - byte : byte)] = (uint8_t)(bits >> 8 * byte);
    else
        for (unsigned bit = 0; bit < count; bit++) {
            const size_t at = k * count + bit;
            if (bits >> (count - 1 - bit) & 1)
                row[at / 8] |= (uint8_t)(0x80 >> at % 8);
        }
}

/* Writes the tile or strip that begins at (x0, y0). */
static bool write_block(TIFF *tiff, const form *f, uint32_t x0, uint32_t y0, unsigned plane)
{
    static union {
        uint8_t bytes[BLOCK];
        uint64_t aligned;
    } block;
    const unsigned values = f->planar == PLANARCONFIG_CONTIG ? f->samples : 1;
    const uint32_t columns = f->tiled ? TILE : f->width, rows = f->tiled ? TILE : ROWS;
    const size_t pitch = ((size_t)columns * values * f->bits + 7) / 8;
    memset(block.bytes, 0, sizeof block.bytes);
    for (uint32_t y = 0; y < rows && y0 + y < f->height; y++)
        for (uint32_t x = 0; x < columns && x0 + x < f->width; x++)
            for (unsigned c = 0; c < values; c++)
                pack(f, block.bytes + pitch * y, (size_t)x * values + c,
                     sample(f, x0 + x, y0 + y, values > 1 ? c : plane));
    if (f->tiled)
        return TIFFWriteEncodedTile(tiff, TIFFComputeTile(tiff, x0, y0, 0, (uint16_t)plane),
                                    block.bytes, (tmsize_t)(pitch * rows)) > 0;
    const uint32_t left = f->height - y0 < rows ? f->height - y0 : rows;
    return TIFFWriteEncodedStrip(tiff, TIFFComputeStrip(tiff, y0, (uint16_t)plane), block.bytes,
                                 (tmsize_t)(pitch * left)) > 0;
}

static void set_tags(TIFF *tiff, const form *f)
{
    static uint16_t colours[3][65536];
    uint16_t extra = (uint16_t)f->extra;
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, f->width);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, f->height);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, f->bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, f->kind);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, f->samples);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, f->planar);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, f->compression);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, f->photometric);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, f->orientation);
    TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, f->subfile);
    if (f->alpha)
        TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &extra);
    if (f->tiled) {
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, TILE);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, TILE);
    } else
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, ROWS);
    if (f->photometric == PHOTOMETRIC_PALETTE) {
        for (unsigned k = 0; k < 65536; k++)
            for (unsigned c = 0; c < 3; c++)
                colours[c][k] = (uint16_t)(k * 251 + 7919 * c);
        TIFFSetField(tiff, TIFFTAG_COLORMAP, colours[0], colours[1], colours[2]);
    }
}

/* Writes pages, the first with its mode. */
static void write_pages(const form *forms, size_t pages)
{
    TIFF *tiff = TIFFOpen(path, forms->mode);
    bool written = tiff != NULL;
    for (const form *f = forms; f < forms + pages && written; f++) {
        const unsigned planes = f->planar == PLANARCONFIG_CONTIG ? 1 : f->samples;
        set_tags(tiff, f);
        for (unsigned plane = 0; plane < planes; plane++)
            for (uint32_t y = 0; y < f->height; y += f->tiled ? TILE : ROWS)
                for (uint32_t x = 0; x < f->width; x += f->tiled ? TILE : f->width)
                    written = written && write_block(tiff, f, x, y, plane);
        written = written && TIFFWriteDirectory(tiff);
    }
    if (tiff != NULL)
        TIFFClose(tiff);
    if (!written)
        ok(0, "libtiff writes %u bits", forms->bits);
}

/* Whether an image is what was written, as so many pages. */
static bool is_same(const clup_image *image, const form *f, uint32_t pages)
{
    const bool is_signed = f->kind == SAMPLEFORMAT_INT;
    bool same = image->size[0] == f->width && image->size[1] == f->height &&
                image->size[2] == pages && image->axes == (pages > 1 ? 3 : 2) &&
                image->channels == f->samples;
    for (uint64_t k = 0; k < clup_image_values(image) && same; k++) {
        const uint64_t pixel = k / f->samples % ((uint64_t)f->width * f->height);
        uint64_t bits = sample(f, (uint32_t)(pixel % f->width), (uint32_t)(pixel / f->width),
                               (unsigned)(k % f->samples));
        const unsigned room = 8 * (unsigned)clup_dtype_bytes(image->dtype);
        if (is_signed && f->bits < 64 && bits >> (f->bits - 1))
            bits |= UINT64_MAX << f->bits;
        same = clup_value_get(image->dtype, image->pixels, k) ==
               (room < 64 ? bits & (((uint64_t)1 << room) - 1) : bits);
    }
    return same;
}

/* Writes one page, and returns whether it is read as it was, with this type. */
static bool returns(const form *f, clup_dtype dtype)
{
    clup_image image;
    write_pages(f, 1);
    const bool same = clup_image_read(path, NULL, &image) == CLUP_OK && image.dtype == dtype &&
                      is_same(&image, f, 1);
    clup_image_clear(&image);
    return same;
}

static void check_bits(void)
{
    static const unsigned compressions[] = {COMPRESSION_NONE, COMPRESSION_LZW,
                                            COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS};
    static const char *const modes[] = {"wl", "wb", "wl8", "wb8"};
    static const struct {
        unsigned bits, kind;
        clup_dtype dtype;
    } kinds[] = {
        {1, SAMPLEFORMAT_UINT, CLUP_DTYPE_U8},     {2, SAMPLEFORMAT_UINT, CLUP_DTYPE_U8},
        {4, SAMPLEFORMAT_UINT, CLUP_DTYPE_U8},     {6, SAMPLEFORMAT_INT, CLUP_DTYPE_I8},
        {8, SAMPLEFORMAT_UINT, CLUP_DTYPE_U8},     {8, SAMPLEFORMAT_INT, CLUP_DTYPE_I8},
        {10, SAMPLEFORMAT_UINT, CLUP_DTYPE_U16},   {12, SAMPLEFORMAT_UINT, CLUP_DTYPE_U16},
        {12, SAMPLEFORMAT_INT, CLUP_DTYPE_I16},    {16, SAMPLEFORMAT_UINT, CLUP_DTYPE_U16},
        {16, SAMPLEFORMAT_INT, CLUP_DTYPE_I16},    {24, SAMPLEFORMAT_UINT, CLUP_DTYPE_U32},
        {24, SAMPLEFORMAT_INT, CLUP_DTYPE_I32},    {31, SAMPLEFORMAT_UINT, CLUP_DTYPE_U32},
        {32, SAMPLEFORMAT_UINT, CLUP_DTYPE_U32},   {32, SAMPLEFORMAT_INT, CLUP_DTYPE_I32},
        {32, SAMPLEFORMAT_IEEEFP, CLUP_DTYPE_F32}, {64, SAMPLEFORMAT_UINT, CLUP_DTYPE_U64},
        {64, SAMPLEFORMAT_INT, CLUP_DTYPE_I64},    {64, SAMPLEFORMAT_IEEEFP, CLUP_DTYPE_F64},
        {16, SAMPLEFORMAT_VOID, CLUP_DTYPE_U16}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        unsigned wrong = 0;
        for (unsigned way = 0; way < 32; way++) {
            form f = plain;
            f.bits = kinds[k].bits;
            f.kind = kinds[k].kind;
            f.tiled = way % 2 != 0;
            f.compression = compressions[way / 2 % 4];
            f.mode = modes[way / 8];
            wrong += !returns(&f, kinds[k].dtype);
        }
        ok(wrong == 0, "%u bits of the format %u, %s: %u of 32 files differ", kinds[k].bits,
           kinds[k].kind, clup_dtype_name(kinds[k].dtype), wrong);
    }
}

static void check_channels(void)
{
    for (unsigned samples = 3; samples <= 4; samples++)
        for (unsigned planar = PLANARCONFIG_CONTIG; planar <= PLANARCONFIG_SEPARATE; planar++)
            for (unsigned tiled = 0; tiled < 2; tiled++) {
                form f = plain;
                f.samples = samples;
                f.planar = planar;
                f.photometric = PHOTOMETRIC_RGB;
                f.alpha = samples == 4;
                f.extra = EXTRASAMPLE_UNASSALPHA;
                f.tiled = tiled != 0;
                f.bits = tiled ? 16 : 12;
                ok(returns(&f, CLUP_DTYPE_U16), "%u channels, planar configuration %u, %s", samples,
                   planar, tiled ? "tiles" : "strips");
            }
}

/* ---- what is said of pixels ------------------------------------------------------------------ */

static void check_notes(void)
{
    clup_image image;
    form f = plain;
    f.bits = 1;
    f.photometric = PHOTOMETRIC_MINISWHITE;
    write_pages(&f, 1);
    ok(clup_image_read(path, NULL, &image) == CLUP_OK && is_same(&image, &f, 1) &&
           image.notes == CLUP_IMAGE_MIN_IS_WHITE,
       "where 0 is white the bits stay, and a note says so");
    clup_image_clear(&image);
    f.photometric = PHOTOMETRIC_MINISBLACK;
    f.orientation = 6;
    write_pages(&f, 1);
    ok(clup_image_read(path, NULL, &image) == CLUP_OK && is_same(&image, &f, 1) &&
           image.notes == CLUP_IMAGE_TURNED,
       "pixels are not turned, and a note says so");
    clup_image_clear(&image);
}

static void check_palette(void)
{
    const clup_image_options numbers = {.palette = 1};
    clup_image image;
    form f = plain;
    f.photometric = PHOTOMETRIC_PALETTE;
    for (f.bits = 4; f.bits <= 16; f.bits += f.bits) {
        write_pages(&f, 1);
        ok(clup_image_read(path, &numbers, &image) == CLUP_OK && is_same(&image, &f, 1),
           "numbers of a palette of %u bits", f.bits);
        clup_image_clear(&image);
        bool same = clup_image_read(path, NULL, &image) == CLUP_OK && image.channels == 3 &&
                    image.dtype == CLUP_DTYPE_U16;
        for (uint32_t k = 0; k < 3 * WIDTH * HEIGHT && same; k++)
            same = ((uint16_t *)image.pixels)[k] ==
                   (uint16_t)(sample(&f, k / 3 % WIDTH, k / 3 / WIDTH, 0) * 251 + 7919 * (k % 3));
        ok(same, "and its colours");
        clup_image_clear(&image);
    }
}

static void check_alpha(void)
{
    clup_image image;
    form f = plain;
    f.samples = 2;
    f.alpha = 1;
    f.extra = EXTRASAMPLE_UNASSALPHA;
    write_pages(&f, 1);
    bool same = clup_image_read(path, NULL, &image) == CLUP_OK && image.channels == 4;
    for (uint32_t k = 0; k < WIDTH * HEIGHT && same; k++) {
        const uint8_t *pixel = (uint8_t *)image.pixels + 4 * k;
        const uint64_t gray = sample(&f, k % WIDTH, k / WIDTH, 0);
        same = pixel[0] == gray && pixel[1] == gray && pixel[2] == gray &&
               pixel[3] == sample(&f, k % WIDTH, k / WIDTH, 1);
    }
    ok(same, "gray with alpha is RGBA");
    clup_image_clear(&image);
}

/* Floats of 16 bits, and what they are. */
static void check_halves(void)
{
    static const struct {
        uint16_t bits;
        float value;
    } halves[] = {{0x0000, 0},
                  {0x3C00, 1},
                  {0xC000, -2},
                  {0x7BFF, 65504},
                  {0x0400, 0x1p-14f},
                  {0x0001, 0x1p-24f},
                  {0x83FF, -0x1.FF8p-15f},
                  {0x0200, 0x1p-15f},
                  {0x7C00, INFINITY},
                  {0xFC00, -INFINITY},
                  {0x3555, 0x1.554p-2f}};
    enum { HALVES = sizeof halves / sizeof *halves };
    uint16_t row[HALVES];
    clup_image image;
    form f = plain;
    f.bits = 16;
    f.kind = SAMPLEFORMAT_IEEEFP;
    f.width = HALVES;
    f.height = 1;
    for (size_t k = 0; k < HALVES; k++)
        row[k] = halves[k].bits;
    TIFF *tiff = TIFFOpen(path, "w");
    set_tags(tiff, &f);
    TIFFWriteEncodedStrip(tiff, 0, row, sizeof row);
    TIFFClose(tiff);
    bool same = clup_image_read(path, NULL, &image) == CLUP_OK && image.dtype == CLUP_DTYPE_F32;
    for (size_t k = 0; k < HALVES && same; k++)
        same = ((float *)image.pixels)[k] == halves[k].value;
    ok(same, "floats of 16 bits are f32");
    clup_image_clear(&image);
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void refuses(const clup_image_options *options, clup_status wanted, const char *text)
{
    clup_image image;
    const clup_status status = clup_image_read(path, options, &image);
    ok(status == wanted && strstr(clup_error_detail(), text) != NULL &&
           strncmp(clup_error_detail(), path, strlen(path)) == 0 && image.pixels == NULL,
       "refused: %s", status == CLUP_OK ? "was read" : clup_error_detail());
    clup_image_clear(&image);
}

static void check_pages(void)
{
    clup_image_options page = {.page = 2};
    clup_image image;
    form pages[3] = {plain, plain, plain};
    pages[1].tiled = true;
    pages[2].compression = COMPRESSION_LZW;
    write_pages(pages, 3);
    ok(clup_image_read(path, NULL, &image) == CLUP_OK && is_same(&image, &plain, 3),
       "pages are a volume");
    clup_image_clear(&image);
    pages[1].bits = 16;
    write_pages(pages, 3);
    refuses(NULL, CLUP_ERROR_RUNTIME, "page 2 has 37 x 29 pixels, u16");
    ok(clup_image_read(path, &page, &image) == CLUP_OK && is_same(&image, &pages[1], 1),
       "one page is an image");
    clup_image_clear(&image);
    page.page = 4;
    refuses(&page, CLUP_ERROR_RUNTIME, "no page 4, of 3");
    page.page = ((uint64_t)1 << 32) + 2;
    refuses(&page, CLUP_ERROR_RUNTIME, "no page 4294967298, of 3");
    pages[1] = plain;
    pages[1].width = 5;
    pages[1].subfile = FILETYPE_REDUCEDIMAGE;
    write_pages(pages, 3);
    ok(clup_image_read(path, NULL, &image) == CLUP_OK && is_same(&image, &plain, 2),
       "a reduced copy is left out");
    clup_image_clear(&image);
    page.page = 2;
    ok(clup_image_read(path, &page, &image) == CLUP_OK && is_same(&image, &pages[1], 1),
       "unless it is asked for");
    clup_image_clear(&image);
    write_pages(pages, 2);
    ok(clup_image_read(path, NULL, &image) == CLUP_OK && is_same(&image, &plain, 1),
       "one page and its copy are an image");
    clup_image_clear(&image);
}

/* ImageJ's stacks have one page, and the other images behind its own. */
static void check_stack(void)
{
    enum { IMAGES = 3, VALUES = 6 };
    static const uint16_t values[IMAGES * VALUES] = {1,  2,  3,  4,   5,   600, 7,   8,   9,
                                                     10, 11, 12, 130, 140, 150, 160, 170, 65535};
    clup_image image;
    clup_text file = {0};
    form f = plain;
    f.bits = 16;
    f.width = VALUES;
    f.height = 1;
    f.mode = clup_host_big_endian() ? "wb" : "wl";
    TIFF *tiff = TIFFOpen(path, f.mode);
    set_tags(tiff, &f);
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53\nimages=3\nslices=3\n");
    TIFFWriteEncodedStrip(tiff, 0, (void *)values, 2 * VALUES);
    TIFFClose(tiff);
    /* the strip is moved to the end, where there is room */
    NEED(clup_file_read(path, &file));
    const uint32_t before = 8, after = (uint32_t)file.length;
    for (size_t k = 8; k + 12 <= file.length; k += 2) {
        uint16_t tag;
        memcpy(&tag, file.data + k, 2);
        if (tag == TIFFTAG_STRIPOFFSETS && memcmp(file.data + k + 8, &before, 4) == 0)
            memcpy(file.data + k + 8, &after, 4);
    }
    clup_text_add_bytes(&file, (const char *)values, sizeof values);
    NEED(clup_file_save(path, file.data, file.length));
    ok(clup_image_read(path, NULL, &image) == CLUP_OK && image.size[2] == IMAGES &&
           memcmp(image.pixels, values, sizeof values) == 0,
       "a stack of ImageJ: %s", clup_error_detail());
    clup_image_clear(&image);
    NEED(clup_file_save(path, file.data, file.length - 1));
    refuses(NULL, CLUP_ERROR_RUNTIME, "ImageJ says that there are 3 images");
    clup_text_free(&file);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void check_refused(void)
{
    const clup_image_options palette = {.palette = 1}, few = {.max_bytes = 500};
    form f = plain;
    write_pages(&f, 1);
    refuses(&palette, CLUP_ERROR_RUNTIME, "has no palette");
    refuses(&few, CLUP_ERROR_MEMORY, "more than the limit, 500");
    f.samples = 4;
    f.photometric = PHOTOMETRIC_SEPARATED;
    write_pages(&f, 1);
    refuses(NULL, CLUP_ERROR_RUNTIME, "CMYK");
    f = plain;
    f.samples = 2;
    write_pages(&f, 1);
    refuses(NULL, CLUP_ERROR_RUNTIME, "2 gray values");
    f = plain;
    f.bits = 64;
    f.kind = SAMPLEFORMAT_COMPLEXIEEEFP;
    write_pages(&f, 1);
    refuses(NULL, CLUP_ERROR_RUNTIME, "complex");
}

/* A file that lacks its end, or whose pixels are damaged, is no image. */
static void check_damaged(void)
{
    clup_text file = {0};
    clup_image image;
    unsigned read = 0;
    form f = plain;
    f.compression = COMPRESSION_ADOBE_DEFLATE;
    write_pages(&f, 1);
    NEED(clup_file_read(path, &file));
    for (size_t length = 8; length < file.length; length += 11) {
        NEED(clup_file_save(path, file.data, length));
        read += clup_image_read(path, NULL, &image) == CLUP_OK;
        clup_image_clear(&image);
    }
    ok(read == 0, "%u beginnings of a file are images", read);
    file.data[40] ^= 0x55; /* in the first strip */
    NEED(clup_file_save(path, file.data, file.length));
    refuses(NULL, CLUP_ERROR_RUNTIME, "page 1: no valid TIFF: ");
    clup_text_free(&file);
    /* a size that the file has no room for */
    f = plain;
    f.width = 4;
    write_pages(&f, 1);
    NEED(clup_file_read(path, &file));
    const uint32_t huge = 1 << 30;
    for (size_t k = 8; k + 12 <= file.length; k += 2) {
        uint16_t tag;
        memcpy(&tag, file.data + k, 2);
        if (tag == TIFFTAG_IMAGEWIDTH && file.data[k + 8] == 4) {
            memcpy(file.data + k + 2, &(const uint16_t){TIFF_LONG}, 2);
            memcpy(file.data + k + 8, &huge, 4);
        }
    }
    NEED(clup_file_save(path, file.data, file.length));
    refuses(NULL, CLUP_ERROR_RUNTIME, "too short");
    clup_text_free(&file);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Whether libtiff finds the labels in a file of so many bits. */
static bool has_labels(const uint32_t *labels, const uint32_t size[3], unsigned bits, bool big)
{
    uint32_t width = 0, height = 0;
    uint16_t found = 0;
    static uint8_t strip[1 << 19];
    TIFF *tiff = TIFFOpen(path, "r");
    bool same = tiff != NULL && (TIFFIsBigTIFF(tiff) != 0) == big;
    for (uint32_t z = 0; z < size[2] && same; z++) {
        same = TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width) &&
               TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height) &&
               TIFFGetField(tiff, TIFFTAG_BITSPERSAMPLE, &found) && width == size[0] &&
               height == size[1] && found == bits;
        for (uint32_t k = 0; k < TIFFNumberOfStrips(tiff) && same; k++) {
            const tmsize_t bytes = TIFFReadEncodedStrip(tiff, k, strip, sizeof strip);
            same = bytes > 0;
            for (uint64_t j = 0; (tmsize_t)j < bytes / (bits / 8) && same; j++)
                same = *labels++ == clup_value_get(bits == 8    ? CLUP_DTYPE_U8
                                                   : bits == 16 ? CLUP_DTYPE_U16
                                                                : CLUP_DTYPE_U32,
                                                   strip, j);
        }
        same = same && (z + 1 < size[2] ? TIFFReadDirectory(tiff) : TIFFLastDirectory(tiff)) != 0;
    }
    if (tiff != NULL)
        TIFFClose(tiff);
    return same;
}

static void check_labels(void)
{
    static const uint32_t sizes[][3] = {{5, 4, 3}, {300, 1000, 1}, {1, 1, 2}};
    static const struct {
        uint32_t count;
        unsigned bits;
    } counts[] = {{255, 8}, {256, 16}, {65536, 32}};
    for (size_t s = 0; s < 3; s++)
        for (size_t k = 0; k < 6; k++) {
            const uint32_t *size = sizes[s], count = counts[k % 3].count;
            const size_t pixels = (size_t)size[0] * size[1] * size[2];
            uint32_t *labels = malloc(pixels * sizeof *labels);
            for (size_t j = 0; j < pixels; j++)
                labels[j] = (uint32_t)(j * 2654435761u) % (count + 1);
            labels[pixels - 1] = count;
            clup_tiff_most = k < 3 ? UINT32_MAX : 1000;
            ok(clup_labels_write(NULL, path, labels, size, size[2] > 1 ? 3 : 2, count) == CLUP_OK &&
                   has_labels(labels, size, counts[k % 3].bits, k >= 3),
               "%u x %u x %u labels up to %u in a %sTIFF", size[0], size[1], size[2], count,
               k < 3 ? "" : "Big");
            free(labels);
        }
    clup_tiff_most = UINT32_MAX;
}

static void ignore(const char *module, const char *format, va_list args)
{
    (void)module;
    (void)format;
    (void)args;
}

int main(void)
{
    TIFFSetWarningHandler(ignore);
    TIFFSetErrorHandler(ignore);
    check_bits();
    check_channels();
    check_notes();
    check_palette();
    check_alpha();
    check_halves();
    check_pages();
    check_stack();
    check_refused();
    check_damaged();
    check_labels();
    unlink(path);
    return done_testing();
}
#else
int main(void)
{
    const uint32_t labels[6] = {0, 1, 2, 2, 1, 0}, size[3] = {3, 2, 1};
    clup_image image;
    ok(clup_labels_write(NULL, path, labels, size, 2, 2) == CLUP_OK, "labels are written");
    ok(clup_image_read(path, NULL, &image) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), "is a TIFF, and this clup was built without") != NULL,
       "and not read: %s", clup_error_detail());
    unlink(path);
    return done_testing();
}
#endif
