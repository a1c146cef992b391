/* SPDX-License-Identifier: BSD-3-Clause */
/* Hierarchical sewing: on each level 2 x 2 blocks of tiles become one. The bonds on the seams
 * between the blocks are inserted one after the other into a balanced union-find forest; the bonds
 * that wrap around the lattice come last.
 *
 * weight[r] is the number of unions below root r, drop[r] is r minus the smallest site of its
 * cluster. Both start as zeros, so that, as in the paper, every cluster inside a tile counts the
 * same. Balancing may make any site the root; consolidate_sew_reroot then makes the smallest site
 * the root.
 *
 * Local memory: none. Global traffic: for each seam bond 1 bond and two walks to a root. */
#include "core/bonds.clh"
#include "core/labels.clh"

typedef struct seam_range {
    u32 from, to;
} seam_range;

/* Unites the trees that hold a and b. No other work-item may change these trees at the same
 * time. */
void sew_bond(global label *labels, global u32 *weight, global u32 *drop, label a, label b)
{
    a = label_root(labels, a);
    b = label_root(labels, b);
    if (a == b)
        return;
    label top = weight[a] < weight[b] ? b : a, below = top == a ? b : a;
    label smallest = min(top - drop[top], below - drop[below]);
    labels[below] = top;
    weight[top] += weight[below] + 1;
    drop[top] = top - smallest;
}

/* Sews blocks of 2 x 2 tiles.
 *
 * One work-group: one block of 2 x 2 tiles of half_x x half_y sites. Its two work-items insert the
 * horizontal seam: each the half between one pair of tiles, whose clusters the other work-item does
 * not touch. Then one work-item inserts the vertical seam. The ranges count along a work-item's
 * half of the horizontal seam and along the vertical seam: long seams take several launches. */
kernel __attribute__((reqd_work_group_size(2, 1, 1))) void
consolidate_sew(lattice_args lattice, u32 half_x, u32 half_y, u32 blocks_x, seam_range horizontal,
                seam_range vertical, global const bond_store *bonds, global label *labels,
                global u32 *weight, global u32 *drop)
{
    ulong block = get_group_id(0);
    ulong x0 = block % blocks_x * 2 * half_x, y0 = block / blocks_x * 2 * half_y;
    ulong seam_x = x0 + half_x, seam_y = y0 + half_y;
    ulong end_x = min(seam_x + half_x, (ulong)lattice.nx),
          end_y = min(seam_y + half_y, (ulong)lattice.ny);
    ulong part = get_local_id(0) == 0 ? x0 : seam_x;
    ulong part_end = min(part + min(horizontal.to, half_x), end_x);
    if (seam_y < end_y)
        for (ulong x = part + horizontal.from; x < part_end; x++)
            if (bond_active(lattice, bonds, 1, x, seam_y - 1))
                sew_bond(labels, weight, drop, (seam_y - 1) * lattice.nx + x,
                         seam_y * lattice.nx + x);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0 && seam_x < end_x)
        for (ulong y = y0 + vertical.from; y < min(y0 + vertical.to, end_y); y++)
            if (bond_active(lattice, bonds, 0, seam_x - 1, y))
                sew_bond(labels, weight, drop, y * lattice.nx + seam_x - 1,
                         y * lattice.nx + seam_x);
}

/* Inserts the bonds from the last site to the first along axis, for a range of the other
 * coordinate. One work-item in all. */
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
consolidate_sew_wrap(lattice_args lattice, u32 axis, seam_range range,
                     global const bond_store *bonds, global label *labels, global u32 *weight,
                     global u32 *drop)
{
    for (u32 at = range.from; at < range.to; at++) {
        u32 x = axis == 0 ? lattice.nx - 1 : at, y = axis == 0 ? at : lattice.ny - 1;
        label first = axis == 0 ? at * lattice.nx : at;
        if (bond_active(lattice, bonds, axis, x, y))
            sew_bond(labels, weight, drop, y * lattice.nx + x, first);
    }
}

/* Makes the smallest site of each cluster its root. One work-item: one site. If the cluster of a
 * root has a smaller site, the root is put below the smallest site, which becomes the root. Every
 * path still ends, since the old path of the smallest site led to the old root. Only sites with a
 * drop that is not 0 read labels, and only their own. The smallest site of a cluster has no drop,
 * so that no two work-items access one label. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
consolidate_sew_reroot(lattice_args lattice, global label *labels, global const u32 *drop)
{
    ulong i = get_global_id(0);
    if (i >= (ulong)lattice.nx * lattice.ny || drop[i] == 0 || labels[i] != i)
        return;
    labels[i] = labels[i - drop[i]] = i - drop[i];
}

/* Lowers labels that are above their sites, which balancing leaves, to the root. One work-item: one
 * site. Benign race "stale label" (labels.clh). Work-group: SITE_ITEMS. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
consolidate_sew_lower(lattice_args lattice, volatile global label *labels)
{
    ulong i = get_global_id(0);
    if (i >= lattice_sites(lattice) || label_read(labels, i) <= i)
        return;
    label root = label_read(labels, i);
    for (label up = label_read(labels, root); up != root; up = label_read(labels, root))
        root = up;
    atomic_min(&labels[i], root);
}
