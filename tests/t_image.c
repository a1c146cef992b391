/* SPDX-License-Identifier: BSD-3-Clause */
/* Images: reading and writing of each format, including labels. The test makes the files itself,
 * see image_files.h. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/dtype.h"
#include "program.h"
#include "image_files.h"
#include "io/image.h"
#include "tap.h"

static const char path[] = "image";
static made file;

static uint32_t noise(void)
{
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

/* Whether the file that was made reads as an image of that size and type. */
static int reads(const clup_image_options *options, uint32_t nx, uint32_t ny, uint32_t nz,
                 unsigned axes, clup_dtype dtype, unsigned channels, const void *pixels)
{
    clup_image image;
    made_save(path, file.bytes, file.size);
    clup_status status = clup_image_read(path, options, &image);
    if (status != CLUP_OK)
        printf("# %s\n", clup_error_detail());
    int same = status == CLUP_OK && image.size[0] == nx && image.size[1] == ny &&
               image.size[2] == nz && image.axes == axes && image.dtype == dtype &&
               image.channels == channels &&
               memcmp(image.pixels, pixels,
                      (size_t)nx * ny * nz * channels * clup_dtype_bytes(dtype)) == 0;
    clup_image_clear(&image);
    return same && image.pixels == NULL && image.axes == 0;
}

/* ---- PNG ------------------------------------------------------------------------------------- */

/* The alpha of a gray pixel, 65535 or 255 when it is opaque. */
static uint16_t gray_alpha(const made_form *f, const uint16_t *pixel)
{
    const uint16_t opaque = f->depth == 16 ? 65535 : 255;
    return f->colour == 4                                         ? pixel[1]
           : f->transparents > 0 && pixel[0] == f->transparent[1] ? 0
                                                                  : opaque;
}

/* Whether all pixels are opaque. */
static int is_opaque(const made_form *f, const uint16_t *values)
{
    const unsigned channels = made_channels(f);
    int all = 1;
    for (size_t k = 0; k < (size_t)f->nx * f->ny; k++)
        all = all && gray_alpha(f, values + channels * k) == (f->depth == 16 ? 65535 : 255);
    return all;
}

static int png_reads(const made_form *f, const uint16_t *values)
{
    const bool is_gray = f->colour == 0 || f->colour == 4;
    const size_t pixels = (size_t)f->nx * f->ny;
    static uint8_t bytes[4 * 1000];
    static uint16_t words[4 * 1000];
    unsigned channels = made_channels(f), got = channels;
    if (f->colour == 3 || (f->colour == 2 && f->transparents > 0))
        got = f->transparents > 0 ? 4 : 3;
    if (is_gray)
        got = is_opaque(f, values) ? 1 : 4;
    for (size_t k = 0; k < pixels; k++)
        for (unsigned c = 0; c < got; c++) {
            const uint16_t *pixel = values + channels * k;
            uint16_t value = c < channels ? pixel[c] : 0;
            if (is_gray)
                value = c < 3 ? pixel[0] : gray_alpha(f, pixel);
            else if (f->colour == 3)
                value = c < 3                        ? f->palette[3 * pixel[0] + c]
                        : pixel[0] < f->transparents ? f->transparent[pixel[0]]
                                                     : 255;
            else if (c == 3 && f->colour == 2)
                value = pixel[0] == f->transparent[1] && pixel[1] == f->transparent[3] &&
                                pixel[2] == f->transparent[5]
                            ? 0
                        : f->depth == 16 ? 65535
                                         : 255;
            words[got * k + c] = value;
            bytes[got * k + c] = (uint8_t)value;
        }
    made_png(&file, f, values);
    return reads(NULL, f->nx, f->ny, 1, 2, f->depth == 16 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8, got,
                 f->depth == 16 ? (void *)words : (void *)bytes);
}

/* Reads a palette image as the numbers of its colours. */
static int numbers_read(const made_form *f, const uint16_t *values)
{
    static const clup_image_options palette = {.palette = 1};
    static uint8_t numbers[1000];
    for (size_t k = 0; k < (size_t)f->nx * f->ny; k++)
        numbers[k] = (uint8_t)values[k];
    made_png(&file, f, values);
    return reads(&palette, f->nx, f->ny, 1, 2, CLUP_DTYPE_U8, 1, numbers);
}

