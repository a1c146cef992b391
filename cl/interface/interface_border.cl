/* SPDX-License-Identifier: BSD-3-Clause */
/* Interfaces of subdomains in the border layout (interface.clh). */
#include "border/nodes.clh"
#include "interface/interface_forest.clh"

/* Marks the roots of the clusters at the interfaces of the subdomain as taken. sides says which
 * interfaces there are: bit 0 at its first layer, bit 1 at its last. Writes the word of each entry,
 * and the root for each entry whose word has a site.
 *
 * One work-item: an entry. Work-group: WORD_ITEMS. Local memory: none. Global traffic: a name and a
 * walk to the root. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_border_take(lattice_args lattice, u32 tiles, global const border_name *names,
                      global border_node *nodes, u32 sides, global interface_word *words,
                      global u32 *roots)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0), end = tiles * BORDER_NODES;
    names += REPLICA(tiles * (ulong)BORDER_SITES);
    nodes += REPLICA(end);
    words += REPLICA(2 * layer);
    roots += REPLICA(2 * layer);
    if (k >= 2 * layer)
        return;
    if (!(sides >> k / layer & 1)) {
        words[k] = k;
        return;
    }
    const u32 in_layer = k % layer, row = AXES > 2 ? in_layer / lattice.nx : 0,
              x = in_layer - row * lattice.nx,
              before = k < layer ? 0 : lattice_rows(lattice) - layer / lattice.nx;
    const border_place at = border_place_of(lattice, x / 32, before + row);
    const u32 name = names[(ulong)at.tile * BORDER_SITES + 32 * at.r + x % 32] % BORDER_NODES,
              root = node_top(nodes, at.tile * BORDER_NODES + name, end),
              old = atomic_cmpxchg((volatile global u32 *)&nodes[root].parent, root, end + k);
    words[k] = old == root ? interface_word_of(lattice, nodes[root].key, false) : old - end;
    roots[k] = root;
}

/* Gives the roots the spins of their clusters in the whole lattice, see interface_least_site() of
 * interface_forest.clh. Work-items and memory are as for interface_border_take(); global traffic
 * also has a walk in the forest. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_border_give(lattice_args lattice, u32 tiles, random_key key, global border_node *nodes,
                      global const interface_word *words, global const u32 *roots,
                      global const u64 *sites, u32 groups, ulong begun, u32 place,
                      global const interface_word *all, global const u32 *forest,
                      global const u32 *at)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0), end = tiles * BORDER_NODES;
    nodes += REPLICA(end);
    words += REPLICA(2 * layer);
    roots += REPLICA(2 * layer);
    if (k < 2 * layer && words[k] >= 2 * layer)
        nodes[roots[k]].parent = end + interface_decision(
                                           lattice, system_key(key),
                                           interface_least_site(lattice, groups, begun, place, all,
                                                                forest, at, sites, k));
}

/* Writes the number of the subdomain's sites in each cluster at its interfaces, once sizes are
 * counted: at the entry whose word has a site, and 0 at other entries. Work-items and memory are as
 * for interface_border_take(). */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_border_sizes(lattice_args lattice, u32 tiles, global const u32 *node_sizes,
                       global const interface_word *words, global const u32 *roots,
                       global u64 *sizes)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0);
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    words += REPLICA(2 * layer);
    roots += REPLICA(2 * layer);
    sizes += REPLICA(2 * layer);
    if (k < 2 * layer)
        sizes[k] = words[k] >= 2 * layer ? node_size(node_sizes, roots[k]) : 0;
}
