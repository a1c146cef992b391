/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn bonds with a column of the tile a work-item, the third of the paper's
 * prepare_bonds(). The kernel also sets the first labels.
 *
 * One work-item: TILE_Y sites, one above the other, with a random stream of its own. One
 * work-group: one tile, TILE_X work-items. Local memory: none. Global traffic, bytes a site: spins
 * 3, most from the cache; bonds 2 and labels 4 written; its share of the stream read and written,
 * with TILE_Y = 4 lcg 1 + 1, mwc 3 + 2, fibonacci 17 + 9. */
#include "paper/activate.clh"

kernel __attribute__((reqd_work_group_size(TILE_X, 1, 1))) void
source_fk_column(lattice_args lattice, random_key key, bond_law law, global u32 *streams,
                 ulong stream_count, global const u8 *spins, global u8 *bonds, global label *labels)
{
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 x = get_local_id(0);
    generator g;
    generator_open(&g, key, streams, stream_count, get_global_id(0));
    for (u32 y = 0; y < TILE_Y; y++)
        activate_site(lattice, box, x, y, &g, law, spins, bonds, labels);
    generator_close(&g, streams, stream_count, get_global_id(0));
}
