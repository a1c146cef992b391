/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of a Swendsen-Wang sweep: every cluster takes its decision (model.clh). If a random
 * block has the fields of many clusters, action_flip_fields has drawn the fields of all sites, and
 * each site looks up the field of its root; else each site draws the decision of its root. */
#include "core/interface_entries.clh"
#include "core/systems.clh"
#include "core/word_sites.clh"
#include "model/model.clh"

/* Gives each site the spin that follows from the decision of its root: looked up in fields if FIELD
 * < 32, else drawn.
 *
 * One work-item: some sites, see word_sites.clh. Work-group: SITE_ITEMS. Local memory: one byte a
 * site. Global traffic, bytes a site: labels 4 and the walk to the root, and its field; spins
 * written, word PLANES/8, char 1. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_flip(lattice_args lattice, random_key key, global const bond_law *laws,
            global const u32 *disorder, global const u32 *fields, global const label *labels,
            global spin_store *spins)
{
    local u32 gathered[SITES_EACH * SITE_ITEMS / 4];
    const word_sites sites = word_sites_at(lattice);
    const random_key own = system_key(key);
    const system_laws own_laws = laws_in_sweep(system_laws_of(lattice, laws, disorder), own);
    fields += REPLICA(4 * (field_block(lattice_sites(lattice) - 1, FIELD) + 1));
    labels += REPLICA(lattice_sites(lattice));
    spins += REPLICA(spins_length(lattice));
    label up[SITES_EACH];
    u32 spin[SITES_EACH];
    word_sites_roots(lattice, labels, sites, up);
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++) {
        const u32 decision = INTERFACE_DECISION(
            labels[up[j]], (label)lattice_sites(lattice),
            FIELD < 32 ? word_spin(fields[up[j] / (32 / FIELD)], up[j], DECISIONS, FIELD)
                       : cluster_decision(own, whole_site(lattice, up[j])));
        spin[j] = moved_spin(own_laws, READS_SPINS ? word_site_spin(lattice, spins, sites, j) : 0,
                             decision);
    }
    if (READS_SPINS)
        barrier(CLK_GLOBAL_MEM_FENCE);
    word_sites_store(lattice, sites, spin, gathered, spins);
}
