/* Images, types of pixels, and files of images. */
#ifndef CLUP_IMAGE_H
#define CLUP_IMAGE_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of numbers in arrays and images, always in the host's byte order. */
typedef enum clup_dtype {
    CLUP_DTYPE_NONE, /* not known */
    CLUP_DTYPE_U8,   /* "u8": unsigned */
    CLUP_DTYPE_U16,
    CLUP_DTYPE_U32,
    CLUP_DTYPE_I8, /* "i8": two's complement */
    CLUP_DTYPE_I16,
    CLUP_DTYPE_I32,
    CLUP_DTYPE_F32, /* "f32": IEEE 754 */
    CLUP_DTYPE_U64,
    CLUP_DTYPE_I64,
    CLUP_DTYPE_F64,
    CLUP_DTYPES
} clup_dtype;

/* The name of a type; NULL for CLUP_DTYPE_NONE and past the end. */
CLUP_API const char *clup_dtype_name(clup_dtype dtype);

/* An image, or a volume. A pixel is channels values of dtype, next to each other; pixel (x, y, z)
 * is number x + size[0]*(y + size[1]*z). */
typedef struct clup_image {
    uint32_t size[3]; /* pixels along x, y and z, each >= 1; z is 1 in the plane */
    unsigned axes;    /* 2, 3 for a volume, or 1 for a row of pixels, whose y and z are 1 */
    clup_dtype dtype;
    unsigned channels; /* 1; 3 for red, green, blue; 4 with alpha after them */
    void *pixels; /* of the image when clup_image_read made it, see clup_image_clear; else of the
                     caller */
    /* of an image that is a part of a larger one, along y in the plane, else z: the layers before
     * it, and those of the whole; layers is 0 for an image that is no part */
    uint32_t before, layers;
    uint64_t mapped; /* where clup_image_read has mapped a file instead of reading it: the bytes of
                        the mapping in which pixels are; 0 else */
    uint64_t reserved[2];
} clup_image;

/* The form of a file that does not tell it: values in raster order, x the fastest, and nothing
 * else. */
typedef struct clup_raw {
    uint32_t size[3];
    unsigned axes; /* 2 or 3; 0 for no shape */
    clup_dtype dtype;
    int big_endian;
    uint64_t reserved[4];
} clup_raw;

/* How to read an image. All zeros is the default. */
typedef struct clup_image_options {
    clup_raw raw; /* with a shape and a dtype: the file is of this form, whatever its first bytes */
    int channels_last;  /* the last axis of a NumPy array of 3 or 4 axes, which must have the length
                           1, 3 or 4, is that of channels; other files are refused,
                           CLUP_ERROR_RUNTIME */
    uint64_t max_bytes; /* that a file, and its pixels, may have, each; 0 for 2^34, 4 bytes for each
                           of 2^32 pixels, or those of the file, where it has more and is no pipe */
    uint32_t part, parts; /* reads part number part of so many along y in the plane, else z, the one
                             that a process has (clup_label_image), and nothing of the others; of a
                             file, not a pipe, a NumPy array in C's order or raw data, whose bytes,
                             and pixels, may be parts times max_bytes. 0 for all */
    int palette; /* of a PNG with a palette the numbers of the colours, u8, and not the colours;
                    other files are refused, CLUP_ERROR_RUNTIME */
    uint64_t reserved[6];
} clup_image_options;

/* Reads an image; "-" is standard input, options NULL is all zeros. The first bytes of the file
 * tell its format:
 *
 * PNG     Grayscale of 1 to 8 bits is u8, of 16 bits u16, values as they are in the file: not
 *         scaled. Colours are RGB of u8 or u16, a palette's of u8, and RGBA with an alpha channel
 *         or transparent colours. Grayscale with an alpha channel or a transparent value has one
 *         channel where all pixels are opaque; else it is RGBA, three times the gray and alpha, as
 *         a gray value would not tell what is seen. Texts, profiles and what follows the image are
 *         ignored.
 * PNM     P1 to P6, plain and binary, comments included. PGM and PPM are u8 with a maximum up to
 *         255, else u16; not scaled. PBM is u8 with its bits, so that black is 1. One image a file.
 * NumPy   Versions 1 to 3 of .npy, both byte orders and both orders of axes, of bool (read as u8),
 *         uint8 to uint32, int8 to int32 and float32. The axes are (y, x) or (z, y, x), and with
 *         channels_last (y, x, channel) or (z, y, x, channel): without it, an array of shape (480,
 *         640, 3) is a volume 3 pixels wide. One axis is a row of pixels. NaNs are read as
 *         they are.
 * raw     With options->raw alone; the file has exactly the size that follows from it.
 *
 * A file, not a pipe, whose pixels would take more than half of the memory that the host has left
 * is mapped instead, so that they are read where they stand as they are wanted: raw data, and NumPy
 * arrays in C's order, in the host's byte order. Its length is checked when it is mapped; when it
 * becomes shorter before clup_image_clear, or a page of it cannot be read, the system sends SIGBUS,
 * which the caller may handle.
 *
 * A failure leaves *image all zeros, the detail starts with the file's name. CLUP_ERROR_RUNTIME
 * when it cannot be read, has another format or dtype, no pixels, an axis of 2^32 or more, too few
 * or too many bytes, or a value above its maximum; CLUP_ERROR_MEMORY when it, or its pixels,
 * have more bytes than options->max_bytes or than the host can give; CLUP_ERROR_USAGE when
 * options->raw has a shape and no dtype, or the other way round, or part is none of parts. Before
 * pixels are allocated the file was found long enough for them: at least 1 byte for 1032 of a PNG's
 * (deflate's limit), or for 8 bits of a PBM's. No more is read than the format's header says, and
 * one byte that would be too many: 8 bytes of what is no image, so that pipes and devices may have
 * no end. White space and comments of a PNM may have 65536 bytes, a plain one 64 more for each
 * value; a PNG 2^26 bytes and 16 for each of its pixels'; a NumPy header 2^20. */
CLUP_API clup_status clup_image_read(const char *path, const clup_image_options *options,
                                     clup_image *image);
/* Frees the pixels and sets all to zero; accepts NULL. */
CLUP_API void clup_image_clear(clup_image *image);

#ifdef __cplusplus
}
#endif

#endif
