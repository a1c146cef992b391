/* SPDX-License-Identifier: BSD-3-Clause */
/* Job files in TOML. */
#ifndef CLUP_CLI_JOB_JOB_TOML_H
#define CLUP_CLI_JOB_JOB_TOML_H
#include <stddef.h>

/* The file as text of JSON, which the caller frees; or NULL, and in error[room] what is wrong with
 * it, and in which line. *lines becomes another text of JSON, a list of objects, which the caller
 * frees: the line in which each key of the file stands, then those of the keys of each table of
 * points. */
char *job_toml(const char *path, char **lines, char *error, size_t room);

#endif
