/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what action_flip_border does, with one work-item for each tile: it draws the decisions of
 * eight clusters at once, and writes eight sites at once to the planes.
 *
 * One work-group: one tile, one work-item. Private memory: a byte a name, two words a cluster.
 * Global traffic: as action_flip_border. */
#include "border/nodes.clh"
#include "core/interface_entries.clh"
#include "core/spins.clh"
#include "core/systems.clh"
#include "model/model8.clh"

/* Returns the lowest bits of eight bytes, as a byte. */
u32 low_bits(ulong bytes)
{
    return (bytes & 0x0101010101010101ul) * 0x0102040810204080ul >> 56;
}

/* Returns the decisions of eight sites, a byte each, by their names. */
ulong decisions_of(const u8 *decision_of, global const border_name *names)
{
    ulong decisions = 0;
#pragma unroll
    for (u32 j = 0; j < 8; j++)
        decisions |= (ulong)decision_of[names[j]] << 8 * j;
    return decisions;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
action_flip_serial(lattice_args lattice, u32 tiles, random_key key, global const border_name *names,
                   global const border_edge *edges, global const border_node *nodes,
                   global spin_store *spins, global u32 *node_sizes, u32 count)
{
    u8 decision_of[BORDER_INNER + DECISIONS];
    ulong keys[BORDER_NODES];
#ifdef SUBDOMAIN
    u32 ups[BORDER_NODES];
#endif
    const u32 tile = get_group_id(0), first = tile * BORDER_NODES,
              clusters = edges[REPLICA(tiles) + tile].clusters;
    const border_box box = border_box_of(lattice, tile);
    const random_key own = system_key(key);
    names += REPLICA(tiles * (ulong)BORDER_SITES) + (ulong)tile * BORDER_SITES;
    nodes += REPLICA(tiles * (ulong)BORDER_NODES);
    spins += REPLICA(spins_length(lattice));
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    for (u32 k = 0; k < clusters; k++) {
        const u32 root = node_top(nodes, first + k, tiles * BORDER_NODES);
        keys[k] = nodes[root].key;
#ifdef SUBDOMAIN
        ups[k] = nodes[root].parent;
#endif
        if (count && root != first + k) {
            node_size_add(node_sizes, root, node_size_own(node_sizes, first + k));
            node_size_set(node_sizes, first + k, 0);
        }
    }
    for (u32 k = 0; k < clusters; k += 8)
        vstore8(convert_uchar8(cluster_decisions(own, whole_sites(lattice, vload8(0, keys + k)))),
                0, decision_of + k);
#ifdef SUBDOMAIN
    for (u32 k = 0; k < clusters; k++)
        decision_of[k] = INTERFACE_DECISION(ups[k], tiles * BORDER_NODES, decision_of[k]);
#endif
    for (u32 k = 0; k < DECISIONS; k++)
        decision_of[BORDER_INNER + k] = k;
    const ulong plane = lattice_words(lattice);
    for (u32 r = 0; r < BORDER_ROWS; r++, names += 32) {
        if (!border_has_row(box, r))
            continue;
        const u32 row = border_row(lattice, box, r);
        const ulong word = (ulong)row * lattice.words + box.w;
        const ulong some[4] = {
            decisions_of(decision_of, names), decisions_of(decision_of, names + 8),
            decisions_of(decision_of, names + 16), decisions_of(decision_of, names + 24)};
        u32 planes[PLANES], decisions[DECISION_PLANES];
        for (u32 p = 0; p < DECISION_PLANES; p++)
            decisions[p] = low_bits(some[0] >> p) | low_bits(some[1] >> p) << 8 |
                           low_bits(some[2] >> p) << 16 | low_bits(some[3] >> p) << 24;
        if (READS_SPINS)
            spins_load(lattice, spins, box.w, row, planes);
        transform(planes, decisions);
        for (u32 p = 0; p < PLANES; p++)
            spins[p * plane + word] = planes[p] & 0xFFFFFFFFu >> (32 - box.nx);
    }
}
