/* SPDX-License-Identifier: BSD-3-Clause */
/* Reference of percolation: a union-find over the sites with displacements. When a bond closes a
 * cycle, the difference of the displacements along the two ways tells whether the cycle winds
 * around an axis. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "core/cell.h"
#include "plan/tables.h"
#include "update/percolation.h"

clup_status clup_percolation_reference_create(const clup_problem *problem, uint64_t seed,
                                              clup_percolation_reference *reference)
{
    clup_host *host = &reference->host;
    *reference = (clup_percolation_reference){
        .host = {.lattice = clup_lattice_args(problem), .model = problem->model},
        .key = clup_random_key(seed, problem->first_replica, 0)};
    const clup_setting setting = {.lattice = host->lattice,
                                  .q = clup_problem_states(problem),
                                  .tile = {32, 32, 1},
                                  .model = problem->model};
    reference->draw = clup_table_serial(CLUP_SOURCE, NULL, &setting);
    const uint64_t sites = clup_lattice_sites(&host->lattice), edges = clup_graph_edges(problem);
    const clup_cell *cell = problem->graph != NULL ? problem->graph->extras.cell : NULL;
    clup_status status = clup_graph_need(problem);
    if (status != CLUP_OK)
        return status;
    if (sites > CLUP_SITES_32)
        return clup_fail(CLUP_ERROR_USAGE, "the serial reference has at most %u sites",
                         CLUP_SITES_32);
    host->spins = calloc(sites, 1);
    host->bonds = calloc(edges > sites ? edges : sites,
                         clup_lattice_of(&host->lattice)->directions);
    host->laws = (clup_laws){.edges = edges,
                             .ends = problem->graph != NULL ? problem->graph->ends : NULL};
    reference->axes = problem->graph == NULL ? clup_lattice_of(&host->lattice)->axes
                      : cell != NULL         ? cell->axes
                                             : 0;
    host->sizes = malloc(sites * sizeof *host->sizes);
    reference->parents = malloc(sites * sizeof *reference->parents);
    reference->displacements = malloc((sites * reference->axes + 1) *
                                      sizeof *reference->displacements);
    reference->ends = malloc(sites * sizeof *reference->ends);
    if (cell != NULL) {
        reference->crossings = malloc(edges * sizeof *reference->crossings);
        reference->own_ends = malloc(sites * sizeof *reference->own_ends);
    }
    if (host->spins != NULL && host->bonds != NULL && host->sizes != NULL &&
        reference->parents != NULL && reference->displacements != NULL && reference->ends != NULL &&
        (cell == NULL || (reference->crossings != NULL && reference->own_ends != NULL)))
        status = cell != NULL ? clup_cell_windings(cell, reference->crossings, reference->own_ends)
                              : CLUP_OK;
    else
        status = clup_fail_memory("the serial reference");
    if (status != CLUP_OK)
        clup_percolation_reference_clear(reference);
    return status;
}

void clup_percolation_reference_clear(clup_percolation_reference *reference)
{
    free(reference->host.spins);
    free(reference->host.bonds);
    free(reference->parents);
    free(reference->host.sizes);
    free(reference->displacements);
    free(reference->ends);
    free(reference->crossings);
    free(reference->own_ends);
    *reference = (clup_percolation_reference){0};
}

/* Returns the root of a site, and sets from_root[axes] to the displacement of the site from it.
 * Halves paths. */
static uint32_t find(clup_percolation_reference *reference, uint32_t i, int64_t *from_root)
{
    uint32_t *parents = reference->parents;
    const unsigned axes = reference->axes;
    memset(from_root, 0, axes * sizeof *from_root);
    while (parents[i] != i) {
        const uint32_t up = parents[i];
        int64_t *const own = reference->displacements + (uint64_t)i * axes;
        const int64_t *const above = reference->displacements + (uint64_t)up * axes;
        for (unsigned axis = 0; axis < axes; axis++) {
            if (parents[up] != up)
                own[axis] += above[axis];
            from_root[axis] += own[axis];
        }
        i = parents[i] = parents[up];
    }
    return i;
}

/* Unites the clusters of a site and its neighbour, so many steps away along each axis; or of the
 * ends of an edge, which lie so many boxes of the lattice apart. Returns the axes, as bits, around
 * which the bond closes a cycle. */
static unsigned join(clup_percolation_reference *reference, uint32_t i, uint32_t neighbour,
                     const int *steps)
{
    int64_t a[WINDING_AXES], b[WINDING_AXES];
    const uint32_t root_a = find(reference, i, a), root_b = find(reference, neighbour, b);
    unsigned wraps = 0;
    for (unsigned axis = 0; axis < reference->axes; axis++) {
        const int64_t way = a[axis] + steps[axis] - b[axis];
        if (root_a == root_b)
            wraps |= (unsigned)(way != 0) << axis;
        else
            reference->displacements[(uint64_t)root_b * reference->axes + axis] = way;
    }
    if (root_a != root_b) {
        reference->parents[root_b] = root_a;
        reference->host.sizes[root_a] += reference->host.sizes[root_b];
        reference->ends[root_a] |= reference->ends[root_b];
    }
    return wraps;
}

