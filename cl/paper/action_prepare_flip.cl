/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's way to flip: draws a decision (model.clh) for every site and stores it in the place
 * of its bond, which is not needed any more; then every site takes the decision at its root. Works
 * on char bonds. Local memory: none. */
#include "paper/generator.clh"
#include "core/tile.clh"

/* One work-item: a column of the tile, with the random stream that it has in source_fk_column. One
 * work-group: one tile, TILE_X work-items. Global traffic, bytes a site: 1 written; its share of
 * the stream, with TILE_Y = 4 lcg 1 + 1, mwc 3 + 2, fibonacci 9 + 5. */
kernel __attribute__((reqd_work_group_size(TILE_X, 1, 1))) void
action_prepare_flip(lattice_args lattice, random_key key, global u32 *streams, ulong stream_count,
                    global u8 *fresh)
{
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 x = get_local_id(0);
    generator g;
    generator_open(&g, key, streams, stream_count, get_global_id(0));
    for (u32 y = 0; y < box.ny && x < box.nx; y++) {
        u32 i = (box.y + y) * lattice.nx + box.x + x;
        fresh[i] = generator_decision(&g, lattice, i);
    }
    generator_close(&g, streams, stream_count, get_global_id(0));
}

/* One work-item: one site. Work-group: SITE_ITEMS. Global traffic, bytes a site: labels 4 and the
 * walk to the root; 1 read, 1 written. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_prepare_flip_apply(lattice_args lattice, global const label *labels, global const u8 *fresh,
                          global u8 *spins)
{
    ulong i = get_global_id(0);
    if (i < (ulong)lattice.nx * lattice.ny)
        spins[i] = transformed_spin(READS_SPINS ? spins[i] : 0, fresh[label_root(labels, i)]);
}
