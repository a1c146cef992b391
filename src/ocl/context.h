/* SPDX-License-Identifier: BSD-3-Clause */
/* A device in use: OpenCL context, in-order queue, the programs built so far, and the timer of the
 * stages. */
#ifndef CLUP_OCL_CONTEXT_H
#define CLUP_OCL_CONTEXT_H
#include "base/text.h"
#include "ocl/devices.h"
#include "ocl/machine.h"
#include "ocl/quirks.h"
#include "ocl/timer.h"

typedef struct clup_program {
    struct clup_program *next;
    char key[65]; /* hash of source and options */
    cl_program handle;
    bool kept; /* found in the cache */
} clup_program;

/* Pinned host memory, with which transfers to and from devices with memory of their own are
 * fastest. bytes is NULL where the device shares the host's memory, or where the platform could not
 * make it. Must be freed before the context. */
typedef struct clup_pinned {
    cl_mem buffer;
    void *bytes;
} clup_pinned;
struct clup_context {
    clup_device device;
    clup_quirks quirks;
    clup_machine machine;
    cl_context handle;
    cl_command_queue queue;
    cl_command_queue fetching;   /* queue of reads that run beside kernels; NULL before the first */
    size_t max_group, max_items; /* work-items of a group, in all and in dimension 0 */
    cl_ulong max_alloc, local_mem, global_mem;
    bool of_host;       /* the device is the host's processors */
    bool shares_host;   /* the device uses the host's memory */
    bool lane_sums;     /* see lanes.clh */
    bool long_atomics;  /* atomic functions for numbers of 64 bits */
    int poison;         /* the byte of poison.h, or -1 */
    uint64_t allocated; /* bytes of all buffers */
    clup_program *programs;
    unsigned built; /* number of these programs that were not found in the cache */
    char *cache; /* folder with a slash at its end, for kept programs and for the locks of programs
                    being built; NULL for none */
    bool keeps_programs; /* programs are kept in cache; else it is used for locks alone */
    char warning[512];   /* see clup_context_warning */
    clup_text verified; /* names of the sets of kernels that have passed a known-answer test, one in
                           each line */
    struct clup_distrust *distrust; /* kernels that gave wrong results, see plan/distrust.h; NULL
                                       before the first plan */
    clup_timer timer;
    clup_pinned staging; /* pinned memory for large transfers, see transfer.c */
    double ahead_s; /* seconds that the launches since the last wait for the queue should take */
    bool unpaced;   /* launches never wait, however much has been enqueued */
    clup_context *next, *previous; /* list of all contexts, see fork.h */
    const clup_ranks *ranks; /* processes with which the context shares lattices or systems; NULL
                                for none */
};

/* Work-items of a group at most. */
static inline size_t clup_group_limit(const clup_context *context)
{
    return context->max_group < context->max_items ? context->max_group : context->max_items;
}

/* Whether each process has a subdomain of each lattice, as there are fewer systems than processes;
 * else each process has some of the systems. */
static inline bool clup_context_in_parts(const clup_context *context, uint32_t replicas)
{
    return context != NULL && context->ranks != NULL && context->ranks->count > 1 &&
           replicas < context->ranks->count;
}

/* Bytes of all buffers. */
uint64_t clup_context_allocated(const clup_context *context);
/* Memory that buffers will need which are not made yet. */
typedef struct clup_need {
    uint64_t bytes;   /* of all buffers */
    uint64_t largest; /* of the largest buffer */
    const char *what; /* what the largest buffer holds */
} clup_need;
void clup_need_add(clup_need *need, uint64_t bytes, const char *what);
/* If the device uses the host's memory, checks that the host has so many bytes left.
 * CLUP_ERROR_MEMORY says what they are for. */
clup_status clup_context_check_host(const clup_context *context, uint64_t bytes, const char *what);
/* Checks that the device has buffers of so many bytes, whatever is in use. */
clup_status clup_buffer_check(const clup_context *context, uint64_t bytes, const char *what);
/* Makes a buffer of at least bytes, whose contents are undefined. It is touched, on
 * processors at one place, so that memory that is missed is noticed now. The second function makes
 * a buffer of zeros. */
clup_status clup_buffer_create(clup_context *context, uint64_t bytes, const char *what,
                               cl_mem *buffer);
clup_status clup_buffer_create_zero(clup_context *context, uint64_t bytes, const char *what,
                                    cl_mem *buffer);
