/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy's array file format, versions 1 to 3. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "io/image.h"

#define MAGIC "\x93NUMPY"
#define MAGIC_BYTES 6
#define AXES_MAX 4
/* Bytes of a header at most; if a dtype has no fields it has a few hundred. */
#define HEADER_MOST (1u << 20)

/* ---- the header, a dictionary of Python ------------------------------------------------------ */

typedef struct cursor {
    const char *at, *end;
} cursor;

typedef struct array {
    char descr[32];
    bool fortran_order;
    uint64_t shape[AXES_MAX];
    unsigned axes; /* may be more than the array has room for */
} array;

static void skip_space(cursor *c)
{
    while (c->at < c->end && *c->at != '\0' && strchr(" \t\r\n", *c->at) != NULL)
        c->at++;
}

static bool accept(cursor *c, const char *word)
{
    const size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* Reads a text in quotes, without escapes, that fits. */
static bool quoted(cursor *c, char *text, size_t size)
{
    char quote[2] = "'";
    size_t used = 0;
    if (!accept(c, quote) && (*quote = '"', !accept(c, quote)))
        return false;
    for (; c->at < c->end && *c->at != *quote; c->at++) {
        if (used + 1 >= size || *c->at < ' ' || *c->at > '~' || *c->at == '\\')
            return false;
        text[used++] = *c->at;
    }
    text[used] = '\0';
    return c->at++ < c->end;
}

/* Reads a number; Python 2 wrote an L after a long one. */
static bool number(cursor *c, uint64_t *value)
{
    skip_space(c);
    const char *start = c->at;
    for (*value = 0; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        unsigned digit = (unsigned)(*c->at - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return false;
        *value = 10 * *value + digit;
    }
    if (c->at == start)
        return false;
    (void)accept(c, "L");
    return true;
}

static bool tuple(cursor *c, array *a)
{
    bool comma = true;
    if (!accept(c, "("))
        return false;
    for (a->axes = 0; !accept(c, ")"); a->axes++) {
        uint64_t length;
        if (!comma || !number(c, &length))
            return false;
        if (a->axes < AXES_MAX)
            a->shape[a->axes] = length;
        comma = accept(c, ",");
    }
    return a->axes != 1 || comma;
}

/* Returns NULL, or what is wrong. */
static const char *parse_header(cursor *c, array *a)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    unsigned seen = 0;
    bool comma = true;
    if (!accept(c, "{"))
        return "the header is no dictionary";
    while (!accept(c, "}")) {
        char key[32];
        unsigned k = 0;
        if (!comma || !quoted(c, key, sizeof key) || !accept(c, ":"))
            return "the header is no dictionary";
        while (k < 3 && strcmp(key, keys[k]) != 0)
            k++;
        if (k == 3 || (seen & 1u << k) != 0)
            return "the header has a key that is unknown, or twice there";
        seen |= 1u << k;
        if (k == 0) {
            if (accept(c, "["))
                return "the dtype has fields, which is not supported";
            if (!quoted(c, a->descr, sizeof a->descr))
                return "the dtype in the header cannot be read";
        }
        if (k == 1 && !(a->fortran_order = accept(c, "True")) && !accept(c, "False"))
            return "fortran_order in the header is neither True nor False";
        if (k == 2 && !tuple(c, a))
            return "the shape in the header is no tuple of numbers";
        comma = accept(c, ",");
    }
    skip_space(c);
    if (seen != 7)
        return "the header lacks descr, fortran_order or shape";
    return c->at < c->end ? "there is something after the header's dictionary" : NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

int clup_npy_is(const clup_input *input)
{
    return input->size >= MAGIC_BYTES && memcmp(input->bytes, MAGIC, MAGIC_BYTES) == 0;
}

static clup_status read_header(clup_input *input, array *a, size_t *data)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_input_reach(input, 10));
    const unsigned version = input->size > MAGIC_BYTES ? input->bytes[MAGIC_BYTES] : 0;
    const size_t start = version == 1 ? 10 : 12;
    CLUP_TRY(clup_input_reach(input, start));
    const uint8_t *bytes = input->bytes;
    if (input->size < start)
        return clup_input_fail(input, "the file ends inside the header");
    if (version < 1 || version > 3 || bytes[MAGIC_BYTES + 1] != 0)
        return clup_input_fail(input, "version %u.%u of NumPy's format is not known", version,
                               bytes[MAGIC_BYTES + 1]);
    uint32_t length = bytes[8] | (uint32_t)bytes[9] << 8;
    if (version > 1)
        length |= (uint32_t)bytes[10] << 16 | (uint32_t)bytes[11] << 24;
    *data = start + length;
    if (length <= HEADER_MOST)
        CLUP_TRY(clup_input_reach(input, *data));
    if (clup_input_ends_before(input, *data))
        return clup_input_fail(
            input, "the file ends inside the header, which has %" PRIu32 " bytes", length);
    if (length > HEADER_MOST)
        return clup_input_fail(input, "the header has %" PRIu32 " bytes, more than %u", length,
                               HEADER_MOST);
    cursor c = {(const char *)input->bytes + start, (const char *)input->bytes + *data};
    const char *wrong = parse_header(&c, a);
    if (wrong != NULL)
        status = clup_input_fail(input, "%s", wrong);
done:
    return status;
}

