/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that are not valid images: each is refused with a message of one line that names the file
 * and the reason, and leaves nothing behind. Random mutations cause no failure of the program. */
#include <string.h>
#include <unistd.h>

#include "image_files.h"
#include "io/image.h"
#include "tap.h"

static const char path[] = "bad image";
static made file;

/* Whether the last error detail is one line with the file's name and text. */
static int says(const char *text)
{
    const char *detail = clup_error_detail();
    return strncmp(detail, path, strlen(path)) == 0 && strstr(detail, text) != NULL &&
           strchr(detail, '\n') == NULL;
}

static void refuses_with(const clup_image_options *options, clup_status wanted, const char *text,
                         const char *what)
{
    clup_image image = {.axes = 7};
    made_save(path, file.bytes, file.size);
    clup_status status = clup_image_read(path, options, &image);
    ok(status == wanted && says(text) && image.pixels == NULL && image.axes == 0 &&
           image.dtype == CLUP_DTYPE_NONE,
       "%s: %s", what, status == CLUP_OK ? "was read" : clup_error_detail());
    clup_image_clear(&image);
}

static void refuses(const char *text, const char *what)
{
    refuses_with(NULL, CLUP_ERROR_RUNTIME, text, what);
}

/* ---- tables ---------------------------------------------------------------------------------- */

#define TEXT(text) text, sizeof text - 1

static void check_texts(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *says;
    } files[] = {
        {TEXT(""), "empty"},
        {TEXT("P"), "none of PNG"},
        {TEXT("P7\nWIDTH 1"), "ends inside the header"},
        {TEXT("P0 1 1 1 1"), "none of PNG"},
        {TEXT("\x89PNG\r\n\x1a"), "none of PNG"},
        {TEXT("\xff\xd8\xff\xe0 a JPEG"), "JPEG"},
        {TEXT("P5\n"), "ends where a number should be, in the header"},
        {TEXT("P5\n3"), "ends where a number should be, in the header"},
        {TEXT("P5\n3 2"), "ends where a number should be, in the header"},
        {TEXT("P5\n3 2 # no end"), "ends where a number should be, in the header"},
        {TEXT("P5\n3 2 255"), "need at least 6 bytes, the file has 0"},
        {TEXT("P5\n3 2 255\n12345"), "need at least 6 bytes, the file has 5"},
        {TEXT("P5\n3 2 255\n1234567"), "goes on after its image"},
        {TEXT("P5\n3 2 255\n123456\nP5\n3 2 255\n123456"), "goes on after its image"},
        {TEXT("P5\n3 2 256\n12345678901"), "need at least 12 bytes, the file has 11"},
        {TEXT("P6\n3 2 255\n12345678901234567"), "need at least 18 bytes, the file has 17"},
        {TEXT("P5\n3 2 0\n123456"), "maximum 0 is not between"},
        {TEXT("P5\n3 2 65536\n123456789012"), "maximum 65536 is not between"},
        {TEXT("P5\n3 2 99999999999\n123456"), "number is too large"},
        {TEXT("P5\n0 2 255\n"), "empty"},
        {TEXT("P5\n3 0 255\n"), "empty"},
        {TEXT("P4\n0 0\n"), "empty"},
        {TEXT("P5\n-3 2 255\n123456"), "something else where a number should be"},
        {TEXT("P5\n3x2 255\n123456"), "goes on with something else"},
        {TEXT("P5\n3 2 255x\n123456"), "goes on with something else"},
        {TEXT("P5\n3 2 50\n123451"), "value 51 is above the maximum, 50, at x = 2, y = 0, z = 0"},
        {TEXT("P5\n2 1 300\n\x01\x00\x01\x2d"),
         "value 301 is above the maximum, 300, at x = 1, y = 0"},
        {TEXT("P4\n9 2\n123"), "need at least 4 bytes, the file has 3"},
        {TEXT("P1\n3 2\n10101"), "need at least 6 bytes, the file has 5"},
        {TEXT("P1\n3 2\n1 0 1 0 1"), "ends where a bit should be, after 5 values of 6"},
        {TEXT("P1\n3 2\n10 201 1"), "something else where a bit should be, after 2 values"},
        {TEXT("P1\n3 2\n1010101"), "goes on after its image"},
        {TEXT("P2\n3 2 255\n1 2 3 4 5      "),
         "ends where a number should be, after 5 values of 6"},
        {TEXT("P2\n3 2 255\n1 2 3 4 5 256"), "value 6 of 6 is 256, above the maximum, 255"},
        {TEXT("P2\n3 2 255\n1 2 3 4 5 -1"),
         "something else where a number should be, after 5 values"},
        {TEXT("P2\n3 2 255\n1 2 3.5 4 5 6"), "goes on with something else"},
        {TEXT("P2\n3 2 255\n1 2 3 4 5 6 7"), "goes on after its image"},
        {TEXT("P2\n3 2 255\n1 2"), "need at least 11 bytes, the file has 3"},
        {TEXT("P3\n3 2 255\n1 2 3 4 5 6 7 8"), "need at least 35 bytes"},
        {TEXT("P2\n100000 100000 255\n1 2 3"), "need at least 19999999999 bytes"},
        {TEXT("P5\n65536 65536 255\n123"), "need at least 4294967296 bytes"},
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        file.size = 0;
        made_add(&file, files[k].bytes, files[k].size);
        refuses(files[k].says, "PNM, or none");
    }
    file.size = 0;
    made_add(&file, TEXT("P5 4294967295 4294967295 255\n1"));
    refuses_with(NULL, CLUP_ERROR_MEMORY, "more than the limit, 17179869184",
                 "a size whose product overflows");
}

