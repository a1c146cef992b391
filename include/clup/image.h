/* SPDX-License-Identifier: BSD-3-Clause */
/* Images and volumes, types of their pixels, and files of them. */
#ifndef CLUP_IMAGE_H
#define CLUP_IMAGE_H

#include "clup/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of numbers in arrays and images, always in the byte order of the host. */
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

/* Returns the name of a type; NULL for CLUP_DTYPE_NONE and past the end. */
CLUP_API const char *clup_dtype_name(clup_dtype dtype);

/* An image, or a volume. A pixel is channels values of dtype, one after the other. Pixel (x, y, z)
 * is number x + size[0]*(y + size[1]*z). */
typedef struct clup_image {
    uint32_t size[3]; /* pixels along x, y and z, each >= 1; z is 1 in the plane */
    unsigned axes;    /* 2 for an image, 3 for a volume, 1 for a row of pixels, whose y and z are
                         1 */
    clup_dtype dtype;
    unsigned channels; /* 1; 3 for red, green and blue; 4 with alpha after them */
    void *pixels;      /* clup_image_clear frees them when clup_image_read made them; otherwise the
                          caller owns them */
    /* Of an image that is a part of a larger one, along y in the plane, else z: how many layers
     * come before it, and how many the whole has. layers is 0 for an image that is no part. */
    uint32_t before, layers;
    uint64_t mapped; /* the bytes of the mapping in which the pixels are, where clup_image_read has
                        mapped the file; 0 where it has read the file. Mapped pixels must not be
                        changed: on Windows they are read-only */
    uint64_t notes;  /* bits of clup_image_note, set by clup_image_read */
    uint64_t reserved[1];
} clup_image;

/* What a file says of its pixels that clup_image_read does not do: pixels are read as stored. */
typedef enum clup_image_note {
    CLUP_IMAGE_TURNED = 1,       /* they are to be turned or mirrored before they are seen: TIFF's
                                    orientation is not 1 */
    CLUP_IMAGE_MIN_IS_WHITE = 2, /* 0 is white, and larger values are darker: TIFF */
    CLUP_IMAGE_SCALED = 4        /* they stand for slope * value + intercept: NIfTI's scl_slope and
                                    scl_inter */
} clup_image_note;

/* The form of a file that does not describe itself: values in raster order, x the fastest, and
 * nothing else. */
typedef struct clup_raw {
    uint32_t size[3];
    unsigned axes; /* 2 or 3; 0 for no shape */
    clup_dtype dtype;
    int big_endian;
    uint64_t reserved[4];
} clup_raw;

/* How to read an image. All zeros is the default. */
typedef struct clup_image_options {
    clup_raw raw;         /* with a shape and a dtype the file has this form, whatever its first
                             bytes */
    int channels_last;    /* the last axis of a NumPy array of 3 or 4 axes is that of channels: its
                             length must be 1, 3 or 4. Other files are refused:
                             CLUP_ERROR_RUNTIME */
    uint64_t max_bytes;   /* the most bytes that the file may have, and that its pixels may have. 0
                             stands for 2^34, that is 4 bytes for each of 2^32 pixels, or for the
                             size of the file where that is larger and the file is no pipe */
    uint32_t part, parts; /* reads only part number part of parts, along y in the plane, else z: the
                             part that a process has (clup_label_image). The file must be a NumPy
                             array in C's order, NIfTI, PAM or raw data, and no pipe; it, and its
                             pixels, may have parts times max_bytes. parts is 0 for the whole */
    int palette;       /* reads of a PNG or TIFF with a palette the numbers of the colours in place
                          of the colours. Other files are refused: CLUP_ERROR_RUNTIME */
    const char *array; /* of a .npz the array of this name; NULL for the only one. Other files are
                          refused: CLUP_ERROR_RUNTIME */
    uint64_t page;     /* of a TIFF the page of this number, from 1 on; 0 for all. Other files are
                          refused: CLUP_ERROR_RUNTIME */
    uint64_t reserved[4];
} clup_image_options;

