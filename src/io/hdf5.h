/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5's library, as this one uses it. */
#ifndef CLUP_IO_HDF5_H
#define CLUP_IO_HDF5_H
#include <hdf5.h>

#include "base/status.h"

/* From begin to end the calling thread alone uses HDF5, which prints no messages: not all builds of
 * it bear several threads. After a damaged file it prints none from then on, as it would when the
 * program ends: it does not free all that it had of such a file, and says so. */
typedef struct hdf5_use {
    H5E_auto2_t print;
    void *user;
} hdf5_use;
void clup_hdf5_begin(hdf5_use *use);
void clup_hdf5_end(const hdf5_use *use, int damaged);

/* SHA-256 of numbers as they are in files: 8 bytes each, the lowest first. */
void clup_hdf5_hash(const double *values, size_t count, char hex[65]);

#endif
