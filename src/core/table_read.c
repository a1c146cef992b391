/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and validates tables of energies, in TOML or JSON. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/described.h"
#include "core/energy.h"
#include "core/lattice.h"
#include "core/table.h"
#include "program.h"

/* A table that is being read, and its text. */
typedef struct reading {
    clup_described of;
    clup_table *table;
} reading;

/* Keys in the order of the manual. */
static const char *const keys[] = {"name",  "about", "states",      "bonds",
                                   "sites", "order", "involutions", NULL};

static const char *name_of(const reading *at, unsigned state)
{
    return at->table->names[state];
}

/* ---- parts of a table ------------------------------------------------------------------------ */

static clup_status read_states(reading *at)
{
    clup_table *table = at->table;
    const json_t *states = json_object_get(at->of.values, "states");
    const bool named = json_is_array(states);
    const long long count = named                     ? (long long)json_array_size(states)
                            : json_is_integer(states) ? json_integer_value(states)
                                                      : -1;
    if (count < 0)
        return clup_described_refuse(&at->of, "states",
                                     "is missing, or neither a list of names nor a number");
    if (count < 2 || count > CLUP_MATRIX_STATES)
        return clup_described_refuse(&at->of, "states", "is %lld, and not 2 to %d", count,
                                     CLUP_MATRIX_STATES);
    table->states = (unsigned)count;
    table->names = calloc(table->states, sizeof *table->names);
    for (unsigned s = 0; table->names != NULL && s < table->states; s++) {
        char number[16];
        const json_t *entry = named ? json_array_get(states, s) : NULL;
        const char *name = number;
        snprintf(number, sizeof number, "%u", s);
        if (named && (!json_is_string(entry) || json_string_length(entry) == 0 ||
                      json_string_length(entry) > 64))
            return clup_described_refuse(
                &at->of, "states", "has an entry that is no name of 1 to 64 bytes, number %u", s);
        if (named)
            name = json_string_value(entry);
        for (unsigned before = 0; before < s; before++)
            if (strcmp(name_of(at, before), name) == 0)
                return clup_described_refuse(&at->of, "states", "has '%s' twice", name);
        if ((table->names[s] = strdup(name)) == NULL)
            break;
    }
    return table->names != NULL && table->names[table->states - 1] != NULL
               ? CLUP_OK
               : clup_fail_memory("the model's table");
}

/* Reads a number from -most to most. */
static clup_status read_number(const reading *at, const char *key, const json_t *value, double most,
                               double *number)
{
    char text[32];
    if (!json_is_number(value))
        return clup_described_refuse(&at->of, key, "has an entry that is no number");
    *number = json_number_value(value) + 0.0; /* no -0 */
    return fabs(*number) <= most
               ? CLUP_OK
               : clup_described_refuse(&at->of, key, "has %s, which is not between -%g and %g",
                                       clup_number_text(*number, text), most, most);
}

/* Reads a list with an energy for each state, a multiple of CLUP_COUPLING_UNIT. */
static clup_status read_row(const reading *at, const char *key, const json_t *list, double *row)
{
    clup_status status = CLUP_OK;
    if (!json_is_array(list) || json_array_size(list) != at->table->states)
        return clup_described_refuse(&at->of, key,
                                     "has a list of %zu entries where the %u states need as many",
                                     json_array_size(list), at->table->states);
    for (unsigned s = 0; s < at->table->states && status == CLUP_OK; s++) {
        status = read_number(at, key, json_array_get(list, s), CLUP_COUPLING_MOST, &row[s]);
        row[s] = clup_units_of(row[s]) * CLUP_COUPLING_UNIT;
    }
    return status;
}

