/* SPDX-License-Identifier: BSD-3-Clause */
/* Unites groups of subdomains into one group, all of them at once or two at a time: a union-find
 * over the entries of all these groups (interface.clh), in which the root of a tree has the
 * smallest site. Entry k of group g is number 2N g + k of the forest. words and sizes are those of
 * a group for each replica, one group after the other. Every process does it for itself.
 *
 * If a process unites groups several times, it has several forests, and the words of the groups of
 * each; begun is how many numbers come before those of this forest.
 *
 * One work-item: an entry of a group, or of the subdomain. Work-group: WORD_ITEMS. Local memory:
 * none. Global traffic: for each entry a word, 4 bytes and two walks to a root. */
#include "interface/interface_forest.clh"

#ifdef RACE_FREE
#define INTERFACE_READ(forest, i) atomic_or(&(forest)[i], 0)
#else
#define INTERFACE_READ(forest, i) ((forest)[i])
#endif

/* Returns the root of the tree that holds i, as walk_up() of unite.clh does. */
u32 interface_root(lattice_args lattice, global const interface_word *all,
                   volatile global u32 *forest, u32 i)
{
    for (u32 up = interface_parent(lattice, all, i, INTERFACE_READ(forest, i)); up != i;) {
        const u32 over = interface_parent(lattice, all, up, INTERFACE_READ(forest, up));
#ifndef RACE_FREE
        if (over != up)
            forest[i] = 1 + over;
#endif
        i = up;
        up = over;
    }
    return i;
}

/* Unites, for each site of an interface, the clusters that both groups have there. wraps says that
 * the last group is followed by the first. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_merge_join(lattice_args lattice, u32 groups, ulong begun, u32 wraps,
                     global const interface_word *all, volatile global u32 *forest)
{
    const u32 layer = interface_layer(lattice), group = get_global_id(0) / layer,
              k = get_global_id(0) % layer;
    if (group >= groups - !wraps)
        return;
    all += begun;
    forest += begun + REPLICA(2 * layer * groups);
    u32 a = (2 * group + 1) * layer + k, b = (group + 1) % groups * 2 * layer + k;
    for (;;) {
        a = interface_root(lattice, all, forest, a);
        b = interface_root(lattice, all, forest, b);
        if (a == b)
            return;
        const interface_word word_a = all[of_group(lattice, a)], word_b = all[of_group(lattice, b)];
        const bool a_first = word_a != word_b ? word_a < word_b : a < b;
        const u32 low = a_first ? a : b, high = a_first ? b : a,
                  old = atomic_cmpxchg(&forest[high], 0, 1 + low);
        if (old == 0)
            return;
        a = old - 1;
        b = low;
    }
}

/* Writes the words of the new group: marks the roots of the clusters at its entries as taken. Their
 * parents become end + the number of their entry, where end is that of the forest. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_merge_stand(lattice_args lattice, u32 groups, ulong begun,
                      global const interface_word *all, volatile global u32 *forest,
                      global interface_word *words)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0), end = groups * 2 * layer;
    all += begun;
    forest += begun + REPLICA(end);
    if (k >= 2 * layer)
        return;
    u32 i = k < layer ? k : end - 2 * layer + k;
    for (u32 up = interface_parent(lattice, all, i, INTERFACE_READ(forest, i)); up != i && up < end;
         up = interface_parent(lattice, all, i, INTERFACE_READ(forest, i)))
        i = up;
    const u32 old = atomic_cmpxchg(&forest[i], 0, 1 + end + k);
    words[REPLICA(2 * layer) + k] = old == 0 ? all[of_group(lattice, i)] : old - 1 - end;
}

/* Follows the clusters of the subdomain from one union of groups to the next; it is launched after
 * every union but the last. The subdomain is in group number place. Before, at[k] is the entry of
 * that group where the cluster of entry k is, or INTERFACE_NONE if the smallest site of the cluster
 * is known. In the first union (begun 0) that entry is k itself, and at is not read. Afterwards
 * at[k] is the entry of the new group whose word has the site of the cluster. A cluster without an
 * entry in the new group takes part in no further union: at[k] becomes INTERFACE_NONE, and the
 * cluster's place in sites gets its smallest site. Entries of the subdomain whose word has no site
 * are left out. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_merge_follow(lattice_args lattice, u32 groups, ulong begun, u32 place,
                       global const interface_word *words, global const interface_word *all,
                       global const u32 *forest, global u32 *at, global u64 *sites)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0), end = groups * 2 * layer;
    all += begun;
    forest += begun + REPLICA(end);
    words += REPLICA(2 * layer);
    at += REPLICA(2 * layer);
    if (k >= 2 * layer || words[k] < 2 * layer)
        return;
    const u32 before = begun == 0 ? k : at[k];
    if (before == INTERFACE_NONE)
        return;
    const u32 i = interface_top(lattice, all, forest, place * 2 * layer + before, end),
              has = forest[i];
    at[k] = has > end ? has - 1 - end : INTERFACE_NONE;
    if (has <= end)
        sites[interface_place(lattice, k)] = interface_site_of(lattice, all[of_group(lattice, i)]);
}

/* Adds the sizes of the groups to those of roots. A size is at the entry whose word has a site, and
 * is 0 at other entries. totals has two words for each number of the forest. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_merge_add(lattice_args lattice, u32 groups, ulong begun, global const interface_word *all,
                    global const u32 *forest, global const u64 *sizes, volatile global u32 *totals)
{
    const u32 entries = 2 * interface_layer(lattice), end = groups * entries;
    u32 i = get_global_id(0);
    if (i >= end)
        return;
    const u64 size = sizes[of_group(lattice, i)];
    if (size == 0)
        return;
    totals += REPLICA(2 * (ulong)end);
    i = interface_top(lattice, all + begun, forest + begun + REPLICA(end), i, end);
    const u32 low = (u32)size, before = atomic_add(&totals[2 * (ulong)i], low),
              high = (u32)(size >> 32) + (before + low < before);
    if (high > 0)
        atomic_add(&totals[2 * (ulong)i + 1], high);
}

/* Writes the sizes of the new group. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
interface_merge_sizes(lattice_args lattice, u32 groups, ulong begun,
                      global const interface_word *all, global const u32 *forest,
                      global const u32 *totals, global u64 *sizes)
{
    const u32 layer = interface_layer(lattice), k = get_global_id(0), end = groups * 2 * layer;
    if (k >= 2 * layer)
        return;
    forest += begun + REPLICA(end);
    const u32 i = interface_top(lattice, all + begun, forest, k < layer ? k : end - 2 * layer + k,
                                end);
    sizes[REPLICA(2 * layer) + k] = forest[i] == 1 + end + k
                                        ? interface_total(totals + REPLICA(2 * (ulong)end), i)
                                        : 0;
}
