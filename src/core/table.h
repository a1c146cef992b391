/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of energies that users write, see clup_table in problem.h. */
#ifndef CLUP_CORE_TABLE_H
#define CLUP_CORE_TABLE_H
#include <stdbool.h>

#include "base/status.h"
#include "core/kept.h"

struct clup_table {
    clup_kept kept; /* id: of the text */
    unsigned states, matrices, involutions;
    bool ordered;    /* has directions */
    char **names;    /* [states] */
    double *bonds;   /* [matrices][states][states]: energies of pairs */
    double *sites;   /* [states]: energies of sites */
    double *order;   /* [states][2]: directions, of length 1 at most; zeros where there are none */
    uint8_t *images; /* [involutions][states] */
    char *text;      /* the table in one line of JSON; equal tables have equal texts */
};

/* Reads text[size], with a zero at its end, which is changed, into a table of zeros, but for text,
 * kept. from is the path that messages name, "" for none. The caller frees what the table
 * has, also after a failure. CLUP_ERROR_USAGE names the line, the key and the states. */
clup_status clup_table_fill(const char *from, char *text, size_t size, clup_table *table);
/* Returns the table whose text has that SHA-256, among those that the program has read; NULL for
 * none. */
const clup_table *clup_table_known(const char *id);
/* Finds two states that no involutions of the table lead from and to. Returns false if there are
 * none. */
bool clup_table_apart(const clup_table *table, unsigned *one, unsigned *other);
/* Validates the table of a problem, and that its model is the one that has a table.
 * CLUP_ERROR_USAGE for one that does not fit the problem. */
clup_status clup_table_check(const clup_problem *problem);

#endif
