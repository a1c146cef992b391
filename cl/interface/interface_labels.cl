/* SPDX-License-Identifier: BSD-3-Clause */
/* Interfaces of subdomains where sites have labels (interface.clh); the kernels do what those of
 * interface_border.cl do. In a field, decisions has a bit for each root, which is cleared where the
 * field holds the cluster in the subdomain. */
#include "core/labels.clh"
#include "interface/interface_forest.clh"
#include "sites/decisions.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_labels_take(lattice_args lattice, volatile global label *labels, u32 sides,
                      global const u32 *decisions, global interface_word *words, global u32 *roots)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0),
              end = (u32)lattice_sites(lattice);
    labels += REPLICA(end);
    words += REPLICA(2 * layer);
    roots += REPLICA(2 * layer);
    if (k >= 2 * layer)
        return;
    if (!(sides >> k / layer & 1)) {
        words[k] = k;
        return;
    }
    const label root = counted_root(labels, k < layer ? k : end - 2 * layer + k);
    const label old = atomic_cmpxchg(&labels[root], root, end + k);
#if SITE_FIELD
    decisions += REPLICA(4 * DECISION_BLOCKS(lattice));
    const bool held = !(decisions[root / 32] >> root % 32 & 1);
#else
    const bool held = false;
#endif
    words[k] = old == root ? interface_word_of(lattice, root, held) : old - end;
    roots[k] = root;
}

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void interface_labels_give(
    lattice_args lattice, random_key key, global label *labels, global const interface_word *words,
    global const u32 *roots, global const u64 *sites, u32 groups, ulong begun, u32 place,
    global const interface_word *all, global const u32 *forest, global const u32 *at)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0),
              end = (u32)lattice_sites(lattice);
    labels += REPLICA(end);
    words += REPLICA(2 * layer);
    roots += REPLICA(2 * layer);
    if (k < 2 * layer && words[k] >= 2 * layer)
        labels[roots[k]] = end +
                           interface_decision(lattice, system_key(key),
                                              interface_least_site(lattice, groups, begun, place,
                                                                   all, forest, at, sites, k));
}

/* Prepares counting of sizes in labels: the label of a root at an interface becomes end. After
 * counting it is end + the number of the subdomain's sites in the cluster, which
 * interface_labels_sizes() writes. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_labels_begin(lattice_args lattice, global label *labels,
                       global const interface_word *words, global const u32 *roots)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0),
              end = (u32)lattice_sites(lattice);
    labels += REPLICA(end);
    words += REPLICA(2 * layer);
    roots += REPLICA(2 * layer);
    if (k < 2 * layer && words[k] >= 2 * layer)
        labels[roots[k]] = end;
}

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_labels_sizes(lattice_args lattice, global const label *labels,
                       global const interface_word *words, global const u32 *roots,
                       global u64 *sizes)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0),
              end = (u32)lattice_sites(lattice);
    labels += REPLICA(end);
    words += REPLICA(2 * layer);
    roots += REPLICA(2 * layer);
    sizes += REPLICA(2 * layer);
    if (k < 2 * layer)
        sizes[k] = words[k] >= 2 * layer ? labels[roots[k]] - end : 0;
}
