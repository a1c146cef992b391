/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of a TIFF. */
#ifndef CLUP_IO_TIFF_PAGE_H
#define CLUP_IO_TIFF_PAGE_H
#include <tiffio.h>

#include "io/image.h"

/* How the pixels of a page are stored, and as what they are read. */
typedef struct clup_tiff_page {
    uint32_t width, height;
    /* tags, as the format numbers them */
    uint16_t bits, samples, kind, photometric, planar, compression;
    bool tiled;
    uint32_t block_width, block_height; /* of a tile, or of a strip */
    uint64_t block_bytes;               /* of a tile or strip when it is unpacked */
    uint64_t bytes;                     /* of all tiles or strips when they are unpacked */
    clup_dtype sample;                  /* the type in which a sample is unpacked */
    bool numbers;                       /* pixels are numbers in the palette, and stay so */
    bool rgba;                          /* libtiff makes colours of the page as a whole */
    bool alpha;                         /* gray, with alpha */
    clup_dtype dtype;                   /* of the image */
    unsigned channels;
    unsigned notes; /* bits of clup_image_note */
} clup_tiff_page;

/* What a page is refused for; "" while nothing is. */
typedef struct clup_tiff_wrong {
    char text[256];
} clup_tiff_wrong;

/* Describes the current page. With numbers a page without a palette is refused. Returns false with
 * a reason in *wrong where the page cannot be read. */
bool clup_tiff_describe(TIFF *tiff, bool numbers, clup_tiff_page *page, clup_tiff_wrong *wrong);

/* Returns how many images of the form of the current page the file has behind each other, from byte
 * *data on, for which there is one page: ImageJ writes stacks of more than 4 GB so. 1 for none, 0
 * where ImageJ says that there are more, and the page is not stored so that they could be. */
uint32_t clup_tiff_stacked(TIFF *tiff, const clup_tiff_page *page, uint64_t *data);

/* Reads the pixels of the current page to a place for all of them. Returns false where libtiff
 * fails, which its error handler has been told, and where memory is missing (*no_memory). */
bool clup_tiff_read(TIFF *tiff, const clup_tiff_page *page, void *pixels, bool *no_memory);

#endif
