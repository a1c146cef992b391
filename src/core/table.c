/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps tables of energies until the program ends, each once, with its text; and validates problems
 * that have one. */
#include "core/table.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/sha256.h"
#include "core/energy.h"
#include "core/lattice.h"

/* ---- texts ----------------------------------------------------------------------------------- */

/* Returns numbers as nested lists of sizes[axes] entries. */
static json_t *list_of(const double *numbers, unsigned axes, const size_t *sizes)
{
    size_t each = 1;
    json_t *list = json_array();
    for (unsigned axis = 1; axis < axes; axis++)
        each *= sizes[axis];
    for (size_t k = 0; k < sizes[0]; k++)
        json_array_append_new(list, axes > 1 ? list_of(numbers + k * each, axes - 1, sizes + 1)
                                             : json_real(numbers[k]));
    return list;
}

/* Writes the table as its text, with all that a simulation depends on, and its id. */
static clup_status write_text(clup_table *table)
{
    const size_t bonds[] = {table->matrices, table->states, table->states},
                 order[] = {table->states, 2};
    json_t *root = json_object(), *names = json_array(), *involutions = json_array();
    for (unsigned s = 0; s < table->states; s++)
        json_array_append_new(names, json_string(table->names[s]));
    for (unsigned r = 0; r < table->involutions; r++) {
        json_t *images = json_array();
        for (unsigned s = 0; s < table->states; s++)
            json_array_append_new(images, json_integer(table->images[r * table->states + s]));
        json_array_append_new(involutions, images);
    }
    json_object_set_new(root, "states", names);
    json_object_set_new(root, "bonds", list_of(table->bonds, 3, bonds));
    json_object_set_new(root, "sites", list_of(table->sites, 1, order));
    json_object_set_new(root, "involutions", involutions);
    if (table->ordered)
        json_object_set_new(root, "order", list_of(table->order, 2, order));
    table->text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(root);
    if (table->text == NULL)
        return clup_fail_memory("the model's table");
    clup_sha256(table->text, strlen(table->text), table->kept.id);
    return CLUP_OK;
}

/* ---- tables that are kept -------------------------------------------------------------------- */

static clup_keeper tables = {.lock = PTHREAD_MUTEX_INITIALIZER, .size = sizeof(clup_table)};

const clup_table *clup_table_known(const char *id)
{
    return (const clup_table *)clup_kept_find(&tables, id);
}

static void free_table(clup_table *table)
{
    for (unsigned s = 0; table->names != NULL && s < table->states; s++)
        free(table->names[s]);
    free(table->names);
    free(table->bonds);
    free(table->sites);
    free(table->order);
    free(table->images);
    free(table->text);
    free(table);
}

/* Keeps a table, or frees it where an equal one is kept. Returns the one that is kept. */
static const clup_table *keep(clup_table *table)
{
    clup_table *const kept = (clup_table *)clup_kept_add(&tables, &table->kept);
    if (kept != table)
        free_table(table);
    return kept;
}

/* Makes a table of text[size], see clup_table_fill. */
static clup_status make(const char *from, char *text, size_t size, const clup_table **out)
{
    clup_table *table = calloc(1, sizeof *table);
    clup_status status = table != NULL ? CLUP_OK : clup_fail_memory("the model's table");
    CLUP_TRY(status);
    CLUP_TRY(clup_table_fill(from, text, size, table));
    CLUP_TRY(write_text(table));
    *out = keep(table);
done:
    if (status != CLUP_OK && table != NULL)
        free_table(table);
    return status;
}

clup_status clup_table_parse(const char *text, const clup_table **table)
{
    CLUP_NEED(text);
    CLUP_NEED(table);
    *table = NULL;
    char *copy = strdup(text);
    const clup_status status = copy != NULL ? make("", copy, strlen(copy), table)
                                            : clup_fail_memory("the model's table");
    free(copy);
    return status;
}

clup_status clup_table_read(const char *path, const clup_table **table)
{
    CLUP_NEED(path);
    CLUP_NEED(table);
    clup_text text = {0};
    *table = NULL;
    clup_status status = clup_file_read(path, &text);
    if (status == CLUP_OK && text.data == NULL)
        status = clup_fail(CLUP_ERROR_USAGE, "'%.300s' is empty", path);
    if (status == CLUP_OK)
        status = make(path, text.data, text.length, table);
    clup_text_free(&text);
    return status;
}

unsigned clup_table_states(const clup_table *table)
{
    return table != NULL ? table->states : 0;
}

const char *clup_table_state(const clup_table *table, unsigned state)
{
    return table != NULL && state < table->states ? table->names[state] : NULL;
}

bool clup_table_apart(const clup_table *table, unsigned *one, unsigned *other)
{
    bool reached[CLUP_MATRIX_STATES] = {true};
    for (bool more = true; more;) {
        more = false;
        for (unsigned k = 0; k < table->involutions * table->states; k++)
            if (reached[k % table->states] && !reached[table->images[k]])
                more = reached[table->images[k]] = true;
    }
    *one = 0;
    for (*other = 0; *other < table->states; ++*other)
        if (!reached[*other])
            return true;
    return false;
}

/* ---- problems -------------------------------------------------------------------------------- */

clup_status clup_table_check(const clup_problem *problem)
{
    const clup_table *table = problem->table;
    const unsigned directions = clup_problem_directions(problem);
    if (table == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "a model with a table of energies has no table");
    if (problem->q != table->states)
        return clup_fail(CLUP_ERROR_USAGE, "the model's table has %u states: q is not %u",
                         table->states, problem->q);
    if (table->matrices != 1 && table->matrices != directions)
        return clup_fail(CLUP_ERROR_USAGE,
                         "the model's table has %u matrices of energies: the %s lattice has %u "
                         "directions of bonds",
                         table->matrices, clup_lattice_name(problem->lattice), directions);
    if (problem->field != 0)
        return clup_fail(CLUP_ERROR_USAGE, "a model with a table of energies has no field besides "
                                           "the energies of its sites");
    for (unsigned d = 0; d < directions; d++)
        for (unsigned k = 0; k < table->states * table->states; k++) {
            const double energy =
                table->bonds[(table->matrices > 1 ? d : 0) * table->states * table->states + k] *
                clup_coupling_units(problem, d) * CLUP_COUPLING_UNIT;
            if (fabs(energy) > CLUP_COUPLING_MOST)
                return clup_fail(CLUP_ERROR_USAGE,
                                 "a bond's energy times its coupling is %.9g, which is not between "
                                 "-%d and %d",
                                 energy, CLUP_COUPLING_MOST, CLUP_COUPLING_MOST);
        }
    return CLUP_OK;
}
