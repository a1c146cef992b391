/* SPDX-License-Identifier: BSD-3-Clause */
/* NIfTI-1 and NIfTI-2 in one file. The headers:
 * https://nifti.nimh.nih.gov/pub/dist/src/niftilib/nifti1.h and .../nifti2/nifti2.h. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "io/image.h"

/* Axes that the format has, of which an image uses the first three. */
#define AXES_MOST 7

/* Where a version of the header has its fields. */
typedef struct layout {
    uint32_t bytes; /* of the header, which is its first number */
    const char *magic, *magic_pair;
    unsigned magic_at, dim_at, dim_bytes, datatype_at, bits_at, offset_at, slope_at, number_bytes;
} layout;

static const layout layouts[] = {
    {348, "n+1", "ni1", 344, 40, 2, 70, 72, 108, 112, 4},
    {540, "n+2", "ni2", 4, 16, 8, 12, 14, 168, 176, 8},
};

typedef struct header {
    const layout *of;
    const uint8_t *bytes;
    bool big_endian;
} header;

static uint64_t bits_at(const header *h, size_t at, unsigned count)
{
    uint64_t value = 0;
    for (unsigned k = 0; k < count; k++)
        value = value << 8 | h->bytes[at + (h->big_endian ? k : count - 1 - k)];
    return value;
}

static int64_t whole_at(const header *h, size_t at, unsigned bytes)
{
    const uint64_t bits = bits_at(h, at, bytes);
    return bytes == 2 ? (int16_t)bits : (int64_t)bits;
}

/* Reads a float or a double. */
static double number_at(const header *h, size_t at, unsigned bytes)
{
    return clup_value_number(bytes == 4 ? CLUP_DTYPE_F32 : CLUP_DTYPE_F64, bits_at(h, at, bytes));
}

/* Finds the version and byte order of a header by its first four bytes. */
static bool find_layout(const clup_input *input, header *h)
{
    h->bytes = input->bytes;
    for (unsigned k = 0; k < 4 && input->size >= 4; k++) {
        h->of = &layouts[k / 2];
        h->big_endian = k % 2 != 0;
        if (bits_at(h, 0, 4) == h->of->bytes)
            return true;
    }
    return false;
}

int clup_nifti_is(const clup_input *input)
{
    header h;
    return find_layout(input, &h);
}

static clup_status check_magic(const clup_input *input, const header *h)
{
    const char *magic = (const char *)h->bytes + h->of->magic_at;
    if (memcmp(magic, h->of->magic_pair, 4) == 0)
        return clup_input_fail(input, "the header of a pair of files, .hdr and .img: convert it to "
                                      "one .nii");
    return memcmp(magic, h->of->magic, 4) == 0
               ? CLUP_OK
               : clup_input_fail(input, "this begins as NIfTI does, and lacks its mark '%s'",
                                 h->of->magic);
}

/* Sets the dtype and channels of the image. */
static clup_status read_type(const clup_input *input, const header *h, clup_image *image)
{
    static const struct {
        unsigned code;
        clup_dtype dtype;
        unsigned channels;
        const char *refused;
    } types[] = {
        {2, CLUP_DTYPE_U8, 1, NULL},
        {4, CLUP_DTYPE_I16, 1, NULL},
        {8, CLUP_DTYPE_I32, 1, NULL},
        {16, CLUP_DTYPE_F32, 1, NULL},
        {64, CLUP_DTYPE_F64, 1, NULL},
        {128, CLUP_DTYPE_U8, 3, NULL},
        {256, CLUP_DTYPE_I8, 1, NULL},
        {512, CLUP_DTYPE_U16, 1, NULL},
        {768, CLUP_DTYPE_U32, 1, NULL},
        {1024, CLUP_DTYPE_I64, 1, NULL},
        {1280, CLUP_DTYPE_U64, 1, NULL},
        {2304, CLUP_DTYPE_U8, 4, NULL},
        {1, CLUP_DTYPE_NONE, 0, "bits"},
        {32, CLUP_DTYPE_NONE, 0, "complex numbers"},
        {1536, CLUP_DTYPE_NONE, 0, "floats of 128 bits"},
        {1792, CLUP_DTYPE_NONE, 0, "complex numbers"},
        {2048, CLUP_DTYPE_NONE, 0, "complex numbers"},
    };
    const unsigned code = (unsigned)bits_at(h, h->of->datatype_at, 2),
                   bits = (unsigned)bits_at(h, h->of->bits_at, 2);
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (types[k].code != code)
            continue;
        image->dtype = types[k].dtype;
        image->channels = types[k].channels;
        if (types[k].refused != NULL)
            return clup_input_fail(input, "pixels are %s, which are not read", types[k].refused);
        return bits == 8 * clup_dtype_bytes(image->dtype) * image->channels
                   ? CLUP_OK
                   : clup_input_fail(input, "the data type %u has not %u bits", code, bits);
    }
    return clup_input_fail(input, "the data type %u is not known", code);
}