static clup_status read_matrix(const reading *at, const json_t *matrix, double *energies)
{
    const unsigned states = at->table->states;
    clup_status status = CLUP_OK;
    if (!json_is_array(matrix) || json_array_size(matrix) != states)
        return clup_described_refuse(&at->of, "bonds",
                                     "has a matrix of %zu rows where the %u states need as many",
                                     json_array_size(matrix), states);
    for (unsigned s = 0; s < states && status == CLUP_OK; s++)
        status = read_row(at, "bonds", json_array_get(matrix, s), energies + s * states);
    for (unsigned s = 0; s < states && status == CLUP_OK; s++)
        for (unsigned t = 0; t < s && status == CLUP_OK; t++)
            if (energies[s * states + t] != energies[t * states + s])
                status = clup_described_refuse(
                    &at->of, "bonds",
                    "is no symmetric matrix: it has %.9g for '%s' beside '%s', and "
                    "%.9g for '%s' beside '%s'",
                    energies[s * states + t], name_of(at, s), name_of(at, t),
                    energies[t * states + s], name_of(at, t), name_of(at, s));
    return status;
}

/* Reads one matrix, or a list of matrices. */
static clup_status read_bonds(reading *at)
{
    clup_table *table = at->table;
    const json_t *bonds = json_object_get(at->of.values, "bonds");
    const json_t *row = json_array_get(bonds, 0);
    const bool several = json_is_array(json_array_get(row, 0));
    const size_t count = several ? json_array_size(bonds) : 1;
    clup_status status = CLUP_OK;
    if (!json_is_array(row))
        return clup_described_refuse(&at->of, "bonds", "is missing, or no matrix of energies");
    if (count > CLUP_DIRECTIONS_MAX)
        return clup_described_refuse(
            &at->of, "bonds", "has %zu matrices, more than any lattice has directions", count);
    table->matrices = (unsigned)count;
    table->bonds = calloc(count * table->states * table->states, sizeof *table->bonds);
    if (table->bonds == NULL)
        return clup_fail_memory("the model's table");
    for (size_t k = 0; k < count && status == CLUP_OK; k++)
        status = read_matrix(at, several ? json_array_get(bonds, k) : bonds,
                             table->bonds + k * table->states * table->states);
    return status;
}

static clup_status read_sites(reading *at)
{
    const json_t *sites = json_object_get(at->of.values, "sites");
    at->table->sites = calloc(at->table->states, sizeof *at->table->sites);
    return at->table->sites == NULL ? clup_fail_memory("the model's table")
           : sites == NULL          ? CLUP_OK
                                    : read_row(at, "sites", sites, at->table->sites);
}

/* Reads the direction of each state: a number, or two. */
static clup_status read_order(reading *at)
{
    clup_table *table = at->table;
    const json_t *order = json_object_get(at->of.values, "order");
    clup_status status = CLUP_OK;
    table->order = calloc(2 * table->states, sizeof *table->order);
    if (table->order == NULL)
        return clup_fail_memory("the model's table");
    table->ordered = order != NULL;
    if (order != NULL && (!json_is_array(order) || json_array_size(order) != table->states))
        return clup_described_refuse(&at->of, "order",
                                     "has %zu entries where the %u states need as many",
                                     json_array_size(order), table->states);
    for (unsigned s = 0; order != NULL && s < table->states && status == CLUP_OK; s++) {
        const json_t *entry = json_array_get(order, s);
        double *direction = table->order + 2 * s;
        const bool pair = json_is_array(entry);
        if (pair && json_array_size(entry) != 2)
            return clup_described_refuse(&at->of, "order",
                                         "has an entry that is neither a number nor two");
        for (unsigned k = 0; k < (pair ? 2 : 1) && status == CLUP_OK; k++)
            status = read_number(at, "order", pair ? json_array_get(entry, k) : entry, 1,
                                 &direction[k]);
        if (status == CLUP_OK && hypot(direction[0], direction[1]) > 1 + 1e-9)
            status = clup_described_refuse(
                &at->of, "order", "has a direction longer than 1, that of '%s'", name_of(at, s));
    }
    return status;
}

/* ---- involutions ----------------------------------------------------------------------------- */

