/* SPDX-License-Identifier: BSD-3-Clause */
/* Series of systems, and what was simulated: what files of series have. */
#ifndef CLUP_ESTIMATE_RECORD_H
#define CLUP_ESTIMATE_RECORD_H
#include <stdbool.h>

#include "base/status.h"
#include "estimate/means.h"

#define CLUP_RECORD_KEY 64
#define CLUP_RECORD_VALUE 4001
/* More observables, or keys, no record has. */
#define CLUP_RECORD_NAMES 512
#define CLUP_RECORD_KEYS 256

typedef struct record_field {
    char key[CLUP_RECORD_KEY];
    char *value;
} record_field;

typedef struct record_system {
    size_t count;
    double *series[CLUP_RECORD_NAMES]; /* as many as the record has names; NULL for none */
    size_t room[CLUP_RECORD_NAMES];
    char spins[65];
    /* of functions of means, by clup_observable; means are NAN */
    clup_estimate functions[OBSERVED];
    bool has_functions;
} record_system;

struct clup_record {
    clup_problem problem; /* with betas of the record's own */
    double *betas;
    record_field fields[CLUP_RECORD_KEYS];
    size_t field_count;
    char names[CLUP_RECORD_NAMES][CLUP_RECORD_KEY];
    size_t name_count;
    record_system *systems; /* systems[problem.replicas] */
};

/* The series of a system that are of observables, which live until the record changes. */
clup_measured clup_record_measured(const clup_record *record, uint32_t system);
/* Whether a text can be a key, or the name of an observable. */
bool clup_record_key_ok(const char *key);
/* The number of an observable; name_count where there is none. */
size_t clup_record_row(const clup_record *record, const char *name);
/* The same, which is added where it is new. */
clup_status clup_record_add_name(clup_record *record, const char *name, size_t *row);
/* A whole number that a key has; otherwise where there is none. */
uint64_t clup_record_whole(const clup_record *record, const char *key, uint64_t otherwise);
/* Room for so many values of series number row of a system, which has the ones that it had. */
clup_status clup_record_reserve(record_system *system, size_t row, size_t count);

#endif