/* Reads the lengths of the axes. Those after the third have to be 1. */
static clup_status read_size(const clup_input *input, const header *h, clup_image *image,
                             uint64_t size[3])
{
    const unsigned bytes = h->of->dim_bytes;
    const int64_t axes = whole_at(h, h->of->dim_at, bytes);
    if (axes < 1 || axes > AXES_MOST)
        return clup_input_fail(input, "the header has %" PRIi64 " axes, not 1 to %d", axes,
                               AXES_MOST);
    image->axes = axes < 3 ? (unsigned)axes : 3;
    for (unsigned axis = 0; axis < AXES_MOST; axis++) {
        const int64_t length = axis < axes
                                   ? whole_at(h, h->of->dim_at + (size_t)bytes * (axis + 1), bytes)
                                   : 1;
        if (length < 0)
            return clup_input_fail(input, "axis %u has the length %" PRIi64, axis + 1, length);
        if (axis < 3)
            size[axis] = (uint64_t)length;
        else if (length != 1)
            return clup_input_fail(input,
                                   "axis %u has the length %" PRIi64 ": a volume has three axes; "
                                   "write one volume of them",
                                   axis + 1, length);
    }
    return CLUP_OK;
}

/* Finds where the pixels are. NIfTI-1 has that as a float. */
static clup_status read_offset(const clup_input *input, const header *h, size_t *data)
{
    const unsigned bytes = h->of->number_bytes;
    const double offset = bytes == 4 ? number_at(h, h->of->offset_at, 4)
                                     : (double)whole_at(h, h->of->offset_at, 8);
    /* four bytes after the header say whether it is extended */
    if (!(offset >= h->of->bytes + 4 && offset < 0x1p52) || offset != floor(offset))
        return clup_input_fail(input, "the pixels cannot begin at byte %.9g", offset);
    *data = (size_t)offset;
    return CLUP_OK;
}

/* Whether the values are to be scaled; a slope of 0 says that they are not. */
static bool is_scaled(const header *h)
{
    const unsigned bytes = h->of->number_bytes;
    const double slope = number_at(h, h->of->slope_at, bytes),
                 intercept = number_at(h, h->of->slope_at + bytes, bytes);
    return isfinite(slope) && slope != 0 && (slope != 1 || intercept != 0);
}

clup_status clup_nifti_decode(clup_input *input, const clup_image_options *options,
                              clup_image *image)
{
    header h = {0};
    uint64_t size[3];
    size_t data = 0, bytes;
    clup_status status = CLUP_OK;
    (void)options;
    if (!find_layout(input, &h))
        return clup_input_fail(input, "this is no NIfTI file");
    CLUP_TRY(clup_input_reach(input, h.of->bytes));
    if (input->size < h.of->bytes)
        return clup_input_fail(input, "the file ends inside the header");
    h.bytes = input->bytes;
    CLUP_TRY(check_magic(input, &h));
    CLUP_TRY(read_type(input, &h, image));
    CLUP_TRY(read_size(input, &h, image, size));
    CLUP_TRY(read_offset(input, &h, &data));
    CLUP_TRY(clup_image_measure(input, size, image, &bytes));
    image->notes = is_scaled(&h) ? CLUP_IMAGE_SCALED : 0;
    const bool big_endian = h.big_endian;
    if (!clup_input_ends_before(input, data))
        CLUP_TRY(clup_input_reach(input, data));
    if (clup_input_ends_before(input, data))
        return clup_input_fail(input, "the file ends before its pixels, at byte %zu", data);
    input->turned = clup_other_order(image->dtype, big_endian);
    CLUP_TRY(clup_image_load(input, "the NIfTI file", data, bytes, image));
    clup_image_to_host(image, big_endian);
done:
    return status;
}