/* Finds a state by its name or number. */
static bool find_state(const clup_table *table, const json_t *entry, unsigned *state)
{
    for (*state = 0; *state < table->states; ++*state)
        if (json_is_integer(entry) ? json_integer_value(entry) == *state
                                   : json_is_string(entry) && strcmp(table->names[*state],
                                                                     json_string_value(entry)) == 0)
            return true;
    return false;
}

/* Validates that an involution is one, and that it changes no energy of a bond. */
static clup_status check_involution(const reading *at, unsigned number, const uint8_t *images)
{
    const clup_table *table = at->table;
    const unsigned states = table->states;
    bool moves = false;
    for (unsigned s = 0; s < states; s++) {
        if (images[images[s]] != s)
            return clup_described_refuse(
                &at->of, "involutions",
                "has a permutation that is no involution, number %u: it takes '%s' to "
                "'%s', but '%s' to '%s'",
                number, name_of(at, s), name_of(at, images[s]), name_of(at, images[s]),
                name_of(at, images[images[s]]));
        moves = moves || images[s] != s;
    }
    if (!moves)
        return clup_described_refuse(&at->of, "involutions",
                                     "has one that changes no state, number %u", number);
    for (unsigned k = 0; k < table->matrices; k++)
        for (unsigned s = 0; s < states; s++)
            for (unsigned t = 0; t < states; t++) {
                const double *of = table->bonds + k * states * states, before = of[s * states + t],
                             after = of[images[s] * states + images[t]];
                if (before != after)
                    return clup_described_refuse(
                        &at->of, "involutions",
                        "has one that changes energies of bonds, number %u: '%s' beside "
                        "'%s' has %.9g, but '%s' beside '%s', which it makes of them, "
                        "%.9g",
                        number, name_of(at, s), name_of(at, t), before, name_of(at, images[s]),
                        name_of(at, images[t]), after);
            }
    return CLUP_OK;
}

/* The most involutions: all swaps of two states. */
#define INVOLUTIONS_MOST (CLUP_MATRIX_STATES * (CLUP_MATRIX_STATES - 1) / 2)

static clup_status read_involutions(reading *at)
{
    clup_table *table = at->table;
    const json_t *list = json_object_get(at->of.values, "involutions");
    const size_t count = json_array_size(list);
    clup_status status = CLUP_OK;
    if (list != NULL && (!json_is_array(list) || count > INVOLUTIONS_MOST))
        return clup_described_refuse(&at->of, "involutions", "is no list of up to %d permutations",
                                     INVOLUTIONS_MOST);
    table->images = calloc(count * table->states + 1, sizeof *table->images);
    if (table->images == NULL)
        return clup_fail_memory("the model's table");
    table->involutions = (unsigned)count;
    for (unsigned r = 0; r < count && status == CLUP_OK; r++) {
        const json_t *images = json_array_get(list, r);
        if (!json_is_array(images) || json_array_size(images) != table->states)
            return clup_described_refuse(
                &at->of, "involutions",
                "has an entry that is no list of %u states, number %u: the state that "
                "each one becomes",
                table->states, r);
        for (unsigned s = 0; s < table->states; s++) {
            unsigned image;
            if (!find_state(table, json_array_get(images, s), &image))
                return clup_described_refuse(&at->of, "involutions",
                                             "has an entry that is no state, in number %u", r);
            table->images[r * table->states + s] = (uint8_t)image;
        }
        status = check_involution(at, r, table->images + r * table->states);
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static clup_status read_all(reading *at)
{
    clup_status status;
    CLUP_TRY(clup_described_keys(&at->of, keys, "a model"));
    CLUP_TRY(read_states(at));
    CLUP_TRY(read_bonds(at));
    CLUP_TRY(read_sites(at));
    CLUP_TRY(read_order(at));
    CLUP_TRY(read_involutions(at));
done:
    return status;
}

clup_status clup_table_fill(const char *from, char *text, size_t size, clup_table *table)
{
    reading at = {{.from = from, .called = "a model's table"}, table};
    clup_status status = clup_described_read(&at.of, text, size);
    if (status == CLUP_OK)
        status = read_all(&at);
    clup_described_clear(&at.of);
    return status;
}
