/* SPDX-License-Identifier: BSD-3-Clause */
/* Job files in TOML. */
#ifndef CLUP_CLI_JOB_JOB_TOML_H
#define CLUP_CLI_JOB_JOB_TOML_H
#include <stddef.h>

/* Reads a TOML file and returns it as JSON text, which the caller frees. On failure returns NULL
 * and writes to error[room] what is wrong, and in which line. *lines becomes another JSON text,
 * which the caller frees: a list of objects. The first has the line of each key of the file, the
 * others those of the keys of each table of points. */
char *job_toml(const char *path, char **lines, char *error, size_t room);

#endif
