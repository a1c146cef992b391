/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of what clup analyse can analyse. */
#include <string.h>

#include "cli/analyse/analyse.h"

/* Whether a list contains a name. */
static int has(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at != NULL; at = strchr(at, ','), at = at != NULL ? at + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return 1;
    return 0;
}

int analyse_wants(const analyse_result *result, const char *name)
{
    return result->names == NULL || has(result->names, name);
}

const char *analyse_name(const clup_record *record, uint32_t system, size_t row)
{
    size_t series = 0;
    while (series <= row && clup_record_observable(record, series) != NULL)
        series++;
    return row < series ? clup_record_observable(record, row)
                        : clup_analysis_function(record, system, row - series);
}

int analyse_wants_row(const analyse_result *result, const analyse_scan *scan, unsigned row)
{
    return row >= scan->observables || analyse_wants(result, scan->names[row]);
}

int analyse_item(const char *list, size_t row, char text[64])
{
    const char *at = list;
    while (at != NULL && row-- > 0)
        at = strchr(at, ','), at = at != NULL ? at + 1 : NULL;
    if (at == NULL)
        return 0;
    snprintf(text, 64, "%.*s", (int)strcspn(at, ","), at);
    return 1;
}

int analyse_part(const char *list, size_t row, char text[ANALYSE_EXPRESSION])
{
    const char *at = list;
    while (at != NULL && row-- > 0)
        at = strchr(at, ';'), at = at != NULL ? at + 1 : NULL;
    if (at == NULL)
        return 0;
    at += strspn(at, " ");
    snprintf(text, ANALYSE_EXPRESSION, "%.*s", (int)strcspn(at, ";"), at);
    return 1;
}
