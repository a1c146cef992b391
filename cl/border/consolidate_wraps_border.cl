/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what consolidate_wraps.cl does, in the border layout: clusters are found with all axes open,
 * and their nodes at the ends are listed, and united. All sites at the ends of the lattice are at
 * borders of tiles, so that their clusters have nodes. A bond across a boundary is drawn here
 * alone.
 *
 * Local memory: none. Work-group: WORD_ITEMS. */
#include "border/nodes.clh"
#ifdef LONG_ATOMICS
#include "forest/windings.clh"
#endif
#include "core/boundary.clh"
#include "core/spins.clh"
#include "core/systems.clh"
#include "model/model.clh"

/* Returns the root of the node of a site's cluster. */
u32 root_at(lattice_args lattice, u32 tiles, global const border_name *names,
            global const border_node *nodes, lattice_site site)
{
    const border_place place = border_place_of(lattice, site.x / 32, site.row);
    const border_name name = names[(ulong)place.tile * BORDER_SITES + 32 * place.r + site.x % 32];
    return node_top(nodes, place.tile * BORDER_NODES + border_number(name), tiles * BORDER_NODES);
}

/* Whether a bond is active in this sample. */
bool is_active(lattice_args lattice, random_key key, system_laws laws,
               global const spin_store *spins, boundary_bond bond)
{
    const u32 w = bond.from.x / 32, bit = 1u << bond.from.x % 32, row = bond.from.row;
    u32 planes[PLANES];
    if (bond.to.row == NOWHERE || bond.to.x == NOWHERE)
        return false;
    spins_load(lattice, spins, w, row, planes);
    const u32 candidates = bond_candidates(lattice, spins, laws, bond.d, w, row, planes) & bit;
    return active_bonds(candidates, key, bond.d, whole_word(lattice, w, row), laws) != 0;
}

/* Sets steps[AXES] to the boxes by which a bond leaves the box of the lattice. */
void steps_of(lattice_args lattice, boundary_bond bond, int steps[AXES])
{
    const u32 at[3] = {bond.from.x, bond.from.row % lattice.ny, bond.from.row / lattice.ny};
#pragma unroll
    for (u32 axis = 0; axis < AXES; axis++) {
        const int step = step_along(offsets[bond.d], axis);
        steps[axis] = step != 0 && at[axis] == leaving_end(lattice_size(lattice, axis), step) ? step
                                                                                              : 0;
    }
}

/* Lists the bonds across periodic ends, as pairs of roots. A bond that is not active has NOWHERE
 * twice.
 *
 * One work-item: one pair of the system. Global traffic: 8 bytes a pair, some words of spins, and
 * for each active bond two walks to a root. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps_border(lattice_args lattice, u32 tiles, random_key key,
                         global const bond_law *laws, global const u32 *disorder,
                         global const spin_store *spins, global const border_name *names,
                         global const border_node *nodes, global u32 *pairs, u32 count,
                         global u64 *links, global u32 *wrapped)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    spins += REPLICA(spins_length(lattice));
    names += REPLICA((ulong)tiles * BORDER_SITES);
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    pairs += 2 * (REPLICA(count) + k);
    const boundary_bond bond = boundary_bond_at(lattice, k);
    const bool active = is_active(lattice, system_key(key), system_laws_of(lattice, laws, disorder),
                                  spins, bond);
    pairs[0] = active ? root_at(lattice, tiles, names, nodes, bond.from) : NOWHERE;
    pairs[1] = active ? root_at(lattice, tiles, names, nodes, bond.to) : NOWHERE;
#ifdef LONG_ATOMICS
    links += REPLICA((ulong)tiles * BORDER_NODES);
    if (k == 0)
        wrapped[REPLICA(1)] = 0;
    if (active) {
        winding_begin(links, pairs[0]);
        winding_begin(links, pairs[1]);
    }
#endif
}

/* Lists the roots at both ends of open axes, as pairs. An empty site has NOWHERE.
 *
 * One work-item: one pair. Global traffic: for each pair two walks to a root, and 8 bytes. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps_border_ends(lattice_args lattice, u32 tiles, global const spin_store *empty,
                              global const border_name *names, global const border_node *nodes,
                              global u32 *pairs, u32 count, global u64 *links, global u32 *wrapped)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    empty += REPLICA(spins_length(lattice));
    names += REPLICA((ulong)tiles * BORDER_SITES);
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    pairs += 2 * (REPLICA(count) + k);
#ifdef LONG_ATOMICS
    links += REPLICA((ulong)tiles * BORDER_NODES);
    if (k == 0)
        wrapped[REPLICA(1)] = 0;
#endif
    for (u32 end = 0; end < 2; end++) {
        u32 axis;
        const lattice_site site = open_end_at(lattice, k, end, &axis);
        pairs[end] = OCCUPIED(spin_at(lattice, empty, site.x, site.row))
                         ? root_at(lattice, tiles, names, nodes, site)
                         : NOWHERE;
#ifdef LONG_ATOMICS
        if (pairs[end] != NOWHERE)
            winding_begin(links, pairs[end]);
#endif
    }
}

/* Unites the pairs that consolidate_wraps_border() listed.
 *
 * One work-item: one pair. Global traffic: for each pair 8 bytes, and for active bonds two walks to
 * a root, and two more to find clusters that wrap. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps_border_unite(lattice_args lattice, u32 tiles, global border_node *nodes,
                               global const u32 *pairs, u32 count, volatile global u64 *links,
                               volatile global u32 *wrapped)
{
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    nodes += REPLICA((ulong)tiles * BORDER_NODES);
    pairs += 2 * (REPLICA(count) + k);
    if (pairs[0] == NOWHERE)
        return;
    node_unite(nodes, pairs[0], pairs[1]);
#ifdef LONG_ATOMICS
    int steps[AXES];
    steps_of(lattice, boundary_bond_at(lattice, k), steps);
    winding_bond(steps, links + REPLICA((ulong)tiles * BORDER_NODES), pairs[0], pairs[1],
                 wrapped + REPLICA(1));
#endif
}

/* Finds the clusters that span open axes, where the device finds those that wrap.
 *
 * One work-item: one pair of consolidate_wraps_border_ends(). Global traffic: 8 bytes and two walks
 * to a root. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
consolidate_wraps_border_spans(lattice_args lattice, u32 tiles, global const u32 *pairs, u32 count,
                               volatile global u64 *links, volatile global u32 *wrapped)
{
#ifdef LONG_ATOMICS
    const u32 k = get_global_id(0);
    if (k >= count)
        return;
    pairs += 2 * (REPLICA(count) + k);
    for (u32 end = 0; end < 2; end++) {
        u32 axis;
        open_end_at(lattice, k, end, &axis);
        if (pairs[end] != NOWHERE)
            winding_end(links + REPLICA((ulong)tiles * BORDER_NODES), pairs[end], axis, end,
                        wrapped + REPLICA(1));
    }
#endif
}
