/* Measuring a sweep on the device. */
#ifndef CLUP_OBSERVE_MEASURE_H
#define CLUP_OBSERVE_MEASURE_H
#include "model/pass.h"
#include "observe/engine.h"

typedef struct clup_measure {
    clup_state *state;
    cl_mem records;
    clup_pinned on_host; /* the same bytes, on their way */
    clup_pass pass;
    cl_uint groups;
} clup_measure;

/* The format of records of sweeps (record.clh), with clusters, where all are known, or without. */
uint32_t clup_measure_format(const lattice_args *lattice, unsigned q, clup_algorithm algorithm,
                             bool clusters);
/* Sweeps whose records a device has room for at a time, and what they take. */
unsigned clup_measure_slots(const clup_state *state);
uint64_t clup_measure_bytes(const clup_state *state);
/* Without kernels there is only the buffer of records, for sweeps that write theirs. */
clup_status clup_measure_create(clup_state *state, const unsigned tile[3], bool by_kernels,
                                clup_measure *measure);
void clup_measure_clear(clup_measure *measure);
/* Enqueues the measurement of the spins, and as the state's measuring says of the clusters, as they
 * are into the records of slot < clup_measure_slots. Once for a sweep: it uses the labels up. */
clup_status clup_measure_sweep(clup_measure *measure, unsigned slot);
/* Waits and reads the records of the first count slots, one for each replica. */
clup_status clup_measure_read(clup_measure *measure, unsigned count, void *records);
/* A record that record_put() has stored. */
sweep_record clup_record_get(const uint32_t *from, uint32_t format);

/* The same from spins[sites], canonical labels[sites] and sizes[sites] to work in, on the host. */
sweep_record clup_measure_reference(const lattice_args *lattice, const uint8_t *spins,
                                    const uint32_t *labels, uint32_t *sizes);

#endif
