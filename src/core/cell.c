/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes graphs of lattices: a cell of sites and bonds, again and again along up to eight axes. */
#include "core/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/watch.h"
#include "core/bond_couplings.h"
#include "core/described.h"
#include "core/energy.h"
#include "graph/graph_sizes.clh"
#include "program.h"

#define AXES_MOST 8
#define SITES_MOST 16
#define OFFSET_MOST 2
/* The most bonds from a site. */
#define FORWARD_MOST 16
#define NAME_LONGEST 64

typedef struct cell_bond {
    unsigned from, to;     /* sites of the cell */
    int offset[AXES_MOST]; /* how many cells the second is further along each axis */
    double coupling;
} cell_bond;

typedef struct cell {
    char name[NAME_LONGEST + 1];
    unsigned axes, sites, bonds;
    cell_bond bond[SITES_MOST * FORWARD_MOST];
    /* of a lattice of such cells */
    uint32_t size[AXES_MOST];
    unsigned periodic; /* bit a for axis a */
} cell;

/* ---- reading --------------------------------------------------------------------------------- */

static const char *const keys_of_cell[] = {"name", "about", "sites", "bonds", NULL},
                         *const keys_of_lattice[] = {"name", "sites",    "bonds",
                                                     "size", "periodic", NULL};

/* Reads a whole number from least to most. */
static bool whole(const json_t *value, int64_t least, int64_t most, int64_t *number)
{
    *number = json_integer_value(value);
    return json_is_integer(value) && *number >= least && *number <= most;
}

static clup_status read_name(const clup_described *at, cell *to)
{
    const json_t *name = json_object_get(at->values, "name");
    bool right = name == NULL || (json_is_string(name) && json_string_length(name) > 0 &&
                                  json_string_length(name) <= NAME_LONGEST);
    /* names are printed: none ends a line, or tells a terminal what to do */
    for (const char *at_byte = right && name != NULL ? json_string_value(name) : "";
         *at_byte != '\0'; at_byte++)
        right = right && (unsigned char)*at_byte >= ' ' && *at_byte != 0x7F;
    if (!right)
        return clup_described_refuse(at, "name", "is no text of 1 to %d bytes in one line",
                                     NAME_LONGEST);
    strcpy(to->name, name != NULL ? json_string_value(name) : "of a cell");
    return CLUP_OK;
}

