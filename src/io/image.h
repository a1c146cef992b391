/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the formats of images. */
#ifndef CLUP_IO_IMAGE_H
#define CLUP_IO_IMAGE_H
#include <stdbool.h>

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"

/* A file that is read from its first byte on, and only as far as its reader asks. */
typedef struct clup_input {
    const char *name; /* for messages */
    uint8_t *bytes;   /* the bytes read so far; NULL after an image has taken them over */
    size_t size, capacity;
    uint64_t most; /* the most bytes of the file, and of its pixels */
    uint64_t all;  /* bytes of the file; 0 if they are not known before its end */
    bool more;     /* the descriptor may have more bytes; else bytes has them all */
    int descriptor;
    uint64_t start;       /* position in the file of the first byte */
    bool turned;          /* the pixels will be reordered, or their bytes */
    uint32_t part, parts; /* see clup_image_options */
    /* Where the bytes are not those of the descriptor, but made of a source: reads up to so many
     * bytes, *got of them, 0 at the end. release frees the source when the input is closed. */
    clup_status (*read)(void *source, uint64_t bytes, void *to, size_t *got);
    void (*release)(void *source);
    void *source;
} clup_input;

/* Opens a file, "-" for standard input, and closes it. */
clup_status clup_input_open(const char *path, uint64_t most, clup_input *input);
void clup_input_close(clup_input *input);
/* Reads until size bytes are there, or the file ends. CLUP_ERROR_MEMORY if size is more than
 * input's most. */
clup_status clup_input_reach(clup_input *input, uint64_t size);
/* CLUP_ERROR_MEMORY if the host has no memory for so many bytes, even if the system would grant
 * them. */
clup_status clup_input_room(const clup_input *input, uint64_t bytes);
/* Reads so many bytes at an offset in the file, which must have them; many by several threads. */
clup_status clup_input_read_at(const clup_input *input, uint64_t offset, uint64_t bytes, void *to);
/* The size of the file, as far as it is known; and whether the file is known to have fewer than
 * size bytes. */
uint64_t clup_input_bytes(const clup_input *input);
bool clup_input_ends_before(const clup_input *input, uint64_t size);
/* Fails with CLUP_ERROR_RUNTIME; the detail is the file's name and what is wrong with the file. */
clup_status clup_input_fail(const clup_input *input, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Reads an image from an open input, as clup_image_read does from a file. */
clup_status clup_input_decode(clup_input *input, const clup_image_options *options,
                              clup_image *image);

/* The readers of the formats. Each is called if the first bytes, or the options, are of its format,
 * and with no options that do not go with it (clup_input_decode). image must be all zeros; after a
 * failure the caller frees its contents. */
#define CLUP_FORMAT(name) \
    int clup_##name##_is(const clup_input *input); \
    clup_status clup_##name##_decode(clup_input *input, const clup_image_options *options, \
                                     clup_image *image)
CLUP_FORMAT(png);
CLUP_FORMAT(pnm);
CLUP_FORMAT(pam);
CLUP_FORMAT(tiff);
CLUP_FORMAT(jpeg);
CLUP_FORMAT(nifti);
CLUP_FORMAT(npy);
CLUP_FORMAT(npz);
clup_status clup_raw_decode(clup_input *input, const clup_image_options *options,
                            clup_image *image);
/* Reads an array of integers of 32 or 64 bits as an image of one channel: of one axis, size[0], or
 * of two, size[1] rows of size[0]. It may be empty, without pixels then. */
clup_status clup_npy_decode_whole(clup_input *input, clup_image *array);
/* Likewise an array of any type of numbers. */
clup_status clup_npy_decode_numbers(clup_input *input, clup_image *array);
/* Reads the header of an array of any type; *data becomes where its data begin. */
clup_status clup_npy_data(clup_input *input, size_t *data);

/* Sets size of the image, and *bytes to the bytes of its pixels with the image's dtype and
 * channels. Fails if an axis is 0 or too long, or if the bytes exceed input's most. */
clup_status clup_image_measure(const clup_input *input, const uint64_t size[3], clup_image *image,
                               size_t *bytes);
/* The number of values of all pixels. */
size_t clup_image_values(const clup_image *image);
/* Allocates so many bytes of pixels, all zeros. */
clup_status clup_image_allocate(const clup_input *input, size_t bytes, clup_image *image);
/* Pixels of so many bytes are mapped, and labels of so many bytes are in a file; 0 for more than
 * half of the memory that the host has left. For tests. */
extern uint64_t clup_mapped_least;
/* Whether pixels of so many bytes, from offset on, should be mapped and can be: the file stores
 * them as they are used. */
bool clup_pixels_mapped(const clup_input *input, size_t offset, uint64_t bytes,
                        const clup_image *image);
/* Maps them as the image's pixels. Changes to them stay in memory. */
clup_status clup_pixels_map(const clup_input *input, size_t offset, size_t bytes,
                            clup_image *image);
void clup_pixels_unmap(clup_image *image);

/* Makes the bytes that were read, from offset on, the image's pixels. */
void clup_image_take(clup_input *input, size_t offset, clup_image *image);
/* Reads the pixels, bytes bytes from offset to the file's end; if input names a part, reads only
 * that part, and the image becomes the part. Fails if the file has more or fewer bytes; called
 * names in messages what has the bytes. */
clup_status clup_image_load(clup_input *input, const char *called, size_t offset, size_t bytes,
                            clup_image *image);
/* clup_other_order: whether the bytes of values in a file must be swapped. clup_image_to_host:
 * swaps them if they must. */
bool clup_other_order(clup_dtype dtype, int big_endian);
void clup_image_to_host(clup_image *image, int big_endian);
int clup_host_big_endian(void);
/* Fails if a value of u8 or u16 is above most; the detail says where. */
clup_status clup_image_check_most(const clup_input *input, const clup_image *image, unsigned most);

/* CLUP_ERROR_USAGE where an image has no valid size, channels, dtype or pixels. */
clup_status clup_image_validate(const clup_image *image);
/* Encodes an image as a PNG; CLUP_ERROR_USAGE if a PNG cannot hold it. */
clup_status clup_png_encode(const clup_image *image, clup_text *file);
/* Write the header of a NumPy array, CLUP_NPY_HEADER bytes at most, and return its length. type is
 * as NumPy names it, such as "|S3". */
#define CLUP_NPY_HEADER 256
size_t clup_npy_header(char *header, clup_dtype dtype, const size_t *shape, unsigned axes);
size_t clup_npy_header_of(char *header, const char *type, const size_t *shape, unsigned axes);

/* Writes an image by the extension of path, the whole file or nothing. .npy, or "-" for standard
 * output, is a NumPy array of shape (y, x) or (z, y, x), or (.., channels) with more than one
 * channel. .png is for images in the plane of u8 or u16. CLUP_ERROR_USAGE for another extension,
 * for an invalid image, and for one that the format cannot hold; CLUP_ERROR_RUNTIME if the file
 * cannot be written. */
clup_status clup_image_write(const char *path, const clup_image *image);

#endif