static void check_png(void)
{
    static const struct {
        unsigned colour, depth, transparents;
        const char *what;
        bool clear; /* pixels have any alpha */
    } kinds[] = {
        {0, 1, 0, "gray of 1 bit", false},
        {0, 2, 0, "gray of 2 bits", false},
        {0, 4, 0, "gray of 4 bits", false},
        {0, 8, 0, "gray of 8 bits", false},
        {0, 16, 0, "gray of 16 bits", false},
        {0, 2, 2, "gray of 2 bits with a transparent value", false},
        {0, 16, 2, "gray of 16 bits with one", false},
        {2, 8, 0, "RGB of 8 bits", false},
        {2, 16, 0, "RGB of 16 bits", false},
        {2, 8, 6, "RGB of 8 bits with a transparent colour", false},
        {2, 16, 6, "RGB of 16 bits with one", false},
        {3, 1, 0, "a palette of 1 bit", false},
        {3, 2, 0, "a palette of 2 bits", false},
        {3, 4, 0, "a palette of 4 bits", false},
        {3, 8, 0, "a palette of 8 bits", false},
        {3, 4, 5, "a palette of 4 bits with transparent colours", false},
        {3, 8, 256, "a palette of 8 bits with as many", false},
        {4, 8, 0, "opaque gray of 8 bits", false},
        {4, 16, 0, "opaque gray of 16 bits", false},
        {4, 8, 0, "gray of 8 bits with alpha", true},
        {4, 16, 0, "gray of 16 bits with alpha", true},
        {6, 8, 0, "RGBA of 8 bits", false},
        {6, 16, 0, "RGBA of 16 bits", false},
    };
    static const uint32_t sizes[][2] = {{1, 1}, {7, 5}, {33, 29}, {1, 17}, {250, 3}};
    static uint16_t values[4 * 1000];
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        int right = 1;
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            made_form f = {.nx = sizes[k][0],
                           .ny = sizes[k][1],
                           .depth = kinds[kind].depth,
                           .colour = kinds[kind].colour,
                           .transparents = kinds[kind].transparents};
            const unsigned channels = made_channels(&f), most = (1u << f.depth) - 1;
            for (size_t j = 0; j < (size_t)f.nx * f.ny * channels; j++)
                values[j] = (uint16_t)(f.colour == 4 && j % 2 == 1 && !kinds[kind].clear
                                           ? most
                                           : noise() & most);
            f.colours = f.colour == 3 ? most + 1 : 0;
            for (size_t j = 0; j < sizeof f.palette; j++)
                f.palette[j] = (uint8_t)noise();
            for (size_t j = 0; j < f.transparents; j++)
                f.transparent[j] = (uint8_t)(f.colour == 3 ? noise() : j % 2 == 0 ? 0 : j);
            if (f.colour == 2)
                memcpy(values, (const uint16_t[]){1, 3, 5}, 6);
            for (f.interlaced = 0; f.interlaced < 2; f.interlaced++)
                right = right && png_reads(&f, values) &&
                        (f.colour != 3 || numbers_read(&f, values));
        }
        ok(right, "PNG: %s, in rows and interlaced", kinds[kind].what);
    }
}

/* ---- PNM ------------------------------------------------------------------------------------- */

#define TEXT(text) (file.size = 0, made_add(&file, text, sizeof text - 1))

static void check_pnm(void)
{
    const uint8_t bits[] = {1, 0, 0, 1, 0, 1, 1, 0, 1, 1};
    TEXT("P1\n# a comment\n5 2\n1 0 0 1 0\n1 1 0 1 1\n");
    ok(reads(NULL, 5, 2, 1, 2, CLUP_DTYPE_U8, 1, bits), "plain PBM");
    TEXT("P1 5#five\r2 100101 1011");
    ok(reads(NULL, 5, 2, 1, 2, CLUP_DTYPE_U8, 1, bits), "with nothing between bits");
    TEXT("P4\n5 2\n\x97\xd8");
    ok(reads(NULL, 5, 2, 1, 2, CLUP_DTYPE_U8, 1, bits),
       "binary PBM, whose rows are filled up with any bits");
    const uint8_t grays[] = {0, 7, 100, 99, 12, 1};
    TEXT("P2\n#x\n#y\n 3\v\f\r\n\t 2 #z\n100 0 7\n100 99 #\n12\n1");
    ok(reads(NULL, 3, 2, 1, 2, CLUP_DTYPE_U8, 1, grays),
       "plain PGM, comments and odd white space, not scaled");
    TEXT("P5#c\n3 2 100# c\n\x00\x07\x64\x63\x0c\x01\n");
    ok(reads(NULL, 3, 2, 1, 2, CLUP_DTYPE_U8, 1, grays), "binary PGM");
    const uint16_t words[] = {0, 7, 256, 999, 1000, 1};
    TEXT("P2 3 2 1000 0 7 256 999 1000 1 # the end");
    ok(reads(NULL, 3, 2, 1, 2, CLUP_DTYPE_U16, 1, words), "plain PGM of 16 bits");
    TEXT("P5 3 2 1000\n\x00\x00\x00\x07\x01\x00\x03\xe7\x03\xe8\x00\x01");
    ok(reads(NULL, 3, 2, 1, 2, CLUP_DTYPE_U16, 1, words), "binary PGM of 16 bits");
    TEXT("P3 1 2 255 0 7 100 99 12 1");
    ok(reads(NULL, 1, 2, 1, 2, CLUP_DTYPE_U8, 3, grays), "plain PPM");
    TEXT("P6 1 2 255\n\x00\x07\x64\x63\x0c\x01");
    ok(reads(NULL, 1, 2, 1, 2, CLUP_DTYPE_U8, 3, grays), "binary PPM");
    TEXT("P3 2 1 65535 0 7 256 999 1000 1");
    ok(reads(NULL, 2, 1, 1, 2, CLUP_DTYPE_U16, 3, words), "plain PPM of 16 bits");
    TEXT("P6 2 1 1000 \x00\x00\x00\x07\x01\x00\x03\xe7\x03\xe8\x00\x01");
    ok(reads(NULL, 2, 1, 1, 2, CLUP_DTYPE_U16, 3, words), "binary PPM of 16 bits");
    TEXT("P5 2 1 255\n# ");
    ok(reads(NULL, 2, 1, 1, 2, CLUP_DTYPE_U8, 1, "# "), "binary pixels may look like a comment");
}

