/* SPDX-License-Identifier: BSD-3-Clause */
/* What the formats of images share. */
#ifndef CLUP_IO_IMAGE_H
#define CLUP_IO_IMAGE_H
#include <stdbool.h>

#include "base/file.h"
#include "base/status.h"
#include "base/text.h"

/* A file that is being read, from its first byte on and no further than its reader asks. */
typedef struct clup_input {
    const char *name; /* for messages */
    uint8_t *bytes;   /* what was read; an image may take it over, then NULL */
    size_t size, capacity;
    uint64_t most; /* bytes that the file, and its pixels, may have */
    uint64_t all;  /* bytes of the file, 0 where that is not known before its end */
    bool more;     /* there may be more to read, from the descriptor; without it bytes has all */
    int descriptor;
    uint64_t start;       /* where in the file the first byte is */
    bool turned;          /* the pixels will be changed: their order, or that of their bytes */
    uint32_t part, parts; /* see clup_image_options */
} clup_input;

/* Opens a file, "-" is standard input, and closes it. */
clup_status clup_input_open(const char *path, uint64_t most, clup_input *input);
void clup_input_close(clup_input *input);
/* Reads on until there are so many bytes, or the file ends. CLUP_ERROR_MEMORY when that is more
 * than input's most. */
clup_status clup_input_reach(clup_input *input, uint64_t size);
/* CLUP_ERROR_MEMORY where the host has no memory for so many bytes, which a system may promise all
 * the same. */
clup_status clup_input_room(const clup_input *input, uint64_t bytes);
/* Reads so many bytes from a place in the file, which is known to have them. */
clup_status clup_input_read_at(clup_input *input, uint64_t offset, uint64_t bytes, void *to);
/* The bytes of the file as far as they are known, and whether it is known to end before it has so
 * many. */
uint64_t clup_input_bytes(const clup_input *input);
bool clup_input_ends_before(const clup_input *input, uint64_t size);
/* CLUP_ERROR_RUNTIME; the detail is the file's name and what is wrong with it. */
clup_status clup_input_fail(const clup_input *input, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Reads an image from what input has, as clup_image_read does from a file. */
clup_status clup_input_decode(clup_input *input, const clup_image_options *options,
                              clup_image *image);

/* The readers. Each is called when the first bytes, or the options, are its format's; image is all
 * zeros, and what they leave in it is freed when they fail. numbers asks for those of a palette's
 * colours. */
clup_status clup_png_decode(clup_input *input, bool numbers, clup_image *image);
clup_status clup_pnm_decode(clup_input *input, clup_image *image);
clup_status clup_npy_decode(clup_input *input, int channels_last, clup_image *image);
clup_status clup_raw_decode(clup_input *input, const clup_raw *raw, clup_image *image);
int clup_png_is(const clup_input *input);
int clup_pnm_is(const clup_input *input);
int clup_npy_is(const clup_input *input);

/* Sets size and gives the bytes of pixels of the dtype and channels that image has; fails when an
 * axis is 0 or too long, or when there are more bytes than input's most. */
clup_status clup_image_measure(const clup_input *input, const uint64_t size[3], clup_image *image,
                               size_t *bytes);
/* Values of all pixels. */
size_t clup_image_values(const clup_image *image);
/* Gives image pixels of so many bytes, all zeros. */
clup_status clup_image_allocate(const clup_input *input, size_t bytes, clup_image *image);
/* Bytes from which on pixels of a file are mapped, and labels are in a file; 0 for more than half
 * of the memory that the host has left. For tests. */
extern uint64_t clup_mapped_least;
/* Whether so many bytes of pixels, from offset on, are to be mapped, and can be: those of a file,
 * as they are there. */
bool clup_pixels_mapped(const clup_input *input, size_t offset, uint64_t bytes,
                        const clup_image *image);
/* Makes them the image's pixels. What is changed of them is so in memory alone. */
clup_status clup_pixels_map(const clup_input *input, size_t offset, size_t bytes,
                            clup_image *image);
void clup_pixels_unmap(clup_image *image);

/* The bytes that were read become the pixels, from offset on. */
void clup_image_take(clup_input *input, size_t offset, clup_image *image);
/* Reads pixels, all of which are so many bytes, from offset to the file's end, those of a part
 * where one is wanted, which image then is. Fails when the file has more bytes or fewer; called is
 * what has them. */
clup_status clup_image_load(clup_input *input, const char *called, size_t offset, size_t bytes,
                            clup_image *image);
/* Whether the values of a file in that byte order are to be turned; and turns them into the host's.
 */
bool clup_other_order(clup_dtype dtype, int big_endian);
void clup_image_to_host(clup_image *image, int big_endian);
int clup_host_big_endian(void);
/* Fails when a value of u8 or u16 is above most; the detail says where. */
clup_status clup_image_check_most(const clup_input *input, const clup_image *image, unsigned most);

/* An image as a PNG; CLUP_ERROR_USAGE when it cannot be one. */
clup_status clup_png_encode(const clup_image *image, clup_text *file);
/* Writes the header of a NumPy array, CLUP_NPY_HEADER bytes at most, and gives its length. */
#define CLUP_NPY_HEADER 256
size_t clup_npy_header(char *header, clup_dtype dtype, const size_t *shape, unsigned axes);

/* Writes an image by the extension of path, all or nothing: .npy, or "-" for standard output, as a
 * NumPy array of shape (y, x) or (z, y, x), and (.., channels) when there are more than one; .png
 * in the plane, for u8 and u16. CLUP_ERROR_USAGE for another extension, for an image that is none,
 * and for one that the format cannot hold; CLUP_ERROR_RUNTIME when the file cannot be written. */
clup_status clup_image_write(const char *path, const clup_image *image);

#endif
