/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures a system on a graph: its spins, and the sizes of its clusters. */
#include "core/labels.clh"
#include "core/systems.clh"
#include "graph/edges.clh"
#include "model/count_spins.clh"

#define COLUMNS (SPIN_SUMS + STATES)

/* Makes the counts of spins for a slot, as measure_spins.cl does on a lattice.
 *
 * One work-item: some words of 32 edges and of 32 vertices. Work-group: MEASURE_ITEMS. Local
 * memory: 2 bytes an edge, and COLUMNS counters. Global traffic, bytes an edge: 8, and the spins at
 * both ends; spins are read once more; each group writes its COLUMNS sums. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_graph(lattice_args lattice, lattice_args bonds, global const bond_law *laws,
              global const u32 *disorder, global const spin_store *spins, global const uint2 *ends,
              u32 slot, global u32 *sums)
{
    local u32 counts[COLUMNS], room[EDGE_ROOM(MEASURE_ITEMS)];
    const system_laws own = system_laws_of(bonds, laws, disorder);
    u32 mine[SPIN_COLUMNS] = {0}, planes[2 * PLANES];
    spins += REPLICA(spins_length(lattice));
    sums += COLUMNS * SLOT_GROUP(slot, get_num_groups(0), get_group_id(0));
    for (u32 k = get_local_id(0); k < COLUMNS; k += MEASURE_ITEMS)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong first = get_group_id(0) * MEASURE_ITEMS; first < bonds.words;
         first += get_global_size(0)) {
        const ulong w = first + get_local_id(0);
        load_edge_spins(lattice, bonds, spins, ends, first, MEASURE_ITEMS, room, planes);
        if (w < bonds.words)
            add_satisfied(bonds, spins, own, 0, w, 0, planes, mine);
    }
    for (ulong w = get_global_id(0); w < lattice.words; w += get_global_size(0)) {
        spins_load(lattice, spins, w, 0, planes);
        count_states(lattice, w, planes, 0xFFFFFFFFu, mine, counts + SPIN_SUMS);
    }
    for (u32 k = 0; k < SPIN_COLUMNS; k++)
        atomic_add(&counts[k], mine[k]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = get_local_id(0); k < COLUMNS; k += MEASURE_ITEMS)
        sums[k] = counts[k];
}

/* Vertices that a work-item of measure_graph_sizes has at a time. */
#define VERTICES_EACH 16u

/* Counts the sizes of the clusters in the labels of their roots, which are flat (labels.clh). A
 * group counts those of some vertices by itself that are in the cluster of the first: where a large
 * cluster has most vertices, one atomic operation stands for all of them.
 *
 * One work-item: some times VERTICES_EACH vertices. Work-group: MEASURE_ITEMS. Global traffic: 4
 * bytes a vertex, and an atomic operation for each one of another cluster than the group's. */
kernel __attribute__((reqd_work_group_size(MEASURE_ITEMS, 1, 1))) void
measure_graph_sizes(lattice_args lattice, volatile global label *labels)
{
    local u32 common, together;
    labels += REPLICA(lattice_sites(lattice));
    for (ulong from = get_group_id(0) * (MEASURE_ITEMS * VERTICES_EACH); from < lattice.nx;
         from += get_num_groups(0) * (MEASURE_ITEMS * VERTICES_EACH)) {
        u32 mine = 0;
        if (get_local_id(0) == 0) {
            common = min(label_read(labels, from), (label)from);
            together = 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (u32 k = 0; k < VERTICES_EACH; k++) {
            const ulong i = from + k * MEASURE_ITEMS + get_local_id(0);
            const label up = i < lattice.nx ? label_read(labels, i) : (label)i;
            if (up >= i)
                continue;
            if (up == common)
                mine++;
            else
                atomic_inc(&labels[up]);
        }
        if (mine > 0)
            atomic_add(&together, mine);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == 0 && together > 0)
            atomic_add(&labels[common], together);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
