/* SPDX-License-Identifier: BSD-3-Clause */
/* Works on bonds across periodic ends, once the clusters that the lattice has without these bonds
 * are known. It lists the pairs of roots that they connect, from which the host finds the clusters
 * that wrap around an axis (src/family/wraps.c), and unites the pairs. It also lists the roots at
 * both ends of open axes, for clusters that span them.
 *
 * Local memory: none. Work-group: WORD_ITEMS. */
#include "core/boundary.clh"
#include "core/spins.clh"
#include "core/systems.clh"
#include "core/bonds.clh"
#include "forest/unite.clh"

/* Lists the bonds across periodic ends (boundary.clh), as pairs of roots. A bond that is not active
 * has NOWHERE twice.
 *
 * One work-item: one pair of the system. Global traffic: 8 bytes a pair, and for each active bond
 * two walks to a root. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps(lattice_args lattice, global const bond_store *bonds, global const label *labels,
                  global label *pairs, u32 count)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    bonds += REPLICA(bonds_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    pairs += 2 * (REPLICA(count) + k);
    const boundary_bond bond = boundary_bond_at(lattice, k);
    const bool active = bond.to.row != NOWHERE && bond.to.x != NOWHERE &&
                        bond_active(lattice, bonds, bond.d, bond.from.x, bond.from.row);
    pairs[0] = active ? label_root(labels, bond.from.row * lattice.nx + bond.from.x) : NOWHERE;
    pairs[1] = active ? label_root(labels, bond.to.row * lattice.nx + bond.to.x) : NOWHERE;
}

/* Lists the roots at both ends of open axes (boundary.clh), as pairs. An empty site has NOWHERE.
 *
 * One work-item: one pair. Global traffic: for each pair two walks to a root, and 8 bytes. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps_ends(lattice_args lattice, global const spin_store *empty,
                       global const label *labels, global label *pairs, u32 count)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    empty += REPLICA(spins_length(lattice));
    labels += REPLICA(lattice_sites(lattice));
    pairs += 2 * (REPLICA(count) + k);
    for (u32 end = 0; end < 2; end++) {
        u32 axis;
        const lattice_site site = open_end_at(lattice, k, end, &axis);
        pairs[end] = OCCUPIED(spin_at(lattice, empty, site.x, site.row))
                         ? label_root(labels, site.row * lattice.nx + site.x)
                         : NOWHERE;
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
