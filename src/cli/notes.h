/* SPDX-License-Identifier: BSD-3-Clause */
/* What a reader of estimates should know about them, collected over many. */
#ifndef CLUP_CLI_NOTES_H
#define CLUP_CLI_NOTES_H
#include "cli/cli.h"

/* A name list each, once, of the observables that a note is about. */
typedef struct notes {
    char names[CLUP_NOTES][512];
} notes;

/* Adds an observable under its note, if it has one. */
void notes_add(notes *notes, const char *name, const clup_estimate *estimate);
/* A line for each note that there is, in a table, and an array of texts under a key. */
void notes_print(const notes *notes);
void notes_write(const notes *notes, json *json, const char *key);

#endif
