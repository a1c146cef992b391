/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the sizes of the clusters in the labels of their roots (labels.clh): each tile counts the
 * sites below each of its local roots and adds the counts to the labels of the forest's roots, with
 * one atomic for each cluster of a tile.
 *
 * One work-group: one tile. One work-item: every MEASURE_ITEMS-th site. Local memory: one counter a
 * tile site. Global traffic, bytes a site: labels 4, and for each cluster of a tile a walk and an
 * atomic. */
#include "core/systems.clh"
#include "core/tile.clh"

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_clusters(lattice_args lattice, volatile global label *labels)
{
    local u32 counts[TILE_SITES];
    labels += REPLICA(lattice_sites(lattice));
    tile_box box = tile_at(lattice, get_group_id(0));
    for (u32 s = get_local_id(0); s < TILE_SITES; s += MEASURE_ITEMS)
        counts[s] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 s = get_local_id(0); s < TILE_SITES; s += MEASURE_ITEMS) {
        if (s % TILE_X >= box.nx || !tile_has_row(box, s / TILE_X))
            continue;
        label i = tile_site(lattice, box, s);
        if (!row_is_own(lattice, i / lattice.nx))
            continue;
        /* one step is enough: after local labelling no path inside the tile is longer */
        label up = label_read(labels, i);
        u32 above = up < i ? tile_site_of(lattice, box, up) : s;
        atomic_inc(&counts[above != NOWHERE ? above : s]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 s = get_local_id(0); s < TILE_SITES; s += MEASURE_ITEMS)
        if (counts[s] > 0) {
            label i = tile_site(lattice, box, s), root = counted_root(labels, i);
#ifdef SUBDOMAIN
            /* a root at an interface starts without its own site, see interface_labels.cl */
            u32 besides = counts[s] - (root == i && label_read(labels, i) < lattice_sites(lattice));
#else
            u32 besides = counts[s] - (root == i);
#endif
            if (besides > 0)
                atomic_add(&labels[root], besides);
        }
}
