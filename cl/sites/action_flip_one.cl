/* SPDX-License-Identifier: BSD-3-Clause */
/* Wolff's last step: the cluster of the chosen site takes s + shift mod q. The labels of other
 * clusters may be unfinished: what is asked is whether a site's root is that of the chosen one.
 *
 * One work-item: one site of a word, including those past the end of a row. Work-group: SITE_ITEMS.
 * Local memory: one byte a work-item and a counter. Global traffic, bytes a site: labels 4 and the
 * walk to the root; of the cluster's, spins read and written, word PLANES/8 each, char 1. Source:
 * the paper's approach (a) to the single-cluster algorithm. */
#include "core/labels.clh"
#include "core/shift.clh"

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_flip_one(lattice_args lattice, u32 chosen, u32 shift, global const label *labels,
                global spin_store *spins, volatile global u32 *updated)
{
    local u8 change[SITE_ITEMS];
    local u32 count;
    word_site at = word_site_here(lattice);
    u32 mine = at.inside &&
               label_root(labels, at.row * lattice.nx + at.x) == label_root(labels, chosen);
    shift_spins(lattice, at, mine ? shift : 0, spins, updated, change, &count);
}