/* ---- NumPy ----------------------------------------------------------------------------------- */

/* Writes the bytes of values 0, 1, .. of a width, in a byte order. */
static void put_values(uint8_t *to, const uint64_t *values, size_t count, size_t width, int big)
{
    for (size_t k = 0; k < count; k++)
        for (size_t b = 0; b < width; b++)
            to[width * k + b] = (uint8_t)(values[k] >> 8 * (big ? width - 1 - b : b));
}

static void check_npy_types(void)
{
    static const struct {
        const char *name;
        clup_dtype dtype;
    } types[] = {{"u1", CLUP_DTYPE_U8},  {"u2", CLUP_DTYPE_U16}, {"u4", CLUP_DTYPE_U32},
                 {"i1", CLUP_DTYPE_I8},  {"i2", CLUP_DTYPE_I16}, {"i4", CLUP_DTYPE_I32},
                 {"f4", CLUP_DTYPE_F32}, {"u8", CLUP_DTYPE_U64}, {"i8", CLUP_DTYPE_I64},
                 {"f8", CLUP_DTYPE_F64}};
    const uint64_t values[6] = {0,          0x0506070801020304, 0xFFFEFDFC,
                                0x3F800000, 0x7FE000007F800000, 0x8000000080000000};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        const size_t width = clup_dtype_bytes(types[k].dtype);
        uint64_t used[6];
        uint8_t bytes[48], native[48];
        char header[100];
        int right = 1;
        for (unsigned j = 0; j < 6; j++)
            used[j] = types[k].dtype == CLUP_DTYPE_F32 && j == 2 ? 0x3FFEFDFC : values[j];
        put_values(native, used, 6, width, *(const uint8_t *)&(const uint16_t){1} == 0);
        for (unsigned version = 1; version <= 3; version++)
            for (int big = 0; big < 2; big++) {
                snprintf(header, sizeof header,
                         "{'descr': '%c%s', 'fortran_order': False, 'shape': (2, 3), }  \n",
                         big          ? '>'
                         : width == 1 ? '|'
                                      : '<',
                         types[k].name);
                put_values(bytes, used, 6, width, big);
                made_npy(&file, version, header, bytes, 6 * width);
                right = right && reads(NULL, 3, 2, 1, 2, types[k].dtype, 1, native);
            }
        ok(right, "NumPy: %s in both byte orders and three versions",
           clup_dtype_name(types[k].dtype));
    }
}

static void check_npy(void)
{
    const clup_image_options last = {.channels_last = 1};
    uint8_t bytes[24], fortran[24];
    for (unsigned k = 0; k < 24; k++)
        bytes[k] = (uint8_t)(k + 1);
    made_npy(&file, 1, "{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }\n", "\1\0\0\1",
             4);
    ok(reads(NULL, 2, 2, 1, 2, CLUP_DTYPE_U8, 1, "\1\0\0\1"), "bool is u8");
    made_npy(&file, 1, "{\"shape\":(24L,),\"descr\":\"<u1\",\"fortran_order\":False}", bytes, 24);
    ok(reads(NULL, 24, 1, 1, 1, CLUP_DTYPE_U8, 1, bytes),
       "one axis is a row; other quotes, order and spacing; a long of Python 2");
    made_npy(&file, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 4, 3)}", bytes, 24);
    ok(reads(NULL, 3, 4, 2, 3, CLUP_DTYPE_U8, 1, bytes), "three axes are a volume");
    ok(reads(&last, 4, 2, 1, 2, CLUP_DTYPE_U8, 3, bytes),
       "or an image of colours, with channels last");
    made_npy(&file, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 2, 4, 3)}", bytes,
             24);
    ok(reads(&last, 4, 2, 1, 3, CLUP_DTYPE_U8, 3, bytes), "and four a volume of colours");
    made_npy(&file, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (6, 4, 1)}", bytes, 24);
    ok(reads(&last, 4, 6, 1, 2, CLUP_DTYPE_U8, 1, bytes), "a last axis of 1 is one channel");
    /* element (z, y, x) of shape (2, 3, 4) is at z + 2*(y + 3*x) */
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 3; y++)
            for (unsigned x = 0; x < 4; x++)
                fortran[z + 2 * (y + 3 * x)] = bytes[x + 4 * (y + 3 * z)];
    made_npy(&file, 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4)}", fortran, 24);
    ok(reads(NULL, 4, 3, 2, 3, CLUP_DTYPE_U8, 1, bytes),
       "a volume in Fortran's order is transposed");
    ok(reads(&last, 3, 2, 1, 2, CLUP_DTYPE_U8, 4, bytes), "so are colours");
    made_npy(&file, 1, "{'descr': '>u2', 'fortran_order': True, 'shape': (2, 3)}",
             "\0\1\1\4\0\2\1\5\0\3\1\6", 12);
    ok(reads(NULL, 3, 2, 1, 2, CLUP_DTYPE_U16, 1, (const uint16_t[]){1, 2, 3, 260, 261, 262}),
       "and pixels of 16 bits in another byte order");
    made_npy(&file, 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (5,)}", bytes, 5);
    ok(reads(NULL, 5, 1, 1, 1, CLUP_DTYPE_U8, 1, bytes), "a row has one order");
    made_npy(&file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}",
             "\x00\x00\x80\x7f\x00\x00\x80\xff", 8);
    ok(reads(NULL, 2, 1, 1, 2, CLUP_DTYPE_F32, 1, (const float[]){INFINITY, -INFINITY}),
       "infinities are numbers");
}

