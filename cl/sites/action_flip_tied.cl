/* SPDX-License-Identifier: BSD-3-Clause */
/* Swendsen-Wang in a field, between action_flip_fields and action_flip (action_flip.cl): a site
 * along the field is tied with probability 1 - exp(-beta times the energy that it gains by a flip),
 * and a cluster with a tied site stays as it is. The kernel clears the decisions of the roots of
 * tied sites in fields.
 *
 * One work-item: 32 sites of a row, tied bit by bit as bonds are made active. Work-group:
 * WORD_ITEMS. Local memory: none. Global traffic, bytes a site: spins 1/8; for tied sites labels 4
 * and the walk to the root, and an atomic for each cluster, or some more. */
#include "core/labels.clh"
#include "core/spins.clh"
#include "core/systems.clh"
#include "model/model.clh"

/* Returns a word of decisions, which other work-items may be clearing. Benign race "stale
 * decision": a decision that was read too early is cleared once more. With RACE_FREE the read is
 * atomic. */
u32 decisions_read(volatile global u32 *fields)
{
#ifdef RACE_FREE
    return atomic_or(fields, 0);
#else
    return *fields;
#endif
}

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_flip_tied(lattice_args lattice, random_key key, global const bond_law *laws,
                 global const u32 *disorder, global const label *labels,
                 global const spin_store *spins, volatile global u32 *fields)
{
    const ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    const random_key own = system_key(key);
    const system_laws own_laws = laws_in_sweep(system_laws_of(lattice, laws, disorder), own);
    const u32 row = word / lattice.words, w = word % lattice.words;
    const label first = row * lattice.nx + 32 * w;
    spins += REPLICA(spins_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    fields += REPLICA(4 * (field_block(lattice_sites(lattice) - 1, FIELD) + 1));
    u32 planes[PLANES];
    spins_load(lattice, spins, w, row, planes);
    u32 tied = tied_sites(lattice, own_laws, own, w, planes, whole_word(lattice, w, row));
    for (label last = NOWHERE; tied; tied &= tied - 1) {
        const label root = label_root(labels, first + popcount((tied & -tied) - 1));
        const u32 bit = 1u << root % 32;
        if (root != last && decisions_read(&fields[root / 32]) & bit)
            atomic_and(&fields[root / 32], ~bit);
        last = root;
    }
}
