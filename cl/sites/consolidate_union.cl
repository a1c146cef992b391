/* SPDX-License-Identifier: BSD-3-Clause */
/* Unites clusters across seams by lock-free union: one launch inserts every bond across a seam, at
 * the same time, into a forest in which a label is never above its site, so that the root of a
 * cluster is its smallest site.
 *
 * Local memory: none. Global traffic: for each seam bond 1 bond and two walks to a root. */
#include "core/tile.clh"
#include "core/systems.clh"
#include "forest/unite.clh"

/* Returns the number of sites of a tile along an axis. */
u32 tile_edge(u32 axis)
{
    return axis == 0 ? TILE_X : axis == 1 ? TILE_Y : TILE_Z;
}

/* Says whether there is a direction whose bonds lead by step, 1 or -1, along an axis. */
bool leaves(u32 axis, s32 step)
{
    bool any = false;
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        any = any || step_along(offsets[d], axis) == step;
    return any;
}

/* Inserts the bonds of one site that leave its tile by step, 1 or -1, along an axis. Such sites
 * are in the last layers of tiles if step is 1, else in the first ones; k is the site's number
 * among the sites of these layers. Bonds across an open end of the lattice are left out, active or
 * not. */
void unite_from(lattice_args lattice, global const bond_store *bonds, volatile global label *labels,
                u32 axis, s32 step, u32 k)
{
    u32 edge = tile_edge(axis), layer = layer_sites(lattice, axis), tile = k / layer;
    const lattice_site from = layer_site(
        lattice, axis,
        step > 0 ? min(tile * edge + edge, lattice_size(lattice, axis)) - 1 : tile * edge,
        k % layer);
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++)
        if (step_along(offsets[d], axis) == step &&
            bond_active(lattice, bonds, d, from.x, from.row)) {
            const lattice_site to = forward_site(lattice, offsets[d], from);
            if (to.row != NOWHERE && to.x != NOWHERE)
                unite(labels, from.row * lattice.nx + from.x, to.row * lattice.nx + to.x);
        }
}

/* One work-item: one site of a seam. Sites are numbered by the step with which bonds leave the
 * tile, and then layer by layer. A bond that leaves along several axes is inserted for each of
 * them, which does no harm. Work-group: WORD_ITEMS. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_union(lattice_args lattice, global const bond_store *bonds,
                  volatile global label *labels)
{
    ulong k = get_global_id(0);
    bonds += REPLICA(bonds_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
/* unrolled: with a loop here Intel's compiler for dg2 aborts (ocloc of Debian 12) */
#pragma unroll
    for (u32 axis = 0; axis < AXES; axis++)
#pragma unroll
        for (s32 step = -1; step < 2; step += 2) {
            u32 count = leaves(axis, step) ? seam_sites(lattice, axis, tile_edge(axis)) : 0;
            if (k < count) {
                unite_from(lattice, bonds, labels, axis, step, k);
                return;
            }
            k -= count;
        }
}
