/* SPDX-License-Identifier: BSD-3-Clause */
/* A device at work: context, in-order queue, the programs built so far, and the timer of its
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
    bool kept; /* it was found in the cache */
} clup_program;

/* Host memory that devices with memory of their own are faster to write to than any other. bytes is
 * NULL where there is none: where the device shares the host's, or the platform could not. Freed
 * before the context. */
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
    cl_command_queue fetching;   /* what is fetched beside the kernels; NULL before the first */
    size_t max_group, max_items; /* work-items a group; in dimension 0 */
    cl_ulong max_alloc, local_mem, global_mem;
    bool shares_host;   /* its memory is the host's */
    bool lane_sums;     /* see lanes.clh */
    int poison;         /* the byte of poison.h, or -1 */
    uint64_t allocated; /* bytes in buffers */
    clup_program *programs;
    unsigned built; /* of these, not found in the cache */
    char *cache; /* folder in which they are kept, and which of them are being built, with a slash
                    at its end; NULL for none */
    bool keeps_programs; /* there; else it is for those that are being built alone */
    char warning[512];   /* see clup_context_warning */
    clup_text verified;  /* names of sets of kernels that have passed a known-answer test, a line
                            each */
    struct clup_distrust *distrust; /* kernels that gave wrong results, see plan/distrust.h; NULL
                                       before the first plan */
    clup_timer timer;
    clup_pinned staging; /* through which large transfers go, see transfer.c */
    double ahead_s;      /* what the launches since the queue was last waited for should take */
    bool unpaced;        /* launches do not wait, whatever has been enqueued */
    clup_context *next, *previous; /* of all contexts, see fork.h */
    const clup_ranks *ranks; /* other processes, which have parts of the lattices that it works on;
                                NULL for none */
};

/* Work-items of a group, at most. */
static inline size_t clup_group_limit(const clup_context *context)
{
    return context->max_group < context->max_items ? context->max_group : context->max_items;
}

/* Whether the processes that the context has joined have a part of each lattice: where there are
 * fewer systems than processes. Else they have some of the systems each. */
static inline bool clup_context_in_parts(const clup_context *context, uint32_t replicas)
{
    return context != NULL && context->ranks != NULL && context->ranks->count > 1 &&
           replicas < context->ranks->count;
}

/* Bytes in buffers. */
uint64_t clup_context_allocated(const clup_context *context);
/* What buffers that are not made yet will need. */
typedef struct clup_need {
    uint64_t bytes;   /* of all */
    uint64_t largest; /* of one */
    const char *what; /* is in that one */
} clup_need;
void clup_need_add(clup_need *need, uint64_t bytes, const char *what);
/* Whether the host has so many bytes left, where they would be its. CLUP_ERROR_MEMORY says what
 * they are for. */
clup_status clup_context_check_host(const clup_context *context, uint64_t bytes, const char *what);
/* Makes a buffer of at least bytes, whose contents nobody may rely on. It is touched, so that
 * memory that is not there is missed now. The second one is all zeros. */
clup_status clup_buffer_create(clup_context *context, uint64_t bytes, const char *what,
                               cl_mem *buffer);
clup_status clup_buffer_create_zero(clup_context *context, uint64_t bytes, const char *what,
                                    cl_mem *buffer);
void clup_buffer_free(clup_context *context, cl_mem buffer);
/* Sets bytes of a buffer to zeros, in the queue, timed as part of stage; CLUP_STAGES for none. */
clup_status clup_buffer_zero(clup_context *context, clup_stage stage, cl_mem buffer,
                             uint64_t bytes);
/* Fills all of a buffer with the byte of CLUP_POISON, in the queue; does nothing without one, and
 * for NULL. For buffers that are written anew before anyone reads them. */
clup_status clup_buffer_poison(clup_context *context, cl_mem buffer);
/* Blocking transfers of bytes, from the buffer's start and to an offset in it. */
clup_status clup_buffer_read(clup_context *context, cl_mem buffer, uint64_t offset, uint64_t bytes,
                             void *to);
clup_status clup_buffer_write(clup_context *context, cl_mem buffer, uint64_t offset, uint64_t bytes,
                              const void *from);
/* The same, enqueued: what is read is there once *event, which the caller releases, has happened;
 * what is written must stay as it is until then, of a read enqueued later. And a copy on the
 * device. */
clup_status clup_buffer_read_later(clup_context *context, cl_mem buffer, uint64_t bytes, void *to,
                                   cl_event *event);
clup_status clup_buffer_write_later(clup_context *context, cl_mem buffer, uint64_t offset,
                                    uint64_t bytes, const void *from);
clup_status clup_buffer_copy(clup_context *context, cl_mem from, cl_mem to, uint64_t offset,
                             uint64_t bytes);
/* Enqueues a transfer of bytes from the buffer's start, as it is once all is done that was enqueued
 * before, to memory. Both must stay as they are until *event, which the caller releases; what is
 * enqueued next does not wait for it. */
clup_status clup_buffer_fetch(clup_context *context, cl_mem buffer, uint64_t bytes, void *to,
                              cl_event *event);
/* The least bytes of a transfer that goes in pieces; tests make it smaller. */
extern uint64_t clup_staged_least;
/* In memory that starts with a page, or for NULL in some of its own. */
void clup_pinned_create(clup_context *context, uint64_t bytes, void *memory, clup_pinned *pinned);
void clup_pinned_free(clup_context *context, clup_pinned *pinned);
/* Waits until all that was enqueued is done. Where that should take expected_s seconds and that is
 * more than a few milliseconds, sleeps in short steps, since some drivers wait by spinning. */
clup_status clup_queue_wait(clup_context *context, double expected_s);
/* The same until an event's command is done. */
clup_status clup_event_wait(clup_context *context, cl_event event, double expected_s);

#endif
