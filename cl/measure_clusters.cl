/* Sizes of the clusters: each tile counts the sites below each of its local roots and adds the counts to the roots of
 * the forest, one atomic for each cluster of a tile.
 *
 * One work-group: one tile. One work-item: every MEASURE_ITEMS-th site. Local memory: one counter a tile site.
 * Global traffic, bytes a site: labels 4, and for each cluster of a tile a walk and an atomic. sizes holds zeros before. */
#include "systems.clh"
#include "tile.clh"

kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1)))
void measure_clusters(lattice_args lattice, global const label *labels, global u32 *sizes)
{
    local u32 counts[TILE_SITES];
    labels += REPLICA(lattice_sites(lattice));
    sizes += REPLICA(lattice_sites(lattice));
    tile_box box = tile_at(lattice, get_group_id(0));
    for (u32 s = get_local_id(0); s < TILE_SITES; s += MEASURE_ITEMS)
        counts[s] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 s = get_local_id(0); s < TILE_SITES; s += MEASURE_ITEMS) {
        u32 x = s % TILE_X, r = s / TILE_X;
        if (x >= box.nx || !tile_has_row(box, r))
            continue;
        /* up to the last ancestor inside the tile */
        label i = tile_site(lattice, box, s);
        u32 last = s;
        for (label up = labels[i]; up != i; up = labels[i]) {
            u32 in_tile = tile_site_of(lattice, box, up);
            if (in_tile == NOWHERE)
                break;
            i = up;
            last = in_tile;
        }
        atomic_inc(&counts[last]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 s = get_local_id(0); s < TILE_SITES; s += MEASURE_ITEMS)
        if (counts[s] > 0)
            atomic_add(&sizes[label_root(labels, tile_site(lattice, box, s))], counts[s]);
}
