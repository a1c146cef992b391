/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the bonds of lattices and graphs that percolate. */
#include "graph/network.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "core/cell.h"
#include "core/lattice.h"

void clup_network_clear(clup_network *network)
{
    free(network->present);
    free(network->edges);
    free(network->crossings);
    free(network->rows);
    free(network->ends);
    *network = (clup_network){0};
}

/* Allocates what both kinds have, when vertices, words and directions are known. Bonds are at their
 * indices at first, for sites too, which need them by vertices in the end. */
static clup_status allocate(clup_network *network)
{
    const uint64_t indices = 32 * network->words * network->directions;
    if (network->vertices >= ROOT_BIT)
        return clup_fail(CLUP_ERROR_USAGE, "%" PRIu64 " sites are more than 2^31 - 1",
                         network->vertices);
    if (indices > UINT32_MAX / 2)
        return clup_fail(CLUP_ERROR_USAGE, "%" PRIu64 " bonds are more than 2^31 - 1", indices);
    network->edge_count = indices;
    network->present = calloc(network->words * network->directions + 1, sizeof *network->present);
    network->edges = malloc((indices + 1) * sizeof *network->edges);
    network->crossings = network->axes > 0 ? malloc((indices + 1) * sizeof *network->crossings)
                                           : NULL;
    if (network->open)
        network->ends = malloc((network->vertices + 1) * sizeof *network->ends);
    return network->present == NULL || network->edges == NULL ||
                   (network->axes > 0 && network->crossings == NULL) ||
                   (network->open && network->ends == NULL)
               ? clup_fail_memory("the bonds")
               : CLUP_OK;
}

/* Returns the crossing of a bond that is gone the other way. */
static uint32_t opposite(uint32_t crossing, unsigned axes)
{
    const uint32_t all = (1u << CROSSING_BITS) - 1;
    uint32_t back = 0;
    for (unsigned axis = 0; axis < axes; axis++)
        back |= ((0u - (crossing >> CROSSING_BITS * axis & all)) & all) << CROSSING_BITS * axis;
    return back;
}

static void mark(clup_network *network, uint64_t index)
{
    network->present[index / 32] |= 1u << index % 32;
}

/* Replaces bonds by the neighbours of each vertex, and marks sites in place of bonds: all but the
 * holes of rows of even and of odd numbers, as bits of any word. */
static clup_status neighbours(clup_network *network, const uint32_t holes[2])
{
    const uint64_t indices = network->edge_count, vertices = network->vertices,
                   words = network->nx > 0 ? vertices / network->nx * network->row_words : 0;
    uint64_t bonds = 0;
    for (uint64_t k = 0; k < network->words * network->directions; k++)
        bonds += (unsigned)__builtin_popcount(network->present[k]);
    uint32_t(*const edges)[2] = network->edges, *const crossings = network->crossings;
    uint32_t *const bits = network->present, *const present = malloc((words + 1) * sizeof *present);
    uint32_t(*const to)[2] = malloc((2 * bonds + 1) * sizeof *to);
    uint32_t *const rows = calloc(vertices + 2, sizeof *rows);
    const bool enough = present != NULL && to != NULL && rows != NULL;
    /* rows[v + 2] counts neighbours of v; then rows[v + 1] is where those of v begin, and as they
     * are written where they end */
    for (uint64_t b = 0; b < indices && enough; b++)
        for (unsigned end = 0; end < 2 && (bits[b / 32] >> b % 32 & 1); end++)
            rows[edges[b][end] + (uint64_t)2]++;
    for (uint64_t v = 2; v <= vertices + 1 && enough; v++)
        rows[v] += rows[v - 1];
    for (uint64_t b = 0; b < indices && enough; b++) {
        if (!(bits[b / 32] >> b % 32 & 1))
            continue;
        const uint32_t crossing = crossings != NULL ? crossings[b] : 0;
        uint32_t *const ahead = to[rows[edges[b][0] + (uint64_t)1]++];
        ahead[0] = edges[b][1];
        ahead[1] = crossing;
        uint32_t *const behind = to[rows[edges[b][1] + (uint64_t)1]++];
        behind[0] = edges[b][0];
        behind[1] = opposite(crossing, network->axes);
    }
    for (uint64_t k = 0; k < words && enough; k++) {
        const uint64_t left = network->nx - 32 * (k % network->row_words);
        present[k] = (left < 32 ? (1u << left) - 1 : UINT32_MAX) &
                     ~holes[k / network->row_words & 1];
    }
    free(edges);
    free(crossings);
    free(bits);
    network->edges = to;
    network->crossings = NULL;
    network->present = present;
    network->rows = rows;
    network->edge_count = 2 * bonds;
    network->words = words;
    network->directions = 1;
    return enough ? CLUP_OK : clup_fail_memory("the neighbours");
}

static void count_steps(clup_network *network)
{
    for (uint64_t k = 0; k < network->words * network->directions; k++)
        network->steps += (unsigned)__builtin_popcount(network->present[k]);
}

/* Returns how often the bond along d from a site winds around each axis. */
static uint32_t crossing_of(const lattice_args *lattice, unsigned d, uint32_t x, uint32_t row)
{
    const lattice_offset offset = clup_lattice_of(lattice)->offsets[d];
    const uint32_t at[3] = {x, row % lattice->ny, row / lattice->ny};
    uint32_t crossing = 0;
    for (unsigned axis = 0; axis < clup_lattice_of(lattice)->axes; axis++) {
        const int64_t to = (int64_t)at[axis] + step_along(offset, axis),
                      size = lattice_size(*lattice, axis);
        const int times = to < 0 ? -1 : to >= size ? 1 : 0;
        crossing |= ((uint32_t)times & ((1u << CROSSING_BITS) - 1)) << CROSSING_BITS * axis;
    }
    return crossing;
}

