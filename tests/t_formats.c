/* SPDX-License-Identifier: BSD-3-Clause */
/* PAM, NIfTI, .npz and gzip, made byte by byte, and what is wrong with others; and the picture of
 * boundaries and numbers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dtype.h"
#include "base/file.h"
#include "image_files.h"
#include "io/image.h"
#include "program.h"
#include "tap.h"

static const char path[] = "t_formats";
static made file;

static void begin(const void *bytes, size_t size)
{
    file.size = 0;
    made_add(&file, bytes, size);
}

/* Reads the file that was made. */
static clup_status read_made(const clup_image_options *options, clup_image *image)
{
    NEED(clup_file_save(path, file.bytes, file.size));
    return clup_image_read(path, options, image);
}

static void reads(const uint32_t size[3], unsigned axes, clup_dtype dtype, unsigned channels,
                  const void *pixels, const char *what)
{
    clup_image image;
    const clup_status status = read_made(NULL, &image);
    ok(status == CLUP_OK && memcmp(image.size, size, sizeof image.size) == 0 &&
           image.axes == axes && image.dtype == dtype && image.channels == channels &&
           memcmp(image.pixels, pixels, clup_image_values(&image) * clup_dtype_bytes(dtype)) == 0,
       "%s%s%s", what, status == CLUP_OK ? "" : ": ", status == CLUP_OK ? "" : clup_error_detail());
    clup_image_clear(&image);
}

static void refuses_with(const clup_image_options *options, const char *text)
{
    clup_image image;
    const clup_status status = read_made(options, &image);
    ok(status == CLUP_ERROR_RUNTIME && strstr(clup_error_detail(), text) != NULL &&
           image.pixels == NULL,
       "refused: %s", status == CLUP_OK ? "was read" : clup_error_detail());
    clup_image_clear(&image);
}

static void refuses(const char *text)
{
    refuses_with(NULL, text);
}

/* ---- PAM ------------------------------------------------------------------------------------- */

static void pam(const char *lines, const void *pixels, size_t bytes)
{
    begin("P7\n", 3);
    made_add(&file, lines, strlen(lines));
    made_add(&file, "ENDHDR\n", 7);
    made_add(&file, pixels, bytes);
}

