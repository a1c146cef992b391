/* SPDX-License-Identifier: BSD-3-Clause */
/* Stamps: the block of text before an HDF5 file. */
#include "io/stamp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "base/watch.h"
#include "clup.h"

/* Bytes hashed at a time. */
#define PIECE 65536

void clup_stamp_write(uint8_t *bytes, size_t size, const char *form, int version)
{
    char hex[65];
    clup_sha256(bytes + CLUP_STAMP, size - CLUP_STAMP, hex);
    memset(bytes, 0, CLUP_STAMP);
    snprintf((char *)bytes, CLUP_STAMP, "%s%d\nsha256 = %s\n", form, version, hex);
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

static clup_status check(FILE *from, const char *path, const char *form, int latest,
                         const char *writer, int *number)
{
    char block[CLUP_STAMP + 1] = "", right[CLUP_STAMP] = "", hex[65];
    unsigned long version = 0;
    const size_t length = fread(block, 1, CLUP_STAMP, from);
    if (ferror(from))
        return clup_fail(CLUP_ERROR_RUNTIME, "cannot read '%s': %s", path, strerror(errno));
    if (strncmp(block, form, strlen(form)) != 0)
        return clup_fail(CLUP_ERROR_RUNTIME, "'%s' is no checkpoint, as %s writes", path, writer);
    if (sscanf(block + strlen(form), "%9lu\n", &version) != 1 || version == 0)
        return fail(path, "is damaged: its first line has no version");
    if (version > (unsigned long)latest)
        return clup_fail(CLUP_ERROR_RUNTIME,
                         "'%s' was written by a later clup: its form is %s%lu, this clup, %s, "
                         "knows those up to %s%d",
                         path, form, version, clup_version(), form, latest);
    *number = (int)version;
    if (length < CLUP_STAMP)
        return fail(path, "ends early");
    const clup_status status = hash_rest(from, path, hex);
    if (status != CLUP_OK)
        return status;
    snprintf(right, sizeof right, "%s%lu\nsha256 = %s\n", form, version, hex);
    return memcmp(block, right, CLUP_STAMP) == 0
               ? CLUP_OK
               : fail(path,
                      "is damaged, cut short, or was changed: its SHA-256 is not the one that "
                      "it has in front");
}

clup_status clup_stamp_check(const char *path, const char *form, int latest, const char *writer,
                             int *version)
{
    FILE *from;
    clup_status status = clup_file_open(path, &from);
    if (status != CLUP_OK)
        return status;
    status = check(from, path, form, latest, writer, version);
    fclose(from);
    return status;
}