/* Whether NumPy calls a type by this name: a letter, and its number of bytes. */
static bool is_called(clup_dtype dtype, const char *name)
{
    return name[0] == clup_dtype_name(dtype)[0] &&
           (size_t)(name[1] - '0') == clup_dtype_bytes(dtype) && name[2] == '\0';
}

/* Reads the dtype, and whether it is bool. */
static clup_status read_dtype(const clup_input *input, const char *descr, clup_dtype *dtype,
                              bool *big_endian, bool *is_bool)
{
    const char order = descr[0], *name = order != '\0' ? descr + 1 : "";
    *big_endian = order == '>';
    *is_bool = strcmp(name, "b1") == 0;
    for (*dtype = CLUP_DTYPE_U8;
         *dtype < CLUP_DTYPES && !is_called(*dtype, *is_bool ? "u1" : name);)
        ++*dtype;
    if (*dtype == CLUP_DTYPES)
        return clup_input_fail(
            input,
            "dtype '%s' is not supported: there is bool, uint8 to uint64, int8 to "
            "int64, float32 and float64",
            descr);
    if (order != '<' && order != '>' && (order != '|' || clup_dtype_bytes(*dtype) > 1))
        return clup_input_fail(input, "dtype '%s' has no byte order, < or >", descr);
    return CLUP_OK;
}

/* Reads the sizes along x, y and z, and the channels. */
static clup_status read_shape(const clup_input *input, const array *a, int channels_last,
                              clup_image *image, uint64_t size[3])
{
    const unsigned axes = a->axes - (channels_last != 0);
    if (channels_last && (a->axes < 3 || a->axes > 4))
        return clup_input_fail(
            input, "an array of %u axes has none of channels: that takes 3, or 4 for a volume",
            a->axes);
    if (axes < 1 || axes > 3)
        return clup_input_fail(input, "an array of %u axes is no image: that takes 1 to 3%s",
                               a->axes, a->axes == 4 ? ", or 4 with channels last" : "");
    const uint64_t channels = channels_last ? a->shape[axes] : 1;
    if (channels != 1 && channels != 3 && channels != 4)
        return clup_input_fail(
            input, "the last axis has the length %" PRIu64 ": channels are 1, 3 or 4", channels);
    image->channels = (unsigned)channels;
    image->axes = axes;
    for (unsigned axis = 0; axis < 3; axis++)
        size[axis] = axis < axes ? a->shape[axes - 1 - axis] : 1;
    return CLUP_OK;
}

/* Reverses the axes of pixels: in the file the channel is the slowest axis, z the fastest. */
static clup_status transpose(const clup_input *input, size_t bytes, clup_image *image)
{
    const size_t width = clup_dtype_bytes(image->dtype), nx = image->size[0], ny = image->size[1],
                 nz = image->size[2];
    uint8_t *const from = image->pixels;
    clup_status status = clup_image_allocate(input, bytes, image);
    uint8_t *to = image->pixels;
    CLUP_TRY(status);
    for (size_t z = 0; z < nz; z++)
        for (size_t y = 0; y < ny; y++)
            for (size_t x = 0; x < nx; x++)
                for (size_t channel = 0; channel < image->channels; channel++, to += width)
                    memcpy(to, from + width * (z + nz * (y + ny * (x + nx * channel))), width);
done:
    free(from);
    return status;
}

clup_status clup_npy_decode(clup_input *input, const clup_image_options *options, clup_image *image)
{
    clup_status status = CLUP_OK;
    array a = {0};
    bool big_endian, is_bool;
    uint64_t size[3];
    size_t data = 0, bytes;
    CLUP_TRY(read_header(input, &a, &data));
    CLUP_TRY(read_dtype(input, a.descr, &image->dtype, &big_endian, &is_bool));
    CLUP_TRY(read_shape(input, &a, options->channels_last, image, size));
    CLUP_TRY(clup_image_measure(input, size, image, &bytes));
    if (a.fortran_order && input->parts > 1)
        return clup_input_fail(input, "a part is read of an array in C's order, not Fortran's");
    input->turned = a.fortran_order || clup_other_order(image->dtype, big_endian);
    CLUP_TRY(clup_image_load(input, "the array", data, bytes, image));
    if (a.fortran_order)
        CLUP_TRY(transpose(input, bytes, image));
    clup_image_to_host(image, big_endian);
    if (is_bool)
        CLUP_TRY(clup_image_check_most(input, image, 1));
done:
    return status;
}