void clup_buffer_free(clup_context *context, cl_mem buffer);
/* Enqueue setting bytes of a buffer to a byte, or to zero, timed as part of stage; CLUP_STAGES for
 * no stage. */
clup_status clup_buffer_fill(clup_context *context, clup_stage stage, cl_mem buffer, uint64_t bytes,
                             int byte);
clup_status clup_buffer_zero(clup_context *context, clup_stage stage, cl_mem buffer,
                             uint64_t bytes);
/* Bytes that are filled at a time, and from which on pieces are buffers of their own; tests make
 * them smaller. */
extern uint64_t clup_fill_piece, clup_fill_far;
/* Enqueues filling a whole buffer with the byte of CLUP_POISON; does nothing if that is not set,
 * and for NULL. For buffers that are written before they are read. */
clup_status clup_buffer_poison(clup_context *context, cl_mem buffer);
/* Blocking transfers: a read of bytes from the buffer's start, and a write to an offset in the
 * buffer. */
clup_status clup_buffer_read(clup_context *context, cl_mem buffer, uint64_t offset, uint64_t bytes,
                             void *to);
clup_status clup_buffer_write(clup_context *context, cl_mem buffer, uint64_t offset, uint64_t bytes,
                              const void *from);
/* Asynchronous transfers. A read is complete once *event, which the caller releases, is complete.
 * Data of a write must not change until the event of a read enqueued later is complete. The last
 * function enqueues a copy on the device. */
clup_status clup_buffer_read_later(clup_context *context, cl_mem buffer, uint64_t bytes, void *to,
                                   cl_event *event);
clup_status clup_buffer_write_later(clup_context *context, cl_mem buffer, uint64_t offset,
                                    uint64_t bytes, const void *from);
clup_status clup_buffer_copy(clup_context *context, cl_mem from, cl_mem to, uint64_t offset,
                             uint64_t bytes);
/* Pieces of a buffer: the first begins at byte at, and each other one pitch bytes after the one
 * before. The functions transfer count pieces of so many bytes: a blocking read and a blocking
 * write, of memory where one piece follows the other, and a copy on the device, which is enqueued.
 */
typedef struct clup_strided {
    cl_mem buffer;
    uint64_t at, pitch;
} clup_strided;
clup_status clup_strided_read(clup_context *context, clup_strided from, uint64_t bytes,
                              uint64_t count, void *to);
clup_status clup_strided_write(clup_context *context, clup_strided to, uint64_t bytes,
                               uint64_t count, const void *from);
clup_status clup_strided_copy(clup_context *context, clup_strided from, clup_strided to,
                              uint64_t bytes, uint64_t count);
/* Enqueues a read of bytes from the buffer's start that runs beside later commands, which do not
 * wait for it. It reads the buffer as all commands enqueued before leave it. Buffer and memory must
 * not change until *event, which the caller releases, is complete. */
clup_status clup_buffer_fetch(clup_context *context, cl_mem buffer, uint64_t bytes, void *to,
                              cl_event *event);
/* Lends memory of the host to the device as a buffer, so that nothing is transferred: from lending
 * until clup_buffer_return, which waits for the commands that are enqueued and frees the buffer,
 * the host leaves the memory alone. clup_memory_lendable: whether the device takes the memory, as
 * it is the host's processors, and the address is as aligned as that of a buffer. */
bool clup_memory_lendable(const clup_context *context, const void *memory);
clup_status clup_buffer_lend(clup_context *context, void *memory, uint64_t bytes, cl_mem *buffer);
clup_status clup_buffer_return(clup_context *context, cl_mem buffer, uint64_t bytes);
/* Transfers of at least so many bytes go in pieces; tests make it smaller. */
extern uint64_t clup_staged_least;
/* Pins memory that starts at a page boundary, or for NULL allocates pinned memory. */
void clup_pinned_create(clup_context *context, uint64_t bytes, void *memory, clup_pinned *pinned);
void clup_pinned_free(clup_context *context, clup_pinned *pinned);
/* Lets the device begin with the commands that are enqueued, without waiting for it. */
void clup_queue_begin(clup_context *context);
/* Waits until all enqueued commands are complete. If that should take expected_s seconds, more than
 * a few milliseconds, sleeps in short steps, as some drivers wait by spinning. */
clup_status clup_queue_wait(clup_context *context, double expected_s);
/* Waits in the same way until an event's command is complete. */
clup_status clup_event_wait(clup_context *context, cl_event event, double expected_s);

#endif
