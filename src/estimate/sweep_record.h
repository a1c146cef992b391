/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of measured sweeps, as kernels pack them (record_put() in cl/core/record.clh). */
#ifndef CLUP_ESTIMATE_SWEEP_RECORD_H
#define CLUP_ESTIMATE_SWEEP_RECORD_H
#include <stddef.h>
#include <stdint.h>

#include "core/record.clh"

/* Reads a packed record of a format. Numbers that the format does not have are 0. */
sweep_record clup_sweep_record_get(const uint32_t *from, uint32_t format);
/* Reads count packed records into records[count]. The first one begins at from, each other so many
 * words apart after the one before. Numbers that the format does not have stay as they are. */
void clup_sweep_records_get(const uint32_t *from, size_t apart, size_t count, uint32_t format,
                            sweep_record *records);
/* Returns number k of an array of a packed record; part is the array's bit of the format. */
uint64_t clup_sweep_record_number(const uint32_t *record, uint32_t format, uint32_t part,
                                  uint32_t k);

#endif
