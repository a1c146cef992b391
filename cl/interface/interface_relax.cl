/* SPDX-License-Identifier: BSD-3-Clause */
/* Label relaxation between subdomains: each has, for its entries, the smallest sites known so far
 * of their clusters (interface.clh), and gets those of its neighbours, until nothing changes.
 *
 * One work-item: an entry. Work-group: WORD_ITEMS. Local memory: none. Global traffic: a word, the
 * entry's site, a neighbour's, and an atomic for those that are smaller. */
#include "interface/interface_sites.clh"

/* Sets the smallest site of each entry to the one that the subdomain knows by itself. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_relax_begin(lattice_args lattice, global const interface_word *words, global u64 *sites)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0);
    words += REPLICA(2 * layer);
    if (k < 2 * layer)
        sites[interface_place(lattice, k)] = interface_site_of(
            lattice, words[interface_first(lattice, words, k)]);
}

/* Finds for each cluster the entry at which a neighbour's site is smallest. At the entry that
 * represents the cluster, least becomes 1 + that entry, or stays 0 if no neighbour's site is
 * smaller than the one known. sides says which neighbours there are, as for interface_border_take()
 * of interface_border.cl. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_relax_find(lattice_args lattice, u32 sides, global const interface_word *words,
                     global const u64 *sites, global const u64 *theirs, volatile global u32 *least)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0);
    words += REPLICA(2 * layer);
    least += REPLICA(2 * layer);
    if (k >= 2 * layer || !(sides >> k / layer & 1))
        return;
    const u64 site = theirs[interface_place(lattice, k)];
    if (site >= sites[interface_place(lattice, k)])
        return;
    const u32 first = interface_first(lattice, words, k);
    for (u32 seen = 0;;) {
        const u32 old = atomic_cmpxchg(&least[first], seen, k + 1);
        if (old == seen || theirs[interface_place(lattice, old - 1)] <= site)
            return;
        seen = old;
    }
}

/* Gives all entries of a cluster the site that interface_relax_find() found. changed becomes 1 if
 * it found one for any cluster. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_relax_spread(lattice_args lattice, global const interface_word *words, global u64 *sites,
                       global const u64 *theirs, global const u32 *least,
                       volatile global u32 *changed)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0);
    words += REPLICA(2 * layer);
    least += REPLICA(2 * layer);
    if (k >= 2 * layer)
        return;
    const u32 first = interface_first(lattice, words, k), from = least[first];
    if (from == 0)
        return;
    sites[interface_place(lattice, k)] = theirs[interface_place(lattice, from - 1)];
    if (first == k)
        atomic_or(changed, 1);
}
