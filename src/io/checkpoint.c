/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of simulations in files. */
#include "io/checkpoint.h"

#include "core/problem.h"
#include "io/stamp.h"
#include "run/simulation.h"

clup_status clup_simulation_save(clup_simulation *simulation, const clup_record *said,
                                 const char *path)
{
    clup_checkpoint *checkpoint;
    CLUP_NEED(simulation);
    CLUP_NEED(path);
    if (clup_hdf5_version() == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "'%s': this clup was built without HDF5", path);
    const clup_ranks *ranks = simulation->engine->ranks;
    clup_status status = clup_checkpoint_take(simulation, &checkpoint);
    if (status == CLUP_OK && (ranks == NULL || ranks->index == 0))
        status = clup_checkpoint_write_hdf5(checkpoint, said, path);
    clup_checkpoint_free(checkpoint);
    return status;
}

/* The latest version that this library knows. */
static int latest_version(void)
{
    const int problem = clup_problem_latest();
    return problem > CLUP_CHECKPOINT_MOVES ? problem : CLUP_CHECKPOINT_MOVES;
}

clup_status clup_checkpoint_read(const char *path, clup_checkpoint **out)
{
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(path);
    if (clup_hdf5_version() == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "'%s': this clup was built without HDF5", path);
    clup_checkpoint *checkpoint = NULL;
    int version;
    clup_status status = clup_stamp_check(path, CLUP_CHECKPOINT_FORM, latest_version(),
                                          "clup simulate --checkpoint", &version);
    if (status == CLUP_OK)
        status = clup_checkpoint_read_hdf5(path, version, &checkpoint);
    if (status == CLUP_OK)
        *out = checkpoint;
    return status;
}