/* Reads [from, to, [offset, ..]] or [from, to, [offset, ..], coupling]. */
static clup_status read_bond(const clup_described *at, unsigned number, const json_t *value,
                             cell *to)
{
    const json_t *offset = json_array_get(value, 2), *coupling = json_array_get(value, 3);
    const size_t length = json_array_size(value), axes = json_array_size(offset);
    cell_bond *bond = &to->bond[number];
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
    if (axes < 1 || axes > AXES_MOST || (number > 0 && axes != to->axes))
        return clup_described_refuse(at, "bonds",
                                     "has in number %u an offset along %zu axes: 1 to %d are "
                                     "possible, and all offsets have as many",
                                     number, axes, AXES_MOST);
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
static bool are_same(const cell *of, const cell_bond *one, const cell_bond *other, bool in_order)
{
    bool same = one->from == (in_order ? other->from : other->to) &&
                one->to == (in_order ? other->to : other->from);
    for (unsigned axis = 0; axis < of->axes; axis++)
        same = same && one->offset[axis] == (in_order ? 1 : -1) * other->offset[axis];
    return same;
}

/* Validates that bonds differ, and do not connect a site with itself. */
static clup_status check_bonds(const clup_described *at, const cell *of)
{
    unsigned forward[SITES_MOST] = {0};
    for (unsigned k = 0; k < of->bonds; k++) {
        const cell_bond *bond = &of->bond[k];
        if (are_same(of, bond, bond, false))
            return clup_described_refuse(at, "bonds", "has a loop, number %u", k);
        for (unsigned before = 0; before < k; before++)
            if (are_same(of, bond, &of->bond[before], true) ||
                are_same(of, bond, &of->bond[before], false))
                return clup_described_refuse(at, "bonds",
                                             "has one bond twice, numbers %u and %u: each bond is "
                                             "there once, from either end",
                                             before, k);
        if (++forward[bond->from] > FORWARD_MOST)
            return clup_described_refuse(at, "bonds", "has more than %d bonds from site %u",
                                         FORWARD_MOST, bond->from);
    }
    return CLUP_OK;
}

static clup_status read_cell(const clup_described *at, cell *to)
{
    const json_t *sites = json_object_get(at->values, "sites"),
                 *bonds = json_object_get(at->values, "bonds");
    const size_t count = json_array_size(bonds);
    int64_t number = 1;
    clup_status status = CLUP_OK;
    CLUP_TRY(read_name(at, to));
    if (sites != NULL && !whole(sites, 1, SITES_MOST, &number))
        return clup_described_refuse(at, "sites", "is not a number from 1 to %d", SITES_MOST);
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
static clup_status read_size(const clup_described *at, cell *to)
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

/* ---- the graph ------------------------------------------------------------------------------- */

/* Writes all that the graph depends on, for files. */
static char *text_of(const cell *of)
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

/* Writes what people call the lattice, such as "hypercubic 8x8x8x8, periodic". */
static void call(const cell *of, char *called, size_t room)
{
    size_t end = (size_t)snprintf(called, room, "%s ", of->name);
    for (unsigned axis = 0; axis < of->axes; axis++)
        end += (size_t)snprintf(called + end, room - end, "%s%u", axis > 0 ? "x" : "",
                                of->size[axis]);
    const unsigned all = (1u << of->axes) - 1;
    end += (size_t)snprintf(called + end, room - end, "%s",
                            of->periodic == all ? ", periodic"
                            : of->periodic == 0 ? ", open"
                                                : ", open along");
    for (unsigned axis = 0; axis < of->axes && of->periodic != 0; axis++)
        if (!(of->periodic >> axis & 1))
            end += (size_t)snprintf(called + end, room - end, " %c",
                                    axis < 3 ? 'x' + (int)axis : '1' + (int)axis);
}

/* Returns the number of cells. */
static uint64_t cells_of(const cell *of, uint64_t most)
{
    uint64_t cells = 1;
    for (unsigned axis = 0; axis < of->axes; axis++)
        cells = cells > most / of->size[axis] ? most + 1 : cells * of->size[axis];
    return cells;
}

/* Returns how many bonds of this kind there are: from each cell one but at open ends. */
static uint64_t count_bonds(const cell *of, const cell_bond *bond)
{
    uint64_t bonds = 1;
    for (unsigned axis = 0; axis < of->axes; axis++) {
        const unsigned step = (unsigned)abs(bond->offset[axis]);
        const bool wraps = of->periodic >> axis & 1;
        bonds *= wraps ? of->size[axis] : step < of->size[axis] ? of->size[axis] - step : 0;
    }
    return bonds;
}

/* Finds the cell to which a bond leads from the one at these coordinates, and how often it winds
 * around each axis. Returns false past an open end. */
static bool cell_ahead(const cell *of, const cell_bond *bond, const uint32_t *at, uint64_t *ahead,
                       uint32_t *crossing)
{
    *ahead = *crossing = 0;
    for (unsigned axis = of->axes; axis-- > 0;) {
        const int64_t size = of->size[axis];
        int64_t to = (int64_t)at[axis] + bond->offset[axis];
        if ((to < 0 || to >= size) && !(of->periodic >> axis & 1))
            return false;
        int64_t times = to / size;
        if (to % size < 0)
            times--;
        *crossing |= ((uint32_t)times & ((1u << CROSSING_BITS) - 1)) << CROSSING_BITS * axis;
        to -= times * size;
        *ahead = *ahead * (uint64_t)size + (uint64_t)to;
    }
    return true;
}

/* Goes to the next cell. */
static void step(const cell *of, uint32_t *at)
{
    for (unsigned axis = 0; axis < of->axes && ++at[axis] == of->size[axis]; axis++)
        at[axis] = 0;
}

/* What is written of each bond; NULL for what is not wanted. */
typedef struct listing {
    uint32_t (*ends)[2];
    double *couplings;
    uint32_t *crossings;
} listing;

/* Lists the bonds, one kind after the other. */
static clup_status list_bonds(const cell *of, uint64_t cells, const listing *to)
{
    clup_status status = CLUP_OK;
    uint64_t edge = 0, ahead;
    uint32_t crossing;
    for (unsigned k = 0; k < of->bonds; k++) {
        const cell_bond *bond = &of->bond[k];
        uint32_t at[AXES_MOST] = {0};
        for (uint64_t from = 0; from < cells; from++, step(of, at)) {
            CLUP_TRY(clup_watch_ask_at(from));
            if (!cell_ahead(of, bond, at, &ahead, &crossing))
                continue;
            if (to->ends != NULL) {
                to->ends[edge][0] = (uint32_t)(of->sites * from + bond->from);
                to->ends[edge][1] = (uint32_t)(of->sites * ahead + bond->to);
            }
            if (to->couplings != NULL)
                to->couplings[edge] = bond->coupling;
            if (to->crossings != NULL)
                to->crossings[edge] = crossing;
            edge++;
        }
    }
done:
    return status;
}

static clup_status make(const cell *of, const clup_graph **out)
{
    const uint64_t cells = cells_of(of, CLUP_SITES_32 / of->sites);
    uint64_t edges = 0;
    uint32_t(*ends)[2] = NULL;
    double *couplings = NULL;
    char called[256];
    clup_graph_extras extras = {0};
    clup_status status = CLUP_OK;
    call(of, called, sizeof called);
    if (cells > CLUP_SITES_32 / of->sites)
        return clup_fail(CLUP_ERROR_USAGE, "%s: more than %u sites", called, CLUP_SITES_32);
    for (unsigned k = 0; k < of->bonds; k++)
        edges += count_bonds(of, &of->bond[k]);
    if (edges > CLUP_SITES_32 || edges == 0)
        return clup_fail(CLUP_ERROR_USAGE, "%s: %llu bonds, not 1 to %u", called,
                         (unsigned long long)edges, CLUP_SITES_32);
    bool differ = false;
    for (unsigned k = 0; k < of->bonds; k++)
        differ = differ || of->bond[k].coupling != 1;
    if ((ends = malloc(edges * sizeof *ends)) == NULL ||
        (differ && (couplings = malloc(edges * sizeof *couplings)) == NULL) ||
        (extras.called = strdup(called)) == NULL || (extras.text = text_of(of)) == NULL)
        CLUP_TRY(clup_fail_memory("the lattice"));
    CLUP_TRY(list_bonds(of, cells, &(listing){ends, couplings, NULL}));
    if (differ)
        CLUP_TRY(clup_bond_couplings_make(couplings, 1, edges, &extras.couplings));
    status = clup_graph_keep(cells * of->sites, edges, ends, &extras, out);
    ends = NULL;
    extras = (clup_graph_extras){0};
done:
    free(ends);
    free(couplings);
    free(extras.called);
    free(extras.text);
    return status;
}

/* ---- from texts ------------------------------------------------------------------------------ */

/* Reads the text of a lattice. */
static clup_status read_text(const char *text, cell *to)
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

clup_status clup_graph_of_text(const char *text, const clup_graph **out)
{
    cell of = {0};
    const clup_status status = read_text(text, &of);
    *out = NULL;
    return status == CLUP_OK ? make(&of, out) : status;
}

clup_status clup_graph_axes_of(const clup_graph *graph, clup_graph_axes *axes)
{
    cell of = {0};
    *axes = (clup_graph_axes){0};
    if (graph->extras.text == NULL)
        return CLUP_OK;
    const clup_status status = read_text(graph->extras.text, &of);
    axes->count = of.axes;
    axes->open = ((1u << of.axes) - 1) & ~of.periodic;
    for (unsigned axis = 0; axis < of.axes; axis++)
        axes->single |= (unsigned)(of.size[axis] == 1) << axis & axes->open;
    return status;
}

clup_status clup_graph_windings(const clup_graph *graph, uint32_t *crossings, uint32_t *ends)
{
    cell of = {0};
    clup_status status = read_text(graph->extras.text, &of);
    CLUP_TRY(status);
    const uint64_t cells = graph->vertices / of.sites;
    uint32_t at[AXES_MOST] = {0};
    CLUP_TRY(list_bonds(&of, cells, &(listing){NULL, NULL, crossings}));
    for (uint64_t k = 0; k < cells && ends != NULL; k++, step(&of, at)) {
        uint32_t here = 0;
        for (unsigned axis = 0; axis < of.axes; axis++)
            if (!(of.periodic >> axis & 1))
                here |= (uint32_t)((at[axis] == 0) | (at[axis] + 1 == of.size[axis]) << 1)
                        << 2 * axis;
        for (unsigned s = 0; s < of.sites; s++)
            ends[of.sites * k + s] = here;
    }
done:
    return status;
}

/* Reads the cell of a file. */
static clup_status read_file(const char *path, cell *to)
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

/* Makes the cell of one site with a bond along each axis. */
static void make_hypercubic(unsigned axes, cell *to)
{
    strcpy(to->name, "hypercubic");
    to->axes = to->bonds = axes;
    to->sites = 1;
    for (unsigned axis = 0; axis < axes; axis++) {
        to->bond[axis].offset[axis] = 1;
        to->bond[axis].coupling = 1;
    }
}

clup_status clup_graph_of_lattice(const char *lattice, const uint32_t *size, unsigned axes,
                                  unsigned open, const clup_graph **out)
{
    CLUP_NEED(lattice);
    CLUP_NEED(size);
    CLUP_NEED(out);
    cell of = {0};
    clup_status status = CLUP_OK;
    *out = NULL;
    if (axes < 1 || axes > AXES_MOST)
        return clup_fail(CLUP_ERROR_USAGE, "a lattice of %u axes: there are those of 1 to %d", axes,
                         AXES_MOST);
    if (strcmp(lattice, "hypercubic") == 0)
        make_hypercubic(axes, &of);
    else
        CLUP_TRY(read_file(lattice, &of));
    if (of.axes != axes && axes > 1)
        return clup_fail(CLUP_ERROR_USAGE, "a size along %u axes: '%.300s' has %u", axes, lattice,
                         of.axes);
    for (unsigned axis = 0; axis < of.axes; axis++) {
        of.size[axis] = size[axes > 1 ? axis : 0];
        if (of.size[axis] == 0)
            return clup_fail(CLUP_ERROR_USAGE, "a size of 0 cells along axis %u", axis);
    }
    if (open >> of.axes != 0)
        return clup_fail(CLUP_ERROR_USAGE, "an axis is open that '%.300s', of %u axes, has not",
                         lattice, of.axes);
    of.periodic = ((1u << of.axes) - 1) & ~open;
    CLUP_TRY(make(&of, out));
done:
    return status;
}
