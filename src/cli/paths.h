/* SPDX-License-Identifier: BSD-3-Clause */
/* What the names of files that are written say. */
#ifndef CLUP_CLI_PATHS_H
#define CLUP_CLI_PATHS_H

/* Whether a path, NULL for none, is standard output. */
int cli_is_stdout(const char *path);
/* Whether a path ends in an extension such as ".npy", in capitals or not. */
int cli_has_extension(const char *path, const char *extension);
/* Whether two paths name a file that may not be there yet: with their links followed, the same name
 * in the same folder. */
int cli_same_file(const char *a, const char *b);
/* What is at a path: nothing that has contents and can be read, a checkpoint by its first bytes, or
 * another file. */
typedef enum cli_file_kind { CLI_FILE_NONE, CLI_FILE_CHECKPOINT, CLI_FILE_OTHER } cli_file_kind;
cli_file_kind cli_kind_of(const char *path);

#endif
