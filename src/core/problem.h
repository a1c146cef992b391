/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a problem as texts, by the table of problem.def. */
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
    const char *key;
    char value[CLUP_FIELD_TEXT];
} problem_word;
/* Writes the fields that a file has to words; returns how many. */
size_t clup_problem_words(const clup_problem *problem, problem_word words[CLUP_PROBLEM_FIELDS]);
/* Whether key is the key of a field. */
bool clup_problem_has_key(const char *key);
/* Reads a problem, but for its temperatures, from such words: value gives that of a key, NULL for
 * none. CLUP_ERROR_RUNTIME names what is missing or wrong. */
clup_status clup_problem_of_words(const char *(*value)(void *user, const char *key), void *user,
                                  clup_problem *problem);
/* The first version of checkpoints that has all that the problem says. */
int clup_problem_version(const clup_problem *problem);
/* The last version that has another field. */
int clup_problem_latest(void);

/* CLUP_ERROR_USAGE names the first field whose number is out of range, of those that the problem's
 * model has. The model is known. */
clup_status clup_problem_check_fields(const clup_problem *problem);

#endif
