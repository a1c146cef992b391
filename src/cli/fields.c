/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the options for fields of a problem, from the library's table of fields. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static int has(const clup_field *field, const char *model)
{
    const char *name;
    for (clup_model k = 0; (name = clup_model_name(k)) != NULL; k++)
        if (strcmp(name, model) == 0)
            return (int)(field->models >> k & 1);
    return 0;
}

/* Returns the next field, from *row on, that a row of CLI_FIELDS stands for; NULL for none. */
static const clup_field *next_field(const cli_option *place, size_t *row)
{
    const clup_field *field;
    while ((field = clup_problem_field((*row)++)) != NULL)
        if (field->option != NULL &&
            (place->argument != NULL
                 ? strcmp(field->key, place->argument) == 0
                 : (field->part & (unsigned)place->letter) != 0 && has(field, place->help)))
            return field;
    return NULL;
}

/* Writes the options of a table to rows, with each row of CLI_FIELDS replaced by options of fields.
 * Returns their number. With rows NULL, only counts. */
static size_t expand(const cli_option *table, cli_option *rows)
{
    size_t count = 0;
    for (; table->name != NULL; table++) {
        const clup_field *field;
        size_t row = 0;
        if (table->name != CLI_FIELDS) {
            if (rows != NULL)
                rows[count] = *table;
            count++;
            continue;
        }
        while ((field = next_field(table, &row)) != NULL) {
            if (rows != NULL)
                rows[count] = (cli_option){field->option, 0, field->argument, field->about,
                                           table->set};
            count++;
        }
    }
    return count;
}

const char CLI_FIELDS[] = "fields";

const cli_option *cli_options(const cli_option *table)
{
    static struct {
        const cli_option *table;
        cli_option *rows;
    } known[32];
    size_t k = 0;
    while (k < sizeof known / sizeof *known && known[k].table != NULL && known[k].table != table)
        k++;
    if (k == sizeof known / sizeof *known ||
        (known[k].table == NULL &&
         (known[k].rows = calloc(expand(table, NULL) + 1, sizeof *known[k].rows)) == NULL))
        exit(cli_fail_memory("the options"));
    if (known[k].table == NULL)
        expand(table, known[k].rows);
    known[k].table = table;
    return known[k].rows;
}

const clup_field *cli_field_of(const cli_option *option)
{
    const clup_field *field;
    for (size_t row = 0; (field = clup_problem_field(row)) != NULL; row++)
        if (field->option != NULL && strcmp(field->option, option->name) == 0)
            return field;
    return NULL;
}

const clup_field *cli_more_field(size_t row)
{
    static const char *const placed[] = {"lattice", "periodic", "q"};
    const clup_field *field;
    for (size_t k = 0; (field = clup_problem_field(k)) != NULL; k++) {
        int more = field->part == CLUP_FIELD_LAW;
        for (size_t p = 0; p < sizeof placed / sizeof *placed; p++)
            more = more && strcmp(field->key, placed[p]) != 0;
        if (more && row-- == 0)
            break;
    }
    return field;
}
