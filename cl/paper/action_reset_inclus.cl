/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of a few-cluster sweep, the paper's reset_inclus(): clusters whose smallest seed
 * decides so change their spins from s to s + r mod q, and all claims are cleared for the next
 * sweep.
 *
 * One work-item: one site of a word, including those past the end of a row. Work-group: SITE_ITEMS.
 * Local memory: one byte a work-item and a counter. Global traffic, bytes a site: inclus 4; for
 * sites of grown clusters, inclus 4, a walk to the root in the forest of seeds, and spins read and
 * written, word PLANES/8 each, char 1. */
#include "core/labels.clh"
#include "core/random.clh"
#include "model/shift.clh"

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
action_reset_inclus(lattice_args lattice, random_key key, u32 flip_below,
                    global const label *forest, global u32 *inclus, global spin_store *spins,
                    volatile global u32 *updated)
{
    local u8 change[SITE_ITEMS];
    local u32 count;
    word_site at = word_site_here(lattice);
    u32 i = at.row * lattice.nx + at.x, owner = at.inside ? inclus[i] : 0, shift = 0;
    if (owner > 0) {
        shift = seed_decision(random_seed(key, label_root(forest, owner - 1)), flip_below, STATES);
        inclus[i] = 0;
    }
    shift_spins(lattice, at, shift, spins, updated, change, &count);
}
