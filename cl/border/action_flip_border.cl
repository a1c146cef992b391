/* SPDX-License-Identifier: BSD-3-Clause */
/* The last step of a Swendsen-Wang sweep in the border layout: each node takes the decision
 * (model.clh) that belongs to the key of its root, and each site the spin that follows from the
 * decision of its name. With count, nodes that are no roots add their sizes to their roots. They
 * add in local memory first, in a table in which each root can have one place only. Without it all
 * tiles would add at once to the largest cluster, which has nodes in nearly all of them.
 *
 * One work-group: GROUP_TILES tiles; a work-item: some of a tile's nodes, then a row. Local memory:
 * a byte or two a name and FLIP_PLACES places of 8 bytes. Global traffic, bytes a site: names 1 or
 * 2; spins written PLANES/8; for each cluster at a border a walk to the root, and with count 4 and
 * an atomic for some. */
#include "border/nodes.clh"
#include "border/root_sizes.clh"
#include "core/interface_entries.clh"
#include "core/spins.clh"
#include "core/systems.clh"
#include "model/model.clh"

#define NAMES (16u / sizeof(border_name)) /* in 16 bytes */

/* Writes the spins of a row of a tile. mine are the names of its sites, decision_of has the
 * decision for each name. */
void flip_row(lattice_args lattice, border_box box, u32 row, global const border_name *mine,
              local const border_name *decision_of, global spin_store *spins)
{
    u32 planes[PLANES], decisions[DECISION_PLANES];
    for (u32 p = 0; p < DECISION_PLANES; p++)
        decisions[p] = 0;
#pragma unroll
    for (u32 k = 0; k < 32; k += NAMES) {
        uint4 some = *(global const uint4 *)(mine + k);
        const u32 words[4] = {some.s0, some.s1, some.s2, some.s3};
#pragma unroll
        for (u32 j = 0; j < NAMES; j++) {
            u32 decision = decision_of[words[j * 4 / NAMES] >> j * (128 / NAMES) % 32 &
                                       ((1u << 128 / NAMES) - 1)];
            for (u32 p = 0; p < DECISION_PLANES; p++)
                decisions[p] |= (decision >> p & 1) << (k + j);
        }
    }
    const u32 to = border_row(lattice, box, row);
    const ulong plane = lattice_words(lattice), word = (ulong)to * lattice.words + box.w;
    if (READS_SPINS)
        spins_load(lattice, spins, box.w, to, planes);
    transform(planes, decisions);
    for (u32 p = 0; p < PLANES; p++)
        spins[p * plane + word] = planes[p] & 0xFFFFFFFFu >> (32 - box.nx);
}

kernel __attribute__((reqd_work_group_size(BORDER_ROWS * GROUP_TILES, 1, 1))) void
action_flip_border(lattice_args lattice, u32 tiles, random_key key, global const border_name *names,
                   global const border_edge *edges, global const border_node *nodes,
                   global spin_store *spins, global u32 *node_sizes, u32 count)
{
    local u32 roots[FLIP_PLACES], sums[FLIP_PLACES];
    local border_name decisions_of[GROUP_TILES][BORDER_INNER + DECISIONS];
    const u32 row = get_local_id(0) % BORDER_ROWS, sub = get_local_id(0) / BORDER_ROWS,
              tile = get_group_id(0) * GROUP_TILES + sub;
    const border_box box = border_box_of(lattice, tile);
    local border_name *decision_of = decisions_of[sub];
    const random_key own = system_key(key);
    names += REPLICA(tiles * (ulong)BORDER_SITES);
    edges += REPLICA(tiles);
    nodes += REPLICA(tiles * (ulong)BORDER_NODES);
    spins += REPLICA(spins_length(lattice));
    node_sizes += REPLICA((ulong)tiles * BORDER_NODES * SIZE_WORDS);
    begin_sizes(roots, sums, BORDER_ROWS * GROUP_TILES);
    for (u32 k = row; k < (tile < tiles ? edges[tile].clusters : 0); k += BORDER_ROWS) {
        const u32 end = tiles * BORDER_NODES, node = tile * BORDER_NODES + k;
        /* benign race "size of a root": another work-item may be adding to the size of a root, but
         * only sizes of nodes that are no roots are used */
        const u32 size = count ? node_size_own(node_sizes, node) : 0;
        const u32 root = node_top(nodes, node, end);
        decision_of[k] = INTERFACE_DECISION(
            nodes[root].parent, end, cluster_decision(own, whole_site(lattice, nodes[root].key)));
        if (count && root != node) {
            add_size(node_sizes, root, size, roots, sums);
            node_size_set(node_sizes, node, 0);
        }
    }
    for (u32 k = row; k < DECISIONS; k += BORDER_ROWS)
        decision_of[BORDER_INNER + k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (count)
        end_sizes(node_sizes, roots, sums, BORDER_ROWS * GROUP_TILES);
    if (tile < tiles && border_has_row(box, row))
        flip_row(lattice, box, row, names + (ulong)tile * BORDER_SITES + 32 * row, decision_of,
                 spins);
}
