/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes that a reader of estimates needs, collected over many estimates. */
#ifndef CLUP_CLI_NOTES_H
#define CLUP_CLI_NOTES_H
#include "cli/cli.h"

/* For each kind of note, the names of the observables that it is about, each once. */
typedef struct notes {
    char names[CLUP_NOTES][512];
} notes;

/* Adds the name of an observable to a note, unless it is CLUP_NOTE_NONE. */
void notes_add(notes *notes, const char *name, clup_note note);
/* Print a line of a table for each note, or write an array of texts under a key. */
void notes_print(const notes *notes);
void notes_write(const notes *notes, json *json, const char *key);

#endif