/* ---- raw ------------------------------------------------------------------------------------- */

static void check_raw(void)
{
    clup_image_options options = {0};
    clup_image image;
    file.size = 0;
    made_add(&file, "P5\1\2\3\4\5\6\7\x08\x09\x0a", 12);
    ok(clup_raw_parse_shape("3x2", &options.raw) == CLUP_OK &&
           clup_raw_parse_dtype("u16be", &options.raw) == CLUP_OK &&
           reads(&options, 3, 2, 1, 2, CLUP_DTYPE_U16, 1,
                 (const uint16_t[]){0x5035, 0x0102, 0x0304, 0x0506, 0x0708, 0x090a}),
       "raw, 3x2 of u16be, whatever its first bytes");
    ok(clup_raw_parse_shape("1x2x3", &options.raw) == CLUP_OK &&
           clup_raw_parse_dtype("i16le", &options.raw) == CLUP_OK &&
           reads(&options, 1, 2, 3, 3, CLUP_DTYPE_I16, 1,
                 (const int16_t[]){0x3550, 0x0201, 0x0403, 0x0605, 0x0807, 0x0a09}),
       "raw, 1x2x3 of i16le");
    ok(clup_raw_parse_dtype("u32", &options.raw) == CLUP_OK &&
           options.raw.dtype == CLUP_DTYPE_U32 && !options.raw.big_endian &&
           clup_raw_parse_dtype("f32be", &options.raw) == CLUP_OK &&
           options.raw.dtype == CLUP_DTYPE_F32 && options.raw.big_endian,
       "little-endian unless told");
    static const char *const shapes[] = {
        "",        "x",   "4",    "4x",   "x4",   "0x4",  "4x0",          "4x4x0",
        "1x2x3x4", "4X4", "4 x4", "-4x4", "+4x4", "4x4 ", "4294967296x1", "99999999999999999999x1",
        "4x4x"};
    static const char *const dtypes[] = {"",   "u",     "u8 ",    "u128", "f16",
                                         "le", "u16xe", "u16leb", "U16",  "float"};
    int refused = 1;
    const clup_raw before = options.raw;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        refused = refused && clup_raw_parse_shape(shapes[k], &options.raw) == CLUP_ERROR_USAGE &&
                  strstr(clup_error_detail(), shapes[k]) != NULL;
    for (size_t k = 0; k < sizeof dtypes / sizeof *dtypes; k++)
        refused = refused && clup_raw_parse_dtype(dtypes[k], &options.raw) == CLUP_ERROR_USAGE &&
                  strstr(clup_error_detail(), dtypes[k]) != NULL;
    ok(refused && memcmp(&before, &options.raw, sizeof before) == 0,
       "wrong shapes and dtypes are refused, and change nothing");
    options.raw = (clup_raw){.size = {3, 2, 1}, .axes = 2};
    ok(clup_image_read(path, &options, &image) == CLUP_ERROR_USAGE && image.pixels == NULL,
       "a shape without a dtype is wrong usage");
    options.raw = (clup_raw){.dtype = CLUP_DTYPE_U8};
    ok(clup_image_read(path, &options, &image) == CLUP_ERROR_USAGE && image.pixels == NULL,
       "so is a dtype without a shape");
}

/* ---- writing --------------------------------------------------------------------------------- */

static int same(const clup_image *a, const clup_image *b)
{
    return memcmp(a->size, b->size, sizeof a->size) == 0 && a->axes == b->axes &&
           a->dtype == b->dtype && a->channels == b->channels &&
           memcmp(a->pixels, b->pixels,
                  (size_t)a->size[0] * a->size[1] * a->size[2] * a->channels *
                      clup_dtype_bytes(a->dtype)) == 0;
}

/* Whether an image is equal after writing and reading it. */
static int returns(const char *to, const clup_image *image)
{
    const clup_image_options options = {.channels_last = image->channels > 1 &&
                                                         strstr(to, ".npy") != NULL};
    clup_image back;
    int right = clup_image_write(to, image) == CLUP_OK &&
                clup_image_read(to, &options, &back) == CLUP_OK && same(image, &back);
    clup_image_clear(&back);
    return right;
}

