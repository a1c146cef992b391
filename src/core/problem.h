/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a problem as text, as the table problem.def lists them. */
#ifndef CLUP_CORE_PROBLEM_H
#define CLUP_CORE_PROBLEM_H
#include <stdbool.h>

#include "base/status.h"

enum {
#define FIELD(MEMBER, ...) CLUP_ROW_OF_##MEMBER,
#include "core/problem.def"
    CLUP_PROBLEM_FIELDS
};

/* A field as files have it, such as "size" and "64x64". */
typedef struct problem_word {
    const char *key, *value; /* the latter is text, or that of a table */
    char text[CLUP_FIELD_TEXT];
} problem_word;
/* Writes to words the fields that a file contains. Returns how many there are. */
size_t clup_problem_words(const clup_problem *problem, problem_word words[CLUP_PROBLEM_FIELDS]);
/* Whether key is the key of a field. */
bool clup_problem_has_key(const char *key);
/* Reads a problem, without its temperatures, from texts: value returns the text of a key, or NULL
 * where there is none. CLUP_ERROR_RUNTIME names a field that is missing or wrong. */
clup_status clup_problem_of_words(const char *(*value)(void *user, const char *key), void *user,
                                  clup_problem *problem);
/* Returns the first version of checkpoints that can store all fields of the problem. */
int clup_problem_version(const clup_problem *problem);
/* Returns the last version of checkpoints that added a field. */
int clup_problem_latest(void);

/* Validates the numbers of all fields that the problem's model has. CLUP_ERROR_USAGE names the
 * first field out of range. The model must be a known one. */
clup_status clup_problem_check_fields(const clup_problem *problem);

#endif
