/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn bonds with 2 x 2 sites a work-item, the second of the paper's prepare_bonds().
 * The kernel also sets the first labels.
 *
 * One work-item: 2 x 2 sites, with a random stream of its own. One work-group: one tile, TILE_X
 * TILE_Y/4 work-items. Local memory: none. Global traffic, bytes a site: spins 3, most from the
 * cache; bonds 2 and labels 4 written; its share of the stream read and written, lcg 1 + 1, mwc 3 +
 * 2, fibonacci 17 + 9. */
#include "paper/activate.clh"

kernel __attribute__((reqd_work_group_size(TILE_X * TILE_Y / 4, 1, 1))) void
source_fk_square(lattice_args lattice, random_key key, bond_law law, global u32 *streams,
                 ulong stream_count, global const u8 *spins, global u8 *bonds, global label *labels)
{
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 x = get_local_id(0) % (TILE_X / 2) * 2, y = get_local_id(0) / (TILE_X / 2) * 2;
    generator g;
    generator_open(&g, key, streams, stream_count, get_global_id(0));
    for (u32 s = 0; s < 4; s++)
        activate_site(lattice, box, x + s % 2, y + s / 2, &g, law, spins, bonds, labels);
    generator_close(&g, streams, stream_count, get_global_id(0));
}