/* Whether all parts of a file, read one after the other, make up the image. */
static bool parts_return(const clup_image *image, const clup_image_options *all, uint32_t parts)
{
    const size_t bytes = (size_t)image->channels * clup_dtype_bytes(image->dtype);
    const uint32_t layers = image->size[image->axes - 1];
    clup_image_options options = *all;
    uint32_t before = 0;
    bool right = true;
    for (options.parts = parts; options.part < parts; options.part++) {
        clup_image part;
        if (clup_image_read("parts.npy", &options, &part) != CLUP_OK)
            return false;
        const uint32_t *size = part.size, own = size[part.axes - 1];
        const size_t layer = bytes * size[0] * (part.axes > 2 ? size[1] : 1);
        right = right && part.axes == image->axes && part.dtype == image->dtype &&
                part.layers == layers && part.before == before && own > 0 &&
                memcmp(part.pixels, (const char *)image->pixels + before * layer, own * layer) == 0;
        before += own;
        clup_image_clear(&part);
    }
    return right && before == layers;
}

static void check_parts(void)
{
    static uint8_t pixels[13 * 11 * 5 * 4 * 8];
    clup_image_options options = {0};
    clup_image whole, none;
    bool right = true;
    for (size_t k = 0; k < sizeof pixels; k++)
        pixels[k] = (uint8_t)(noise() & 0x7E);
    for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++)
        for (unsigned axes = 2; axes <= 3; axes++) {
            const clup_image image = {.size = {13, 11, axes == 3 ? 5 : 1},
                                      .axes = axes,
                                      .dtype = dtype,
                                      .channels = 3,
                                      .pixels = pixels};
            options = (clup_image_options){.channels_last = 1};
            right = right && clup_image_write("parts.npy", &image) == CLUP_OK;
            for (uint32_t parts = 2; parts <= image.size[axes - 1]; parts++)
                right = right && parts_return(&image, &options, parts);
        }
    /* an image whose header is 128 bytes in one row */
    const clup_image image = {
        .size = {128, 11, 1}, .axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 1, .pixels = pixels};
    options = (clup_image_options){
        .raw = {.size = {128, 12, 1}, .axes = 2, .dtype = CLUP_DTYPE_U8}};
    NEED(clup_image_write("parts.npy", &image));
    NEED(clup_image_read("parts.npy", &options, &whole));
    const bool raw = parts_return(&whole, &options, 5) && parts_return(&whole, &options, 12);
    clup_image_clear(&whole);
    ok(right, "parts of arrays are read one by one");
    ok(raw, "parts of raw data as well");
    options = (clup_image_options){.part = 3, .parts = 3};
    ok(clup_image_read("parts.npy", &options, &none) == CLUP_ERROR_USAGE, "3 is no part of 3: %s",
       clup_error_detail());
    options.parts = 12;
    ok(clup_image_read("parts.npy", &options, &none) == CLUP_ERROR_USAGE,
       "11 layers are not 12 parts: %s", clup_error_detail());
    options.parts = 4;
    options.max_bytes = 2 * 128;
    ok(clup_image_read("parts.npy", &options, &none) == CLUP_ERROR_MEMORY,
       "the limit is one for each part: %s", clup_error_detail());
    options.max_bytes = 3 * 128;
    ok(clup_image_read("parts.npy", &options, &none) == CLUP_OK && none.size[1] == 3 &&
           none.before == 8,
       "and more is enough");
    clup_image_clear(&none);
}

static void check_writing(void)
{
    static uint8_t pixels[13 * 11 * 5 * 4 * 8];
    for (size_t k = 0; k < sizeof pixels; k++)
        pixels[k] = (uint8_t)noise();
    int npy = 1, png = 1;
    for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++)
        for (unsigned channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1)
            for (unsigned axes = channels > 1 ? 2 : 1; axes <= 3; axes++) {
                const clup_image image = {.size = {13, axes > 1 ? 11 : 1, axes == 3 ? 5 : 1},
                                          .axes = axes,
                                          .dtype = dtype,
                                          .channels = channels,
                                          .pixels = pixels};
                const int fits = axes < 3 && (dtype == CLUP_DTYPE_U8 || dtype == CLUP_DTYPE_U16);
                npy = npy && returns("out.npy", &image);
                png = png && (fits && axes == 1 ? true
                              : fits            ? returns("out.PNG", &image)
                                     : clup_image_write("other.png", &image) == CLUP_ERROR_USAGE &&
                                           access("other.png", F_OK) != 0);
            }
    ok(npy, "every dtype, number of channels and of axes returns from .npy");
    ok(png, "u8 and u16 in the plane return from .png, which refuses others");
    clup_image image = {
        .size = {13, 11, 1}, .axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 1, .pixels = pixels};
    ok(clup_image_write("out.tiff", &image) == CLUP_ERROR_USAGE &&
           clup_image_write("out", &image) == CLUP_ERROR_USAGE &&
           clup_image_write("a.npy/out", &image) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "a.npy/out") != NULL,
       "other extensions are refused");
    const char *absent = nowhere("out.png");
    ok(clup_image_write(absent, &image) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), absent) != NULL,
       "a folder must be there");
    ok(clup_image_write("/dev/full", &image) == CLUP_ERROR_USAGE, "a device is no .npy");
    image.channels = 2;
    ok(clup_image_write("out.npy", &image) == CLUP_ERROR_USAGE, "2 channels are no image");
    image = (clup_image){0};
    ok(clup_image_write("out.npy", &image) == CLUP_ERROR_USAGE, "nor is nothing");
    const size_t shape[4] = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    char header[CLUP_NPY_HEADER];
    ok(clup_npy_header(header, CLUP_DTYPE_U32, shape, 4) <= CLUP_NPY_HEADER,
       "the longest header fits");
}

