/* SPDX-License-Identifier: BSD-3-Clause */
/* Houdayer's cluster moves. Two systems with the same couplings and the same temperature exchange
 * their spins on clusters of sites at which their spins are unlike: sites that bonds connect,
 * active or not. Around such a cluster both systems have equal spins, so that the sum of their
 * energies, in a field as well, stays as it is. Each cluster is exchanged with probability 1/2,
 * which is drawn by its smallest site. Source: J. Houdayer, Eur. Phys. J. B 22, 479 (2001).
 *
 * mates[r] is the number of the system that moves with system r, or r itself if there is none. The
 * system with the lower number does what is to be done for both. The kernels are launched one after
 * the other. */
#include "core/spins.clh"
#include "core/systems.clh"
#include "forest/unite.clh"
#include "model/model.clh"

/* The two systems of the work-group. */
typedef struct system_pair {
    global const spin_store *first, *second;
} system_pair;

/* Returns the system that moves with that of the work-group; the latter if there is nothing to
 * do. */
u32 mate_of(global const u32 *mates)
{
    const u32 own = get_group_id(1);
    return max(mates[own], own);
}

/* Returns both systems; twice that of the work-group if there is nothing to do. */
system_pair pair_of(lattice_args lattice, global const u32 *mates, global const spin_store *spins)
{
    const ulong length = spins_length(lattice);
    const system_pair pair = {spins + REPLICA(length), spins + mate_of(mates) * length};
    return pair;
}

/* Returns the sites of word w of a row, as bits, whose spins are unlike. */
u32 unlike_sites(lattice_args lattice, system_pair pair, u32 w, u32 row)
{
    u32 planes[PLANES], others[PLANES], unlike = 0;
    spins_load(lattice, pair.first, w, row, planes);
    spins_load(lattice, pair.second, w, row, others);
    for (u32 p = 0; p < PLANES; p++)
        unlike |= planes[p] ^ others[p];
    return unlike & word_mask(lattice, w);
}

/* Returns the sites of word w of a row, as bits, that have a forward neighbour along d with unlike
 * spins. */
u32 unlike_ahead(lattice_args lattice, system_pair pair, u32 d, u32 w, u32 row)
{
    u32 planes[PLANES], others[PLANES], ahead[PLANES], others_ahead[PLANES], unlike = 0;
    spins_load(lattice, pair.first, w, row, planes);
    spins_load(lattice, pair.second, w, row, others);
    spins_ahead(lattice, pair.first, d, w, row, planes, ahead);
    const u32 there = spins_ahead(lattice, pair.second, d, w, row, others, others_ahead);
    for (u32 p = 0; p < PLANES; p++)
        unlike |= ahead[p] ^ others_ahead[p];
    return unlike & there;
}

/* Makes each site with unlike spins a cluster.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic:
 * the spins of both systems read; 4 bytes written for a site with unlike spins. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_houdayer_begin(lattice_args lattice, global const u32 *mates, global const spin_store *spins,
                      global label *labels)
{
    const ulong word = get_global_id(0);
    const system_pair pair = pair_of(lattice, mates, spins);
    if (word >= lattice_words(lattice) || pair.first == pair.second)
        return;
    const u32 row = word / lattice.words, w = word % lattice.words;
    labels += REPLICA(lattice_sites(lattice));
    for (u32 unlike = unlike_sites(lattice, pair, w, row); unlike; unlike &= unlike - 1) {
        const u32 j = popcount((unlike & -unlike) - 1);
        const label site = (ulong)row * lattice.nx + 32 * w + j;
        labels[site] = site;
    }
}

/* Unites sites with unlike spins that a bond connects.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic:
 * the spins of both systems read once and for each direction; the walks to the roots of both ends
 * of a bond, and an atomic operation for each union. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_houdayer_unite(lattice_args lattice, global const bond_law *laws, global const u32 *disorder,
                      global const u32 *mates, global const spin_store *spins,
                      volatile global label *labels)
{
    const ulong word = get_global_id(0);
    const system_pair pair = pair_of(lattice, mates, spins);
    if (word >= lattice_words(lattice) || pair.first == pair.second)
        return;
    const system_laws own = system_laws_of(lattice, laws, disorder);
    const u32 row = word / lattice.words, w = word % lattice.words,
              unlike = unlike_sites(lattice, pair, w, row);
    labels += REPLICA(lattice_sites(lattice));
    for (u32 d = 0; d < DIRECTIONS && unlike; d++) {
        u32 bonds = unlike & unlike_ahead(lattice, pair, d, w, row) &
                    bonds_present(lattice, own, d, w, row);
        for (; bonds; bonds &= bonds - 1) {
            const lattice_site from = {32 * w + popcount((bonds & -bonds) - 1), row},
                               to = forward_site(lattice, offsets[d], from);
            unite(labels, (ulong)from.row * lattice.nx + from.x, (ulong)to.row * lattice.nx + to.x);
        }
    }
}

/* Exchanges the spins of clusters.
 *
 * One work-item: a word of 32 sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic:
 * the spins of both systems read and written; the walk to the root of each site with unlike spins.
 */
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
