/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments and kernels that rows of several families have, for their .def files. */
#ifndef CLUP_FAMILY_ROWS_H
#define CLUP_FAMILY_ROWS_H
#include "core/prepared.h"

/* clang-format off */
/* Labels from bonds, each at its cluster's smallest site inside of the tile. */
#define LABELLED VALUE(LATTICE), READS(BONDS), WRITES(LABELS)
/* Counts spins. Given is the slot. */
#define SPINS_SUMMED \
    {"measure_spins", "measure_spins", CLUP_GRID_COUNTERS, \
     {VALUE(LATTICE), READS(SPINS), GIVEN(slot), WRITES(SCRATCH_0)}}
/* Makes records of counts. Given are the groups that counted, the first slot, the records' format,
 * and the records. */
#define RECORDED \
    {"measure_record", "measure_record", CLUP_GRID_GIVEN, \
     {VALUE(LATTICE), GIVEN(groups), GIVEN(first), GIVEN(format), READS(SCRATCH_0), \
      READS(SCRATCH_1), CHANGES(UPDATED), GIVEN(records)}}
/* Counts of several sweeps are kept until their records are made. */
#define SLOTS (1u << CLUP_SPIN_SUMS | 1u << CLUP_CLUSTER_SUMS)
/* Sources of images, by columns of words and by words. */
#define BY_COLUMNS(BONDS_OR_NOT) \
    {"source_image", "source_image", CLUP_GRID_WORD_COLUMNS, \
     {VALUE(LATTICE), VALUE(IMAGE), READS(PIXELS), WRITES(SPINS), WRITES(BONDS_OR_NOT)}}
#define BY_WORDS(FILE, BONDS_OR_NOT) \
    {FILE, FILE, CLUP_GRID_WORDS, {VALUE(LATTICE), VALUE(IMAGE), READS(PIXELS), WRITES(SPINS), \
                                   WRITES(BONDS_OR_NOT)}}
#define OF_IMAGES \
    .models = CLUP_ON(CLUP_IMAGE), .spins = "planes", .bonds = "word", .growth = CLUP_GROWTH_SITES
/* Numbers clusters of images in raster order: scans the bits of keys. Past the last word of a
 * lattice, the scan adds up zeros. */
#define KEYS_PADDED (1u << CLUP_KEY_BITS)
#define KEYS_SCANNED \
    {"action_number_count", "action_number_count", CLUP_GRID_GIVEN, \
     {READS(SCRATCH_0), WRITES(SCRATCH_2)}}, \
    {"action_number_count", "action_number_sum", CLUP_GRID_GIVEN, \
     {GIVEN(count), CHANGES(SCRATCH_2)}}, \
    {"action_number_count", "action_number_before", CLUP_GRID_GIVEN, \
     {READS(SCRATCH_0), READS(SCRATCH_2), WRITES(SCRATCH_1)}}
/* Sums over the pixels of each cluster. Given are the arguments that label/statistics.c names. */
#define SUMMED \
    {"action_measure", "action_measure", CLUP_GRID_GIVEN, \
     {GIVEN(lattice), GIVEN(region_rows), GIVEN(from), GIVEN(count), GIVEN(numbers), \
      GIVEN(pixels), GIVEN(tops), GIVEN(clusters)}}, \
    {"action_measure", "action_measure_tops", CLUP_GRID_GIVEN, \
     {GIVEN(lattice), GIVEN(region_rows), GIVEN(from), GIVEN(count), GIVEN(numbers), \
      GIVEN(pixels), GIVEN(tops)}}
/* clang-format on */

#endif
