/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortuin-Kasteleyn bonds with one site a work-item, the first of the kernels of the paper's
 * prepare_bonds(). The kernel also sets the first labels.
 *
 * One work-item: one site, with a random stream of its own. One work-group: one tile of TILE_X x
 * TILE_Y sites. Local memory: none. Global traffic, bytes a site: spins 3, most from the cache;
 * bonds 2 and labels 4 written; its stream read and written, lcg 4 + 4, mwc 12 + 8, fibonacci 20 +
 * 12. */
#include "paper/activate.clh"

kernel __attribute__((reqd_work_group_size(TILE_X * TILE_Y, 1, 1))) void
source_fk_site(lattice_args lattice, random_key key, bond_law law, global u32 *streams,
               ulong stream_count, global const u8 *spins, global u8 *bonds, global label *labels)
{
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 item = get_local_id(0);
    generator g;
    generator_open(&g, key, streams, stream_count, get_global_id(0));
    activate_site(lattice, box, item % TILE_X, item / TILE_X, &g, law, spins, bonds, labels);
    generator_close(&g, streams, stream_count, get_global_id(0));
}
