/* SPDX-License-Identifier: BSD-3-Clause */
/* Large values that users give, kept until the program ends, each once. Files name them by their
 * SHA-256 alone; what stands for one that is not there yet becomes it when it is given. */
#ifndef CLUP_CORE_KEPT_H
#define CLUP_CORE_KEPT_H
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* The first member of such a value. */
typedef struct clup_kept {
    struct clup_kept *next;
    char id[65]; /* SHA-256 of the value; equal values have equal ones */
    bool known;  /* the value is there, not its id alone */
} clup_kept;

/* The values of one kind. */
typedef struct clup_keeper {
    pthread_mutex_t lock;
    size_t size; /* of a value, in bytes */
    clup_kept *first;
} clup_keeper;

/* Returns the value with this id: the one that is kept, or what stands for it until then. NULL if
 * id is none or there is no memory. */
clup_kept *clup_kept_of_id(clup_keeper *keeper, const char *id);
/* Returns the value with this id; NULL for none. */
clup_kept *clup_kept_find(clup_keeper *keeper, const char *id);
/* Keeps a value whose id is set. Returns the one that is kept: this one, or an equal one, and then
 * the caller frees this one, from which all that the equal one lacked is gone. */
clup_kept *clup_kept_add(clup_keeper *keeper, clup_kept *value);
/* Whether a kept value is more than its id. */
bool clup_kept_is_known(clup_keeper *keeper, const clup_kept *value);

#endif
