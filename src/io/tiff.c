/* SPDX-License-Identifier: BSD-3-Clause */
/* TIFF and BigTIFF, through libtiff. */
#include "config.h"

#include <inttypes.h>
#include <string.h>

#include "io/alpha.h"
#include "io/image.h"

int clup_tiff_is(const clup_input *input)
{
    static const char marks[4][5] = {"II*\0", "MM\0*", "II+\0", "MM\0+"};
    for (size_t k = 0; k < 4; k++)
        if (input->size >= 4 && memcmp(input->bytes, marks[k], 4) == 0)
            return 1;
    return 0;
}

#ifdef HAVE_TIFF
#include <stdio.h>
#include <stdlib.h>

#include "base/dtype.h"
#include "base/watch.h"
#include "io/tiff_page.h"

/* ---- the file, as libtiff reads it ----------------------------------------------------------- */

/* Bytes that libtiff may allocate at a time besides those of pixels. */
#define DIRECTORY_MOST (1 << 20)

typedef struct session {
    clup_input *input;
    uint64_t at;        /* position in the file */
    clup_status status; /* of reading input */
    bool decoding;      /* pixels are being read */
    bool failed;
    char error[256]; /* the first, since failed is set */
} session;

static tmsize_t read_bytes(thandle_t handle, void *to, tmsize_t count)
{
    session *s = handle;
    const clup_input *input = s->input;
    const uint64_t size = clup_input_bytes(input), left = s->at < size ? size - s->at : 0,
                   some = (uint64_t)count < left ? (uint64_t)count : left;
    if (some == 0 || s->status != CLUP_OK)
        return 0;
    if (s->at + some <= input->size)
        memcpy(to, input->bytes + s->at, (size_t)some);
    else
        s->status = clup_input_read_at(input, input->start + s->at, some, to);
    s->at += some;
    return s->status == CLUP_OK ? (tmsize_t)some : -1;
}

static tmsize_t write_bytes(thandle_t handle, void *from, tmsize_t count)
{
    (void)handle;
    (void)from;
    (void)count;
    return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence)
{
    session *s = handle;
    s->at = offset + (whence == SEEK_CUR   ? s->at
                      : whence == SEEK_END ? clup_input_bytes(s->input)
                                           : 0);
    return s->at;
}

static toff_t size_of(thandle_t handle)
{
    return clup_input_bytes(((session *)handle)->input);
}

static int do_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

/* Keeps the first error, in one line of printable characters. */
static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
{
    session *s = user;
    (void)tiff;
    (void)module;
    if (s->failed)
        return 1;
    s->failed = true;
    vsnprintf(s->error, sizeof s->error, format, args);
    for (char *at = s->error; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    return 1;
}

/* A warning about pixels says that they are damaged; but those of two functions say that they are
 * packed in an old form, which is read. */
static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list args)
{
    static const char *const old[] = {"LZWPreDecode", "OJPEGSetupDecode"};
    const session *s = user;
    for (size_t k = 0; k < sizeof old / sizeof *old; k++)
        if (module != NULL && strcmp(module, old[k]) == 0)
            return 1;
    return s->decoding ? on_error(tiff, user, module, format, args) : 1;
}

