/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of lattices that stay in local memory. */
#ifndef CLUP_FAMILY_RESIDENT_H
#define CLUP_FAMILY_RESIDENT_H
#include "core/prepared.h"

clup_status clup_run_resident(clup_prepared *prepared);
clup_status clup_run_resident_many(clup_prepared *prepared, unsigned count, cl_mem records,
                                   unsigned *done);
void clup_resident_tile(const lattice_args *lattice, unsigned tile[3]);
size_t clup_resident_items(const unsigned tile[3]);
size_t clup_resident_group(const clup_prepared *prepared);
uint64_t clup_resident_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q);

#endif
