/* Files read and written whole. */
#ifndef CLUP_BASE_FILE_H
#define CLUP_BASE_FILE_H
#include "base/status.h"
#include "base/text.h"

/* Reads a file whole, of at most so many bytes: tune databases, kernels and binaries are far smaller. CLUP_ERROR_RUNTIME above that. */
#define CLUP_FILE_MOST (16u << 20)
clup_status clup_file_read(const char *path, clup_text *contents);
/* Writes pieces one after the other. A regular file is written beside path and renamed: path is whole or untouched, and keeps the mode that it
 * had. Links are followed. Standard output, which is "-", pipes and character devices take the bytes as they come. */
typedef struct clup_piece {
    const void *data;
    size_t size;
} clup_piece;
clup_status clup_file_write(const char *path, const clup_piece *pieces, size_t count);
/* The same of pieces that are made one after the other: next gives each, and one of no bytes after the last. */
typedef clup_status clup_next_piece(void *user, clup_piece *piece);
clup_status clup_file_write_from(const char *path, clup_next_piece *next, void *user);
/* Makes the folders that path's last component stands in. */
clup_status clup_file_make_folders(const char *path);

#endif
