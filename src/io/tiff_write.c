/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes labels as TIFF. The format: TIFF 6.0, Adobe, 1992; BigTIFF:
 * https://libtiff.gitlab.io/libtiff/specification/bigtiff.html. */
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/workers.h"
#include "io/deflate.h"
#include "io/labels.h"

uint64_t clup_tiff_most = UINT32_MAX;

/* Bytes of labels in a strip, about. */
#define STRIP_BYTES ((size_t)1 << 18)
/* Bytes of a page's directory and its padding, at most, but for the places of its strips. */
#define DIRECTORY_MOST 512

/* Types of values in a directory, and a way to pack strips. */
enum { SHORT = 3, LONG = 4, LONG8 = 16, DEFLATE = 8 };

typedef struct strip {
    uint8_t *bytes; /* packed */
    size_t size;
} strip;

/* A file that is made page by page: the directory of a page, then its strips. */
typedef struct writer {
    const uint32_t *labels;
    const clup_image *image;
    bool big;
    size_t row, rows; /* bytes of a row; rows of a strip */
    size_t strips;    /* of a page */
    strip *packed;    /* packed[strips], of the current page */
    uint32_t pages;   /* begun */
    size_t next;      /* the strip that is written next */
    uint64_t at;      /* bytes of the file so far */
    clup_text head;   /* what is before the strips of the page */
} writer;

/* ---- strips ---------------------------------------------------------------------------------- */

/* Returns the rows of a strip. */
static size_t rows_of(const writer *w, size_t k)
{
    const size_t left = w->image->size[1] - k * w->rows;
    return left < w->rows ? left : w->rows;
}

static clup_status pack_strip(const writer *w, size_t k, void *narrowed, strip *to)
{
    const size_t count = (size_t)w->image->size[0] * rows_of(w, k), bytes = w->row * rows_of(w, k);
    const uint32_t *labels = w->labels +
                             (size_t)w->image->size[0] *
                                 ((size_t)w->image->size[1] * (w->pages - 1) + k * w->rows);
    to->bytes = malloc(clup_zlib_most(bytes));
    if (to->bytes == NULL)
        return clup_fail_memory("packed labels");
    clup_labels_narrow(labels, count, w->image->dtype, narrowed);
    const clup_status status = clup_zlib_pack(narrowed, bytes, to->bytes, &to->size);
    uint8_t *fits = status == CLUP_OK ? realloc(to->bytes, to->size) : NULL;
    to->bytes = fits != NULL ? fits : to->bytes;
    return status;
}

static clup_status pack_strips(void *user, unsigned worker, uint64_t first, uint64_t end)
{
    const writer *w = user;
    clup_status status = CLUP_OK;
    void *narrowed = malloc(w->row * w->rows);
    (void)worker;
    if (narrowed == NULL)
        return clup_fail_memory("narrowed labels");
    for (uint64_t k = first; k < end && status == CLUP_OK; k++)
        status = pack_strip(w, (size_t)k, narrowed, &w->packed[k]);
    free(narrowed);
    return status;
}

/* ---- the directory of a page ----------------------------------------------------------------- */

/* Adds a number in the host's byte order. */
static void add(writer *w, uint64_t value, unsigned bytes)
{
    const uint16_t two = (uint16_t)value;
    const uint32_t four = (uint32_t)value;
    clup_text_add_bytes(&w->head,
                        bytes == 2   ? (const char *)&two
                        : bytes == 4 ? (const char *)&four
                                     : (const char *)&value,
                        bytes);
}

/* Bytes of an offset in the file. */
static unsigned offset_bytes(const writer *w)
{
    return w->big ? 8 : 4;
}

/* Adds an entry of one value, or of values that are at an offset. */
static void add_entry(writer *w, unsigned tag, unsigned type, uint64_t count, uint64_t value)
{
    const unsigned bytes = type == SHORT ? 2 : type == LONG ? 4 : 8, room = offset_bytes(w);
    add(w, tag, 2);
    add(w, type, 2);
    add(w, count, room);
    if (count > 1 || bytes == room) {
        add(w, value, room);
        return;
    }
    add(w, value, bytes);
    for (unsigned k = bytes; k < room; k += 2)
        add(w, 0, 2);
}

