/* SPDX-License-Identifier: BSD-3-Clause */
/* Flips clusters of two states with the new spin in the top bit of a root's label, as the paper
 * considers. In the paper all unions carry the bit from the start, and have to mask it. Here the
 * bit is set once the roots are known, so that numbers are drawn for roots only, and labelling
 * stays unchanged. Afterwards the bits are cleared, since measuring reads labels. At most 2^31
 * sites. */
#include "core/labels.clh"
#include "core/word_sites.clh"
#include "model/model.clh"

#define RIDER 0x80000000u

/* One work-item: one site; if it is a root, draws its bit and sets it. Work-group: SITE_ITEMS.
 * Local memory: none. Global traffic, bytes a site: labels 4; for each root 4 written. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_flip_piggyback(lattice_args lattice, random_key key, global label *labels)
{
    ulong i = get_global_id(0);
    if (i < lattice_sites(lattice) && labels[i] == i &&
        cluster_decision(key, whole_site(lattice, i)))
        labels[i] = i | RIDER;
}

/* One work-item: some sites, which take the spins at their roots, see word_sites.clh. Work-group:
 * SITE_ITEMS. Local memory: one byte a site. Global traffic, bytes a site: labels 4 and the walk to
 * the root; spins written, word 1/8, char 1. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_flip_piggyback_apply(lattice_args lattice, global const label *labels,
                            global spin_store *spins)
{
    local u32 gathered[SITES_EACH * SITE_ITEMS / 4];
    const word_sites sites = word_sites_at(lattice);
    u32 spin[SITES_EACH];
    for (u32 j = 0; j < SITES_EACH; j++) {
        label i = word_site(lattice, sites, j), up = labels[i];
        for (; (up & ~RIDER) != i; up = labels[i])
            i = up;
        spin[j] = transformed_spin(READS_SPINS ? word_site_spin(lattice, spins, sites, j) : 0,
                                   up / RIDER);
    }
    if (READS_SPINS)
        barrier(CLK_GLOBAL_MEM_FENCE);
    word_sites_store(lattice, sites, spin, gathered, spins);
}

/* One work-item: one site; clears the bit. Work-group: SITE_ITEMS. Local memory: none. Global
 * traffic, bytes a site: labels 4; 4 written if the bit is set. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_flip_piggyback_clear(lattice_args lattice, global label *labels)
{
    ulong i = get_global_id(0);
    if (i < lattice_sites(lattice) && (labels[i] & RIDER))
        labels[i] = i;
}
