/* Checkpoints, from which a simulation goes on. */
#ifndef CLUP_CHECKPOINT_H
#define CLUP_CHECKPOINT_H

#include "clup/series.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All that a simulation has to go on from: problem, method and seed, the sweeps that are done, the
 * spins, and what was measured. Plan and device are not among them: it goes on with any, and comes
 * to the same spins and series, bit for bit, as one that was never ended. Times of sweeps
 * (clup_timing) begin anew. doc/checkpoints.md has the form of its files, which are HDF5. */
typedef struct clup_checkpoint clup_checkpoint;

/* Writes a checkpoint of a simulation, and what else is to be said: the keys of a record, whose
 * series are not taken; NULL for nothing. A file that is there is replaced by a whole one, or
 * stays, see clup_file_save. It takes ceil(log2 q) bits a site, some words of 4 bytes for each
 * measured sweep and replica, and about twice that in memory besides a byte a site.
 * CLUP_ERROR_USAGE where the library was built without HDF5, and where the method has another
 * generator than philox: the state of those belongs to a plan. CLUP_ERROR_RUNTIME when the file
 * cannot be written, CLUP_ERROR_MEMORY where it cannot be made. */
CLUP_API clup_status clup_simulation_save(clup_simulation *simulation, const clup_record *said,
                                          const char *path);
/* Reads one. CLUP_ERROR_RUNTIME, with the file's name and what is wrong, for a file that cannot be
 * read, is no checkpoint, is damaged, which a SHA-256 over all of it tells, or is of a later form;
 * CLUP_ERROR_USAGE where the library was built without HDF5. */
CLUP_API clup_status clup_checkpoint_read(const char *path, clup_checkpoint **out);
CLUP_API void clup_checkpoint_free(clup_checkpoint *checkpoint);
/* What was simulated, and how; they live as long as the checkpoint. betas is NULL where all
 * replicas have beta. */
CLUP_API const clup_problem *clup_checkpoint_problem(const clup_checkpoint *checkpoint);
CLUP_API const clup_method *clup_checkpoint_method(const clup_checkpoint *checkpoint);
CLUP_API uint64_t clup_checkpoint_seed(const clup_checkpoint *checkpoint);
/* Sweeps that were done, as clup_simulation_sweeps has them, and the distance from one that is
 * measured to the next. */
CLUP_API uint64_t clup_checkpoint_sweeps(const clup_checkpoint *checkpoint);
CLUP_API uint64_t clup_checkpoint_every(const clup_checkpoint *checkpoint);
/* What else was said: a record without series. */
CLUP_API const clup_record *clup_checkpoint_said(const clup_checkpoint *checkpoint);
/* A simulation that goes on from there; context and plan are as for clup_simulation_create, and so
 * is the status. What it measures stays as it was, see clup_simulation_observe. */
CLUP_API clup_status clup_simulation_load(clup_context *context, const clup_checkpoint *checkpoint,
                                          const clup_plan *plan, clup_simulation **out);

#ifdef __cplusplus
}
#endif

#endif
