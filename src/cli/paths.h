/* SPDX-License-Identifier: BSD-3-Clause */
/* What a path tells about the file that it names. */
#ifndef CLUP_CLI_PATHS_H
#define CLUP_CLI_PATHS_H

/* Whether a path, NULL for none, means standard output. */
int cli_is_stdout(const char *path);
/* Whether a path ends in an extension such as ".npy", in either case. */
int cli_has_extension(const char *path, const char *extension);
/* Whether two paths name the same file, which need not exist: with links followed, the folder and
 * the name are equal. */
int cli_same_file(const char *a, const char *b);
/* What a path names: no regular file with contents that can be read; a checkpoint of clup simulate
 * or of clup percolate, as its first bytes tell; or another file. */
typedef enum cli_file_kind {
    CLI_FILE_NONE,
    CLI_FILE_SIMULATION,
    CLI_FILE_PERCOLATION,
    CLI_FILE_OTHER
} cli_file_kind;
cli_file_kind cli_kind_of(const char *path);

#endif
