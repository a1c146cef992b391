/* HDF5 files of clup's own, as they are read. */
#ifndef CLUP_IO_HDF5_READ_H
#define CLUP_IO_HDF5_READ_H
#include <stdbool.h>

#include "io/hdf5.h"

/* A text has fewer bytes, an array no more axes. */
#define HDF5_TEXT 4096
#define HDF5_AXES 3

typedef struct hdf5_reader {
    hid_t file;
    const char *path;
    uint64_t size; /* of the file, in bytes */
    char text[HDF5_TEXT];
} hdf5_reader;

/* Opens the file at path, and lets take read it, with of. CLUP_ERROR_RUNTIME, with the file's name,
 * where it is none that HDF5 can open, else what take returns. */
typedef clup_status hdf5_take(hdf5_reader *reader, void *of);
clup_status clup_hdf5_read(const char *path, hdf5_take *take, void *of);

/* CLUP_ERROR_RUNTIME, with a detail that begins with the file's name. */
clup_status clup_hdf5_fail(const hdf5_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same of a failure whose detail does not have the file's name yet; other statuses than that of
 * what a file has stay. */
clup_status clup_hdf5_name_file(const hdf5_reader *reader, clup_status status);

/* The text at a place in the file, or of an attribute there, which lives until the next; NULL where
 * there is none. */
const char *clup_hdf5_text(hdf5_reader *reader, const char *place);
const char *clup_hdf5_attribute(hdf5_reader *reader, const char *place, const char *name);

/* Numbers, which the caller frees, and their shape, 0 axes for one number. */
typedef struct hdf5_array {
    void *values; /* NULL where there are none of such a type */
    unsigned axes;
    hsize_t shape[HDF5_AXES];
    uint64_t count;
} hdf5_array;
/* Those at a place in the file, as they are in memory, such as H5T_NATIVE_DOUBLE. */
hdf5_array clup_hdf5_array(const hdf5_reader *reader, const char *place, hid_t type);

#endif
