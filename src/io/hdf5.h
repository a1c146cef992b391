/* SPDX-License-Identifier: BSD-3-Clause */
/* How clup uses the HDF5 library. */
#ifndef CLUP_IO_HDF5_H
#define CLUP_IO_HDF5_H
#include <hdf5.h>

#include "base/status.h"

/* Between begin and end only the calling thread uses HDF5, as not all builds of HDF5 can be used by
 * several threads; HDF5 prints no messages. After a damaged file it prints none for the rest of the
 * program: at exit it would report that it did not free all of such a file. */
typedef struct hdf5_use {
    H5E_auto2_t print;
    void *user;
} hdf5_use;
void clup_hdf5_begin(hdf5_use *use);
void clup_hdf5_end(const hdf5_use *use, int damaged);

/* SHA-256 of numbers as files have them: 8 bytes each, the lowest byte first. */
void clup_hdf5_hash(const double *values, size_t count, char hex[65]);

#endif
