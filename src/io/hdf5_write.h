/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files that are made in memory, to be written whole. */
#ifndef CLUP_IO_HDF5_WRITE_H
#define CLUP_IO_HDF5_WRITE_H
#include <stdbool.h>

#include "io/hdf5.h"

/* A place in the file, and whether all has worked so far. Each of the functions below makes what is
 * at "GROUP/../NAME" under it, and groups as they are needed. */
typedef struct hdf5_place {
    hid_t file;
    hid_t with_groups, compact; /* properties: of links, and of what stands in a header */
    char path[512];
    bool *failed;
} hdf5_place;

hdf5_place clup_hdf5_inside(const hdf5_place *outer, const char *name);
/* An array of so many axes, or for 0 one number or text, which has the checksum of the header that
 * it stands in. */
void clup_hdf5_put(const hdf5_place *at, const char *name, hid_t stored, hid_t type,
                   const void *data, unsigned axes, const hsize_t *shape);
void clup_hdf5_put_number(const hdf5_place *at, const char *name, double number);
void clup_hdf5_put_whole(const hdf5_place *at, const char *name, uint64_t number);
void clup_hdf5_put_numbers(const hdf5_place *at, const char *name, const double *numbers,
                           size_t count);
/* A text of a fixed length, whose bytes stand where it does. */
void clup_hdf5_put_text(const hdf5_place *at, const char *name, const char *text);
/* An attribute of what is there already. */
void clup_hdf5_mark(const hdf5_place *at, const char *of, const char *name, hid_t stored,
                    hid_t type, const void *data);
void clup_hdf5_mark_text(const hdf5_place *at, const char *of, const char *name, const char *text);
void clup_hdf5_mark_whole(const hdf5_place *at, const char *of, const char *name, uint64_t number);

/* A file, to be freed with free(bytes). */
typedef struct hdf5_image {
    uint8_t *bytes;
    size_t size;
} hdf5_image;
/* Makes a file of what fill puts at its root, behind a block of zeros that HDF5 leaves to its user,
 * of no bytes, or of 512 or a larger power of two. CLUP_ERROR_MEMORY, with path in the detail,
 * where HDF5 could not make it. */
typedef void hdf5_fill(const hdf5_place *root, const void *of);
clup_status clup_hdf5_make(const char *path, hdf5_fill *fill, const void *of, size_t block,
                           hdf5_image *image);

#endif