/* Returns the ends of open axes at which a site lies, as bits. */
static uint16_t ends_of(const lattice_args *lattice, uint64_t i)
{
    const uint64_t row = i / lattice->nx,
                   at[3] = {i % lattice->nx, row % lattice->ny, row / lattice->ny};
    unsigned ends = 0;
    for (unsigned axis = 0; axis < clup_lattice_of(lattice)->axes; axis++)
        if (!(lattice->periodic >> axis & 1))
            ends |= (unsigned)((at[axis] == 0) | (at[axis] + 1 == lattice_size(*lattice, axis))
                                                     << 1)
                    << 2 * axis;
    return (uint16_t)ends;
}

static unsigned spans(uint16_t ends)
{
    unsigned axes = 0;
    for (unsigned axis = 0; axis < WINDING_AXES; axis++)
        axes |= (unsigned)((ends >> 2 * axis & 3) == 3) << axis;
    return axes;
}

/* Join the clusters at both ends of every active bond of a lattice, and of a graph. */
static clup_status join_sites(clup_percolation_reference *reference, unsigned *wraps)
{
    const lattice_args *lattice = &reference->host.lattice;
    const clup_lattice *of = clup_lattice_of(lattice);
    const uint64_t sites = clup_lattice_sites(lattice);
    uint64_t neighbour;
    clup_status status = CLUP_OK;
    for (unsigned d = 0; d < of->directions; d++) {
        const int steps[3] = {of->offsets[d].x, of->offsets[d].y, of->offsets[d].z};
        for (uint64_t i = 0; i < sites; i++) {
            CLUP_TRY(clup_watch_ask_at(i));
            if (reference->host.bonds[d * sites + i] &&
                clup_lattice_forward(lattice, d, (uint32_t)(i % lattice->nx),
                                     (uint32_t)(i / lattice->nx), &neighbour))
                *wraps |= join(reference, (uint32_t)i, (uint32_t)neighbour, steps);
        }
    }
done:
    return status;
}

static clup_status join_edges(clup_percolation_reference *reference, unsigned *wraps)
{
    const clup_laws *laws = &reference->host.laws;
    clup_status status = CLUP_OK;
    for (uint64_t e = 0; e < laws->edges; e++) {
        int steps[WINDING_AXES];
        CLUP_TRY(clup_watch_ask_at(e));
        for (unsigned axis = 0; axis < reference->axes; axis++)
            steps[axis] = clup_winds(reference->crossings[e], axis);
        if (reference->host.bonds[e])
            *wraps |= join(reference, laws->ends[e][0], laws->ends[e][1], steps);
    }
done:
    return status;
}

clup_status clup_percolation_reference_measure(clup_percolation_reference *reference,
                                               clup_percolation_sample *sample)
{
    const lattice_args *lattice = &reference->host.lattice;
    const clup_laws *laws = &reference->host.laws;
    const uint64_t sites = clup_lattice_sites(lattice);
    clup_status status = CLUP_OK;
    *sample = (clup_percolation_sample){0};
    for (uint64_t i = 0; i < sites; i++) {
        reference->parents[i] = (uint32_t)i;
        reference->host.sizes[i] = 1;
        reference->ends[i] = laws->edges == 0              ? ends_of(lattice, i)
                             : reference->own_ends != NULL ? (uint16_t)reference->own_ends[i]
                                                           : 0;
    }
    CLUP_TRY((laws->edges > 0 ? join_edges : join_sites)(reference, &sample->wraps));
    for (uint64_t i = 0; i < sites; i++) {
        const uint64_t size = reference->host.sizes[i];
        if (reference->parents[i] != i || reference->host.spins[i])
            continue;
        sample->wraps |= spans(reference->ends[i]);
#define ROW(NAME, OP, VALUE) sample->sizes.NAME = counted_##OP(sample->sizes.NAME, VALUE);
        SIZE_COUNTS(ROW)
#undef ROW
        unsigned k = 0;
        while (size >> k > 1)
            k++;
        sample->sizes.classes[k]++;
    }
done:
    return status;
}

clup_status clup_percolation_reference_draw(clup_percolation_reference *reference, double p,
                                            uint64_t number, clup_percolation_sample *sample)
{
    reference->host.key = later_key(reference->key, number);
    reference->host.laws.classes = 1;
    reference->host.laws.of[0] = clup_law_of_probability(p);
    const clup_status status = reference->draw(&reference->host);
    return status == CLUP_OK ? clup_percolation_reference_measure(reference, sample) : status;
}
