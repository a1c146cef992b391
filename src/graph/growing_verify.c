/* SPDX-License-Identifier: BSD-3-Clause */
/* The known-answer test of clusters that grow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/lattice.h"
#include "core/cell.h"
#include "graph/growing.h"

#define SAMPLES 3u
#define VERTICES 75u
#define EDGES 120u

/* Makes a small network of the same kind. */
static clup_status small(const clup_problem *problem, bool of_sites, clup_network *network)
{
    uint32_t pairs[EDGES][2];
    const clup_cell *cell = problem != NULL && problem->graph != NULL ? problem->graph->extras.cell
                                                                      : NULL;
    if (cell != NULL) {
        static const uint32_t size[] = {4, 3, 3, 2, 2, 2, 2, 2};
        const unsigned open = ((1u << cell->axes) - 1) & ~cell->periodic;
        clup_problem few = *problem;
        const clup_status status = clup_graph_of_lattice("hypercubic", size, cell->axes, open,
                                                         &few.graph);
        return status == CLUP_OK ? clup_network_of_problem(&few, network) : status;
    }
    if (problem != NULL && problem->graph == NULL) {
        clup_problem few = *problem;
        const uint32_t size[3] = {12, 10, clup_lattice_axes(problem->lattice) > 2 ? 4 : 1};
        memcpy(few.size, size, sizeof size);
        clup_lattice_fit(problem->lattice, few.size);
        return clup_network_of_problem(&few, network);
    }
    for (uint32_t e = 0; e < EDGES; e++) {
        const philox_block drawn = random_block((random_key){0}, 0, e, 0);
        pairs[e][0] = drawn.v[0] % VERTICES;
        pairs[e][1] = drawn.v[1] % VERTICES;
    }
    const clup_ends ends = {
        .ends = pairs, .dtype = CLUP_DTYPE_U32, .vertices = VERTICES, .edges = EDGES};
    return clup_network_of_edges(&ends, of_sites, network);
}

static clup_status compare(clup_context *context, const clup_network *network)
{
    const uint64_t length = network->steps + 1, wraps = (uint64_t)SAMPLES * network->axes + 1;
    clup_change *changes = calloc(2 * length, sizeof *changes);
    uint32_t *wrapped = calloc(2 * wraps, sizeof *wrapped);
    clup_growing *growth = NULL;
    clup_status status = CLUP_OK;
    if (changes == NULL || wrapped == NULL)
        CLUP_TRY(clup_fail_memory("a known-answer test"));
    CLUP_TRY(clup_growing_serial(network, (random_key){0}, 0, SAMPLES, changes, wrapped));
    CLUP_TRY(clup_growing_create(context, network, (random_key){0}, 1, SAMPLES, &growth));
    for (uint32_t first = 0; first < SAMPLES; first += clup_growing_sets(growth)) {
        const uint32_t sets = clup_growing_sets(growth),
                       count = SAMPLES - first < sets ? SAMPLES - first : sets;
        CLUP_TRY(clup_growing_run(growth, first, count));
        for (uint32_t set = 0; set < count; set++)
            CLUP_TRY(clup_growing_read(growth, set, 1, changes + length,
                                       wrapped + wraps + (uint64_t)(first + set) * network->axes));
    }
    if (memcmp(changes, changes + length, length * sizeof *changes) != 0 ||
        memcmp(wrapped, wrapped + wraps, wraps * sizeof *wrapped) != 0)
        CLUP_TRY(clup_fail(CLUP_ERROR_VERIFY, "%s lets other clusters grow than the host",
                           context->device.info.name));
done:
    clup_growing_free(growth);
    free(changes);
    free(wrapped);
    return status;
}

clup_status clup_growing_verify(clup_context *context, const clup_problem *problem, bool of_sites)
{
    clup_text *verified = &context->verified;
    clup_network network = {0};
    char name[64];
    clup_status status = CLUP_OK;
    CLUP_TRY(small(problem, of_sites, &network));
    snprintf(name, sizeof name, "graph_grow %u %d %d\n", network.axes, network.open, of_sites);
    if (verified->length > 0 && strstr(verified->data, name) != NULL)
        goto done;
    CLUP_TRY(compare(context, &network));
    clup_text_add_bytes(verified, name, strlen(name));
    (void)clup_text_ok(verified);
done:
    clup_network_clear(&network);
    return status;
}
