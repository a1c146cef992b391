/* SPDX-License-Identifier: BSD-3-Clause */
/* The two forms of files of series. */
#ifndef CLUP_IO_SERIES_H
#define CLUP_IO_SERIES_H
#include <stdio.h>

#include "estimate/record.h"

/* The first line of a table; an attribute of an HDF5 file. */
#define CLUP_SERIES_FORM "clup/series/1"

/* Each writes a record, in which every system must have every series. */
clup_status clup_series_write_csv(const clup_record *record, const char *path);
clup_status clup_series_write_hdf5(const clup_record *record, const char *path);
/* Each makes a record from a file of its form; the detail of an error begins with the file's name.
 * A table is read from its first byte on. */
clup_status clup_series_read_csv(FILE *from, const char *path, clup_record **out);
clup_status clup_series_read_hdf5(const char *path, clup_record **out);

#endif
