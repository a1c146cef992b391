/* Several processes that work on one lattice or image. */
#ifndef CLUP_PROCESSES_H
#define CLUP_PROCESSES_H

#include "clup/device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Several processes that simulate one lattice, each a part of it: what a process needs of the
 * others. Each calls the same functions of the library with the same arguments in the same order,
 * and these call the functions here, which are made by who knows the processes: clup_mpi.h has them
 * for MPI. With a status other than CLUP_OK the simulation ends with it. */
typedef struct clup_ranks clup_ranks;
struct clup_ranks {
    uint32_t index, count; /* of this process, from 0 on, and how many there are */
    void *own;             /* whatever the functions need */
    /* all[count*bytes]: what each process gives, mine[bytes], by its index, where mine may be */
    clup_status (*gather)(const clup_ranks *ranks, const void *mine, size_t bytes, void *all);
    /* each of values[count] becomes the sum of those of all processes, or the smallest one */
    clup_status (*sum)(const clup_ranks *ranks, uint64_t *values, size_t count);
    clup_status (*least)(const clup_ranks *ranks, uint64_t *values, size_t count);
    /* gives mine[bytes] to process number to, and gets theirs[bytes] from number from, which calls
     * it as well; CLUP_NOBODY for none. Of no bytes, here and of gather, comes that they are
     * there */
    clup_status (*exchange)(const clup_ranks *ranks, uint32_t to, const void *mine, uint32_t from,
                            void *theirs, size_t bytes);
    /* writes a file together, all or nothing: head[head_bytes], which is the same in all, and then
     * mine[bytes] of each process by its index; NULL where they do not. why becomes what is wrong
     * when it fails, in all of them */
    clup_status (*write)(const clup_ranks *ranks, const char *path, const void *head,
                         size_t head_bytes, const void *mine, size_t bytes, char *why);
    /* memory[bytes] that all processes see, at whatever addresses, its first byte that of a page;
     * NULL where there is none, in all of them. And given back, which no process waits for. Both
     * are NULL where they have none at all */
    void *(*share)(const clup_ranks *ranks, size_t bytes);
    void (*give_back)(const clup_ranks *ranks, void *memory);
    uint64_t reserved[4];
};
#define CLUP_NOBODY UINT32_MAX
#define CLUP_WHY 256 /* characters of why, and a zero */

/* From now on simulations of the context are of all these processes together; spins, observables
 * and series are those of the whole in each of them, the same as one process finds, bit for bit.
 * Where there are as many systems (replicas) as processes or more, each has some of them on its
 * device. Else each has a part of the lattice of every system: lattices are cut across the slowest
 * axis, y in the plane, else z, and a process has part number ranks->index, of at least one layer,
 * and a copy of the layer after it; that is for Swendsen-Wang with Philox, and energy,
 * magnetisation and the sizes of clusters, and for percolation. clup_simulation_save and
 * clup_simulation_write_spins write their file in process 0. Of an image each process has a part of
 * the layers, without a copy: clup_label_image is of all together, clup_labelling_create
 * CLUP_ERROR_USAGE. NULL for none, as at first. ranks is kept, not copied. */
CLUP_API clup_status clup_context_join(clup_context *context, const clup_ranks *ranks);

#ifdef __cplusplus
}
#endif

#endif
