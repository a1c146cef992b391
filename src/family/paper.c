/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's kernels: tiles, work-items, local memory and random streams. */
#include "family/paper.h"

#include <stdlib.h>

#include "base/watch.h"
#include "family/family.h"

void clup_activation_tile(const lattice_args *lattice, unsigned tile[3])
{
    for (tile[0] = 2; tile[0] < lattice->nx && tile[0] < 256; tile[0] *= 2)
        ;
    tile[1] = 4;
    tile[2] = 1;
}

/* Work-items of a group. */
size_t clup_site_a_tile(const unsigned tile[3])
{
    return (size_t)tile[0] * tile[1];
}

size_t clup_square_items(const unsigned tile[3])
{
    return clup_site_a_tile(tile) / 4;
}

static uint64_t streams(const lattice_args *lattice, size_t (*items)(const unsigned tile[3]))
{
    unsigned tile[3];
    clup_activation_tile(lattice, tile);
    return clup_lattice_tiles(lattice, tile) * items(tile);
}

uint64_t clup_site_streams(const lattice_args *lattice)
{
    return streams(lattice, clup_site_a_tile);
}

uint64_t clup_square_streams(const lattice_args *lattice)
{
    return streams(lattice, clup_square_items);
}

uint64_t clup_column_streams(const lattice_args *lattice)
{
    return streams(lattice, clup_edge_items);
}

/* Work-items of a group. */
size_t clup_quarter_items(const unsigned tile[3])
{
    return (size_t)(tile[0] / 2) * (tile[1] / 2);
}

size_t clup_tile_items(const unsigned tile[3])
{
    return (size_t)tile[0] * tile[1];
}

/* Local memory of a tile; a few more words are for the vote. */
uint64_t clup_word_a_site(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)q;
    return 4ull * tile[0] * tile[1] + 64;
}

uint64_t clup_two_words_a_site(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)q;
    return 8ull * tile[0] * tile[1];
}

/* One word for each tile: the number of passes that it took. */
uint64_t clup_selflabel_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == 0 ? prepared->tiles * sizeof(cl_uint) : 0;
}

clup_status clup_selflabel_iterations(clup_prepared *prepared, double *mean)
{
    double sum = 0;
    cl_uint *counts = malloc(prepared->scratch_bytes[0]);
    if (counts == NULL)
        return clup_fail_memory("the passes of tiles");
    clup_status status = clup_buffer_read(prepared->state->context, prepared->scratch[0], 0,
                                          prepared->scratch_bytes[0], counts);
    for (uint64_t tile = 0; status == CLUP_OK && tile < prepared->tiles; tile++)
        sum += counts[tile];
    free(counts);
    *mean = sum / (double)prepared->tiles;
    return status;
}

/* Leaves the labels as they were once all kernels are done. */
clup_status clup_run_flip_piggyback(clup_prepared *prepared)
{
    clup_status status = clup_watch_ask();
    if (status != CLUP_OK)
        return status;
    clup_watch_hold();
    for (unsigned k = 0; k < 3 && status == CLUP_OK; k++)
        status = clup_prepared_launch(prepared, k, NULL);
    clup_watch_release();
    return status;
}
