/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes HDF5 files in memory, which are then written whole. */
#ifndef CLUP_IO_HDF5_WRITE_H
#define CLUP_IO_HDF5_WRITE_H
#include <stdbool.h>

#include "estimate/record.h"
#include "io/hdf5.h"

/* A place in the file; *failed is set when a call fails. Each function below makes an object at
 * "GROUP/../NAME" under the place, and the groups that are missing. */
typedef struct hdf5_place {
    hid_t file;
    hid_t with_groups, compact; /* properties: make missing groups; store data in a header */
    char path[512];
    bool *failed;
} hdf5_place;

hdf5_place clup_hdf5_inside(const hdf5_place *outer, const char *name);
/* Writes an array of axes axes, or for 0 a single number or text, which is stored in an object
 * header and has its checksum. */
void clup_hdf5_put(const hdf5_place *at, const char *name, hid_t stored, hid_t type,
                   const void *data, unsigned axes, const hsize_t *shape);
void clup_hdf5_put_number(const hdf5_place *at, const char *name, double number);
void clup_hdf5_put_whole(const hdf5_place *at, const char *name, uint64_t number);
void clup_hdf5_put_numbers(const hdf5_place *at, const char *name, const double *numbers,
                           size_t count);
/* Writes a text of fixed length, stored in place. */
void clup_hdf5_put_text(const hdf5_place *at, const char *name, const char *text);
/* Write the fields of a problem, and the keys of a record, NULL for none, as texts. */
void clup_hdf5_put_problem(const hdf5_place *at, const clup_problem *problem);
void clup_hdf5_put_said(const hdf5_place *at, const clup_record *said);
/* Adds an attribute to an existing object. */
void clup_hdf5_mark(const hdf5_place *at, const char *of, const char *name, hid_t stored,
                    hid_t type, const void *data);
void clup_hdf5_mark_text(const hdf5_place *at, const char *of, const char *name, const char *text);
void clup_hdf5_mark_whole(const hdf5_place *at, const char *of, const char *name, uint64_t number);

/* The bytes of a file; the caller frees bytes. */
typedef struct hdf5_image {
    uint8_t *bytes;
    size_t size;
} hdf5_image;
/* Makes a file with all that fill puts at its root. Before it is a block of zeros that HDF5 leaves
 * to its user, of block bytes: 0, 512 or a larger power of two. CLUP_ERROR_MEMORY, with path in the
 * detail, if HDF5 could not make it. */
typedef void hdf5_fill(const hdf5_place *root, const void *of);
clup_status clup_hdf5_make(const char *path, hdf5_fill *fill, const void *of, size_t block,
                           hdf5_image *image);

#endif
