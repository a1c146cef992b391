/* SPDX-License-Identifier: BSD-3-Clause */
/* Decides for the single-cluster update that the cluster of the chosen site takes the involution of
 * the sweep (model.clh, vector.clh), and that all others stay. The kernels of Swendsen-Wang then
 * tie sites and move spins by these decisions. Source: U. Wolff, Phys. Rev. Lett. 62, 361
 * (1989). */
#include "core/labels.clh"
#include "sites/decisions.clh"

/* Writes the decisions of all sites, a word to a work-item. The labels of other clusters need not
 * be finished.
 *
 * Work-group: WORD_ITEMS. Local memory: none. Global traffic, bytes a site: 1/8 written; the walk
 * to the root of the chosen site, a work-item. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_decide_one(lattice_args lattice, u32 chosen, global const label *labels, global u32 *fields)
{
    const ulong word = get_global_id(0);
    if (word >= 4 * DECISION_BLOCKS(lattice))
        return;
    const label root = label_root(labels, chosen);
    fields[word] = root / 32 == word ? 1u << root % 32 : 0;
}

/* Adds to *updated the number of sites whose clusters do not stay.
 *
 * One work-item: a site. Work-group: SITE_ITEMS. Local memory: a counter. Global traffic, bytes a
 * site: labels 4, the walk to the root and its decision; an atomic for each group with such
 * sites. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_decide_one_count(lattice_args lattice, global const label *labels, global const u32 *fields,
                        volatile global u32 *updated)
{
    local u32 count;
    const ulong i = get_global_id(0);
    if (get_local_id(0) == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < lattice_sites(lattice)) {
        const label root = label_root(labels, i);
        if (fields[root / 32] >> root % 32 & 1)
            atomic_inc(&count);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && count > 0)
        atomic_add(updated, count);
}
