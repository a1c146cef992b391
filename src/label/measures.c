/* The table of what measures: spins and clusters of a sweep, clusters that wrap, clusters of an
 * image. */
#include "label/label.h"
#include "label/wraps_pairs.h"
#include "modes.clh"
#include "record.clh"

/* Sites of a lattice that is large, see record.clh. */
#define LARGE_SITES 65536u
/* What measurements that are not yet records may take, of a slot more than one. */
#define SLOTS_BYTES_MOST ((uint64_t)1 << 26)

uint32_t clup_measure_format(const lattice_args *lattice, unsigned q, clup_algorithm algorithm,
                             uint32_t groups)
{
    const bool all = algorithm == CLUP_SWENDSEN_WANG;
    return (clup_lattice_sites(lattice) >= LARGE_SITES ? RECORD_LARGE : 0) |
           (all ? groups : groups & ~RECORD_CLUSTERS) | (all ? 0 : RECORD_UPDATED) |
           (q > 2 ? RECORD_STATES : 0);
}

uint32_t clup_measure_all(const clup_state *state)
{
    return clup_measure_format(&state->lattice, state->q, state->method.algorithm,
                               RECORD_CLUSTERS | RECORD_BESIDES);
}

/* Bytes of a slot: of what was counted of spins, or of clusters. */
static uint64_t slot_bytes(const clup_state *state, unsigned which)
{
    const uint64_t groups = state->replicas * clup_measure_groups(state);
    const uint64_t bytes[CLUP_PASS_SCRATCH] = {
        [CLUP_SPIN_SUMS] = groups * (SPIN_SUMS + state->q) * sizeof(cl_uint),
        [CLUP_CLUSTER_SUMS] = groups * CLUSTER_SUMS * sizeof(cl_ulong),
    };
    return bytes[which];
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

unsigned clup_measure_slots(const clup_state *state)
{
    const uint64_t record = (uint64_t)state->replicas * sizeof(cl_uint) *
                            record_words(clup_measure_all(state)),
                   counts = larger(slot_bytes(state, CLUP_SPIN_SUMS),
                                   slot_bytes(state, CLUP_CLUSTER_SUMS)),
                   room = smaller(state->context->max_alloc / larger(record, counts),
                                  SLOTS_BYTES_MOST / counts);
    return (unsigned)larger(1, smaller(room, clup_records_most(state->replicas)));
}

static uint64_t counts_scratch(const clup_pass *pass, unsigned which)
{
    return clup_measure_slots(pass->state) * slot_bytes(pass->state, which);
}

/* Local memory of measure_record, one of those that do not depend on the device. */
static uint64_t record_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile;
    return 8 * (SPIN_SUMS + (uint64_t)q + CLUSTER_SUMS);
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
    return larger(4 * SIZE_CLASSES + 8 * (SIZE_SUMS + 1), tile_bytes(tile));
}

static uint64_t modes_scratch(const clup_pass *pass, unsigned which)
{
    const clup_state *state = pass->state;
    return which == 0 ? state->replicas * clup_measure_groups(state) * state->q * MODE_SUMS *
                            sizeof(cl_long)
                      : 0;
}

/* With the least of work-items. */
static uint64_t modes_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return sizeof(cl_long);
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
        if (row->group == 0 && clup_row_is_for(row, model) && clup_row_suits(row, layout) &&
            (periodic || !row->across))
            return row;
    return NULL;
}

const clup_row *clup_measure_group_row(uint32_t group, const clup_layout *layout)
{
    for (const clup_row *row = rows; row < rows + sizeof rows / sizeof *rows; row++)
        if (row->group == group && clup_row_suits(row, layout))
            return row;
    return NULL;
}
