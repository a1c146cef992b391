/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes graphs of lattices: a cell of sites and bonds, again and again along up to eight axes. */
#include "core/cell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "clup/graph.h"
#include "core/bond_couplings.h"
#include "graph/graph_sizes.clh"
#include "program.h"

/* Writes what people call the lattice, such as "hypercubic 8x8x8x8, periodic". */
static void call(const clup_cell *of, char *called, size_t room)
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
static uint64_t cells_of(const clup_cell *of, uint64_t most)
{
    uint64_t cells = 1;
    for (unsigned axis = 0; axis < of->axes; axis++)
        cells = cells > most / of->size[axis] ? most + 1 : cells * of->size[axis];
    return cells;
}

/* Returns how many bonds of this kind there are: from each cell one but at open ends. */
static uint64_t count_bonds(const clup_cell *of, const clup_cell_bond *bond)
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
static bool cell_ahead(const clup_cell *of, const clup_cell_bond *bond, const uint32_t *at,
                       uint64_t *ahead, uint32_t *crossing)
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
static void step(const clup_cell *of, uint32_t *at)
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
static clup_status list_bonds(const clup_cell *of, uint64_t cells, const listing *to)
{
    clup_status status = CLUP_OK;
    uint64_t edge = 0, ahead;
    uint32_t crossing;
    for (unsigned k = 0; k < of->bonds; k++) {
        const clup_cell_bond *bond = &of->bond[k];
        uint32_t at[CLUP_CELL_AXES] = {0};
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

static clup_status make(const clup_cell *of, const clup_graph **out)
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
        (extras.called = strdup(called)) == NULL || (extras.text = clup_cell_text(of)) == NULL ||
        (extras.cell = malloc(sizeof *extras.cell)) == NULL)
        CLUP_TRY(clup_fail_memory("the lattice"));
    *extras.cell = *of;
    CLUP_TRY(list_bonds(of, cells, &(listing){ends, couplings, NULL}));
    if (differ)
        CLUP_TRY(clup_bond_couplings_make(couplings, 1, edges, &extras.couplings));
    status = clup_graph_keep(cells * of->sites, edges, ends, &extras, out);
    ends = NULL;
    extras = (clup_graph_extras){0};
done:
    free(ends);
    free(couplings);
    clup_graph_extras_clear(&extras);
    return status;
}

clup_status clup_graph_of_text(const char *text, const clup_graph **out)
{
    clup_cell of = {0};
    const clup_status status = clup_cell_parse(text, &of);
    *out = NULL;
    return status == CLUP_OK ? make(&of, out) : status;
}

unsigned clup_graph_axes(const clup_graph *graph)
{
    return graph != NULL && graph->extras.cell != NULL ? graph->extras.cell->axes : 0;
}

bool clup_graph_same_law(const clup_graph *one, const clup_graph *other)
{
    if (one == other)
        return true;
    if (one == NULL || other == NULL)
        return false;
    if (one->extras.cell == NULL || other->extras.cell == NULL)
        return one->extras.cell == other->extras.cell;
    clup_cell a = *one->extras.cell, b = *other->extras.cell;
    memset(a.size, 0, sizeof a.size);
    memset(b.size, 0, sizeof b.size);
    char *const texts[] = {clup_cell_text(&a), clup_cell_text(&b)};
    const bool same = texts[0] != NULL && texts[1] != NULL && strcmp(texts[0], texts[1]) == 0;
    free(texts[0]);
    free(texts[1]);
    return same;
}

clup_status clup_cell_windings(const clup_cell *of, uint32_t *crossings, uint32_t *ends)
{
    const uint64_t cells = cells_of(of, UINT64_MAX - 1);
    uint32_t at[CLUP_CELL_AXES] = {0};
    clup_status status = list_bonds(of, cells, &(listing){NULL, NULL, crossings});
    for (uint64_t k = 0; k < cells && ends != NULL && status == CLUP_OK; k++, step(of, at)) {
        uint32_t here = 0;
        for (unsigned axis = 0; axis < of->axes; axis++)
            if (!(of->periodic >> axis & 1))
                here |= (uint32_t)((at[axis] == 0) | (at[axis] + 1 == of->size[axis]) << 1)
                        << 2 * axis;
        for (unsigned s = 0; s < of->sites; s++)
            ends[of->sites * k + s] = here;
    }
    return status;
}

uint64_t clup_cell_crossing(const clup_cell *of)
{
    clup_cell open = *of;
    uint64_t crossing = 0;
    open.periodic = 0;
    for (unsigned k = 0; k < of->bonds; k++)
        crossing += count_bonds(of, &of->bond[k]);
    for (unsigned k = 0; k < of->bonds; k++)
        crossing -= count_bonds(&open, &of->bond[k]);
    return crossing;
}

uint64_t clup_cell_at_ends(const clup_cell *of)
{
    const uint64_t cells = cells_of(of, UINT64_MAX - 1);
    uint64_t inside = 1;
    for (unsigned axis = 0; axis < of->axes; axis++) {
        const uint64_t size = of->size[axis];
        inside *= of->periodic >> axis & 1 ? size : size > 2 ? size - 2 : 0;
    }
    return of->sites * (cells - inside);
}

clup_status clup_graph_smaller(const clup_graph *of, uint64_t sites, const clup_graph **out)
{
    clup_cell small = *of->extras.cell;
    uint32_t longest = 0, length = 3; /* longer than any bond */
    for (unsigned axis = 0; axis < small.axes; axis++)
        longest = small.size[axis] > longest ? small.size[axis] : longest;
    do {
        for (unsigned axis = 0; axis < small.axes; axis++) {
            const uint32_t size = of->extras.cell->size[axis];
            small.size[axis] = size < length ? size : length;
        }
    } while (length++ < longest && small.sites * cells_of(&small, sites) < sites);
    return make(&small, out);
}

/* Makes the cell of one site with a bond along each axis. */
static void make_hypercubic(unsigned axes, clup_cell *to)
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
    clup_cell of = {0};
    clup_status status = CLUP_OK;
    *out = NULL;
    if (axes < 1 || axes > CLUP_CELL_AXES)
        return clup_fail(CLUP_ERROR_USAGE, "a lattice of %u axes: there are those of 1 to %d", axes,
                         CLUP_CELL_AXES);
    if (strcmp(lattice, "hypercubic") == 0)
        make_hypercubic(axes, &of);
    else
        CLUP_TRY(clup_cell_read(lattice, &of));
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
