/* The table of local labelling. */
#include "border/border.clh"
#include "family/label.h"

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

size_t clup_eight_edges_items(const unsigned tile[3])
{
    return 8 * tile[0];
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

/* See local_runs.cl. */
static uint64_t words_of_runs(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned back = clup_lattice_of(lattice)->directions - 1,
                   pairs = 4 * back < 16 ? 4 * back : 16;
    (void)q;
    return 2 * 4ull * (tile[0] / 2 + 1 + 2 * back + pairs) * tile[1] * tile[2];
}

/* See runs_border.clh, the larger one, that counts; and border_tile.clh. */
static uint64_t bytes_of_border(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned field = clup_spin_field(q);
    const uint64_t bonds = clup_border_bond_words(lattice), later = BORDER_SITES_OF(2) + 4 * 32 - 4,
                   fields_at = bonds > later ? bonds : later;
    (void)tile;
    return 2 * (2 * BORDER_SITES_OF(2) +
                4 * (fields_at + (field < 32 ? 32 * field : BORDER_SITES_OF(2) / 4)));
}

/* See runs_volume.clh, the larger one, that counts. */
static uint64_t bytes_of_volume(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned field = clup_spin_field(q), rows = BORDER_ROWS_OF(3);
    (void)lattice, (void)tile;
    return 2 * BORDER_SITES_OF(3) +
           4 * (3 * rows + BONDS_LISTED + 3 + (field < 32 ? rows * field : 0)) +
           4 * (2 * 8 + SMALL_SUMS);
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
    clup_status status = clup_buffer_read(pass->state->context, pass->scratch[0], 0,
                                          pass->scratch_bytes[0], counts);
    for (uint64_t tile = 0; status == CLUP_OK && tile < pass->tiles; tile++)
        sum += counts[tile];
    free(counts);
    *mean = sum / (double)pass->tiles;
    return status;
}

/* Rows that draw the bonds as well have a kernel that counts the sites of clusters. */
static clup_status run_border(clup_pass *pass)
{
    return clup_pass_launch(pass, pass->state->counting, NULL);
}

static const clup_row rows[] = {
/* clang-format off */
#define LOCAL(NAME, ABOUT, ...) \
    {.name = #NAME, .about = ABOUT, .stage = CLUP_LOCAL, .serial = clup_serial_labels, __VA_ARGS__},
/* clang-format on */
#include "family/local.def"
};

const clup_table clup_locals = {rows, sizeof rows / sizeof *rows};
