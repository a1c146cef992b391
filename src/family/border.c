/* SPDX-License-Identifier: BSD-3-Clause */
/* The border layout: tiles, local memory, and how its kernels are launched. */
#include "family/border.h"

#include "border/border.clh"
#include "core/modes.clh"
#include "core/sizes.clh"
#include "family/measure.h"
#include "family/wraps_pairs.h"

void clup_border_tile(const lattice_args *lattice, unsigned tile[3])
{
    const unsigned axes = clup_lattice_of(lattice)->axes;
    tile[0] = 32;
    tile[1] = BORDER_Y_OF(axes);
    tile[2] = BORDER_Z_OF(axes);
}

const char *clup_unfit_nodes(const clup_setting *setting)
{
    const unsigned axes = clup_lattice_of(&setting->lattice)->axes;
    return border_tiles(setting->lattice, axes) * BORDER_NODES_OF(axes) > (uint64_t)1 << 32
               ? "has too many tiles to count what is at their borders"
               : NULL;
}

/* Returns the local memory of two tiles in the kernel that counts, which needs more. */
uint64_t clup_runs_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned back = clup_lattice_of(lattice)->directions - 1, field = clup_spin_field(q);
    (void)tile;
    return 2 * (2ull * BORDER_SITES_OF(2) + 4 * BORDER_WORK_OF(back, field, true) +
                4 * BORDER_CLASSES_OF(2));
}

/* See volume_tile.clh. */
size_t clup_volume_items(const unsigned tile[3])
{
    return (size_t)tile[1] * tile[2];
}

/* See runs_volume.clh, for the kernel that counts, which needs more. */
uint64_t clup_runs_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned field = clup_spin_field(q), rows = BORDER_ROWS_OF(3);
    (void)lattice, (void)tile;
    return 2 * BORDER_SITES_OF(3) + 4 * (VOLUME_WORDS + (field < 32 ? rows * field : 0)) +
           4 * (2 * 8 + SMALL_SUMS + BORDER_CLASSES_OF(3));
}

/* Variants that draw the bonds as well have a second kernel, which counts the sites of clusters. */
clup_status clup_run_border(clup_prepared *prepared)
{
    return clup_prepared_launch(prepared, prepared->state->counting, NULL);
}

/* Local memory for a tile, see node_pairs.clh. */
static uint64_t pairs_bytes(unsigned axes)
{
    return 4 * (PAIRS_SEEN_OF(axes) + 2) + 8 * PAIRS_LISTED_OF(axes);
}

/* See consolidate_union_border.cl, and consolidate_union_volume.cl. */
uint64_t clup_union_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 4 * pairs_bytes(2);
}

uint64_t clup_union_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 4 * (BONDS_LISTED + 1) + pairs_bytes(3);
}

size_t clup_flip_border_items(const unsigned tile[3])
{
    return 4 * tile[0];
}

/* Local memory of action_flip_border, for the spins of names and the table. */
uint64_t clup_flip_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile;
    return 4ull * (BORDER_NODES_OF(2) + q) * BORDER_NAME_BYTES(2, q) + 8 * FLIP_PLACES;
}

uint64_t clup_flip_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile;
    return (uint64_t)(BORDER_NODES_OF(3) + q) * BORDER_NAME_BYTES(3, q) + 8 * FLIP_PLACES;
}

/* Local memory of action_sizes_border: for the table, or for classes and sums. */
uint64_t clup_sizes_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 8 * FLIP_PLACES + 4 * SIZE_CLASSES + 8 * 2 * SIZE_SUMS;
}

uint64_t clup_wraps_border_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    const unsigned axes = clup_lattice_of(&state->lattice)->axes;
    if (which < 2)
        return clup_wraps_scratch(prepared, which);
    if (!state->context->long_atomics)
        return 0;
    return state->replicas * (which == 2 ? sizeof(cl_ulong) * border_tiles(state->lattice, axes) *
                                               BORDER_NODES_OF(axes)
                                         : sizeof(cl_uint));
}

/* Buffers for the sums of groups, and for those of nodes. */
uint64_t clup_waves_border_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    return which == 0   ? clup_fk_modes_scratch(prepared, 0)
           : which == 1 ? state->replicas * border_tiles(state->lattice, 2) * BORDER_NODES_OF(2) *
                              WAVE_NODE_BYTES
                        : 0;
}

/* See measure_waves_border.cl; with as many work-items as a group has at most. */
uint64_t clup_waves_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 4 * (2 * 33 * WAVE_CLUSTERS + 10 * 32) + 256 * sizeof(cl_long);
}

clup_status clup_run_flip_border(clup_prepared *prepared)
{
    const cl_uint count = prepared->state->counting;
    return clup_prepared_launch(prepared, 0, CLUP_WITH(CLUP_ARG(count)));
}
