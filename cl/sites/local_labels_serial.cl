/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what local_runs.cl does with one work-item a tile (serial_runs.clh), for devices whose
 * work-items are threads.
 *
 * One work-group: one tile of 32 x TILE_Y x TILE_Z sites, one work-item. Word bonds. Local memory:
 * none; private: 6 bytes a site, some words a row and a list. Global traffic, bytes a site: bonds
 * once, 1/8 a direction; labels written once (4). */
#include "core/systems.clh"
#include "core/tile.clh"
#define RUN_Y TILE_Y
#define RUN_ROWS (TILE_Y * TILE_Z)
#include "forest/serial_runs.clh"

/* Reads the bonds that stay inside of the tile. */
INLINE void read_bonds(lattice_args lattice, global const bond_store *bonds, tile_box box,
                       tile_runs *tile)
{
    for (u32 k = 0; k < ABOVE; k++)
        tile->across[k] = 0;
    for (u32 r = 0; r < RUN_ROWS; r++)
        tile->across[ABOVE + r] = tile_has_row(box, r) ? bonds_load(lattice, bonds, 0, box.x / 32,
                                                                    tile_row(lattice, box, r)) &
                                                             ((1u << (box.nx - 1)) - 1)
                                                       : 0;
#pragma unroll
    for (u32 d = 1; d < DIRECTIONS; d++)
        for (u32 r = 0; r < RUN_ROWS; r++) {
            const u32 y = r % RUN_Y - offsets[d].y, z = r / RUN_Y - offsets[d].z;
            tile->back[d - 1][r] = tile_has_row(box, r) && y < box.ny && z < box.nz
                                       ? (u32)moved(
                                             bonds_load(lattice, bonds, d, box.x / 32,
                                                        tile_row(lattice, box, r - ROWS_BACK(d))),
                                             offsets[d].x) &
                                             0xFFFFFFFFu >> (32 - box.nx)
                                       : 0;
        }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
local_labels_serial(lattice_args lattice, global const bond_store *bonds, global label *labels)
{
    const tile_box box = tile_at(lattice, get_group_id(0));
    tile_runs tile;
    labels += REPLICA(lattice_sites(lattice));
    read_bonds(lattice, bonds + REPLICA(bonds_length(lattice)), box, &tile);
    split_rows(&tile, box.nx, box.ny, box.nz);
    join_runs(&tile);
    for (u32 r = 0; r < RUN_ROWS; r++) {
        if (!tile_has_row(box, r))
            continue;
        label row[64];
        for (u32 k = tile.first[ABOVE + r]; k < tile.first[ABOVE + r + 1]; k++) {
            const label root = tile_site(lattice, box, tile.place[tile.parent[k]]);
            for (u32 j = 0; j < 32; j++)
                row[tile.place[k] % 32 + j] = root;
        }
        global label *to = labels + tile_row(lattice, box, r) * lattice.nx + box.x;
        for (u32 x = 0; x < box.nx; x++)
            to[x] = row[x];
    }
}
