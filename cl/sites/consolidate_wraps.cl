/* SPDX-License-Identifier: BSD-3-Clause */
/* Works on bonds across periodic ends, once the clusters that the lattice has without these bonds
 * are known. It lists the pairs of roots that they connect, from which the host finds the clusters
 * that wrap around an axis (src/family/wraps.c), and unites the pairs. It also lists the roots at
 * both ends of open axes, for clusters that span them.
 *
 * Local memory: none. Work-group: WORD_ITEMS. */
#include "core/spins.clh"
#include "core/systems.clh"
#include "core/bonds.clh"
#include "forest/unite.clh"

/* Whether a site with this spin is occupied. */
#ifdef EVERY_SITE
#define OCCUPIED(spin) true
#else
#define OCCUPIED(spin) ((spin) == 0)
#endif

/* Writes to pair the roots that a bond along d connects, or NOWHERE twice if the bond is not
 * active. The bond is that of site in_layer of the layer from which bonds along d leave a periodic
 * axis. */
void bond_pair(lattice_args lattice, global const bond_store *bonds, global const label *labels,
               u32 d, u32 axis, u32 in_layer, global label pair[2])
{
    const u32 end = leaving_end(lattice_size(lattice, axis), step_along(offsets[d], axis));
    const lattice_site from = layer_site(lattice, axis, end, in_layer),
                       to = forward_site(lattice, offsets[d], from);
    const bool active = to.row != NOWHERE && to.x != NOWHERE &&
                        bond_active(lattice, bonds, d, from.x, from.row);
    pair[0] = active ? label_root(labels, from.row * lattice.nx + from.x) : NOWHERE;
    pair[1] = active ? label_root(labels, to.row * lattice.nx + to.x) : NOWHERE;
}

/* Lists the bonds across periodic ends, as pairs of roots.
 *
 * One work-item: one pair of the system. Pairs are numbered by axis, direction, and site in the
 * layer that the direction leaves from. A bond that is not active has NOWHERE twice. Global
 * traffic: 8 bytes a pair, and for each active bond two walks to a root. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps(lattice_args lattice, global const bond_store *bonds, global const label *labels,
                  global label *pairs, u32 count)
{
    u32 k = get_global_id(0);
    if (k >= count)
        return;
    bonds += REPLICA(bonds_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    pairs += 2 * (REPLICA(count) + k);
#pragma unroll
    for (u32 axis = 0; axis < AXES; axis++)
#pragma unroll
        for (u32 d = 0; d < DIRECTIONS; d++) {
            const u32 layer = (lattice.periodic >> axis & 1) && step_along(offsets[d], axis) != 0
                                  ? layer_sites(lattice, axis)
                                  : 0;
            if (k < layer) {
                bond_pair(lattice, bonds, labels, d, axis, k, pairs);
                return;
            }
            k -= layer;
        }
}

/* Lists the roots at both ends of open axes, as pairs.
 *
 * One work-item: one pair of opposite sites at the ends of an open axis, numbered by axis and then
 * by site in the layer. An empty site has NOWHERE. Global traffic: for each pair two walks to a
 * root, and 8 bytes. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps_ends(lattice_args lattice, global const spin_store *empty,
                       global const label *labels, global label *pairs, u32 count)
{
    u32 k = get_global_id(0);
    if (k >= count)
        return;
    empty += REPLICA(spins_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    pairs += 2 * (REPLICA(count) + k);
#pragma unroll
    for (u32 axis = 0; axis < AXES; axis++) {
        const u32 layer = lattice.periodic >> axis & 1 ? 0 : layer_sites(lattice, axis);
        if (k < layer) {
            for (u32 end = 0; end < 2; end++) {
                const lattice_site site = layer_site(lattice, axis,
                                                     end * (lattice_size(lattice, axis) - 1), k);
                pairs[end] = OCCUPIED(spin_at(lattice, empty, site.x, site.row))
                                 ? label_root(labels, site.row * lattice.nx + site.x)
                                 : NOWHERE;
            }
            return;
        }
        k -= layer;
    }
}

/* Unites the pairs that consolidate_wraps() listed.
 *
 * One work-item: one pair. Global traffic: for each pair 8 bytes, and for active bonds two walks to
 * a root. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps_unite(lattice_args lattice, volatile global label *labels,
                        global const label *pairs, u32 count)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    labels += REPLICA(lattice_sites(lattice));
    pairs += 2 * (REPLICA(count) + k);
    if (pairs[0] != NOWHERE)
        unite(labels, pairs[0], pairs[1]);
}
