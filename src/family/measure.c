/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring: formats of records, slots, and how kernels that measure are launched. */
#include "measure/overlap.clh"
#include "family/measure.h"

#include "core/couplings.h"
#include "core/matrix.h"
#include "core/vector.h"
#include "core/method.h"
#include "core/modes.clh"
#include "core/record.clh"
#include "core/sizes.clh"
#include "family/family.h"
#include "family/sites.h"
#include "measure/pairs.clh"
#include "measure/sublattices.clh"
#include "measure/twist.clh"

/* A lattice is large from this many sites on, see record.clh. */
#define LARGE_SITES 65536u
/* Most bytes of measurements that are not yet records, unless there is only one slot. */
#define SLOTS_BYTES_MOST ((uint64_t)1 << 26)
/* Most bytes of records. */
#define RECORDS_BYTES_MOST ((uint64_t)1 << 28)

uint32_t clup_measure_format(const lattice_args *lattice, unsigned q, uint64_t most_satisfied,
                             clup_algorithm algorithm, uint32_t groups)
{
    const bool large = clup_lattice_sites(lattice) >= LARGE_SITES || most_satisfied > UINT32_MAX ||
                       (groups & RECORD_DIRECTED) != 0;
    const bool clusters = algorithm == CLUP_SWENDSEN_WANG;
    uint32_t classes = 0;
    while ((groups & RECORD_SIZES) && clup_lattice_sites(lattice) >> classes > 0)
        classes++;
    return (large ? RECORD_LARGE : 0) | (clusters ? groups : groups & ~RECORD_CLUSTERS) |
           (clup_updates_all(algorithm) ? 0 : RECORD_UPDATED) | (q > 2 ? RECORD_STATES : 0) |
           RECORD_CLASSES(classes) |
           RECORD_PAIR_NUMBERS(groups & (RECORD_PAIRS | RECORD_COMMON) ? pair_place(*lattice, 3)
                                                                       : 0);
}

uint32_t clup_measure_format_of(const clup_problem *problem, clup_algorithm algorithm,
                                uint32_t groups)
{
    const lattice_args lattice = clup_lattice_args(problem);
    return clup_measure_format(
        &lattice, problem->q, clup_problem_most_satisfied(problem), algorithm,
        (groups & ~(RECORD_DIRECTED | RECORD_SPATIAL)) | clup_components_format(problem));
}

uint32_t clup_measure_all(const clup_state *state)
{
    return clup_measure_format(
        &state->lattice, state->q, state->most_satisfied, state->method.algorithm,
        (state->subdomain.count > 1 ? 0 : RECORD_CLUSTERS | RECORD_MODES | RECORD_SIGNED) |
            state->components_format);
}

uint64_t clup_measure_record_bytes(const clup_state *state, uint32_t format)
{
    return state->subdomain.count > 1 ? clup_subdomain_sums(state) * sizeof(cl_ulong)
                                      : sizeof(cl_uint) * record_words(format);
}

/* Returns the bytes of a slot: of sums of spins, or of clusters. */
static uint64_t slot_bytes(const clup_state *state, unsigned which)
{
    const uint64_t groups = state->replicas * clup_measure_groups(state);
    const uint64_t bytes[CLUP_PREPARED_SCRATCH] = {
        [CLUP_SPIN_SUMS] = groups * (state->spin_sums + state->q) * sizeof(cl_uint),
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

unsigned clup_measure_slots(const clup_state *state, uint32_t format)
{
    const uint64_t record = state->replicas * clup_measure_record_bytes(state, format),
                   counts = larger(slot_bytes(state, CLUP_SPIN_SUMS),
                                   slot_bytes(state, CLUP_CLUSTER_SUMS)),
                   room = smaller(smaller(state->context->max_alloc, RECORDS_BYTES_MOST) /
                                      larger(record, counts),
                                  SLOTS_BYTES_MOST / counts);
    return (unsigned)larger(1, smaller(room, clup_records_most(state->replicas)));
}

uint64_t clup_counts_scratch(const clup_prepared *prepared, unsigned which)
{
    return clup_measure_slots(prepared->state, clup_measure_all(prepared->state)) *
           slot_bytes(prepared->state, which);
}

/* Returns the local memory of measure_record that does not depend on the device, for the largest
 * number of classes of bonds. */
uint64_t clup_record_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)tile;
    const uint64_t classes = clup_lattice_of(lattice)->directions;
    /* vectors have one state */
    return 8 * ((q == 1 ? VECTOR_SUMS : larger(classes, MATRIX_SUMS)) + q + CLUSTER_SUMS);
}

/* Returns the local memory of measure_clusters. */
static uint64_t tile_bytes(const unsigned tile[3])
{
    return 4 * (uint64_t)tile[0] * tile[1] * tile[2];
}

uint64_t clup_sweep_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    return larger(clup_record_bytes(lattice, tile, q), tile_bytes(tile));
}

/* Returns for how many sorts of numbers there are sums: for each state, or each component of
 * vectors. */
static uint64_t sorts_of(const clup_state *state)
{
    return state->numbers_each > 0 ? VECTOR_NUMBERS_MOST : state->q;
}

uint64_t clup_modes_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    /* and sums of vacant sites */
    return which == 0 ? state->replicas * clup_measure_groups(state) * (sorts_of(state) + 1) *
                            MODE_SUMS * sizeof(cl_long)
                      : 0;
}

/* Returns the bytes of count numbers of each group that counts. */
static uint64_t group_sums(const clup_state *state, uint64_t count)
{
    return state->replicas * clup_measure_groups(state) * count * sizeof(cl_long);
}

uint64_t clup_pairs_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? group_sums(prepared->state, pair_place(prepared->state->lattice, 3)) : 0;
}

