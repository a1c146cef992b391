/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of checkpoints: an HDF5 file behind a block of text, which has its form and the SHA-256 of
 * all bytes behind the block. */
#ifndef CLUP_IO_CHECKPOINT_H
#define CLUP_IO_CHECKPOINT_H
#include "run/checkpoint.h"

/* The first line: this and a version, the first one that has all that there is to say: 2 has
 * tempering, later ones fields of problems (problem.def). */
#define CLUP_CHECKPOINT_FORM "clup/checkpoint/"
#define CLUP_CHECKPOINT_TEMPERING 2
/* Bytes of the block, the rest of which are zeros. */
#define CLUP_CHECKPOINT_BLOCK 512

/* Where HDF5 is: a file with what is said, NULL for nothing, whole or not at all; and all but the
 * checks of clup_checkpoint_check, of a file whose block is right and has this version. */
clup_status clup_checkpoint_write_hdf5(const clup_checkpoint *checkpoint, const clup_record *said,
                                       const char *path);
clup_status clup_checkpoint_read_hdf5(const char *path, int version, clup_checkpoint **out);

#endif