/* ---- standard input and output --------------------------------------------------------------- */

static void check_standard(void)
{
    static uint8_t pixels[500 * 700];
    for (size_t k = 0; k < sizeof pixels; k++)
        pixels[k] = (uint8_t)noise();
    clup_image image = {.size = {500, 700, 1},
                        .axes = 2,
                        .dtype = CLUP_DTYPE_U8,
                        .channels = 1,
                        .pixels = pixels},
               back;
    FILE *out = fopen("stdout.npy", "wb");
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    dup2(fileno(out), STDOUT_FILENO);
    clup_status status = clup_image_write("-", &image);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    fclose(out);
    ok(status == CLUP_OK && clup_image_read("stdout.npy", NULL, &back) == CLUP_OK &&
           same(&image, &back),
       "- is standard output, as .npy");
    clup_image_clear(&back);
    ok(freopen("stdout.npy", "rb", stdin) != NULL && clup_image_read("-", NULL, &back) == CLUP_OK &&
           same(&image, &back),
       "and standard input");
    clup_image_clear(&back);
    int ends[2];
    if (pipe(ends) != 0)
        exit(99);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        _exit(clup_image_write("-", &image) != CLUP_OK);
    }
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    clearerr(stdin);
    status = clup_image_read("-", NULL, &back);
    waitpid(child, NULL, 0);
    ok(status == CLUP_OK && same(&image, &back), "a pipe too, whose length is not known");
    clup_image_clear(&back);
    clearerr(stdin);
    ok(clup_image_read("-", NULL, &back) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), "standard input: the file is empty") != NULL,
       "and its end");
    close(ends[0]);
}

/* ---- labels ---------------------------------------------------------------------------------- */

