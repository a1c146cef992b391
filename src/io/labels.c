/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes labels as arrays and images, and hashes them. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/dtype.h"
#include "base/sha256.h"
#include "base/workers.h"
#include "io/labels.h"
#include "core/interface_entries.clh"

/* ---- arrays ---------------------------------------------------------------------------------- */

static bool has_extension(const char *path, const char *extension)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, extension) == 0;
}

static clup_status check(const uint32_t size[3], unsigned axes)
{
    if (size[0] == 0 || size[1] == 0 || size[2] == 0 || axes < 1 || axes > 3 ||
        (axes < 3 && size[2] != 1) || (axes < 2 && size[1] != 1))
        return clup_fail(CLUP_ERROR_USAGE, "no image: %u x %u x %u labels on %u axes", size[0],
                         size[1], size[2], axes);
    return CLUP_OK;
}

/* Labels that a thread compares at a time. */
#define COMPARED ((size_t)1 << 20)

/* What threads share that look for a label above count. */
typedef struct comparing {
    const uint32_t *labels;
    uint32_t count;
    _Atomic size_t wrong; /* the first such label; SIZE_MAX for none */
} comparing;

static clup_status compare(void *user, unsigned worker, uint64_t first, uint64_t end)
{
    comparing *all = user;
    size_t k = (size_t)first, before = atomic_load(&all->wrong);
    (void)worker;
    while (k < end && all->labels[k] <= all->count)
        k++;
    while (k < end && k < before && !atomic_compare_exchange_weak(&all->wrong, &before, k))
        ;
    return CLUP_OK;
}

static clup_status check_labels(const uint32_t *labels, size_t pixels, uint32_t count)
{
    comparing all = {.labels = labels, .count = count, .wrong = SIZE_MAX};
    const clup_status status = clup_workers_share(clup_carriers(), pixels, COMPARED, compare, &all);
    if (status != CLUP_OK || all.wrong == SIZE_MAX)
        return status;
    return clup_fail(CLUP_ERROR_USAGE,
                     "label %" PRIu32 " at pixel %zu is larger than their number, %" PRIu32,
                     labels[all.wrong], (size_t)all.wrong, count);
}

/* Makes a process's subdomain the pixels and size of the image; layers is the number of layers of
 * the whole, 0 for one process. */
static clup_status take_part(const clup_ranks *ranks, clup_image *image)
{
    uint32_t *layers = &image->size[image->axes > 2 ? 2 : 1];
    if (ranks == NULL || ranks->count < 2)
        return CLUP_OK;
    if (ranks->count > *layers)
        return clup_fail(CLUP_ERROR_USAGE, "%" PRIu32 " processes for labels of %" PRIu32 " layers",
                         ranks->count, *layers);
    image->layers = *layers;
    *layers = (uint32_t)(part_first(image->layers, ranks->index + 1, ranks->count) -
                         part_first(image->layers, ranks->index, ranks->count));
    return CLUP_OK;
}

/* Writes one file by all processes. */
static clup_status write_parts(const clup_ranks *ranks, const char *path, const clup_image *image)
{
    size_t shape[3];
    char header[CLUP_NPY_HEADER], why[CLUP_WHY] = "";
    const unsigned axes = image->axes;
    if (ranks->write == NULL || !has_extension(path, ".npy"))
        return clup_fail(CLUP_ERROR_USAGE, "'%s': several processes write %s", path,
                         ranks->write == NULL ? "no files" : ".npy files");
    for (unsigned k = 0; k < axes; k++)
        shape[k] = k == 0 ? image->layers : image->size[axes - 1 - k];
    const clup_status status = ranks->write(
        ranks, path, header, clup_npy_header(header, image->dtype, shape, axes), image->pixels,
        clup_image_values(image) * clup_dtype_bytes(image->dtype), why);
    return status == CLUP_OK ? CLUP_OK : clup_fail(status, "%s: %s", path, why);
}

/* Labels written at a time. */
#define WRITTEN ((size_t)1 << 16)

/* Writes an array piece by piece, as the memory may not hold all labels twice. */
typedef struct label_writer {
    const uint32_t *at, *end;
    clup_dtype dtype;
    size_t head; /* bytes of the header that are still to be written */
    char header[CLUP_NPY_HEADER];
    uint16_t narrowed[WRITTEN];
} label_writer;

static clup_status next_labels(void *user, clup_piece *piece)
{
    label_writer *writer = user;
    const size_t left = (size_t)(writer->end - writer->at), count = left < WRITTEN ? left : WRITTEN;
    if (writer->head > 0) {
        *piece = (clup_piece){writer->header, writer->head};
        writer->head = 0;
        return CLUP_OK;
    }
    *piece = (clup_piece){writer->at, count * clup_dtype_bytes(writer->dtype)};
    if (writer->dtype != CLUP_DTYPE_U32) {
        clup_labels_narrow(writer->at, count, writer->dtype, writer->narrowed);
        piece->data = writer->narrowed;
    }
    writer->at += count;
    return CLUP_OK;
}

