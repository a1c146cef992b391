/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments and kernels that kernel variants of several families share, for their .def files. */
#ifndef CLUP_FAMILY_SHARED_H
#define CLUP_FAMILY_SHARED_H
#include "core/prepared.h"

/* clang-format off */
/* Arguments of kernels that label the clusters of each tile from bonds: the label of a site is the
 * smallest site of its cluster inside the tile. */
#define LABELLED VALUE(LATTICE), READS(BONDS), WRITES(LABELS)
/* Counts spins. run gives the slot. */
#define SPINS_SUMMED \
    {"measure_spins", "measure_spins", CLUP_GRID_COUNTERS, \
     {VALUE(LATTICE), READS(LAWS), READS(DISORDER), READS(SPINS), GIVEN(slot), WRITES(SCRATCH_0)}}
/* Makes records from counts. run gives the number of groups that counted, the first slot, the
 * format of the records, and the records. */
#define RECORDED \
    {"measure_record", "measure_record", CLUP_GRID_GIVEN, \
     {VALUE(LATTICE), READS(LAWS), READS(DISORDER), GIVEN(groups), GIVEN(first), GIVEN(format), \
      READS(SCRATCH_0), READS(SCRATCH_1), CHANGES(UPDATED), GIVEN(records)}}
/* What kernels get that add up what the groups of measuring kernels counted, see measure.def. */
#define SUMS_STORED \
    GIVEN(groups), GIVEN(slot), GIVEN(format), GIVEN(part), READS(SCRATCH_0), GIVEN(records)
/* Kernels for the decisions of clusters: they are drawn; the cluster of the chosen site, which run
 * gives, moves and all others stay; sites of clusters that move are counted. */
#define DECISIONS_DRAWN \
    {"action_flip_fields", "action_flip_fields", CLUP_GRID_GIVEN, \
     {VALUE(LATTICE), VALUE(KEY), WRITES(SCRATCH_0)}}
#define DECIDE_ONE \
    {"action_decide_one", "action_decide_one", CLUP_GRID_GIVEN, \
     {VALUE(LATTICE), GIVEN(chosen), READS(LABELS), WRITES(SCRATCH_0)}}
#define COUNT_DECIDED \
    {"action_decide_one", "action_decide_one_count", CLUP_GRID_SITES, \
     {VALUE(LATTICE), READS(LABELS), READS(SCRATCH_0), CHANGES(UPDATED)}}
/* Counts of several sweeps are kept until their records are made. */
#define SLOTS (1u << CLUP_SPIN_SUMS | 1u << CLUP_CLUSTER_SUMS)
/* Sources of images: by columns of words, and by words. */
#define BY_COLUMNS(BONDS_OR_NOT) \
    {"source_image", "source_image", CLUP_GRID_WORD_COLUMNS, \
     {VALUE(LATTICE), VALUE(IMAGE), READS(PIXELS), WRITES(SPINS), WRITES(BONDS_OR_NOT)}}
#define BY_WORDS(FILE, BONDS_OR_NOT) \
    {FILE, FILE, CLUP_GRID_WORDS, {VALUE(LATTICE), VALUE(IMAGE), READS(PIXELS), WRITES(SPINS), \
                                   WRITES(BONDS_OR_NOT)}}
#define OF_IMAGES \
    .models = CLUP_ON(CLUP_IMAGE), .spins = "planes", .bonds = "word", .growth = CLUP_GROWTH_SITES
/* Number the clusters of an image in raster order by a scan over the bits of keys. Past the last
 * word of a lattice, the scan adds zeros. */
#define KEYS_PADDED (1u << CLUP_KEY_BITS)
#define KEYS_SCANNED \
    {"action_number_count", "action_number_count", CLUP_GRID_GIVEN, \
     {READS(SCRATCH_0), WRITES(SCRATCH_2)}}, \
    {"action_number_count", "action_number_sum", CLUP_GRID_GIVEN, \
     {GIVEN(count), CHANGES(SCRATCH_2)}}, \
    {"action_number_count", "action_number_before", CLUP_GRID_GIVEN, \
     {READS(SCRATCH_0), READS(SCRATCH_2), WRITES(SCRATCH_1)}}, \
    {"action_number_each", "action_number_each", CLUP_GRID_GIVEN, \
     {GIVEN(pixels_each), GIVEN(before), GIVEN(numbers)}}
/* Sums over the pixels of each cluster. run gives the arguments, which label/statistics.c names. */
#define SUMMED \
    {"action_measure", "action_measure", CLUP_GRID_GIVEN, \
     {GIVEN(lattice), GIVEN(region_rows), GIVEN(from), GIVEN(count), GIVEN(numbers), \
      GIVEN(pixels), GIVEN(tops), GIVEN(clusters)}}, \
    {"action_measure", "action_measure_tops", CLUP_GRID_GIVEN, \
     {GIVEN(lattice), GIVEN(region_rows), GIVEN(from), GIVEN(count), GIVEN(numbers), \
      GIVEN(pixels), GIVEN(tops)}}
/* clang-format on */

#endif
