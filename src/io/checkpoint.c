/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints in files: the block before the HDF5 file. */
#include "io/checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/watch.h"
#include "core/problem.h"
#include "run/simulation.h"

/* Bytes hashed at a time. */
#define PIECE 65536

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

static clup_status fail(const char *path, const char *what)
{
    return clup_fail(CLUP_ERROR_RUNTIME, "'%s' %s", path, what);
}

/* Hashes the rest of a file. */
static clup_status hash_rest(FILE *from, const char *path, char hex[65])
{
    clup_sha256_state state;
    uint8_t *piece = malloc(PIECE);
    clup_status status = piece != NULL ? CLUP_OK : clup_fail_memory("the checkpoint");
    size_t count;
    clup_sha256_start(&state);
    while (status == CLUP_OK && (count = fread(piece, 1, PIECE, from)) > 0) {
        clup_sha256_add(&state, piece, count);
        status = clup_watch_ask();
    }
    if (status == CLUP_OK && ferror(from))
        status = clup_fail(CLUP_ERROR_RUNTIME, "cannot read '%s': %s", path, strerror(errno));
    clup_sha256_finish(&state, hex);
    free(piece);
    return status;
}

/* The latest version that this library knows. */
static int latest_version(void)
{
    const int problem = clup_problem_latest();
    return problem > CLUP_CHECKPOINT_MOVES ? problem : CLUP_CHECKPOINT_MOVES;
}

/* Checks that a file is a checkpoint of this form with the right hash, and reads its version. */
static clup_status check_file(FILE *from, const char *path, int *number)
{
    static const char form[] = CLUP_CHECKPOINT_FORM;
    char block[CLUP_CHECKPOINT_BLOCK + 1] = "", right[CLUP_CHECKPOINT_BLOCK] = "", hex[65];
    unsigned long version = 0;
    const size_t length = fread(block, 1, CLUP_CHECKPOINT_BLOCK, from);
    if (ferror(from))
        return clup_fail(CLUP_ERROR_RUNTIME, "cannot read '%s': %s", path, strerror(errno));
    if (strncmp(block, form, strlen(form)) != 0)
        return fail(path, "is no checkpoint, as clup simulate --checkpoint writes");
    if (sscanf(block + strlen(form), "%9lu\n", &version) != 1 || version == 0)
        return fail(path, "is damaged: its first line has no version");
    if (version > (unsigned long)latest_version())
        return clup_fail(CLUP_ERROR_RUNTIME,
                         "'%s' was written by a later clup: its form is %s%lu, this clup, %s, "
                         "knows those up to %s%d",
                         path, form, version, clup_version(), form, latest_version());
    *number = (int)version;
    if (length < CLUP_CHECKPOINT_BLOCK)
        return fail(path, "ends early");
    const clup_status status = hash_rest(from, path, hex);
    if (status != CLUP_OK)
        return status;
    snprintf(right, sizeof right, "%s%lu\nsha256 = %s\n", form, version, hex);
    return memcmp(block, right, CLUP_CHECKPOINT_BLOCK) == 0
               ? CLUP_OK
               : fail(path,
                      "is damaged, cut short, or was changed: its SHA-256 is not the one that "
                      "it has in front");
}

clup_status clup_checkpoint_read(const char *path, clup_checkpoint **out)
{
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(path);
    if (clup_hdf5_version() == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "'%s': this clup was built without HDF5", path);
    FILE *from;
    clup_checkpoint *checkpoint = NULL;
    int version;
    clup_status status = clup_file_open(path, &from);
    if (status != CLUP_OK)
        return status;
    status = check_file(from, path, &version);
    fclose(from);
    if (status == CLUP_OK)
        status = clup_checkpoint_read_hdf5(path, version, &checkpoint);
    if (status == CLUP_OK)
        *out = checkpoint;
    return status;
}
