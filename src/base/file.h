/* Files read and written whole. */
#ifndef CLUP_BASE_FILE_H
#define CLUP_BASE_FILE_H
#include "base/status.h"
#include "base/text.h"

/* Reads a file whole. */
clup_status clup_file_read(const char *path, clup_text *contents);
/* Reads a file whole into bytes[size], which the caller frees; "-" is standard input. CLUP_ERROR_MEMORY when it has more than most bytes. */
clup_status clup_file_read_bytes(const char *path, uint64_t most, uint8_t **bytes, size_t *size);
/* Writes pieces one after the other to a temporary file beside path, then renames it: path is whole or untouched. */
typedef struct clup_piece {
    const void *data;
    size_t size;
} clup_piece;
clup_status clup_file_write(const char *path, const clup_piece *pieces, size_t count);
/* The same of pieces that are made one after the other: next gives each, and one of no bytes after the last. */
typedef clup_status clup_next_piece(void *user, clup_piece *piece);
clup_status clup_file_write_from(const char *path, clup_next_piece *next, void *user);
/* Writes pieces to standard output, after what stdio holds for it. */
clup_status clup_file_write_stdout(const clup_piece *pieces, size_t count);
/* Makes the folders that path's last component stands in. */
clup_status clup_file_make_folders(const char *path);

#endif
