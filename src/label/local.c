/* The table of local labelling. */
#include "border.clh"
#include "label/label.h"
#include "tile_clusters.clh"

#include <stdlib.h>

/* Work-items of a group. */
static size_t quarter_of_sites(const unsigned tile[3])
{
    return (size_t)(tile[0] / 2) * (tile[1] / 2);
}

static size_t all_sites(const unsigned tile[3])
{
    return (size_t)tile[0] * tile[1];
}

size_t clup_edge_items(const unsigned tile[3])
{
    return tile[0];
}

size_t clup_one_item(const unsigned tile[3])
{
    (void)tile;
    return 1;
}

size_t clup_two_items(const unsigned tile[3])
{
    (void)tile;
    return 2;
}

size_t clup_two_edges_items(const unsigned tile[3])
{
    return 2 * tile[0];
}

static void one_site(const lattice_args *lattice, unsigned tile[3])
{
    (void)lattice;
    tile[0] = tile[1] = tile[2] = 1;
}

static size_t sixteen(const unsigned tile[3])
{
    (void)tile;
    return 16;
}

/* Local memory of a tile; a few words for the vote besides. */
static uint64_t word_a_site(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)q;
    return 4ull * tile[0] * tile[1] + 64;
}

static uint64_t two_words_a_site(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)q;
    return 8ull * tile[0] * tile[1];
}

/* See runs_labels.clh, the larger one, that counts. */
static uint64_t words_of_runs(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const uint64_t rows = (uint64_t)tile[1] * tile[2],
                   back = clup_lattice_of(lattice)->directions - 1,
                   pairs = 4 * back < 16 ? 4 * back : 16, bonds = (1 + 2 * back + pairs) * rows,
                   marks = (tile[0] / 2 + 2) * rows, counts = 33 * SMALL_SUMS + 32,
                   later = marks > counts ? marks : counts;
    (void)q;
    return 2 * 4 * (tile[0] / 2 * rows + (bonds > later ? bonds : later) + 1);
}

/* See runs_border.clh, the larger one, that counts; and border_tile.clh. */
static uint64_t bytes_of_border(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned field = clup_spin_field(q);
    const uint64_t bonds = clup_border_bond_words(lattice),
                   later = (BORDER_SITES + BORDER_NODES) / 2,
                   fields_at = bonds > later ? bonds : later;
    (void)tile;
    return 2 * (2 * BORDER_SITES + 4 * (fields_at + (field < 32 ? 32 * field : BORDER_SITES / 4)));
}

/* One word a tile: the passes that it took. */
static uint64_t passes(const clup_pass *pass, unsigned which)
{
    return which == 0 ? pass->tiles * sizeof(cl_uint) : 0;
}

static clup_status mean_passes(clup_pass *pass, double *mean)
{
    double sum = 0;
    cl_uint *counts = malloc(pass->scratch_bytes[0]);
    if (counts == NULL)
        return clup_fail_memory("the passes of tiles");
    clup_status status = clup_buffer_read(pass->state->context, pass->scratch[0],
                                          pass->scratch_bytes[0], counts);
    for (uint64_t tile = 0; status == CLUP_OK && tile < pass->tiles; tile++)
        sum += counts[tile];
    free(counts);
    *mean = sum / (double)pass->tiles;
    return status;
}

/* What local_runs_count leaves, see tile_clusters.clh. */
static uint64_t tile_clusters(const clup_pass *pass, unsigned which)
{
    const clup_state *state = pass->state;
    const unsigned *tile = pass->tile;
    if (which > 0 || !state->may_count || state->part.count > 1 ||
        (uint64_t)tile[0] * tile[1] * tile[2] > UINT16_MAX)
        return 0;
    return 4 * state->replicas * pass->tiles *
           tile_cluster_words(tile[0], tile[1], tile[2], clup_lattice_of(&state->lattice)->axes);
}

/* Some rows have a second kernel, that counts clusters as well; of tiles, where there is room for
 * them. */
static clup_status run_counting(clup_pass *pass)
{
    const bool counts = pass->state->counting && pass->kernels[1].handle != NULL &&
                        (!pass->row->of_tiles || pass->scratch[0] != NULL);
    return clup_pass_launch(pass, counts, NULL);
}

static const clup_row rows[] = {
/* clang-format off */
#define LOCAL(NAME, ABOUT, ...) \
    {.name = #NAME, .about = ABOUT, .stage = CLUP_LOCAL, .serial = clup_serial_labels, __VA_ARGS__},
/* clang-format on */
#include "label/local.def"
};

const clup_table clup_locals = {rows, sizeof rows / sizeof *rows};