static void check_labels(void)
{
    static const struct {
        uint32_t count;
        clup_dtype dtype;
    } counts[] = {{0, CLUP_DTYPE_U8},      {255, CLUP_DTYPE_U8},    {256, CLUP_DTYPE_U16},
                  {65535, CLUP_DTYPE_U16}, {65536, CLUP_DTYPE_U32}, {UINT32_MAX, CLUP_DTYPE_U32}};
    const uint32_t size[3] = {5, 4, 3}, plane[3] = {5, 4, 1}, row[3] = {60, 1, 1};
    uint32_t labels[60], sum;
    clup_image back;
    memset(labels, 0, sizeof labels);
    ok(clup_labels_write(NULL, "labels.npy", labels, row, 1, 1) == CLUP_OK &&
           clup_image_read("labels.npy", NULL, &back) == CLUP_OK && back.axes == 1 &&
           back.size[0] == 60,
       "labels of a row have one axis");
    clup_image_clear(&back);
    ok(clup_labels_write(NULL, "labels.npy", labels, plane, 1, 1) == CLUP_ERROR_USAGE,
       "a plane has more: %s", clup_error_detail());
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        const uint32_t count = counts[k].count;
        for (uint32_t j = 0; j < 60; j++)
            labels[j] = j % 7 == 0 ? 0 : count - (j < count ? j : count);
        labels[1] = count;
        int right = clup_labels_write(NULL, "labels.npy", labels, size, 3, count) == CLUP_OK &&
                    clup_image_read("labels.npy", NULL, &back) == CLUP_OK &&
                    back.dtype == counts[k].dtype && back.axes == 3 &&
                    memcmp(back.size, size, sizeof size) == 0;
        const uint8_t *bytes = back.pixels;
        const uint16_t *words = back.pixels;
        const uint32_t *longs = back.pixels;
        for (size_t j = 0; j < 60 && right; j++)
            right = labels[j] == (back.dtype == CLUP_DTYPE_U8    ? bytes[j]
                                  : back.dtype == CLUP_DTYPE_U16 ? words[j]
                                                                 : longs[j]);
        clup_image_clear(&back);
        ok(right, "labels up to %u are %s", count, clup_dtype_name(counts[k].dtype));
        if (counts[k].dtype == CLUP_DTYPE_U32)
            right = clup_labels_write(NULL, "labels.png", labels, plane, 2, count) ==
                        CLUP_ERROR_USAGE &&
                    strstr(clup_error_detail(), "overflow") != NULL;
        else
            right = clup_labels_write(NULL, "labels.png", labels, plane, 2, count) == CLUP_OK &&
                    clup_image_read("labels.png", NULL, &back) == CLUP_OK &&
                    back.dtype == counts[k].dtype && ((uint8_t *)back.pixels)[0] == 0;
        clup_image_clear(&back);
        ok(right, "in a PNG too%s",
           counts[k].dtype == CLUP_DTYPE_U32 ? ", which they overflow" : "");
    }
    ok(clup_labels_write(NULL, "labels.png", labels, size, 3, 7) == CLUP_ERROR_USAGE,
       "a PNG holds no volume of labels");
    labels[3] = 8;
    ok(clup_labels_write(NULL, "labels.npy", labels, plane, 2, 7) == CLUP_ERROR_USAGE,
       "labels above their number are refused");
    /* 100 labels in a plane, each on 2 pixels */
    static uint32_t many[200];
    for (uint32_t k = 0; k < 200; k++)
        many[k] = k / 2;
    int apart = clup_labels_draw("drawn.png", many, (const uint32_t[]){20, 10, 1}) == CLUP_OK &&
                clup_image_read("drawn.png", NULL, &back) == CLUP_OK && back.size[0] == 20 &&
                back.size[1] == 10 && back.channels == 3;
    const uint8_t *rgb = back.pixels;
    for (size_t a = 0; a < 200 && apart; a++)
        for (size_t b = 0; b < 200; b++)
            apart = apart && (memcmp(rgb + 3 * a, rgb + 3 * b, 3) == 0) == (a / 2 == b / 2);
    ok(apart && rgb[0] == 0 && rgb[1] == 0 && rgb[2] == 0, "99 labels have 99 colours, 0 is black");
    for (sum = 765; rgb != NULL && rgb < (uint8_t *)back.pixels + 600; rgb += 3)
        if (rgb > (uint8_t *)back.pixels + 3 && (uint32_t)rgb[0] + rgb[1] + rgb[2] < sum)
            sum = (uint32_t)rgb[0] + rgb[1] + rgb[2];
    ok(sum >= 175, "and none of the others is nearly black");
    clup_image_clear(&back);
    /* 40 slices of 2 x 1, each with its own label */
    for (uint32_t k = 0; k < 80; k++)
        many[k] = k / 2;
    ok(clup_labels_draw("drawn.png", many, (const uint32_t[]){2, 1, 40}) == CLUP_OK &&
           clup_image_read("drawn.png", NULL, &back) == CLUP_OK && back.size[0] == 11 &&
           back.size[1] == 7 && memcmp(back.pixels, (uint8_t *)back.pixels + 3, 3) == 0 &&
           memcmp((uint8_t *)back.pixels + 6, "\x80\x80\x80", 3) == 0 &&
           memcmp((uint8_t *)back.pixels + 9, back.pixels, 3) != 0,
       "16 slices of a volume, 4 x 4");
    unsigned alike = back.pixels == NULL;
    for (unsigned a = 0; a < 16 && back.pixels != NULL; a++)
        for (unsigned b = 0; b < a; b++)
            alike += memcmp((uint8_t *)back.pixels + 3 * (3 * (a % 4) + 11 * 2 * (a / 4)),
                            (uint8_t *)back.pixels + 3 * (3 * (b % 4) + 11 * 2 * (b / 4)), 3) == 0;
    ok(alike == 0, "each at its place (%u are not)", alike);
    clup_image_clear(&back);
    ok(clup_labels_draw("drawn.png", many, (const uint32_t[]){2, 1, 3}) == CLUP_OK &&
           clup_image_read("drawn.png", NULL, &back) == CLUP_OK && back.size[0] == 5 &&
           back.size[1] == 3,
       "3 slices, 2 x 2");
    clup_image_clear(&back);
    ok(clup_labels_draw("drawn.npy", many, plane) == CLUP_ERROR_USAGE, "a picture is a PNG");
    /* components of 5, 2, 2 and 1 pixels, and the background */
    static const uint32_t sized[12] = {3, 3, 3, 3, 3, 0, 1, 1, 7, 7, 2, 0};
    ok(clup_labels_draw_by_size("drawn.png", sized, (const uint32_t[]){12, 1, 1}) == CLUP_OK &&
           clup_image_read("drawn.png", NULL, &back) == CLUP_OK && back.size[0] == 12,
       "labels are drawn by size");
    rgb = back.pixels;
    unsigned lights[12] = {0};
    for (unsigned k = 0; k < 12 && rgb != NULL; k++)
        lights[k] = rgb[3 * k] + rgb[3 * k + 1] + rgb[3 * k + 2];
    ok(rgb != NULL && memcmp(rgb, "\xff\xf0\x82", 3) == 0 && memcmp(rgb, rgb + 12, 3) == 0 &&
           lights[5] == 0 && lights[11] == 0 && memcmp(rgb + 18, rgb + 24, 3) == 0 &&
           lights[0] > lights[6] && lights[6] > lights[10] && lights[10] > 0,
       "the largest is the brightest, those of one size are alike, the smallest is the darkest: "
       "%u, "
       "%u, %u",
       lights[0], lights[6], lights[10]);
    clup_image_clear(&back);
    ok(clup_labels_draw_by_size("drawn.png", (const uint32_t[]){0, 5, 1, 1},
                                (const uint32_t[]){4, 1, 1}) == CLUP_ERROR_USAGE,
       "more labels than pixels are refused: %s", clup_error_detail());
}

