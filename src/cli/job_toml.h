/* Job files in TOML. */
#ifndef CLUP_CLI_JOB_TOML_H
#define CLUP_CLI_JOB_TOML_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The file as text of JSON, which the caller frees; or NULL, and in error[room] what is wrong with
 * it, and in which line. */
char *job_toml(const char *path, char *error, size_t room);

#ifdef __cplusplus
}
#endif
#endif
