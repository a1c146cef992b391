/* Seams joined by lock-free union: every bond across a seam is inserted at once, in one launch, into a forest in which a
 * label is never above its site, so that the root of a cluster is its smallest site; then the tiles' roots are put directly
 * below their clusters'.
 *
 * Local memory: none. Global traffic: for each seam bond 1 bond and two walks to a root; for each site 4 bytes of labels. */
#include "tile.clh"
#include "unite.clh"

/* One work-item: one site of a seam. Seam sites are numbered row by row along the seams between tiles above each other,
 * then column by column along those beside each other; the last of each wraps, where the axis is periodic.
 * Work-group: WORD_ITEMS. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1)))
void consolidate_union(lattice_args lattice, global const bond_store *bonds, volatile global label *labels)
{
    u32 down = (lattice.ny - 1) / TILE_Y + 1, across = (lattice.nx - 1) / TILE_X + 1;
    ulong k = get_global_id(0), rows = (ulong)down * lattice.nx, columns = (ulong)across * lattice.ny;
    if (k >= rows + columns)
        return;
    u32 d = k < rows, size = d == 1 ? lattice.ny : lattice.nx, tile = d == 1 ? TILE_Y : TILE_X;
    if (d == 0)
        k -= rows;
    u32 length = d == 1 ? lattice.nx : lattice.ny, along = k % length;
    u32 from = min((u32)(k / length) * tile + tile, size) - 1, to = from + 1 < size ? from + 1 : 0;
    u32 x = d == 1 ? along : from, y = d == 1 ? from : along;
    if (bond_active(lattice, bonds, d, x, y))
        unite(labels, y * lattice.nx + x, d == 1 ? to * lattice.nx + x : y * lattice.nx + to);
}

/* One work-item: one site. A label that leads out of its tile is lowered to the root. Work-group: SITE_ITEMS. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void consolidate_union_flatten(lattice_args lattice, volatile global label *labels)
{
    ulong i = get_global_id(0);
    if (i >= (ulong)lattice.nx * lattice.ny)
        return;
    label up = label_read(labels, i);
    if (up != i && (up / lattice.nx / TILE_Y != i / lattice.nx / TILE_Y || up % lattice.nx / TILE_X != i % lattice.nx / TILE_X))
        atomic_min(&labels[i], walk_up(labels, up));
}
