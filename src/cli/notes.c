/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes on estimates: a text for each kind, with the names of the observables that it is about. */
#include "cli/notes.h"

#include <string.h>

#include "cli/table.h"

static const char *const texts[CLUP_NOTES] = {
    [CLUP_NOTE_BIASED] = "shorter than 20 tau_int, too small and not corrected for it",
    [CLUP_NOTE_SHORT] = "shorter than 50 tau_int, errors may be too small",
    [CLUP_NOTE_FEW_EVENTS] = "fewer than 10 independent events, errors are uncertain",
    [CLUP_NOTE_DISAGREE] = "replicas differ by more than their errors, see chi2: they are not in "
                           "equilibrium, or keep to different phases",
    [CLUP_NOTE_CONSTANT] = "never changed, so that an error of 0 says nothing",
};

void notes_add(notes *notes, const char *name, clup_note note)
{
    char *names = notes->names[note];
    const size_t used = strlen(names), length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)) != NULL; at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return;
    snprintf(names + used, sizeof notes->names[0] - used, used > 0 ? ", %s" : "%s", name);
}

void notes_print(const notes *notes)
{
    for (int k = CLUP_NOTE_NONE + 1; k < CLUP_NOTES; k++)
        if (notes->names[k][0] != '\0')
            table_line("note", "%s: %s", texts[k], notes->names[k]);
}

void notes_write(const notes *notes, json *json, const char *key)
{
    json_open(json, key, '[');
    for (int k = CLUP_NOTE_NONE + 1; k < CLUP_NOTES; k++) {
        char text[768];
        snprintf(text, sizeof text, "%s: %s", texts[k], notes->names[k]);
        if (notes->names[k][0] != '\0')
            json_text(json, NULL, text);
    }
    json_close(json, ']');
}
