/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: files from which a simulation, or a scan of percolation, goes on. */
#ifndef CLUP_CHECKPOINT_H
#define CLUP_CHECKPOINT_H

#include "clup/series.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All that a simulation needs to go on: problem, method and seed, the number of sweeps, the spins,
 * and what was measured. Plan and device are not part of it. With any of them the simulation comes
 * to the same spins and series, bit for bit, as one that was never ended. Times (clup_timing) begin
 * anew. The files are HDF5; doc/guide/checkpoints.md describes them. */
typedef struct clup_checkpoint clup_checkpoint;

/* Writes a checkpoint of a simulation.
 *
 *   said  a record whose keys are written as well; its series are not. NULL for none
 *   path  the file. An existing one is replaced when the new one is complete, see base.h
 *
 * The file has ceil(log2 q) bits a site, or the clup_spin_bytes() of a vector, and a few words of 4
 * bytes for each measured sweep and replica. Writing takes about twice that in memory, and a byte a
 * site.
 *
 * Returns CLUP_ERROR_USAGE where the library was built without HDF5, and for a generator other than
 * philox, whose state belongs to a plan; CLUP_ERROR_RUNTIME when the file cannot be written;
 * CLUP_ERROR_MEMORY when the host has no memory for it. */
CLUP_API clup_status clup_simulation_save(clup_simulation *simulation, const clup_record *said,
                                          const char *path);

/* Reads a checkpoint. Release *out by clup_checkpoint_free. Returns CLUP_ERROR_RUNTIME for a file
 * that cannot be read, is no checkpoint, is damaged, which a SHA-256 over all of it tells, or has a
 * later format; the detail has the name of the file and what is wrong. Returns CLUP_ERROR_USAGE
 * where the library was built without HDF5. */
CLUP_API clup_status clup_checkpoint_read(const char *path, clup_checkpoint **out);
CLUP_API void clup_checkpoint_free(clup_checkpoint *checkpoint);

/* Return what was simulated, and how. The checkpoint owns them. betas of the problem is NULL where
 * all replicas have beta. */
CLUP_API const clup_problem *clup_checkpoint_problem(const clup_checkpoint *checkpoint);
CLUP_API const clup_method *clup_checkpoint_method(const clup_checkpoint *checkpoint);
CLUP_API uint64_t clup_checkpoint_seed(const clup_checkpoint *checkpoint);

/* Return the number of sweeps that were done, see clup_simulation_sweeps, and the distance from one
 * measured sweep to the next. */
CLUP_API uint64_t clup_checkpoint_sweeps(const clup_checkpoint *checkpoint);
CLUP_API uint64_t clup_checkpoint_every(const clup_checkpoint *checkpoint);

/* Returns the keys that were saved, as a record without series, which the checkpoint owns. */
CLUP_API const clup_record *clup_checkpoint_said(const clup_checkpoint *checkpoint);

/* Makes a simulation that goes on from a checkpoint. context, plan, out and the status are those of
 * clup_simulation_create. It measures what it measured before, see clup_simulation_observe. */
CLUP_API clup_status clup_simulation_load(clup_context *context, const clup_checkpoint *checkpoint,
                                          const clup_plan *plan, clup_simulation **out);

/* ---- percolation ----------------------------------------------------------------------------- */

/* Writes a checkpoint of a scan of percolation, with its sums, the values that it keeps, and the
 * keys of said, as clup_simulation_save does. */
CLUP_API clup_status clup_percolation_scan_save(const clup_percolation_scan *scan,
                                                const clup_record *said, const char *path);

/* Reads such a checkpoint, as clup_checkpoint_read does. Release *out by
 * clup_percolation_scan_free. */
CLUP_API clup_status clup_percolation_scan_load(const char *path, clup_percolation_scan **out);

/* Returns the keys that were saved, as a record without series, which the scan owns; NULL for a
 * scan that was not loaded. */
CLUP_API const clup_record *clup_percolation_scan_said(const clup_percolation_scan *scan);

#ifdef __cplusplus
}
#endif

#endif
