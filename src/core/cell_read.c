/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads unit cells from files and texts, in TOML or JSON, and writes them as texts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "core/cell.h"
#include "core/described.h"
#include "core/energy.h"

#define OFFSET_MOST 2

static const char *const keys_of_cell[] = {"name", "about", "sites", "bonds", NULL},
                         *const keys_of_lattice[] = {"name", "sites",    "bonds",
                                                     "size", "periodic", NULL};

/* Reads a whole number from least to most. */
static bool whole(const json_t *value, int64_t least, int64_t most, int64_t *number)
{
    *number = json_integer_value(value);
    return json_is_integer(value) && *number >= least && *number <= most;
}

static clup_status read_name(const clup_described *at, clup_cell *to)
{
    const json_t *name = json_object_get(at->values, "name");
    bool right = name == NULL || (json_is_string(name) && json_string_length(name) > 0 &&
                                  json_string_length(name) <= CLUP_CELL_NAME);
    /* names are printed: none ends a line, or tells a terminal what to do */
    for (const char *at_byte = right && name != NULL ? json_string_value(name) : "";
         *at_byte != '\0'; at_byte++)
        right = right && (unsigned char)*at_byte >= ' ' && *at_byte != 0x7F;
    if (!right)
        return clup_described_refuse(at, "name", "is no text of 1 to %d bytes in one line",
                                     CLUP_CELL_NAME);
    strcpy(to->name, name != NULL ? json_string_value(name) : "of a cell");
    return CLUP_OK;
}

/* Reads [from, to, [offset, ..]] or [from, to, [offset, ..], coupling]. */
static clup_status read_bond(const clup_described *at, unsigned number, const json_t *value,
                             clup_cell *to)
{
    const json_t *offset = json_array_get(value, 2), *coupling = json_array_get(value, 3);
    const size_t length = json_array_size(value), axes = json_array_size(offset);
    clup_cell_bond *bond = &to->bond[number];
    int64_t whole_number;
    if (length < 3 || length > 4 || !json_is_array(offset))
        return clup_described_refuse(at, "bonds",
                                     "has an entry, number %u, that is not [from, to, [offset, "
                                     "..]], which a coupling may follow",
                                     number);
    for (unsigned end = 0; end < 2; end++) {
        if (!whole(json_array_get(value, end), 0, (int64_t)to->sites - 1, &whole_number))
            return clup_described_refuse(at, "bonds",
                                         "has in number %u a site that is not one of 0 to %u",
                                         number, to->sites - 1);
        *(end == 0 ? &bond->from : &bond->to) = (unsigned)whole_number;
    }
    if (axes < 1 || axes > CLUP_CELL_AXES || (number > 0 && axes != to->axes))
        return clup_described_refuse(at, "bonds",
                                     "has in number %u an offset along %zu axes: 1 to %d are "
                                     "possible, and all offsets have as many",
                                     number, axes, CLUP_CELL_AXES);
    to->axes = (unsigned)axes;
    for (unsigned axis = 0; axis < axes; axis++) {
        if (!whole(json_array_get(offset, axis), -OFFSET_MOST, OFFSET_MOST, &whole_number))
            return clup_described_refuse(at, "bonds",
                                         "has in number %u an offset that is not -%d to %d", number,
                                         OFFSET_MOST, OFFSET_MOST);
        bond->offset[axis] = (int)whole_number;
    }
    bond->coupling = coupling != NULL ? json_number_value(coupling) : 1;
    return coupling == NULL ||
                   (json_is_number(coupling) && fabs(bond->coupling) <= CLUP_COUPLING_MOST)
               ? CLUP_OK
               : clup_described_refuse(at, "bonds",
                                       "has in number %u a coupling that is no number between -%d "
                                       "and %d",
                                       number, CLUP_COUPLING_MOST, CLUP_COUPLING_MOST);
}

/* Whether two bonds connect the same sites; in_order from the same side. */
static bool are_same(const clup_cell *of, const clup_cell_bond *one, const clup_cell_bond *other,
                     bool in_order)
{
    bool same = one->from == (in_order ? other->from : other->to) &&
                one->to == (in_order ? other->to : other->from);
    for (unsigned axis = 0; axis < of->axes; axis++)
        same = same && one->offset[axis] == (in_order ? 1 : -1) * other->offset[axis];
    return same;
}

/* Validates that bonds differ, and do not connect a site with itself. */
static clup_status check_bonds(const clup_described *at, const clup_cell *of)
{
    unsigned forward[CLUP_CELL_SITES] = {0};
    for (unsigned k = 0; k < of->bonds; k++) {
        const clup_cell_bond *bond = &of->bond[k];
        if (are_same(of, bond, bond, false))
            return clup_described_refuse(at, "bonds", "has a loop, number %u", k);
        for (unsigned before = 0; before < k; before++)
            if (are_same(of, bond, &of->bond[before], true) ||
                are_same(of, bond, &of->bond[before], false))
                return clup_described_refuse(at, "bonds",
                                             "has one bond twice, numbers %u and %u: each bond is "
                                             "there once, from either end",
                                             before, k);
        if (++forward[bond->from] > CLUP_CELL_FORWARD)
            return clup_described_refuse(at, "bonds", "has more than %d bonds from site %u",
                                         CLUP_CELL_FORWARD, bond->from);
    }
    return CLUP_OK;
}