static void check_npy(void)
{
#define ARRAY(shape) "{'descr': '|u1', 'fortran_order': False, 'shape': " shape "}\n"
#define OF(descr) "{'descr': " descr ", 'fortran_order': False, 'shape': (2, 3)}"
    static const struct {
        const char *header;
        unsigned bytes;
        const char *says;
    } files[] = {
        {"", 6, "no dictionary"},
        {"   \n", 6, "no dictionary"},
        {"{", 6, "no dictionary"},
        {"{'descr'", 6, "no dictionary"},
        {"{'descr: '|u1'}", 6, "no dictionary"},
        {"{'descr': ", 6, "cannot be read"},
        {"{'descr': '|u1", 6, "cannot be read"},
        {"{'descr': '|u1',", 6, "no dictionary"},
        {"{'descr': '|u1' 'fortran_order': False, 'shape': (2, 3)}", 6, "no dictionary"},
        {"{}", 6, "lacks descr"},
        {"{'descr': '|u1', 'fortran_order': False}", 6, "lacks descr"},
        {"{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (2, 3)}", 6, "twice"},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), 'extra': 1}", 6, "unknown"},
        {"{'descr': '|u1', 'fortran_order': 0, 'shape': (2, 3)}", 6, "neither True nor False"},
        {ARRAY("(2, 3)") "garbage", 6, "after the header"},
        {ARRAY("(2, 3)") "}", 6, "after the header"},
        {ARRAY("(2, 3"), 6, "no tuple"},
        {ARRAY("(6)"), 6, "no tuple"},
        {ARRAY("6"), 6, "no tuple"},
        {ARRAY("[2, 3]"), 6, "no tuple"},
        {ARRAY("(2 3)"), 6, "no tuple"},
        {ARRAY("(2,, 3)"), 6, "no tuple"},
        {ARRAY("(-2, 3)"), 6, "no tuple"},
        {ARRAY("(2.0, 3)"), 6, "no tuple"},
        {ARRAY("(99999999999999999999, 3)"), 6, "no tuple"},
        {ARRAY("()"), 1, "0 axes is no image"},
        {ARRAY("(1, 1, 2, 3)"), 6, "4 axes is no image: that takes 1 to 3, or 4"},
        {ARRAY("(1, 1, 1, 2, 3)"), 6, "5 axes is no image"},
        {ARRAY("(0, 3)"), 0, "empty"},
        {ARRAY("(2, 0, 3)"), 0, "empty"},
        {ARRAY("(0,)"), 0, "empty"},
        {ARRAY("(4294967296, 1)"), 6, "4294967296 pixels is too long"},
        {ARRAY("(18446744073709551615, 2)"), 6, "too long"},
        {ARRAY("(2, 3)"), 5, "has 5 bytes, 3 x 2 x 1 pixels of 1 need 6"},
        {ARRAY("(2, 3)"), 7, "has 7 bytes, 3 x 2 x 1 pixels of 1 need 6"},
        {ARRAY("(2, 3)"), 0, "has 0 bytes, 3 x 2 x 1 pixels of 1 need 6"},
        {OF("'<u2'"), 6, "has 6 bytes, 3 x 2 x 1 pixels of 2 need 12"},
        {OF("'|u2'"), 12, "no byte order"},
        {OF("'=u2'"), 12, "no byte order"},
        {OF("'!u2'"), 12, "no byte order"},
        {OF("'u2'"), 12, "'u2' is not supported"},
        {OF("''"), 6, "'' is not supported"},
        {OF("'|'"), 6, "'|' is not supported"},
        {OF("'<i16'"), 96, "'<i16' is not supported: there is bool, uint8"},
        {OF("'<u16'"), 96, "'<u16' is not supported"},
        {OF("'<f2'"), 12, "'<f2' is not supported"},
        {OF("'<f2'"), 12, "'<f2' is not supported"},
        {OF("'<c8'"), 48, "'<c8' is not supported"},
        {OF("'|O'"), 48, "'|O' is not supported"},
        {OF("'<U1'"), 24, "'<U1' is not supported"},
        {OF("'|S1'"), 6, "'|S1' is not supported"},
        {OF("'|V1'"), 6, "'|V1' is not supported"},
        {OF("'<M8[ns]'"), 48, "'<M8[ns]' is not supported"},
        {OF("[('x', '<f4'), ('y', '<f4')]"), 48, "has fields"},
        {OF("'|u1\n'"), 6, "cannot be read"},
        {OF("'|u1\\n'"), 6, "cannot be read"},
        {OF("'|uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu1'"), 6, "cannot be read"},
        {OF("'|b1'"), 6, "the value 2 is above the maximum, 1, at x = 2, y = 0"},
    };
    static const uint8_t data[128] = {0, 1, 2, 3, 4, 5, 6};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        made_npy(&file, 1, files[k].header, data, files[k].bytes);
        refuses(files[k].says, "NumPy");
    }
    made_npy(&file, 1, ARRAY("(4294967295, 4294967295)"), data, 6);
    refuses_with(NULL, CLUP_ERROR_MEMORY, "more than the limit",
                 "NumPy, a shape whose product overflows");
    made_npy(&file, 1, ARRAY("(4294967295, 4294967295, 4294967295)"), data, 6);
    refuses_with(NULL, CLUP_ERROR_MEMORY, "more than the limit", "NumPy, one that overflows twice");
    for (unsigned version = 0; version < 256; version += version == 0 ? 4 : 251) {
        made_npy(&file, version, ARRAY("(2, 3)"), data, 6);
        refuses("of NumPy's format is not known", "NumPy");
    }
    made_npy(&file, 1, ARRAY("(2, 3)"), data, 6);
    file.bytes[7] = 1;
    refuses("version 1.1", "NumPy");
    file.bytes[7] = 0;
    file.bytes[9] = 0xFF;
    refuses("ends inside the header, which has 65", "NumPy");
    made_npy(&file, 2, ARRAY("(2, 3)"), data, 6);
    memset(file.bytes + 8, 0xFF, 4);
    refuses("which has 4294967295 bytes", "NumPy");
    for (file.size = 6; file.size < 12; file.size++)
        refuses("ends inside the header", "NumPy");
    const clup_image_options last = {.channels_last = 1};
    made_npy(&file, 1, ARRAY("(2, 3)"), data, 6);
    refuses_with(&last, CLUP_ERROR_RUNTIME, "2 axes has none of channels", "NumPy, channels last");
    made_npy(&file, 1, ARRAY("(1, 3, 2)"), data, 6);
    refuses_with(&last, CLUP_ERROR_RUNTIME, "last axis has the length 2", "NumPy, channels last");
    made_npy(&file, 1, ARRAY("(1, 1, 1, 2, 3)"), data, 6);
    refuses_with(&last, CLUP_ERROR_RUNTIME, "5 axes has none of channels", "NumPy, channels last");
}

