/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers pixels for a user who asked for labels, from a label for each site. Clusters of the
 * foreground are numbered 1, 2, ... in raster order of their first pixels, and background is 0.
 * Canonical labels are the first pixel of the cluster, and NOWHERE for background. Kernels here
 * mark the keys of clusters (blocks.clh), those of action_number_count.cl rank the keys, and the
 * last one here writes the numbers. Work-items have sites as in word_sites.clh. */
#include "image/blocks.clh"
#include "core/word_sites.clh"

/* Returns the foreground pixels of the work-item's site j (blocks.clh). */
u32 pixels_of(lattice_args lattice, global const u32 *foreground, word_sites sites, u32 j)
{
    const u32 x = SITE_X(sites, j), row = SITE_ROW(sites, j);
    return row < lattice_rows(lattice) && x < lattice.nx ? block_at(lattice, foreground, x, row)
                                                         : 0;
}

#if BLOCK == 1
/* Sets the bits of roots: those of keys of sites that are roots.
 *
 * Global traffic, bytes a site: labels 4, the foreground read and roots written, 1/8 each. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_roots(lattice_args lattice, global const u32 *foreground, global const label *labels,
                    global u32 *roots)
{
    local u32 gathered[SITES_EACH * SITE_ITEMS / 4];
    const word_sites sites = word_sites_at(lattice);
    u32 root[SITES_EACH];
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++) {
        const ulong i = word_site(lattice, sites, j);
        root[j] = pixels_of(lattice, foreground, sites, j) && labels[i] == i;
    }
    word_sites_store(lattice, sites, root, gathered, roots);
}
#else
/* Writes to keys[i], for each root i, the key of the first pixel of its block.
 *
 * Global traffic, bytes a site: labels 4, the foreground. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_keys(lattice_args lattice, global const u32 *foreground, global const label *labels,
                   global u32 *keys)
{
    const word_sites sites = word_sites_at(lattice);
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++) {
        const ulong i = word_site(lattice, sites, j);
        const u32 pixels = pixels_of(lattice, foreground, sites, j);
        if (pixels && labels[i] == i)
            keys[i] = block_key(lattice, pixels, SITE_X(sites, j), SITE_ROW(sites, j));
    }
}

/* Lowers the key of each root to the key of its cluster: a later block of the same layer may have
 * an earlier pixel.
 *
 * Global traffic, bytes a site: labels 4 and the walk to the root, the foreground. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_first(lattice_args lattice, global const u32 *foreground, global const label *labels,
                    volatile global u32 *keys)
{
    const word_sites sites = word_sites_at(lattice);
    const u32 layer = lattice.nx * (AXES > 2 ? lattice.ny : 1);
    label up[SITES_EACH];
    word_sites_roots(lattice, labels, sites, up);
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++) {
        const u32 i = word_site(lattice, sites, j),
                  pixels = pixels_of(lattice, foreground, sites, j);
        if (pixels && up[j] != i && up[j] / layer == i / layer) {
            const u32 key = block_key(lattice, pixels, SITE_X(sites, j), SITE_ROW(sites, j));
            if (key < label_read(keys, up[j]))
                atomic_min(&keys[up[j]], key);
        }
    }
}

/* Sets the bits of roots for the keys of clusters. All bits are 0 at first. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_roots(lattice_args lattice, global const u32 *foreground, global const label *labels,
                    global const u32 *keys, volatile global u32 *roots)
{
    const word_sites sites = word_sites_at(lattice);
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++) {
        const ulong i = word_site(lattice, sites, j);
        if (pixels_of(lattice, foreground, sites, j) && labels[i] == i)
            atomic_or(&roots[key_word(lattice, keys[i])], 1u << key_bit(lattice, keys[i]));
    }
}
#endif

/* Writes the number of each pixel, or with canonical its canonical label. ranks are the ranks of
 * the words of roots.
 *
 * Global traffic, bytes a site: labels 4 and the walk to the root; 4 written a pixel. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_number_labels(lattice_args lattice, image_args image, global const u32 *foreground,
                     global const label *labels, global const u32 *keys, global const uint2 *ranks,
                     u32 canonical, global u32 *numbers)
{
    const word_sites sites = word_sites_at(lattice);
    label up[SITES_EACH];
    word_sites_roots(lattice, labels, sites, up);
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++) {
        const u32 x = SITE_X(sites, j), row = SITE_ROW(sites, j),
                  pixels = pixels_of(lattice, foreground, sites, j);
        u32 number = 0;
        if (pixels) {
            const u32 key = BLOCK == 1 ? up[j] : keys[up[j]];
            number = canonical ? key_pixel(lattice, image, foreground, key)
                               : ranked(ranks[key_word(lattice, key)], key_bit(lattice, key));
        }
        if (x < lattice.nx && row < lattice_rows(lattice))
            block_store(lattice, image, numbers, x, row, pixels, number, canonical ? NOWHERE : 0);
    }
}
