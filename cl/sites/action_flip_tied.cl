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
#include "sites/decisions.clh"

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
    fields += REPLICA(4 * DECISION_BLOCKS(lattice));
    u32 planes[PLANES];
    spins_load(lattice, spins, w, row, planes);
    const u32 tied = tied_sites(lattice, own_laws, own, w, planes, whole_word(lattice, w, row));
    stay(labels, fields, tied, first);
}
