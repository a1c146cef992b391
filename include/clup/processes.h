/* SPDX-License-Identifier: BSD-3-Clause */
/* Several processes that simulate one lattice, or label one image, together. */
#ifndef CLUP_PROCESSES_H
#define CLUP_PROCESSES_H

#include "clup/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a process communicates with the others. clup_mpi.h makes this for MPI; a program may also
 * write the functions for another way to communicate.
 *
 * Every process calls the same functions of the library in the same order, with the same arguments.
 * These call the functions below, in the same order in every process. When one returns a status
 * other than CLUP_OK, the simulation ends with that status. */
typedef struct clup_ranks clup_ranks;
struct clup_ranks {
    uint32_t index, count; /* the number of this process, from 0 on, and how many there are */
    void *own;             /* for the functions; the library does not use it */
    /* Gathers mine[bytes] of each process to all[count*bytes], in the order of their numbers. mine
     * may lie in all, at the place where it belongs. With 0 bytes it waits for all processes. */
    clup_status (*gather)(const clup_ranks *ranks, const void *mine, size_t bytes, void *all);
    /* Replace each of values[count] by its sum over all processes, or by the smallest one. */
    clup_status (*sum)(const clup_ranks *ranks, uint64_t *values, size_t count);
    clup_status (*least)(const clup_ranks *ranks, uint64_t *values, size_t count);
    /* Sends mine[bytes] to process number to and receives theirs[bytes] from number from, which
     * calls it as well. CLUP_NOBODY sends or receives nothing. 0 bytes only tell the other process
     * that this one is there. */
    clup_status (*exchange)(const clup_ranks *ranks, uint32_t to, const void *mine, uint32_t from,
                            void *theirs, size_t bytes);
    /* Writes one file, all or nothing: head[head_bytes], which is the same in all processes, then
     * mine[bytes] of each process in the order of their numbers. On failure why[CLUP_WHY] says what
     * was wrong, in all processes. The pointer is NULL where processes cannot do that. */
    clup_status (*write)(const clup_ranks *ranks, const char *path, const void *head,
                         size_t head_bytes, const void *mine, size_t bytes, char *why);
    /* Returns memory[bytes] that all processes see, at whatever address, and that begins with a
     * page; NULL in all processes where there is none. give_back releases it, and waits for
     * nobody. Both pointers are NULL where processes cannot share memory. */
    void *(*share)(const clup_ranks *ranks, size_t bytes);
    void (*give_back)(const clup_ranks *ranks, void *memory);
    uint64_t reserved[4];
};
#define CLUP_NOBODY UINT32_MAX
#define CLUP_WHY 256 /* bytes of why, with the NUL */

/* Joins the context of each process to a group: later simulations, percolation and labelling are of
 * all processes together. ranks is kept, not copied; NULL ends the group, and is so at first.
 *
 * Spins, observables and series are those of the whole in each process, and the same as one process
 * finds, bit for bit.
 *
 * - With at least as many systems (replicas) as processes, each process has some of the systems on
 *   its device.
 * - With fewer systems, each process has a part of every lattice. Lattices are cut across their
 *   slowest axis, y in the plane, else z. Process number index has part number index, of at least
 *   one layer, and a copy of the layer after it. This is possible for percolation, and with
 *   Philox for Swendsen-Wang, the heat bath and overrelaxation, with the energy, the magnetisation
 *   and the sizes of clusters.
 * - clup_label_image labels an image of which each process has a part of the layers, without a copy
 *   of another one; clup_label_measure, clup_regions_measure_host and clup_contacts_find measure
 *   what it has labelled. clup_labelling_create is CLUP_ERROR_USAGE.
 *
 * clup_simulation_save and clup_simulation_write_spins write their file in process 0. */
CLUP_API clup_status clup_context_join(clup_context *context, const clup_ranks *ranks);

#ifdef __cplusplus
}
#endif

#endif
