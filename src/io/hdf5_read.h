/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads HDF5 files that clup wrote. */
#ifndef CLUP_IO_HDF5_READ_H
#define CLUP_IO_HDF5_READ_H
#include <stdbool.h>

#include "io/hdf5.h"
#include "estimate/record.h"

/* Texts and places have fewer bytes than this, and arrays at most so many axes. */
#define HDF5_TEXT (4 << 20)
#define HDF5_PLACE 512
#define HDF5_AXES 3

typedef struct hdf5_reader {
    hid_t file;
    const char *path;
    uint64_t size;          /* of the file, in bytes */
    char place[HDF5_PLACE]; /* all links of this place are known to be hard links */
    const char *why;        /* see clup_hdf5_why */
    char *text;             /* [HDF5_TEXT] */
} hdf5_reader;

/* Opens the file at path, and calls take with a reader and of. CLUP_ERROR_RUNTIME, with the file's
 * name, if it is no regular file, is locked, or cannot be opened by HDF5; else returns what take
 * returns. */
typedef clup_status hdf5_take(hdf5_reader *reader, void *of);
clup_status clup_hdf5_read(const char *path, hdf5_take *take, void *of);

/* Fails with CLUP_ERROR_RUNTIME; the detail begins with the file's name. */
clup_status clup_hdf5_fail(const hdf5_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Turns a failure without the file's name into CLUP_ERROR_RUNTIME with the name before its detail.
 * CLUP_OK, CLUP_ERROR_MEMORY and CLUP_INTERRUPTED stay. */
clup_status clup_hdf5_name_file(const hdf5_reader *reader, clup_status status);

/* Only data in the file itself is read: no link but a hard one is followed, and no dataset is read
 * whose bytes are in another file or went through a filter that HDF5 would load. For these, and for
 * what is missing or damaged, the functions below return nothing. clup_hdf5_why then returns the
 * reason, in words that follow "its NAME", such as "is missing". */
const char *clup_hdf5_why(const hdf5_reader *reader);

/* Returns the text at a place in the file, or of an attribute at that place; NULL if there is none.
 * It is valid until the next text is read. */
const char *clup_hdf5_text(hdf5_reader *reader, const char *place);
const char *clup_hdf5_attribute(hdf5_reader *reader, const char *place, const char *name);

/* Lists the names in a group, in the order of their bytes. False if they are damaged, are more than
 * HDF5_NAMES, or have CLUP_RECORD_KEY bytes or more. */
#define HDF5_NAMES (CLUP_RECORD_KEYS + 16)
typedef struct hdf5_names {
    size_t count;
    char of[HDF5_NAMES][CLUP_RECORD_KEY];
} hdf5_names;
bool clup_hdf5_names(hdf5_reader *reader, const char *place, hdf5_names *names);

/* Numbers, which the caller frees, and their shape; 0 axes for a single number. */
typedef struct hdf5_array {
    void *values; /* NULL if there are no numbers of the type */
    unsigned axes;
    hsize_t shape[HDF5_AXES];
    uint64_t count;
} hdf5_array;
/* Reads the numbers at a place in the file. type is theirs in memory: H5T_NATIVE_DOUBLE, UINT64,
 * UINT32 or UINT8; in the file they must be stored as clup stores that type. If values is NULL and
 * memory was not missing, clup_hdf5_why gives the reason. */
hdf5_array clup_hdf5_array(hdf5_reader *reader, const char *place, hid_t type);
/* Returns the numbers of an array that must exist and have this shape, 0 axes for a single number;
 * else NULL. */
void *clup_hdf5_array_of(hdf5_reader *reader, const char *place, hid_t type, unsigned axes,
                         const hsize_t *shape);
/* Fails for what could not be read just now at a place. */
clup_status clup_hdf5_missing(const hdf5_reader *reader, const char *place);
/* Read a single number, which must exist; a whole one is at most most. */
clup_status clup_hdf5_read_number(hdf5_reader *reader, const char *place, double *number);
clup_status clup_hdf5_read_whole(hdf5_reader *reader, const char *place, uint64_t most,
                                 uint64_t *number);
/* Returns the text of a field of a problem, which is in the group /problem; for
 * clup_problem_of_words. */
const char *clup_hdf5_problem_word(void *reader, const char *key);
/* Sets the keys of a record to the texts in the group /said, if there is one. */
clup_status clup_hdf5_read_said(hdf5_reader *reader, clup_record *record);

#endif