/* ---- PNG ------------------------------------------------------------------------------------- */

static void check_png(void)
{
    static uint16_t values[8 * 8 * 4];
    const made_form gray = {.nx = 8, .ny = 8, .depth = 8};
    made_form f = gray;
    for (size_t k = 0; k < 256; k++)
        values[k] = (uint16_t)(k & 3);
    made_png(&file, &gray, values);
    const made whole = file;
    for (file.size = 8; file.size < whole.size; file.size += file.size < 60 ? 1 : 7)
        refuses("", "PNG, cut off");
    file = whole;
    file.bytes[25] = 5;
    refuses("IHDR", "PNG, a header of colour 5, whose CRC does not fit");
    file = whole;
    file.bytes[60] ^= 1;
    refuses("", "PNG, pixels whose CRC does not fit");

    /* headers, each with the right CRC */
    static const struct {
        uint8_t header[13];
        const char *what;
    } headers[] = {
        {{0, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 0, 0}, "no width"},
        {{0, 0, 0, 8, 0, 0, 0, 0, 8, 0, 0, 0, 0}, "no height"},
        {{0xFF, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 0}, "a negative width"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 3, 0, 0, 0, 0}, "3 bits"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 4, 2, 0, 0, 0}, "RGB of 4 bits"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 16, 3, 0, 0, 0}, "a palette of 16 bits"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 8, 1, 0, 0, 0}, "colour 1"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 8, 7, 0, 0, 0}, "colour 7"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 1, 0, 0}, "compression 1"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 1, 0}, "filter 1"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 8, 0, 0, 0, 2}, "interlacing 2"},
        {{0, 0, 0, 8, 0, 0, 0, 9, 8, 0, 0, 0, 0}, "a row too few"},
        {{0, 0, 0, 8, 0, 0, 0, 8, 8, 3, 0, 0, 0}, "a palette that is not there"},
    };
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        file.size = 8;
        made_chunk(&file, "IHDR", headers[k].header, 13);
        made_add(&file, whole.bytes + 33, whole.size - 33);
        refuses("", headers[k].what);
    }
    static const uint8_t bombs[][13] = {
        {0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 16, 6, 0, 0, 0},
        {0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60, 8, 0, 0, 0, 0},
        {0, 0, 0, 8, 0, 2, 0, 0, 8, 0, 0, 0, 0},
        {0, 2, 0, 0, 0, 0, 0, 8, 16, 6, 0, 0, 1},
        {0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1, 1, 0, 0, 0, 0},
    };
    for (size_t k = 0; k < sizeof bombs / sizeof *bombs; k++) {
        file.size = 8;
        made_chunk(&file, "IHDR", bombs[k], 13);
        made_add(&file, whole.bytes + 33, whole.size - 33);
        refuses("the file is too short for", "PNG, more pixels than deflate can give");
    }
    f = (made_form){.nx = 8, .ny = 8, .depth = 8, .colour = 3, .colours = 3};
    made_png(&file, &f, values);
    refuses("the value 3 is above the maximum, 2, at x = 3, y = 0", "PNG, beyond the palette");
    f = (made_form){.nx = 8, .ny = 8, .depth = 8, .colour = 4};
    for (size_t k = 1; k < 128; k += 2)
        values[k] = 0xFFFF;
    values[9] = 0xFEFF;
    f.depth = 16;
    made_png(&file, &f, values);
    const clup_image_options palette = {.palette = 1};
    refuses_with(&palette, CLUP_ERROR_RUNTIME, "the PNG has no palette", "PNG of gray, palette");
    file.size = 33;
    made_chunk(&file, "IEND", "", 0);
    refuses("", "PNG, no pixels");
    file.size = 33;
    made_chunk(&file, "IDAT", "no zlib", 7);
    made_chunk(&file, "IEND", "", 0);
    refuses("", "PNG, pixels that do not inflate");
    file.size = 33;
    made_big(&file, 0xFFFFFFFF);
    made_add(&file, "IDAT", 4);
    refuses("", "PNG, a chunk of 4 GiB");
    file.size = 33;
    made_chunk(&file, "BAD!", "", 0);
    made_add(&file, whole.bytes + 33, whole.size - 33);
    refuses("", "PNG, a chunk without a name");
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void check_limits(void)
{
    /* pixels of one value: some hundred bytes in the file, 256 times as many pixels */
    clup_image image = {.size = {512, 512, 1},
                        .axes = 2,
                        .dtype = CLUP_DTYPE_U8,
                        .channels = 1,
                        .pixels = calloc(512, 512)};
    clup_text png = {0};
    clup_image_options options = {.max_bytes = 512 * 512 - 1};
    ok(clup_png_encode(&image, &png) == CLUP_OK && png.length < 1024,
       "%zu bytes hold 512 x 512 pixels", png.length);
    clup_image_clear(&image);
    file.size = 0;
    made_add(&file, png.data, png.length);
    refuses_with(&options, CLUP_ERROR_MEMORY,
                 "512 x 512 x 1 pixels of 1 bytes are more than the limit, 262143", "PNG");
    options.max_bytes++;
    ok(clup_image_read(path, &options, &image) == CLUP_OK && image.size[0] == 512,
       "a byte more is enough");
    clup_image_clear(&image);
    options.max_bytes = png.length - 1;
    refuses_with(&options, CLUP_ERROR_MEMORY, "bytes are more than the limit",
                 "a file that is itself too long");
    clup_text_free(&png);
    file.size = 0;
    made_add(&file, TEXT("P4 64 2\n1234567812345678"));
    options.max_bytes = 127;
    refuses_with(&options, CLUP_ERROR_MEMORY, "limit, 127", "PBM, whose bits become bytes");
    options = (clup_image_options){.raw = {.size = {3, 2, 1}, .axes = 2, .dtype = CLUP_DTYPE_U16}};
    file.size = 11;
    refuses_with(&options, CLUP_ERROR_RUNTIME, "has 11 bytes, 3 x 2 x 1 pixels of 2 need 12",
                 "raw");
    file.size = 13;
    refuses_with(&options, CLUP_ERROR_RUNTIME, "has 13 bytes, 3 x 2 x 1 pixels of 2 need 12",
                 "raw");
    file.size = 0;
    refuses_with(&options, CLUP_ERROR_RUNTIME, "has 0 bytes", "raw");
    const clup_image_options palette = {.palette = 1};
    made_add(&file, TEXT("P4 8 1 \x55"));
    refuses_with(&palette, CLUP_ERROR_RUNTIME,
                 "a palette is wanted, and this is neither a PNG nor a TIFF", "PNM");
    options.raw = (clup_raw){
        .size = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, .axes = 3, .dtype = CLUP_DTYPE_F32};
    refuses_with(&options, CLUP_ERROR_MEMORY, "limit", "raw, a size whose product overflows");
    ok(clup_image_read("not there", NULL, &image) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), "not there: No such file") != NULL,
       "no file");
    ok(clup_image_read(".", NULL, &image) == CLUP_ERROR_RUNTIME &&
           strstr(clup_error_detail(), ".: Is a directory") != NULL,
       "a folder");
}

