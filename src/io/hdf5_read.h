/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files of clup's own, as they are read. */
#ifndef CLUP_IO_HDF5_READ_H
#define CLUP_IO_HDF5_READ_H
#include <stdbool.h>

#include "io/hdf5.h"
#include "estimate/record.h"

/* A text and a place have fewer bytes, an array no more axes. */
#define HDF5_TEXT (CLUP_RECORD_NAMES * CLUP_RECORD_KEY)
#define HDF5_PLACE 512
#define HDF5_AXES 3

typedef struct hdf5_reader {
    hid_t file;
    const char *path;
    uint64_t size;          /* of the file, in bytes */
    char place[HDF5_PLACE]; /* to which all links are hard ones */
    const char *why;        /* see clup_hdf5_why */
    char text[HDF5_TEXT];
} hdf5_reader;

/* Opens the file at path, and lets take read it, with of. CLUP_ERROR_RUNTIME, with the file's name,
 * where it is no regular file, is locked, or is none that HDF5 can open; else what take returns. */
typedef clup_status hdf5_take(hdf5_reader *reader, void *of);
clup_status clup_hdf5_read(const char *path, hdf5_take *take, void *of);

/* CLUP_ERROR_RUNTIME, with a detail that begins with the file's name. */
clup_status clup_hdf5_fail(const hdf5_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same of a failure whose detail does not have the file's name yet; other statuses than that of
 * what a file has stay. */
clup_status clup_hdf5_name_file(const hdf5_reader *reader, clup_status status);

/* What is read is in the file itself: no link but a hard one is followed, no dataset is read whose
 * bytes are in another file, or went through a filter that HDF5 would load. The functions below
 * return nothing for such, and for what is missing or damaged; why they did, in words that go with
 * "its NAME", such as "is missing". */
const char *clup_hdf5_why(const hdf5_reader *reader);

/* The text at a place in the file, or of an attribute there, which lives until the next; NULL where
 * there is none. */
const char *clup_hdf5_text(hdf5_reader *reader, const char *place);
const char *clup_hdf5_attribute(hdf5_reader *reader, const char *place, const char *name);

/* The names in a group, in the order of their bytes: false where they are damaged, more than so
 * many, or of CLUP_RECORD_KEY bytes and more. */
#define HDF5_NAMES (CLUP_RECORD_KEYS + 16)
typedef struct hdf5_names {
    size_t count;
    char of[HDF5_NAMES][CLUP_RECORD_KEY];
} hdf5_names;
bool clup_hdf5_names(hdf5_reader *reader, const char *place, hdf5_names *names);

/* Numbers, which the caller frees, and their shape, 0 axes for one number. */
typedef struct hdf5_array {
    void *values; /* NULL where there are none of such a type */
    unsigned axes;
    hsize_t shape[HDF5_AXES];
    uint64_t count;
} hdf5_array;
/* Those at a place in the file, as they are in memory: H5T_NATIVE_DOUBLE, UINT64, UINT32 or UINT8,
 * stored as clup stores them. Where values is NULL and there was memory, clup_hdf5_why says why. */
hdf5_array clup_hdf5_array(hdf5_reader *reader, const char *place, hid_t type);

#endif