/* ---- mapped files ---------------------------------------------------------------------------- */

/* Whether reading the file maps it. */
static bool is_mapped(const char *from, const clup_image_options *options)
{
    clup_image image;
    NEED(clup_image_read(from, options, &image));
    const bool mapped = image.mapped > 0;
    clup_image_clear(&image);
    return mapped;
}

static void check_mapped(void)
{
    const clup_image_options half = {.part = 1, .parts = 2};
    clup_image_options raw = {.raw = {.size = {2, 2, 1}, .axes = 2, .dtype = CLUP_DTYPE_U16}};
    const char *const header = "{'descr': '%cu2', 'fortran_order': %s, 'shape': (2, 2)}%s";
    const char own = clup_host_big_endian() ? '>' : '<', other = own == '<' ? '>' : '<';
    char text[100];
    clup_image image, again;
    check_npy_types();
    check_npy();
    check_raw();
    check_parts();
    check_standard();
    /* the pixels of the last one begin at an odd byte, so that numbers are not aligned */
    for (unsigned k = 0; k < 4; k++) {
        snprintf(text, sizeof text, header, k == 1 ? other : own, k == 2 ? "True" : "False",
                 k == 3 ? "" : " ");
        made_npy(&file, 1, text, "\1\2\3\4\5\6\7\10", 8);
        made_save(path, file.bytes, file.size);
        ok(is_mapped(path, NULL) == (k == 0), "%s%s", text, k == 0 ? " is mapped" : " is read");
        if (k == 0)
            ok(is_mapped(path, &half), "so is a part of it");
    }
    snprintf(text, sizeof text, header, own, "False", " ");
    made_npy(&file, 1, text, "\1\2\3\4\5\6\7\10", 8);
    made_save(path, file.bytes, file.size);
    NEED(clup_image_read(path, NULL, &image));
    ((uint8_t *)image.pixels)[3] = 77;
    NEED(clup_image_read(path, NULL, &again));
    ok(memcmp(again.pixels, "\1\2\3\4\5\6\7\10", 8) == 0,
       "pixels that are changed are not changed in the file");
    clup_image_clear(&image);
    clup_image_clear(&again);
    made_save(path, file.bytes, file.size - 1);
    ok(clup_image_read(path, NULL, &image) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), "the array has 7 bytes, 2 x 2 x 1 pixels of 2 need 8"),
       "a file that is cut off is not mapped: %s", clup_error_detail());
    made_save(path, "\1\2\3\4\5\6\7\10", 8);
    ok(is_mapped(path, &raw), "raw data are mapped");
    raw.raw.big_endian = !clup_host_big_endian();
    ok(!is_mapped(path, &raw), "but for another byte order");
    raw.raw.dtype = CLUP_DTYPE_U8;
    raw.raw.size[0] = 4;
    ok(is_mapped(path, &raw), "which bytes have not");
}

/* Many labels, in all positions. */
static void check_room(const char *beside)
{
    enum { PIXELS = 1 << 20 };
    uint32_t *labels;
    bool all = true;
    NEED(clup_labels_create(PIXELS, beside, &labels));
    for (uint32_t k = 0; k < PIXELS; k++)
        labels[k] = k * 2654435769u;
    for (uint32_t k = 0; k < PIXELS; k++)
        all = all && labels[k] == k * 2654435769u;
    clup_labels_free(labels, PIXELS);
    ok(all, "labels have a place%s%s", beside != NULL ? " beside " : "",
       beside != NULL ? beside : "");
}

static void check_rooms(void)
{
    uint32_t *labels;
    check_room("here.npy");
    clup_mapped_least = 1;
    setenv("TMPDIR", ".", 1);
    check_room("here.npy");
    check_room("./here.npy");
    check_room("-");
    check_room(NULL);
    ok(clup_labels_create(1 << 20, "no folder/here.npy", &labels) == CLUP_ERROR_MEMORY &&
           labels == NULL && strstr(clup_error_detail(), "no folder: No such file or directory"),
       "where there is no folder there is none: %s", clup_error_detail());
}

int main(void)
{
    char folder[] = "t_image.XXXXXX", command[128];
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 99;
    check_png();
    check_pnm();
    check_npy_types();
    check_npy();
    check_raw();
    check_writing();
    check_parts();
    check_standard();
    check_labels();
    check_rooms();
    check_mapped();
    snprintf(command, sizeof command, "rm -r ../%s/image ../%s/*.npy ../%s/*.[pP]*", folder, folder,
             folder);
    ok(system(command) == 0 && chdir("..") == 0 && rmdir(folder) == 0,
       "nothing else is left behind");
    return done_testing();
}