/* ---- mutations ------------------------------------------------------------------------------- */

/* Reads size bytes at the end of an allocation, so that AddressSanitizer detects reads beyond. */
static int harmless(const uint8_t *bytes, size_t size, const clup_image_options *options)
{
    clup_image image = {0};
    clup_input input = {.name = path, .bytes = malloc(size), .size = size, .most = 1 << 20};
    memcpy(input.bytes, bytes, size);
    clup_status status = clup_input_decode(&input, options, &image);
    int right = status == CLUP_OK ? image.pixels != NULL && clup_image_values(&image) > 0
                                  : says("") && image.pixels == NULL && image.axes == 0;
    if (!right)
        printf("# status %d, %s\n", (int)status, clup_error_detail());
    clup_image_clear(&image);
    free(input.bytes);
    return right;
}

static void mutate(const char *what)
{
    static const uint8_t replacements[] = {0,    0xFF, '0',  '9', '(', ')',
                                           '\'', ' ',  '\n', '#', 'L', '>'};
    const clup_image_options plain = {0}, last = {.channels_last = 1};
    const made whole = file;
    unsigned count = 0;
    int right = 1;
    for (size_t size = 0; size < whole.size; size++, count++)
        right = right && harmless(whole.bytes, size, &plain);
    for (size_t k = 0; k < whole.size; k++)
        for (unsigned change = 0; change < 8 + sizeof replacements; change++, count += 2) {
            file.bytes[k] = change < 8 ? whole.bytes[k] ^ (uint8_t)(1 << change)
                                       : replacements[change - 8];
            right = right && harmless(file.bytes, file.size, &plain) &&
                    harmless(file.bytes, file.size, &last);
            file.bytes[k] = whole.bytes[k];
        }
    ok(right, "%s: %u mutations", what, count);
}