static clup_status read_cell(const clup_described *at, clup_cell *to)
{
    const json_t *sites = json_object_get(at->values, "sites"),
                 *bonds = json_object_get(at->values, "bonds");
    const size_t count = json_array_size(bonds);
    int64_t number = 1;
    clup_status status = CLUP_OK;
    CLUP_TRY(read_name(at, to));
    if (sites != NULL && !whole(sites, 1, CLUP_CELL_SITES, &number))
        return clup_described_refuse(at, "sites", "is not a number from 1 to %d", CLUP_CELL_SITES);
    to->sites = (unsigned)number;
    if (!json_is_array(bonds) || count < 1 || count > sizeof to->bond / sizeof *to->bond)
        return clup_described_refuse(at, "bonds", "is missing, or no list of 1 to %zu bonds",
                                     sizeof to->bond / sizeof *to->bond);
    to->bonds = (unsigned)count;
    for (unsigned k = 0; k < count; k++)
        CLUP_TRY(read_bond(at, k, json_array_get(bonds, k), to));
    CLUP_TRY(check_bonds(at, to));
done:
    return status;
}

/* Reads the size, and which axes are periodic, a list of 0 and 1. */
static clup_status read_size(const clup_described *at, clup_cell *to)
{
    const json_t *size = json_object_get(at->values, "size"),
                 *periodic = json_object_get(at->values, "periodic");
    if (json_array_size(size) != to->axes || json_array_size(periodic) != to->axes)
        return clup_described_refuse(at, "size", "has another number of axes than bonds");
    for (unsigned axis = 0; axis < to->axes; axis++) {
        int64_t length, wraps;
        if (!whole(json_array_get(size, axis), 1, UINT32_MAX, &length) ||
            !whole(json_array_get(periodic, axis), 0, 1, &wraps))
            return clup_described_refuse(at, "size", "has an entry out of range");
        to->size[axis] = (uint32_t)length;
        to->periodic |= (unsigned)wraps << axis;
    }
    return CLUP_OK;
}

clup_status clup_cell_parse(const char *text, clup_cell *to)
{
    clup_described at = {.from = "", .called = "a lattice"};
    char *copy = strdup(text);
    clup_status status = copy != NULL ? CLUP_OK : clup_fail_memory("the lattice");
    CLUP_TRY(status);
    CLUP_TRY(clup_described_read(&at, copy, strlen(copy)));
    CLUP_TRY(clup_described_keys(&at, keys_of_lattice, "a lattice"));
    CLUP_TRY(read_cell(&at, to));
    CLUP_TRY(read_size(&at, to));
done:
    clup_described_clear(&at);
    free(copy);
    return status;
}

clup_status clup_cell_read(const char *path, clup_cell *to)
{
    clup_described at = {.from = path};
    clup_text text = {0};
    clup_status status = clup_file_read(path, &text);
    CLUP_TRY(status);
    if (text.data == NULL)
        CLUP_TRY(clup_fail(CLUP_ERROR_USAGE, "'%.300s' is empty", path));
    CLUP_TRY(clup_described_read(&at, text.data, text.length));
    CLUP_TRY(clup_described_keys(&at, keys_of_cell, "a lattice"));
    CLUP_TRY(read_cell(&at, to));
done:
    clup_described_clear(&at);
    clup_text_free(&text);
    return status;
}

char *clup_cell_text(const clup_cell *of)
{
    json_t *root = json_object(), *bonds = json_array(), *size = json_array(),
           *periodic = json_array();
    for (unsigned k = 0; k < of->bonds; k++) {
        json_t *bond = json_array(), *offset = json_array();
        for (unsigned axis = 0; axis < of->axes; axis++)
            json_array_append_new(offset, json_integer(of->bond[k].offset[axis]));
        json_array_append_new(bond, json_integer(of->bond[k].from));
        json_array_append_new(bond, json_integer(of->bond[k].to));
        json_array_append_new(bond, offset);
        if (of->bond[k].coupling != 1)
            json_array_append_new(bond, json_real(of->bond[k].coupling));
        json_array_append_new(bonds, bond);
    }
    for (unsigned axis = 0; axis < of->axes; axis++) {
        json_array_append_new(size, json_integer(of->size[axis]));
        json_array_append_new(periodic, json_integer(of->periodic >> axis & 1));
    }
    json_object_set_new(root, "name", json_string(of->name));
    json_object_set_new(root, "sites", json_integer(of->sites));
    json_object_set_new(root, "bonds", bonds);
    json_object_set_new(root, "size", size);
    json_object_set_new(root, "periodic", periodic);
    char *text = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(root);
    return text;
}
