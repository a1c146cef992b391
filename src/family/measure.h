/* SPDX-License-Identifier: BSD-3-Clause */
/* Measuring: formats and slots of records, and kernels that measure. */
#ifndef CLUP_FAMILY_MEASURE_H
#define CLUP_FAMILY_MEASURE_H
#include "core/prepared.h"
#include "core/record.clh"

/* Sweeps of one batch, at most, which have a record for each replica; an engine may have room for
 * less. */
#define CLUP_RECORDS 256u
#define CLUP_RECORDS_ALL 524288u
static inline unsigned clup_records_most(uint32_t replicas)
{
    return replicas > CLUP_RECORDS_ALL                  ? 1
           : CLUP_RECORDS_ALL / replicas < CLUP_RECORDS ? CLUP_RECORDS_ALL / replicas
                                                        : CLUP_RECORDS;
}

/* The format of records of sweeps (record.clh) with such groups of numbers, RECORD_CLUSTERS, where
 * all are known, and RECORD_BESIDES; and of those of a state with all that there is to measure. */
uint32_t clup_measure_format(const lattice_args *lattice, unsigned q, clup_algorithm algorithm,
                             uint32_t groups);
uint32_t clup_measure_all(const clup_state *state);
/* Bytes of what is kept of a sweep and replica on the device: a record, or of a part of a lattice
 * CLUP_SUBDOMAIN_SUMS(q) sums of its spins and clusters. */
#define CLUP_SUBDOMAIN_SUMS(q) (SPIN_SUMS + (q) + CLUSTER_SUMS)
uint64_t clup_measure_record_bytes(const clup_state *state, uint32_t format);
/* Slots: sweeps whose measurements and records of a format a device has room for at a time. */
unsigned clup_measure_slots(const clup_state *state, uint32_t format);

/* The row that measures a model and a layout, of a lattice with or without periodic axes, that
 * needs no stores but these; NULL for none. */
const clup_variant *clup_measure_variant(clup_model model, const clup_layout *layout, bool periodic,
                                         uint32_t stores);
/* The row that measures a group of numbers of records besides (prepared.h) in a layout; NULL for
 * none. */
const clup_variant *clup_measure_group_variant(uint32_t group, const clup_layout *layout);
/* Enqueues what such a row measures of its prepared's state, for the record of a slot. */
clup_status clup_measure_part(clup_prepared *prepared, cl_uint slot, cl_mem records);
/* What the groups that count leave in the scratch buffers of the rows that count spins. */
enum { CLUP_SPIN_SUMS, CLUP_CLUSTER_SUMS };

/* Scratch buffers, local memory and launches of rows that measure. */
uint64_t clup_counts_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_modes_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_pairs_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_fk_sizes_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_fk_modes_scratch(const clup_prepared *prepared, unsigned which);
uint64_t clup_record_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_sweep_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_sizes_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_group_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
uint64_t clup_waves_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);
clup_status clup_run_fk_sizes(clup_prepared *prepared);
clup_status clup_run_fk_modes(clup_prepared *prepared);

#endif