/* Begins a network of edges. cell is that of the lattice around whose axes they wind, NULL for a
 * graph, which winds around none. */
static clup_status begin_edges(uint64_t vertices, uint64_t edges, bool of_sites,
                               const clup_cell *cell, clup_network *network)
{
    *network = (clup_network){
        .of_sites = of_sites,
        .vertices = vertices,
        .sites = vertices,
        .axes = cell != NULL ? cell->axes : 0,
        .nx = (uint32_t)vertices,
        .row_words = (uint32_t)((vertices + 31) / 32),
        .words = (edges + 31) / 32,
        .directions = 1,
    };
    for (unsigned axis = 0; axis < network->axes; axis++) {
        const bool open = !(cell->periodic >> axis & 1);
        network->open = network->open || open;
        network->spanned |= (unsigned)(open && cell->size[axis] == 1) << axis;
    }
    return allocate(network);
}

/* Finishes it, once its edges are there. */
static clup_status finish_edges(uint64_t edges, clup_network *network)
{
    for (uint64_t e = 0; e < edges; e++)
        mark(network, e);
    const clup_status status = network->of_sites ? neighbours(network, (const uint32_t[2]){0})
                                                 : CLUP_OK;
    if (status == CLUP_OK)
        count_steps(network);
    return status;
}

/* Makes a network of a graph in place of a lattice. */
static clup_status of_graph(const clup_graph *graph, bool of_sites, clup_network *network)
{
    const clup_cell *cell = graph->extras.cell;
    clup_status status = begin_edges(graph->vertices, graph->edges, of_sites, cell, network);
    CLUP_TRY(status);
    memcpy(network->edges, graph->ends, graph->edges * sizeof *graph->ends);
    if (cell != NULL)
        CLUP_TRY(clup_cell_windings(cell, network->crossings, network->ends));
    CLUP_TRY(finish_edges(graph->edges, network));
done:
    return status;
}

clup_status clup_network_of_problem(const clup_problem *problem, clup_network *network)
{
    if (problem->graph != NULL) {
        const clup_status known = clup_graph_need(problem);
        *network = (clup_network){0};
        return known == CLUP_OK
                   ? of_graph(problem->graph, problem->model == CLUP_SITE_PERCOLATION, network)
                   : known;
    }
    const lattice_args lattice = clup_lattice_args(problem);
    const clup_lattice *of = clup_lattice_of(&lattice);
    const uint32_t holes[2] = {clup_lattice_row_holes(&lattice, 0),
                               clup_lattice_row_holes(&lattice, 1)};
    uint64_t neighbour;
    clup_status status = CLUP_OK;
    *network = (clup_network){
        .of_sites = problem->model == CLUP_SITE_PERCOLATION,
        .vertices = clup_lattice_sites(&lattice),
        .sites = clup_problem_real_sites(problem),
        .axes = of->axes,
        .nx = lattice.nx,
        .row_words = lattice.words,
        .words = clup_lattice_words(&lattice),
        .directions = of->directions,
    };
    for (unsigned axis = 0; axis < of->axes; axis++) {
        const bool open = !(lattice.periodic >> axis & 1);
        network->open = network->open || open;
        network->spanned |= (unsigned)(open && lattice_size(lattice, axis) == 1) << axis;
    }
    CLUP_TRY(allocate(network));
    for (uint32_t row = 0; row < lattice_rows(lattice); row++) {
        CLUP_TRY(clup_watch_ask());
        for (uint32_t x = 0; x < lattice.nx; x++)
            for (unsigned d = 0; d < of->directions; d++) {
                if (!clup_lattice_forward(&lattice, d, x, row, &neighbour))
                    continue;
                const uint64_t index = 32 * (lattice.words * ((uint64_t)row +
                                                              (uint64_t)d * lattice_rows(lattice)) +
                                             x / 32) +
                                       x % 32;
                network->edges[index][0] = x + lattice.nx * row;
                network->edges[index][1] = (uint32_t)neighbour;
                network->crossings[index] = crossing_of(&lattice, d, x, row);
                mark(network, index);
            }
        for (uint32_t x = 0; x < lattice.nx && network->open; x++) {
            const uint32_t at[3] = {x, row % lattice.ny, row / lattice.ny};
            uint32_t ends = 0;
            for (unsigned axis = 0; axis < of->axes; axis++)
                if (!(lattice.periodic >> axis & 1))
                    ends |= (uint32_t)((at[axis] == 0) |
                                       (at[axis] + 1 == lattice_size(lattice, axis)) << 1)
                            << 2 * axis;
            network->ends[x + lattice.nx * row] = ends;
        }
    }
    if (network->of_sites)
        CLUP_TRY(neighbours(network, holes));
    count_steps(network);
done:
    return status;
}

clup_status clup_network_of_edges(const clup_ends *ends, bool of_sites, clup_network *network)
{
    clup_status status = begin_edges(ends->vertices, ends->edges, of_sites, NULL, network);
    CLUP_TRY(status);
    CLUP_TRY(clup_ends_check(ends));
    if (ends->edges > 0)
        CLUP_TRY(clup_ends_take(ends, 0, ends->edges, network->edges));
    CLUP_TRY(finish_edges(ends->edges, network));
done:
    return status;
}
