/* What the names of files that are written say. */
#ifndef CLUP_CLI_PATHS_H
#define CLUP_CLI_PATHS_H

/* Whether a path, NULL for none, is standard output. */
int cli_is_stdout(const char *path);
/* Whether a path ends in an extension such as ".npy", in capitals or not. */
int cli_has_extension(const char *path, const char *extension);
/* Whether two paths name a file that may not be there yet: by the same name in the same folder. */
int cli_same_file(const char *a, const char *b);

#endif