clup_status clup_npy_data(clup_input *input, size_t *data)
{
    array a = {0};
    return read_header(input, &a, data);
}

/* Checks that a file has so many bytes of data. */
static clup_status check_bytes(clup_input *input, size_t data, size_t bytes,
                               const clup_image *image)
{
    clup_status status = CLUP_OK;
    if (!clup_pixels_mapped(input, data, bytes, image))
        CLUP_TRY(clup_input_reach(input, (uint64_t)data + bytes + 1));
    if (clup_input_bytes(input) - data != bytes)
        return clup_input_fail(input, "the array has %" PRIu64 " bytes, its %zu numbers need %zu",
                               clup_input_bytes(input) - data,
                               bytes / clup_dtype_bytes(image->dtype), bytes);
done:
    return status;
}

/* Decodes an array of any type of numbers. whole refuses all but integers of 32 and 64 bits. */
static clup_status decode_numbers(clup_input *input, bool whole, clup_image *image)
{
    clup_status status = CLUP_OK;
    array a = {0};
    bool big_endian, is_bool;
    size_t data = 0, bytes = 0;
    CLUP_TRY(read_header(input, &a, &data));
    CLUP_TRY(read_dtype(input, a.descr, &image->dtype, &big_endian, &is_bool));
    if (whole && image->dtype != CLUP_DTYPE_U32 && image->dtype != CLUP_DTYPE_I32 &&
        image->dtype != CLUP_DTYPE_U64 && image->dtype != CLUP_DTYPE_I64)
        return clup_input_fail(input,
                               "the array has numbers of the type %s, not integers of 32 or "
                               "64 bits",
                               clup_dtype_name(image->dtype));
    if (a.axes < 1 || a.axes > 2)
        return clup_input_fail(input, "the array has %u axes, not one or two", a.axes);
    const uint64_t size[3] = {a.shape[a.axes - 1], a.axes > 1 ? a.shape[0] : 1, 1};
    image->axes = a.axes;
    image->channels = 1;
    if (size[0] > 0 && size[1] > 0)
        CLUP_TRY(clup_image_measure(input, size, image, &bytes));
    else if (size[0] <= UINT32_MAX && size[1] <= UINT32_MAX)
        for (unsigned axis = 0; axis < 3; axis++)
            image->size[axis] = (uint32_t)size[axis];
    else
        return clup_input_fail(input, "an axis of the array is longer than 2^32 - 1");
    input->turned = clup_other_order(image->dtype, big_endian) || a.fortran_order;
    CLUP_TRY(check_bytes(input, data, bytes, image));
    if (bytes == 0)
        return CLUP_OK;
    CLUP_TRY(clup_image_load(input, "the array", data, bytes, image));
    if (a.fortran_order)
        CLUP_TRY(transpose(input, bytes, image));
    clup_image_to_host(image, big_endian);
done:
    return status;
}

clup_status clup_npy_decode_whole(clup_input *input, clup_image *image)
{
    return decode_numbers(input, true, image);
}

clup_status clup_npy_decode_numbers(clup_input *input, clup_image *image)
{
    return decode_numbers(input, false, image);
}

/* ---- writing --------------------------------------------------------------------------------- */

size_t clup_npy_header(char *header, clup_dtype dtype, const size_t *shape, unsigned axes)
{
    const char order = clup_dtype_bytes(dtype) == 1 ? '|' : clup_host_big_endian() ? '>' : '<';
    char type[8];
    snprintf(type, sizeof type, "%c%c%u", order, clup_dtype_name(dtype)[0],
             (unsigned)clup_dtype_bytes(dtype) % 100);
    return clup_npy_header_of(header, type, shape, axes);
}

size_t clup_npy_header_of(char *header, const char *type, const size_t *shape, unsigned axes)
{
    /* magic, version, length of the header, and the header, padded so that the data begin at a
     * multiple of 64 */
    size_t used = 10;
    used += (size_t)snprintf(header + used, CLUP_NPY_HEADER - used,
                             "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    for (unsigned axis = 0; axis < axes; axis++)
        used += (size_t)snprintf(header + used, CLUP_NPY_HEADER - used,
                                 axis + 1 < axes || axes == 1 ? "%zu, " : "%zu", shape[axis]);
    used += (size_t)snprintf(header + used, CLUP_NPY_HEADER - used, "), }");
    const size_t length = (used + 1 + 63) / 64 * 64;
    memset(header + used, ' ', length - used);
    memcpy(header, MAGIC "\x01\x00", 8);
    header[8] = (char)(length - 10);
    header[9] = 0;
    header[length - 1] = '\n';
    return length;
}
