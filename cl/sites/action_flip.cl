/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of a Swendsen-Wang sweep: every cluster takes its decision (model.clh). If a random
 * block has the fields of many clusters, action_flip_fields has drawn the fields of all sites, and
 * each site looks up the field of its root; else each site draws the decision of its root. */
#include "core/interface_entries.clh"
#include "core/systems.clh"
#include "core/word_sites.clh"
#include "model/model.clh"
#include "sites/decisions.clh"

/* Returns the decision of a root: looked up in fields if FIELD < 32, else drawn. */
u32 decision_of(lattice_args lattice, random_key key, global const u32 *fields,
                global const label *labels, label root)
{
    return INTERFACE_DECISION(labels[root], (label)lattice_sites(lattice),
                              FIELD < 32
                                  ? word_spin(fields[root / (32 / FIELD)], root, DECISIONS, FIELD)
                                  : cluster_decision(key, whole_site(lattice, root)));
}

#if defined THREADS && !defined SPINS_BYTES
/* Gives the sites of word w of a row their spins, one after the other: most have the label of the
 * site before. */
void flip_word(lattice_args lattice, random_key key, system_laws laws, global const u32 *fields,
               global const label *labels, u32 w, u32 row, global spin_store *spins)
{
    const label first = row * lattice.nx + 32 * w;
    const u32 sites = last_bit(lattice, w) + 1;
    u32 planes[PLANES], bytes[8] = {0};
    label roots[32];
    u8 *spin = (u8 *)bytes;
    if (READS_SPINS) {
        spins_load(lattice, spins, w, row, planes);
        for (u32 k = 0; k < 8; k++)
            bytes[k] = four_spins(planes, k);
    }
    found_roots(lattice, labels, first, sites, roots);
    for (u32 j = 0; j < sites; j++)
        spin[j] = moved_spin(laws, spin[j], decision_of(lattice, key, fields, labels, roots[j]));
    const byte_bits of = bits_in(bytes);
    for (u32 p = 0; p < PLANES; p++)
        spins[p * lattice_words(lattice) + (ulong)row * lattice.words + w] = bits_of_bytes(&of, p) &
                                                                             word_mask(lattice, w);
}
#define FLIPS_WORDS 1
#else
#define FLIPS_WORDS 0
#endif

/* Gives each site the spin that follows from the decision of its root.
 *
 * One work-item: some sites, see word_sites.clh; of threads 32 in each group: a word. Work-group:
 * SITE_ITEMS. Local memory: one byte a site. Global traffic, bytes a site: labels 4 and the walk to
 * the root, and its field; spins written, word PLANES/8, char 1. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_flip(lattice_args lattice, random_key key, global const bond_law *laws,
            global const u32 *disorder, global const u32 *fields, global const label *labels,
            global spin_store *spins)
{
    if (FLIPS_WORDS && get_local_id(0) >= 32)
        return;
    const random_key own = system_key(key);
    const system_laws own_laws = laws_in_sweep(system_laws_of(lattice, laws, disorder), own);
    fields += REPLICA(4 * (field_block(lattice_sites(lattice) - 1, FIELD) + 1));
    labels += REPLICA(lattice_sites(lattice));
    spins += REPLICA(spins_length(lattice));
#if FLIPS_WORDS
    for (u32 in_group = get_local_id(0); in_group < 32; in_group += SITE_ITEMS) {
        const u32 w = word_group_column(lattice, in_group), row = word_group_row(lattice, in_group);
        if (word_is_inside(lattice, w, row))
            flip_word(lattice, own, own_laws, fields, labels, w, row, spins);
    }
#else
    local u32 gathered[SITES_EACH * SITE_ITEMS / 4];
    const word_sites sites = word_sites_at(lattice);
    label up[SITES_EACH];
    u32 spin[SITES_EACH];
    word_sites_roots(lattice, labels, sites, up);
    UNROLL_SITES
    for (u32 j = 0; j < SITES_EACH; j++) {
        const u32 decision = decision_of(lattice, own, fields, labels, up[j]);
        spin[j] = moved_spin(own_laws, READS_SPINS ? word_site_spin(lattice, spins, sites, j) : 0,
                             decision);
    }
    if (READS_SPINS)
        barrier(CLK_GLOBAL_MEM_FENCE);
    word_sites_store(lattice, sites, spin, gathered, spins);
#endif
}
