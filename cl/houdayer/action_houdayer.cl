/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges the spins of two systems on clusters of sites where they are unlike (mates.clh).
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic:
 * the spins of both systems read and written; the walk to the root of each site with unlike spins.
 */
#include "forest/unite.clh"
#include "houdayer/mates.clh"
#include "model/model.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_houdayer(lattice_args lattice, random_key key, u32 round, global const u32 *mates,
                global spin_store *spins, global const label *labels)
{
    const ulong word = get_global_id(0), plane = lattice_words(lattice);
    const system_pair pair = pair_of(lattice, mates, spins);
    if (word >= plane || pair.first == pair.second)
        return;
    const random_key own = system_key(key);
    const u32 row = word / lattice.words, w = word % lattice.words;
    u32 moved = 0;
    labels += REPLICA(lattice_sites(lattice));
    for (u32 unlike = unlike_sites(lattice, pair, w, row); unlike; unlike &= unlike - 1) {
        const u32 j = popcount((unlike & -unlike) - 1);
        const label root = label_root(labels, (ulong)row * lattice.nx + 32 * w + j);
        moved |= (random_block(own, PURPOSE_PAIR, root, round).v[0] >> 31) << j;
    }
    global spin_store *first = spins + REPLICA(spins_length(lattice)) + word,
                      *second = spins + mate_of(mates) * spins_length(lattice) + word;
    for (u32 p = 0; p < PLANES; p++, first += plane, second += plane) {
        const u32 both = (*first ^ *second) & moved;
        *first ^= both;
        *second ^= both;
    }
}