static void check_pam(void)
{
    static const uint8_t bytes[16] = {1, 255, 0, 255, 9, 255, 7, 254, 3, 4, 5, 6, 7, 8, 9, 10};
    static const uint16_t words[2] = {0x0102, 0xFFFF};
    const uint32_t pair[3] = {2, 1, 1}, four[3] = {2, 2, 1};
    pam("WIDTH 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\n", bytes, 4);
    reads(four, 2, CLUP_DTYPE_U8, 1, bytes, "gray");
    pam("# one\n\n  DEPTH 1\nMAXVAL 65535\nHEIGHT 1\nWIDTH 2 \n", "\1\2\xff\xff", 4);
    reads(pair, 2, CLUP_DTYPE_U16, 1, words, "16 bits, in any order of lines");
    pam("WIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\n", "\1\0", 2);
    reads(pair, 2, CLUP_DTYPE_U8, 1, "\1\0", "black and white, 1 is white");
    pam("WIDTH 2\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nTUPLTYPE RGB\n", bytes, 6);
    reads(pair, 2, CLUP_DTYPE_U8, 3, bytes, "RGB");
    pam("WIDTH 2\nHEIGHT 1\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\n", bytes, 8);
    reads(pair, 2, CLUP_DTYPE_U8, 4, bytes, "RGBA");
    pam("WIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\n", bytes, 4);
    reads(pair, 2, CLUP_DTYPE_U8, 1, "\1\0", "gray with alpha, opaque");
    pam("WIDTH 2\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\n", bytes + 4, 4);
    reads(pair, 2, CLUP_DTYPE_U8, 4, "\x9\x9\x9\xff\x7\x7\x7\xfe", "and not");
    static const struct {
        const char *lines, *says;
    } bad[] = {
        {"WIDTH 2\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nTUPLTYPE CMYK\n", "type 'CMYK' of depth 4"},
        {"WIDTH 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\nTUPLTYPE RGB\n", "type 'RGB' of depth 1"},
        {"WIDTH 2\nHEIGHT 2\nDEPTH 5\nMAXVAL 255\n", "a depth of 5"},
        {"WIDTH 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 65536\n", "maximum 65536"},
        {"WIDTH 2\nHEIGHT 2\nDEPTH 1\n", "lacks"},
        {"WIDTH 2\nWIDTH 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\n", "twice"},
        {"WIDTH 2x\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\n", "where a number should be"},
        {"WIDE 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 255\n", "unknown"},
        {"WIDTH 2\nHEIGHT 3\nDEPTH 1\nMAXVAL 255\n", "need 6"},
        {"WIDTH 0\nHEIGHT 3\nDEPTH 1\nMAXVAL 255\n", "empty"},
        {"WIDTH 2\nHEIGHT 2\nDEPTH 1\nMAXVAL 254\n", "255 is above the maximum, 254"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        pam(bad[k].lines, bytes, 4);
        refuses(bad[k].says);
    }
    begin("P7\nWIDTH 2\nHEI", 14);
    refuses("ends inside the header");
}

/* ---- NIfTI ----------------------------------------------------------------------------------- */

/* How a header is made. */
typedef struct nifti {
    unsigned version, type, bits;
    int64_t dims[8];
    double slope;
    bool big_endian;
} nifti;

static const nifti one = {.version = 1, .type = 4, .bits = 16, .dims = {3, 3, 1, 2}};

static void put(const nifti *n, size_t at, uint64_t bits, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        file.bytes[at + (n->big_endian ? count - 1 - k : k)] = (uint8_t)(bits >> 8 * k);
}

static uint64_t bits_of(double number, unsigned bytes)
{
    const float small = (float)number;
    uint32_t low = 0;
    uint64_t bits = 0;
    if (bytes == 4)
        memcpy(&low, &small, 4);
    else
        memcpy(&bits, &number, 8);
    return bytes == 4 ? low : bits;
}

/* Makes a header and so many bytes of pixels. */
static void make_nifti(const nifti *n, const void *pixels, size_t bytes)
{
    const bool first = n->version == 1;
    const size_t header = first ? 348 : 540;
    memset(file.bytes, 0, header + 4);
    file.size = header + 4;
    put(n, 0, header, 4);
    memcpy(file.bytes + (first ? 344 : 4), first ? "n+1" : "n+2", 4);
    for (size_t k = 0; k < 8; k++)
        put(n, first ? 40 + 2 * k : 16 + 8 * k, (uint64_t)n->dims[k], first ? 2 : 8);
    put(n, first ? 70 : 12, n->type, 2);
    put(n, first ? 72 : 14, n->bits, 2);
    put(n, first ? 108 : 168, first ? bits_of(352, 4) : 544, first ? 4 : 8);
    put(n, first ? 112 : 176, bits_of(n->slope, first ? 4 : 8), first ? 4 : 8);
    made_add(&file, pixels, bytes);
}

static void check_nifti(void)
{
    const uint8_t little[12] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 0xFF, 0xFF};
    const uint8_t large[12] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0xFF, 0xFF};
    const int16_t words[6] = {1, 2, 3, 4, 5, -1};
    const uint32_t size[3] = {3, 1, 2}, pixels[3] = {4, 1, 1};
    clup_image image;
    for (unsigned way = 0; way < 4; way++) {
        nifti n = one;
        n.version = 1 + way / 2;
        n.big_endian = way % 2 != 0;
        make_nifti(&n, n.big_endian ? large : little, 12);
        reads(size, 3, CLUP_DTYPE_I16, 1, words, "NIfTI-1 and 2, in both byte orders");
        n.slope = 2;
        make_nifti(&n, n.big_endian ? large : little, 12);
        ok(read_made(NULL, &image) == CLUP_OK && image.notes == CLUP_IMAGE_SCALED &&
               memcmp(image.pixels, words, sizeof words) == 0,
           "values are not scaled, and a note says so");
        clup_image_clear(&image);
    }
    nifti n = one;
    n.type = 128;
    n.bits = 24;
    n.dims[0] = 2;
    n.dims[1] = 4;
    make_nifti(&n, little, 12);
    reads(pixels, 2, CLUP_DTYPE_U8, 3, little, "RGB of two axes");
    static const struct {
        unsigned type, bits;
        int64_t axes, x, t;
        const char *says;
    } bad[] = {
        {4, 16, 4, 3, 2, "axis 4 has the length 2"},
        {4, 16, 9, 3, 1, "9 axes"},
        {4, 16, 3, -3, 1, "length -3"},
        {4, 16, 3, 0, 1, "empty"},
        {4, 16, 3, 4, 1, "need 16"},
        {4, 8, 3, 3, 1, "has not 8 bits"},
        {32, 64, 3, 3, 1, "complex"},
        {1536, 128, 3, 3, 1, "128 bits"},
        {77, 16, 3, 3, 1, "data type 77"},
        {4, 16, 3, 32767, 1, "need 131068"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        n = one;
        n.type = bad[k].type;
        n.bits = bad[k].bits;
        n.dims[0] = bad[k].axes;
        n.dims[1] = bad[k].x;
        n.dims[4] = bad[k].t;
        make_nifti(&n, little, 12);
        refuses(bad[k].says);
    }
    make_nifti(&one, little, 12);
    memcpy(file.bytes + 344, "ni1", 4);
    refuses("a pair of files");
    file.bytes[345] = 'x';
    refuses("lacks its mark");
    make_nifti(&one, little, 12);
    put(&one, 108, bits_of(351.5, 4), 4);
    refuses("cannot begin at byte 351.5");
    put(&one, 108, bits_of(4000, 4), 4);
    refuses("ends before its pixels");
    file.size = 300;
    refuses("ends inside the header");
}

