/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring: formats and slots of records, and the kernels that measure. */
#ifndef CLUP_FAMILY_MEASURE_H
#define CLUP_FAMILY_MEASURE_H
#include "core/prepared.h"
#include "core/record.clh"

/* Most sweeps of a batch, and most records: each sweep has a record for each replica. An engine may
 * have room for fewer. */
#define CLUP_RECORDS 256u
#define CLUP_RECORDS_ALL 524288u
static inline unsigned clup_records_most(uint32_t replicas)
{
    return replicas > CLUP_RECORDS_ALL                  ? 1
           : CLUP_RECORDS_ALL / replicas < CLUP_RECORDS ? CLUP_RECORDS_ALL / replicas
                                                        : CLUP_RECORDS;
}

/* Return the format of records of sweeps (record.clh). clup_measure_format: with the given groups
 * of numbers, RECORD_CLUSTERS where the clusters are all known, and RECORD_BESIDES; most_satisfied
 * is the largest sum of satisfied bonds times their weights, see clup_problem_most_satisfied.
 * clup_measure_format_of: likewise of a problem, with what its model needs. clup_measure_all: with
 * all that can be measured in the state. */
uint32_t clup_measure_format(const lattice_args *lattice, unsigned q, uint64_t most_satisfied,
                             clup_algorithm algorithm, uint32_t groups);
uint32_t clup_measure_format_of(const clup_problem *problem, clup_algorithm algorithm,
                                uint32_t groups);
uint32_t clup_measure_all(const clup_state *state);
/* Returns the bytes that the device keeps for one sweep of one replica: a record, or for a
 * subdomain clup_subdomain_sums() sums of its spins and clusters. */
static inline size_t clup_subdomain_sums(const clup_state *state)
{
    return state->spin_sums + state->q + CLUSTER_SUMS;
}
uint64_t clup_measure_record_bytes(const clup_state *state, uint32_t format);
/* Returns the number of slots: sweeps whose sums and records the device has room for at a time. */
unsigned clup_measure_slots(const clup_state *state, uint32_t format);

/* Returns the kernel variant that measures a model and a layout, on a lattice with or without
 * periodic axes, and that reads no device buffers but those in stores; NULL for none. */
const clup_variant *clup_measure_variant(clup_model model, const clup_layout *layout, bool periodic,
                                         uint32_t stores);
/* Returns the kernel variant that adds a group of numbers to records (group of clup_variant) in a
 * layout; NULL for none, as of graphs. */
const clup_variant *clup_measure_group_variant(uint32_t group, const clup_layout *layout);
/* Enqueues the measurement of such a group, in the prepared stage's state, for the record of a
 * slot. */
clup_status clup_measure_part(clup_prepared *prepared, cl_uint slot, cl_mem records);
/* Scratch buffers where the work-groups that count leave their sums. */
enum { CLUP_SPIN_SUMS, CLUP_CLUSTER_SUMS };

/* Scratch buffers, local memory and launches of the kernel variants that measure. */
uint64_t clup_counts_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_staggered_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_twist_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_overlap_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_modes_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_pairs_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_fk_bonds_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_fk_sizes_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_fk_modes_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_record_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_sweep_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_sizes_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_group_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_waves_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
clup_status clup_run_fk_pairs(clup_prepared *prepared);
clup_status clup_run_fk_sizes(clup_prepared *prepared);
clup_status clup_run_fk_modes(clup_prepared *prepared);
/* fk_ties: clup_fk_tie finds which clusters the field ties, while the labels are as consolidation
 * left them, and clup_fk_join_tied then makes them one. */
uint64_t clup_ties_scratch(const clup_prepared *prepared, unsigned which);
clup_status clup_fk_tie(clup_prepared *prepared);
clup_status clup_fk_join_tied(clup_prepared *prepared);

#endif
