/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files and pictures of labels. */
#ifndef CLUP_IO_LABELS_H
#define CLUP_IO_LABELS_H
#include "io/image.h"

/* Converts labels to u8, u16 or u32. */
void clup_labels_narrow(const uint32_t *labels, size_t count, clup_dtype dtype, void *to);

/* Writes labels as a TIFF, or as a BigTIFF where a TIFF could become too large: gray values of
 * image's dtype (u8, u16 or u32), packed by deflate, and a page for each z. Only image's size, axes
 * and dtype are used. The file is written whole or not at all. */
clup_status clup_labels_write_tiff(const char *path, const uint32_t *labels,
                                   const clup_image *image);
/* The most bytes of a file that is no BigTIFF; 2^32 - 1 but in tests. */
extern uint64_t clup_tiff_most;

/* A picture of the slices of a volume along z: up to 16 of them, evenly spaced, stand row by row
 * with gray lines between them. */
typedef struct clup_sheet {
    clup_image picture; /* u8, RGB; release it by clup_image_clear */
    uint32_t slices;    /* 1 for an image in the plane */
    uint32_t columns;
    uint32_t size[3]; /* of the volume */
} clup_sheet;

/* A slice of a sheet: its z, and the place of its first pixel in the picture. */
typedef struct clup_slice {
    uint32_t z;
    uint8_t *first;
    size_t pitch; /* bytes from a row to the next */
} clup_slice;

/* Makes a sheet for a file. path must end in .png. CLUP_ERROR_USAGE for another extension, and for
 * a size that is no image's or more than a PNG holds. */
clup_status clup_sheet_create(const char *path, const uint32_t size[3], clup_sheet *sheet);
clup_slice clup_sheet_slice(const clup_sheet *sheet, uint32_t k);
/* The colour of a label, which differs from those of the next labels; black for 0. */
void clup_label_colour(uint32_t label, uint8_t rgb[3]);

#endif