/* ---- archives -------------------------------------------------------------------------------- */

static void small(uint64_t value, unsigned bytes)
{
    for (unsigned k = 0; k < bytes; k++)
        made_add(&file, &(const uint8_t){(uint8_t)(value >> 8 * k)}, 1);
}

/* Adds a record of a file that is stored: what is local if offset is SIZE_MAX, else the
 * directory's. */
static void record(const char *name, const void *bytes, size_t size, size_t offset)
{
    const bool local = offset == SIZE_MAX;
    made_add(&file, local ? "PK\3\4" : "PK\1\2", 4);
    small(20, local ? 2 : 4);
    small(0, 8);
    small(made_crc(bytes, size), 4);
    small(size, 4);
    small(size, 4);
    small(strlen(name), 2);
    small(0, local ? 2 : 12);
    if (!local)
        small(offset, 4);
    made_add(&file, name, strlen(name));
    if (local)
        made_add(&file, bytes, size);
}

/* Makes an archive of files with the same content. */
static void archive(const char *const *names, size_t count, const void *bytes, size_t size)
{
    size_t offsets[4];
    file.size = 0;
    for (size_t k = 0; k < count; k++) {
        offsets[k] = file.size;
        record(names[k], bytes, size, SIZE_MAX);
    }
    const size_t directory = file.size;
    for (size_t k = 0; k < count; k++)
        record(names[k], bytes, size, offsets[k]);
    const size_t end = file.size;
    made_add(&file, "PK\5\6", 4);
    small(0, 4);
    small(count, 2);
    small(count, 2);
    small(end - directory, 4);
    small(directory, 4);
    small(0, 2);
}