static void check_mutations(void)
{
    static const uint16_t values[5 * 3 * 4] = {1, 2, 3, 0, 1, 2, 3, 0};
    static const char *const texts[] = {
        "P1 3 2 101 0 1 1", "P2 2 2\n#\n20 0 1 12 20", "P3 1 2 300 1 2 300 4 5 6",
        "P4 9 2\n1234",     "P5 2 2 255\n1234",        "P6 1 2 256\n\1\1\1\1\1\1\1\1\1\1\1\1"};
    static const unsigned kinds[][3] = {{0, 2, 0}, {0, 16, 1}, {2, 8, 1},
                                        {3, 4, 0}, {4, 8, 0},  {6, 16, 1}};
    char what[40];
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        file.size = 0;
        made_add(&file, texts[k], strlen(texts[k]));
        snprintf(what, sizeof what, "PNM, P%c", texts[k][1]);
        mutate(what);
    }
    made_npy(&file, 1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n",
             "123412341234123412341234", 24);
    mutate("NumPy, Fortran's order");
    made_npy(&file, 2, "{'descr': '>i2', 'fortran_order': False, 'shape': (1, 2, 3), }\n",
             "123412341234", 12);
    mutate("NumPy, version 2");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        made_form f = {.nx = 5,
                       .ny = 3,
                       .colour = kinds[k][0],
                       .depth = kinds[k][1],
                       .interlaced = kinds[k][2]};
        f.colours = f.colour == 3 ? 4 : 0;
        f.transparents = f.colour == 3 ? 2 : 0;
        made_png(&file, &f, values);
        snprintf(what, sizeof what, "PNG, colour %u of %u bits", kinds[k][0], kinds[k][1]);
        mutate(what);
    }
}

int main(void)
{
    char folder[] = "t_image_bad.XXXXXX";
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 99;
    check_texts();
    check_npy();
    check_png();
    check_limits();
    check_mutations();
    ok(unlink(path) == 0 && chdir("..") == 0 && rmdir(folder) == 0, "nothing else is left behind");
    return done_testing();
}
