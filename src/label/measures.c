/* The table of what measures: spins and clusters of a sweep, clusters that wrap, clusters of an
 * image. */
#include "label/label.h"
#include "label/wraps_pairs.h"

static uint64_t counts_scratch(const clup_pass *pass, unsigned which)
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

/* Of the least table, see action_measure.cl. */
static uint64_t table_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 1024;
}

static const clup_row rows[] = {
/* clang-format off */
#define MEASURE(NAME, ABOUT, ...) \
    {.name = #NAME, .about = ABOUT, .stage = CLUP_MEASURE, __VA_ARGS__},
/* clang-format on */
#include "label/measure.def"
};

const clup_row *clup_measure_row(clup_model model, const clup_layout *layout, bool periodic)
{
    for (const clup_row *row = rows; row < rows + sizeof rows / sizeof *rows; row++)
        if (clup_row_is_for(row, model) && clup_row_suits(row, layout) &&
            (periodic || !row->across))
            return row;
    return NULL;
}