uint64_t clup_staggered_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    return which == 0 ? group_sums(state, sorts_of(state) * SUBLATTICE_SUMS) : 0;
}

uint64_t clup_twist_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? group_sums(prepared->state, TWIST_SUMS) : 0;
}

uint64_t clup_overlap_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? group_sums(prepared->state, OVERLAP_SUMS) : 0;
}

uint64_t clup_fk_bonds_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? group_sums(prepared->state, 1) : 0;
}

uint64_t clup_fk_sizes_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? group_sums(prepared->state, SIZE_CLASSES) : 0;
}

/* Buffers for the sums of groups, and for the sums of each site as a root. */
uint64_t clup_fk_modes_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    return which == 0   ? group_sums(state, FK_MODE_NUMBERS)
           : which == 1 ? state->replicas * clup_lattice_sites(&state->lattice) * FK_ROOT_BYTES
                        : 0;
}

/* Decisions of clusters, a bit for each site, and a number for each system. */
uint64_t clup_ties_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0   ? clup_flip_scratch(prepared, 0)
           : which == 1 ? prepared->state->replicas * sizeof(cl_uint)
                        : 0;
}

clup_status clup_fk_tie(clup_prepared *prepared)
{
    clup_context *context = prepared->state->context;
    clup_status status = clup_buffer_fill(context, CLUP_MEASURE, prepared->scratch[0],
                                          prepared->scratch_bytes[0], 0xFF);
    return status == CLUP_OK ? clup_prepared_launch(prepared, 0, NULL) : status;
}

clup_status clup_fk_join_tied(clup_prepared *prepared)
{
    clup_status status = clup_buffer_fill(prepared->state->context, CLUP_MEASURE,
                                          prepared->scratch[1], prepared->scratch_bytes[1], 0);
    for (unsigned k = 1; k <= 2 && status == CLUP_OK; k++)
        status = clup_prepared_launch(prepared, k, NULL);
    return status;
}

clup_status clup_run_fk_sizes(clup_prepared *prepared)
{
    const cl_uint classes = record_length(prepared->state->measuring.format, RECORD_SIZES);
    const clup_status status = clup_prepared_launch(prepared, 0, NULL);
    return status == CLUP_OK
               ? clup_prepared_launch(prepared, 1, CLUP_WITH(CLUP_ARG_AS(count, classes)))
               : status;
}

/* Flattens the labels, and counts pairs; those further apart where the lattice has any. */
clup_status clup_run_fk_pairs(clup_prepared *prepared)
{
    const lattice_args lattice = prepared->state->lattice;
    bool far = false;
    for (unsigned axis = 0; axis < 3; axis++)
        far = far || pair_distances(lattice, axis) > PAIRS_NEAR;
    clup_status status = clup_prepared_launch(prepared, 0, NULL);
    for (unsigned kernel = 1; kernel < 2u + far && status == CLUP_OK; kernel++)
        status = clup_prepared_launch(prepared, kernel, NULL);
    return status;
}

/* Measures one axis after the other, and then wave vector 0, so that a root needs sums for one wave
 * vector at a time. */
clup_status clup_run_fk_modes(clup_prepared *prepared)
{
    clup_state *state = prepared->state;
    const unsigned axes = clup_lattice_of(&state->lattice)->axes;
    clup_status status = clup_prepared_launch(prepared, 0, NULL);
    for (cl_uint axis = 0; axis <= WAVE_ZERO && status == CLUP_OK; axis++) {
        if (axis >= axes && axis != WAVE_ZERO)
            continue;
        CLUP_TRY(clup_buffer_zero(state->context, CLUP_MEASURE, prepared->scratch[1],
                                  prepared->scratch_bytes[1]));
        CLUP_TRY(clup_prepared_launch(prepared, 1, CLUP_WITH(CLUP_ARG(axis))));
        CLUP_TRY(clup_prepared_launch(prepared, 2, CLUP_WITH(CLUP_ARG(axis))));
    }
done:
    return status;
}

/* Local memory in percolation: measure_clusters, and action_sizes with the smallest groups. */
uint64_t clup_sizes_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)q;
    return larger(4 * SIZE_CLASSES + 8 * 2 * SIZE_SUMS, tile_bytes(tile));
}

clup_status clup_measure_part(clup_prepared *prepared, cl_uint slot, cl_mem records)
{
    const clup_state *state = prepared->state;
    const cl_uint groups = (cl_uint)clup_measure_groups(state), part = prepared->variant->group;
    unsigned last = 0;
    clup_status status = CLUP_OK;
    while (last + 1 < CLUP_PREPARED_KERNELS && prepared->kernels[last + 1].handle != NULL)
        last++;
    if (prepared->variant->run != NULL)
        CLUP_TRY(prepared->variant->run(prepared));
    for (unsigned k = 0; k < last && prepared->variant->run == NULL; k++)
        CLUP_TRY(clup_prepared_launch(prepared, k, NULL));
    /* one group stores the numbers, unless they are stored one by one */
    const bool each = prepared->variant->kernels[last].grid == CLUP_GRID_COUNTERS;
    CLUP_TRY(clup_prepared_launch_groups(
        prepared, last, each ? groups : 1, clup_measure_items(state->context),
        CLUP_WITH(CLUP_ARG(groups), CLUP_ARG(slot), CLUP_ARG_AS(format, state->measuring.format),
                  CLUP_ARG(part), CLUP_ARG(records))));
done:
    return status;
}

/* Local memory of groups that add up, with the fewest work-items, and of groups that add to roots
 * of clusters. */
uint64_t clup_group_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return sizeof(cl_long);
}

uint64_t clup_waves_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return FK_PLACES * (sizeof(cl_uint) + FK_ROOT_BYTES);
}
