/* SPDX-License-Identifier: BSD-3-Clause */
/* The two forms of files of series. */
#ifndef CLUP_IO_SERIES_H
#define CLUP_IO_SERIES_H
#include <stdio.h>

#include "estimate/record.h"

/* The first line of the one, an attribute of the other. */
#define CLUP_SERIES_FORM "clup/series/1"

/* Each writes a record of which every system has every series. */
clup_status clup_series_write_csv(const clup_record *record, const char *path);
clup_status clup_series_write_hdf5(const clup_record *record, const char *path);
/* Each makes a record of a file that is of its form; the detail begins with the file's name.
 * What is read of the one begins at the first byte. */
clup_status clup_series_read_csv(FILE *from, const char *path, clup_record **out);
clup_status clup_series_read_hdf5(const char *path, clup_record **out);

#endif
