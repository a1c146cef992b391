/* SPDX-License-Identifier: BSD-3-Clause */
/* Files read and written whole. */
#ifndef CLUP_BASE_FILE_H
#define CLUP_BASE_FILE_H
#include <stdio.h>

#include "base/status.h"
#include "base/text.h"

/* Reads a file whole, of at most so many bytes: tune databases, kernels and binaries are far
 * smaller. CLUP_ERROR_RUNTIME above that. */
#define CLUP_FILE_MOST (16u << 20)
clup_status clup_file_read(const char *path, clup_text *contents);
/* Opens a regular file to be read, and no other kind: a pipe that nobody writes would hold its
 * reader up for ever. */
clup_status clup_file_open(const char *path, FILE **out);
/* Writes pieces one after the other. A regular file is written beside path and renamed: path is
 * whole or untouched, and keeps the mode that it had. Links are followed. Standard output, which is
 * "-", pipes and character devices take the bytes as they come. */
typedef struct clup_piece {
    const void *data;
    size_t size;
} clup_piece;
clup_status clup_file_write(const char *path, const clup_piece *pieces, size_t count);
/* The same of pieces that are made one after the other: next gives each, and one of no bytes after
 * the last. */
typedef clup_status clup_next_piece(void *user, clup_piece *piece);
clup_status clup_file_write_from(const char *path, clup_next_piece *next, void *user);
/* Makes the folders that path's last component stands in, for the user alone as the XDG base
 * directories want it. */
clup_status clup_file_make_folders(const char *path);

/* Waits until no other process, and no other thread of this one, holds the file at path, which is
 * made, and holds it; CLUP_ERROR_RUNTIME when that takes longer than so many seconds. Where files
 * cannot be locked there is no wait. clup_file_unlock lets go of it. */
clup_status clup_file_lock(const char *path, unsigned seconds, int *lock);
void clup_file_unlock(int lock);

/* ---- what is the user's alone ---------------------------------------------------------------- */

/* That a folder belongs to the user (the effective one), and that nobody else can write to it; else
 * the detail says what is not so. */
clup_status clup_file_own_folder(const char *folder);
/* Reads a file whole that belongs to the user and that nobody else can write to; no link. */
clup_status clup_file_read_own(const char *path, clup_text *contents);
/* Writes a file that nobody else can read. What has its name, such as a link, is replaced. */
clup_status clup_file_write_own(const char *path, const clup_piece *pieces, size_t count);
/* Removes from path's folder what killed writers of files with the extension, such as ".bin", have
 * left there an hour before path was written. Their age alone counts: a process of another
 * container or machine, which may share the folder, cannot be asked for. */
void clup_file_sweep(const char *path, const char *extension);

#endif
