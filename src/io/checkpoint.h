/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of checkpoints of simulations: a stamp, and then an HDF5 file. */
#ifndef CLUP_IO_CHECKPOINT_H
#define CLUP_IO_CHECKPOINT_H
#include "run/checkpoint.h"

/* The first line is this and a version: the first version that can hold all of the checkpoint. 2
 * has tempering, 4 the heat bath beside clusters, 7 Houdayer's moves and overrelaxation; others
 * have new fields of problems (problem.def). */
#define CLUP_CHECKPOINT_FORM "clup/checkpoint/"
#define CLUP_CHECKPOINT_TEMPERING 2
#define CLUP_CHECKPOINT_HEAT_BATH 4
#define CLUP_CHECKPOINT_MOVES 7

/* Present only in builds with HDF5. Writes a checkpoint with said, NULL for nothing: the whole file
 * or nothing. Reads and validates a checkpoint from a file whose stamp is right and has this
 * version. */
clup_status clup_checkpoint_write_hdf5(const clup_checkpoint *checkpoint, const clup_record *said,
                                       const char *path);
clup_status clup_checkpoint_read_hdf5(const char *path, int version, clup_checkpoint **out);

#endif
