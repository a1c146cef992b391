/* SPDX-License-Identifier: BSD-3-Clause */
/* Stamps: a checkpoint is an HDF5 file with a block of text before it, which has the form of the
 * file and the SHA-256 of all bytes behind the block. */
#ifndef CLUP_IO_STAMP_H
#define CLUP_IO_STAMP_H
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Bytes of the block; those behind its text are zeros. */
#define CLUP_STAMP 512

/* Writes the block in the first CLUP_STAMP of bytes[size]. form ends in a slash, and the version
 * follows. */
void clup_stamp_write(uint8_t *bytes, size_t size, const char *form, int version);
/* Checks that the file at path has the form, a version up to latest, and the right hash, and sets
 * *version. CLUP_ERROR_RUNTIME for any other file; writer is the command that writes the form. */
clup_status clup_stamp_check(const char *path, const char *form, int latest, const char *writer,
                             int *version);

#endif