static void check_npz(void)
{
    static const char *const names[] = {"readme", "x.npy", "long name.npy"};
    const uint8_t pixels[6] = {1, 2, 3, 4, 5, 6};
    const uint32_t size[3] = {3, 2, 1};
    const size_t shape[2] = {2, 3};
    char array[CLUP_NPY_HEADER + 6];
    const size_t header = clup_npy_header(array, CLUP_DTYPE_U8, shape, 2);
    clup_image image;
    memcpy(array + header, pixels, 6);
    archive(names, 2, array, header + 6);
    reads(size, 2, CLUP_DTYPE_U8, 1, pixels, "the only array of an archive");
    archive(names, 3, array, header + 6);
    refuses("2 arrays, x, long name: name one");
    ok(read_made(&(const clup_image_options){.array = "long name"}, &image) == CLUP_OK &&
           memcmp(image.pixels, pixels, 6) == 0,
       "one that is named");
    clup_image_clear(&image);
    refuses_with(&(const clup_image_options){.array = "y"}, "has no y.npy");
    file.bytes[strlen(names[0]) + 30 + header]++;
    file.bytes[60 + strlen(names[0]) + strlen(names[1]) + 2 * header + 6]++;
    refuses_with(&(const clup_image_options){.array = "x"}, "x.npy is damaged");
    archive(names, 1, array, header + 6);
    refuses("0 arrays");
    archive(names + 1, 1, "no array", 8);
    refuses("x.npy is no NumPy array");
    begin("P5 1 1 255 x", 12);
    refuses_with(&(const clup_image_options){.array = "x"}, "this is no .npz");
    refuses_with(&(const clup_image_options){.page = 1}, "this is no TIFF");
}

/* ---- gzip ------------------------------------------------------------------------------------ */

/* Adds a member with one stored block. */
static void member(const void *bytes, size_t size)
{
    made_add(&file, "\x1f\x8b\x08\0\0\0\0\0\0\xff\1", 11);
    small(size, 2);
    small(~size, 2);
    made_add(&file, bytes, size);
    small(made_crc(bytes, size), 4);
    small(size, 4);
}

static void check_gzip(void)
{
    const uint32_t size[3] = {3, 2, 1};
    static const char image[] = "P5 3 2 255\nabcdef";
    file.size = 0;
    member(image, 17);
    reads(size, 2, CLUP_DTYPE_U8, 1, image + 11, "a packed file");
    refuses_with(&(const clup_image_options){.parts = 2}, "not of a pipe nor of one packed");
    file.bytes[30]++;
    refuses("the data of gzip are damaged");
    file.size = 0;
    member(image, 5);
    member(image + 5, 12);
    reads(size, 2, CLUP_DTYPE_U8, 1, image + 11, "of two members");
    made_add(&file, "something else", 14);
    reads(size, 2, CLUP_DTYPE_U8, 1, image + 11, "and something else behind them");
    file.size = 0;
    member(image, 17);
    file.size -= 3;
    refuses("the data of gzip end too early");
    file.size = 0;
    member(image, 16);
    refuses("need at least 6 bytes");
    file.size = 0;
    member("no image, but text", 18);
    refuses("none of PNG");
}

/* ---- boundaries and numbers ------------------------------------------------------------------ */

static const uint8_t *pixel_at(const clup_image *picture, uint32_t x, uint32_t y)
{
    return (const uint8_t *)picture->pixels + 3 * ((size_t)picture->size[0] * y + x);
}

static bool is_gray(const uint8_t *pixel, uint8_t gray)
{
    return pixel[0] == gray && pixel[1] == gray && pixel[2] == gray;
}

