/* What counts spins and clusters after a sweep, see observe/measure.c, which launches it. */
#include "label/label.h"

#include <string.h>

static uint64_t scratch(const clup_pass *pass, unsigned which)
{
    const clup_state *state = pass->state;
    const uint64_t groups = state->replicas * clup_measure_groups(state);
    const uint64_t bytes[CLUP_PASS_SCRATCH] = {
        [CLUP_SPIN_SUMS] = groups * (SPIN_SUMS + state->q) * sizeof(cl_uint),
        [CLUP_CLUSTER_SUMS] = groups * CLUSTER_SUMS * sizeof(cl_ulong),
    };
    return bytes[which];
}

/* Local memory of measure_record, one of those that do not depend on the device. */
static uint64_t record_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile;
    return 8 * (SPIN_SUMS + (uint64_t)q + CLUSTER_SUMS);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* That of measure_clusters. */
static uint64_t tile_bytes(const unsigned tile[3])
{
    return 4 * (uint64_t)tile[0] * tile[1] * tile[2];
}

static uint64_t sweep_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    return larger(record_bytes(lattice, tile, q), tile_bytes(tile));
}

/* Percolation's: measure_clusters, and action_sizes with the least of groups. */
uint64_t clup_sizes_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)q;
    return larger(4 * SIZE_CLASSES + 8 * SIZE_SUMS, tile_bytes(tile));
}

#define SPINS_COUNTED {"measure_spins", "measure_spins", CLUP_GRID_COUNTERS, {VALUE(LATTICE), READS(SPINS), WRITES(SCRATCH_0)}}
/* Given are the groups that counted, the place of the record, and the records. */
#define RECORDED {"measure_record", "measure_record", CLUP_GRID_ONE_COUNTER, {GIVEN, GIVEN, READS(SCRATCH_0), READS(SCRATCH_1), CHANGES(UPDATED), GIVEN}}

/* From labels, and from what sweeps of the border layout have counted. */
static const clup_row rows[] = {
    {
        .name = "measuring",
        .about = "energy, magnetisation, number of clusters, largest cluster",
        .stage = CLUP_MEASURE,
        .replicas = true,
        .scratch = scratch,
        .local_bytes = sweep_bytes,
        .kernels = {SPINS_COUNTED,
                    {"measure_clusters", "measure_clusters", CLUP_GRID_TILE_COUNTERS, {VALUE(LATTICE), CHANGES(LABELS)}},
                    {"measure_largest", "measure_largest", CLUP_GRID_COUNTERS, {VALUE(LATTICE), READS(LABELS), WRITES(SCRATCH_1)}},
                    RECORDED},
    },
    {
        .name = "measuring",
        .about = "the same when the sweep has counted its clusters",
        .stage = CLUP_MEASURE,
        .replicas = true,
        .layout = "border",
        .shape = clup_border_tile,
        .scratch = scratch,
        .local_bytes = record_bytes,
        .kernels = {SPINS_COUNTED,
                    {"measure_border", "measure_border_sizes", CLUP_GRID_COUNTERS, {VALUE(TILES), READS(EDGES), READS(NODES), CHANGES(NODE_SIZES)}},
                    {"measure_border", "measure_border", CLUP_GRID_COUNTERS, {VALUE(TILES), READS(EDGES), READS(NODES), READS(NODE_SIZES), WRITES(SCRATCH_1)}},
                    RECORDED},
    },
};

const clup_row *clup_measure_row(const clup_layout *layout)
{
    return &rows[strcmp(layout->name, "border") == 0];
}
