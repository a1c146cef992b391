/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes whole files. */
#ifndef CLUP_BASE_FILE_H
#define CLUP_BASE_FILE_H
#include <stdio.h>

#include "base/status.h"
#include "base/text.h"

/* Reads a whole file of at most CLUP_FILE_MOST bytes; CLUP_ERROR_RUNTIME if it has more. Tune
 * databases, kernels and binaries are far smaller. */
#define CLUP_FILE_MOST (16u << 20)
clup_status clup_file_read(const char *path, clup_text *contents);
/* Opens a regular file for reading, and refuses other kinds: a pipe that nobody writes would block
 * its reader for ever. */
clup_status clup_file_open(const char *path, FILE **out);
/* Writes pieces one after the other. A regular file is written beside path and then renamed, so
 * that path is whole or untouched; it keeps its mode. Links are followed. Standard output, which is
 * "-", pipes and character devices get the bytes as they come. */
typedef struct clup_piece {
    const void *data;
    size_t size;
} clup_piece;
clup_status clup_file_write(const char *path, const clup_piece *pieces, size_t count);
/* Writes pieces that are made one after the other: next gives each piece, and after the last a
 * piece of no bytes. */
typedef clup_status clup_next_piece(void *user, clup_piece *piece);
clup_status clup_file_write_from(const char *path, clup_next_piece *next, void *user);
/* Returns the last slash of a path, or on Windows backslash; NULL if it has none. */
const char *clup_file_slash(const char *path);
/* Appends the user's own folder for a kind of files, with a slash at its end; nothing where none is
 * known. It need not exist. */
typedef enum clup_user_folder { CLUP_USER_CACHE, CLUP_USER_DATA } clup_user_folder;
void clup_file_user_folder(clup_user_folder kind, clup_text *path);
/* Makes the folders in which path's last component is, for the user alone as the XDG base
 * directories require. */
clup_status clup_file_make_folders(const char *path);

/* Locks the file at path, which is created if it is missing. Waits until no other process, and no
 * other thread of this one, has the lock; CLUP_ERROR_RUNTIME when that takes longer than so many
 * seconds. Does not wait where files cannot be locked. clup_file_unlock releases the lock. */
clup_status clup_file_lock(const char *path, unsigned seconds, int *lock);
void clup_file_unlock(int lock);

/* ---- files of the user alone ----------------------------------------------------------------- */

/* Checks that a folder belongs to the (effective) user, and that nobody else can write to it; else
 * fails, with the reason in the detail. */
clup_status clup_file_own_folder(const char *folder);
/* Reads a whole file, which must belong to the user, not be writable for others, and not be a
 * link. */
clup_status clup_file_read_own(const char *path, clup_text *contents);
/* Writes a file that nobody else can read. Replaces whatever has its name, such as a link. */
clup_status clup_file_write_own(const char *path, const clup_piece *pieces, size_t count);
/* Removes temporary files from path's folder that killed writers have left there: those for files
 * with the extension, such as ".bin", that are an hour older than path. Only age counts: a writer
 * in another container or on another machine, which may share the folder, cannot be asked. */
void clup_file_sweep(const char *path, const char *extension);

#endif
