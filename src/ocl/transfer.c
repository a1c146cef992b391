/* Bytes to and from a device. What a driver is given in memory that is not pinned it copies by one
 * thread first, into memory that is (2 GB/s by NVIDIA's on an H100): large transfers go in pieces
 * through pinned memory of the context's, by several threads, so that some copy while the pieces of
 * others are on their way. */
#include "config.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "ocl/context.h"

/* Bytes of a piece, of which each thread has one pinned, and those of a transfer that takes more
 * than a few. */
#define PIECE ((size_t)4 << 20)
#define STAGED_LEAST ((uint64_t)8 << 20)
#define CARRIERS_MOST 8

uint64_t clup_staged_least = STAGED_LEAST;

/* ---- pinned memory --------------------------------------------------------------------------- */

void clup_pinned_create(clup_context *context, uint64_t bytes, clup_pinned *pinned)
{
    cl_int code;
    *pinned = (clup_pinned){0};
    if (context->shares_host || bytes == 0 || bytes > context->max_alloc)
        return;
    pinned->buffer = clCreateBuffer(context->handle, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                    bytes, NULL, &code);
    if (pinned->buffer == NULL || code != CL_SUCCESS)
        return;
    pinned->bytes = clEnqueueMapBuffer(context->queue, pinned->buffer, CL_TRUE,
                                       CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        pinned->bytes = NULL;
}

void clup_pinned_free(clup_context *context, clup_pinned *pinned)
{
    if (pinned->bytes != NULL)
        clEnqueueUnmapMemObject(context->queue, pinned->buffer, pinned->bytes, 0, NULL, NULL);
    if (pinned->buffer != NULL)
        clReleaseMemObject(pinned->buffer);
    *pinned = (clup_pinned){0};
}

/* ---- transfers in pieces --------------------------------------------------------------------- */

/* Bytes of a buffer from offset on, which go to or come from the host's. */
typedef struct transfer {
    clup_context *context;
    cl_mem buffer;
    uint64_t offset, bytes;
    char *to;              /* of what is read, */
    const char *from;      /* and of what is written */
    _Atomic uint64_t next; /* the first byte that no thread has taken */
    _Atomic cl_int code;   /* why one has failed */
} transfer;

typedef struct carrier {
    transfer *transfer;
    char *staged;
} carrier;

static cl_int carry_piece(const transfer *transfer, uint64_t at, char *staged)
{
    const size_t size = transfer->bytes - at < PIECE ? (size_t)(transfer->bytes - at) : PIECE;
    cl_command_queue queue = transfer->context->queue;
    const uint64_t place = transfer->offset + at;
    if (transfer->from != NULL) {
        memcpy(staged, transfer->from + at, size);
        return clEnqueueWriteBuffer(queue, transfer->buffer, CL_TRUE, place, size, staged, 0, NULL,
                                    NULL);
    }
    const cl_int code = clEnqueueReadBuffer(queue, transfer->buffer, CL_TRUE, place, size, staged,
                                            0, NULL, NULL);
    if (code == CL_SUCCESS)
        memcpy(transfer->to + at, staged, size);
    return code;
}

/* Carries pieces until there are none, or one has failed. */
static void *carry(void *user)
{
    const carrier *carrier = user;
    transfer *transfer = carrier->transfer;
    uint64_t at;
    while (atomic_load(&transfer->code) == CL_SUCCESS &&
           (at = atomic_fetch_add(&transfer->next, PIECE)) < transfer->bytes) {
        const cl_int code = carry_piece(transfer, at, carrier->staged);
        if (code != CL_SUCCESS)
            atomic_store(&transfer->code, code);
    }
    return NULL;
}

/* Those that this process may have: mpirun binds processes to some. */
static long processors_here(void)
{
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    return sysconf(_SC_NPROCESSORS_ONLN);
}

/* Half of the processors, with which memory is about as fast as with all, but two. */
static unsigned carriers_wanted(void)
{
    const long processors = processors_here();
    return processors < 4                   ? 2
           : processors < 2 * CARRIERS_MOST ? (unsigned)processors / 2
                                            : CARRIERS_MOST;
}

/* Of which this thread is one; those that cannot be started are done without. Signals are for the
 * caller's threads. */
static cl_int carry_all(transfer *transfer)
{
    const unsigned count = carriers_wanted();
    carrier carriers[CARRIERS_MOST];
    pthread_t threads[CARRIERS_MOST];
    unsigned started = 0;
    sigset_t all, before;
    sigfillset(&all);
    /* but for what a thread does itself, such as reading a file that has become shorter */
    sigdelset(&all, SIGBUS);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned k = 0; k < count; k++) {
        carriers[k] = (carrier){transfer, (char *)transfer->context->staging.bytes + k * PIECE};
        if (k > 0 && pthread_create(&threads[started], NULL, carry, &carriers[k]) == 0)
            started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    carry(&carriers[0]);
    while (started > 0)
        pthread_join(threads[--started], NULL);
    return atomic_load(&transfer->code);
}

/* Whether there is pinned memory for a transfer, made when it is first wanted. */
static bool staged(clup_context *context, uint64_t bytes)
{
    if (bytes < clup_staged_least)
        return false;
    if (context->staging.bytes == NULL)
        clup_pinned_create(context, CARRIERS_MOST * PIECE, &context->staging);
    return context->staging.bytes != NULL;
}

/* ---- transfers ------------------------------------------------------------------------------- */

clup_status clup_buffer_read(clup_context *context, cl_mem buffer, uint64_t bytes, void *to)
{
    transfer transfer = {.context = context, .buffer = buffer, .bytes = bytes, .to = to};
    context->ahead_s = 0;
    return clup_cl_check(
        staged(context, bytes)
            ? carry_all(&transfer)
            : clEnqueueReadBuffer(context->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
        "clEnqueueReadBuffer");
}

clup_status clup_buffer_write(clup_context *context, cl_mem buffer, uint64_t offset, uint64_t bytes,
                              const void *from)
{
    transfer transfer = {
        .context = context, .buffer = buffer, .offset = offset, .bytes = bytes, .from = from};
    context->ahead_s = 0;
    return clup_cl_check(staged(context, bytes)
                             ? carry_all(&transfer)
                             : clEnqueueWriteBuffer(context->queue, buffer, CL_TRUE, offset, bytes,
                                                    from, 0, NULL, NULL),
                         "clEnqueueWriteBuffer");
}
