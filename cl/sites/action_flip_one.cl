/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of a Wolff update: spins s of the cluster of the chosen site become s + shift mod
 * q. The labels of other clusters need not be finished: a site is in the cluster if its root is
 * that of the chosen site.
 *
 * One work-item: one site of a word, including those past the end of a row. Work-group: SITE_ITEMS.
 * Local memory: one byte a work-item and a counter. Global traffic, bytes a site: labels 4 and the
 * walk to the root; for sites of the cluster, spins read and written, word PLANES/8 each, char 1.
 * Source: the paper's approach (a) to the single-cluster algorithm. */
#include "core/labels.clh"
#include "model/shift.clh"

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
