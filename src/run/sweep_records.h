/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of all measured sweeps of a simulation, as they are stored on the device. */
#ifndef CLUP_RUN_SWEEP_RECORDS_H
#define CLUP_RUN_SWEEP_RECORDS_H
#include "base/status.h"

typedef struct clup_sweep_records {
    uint32_t words;    /* of a record, see record.clh */
    uint32_t replicas; /* of a sweep */
    size_t count;      /* sweeps, but for those that are left out */
    struct record_chunk *chunks;
    size_t chunk_count, chunk_room;
    size_t left_out;                     /* the first so many sweeps are not given */
    size_t chunks_before, sweeps_before; /* those chunks, and sweeps of the next chunk */
} clup_sweep_records;

/* Makes room for the records of so many more sweeps, replica by replica and sweep by sweep; NULL
 * where there is no memory. */
uint32_t *clup_sweep_records_room(clup_sweep_records *records, size_t sweeps);
/* Adds the first sweeps sweeps of the room, which are filled in. */
void clup_sweep_records_add(clup_sweep_records *records, size_t sweeps);
/* Gives the records of a replica in a chunk: the first record, and the distance between records in
 * words. Returns how many there are, 0 past the last chunk. */
size_t clup_sweep_records_of(const clup_sweep_records *records, size_t chunk, uint32_t replica,
                             const uint32_t **first, size_t *apart);
/* Leaves the first so many of all sweeps out of those that are given and counted; 0 for none. There
 * must be more. */
void clup_sweep_records_leave_out(clup_sweep_records *records, size_t sweeps);
/* Drops all records. */
void clup_sweep_records_forget(clup_sweep_records *records);
void clup_sweep_records_clear(clup_sweep_records *records);

#endif