static clup_status write_npy(const char *path, const uint32_t *labels, const clup_image *image)
{
    size_t shape[3];
    label_writer *writer = malloc(sizeof *writer);
    if (writer == NULL)
        return clup_fail_memory("the labels");
    for (unsigned k = 0; k < image->axes; k++)
        shape[k] = image->size[image->axes - 1 - k];
    writer->at = labels;
    writer->end = labels + clup_image_values(image);
    writer->dtype = image->dtype;
    writer->head = clup_npy_header(writer->header, image->dtype, shape, image->axes);
    const clup_status status = clup_file_write_from(path, next_labels, writer);
    free(writer);
    return status;
}

clup_status clup_labels_write(const clup_ranks *ranks, const char *path, const uint32_t *labels,
                              const uint32_t size[3], unsigned axes, uint32_t count)
{
    CLUP_NEED(path);
    CLUP_NEED(labels);
    CLUP_NEED(size);
    const clup_dtype dtype = count <= 255     ? CLUP_DTYPE_U8
                             : count <= 65535 ? CLUP_DTYPE_U16
                                              : CLUP_DTYPE_U32;
    clup_image image = {
        .size = {size[0], size[1], size[2]}, .axes = axes, .channels = 1, .dtype = dtype};
    void *narrowed = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(check(size, axes));
    if (image.dtype == CLUP_DTYPE_U32 && has_extension(path, ".png"))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu32 " labels overflow the 16 bits of a PNG: write .npy or .tif",
                         count);
    CLUP_TRY(take_part(ranks, &image));
    const size_t pixels = clup_image_values(&image);
    CLUP_TRY(check_labels(labels, pixels, count));
    if (image.layers == 0 && (strcmp(path, "-") == 0 || has_extension(path, ".npy")))
        return write_npy(path, labels, &image);
    if (image.layers == 0 && (has_extension(path, ".tif") || has_extension(path, ".tiff")))
        return clup_labels_write_tiff(path, labels, &image);
    image.pixels = (void *)labels; /* the pixels are only read */
    if (image.dtype != CLUP_DTYPE_U32) {
        if ((narrowed = malloc(pixels * clup_dtype_bytes(image.dtype))) == NULL)
            return clup_fail_memory("the labels");
        image.pixels = narrowed;
        clup_labels_narrow(labels, pixels, dtype, narrowed);
    }
    CLUP_TRY(image.layers > 0 ? write_parts(ranks, path, &image) : clup_image_write(path, &image));
done:
    free(narrowed);
    return status;
}

/* Labels hashed at a time. */
#define HASHED 4096

static void add_labels(clup_sha256_state *state, const uint32_t *labels, uint64_t pixels)
{
    uint8_t bytes[4 * HASHED];
    if (!clup_host_big_endian()) {
        clup_sha256_add(state, labels, pixels * sizeof *labels);
        return;
    }
    for (uint64_t first = 0; first < pixels; first += HASHED) {
        const size_t some = pixels - first < HASHED ? (size_t)(pixels - first) : HASHED;
        for (size_t k = 0; k < 4 * some; k++)
            bytes[k] = (uint8_t)(labels[first + k / 4] >> 8 * (k % 4));
        clup_sha256_add(state, bytes, 4 * some);
    }
}

/* Each process continues the hash from the state of the process before. */
clup_status clup_labels_sha256(const clup_ranks *ranks, const uint32_t *labels, uint64_t pixels,
                               char hex[65])
{
    CLUP_NEED(labels);
    CLUP_NEED(hex);
    static const clup_ranks alone = {.count = 1};
    ranks = ranks != NULL ? ranks : &alone;
    const uint32_t index = ranks->index, last = ranks->count - 1;
    clup_sha256_state state;
    clup_status status = CLUP_OK;
    clup_sha256_start(&state);
    if (index > 0)
        CLUP_TRY(ranks->exchange(ranks, CLUP_NOBODY, NULL, index - 1, &state, sizeof state));
    add_labels(&state, labels, pixels);
    if (index < last)
        CLUP_TRY(ranks->exchange(ranks, index + 1, &state, CLUP_NOBODY, NULL, sizeof state));
    clup_sha256_finish(&state, hex);
    if (last > 0) {
        char *all = malloc(65 * (size_t)ranks->count);
        CLUP_TRY(all != NULL ? CLUP_OK : clup_fail_memory("hashes of labels"));
        status = ranks->gather(ranks, hex, 65, all);
        memcpy(hex, all + 65 * (size_t)last, 65);
        free(all);
    }
done:
    return status;
}
