/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions of a label image of which each of several processes has some layers: which these are, the
 * layers of others beside them, and records of regions as all processes together have them. */
#ifndef CLUP_LABEL_REGION_PARTS_H
#define CLUP_LABEL_REGION_PARTS_H
#include "base/status.h"

/* The layers of a process, rows in the plane, else planes of a volume. */
typedef struct clup_region_part {
    const clup_ranks *ranks; /* NULL for one process, which has all layers */
    uint64_t layer;          /* pixels of a layer */
    uint32_t first, layers;  /* layers before its own, and its own layers */
    uint32_t above, below;   /* layers of other processes before and after these that pixels have
                                neighbours in: those that decide what is counted of a pixel */
} clup_region_part;

/* Sets *part to what this process has. CLUP_ERROR_USAGE where there are more processes than layers,
 * or a part has 2^32 - 1 pixels or more. */
clup_status clup_region_part_of(const clup_ranks *ranks, const clup_region_problem *problem,
                                clup_region_part *part);
/* Sets above[part->above*layer] and below[part->below*layer] to the labels there. labels are those
 * of the own layers. All processes call it. */
clup_status clup_region_part_neighbours(const clup_region_part *part, const uint32_t *labels,
                                        uint32_t *above, uint32_t *below);

/* The words of records that are merged: of each of count records, which have stride words, words
 * words from word first on. */
typedef struct clup_record_words {
    uint32_t *records;
    uint64_t count;
    uint32_t stride, first, words;
} clup_record_words;

/* Merge them with those of the other processes, which have as many records, so that all have the
 * same: as whole numbers without a sign of each words, the lowest first, modulo 2^(32 each); as
 * numbers of 32 bits, CLUP_ERROR_USAGE where a sum has more; as the largest; or bit by bit, of the
 * lowest 4 bits. They do nothing where ranks is NULL. */
clup_status clup_records_add(const clup_ranks *ranks, clup_record_words of, uint32_t each);
clup_status clup_records_count(const clup_ranks *ranks, clup_record_words of);
clup_status clup_records_raise(const clup_ranks *ranks, clup_record_words of);
clup_status clup_records_either(const clup_ranks *ranks, clup_record_words of);

#endif
