/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the list that label relaxation works on, the paper's prepare_relax(): for each bond across
 * the edge of a tile, the root of the tile's own site and the root of the other tile's site. Also
 * writes the root, inside its tile, of a chosen site, the focus; NOWHERE if no site is chosen.
 *
 * One work-group: one tile. One work-item: every TILE_X-th site of the tile's edge. Local memory:
 * none. Global traffic: for each of the 2 (TILE_X + TILE_Y) edge sites one bond, two labels read, 8
 * bytes written. */
#include "paper/relax.clh"
#include "core/tile.clh"

kernel __attribute__((reqd_work_group_size(TILE_X, 1, 1))) void
consolidate_prepare_relax(lattice_args lattice, global const bond_store *bonds,
                          global const label *labels, u32 chosen, global relax_edge *edges,
                          global label *focus)
{
    if (get_global_id(0) == 0)
        *focus = chosen == NOWHERE ? NOWHERE : label_root(labels, chosen);
    tile_box box = tile_at(lattice, get_group_id(0));
    u32 wraps_x = lattice.periodic & 1, wraps_y = lattice.periodic >> 1 & 1;
    for (u32 s = get_local_id(0); s < PERIMETER; s += TILE_X) {
        u32 along_x = s < 2 * TILE_X, far = along_x ? s < TILE_X : s - 2 * TILE_X < TILE_Y;
        u32 at = along_x ? s % TILE_X : (s - 2 * TILE_X) % TILE_Y;
        u32 x = box.x + (along_x ? at : far ? box.nx - 1 : 0);
        u32 y = box.y + (along_x ? (far ? box.ny - 1 : 0) : at);
        u32 ox = x, oy = y;
        if (along_x)
            oy = far ? ahead(y, lattice.ny, wraps_y) : behind(y, lattice.ny, wraps_y);
        else
            ox = far ? ahead(x, lattice.nx, wraps_x) : behind(x, lattice.nx, wraps_x);
        relax_edge edge = {NOWHERE, NOWHERE};
        if (at < (along_x ? box.nx : box.ny) && ox != NOWHERE && oy != NOWHERE &&
            bond_active(lattice, bonds, along_x, far ? x : ox, far ? y : oy)) {
            edge.own = label_root(labels, y * lattice.nx + x);
            edge.other = label_root(labels, oy * lattice.nx + ox);
            if (edge.own == edge.other)
                edge.own = NOWHERE;
        }
        edges[(ulong)get_group_id(0) * PERIMETER + s] = edge;
    }
}