/* Reads an image.
 *
 *   path     the file; "-" is standard input
 *   options  NULL is all zeros
 *   image    becomes the image; release it by clup_image_clear. All zeros after a failure
 *
 * The first bytes of the file tell its format. Values are not scaled, pixels are not turned:
 *
 * PNG     Grayscale of 1 to 8 bits is read as u8, of 16 bits as u16. Colours are RGB of u8 or u16,
 *         a palette's of u8; with an alpha channel or transparent colours they are RGBA. Grayscale
 *         with an alpha channel or a transparent value has one channel where all pixels are opaque;
 *         otherwise it is read as RGBA, three times the gray value and alpha, as a gray value alone
 *         would not tell what is seen. Texts, profiles and what follows the image are ignored.
 * TIFF    Where clup was built with libtiff. TIFF and BigTIFF of both byte orders, in strips or
 *         tiles, packed in all ways that libtiff knows. Pixels are integers of 1 to 32 or 64 bits,
 *         read as the smallest type that holds them, or floats of 16 bits, read as f32, 32 or 64.
 *         Channels are those of gray, RGB or RGBA, in one plane or several; gray with alpha is as
 *         in a PNG; a palette's colours are u16. YCbCr of 8 bits becomes RGB. Pages of one size,
 *         type and channels are a volume, z being their order in the file; smaller copies and masks
 *         (NewSubfileType) are left out after the first page. A stack of ImageJ with one page for
 *         all images is a volume too. Where 0 is white, or the orientation is not 1, notes say so.
 *         CMYK, CIE L*a*b* and other colours are refused, and complex numbers.
 * JPEG    Where clup was built with libjpeg. Gray and RGB of u8; CMYK is refused. Values are those
 *         of libjpeg's precise transform. What follows the image, and bytes
 *         between its headers that are none, are ignored.
 * PNM     P1 to P6, plain and binary, with comments. PGM and PPM are u8 with a maximum up to 255,
 *         else u16. PBM is u8 with the bits of the file, so that black is 1. PAM (P7) of gray or
 *         RGB, with alpha or without; the tuple type must fit the depth, or be missing.
 *         BLACKANDWHITE has 1 for white. Only one image a file.
 * NumPy   Versions 1 to 3 of .npy, in both byte orders and both orders of axes, of bool (read as
 *         u8), uint8 to uint64, int8 to int64, float32 and float64. The axes are (y, x) or
 *         (z, y, x), with channels_last (y, x, channel) or (z, y, x, channel). Without
 *         channels_last an array of shape (480, 640, 3) is a volume 3 pixels wide. One axis is a
 *         row of pixels. NaNs stay. Of a .npz, stored or deflated, one such array.
 * NIfTI   NIfTI-1 and 2 in one file, in both byte orders, of integers of 8 to 64 bits, floats of
 *         32 and 64, RGB and RGBA. The first axis is x. There are up to three axes, others have to
 *         have the length 1. Where the header has a slope for the values, notes say so. Pairs of
 *         .hdr and .img are refused.
 * raw     Only with options->raw. The file must have exactly the size that follows from it.
 *
 * Each of them, but for raw data, may be packed by gzip, as a .nii.gz is.
 *
 * Large files are mapped, not read, so that pixels are loaded when they are used: raw data, NIfTI,
 * PAM and NumPy arrays in C's order, in the host's byte order, which are no pipe and whose pixels
 * would take more than half of the host's free memory. The length is checked when the file is
 * mapped. If the file becomes shorter before clup_image_clear, or a page of it cannot be read, the
 * system sends SIGBUS, which the caller may handle.
 *
 * Returns, with a detail that starts with the name of the file:
 *
 *   CLUP_ERROR_RUNTIME  the file cannot be read; has another format or dtype; has no pixels, an
 *                       axis of 2^32 or more, too few or too many bytes, or a value above its
 *                       maximum
 *   CLUP_ERROR_MEMORY   it, or its pixels, have more bytes than options->max_bytes, or than the
 *                       host can give
 *   CLUP_ERROR_USAGE    options->raw has a shape and no dtype, or a dtype and no shape; part is not
 *                       below parts
 *
 * Files need not be trusted. Pixels are allocated only after the file was found long enough for
 * them: at least 1 byte for as many bytes of pixels as its way of packing can make of it (1032 for
 * PNG and deflate, 8192 for JPEG, as many as there are pixels in 8 rows for fax, 2^17 for what has
 * no limit), or for 8 bits of a PBM's. What libtiff or libjpeg call an error or a warning about
 * pixels is a failure. No more is read than the header says, and one byte that would be too many;
 * of a file that is no image, 8 bytes. So pipes and devices may have no end; but a TIFF and a .npz
 * are read whole from there. White space and comments of a PNM may have 65536 bytes, a plain one 64
 * more for each value; a PNG or JPEG 2^26 bytes and 16 for each byte of its pixels, and a JPEG 500
 * scans; the header of a PAM 2^16, that of a NumPy file 2^20. */
CLUP_API clup_status clup_image_read(const char *path, const clup_image_options *options,
                                     clup_image *image);

/* Frees the pixels, and sets all of *image to zero. Accepts NULL. */
CLUP_API void clup_image_clear(clup_image *image);

#ifdef __cplusplus
}
#endif

#endif