static TIFF *open_tiff(session *s)
{
    const uint64_t pixels = s->input->most, most = pixels < INT64_MAX / 2 ? pixels : INT64_MAX / 2;
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL)
        return NULL;
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, (tmsize_t)most + DIRECTORY_MOST);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, s);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, s);
    TIFF *tiff = TIFFClientOpenExt(s->input->name, "rm", s, read_bytes, write_bytes, seek,
                                   do_nothing, size_of, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

/* Returns the failure that stopped libtiff at a page; otherwise says what is wrong where libtiff
 * does not. */
static clup_status fail(const session *s, uint32_t page, const char *otherwise)
{
    if (s->status != CLUP_OK)
        return s->status;
    if (clup_watch_ask() != CLUP_OK)
        return clup_fail(CLUP_INTERRUPTED, "%s was not read to its end", s->input->name);
    return clup_input_fail(s->input, "page %" PRIu32 ": no valid TIFF: %s", page,
                           s->failed ? s->error : otherwise);
}

/* ---- pages ----------------------------------------------------------------------------------- */

/* The most bytes of pixels that a byte of the file stands for. */
static uint64_t expansion_most(const clup_tiff_page *page)
{
    switch (page->compression) {
    case COMPRESSION_NONE: return 1;
    case COMPRESSION_PACKBITS: return 64;
    case COMPRESSION_LZW: /* 12 bits for up to 4096 bytes */ return 2731;
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE: return 1032;
    case COMPRESSION_JPEG: /* a bit for a block of 8 x 8 pixels, of which one in 16 has colours */
        return 1366;
    case COMPRESSION_CCITTFAX4: /* a bit for a row */
    case COMPRESSION_CCITTFAX3: return 8 * (page->bytes / page->height + 1);
    default: return (uint64_t)1 << 17;
    }
}

/* The pages that are read. */
typedef struct pages {
    uint32_t first, count; /* of which the first is that number */
    clup_tiff_page form;   /* of each */
    uint64_t least;        /* bytes that the file must have for them */
} pages;

/* Whether a page is a smaller copy of another, or its mask, which are left out but as the first. */
static bool is_extra(TIFF *tiff)
{
    uint32_t kind = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &kind);
    return TIFFCurrentDirectory(tiff) > 0 && (kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0;
}

static bool same_form(const clup_tiff_page *a, const clup_tiff_page *b)
{
    return a->width == b->width && a->height == b->height && a->dtype == b->dtype &&
           a->channels == b->channels && a->alpha == b->alpha && (!a->alpha || a->bits == b->bits);
}

/* Adds the current page. */
static clup_status add_page(session *s, TIFF *tiff, const clup_image_options *options,
                            uint32_t number, pages *pages)
{
    const clup_input *input = s->input;
    clup_tiff_wrong wrong;
    clup_tiff_page page;
    s->failed = false;
    if (!clup_tiff_describe(tiff, options->palette != 0, &page, &wrong))
        return clup_input_fail(input, "page %" PRIu32 ": %s", number, wrong.text);
    if (pages->count == 0)
        pages->form = page;
    else if (!same_form(&page, &pages->form))
        return clup_input_fail(input,
                               "page %" PRIu32 " has %" PRIu32 " x %" PRIu32 " pixels, %s of %u "
                               "channels, page %" PRIu32 " has %" PRIu32 " x %" PRIu32
                               ", %s of %u: pages of one form are a volume; name one page",
                               number, page.width, page.height, clup_dtype_name(page.dtype),
                               page.channels, pages->first, pages->form.width, pages->form.height,
                               clup_dtype_name(pages->form.dtype), pages->form.channels);
    const uint64_t needed = page.bytes / expansion_most(&page);
    pages->form.notes |= page.notes;
    pages->count++;
    pages->least += needed < UINT64_MAX / 2 - pages->least ? needed : UINT64_MAX / 2 - pages->least;
    /* libtiff unpacks a tile, or a strip, at a time */
    if (page.block_bytes > input->most)
        return clup_fail(CLUP_ERROR_MEMORY,
                         "%s: tiles or strips of %" PRIu64
                         " bytes are more than the limit, %" PRIu64,
                         input->name, page.block_bytes, input->most);
    return clup_input_ends_before(input, pages->least)
               ? clup_input_fail(input,
                                 "the file is too short for %" PRIu32 " x %" PRIu32 " pixels%s",
                                 page.width, page.height, pages->count > 1 ? " on all pages" : "")
               : CLUP_OK;
}

/* Goes to the next page that is read; *more becomes whether there is one. */
static clup_status next_page(session *s, TIFF *tiff, bool *more)
{
    do {
        const uint32_t number = TIFFCurrentDirectory(tiff) + 2;
        *more = !TIFFLastDirectory(tiff);
        s->failed = false;
        if (clup_watch_ask() != CLUP_OK || (*more && !TIFFReadDirectory(tiff)))
            return fail(s, number, "the page cannot be reached");
    } while (*more && is_extra(tiff));
    return CLUP_OK;
}

/* Describes the pages that are read, and goes back to the first. */
static clup_status find_pages(session *s, TIFF *tiff, const clup_image_options *options,
                              pages *pages)
{
    clup_status status = CLUP_OK;
    const uint64_t wanted = options->page;
    /* some versions of libtiff number pages with 16 bits */
    const bool has_number = wanted == 0 || (tdir_t)(wanted - 1) == wanted - 1;
    if (wanted > 1 && (!has_number || !TIFFSetDirectory(tiff, (tdir_t)(wanted - 1)))) {
        const uint32_t all = TIFFNumberOfDirectories(tiff);
        return all < wanted ? clup_input_fail(s->input, "there is no page %" PRIu64 ", of %" PRIu32,
                                              wanted, all)
                            : fail(s, (uint32_t)wanted, "the page cannot be reached");
    }
    pages->first = wanted > 0 ? (uint32_t)wanted : 1;
    for (bool more = true; more && status == CLUP_OK;) {
        CLUP_TRY(add_page(s, tiff, options, TIFFCurrentDirectory(tiff) + 1, pages));
        more = false;
        if (wanted == 0)
            CLUP_TRY(next_page(s, tiff, &more));
    }
    s->failed = false;
    if (TIFFCurrentDirectory(tiff) != pages->first - 1 && !TIFFSetDirectory(tiff, pages->first - 1))
        status = fail(s, pages->first, "the page cannot be reached");
done:
    return status;
}

static clup_status read_pages(session *s, TIFF *tiff, const clup_image_options *options,
                              const pages *pages, size_t bytes, clup_image *image)
{
    const size_t each = bytes / pages->count;
    clup_status status = CLUP_OK;
    clup_tiff_wrong wrong;
    clup_tiff_page page;
    bool more = true, no_memory = false;
    for (uint32_t k = 0; k < pages->count; k++) {
        const uint32_t number = TIFFCurrentDirectory(tiff) + 1;
        s->failed = false;
        s->decoding = true;
        const bool read = clup_tiff_describe(tiff, options->palette != 0, &page, &wrong) &&
                          same_form(&page, &pages->form) &&
                          clup_tiff_read(tiff, &page, (uint8_t *)image->pixels + each * k,
                                         &no_memory);
        s->decoding = false;
        if (no_memory)
            return clup_fail_memory(s->input->name);
        if (!read || s->failed || s->status != CLUP_OK)
            return fail(s, number, "the pixels end too early");
        if (k + 1 < pages->count)
            CLUP_TRY(next_page(s, tiff, &more));
        if (!more)
            return fail(s, number + 1, "the page cannot be reached");
    }
done:
    return status;
}

/* Reads the images of a stack for which there is one page. */
static clup_status read_stack(session *s, TIFF *tiff, uint64_t data, size_t bytes,
                              clup_image *image)
{
    const uint64_t size = clup_input_bytes(s->input);
    if (data > size || bytes > size - data)
        return clup_input_fail(s->input,
                               "ImageJ says that there are %" PRIu32 " images: their %zu bytes are "
                               "not in the file",
                               image->size[2], bytes);
    clup_status status = clup_image_allocate(s->input, bytes, image);
    s->at = data;
    if (status == CLUP_OK)
        (void)read_bytes(s, image->pixels, (tmsize_t)bytes);
    if (status == CLUP_OK && (status = s->status) == CLUP_OK)
        clup_image_to_host(image, TIFFIsBigEndian(tiff));
    return status;
}

/* Returns the bits of the alpha of opaque pixels: of the largest whole number, or of 1. */
static uint64_t opaque_of(const clup_tiff_page *page)
{
    return page->kind == SAMPLEFORMAT_IEEEFP
               ? clup_value_bits(page->dtype, 1, 0)
               : UINT64_MAX >> (64 - page->bits) >> (page->kind == SAMPLEFORMAT_INT);
}

static clup_status decode(session *s, TIFF *tiff, const clup_image_options *options,
                          clup_image *image)
{
    pages pages = {0};
    size_t bytes;
    clup_status status = CLUP_OK;
    CLUP_TRY(find_pages(s, tiff, options, &pages));
    const clup_tiff_page *form = &pages.form;
    uint64_t data = 0;
    const bool one = options->page == 0 && pages.count == 1;
    const uint32_t stacked = one ? clup_tiff_stacked(tiff, form, &data) : 1;
    if (stacked == 0)
        return clup_input_fail(s->input,
                               "ImageJ says that there are more images than the one page, "
                               "which cannot be found: name page 1");
    pages.count = stacked > 1 ? stacked : pages.count;
    image->axes = pages.count > 1 ? 3 : 2;
    image->dtype = form->dtype;
    image->channels = form->channels;
    image->notes = form->notes;
    CLUP_TRY(clup_image_measure(
        s->input, (const uint64_t[3]){form->width, form->height, pages.count}, image, &bytes));
    if (stacked > 1)
        return read_stack(s, tiff, data, bytes, image);
    CLUP_TRY(clup_image_allocate(s->input, bytes, image));
    CLUP_TRY(clup_input_room(s->input, form->block_bytes));
    CLUP_TRY(read_pages(s, tiff, options, &pages, bytes, image));
    if (form->alpha)
        CLUP_TRY(
            clup_alpha_expand(s->input, &(const clup_alpha){.opaque = opaque_of(form)}, image));
done:
    return status;
}

clup_status clup_tiff_decode(clup_input *input, const clup_image_options *options,
                             clup_image *image)
{
    session s = {.input = input};
    clup_status status = CLUP_OK;
    /* where there are no places in the file, all of it */
    if (input->all == 0)
        CLUP_TRY(clup_input_reach(input, UINT64_MAX));
    TIFF *tiff = open_tiff(&s);
    status = tiff != NULL ? decode(&s, tiff, options, image) : fail(&s, 1, "the header is damaged");
    if (tiff != NULL)
        TIFFClose(tiff);
done:
    return status;
}
#else
clup_status clup_tiff_decode(clup_input *input, const clup_image_options *options,
                             clup_image *image)
{
    (void)options;
    (void)image;
    return clup_input_fail(input, "this is a TIFF, and this clup was built without libtiff: "
                                  "convert it to PNG, or by Python's tifffile to .npy");
}
#endif