/* A component of 12 x 11 pixels with the label 7, and one of 2 x 2 with the label 8, on 20 x 15. */
static void check_overlay(void)
{
    enum { NX = 20, NY = 15 };
    static uint32_t labels[2 * NX * NY];
    static uint16_t values[2 * NX * NY];
    clup_image image = {.size = {NX, NY, 1},
                        .axes = 2,
                        .dtype = CLUP_DTYPE_U16,
                        .channels = 1,
                        .pixels = values},
               back, colours;
    for (uint32_t k = 0; k < NX * NY; k++) {
        const uint32_t x = k % NX, y = k / NX;
        labels[k] = x >= 2 && x < 14 && y >= 2 && y < 13 ? 7 : x >= 16 && x < 18 && y < 2 ? 8 : 0;
        values[k] = (uint16_t)(labels[k] > 0 ? 3000 : 1000);
        labels[NX * NY + k] = 0;
        values[NX * NY + k] = 2000;
    }
    NEED(clup_labels_overlay("overlay.png", &image, labels));
    NEED(clup_labels_draw("colours.png", labels, image.size));
    NEED(clup_image_read("overlay.png", NULL, &back));
    NEED(clup_image_read("colours.png", NULL, &colours));
    unsigned wrong = 0;
    for (uint32_t y = 0; y < NY; y++)
        for (uint32_t x = 0; x < NX; x++) {
            const uint32_t label = labels[NX * y + x];
            const bool edge = label == 8 ||
                              (label == 7 && (x == 2 || x == 13 || y == 2 || y == 12));
            if (edge || label == 0)
                wrong += edge ? memcmp(pixel_at(&back, x, y), pixel_at(&colours, x, y), 3) != 0
                              : !is_gray(pixel_at(&back, x, y), 0);
        }
    ok(wrong == 0, "boundaries have the colours of labels, the background is black");
    /* a 7 of 3 x 5, its edge at (5, 4), the middle of 2..13 and 2..12 being (7, 7) */
    static const char *const seven[5] = {"###", "..#", "..#", ".#.", ".#."};
    for (uint32_t y = 0; y < 5; y++)
        for (uint32_t x = 0; x < 3; x++)
            wrong += is_gray(pixel_at(&back, 6 + x, 5 + y), 255) != (seven[y][x] == '#');
    ok(wrong == 0 && is_gray(pixel_at(&back, 5, 4), 0) && is_gray(pixel_at(&back, 3, 11), 255),
       "the number stands in the middle, with an edge, on what is white");
    clup_image_clear(&back);
    clup_image_clear(&colours);
    image.size[2] = 2;
    image.axes = 3;
    ok(clup_labels_overlay("overlay.png", &image, labels) == CLUP_OK &&
           clup_image_read("overlay.png", NULL, &back) == CLUP_OK && back.size[0] == 2 * NX + 1 &&
           back.size[1] == NY && is_gray(pixel_at(&back, NX, 3), 128) &&
           is_gray(pixel_at(&back, NX + 5, 3), 128),
       "slices stand side by side, with one range of values");
    clup_image_clear(&back);
    /* bytes are as they are, a mask is stretched */
    uint8_t bytes[4] = {0, 1, 100, 255};
    image = (clup_image){
        .size = {4, 1, 1}, .axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 1, .pixels = bytes};
    for (unsigned mask = 0; mask < 2; mask++) {
        memset(labels, 0, sizeof labels);
        bytes[2] = mask ? 1 : 100;
        bytes[3] = mask ? 0 : 255;
        ok(clup_labels_overlay("overlay.png", &image, labels) == CLUP_OK &&
               clup_image_read("overlay.png", NULL, &back) == CLUP_OK &&
               is_gray(pixel_at(&back, 1, 0), mask ? 255 : 1) &&
               is_gray(pixel_at(&back, 2, 0), mask ? 255 : 100),
           "%s", mask ? "a mask is black and white" : "bytes stay");
        clup_image_clear(&back);
    }
    image.channels = 2;
    ok(clup_labels_overlay("overlay.png", &image, labels) == CLUP_ERROR_USAGE &&
           clup_labels_overlay("overlay.npy", &image, labels) == CLUP_ERROR_USAGE,
       "no image, and no PNG, are refused");
    unlink("overlay.png");
    unlink("colours.png");
}

int main(void)
{
    check_pam();
    check_nifti();
    check_npz();
    check_gzip();
    check_overlay();
    unlink(path);
    return done_testing();
}
