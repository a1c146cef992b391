/* SPDX-License-Identifier: BSD-3-Clause */
/* A record: series of systems, and what was simulated, as in files of series. */
#ifndef CLUP_ESTIMATE_RECORD_H
#define CLUP_ESTIMATE_RECORD_H
#include <stdbool.h>

#include "base/status.h"
#include "estimate/means.h"

#define CLUP_RECORD_KEY 64
#define CLUP_RECORD_VALUE 4001
/* The largest number of observables, and of keys, of a record. */
#define CLUP_RECORD_NAMES 512
#define CLUP_RECORD_KEYS 256

typedef struct record_field {
    char key[CLUP_RECORD_KEY];
    char *value;
} record_field;

typedef struct record_system {
    size_t count;
    double *series[CLUP_RECORD_NAMES]; /* one for each name of the record; NULL if the system has
                                          none */
    size_t room[CLUP_RECORD_NAMES];
    char spins[65];
    /* functions of means, by clup_observable; NAN for means */
    clup_estimate functions[OBSERVED];
    bool has_functions;
} record_system;

struct clup_record {
    clup_problem problem; /* its betas are the record's own */
    double *betas;
    record_field fields[CLUP_RECORD_KEYS];
    size_t field_count;
    char names[CLUP_RECORD_NAMES][CLUP_RECORD_KEY];
    size_t name_count;
    record_system *systems; /* systems[problem.replicas] */
};

/* Returns those series of a system that belong to observables. They are valid until the record
 * changes. */
clup_measured clup_record_measured(const clup_record *record, uint32_t system);
/* Whether the measured sweeps of a system determine a function of means, which has no series
 * itself. */
bool clup_record_determines(const clup_record *record, uint32_t system,
                            const clup_measured *measured, clup_observable observable);
/* The number of sites along the longest axis; NAN of a graph without axes. */
double clup_record_length(const clup_problem *problem);
/* What problem.betas of the record has: "beta", or of percolation "p". */
const char *clup_record_parameter(const clup_record *record);
/* Whether a text can be a key, or the name of an observable. */
bool clup_record_key_ok(const char *key);
/* Returns the number of the series with a name; name_count if there is none. */
size_t clup_record_row(const clup_record *record, const char *name);
/* Finds the number of the series with a name, and adds the name if it is new. */
clup_status clup_record_add_name(clup_record *record, const char *name, size_t *row);
/* Returns the whole number that a key has; otherwise if there is no such key. */
uint64_t clup_record_whole(const clup_record *record, const char *key, uint64_t otherwise);
/* Makes room for so many values of series number row of a system; its values stay. */
clup_status clup_record_reserve(record_system *system, size_t row, size_t count);

#endif