/* Makes the directory of the current page, whose strips are packed, and what is before it. */
static clup_status make_head(writer *w)
{
    enum { ENTRIES = 10 };
    const clup_image *image = w->image;
    const unsigned room = offset_bytes(w), type = w->big ? LONG8 : LONG;
    const uint64_t start = w->at + (w->pages == 1 ? 2 + 2 + (w->big ? 4 : 0) + room : 0),
                   places = start + (w->big ? 8 : 2) + ENTRIES * (uint64_t)(4 + 2 * room) + room,
                   listed = w->strips > 1 ? w->strips * (uint64_t)room : 0,
                   data = places + 2 * listed;
    uint64_t end = data;
    for (size_t k = 0; k < w->strips; k++)
        end += w->packed[k].size;
    w->head.length = 0;
    if (w->pages == 1) {
        clup_text_add_bytes(&w->head, clup_host_big_endian() ? "MM" : "II", 2);
        add(w, w->big ? 43 : 42, 2);
        if (w->big)
            add(w, 8, 2), add(w, 0, 2);
        add(w, start, room);
    }
    add(w, ENTRIES, w->big ? 8 : 2);
    add_entry(w, 256, LONG, 1, image->size[0]);
    add_entry(w, 257, LONG, 1, image->size[1]);
    add_entry(w, 258, SHORT, 1, 8 * clup_dtype_bytes(image->dtype));
    add_entry(w, 259, SHORT, 1, DEFLATE);
    add_entry(w, 262, SHORT, 1, 1); /* gray, 0 is black */
    add_entry(w, 273, type, w->strips, w->strips > 1 ? places : data);
    add_entry(w, 277, SHORT, 1, 1);
    add_entry(w, 278, LONG, 1, w->rows);
    add_entry(w, 279, type, w->strips, w->strips > 1 ? places + listed : w->packed[0].size);
    add_entry(w, 339, SHORT, 1, 1); /* unsigned */
    /* the next directory begins at an even place */
    add(w, w->pages < image->size[2] ? end + end % 2 : 0, room);
    uint64_t place = data;
    for (size_t k = 0; k < w->strips && w->strips > 1; place += w->packed[k++].size)
        add(w, place, room);
    for (size_t k = 0; k < w->strips && w->strips > 1; k++)
        add(w, w->packed[k].size, room);
    w->at = end;
    return clup_text_ok(&w->head) ? CLUP_OK : clup_fail_memory("a page of labels");
}

/* ---- the file -------------------------------------------------------------------------------- */

static void free_strips(writer *w)
{
    for (size_t k = 0; k < w->strips && w->packed != NULL; k++)
        free(w->packed[k].bytes);
    if (w->packed != NULL)
        memset(w->packed, 0, w->strips * sizeof *w->packed);
}

/* Packs the next page. */
static clup_status begin_page(writer *w)
{
    free_strips(w);
    w->pages++;
    w->next = 0;
    const clup_status status = clup_workers_share(clup_carriers(), w->strips, 1, pack_strips, w);
    return status == CLUP_OK ? make_head(w) : status;
}

static clup_status next_piece(void *user, clup_piece *piece)
{
    writer *w = user;
    clup_status status = CLUP_OK;
    *piece = (clup_piece){0};
    if (w->pages > 0 && w->next < w->strips) {
        *piece = (clup_piece){w->packed[w->next].bytes, w->packed[w->next].size};
        w->next++;
    } else if (w->pages > 0 && w->at % 2 != 0) {
        *piece = (clup_piece){"", 1};
        w->at++;
    } else if (w->pages < w->image->size[2]) {
        status = begin_page(w);
        *piece = (clup_piece){w->head.data, w->head.length};
    }
    return status;
}

clup_status clup_labels_write_tiff(const char *path, const uint32_t *labels,
                                   const clup_image *image)
{
    const size_t row = image->size[0] * clup_dtype_bytes(image->dtype),
                 rows = row < STRIP_BYTES ? STRIP_BYTES / row : 1;
    writer w = {.labels = labels, .image = image, .row = row};
    w.rows = rows < image->size[1] ? rows : image->size[1];
    w.strips = (image->size[1] - 1) / w.rows + 1;
    const uint64_t page = DIRECTORY_MOST + w.strips * (uint64_t)(clup_zlib_most(row * w.rows) +
                                                                 2 * sizeof(uint64_t));
    w.big = page > clup_tiff_most / image->size[2];
    w.packed = calloc(w.strips, sizeof *w.packed);
    const clup_status status = w.packed != NULL ? clup_file_write_from(path, next_piece, &w)
                                                : clup_fail_memory("packed labels");
    free_strips(&w);
    free(w.packed);
    clup_text_free(&w.head);
    return status;
}
