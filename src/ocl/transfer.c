/* SPDX-License-Identifier: BSD-3-Clause */
/* Transfers between host and device. A driver first copies memory that is not pinned into pinned
 * memory, with one thread (2 GB/s by NVIDIA's on an H100). Therefore large transfers go in pieces
 * through pinned memory of the context, with several threads: some copy while the pieces of others
 * are transferred. Where the device uses the host's memory, the threads copy to or from the mapped
 * buffer. */
#include <stdatomic.h>
#include <string.h>

#include "base/workers.h"
#include "ocl/context.h"

/* Bytes of a piece; each thread has one pinned piece. Bytes of a transfer that has more than a few
 * pieces. */
#define PIECE ((size_t)4 << 20)
#define STAGED_LEAST ((uint64_t)8 << 20)

uint64_t clup_staged_least = STAGED_LEAST;

/* ---- pinned memory --------------------------------------------------------------------------- */

void clup_pinned_create(clup_context *context, uint64_t bytes, void *memory, clup_pinned *pinned)
{
    cl_int code;
    *pinned = (clup_pinned){0};
    if (context->shares_host || bytes == 0 || bytes > context->max_alloc)
        return;
    pinned->buffer = clCreateBuffer(
        context->handle,
        CL_MEM_READ_WRITE | (memory != NULL ? CL_MEM_USE_HOST_PTR : CL_MEM_ALLOC_HOST_PTR), bytes,
        memory, &code);
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

/* ---- memory that is lent -------------------------------------------------------------------- */

/* Bytes to which OpenCL aligns buffers: those of the largest type, long16. */
#define ALIGNED 128

bool clup_memory_lendable(const clup_context *context, const void *memory)
{
    return context->of_host && (uintptr_t)memory % ALIGNED == 0;
}

clup_status clup_buffer_lend(clup_context *context, void *memory, uint64_t bytes, cl_mem *buffer)
{
    cl_int code;
    *buffer = clCreateBuffer(context->handle, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                             memory, &code);
    return clup_cl_check(code, "clCreateBuffer");
}

clup_status clup_buffer_return(clup_context *context, cl_mem buffer, uint64_t bytes)
{
    cl_int code;
    if (buffer == NULL)
        return CLUP_OK;
    /* whatever happens, no kernel works on the memory afterwards */
    if ((code = clFinish(context->queue)) != CL_SUCCESS) {
        clReleaseMemObject(buffer);
        return clup_cl_check(code, "clFinish");
    }
    /* the host sees what the device wrote in mapped memory, which here is the memory itself */
    void *mapped = clEnqueueMapBuffer(context->queue, buffer, CL_TRUE, CL_MAP_READ, 0, bytes, 0,
                                      NULL, NULL, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueUnmapMemObject(context->queue, buffer, mapped, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clFinish(context->queue);
    clReleaseMemObject(buffer);
    return clup_cl_check(code, "clEnqueueMapBuffer");
}

/* ---- transfers in pieces --------------------------------------------------------------------- */

/* A transfer of the bytes of a buffer from offset on, to or from host memory. */
typedef struct transfer {
    clup_context *context;
    cl_mem buffer;
    uint64_t offset, bytes;
    char *mapped; /* the bytes in mapped memory of a device that uses the host's memory; else NULL
                   */
    char *to;     /* for a read, */
    const char *from; /* and for a write */
} transfer;

/* Transfers bytes at to end - 1. */
static clup_status carry(void *user, unsigned worker, uint64_t at, uint64_t end)
{
    const transfer *transfer = user;
    const size_t size = (size_t)(end - at);
    char *const staged = transfer->mapped != NULL
                             ? NULL
                             : (char *)transfer->context->staging.bytes + worker * PIECE;
    cl_command_queue queue = transfer->context->queue;
    const uint64_t place = transfer->offset + at;
    if (transfer->mapped != NULL) {
        if (transfer->from != NULL)
            memcpy(transfer->mapped + at, transfer->from + at, size);
        else
            memcpy(transfer->to + at, transfer->mapped + at, size);
        return CLUP_OK;
    }
    if (transfer->from != NULL) {
        memcpy(staged, transfer->from + at, size);
        return clup_cl_check(clEnqueueWriteBuffer(queue, transfer->buffer, CL_TRUE, place, size,
                                                  staged, 0, NULL, NULL),
                             "clEnqueueWriteBuffer");
    }
    const clup_status status = clup_cl_check(
        clEnqueueReadBuffer(queue, transfer->buffer, CL_TRUE, place, size, staged, 0, NULL, NULL),
        "clEnqueueReadBuffer");
    if (status == CLUP_OK)
        memcpy(transfer->to + at, staged, size);
    return status;
}

static clup_status carry_all(transfer *transfer)
{
    return clup_workers_share(clup_carriers(), transfer->bytes, PIECE, carry, transfer);
}

/* Whether the context has pinned memory for transfers, which is made at the first need. */
static bool staged(clup_context *context)
{
    if (context->staging.bytes == NULL)
        clup_pinned_create(context, CLUP_CARRIERS_MOST * PIECE, NULL, &context->staging);
    return context->staging.bytes != NULL;
}

/* Transfers all pieces through the mapped buffer. */
static clup_status carry_mapped(transfer *transfer)
{
    cl_command_queue queue = transfer->context->queue;
    cl_int code;
    transfer->mapped = clEnqueueMapBuffer(queue, transfer->buffer, CL_TRUE,
                                          transfer->from != NULL ? CL_MAP_WRITE_INVALIDATE_REGION
                                                                 : CL_MAP_READ,
                                          transfer->offset, transfer->bytes, 0, NULL, NULL, &code);
    if (code != CL_SUCCESS)
        return clup_cl_fail(code, "clEnqueueMapBuffer");
    const clup_status status = carry_all(transfer);
    code = clEnqueueUnmapMemObject(queue, transfer->buffer, transfer->mapped, 0, NULL, NULL);
    return status != CLUP_OK ? status : clup_cl_check(code, "clEnqueueUnmapMemObject");
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* Transfers with several threads if the transfer is large enough and there is pinned memory;
 * returns false to leave it to the driver. */
static bool carried(transfer *transfer, clup_status *status)
{
    clup_context *context = transfer->context;
    context->ahead_s = 0;
    if (transfer->bytes < clup_staged_least)
        return false;
    if (context->shares_host)
        *status = carry_mapped(transfer);
    else if (staged(context))
        *status = carry_all(transfer);
    else
        return false;
    return true;
}

clup_status clup_buffer_read(clup_context *context, cl_mem buffer, uint64_t offset, uint64_t bytes,
                             void *to)
{
    transfer transfer = {
        .context = context, .buffer = buffer, .offset = offset, .bytes = bytes, .to = to};
    clup_status status;
    if (carried(&transfer, &status))
        return status;
    return clup_cl_check(
        clEnqueueReadBuffer(context->queue, buffer, CL_TRUE, offset, bytes, to, 0, NULL, NULL),
        "clEnqueueReadBuffer");
}

clup_status clup_buffer_fetch(clup_context *context, cl_mem buffer, uint64_t bytes, void *to,
                              cl_event *event)
{
    cl_event ready;
    cl_int code;
    if (context->fetching == NULL) {
        context->fetching = clCreateCommandQueue(context->handle, context->device.id, 0, &code);
        if (context->fetching == NULL)
            return clup_cl_fail(code, "clCreateCommandQueue");
    }
    code = clEnqueueMarkerWithWaitList(context->queue, 0, NULL, &ready);
    if (code != CL_SUCCESS)
        return clup_cl_fail(code, "clEnqueueMarkerWithWaitList");
    clFlush(context->queue);
    code = clEnqueueReadBuffer(context->fetching, buffer, CL_FALSE, 0, bytes, to, 1, &ready, event);
    clReleaseEvent(ready);
    clFlush(context->fetching);
    return clup_cl_check(code, "clEnqueueReadBuffer");
}

clup_status clup_buffer_write(clup_context *context, cl_mem buffer, uint64_t offset, uint64_t bytes,
                              const void *from)
{
    transfer transfer = {
        .context = context, .buffer = buffer, .offset = offset, .bytes = bytes, .from = from};
    clup_status status;
    if (carried(&transfer, &status))
        return status;
    return clup_cl_check(
        clEnqueueWriteBuffer(context->queue, buffer, CL_TRUE, offset, bytes, from, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
}

clup_status clup_buffer_read_later(clup_context *context, cl_mem buffer, uint64_t bytes, void *to,
                                   cl_event *event)
{
    const cl_int code = clEnqueueReadBuffer(context->queue, buffer, CL_FALSE, 0, bytes, to, 0, NULL,
                                            event);
    clFlush(context->queue);
    return clup_cl_check(code, "clEnqueueReadBuffer");
}

clup_status clup_buffer_write_later(clup_context *context, cl_mem buffer, uint64_t offset,
                                    uint64_t bytes, const void *from)
{
    return clup_cl_check(
        clEnqueueWriteBuffer(context->queue, buffer, CL_FALSE, offset, bytes, from, 0, NULL, NULL),
        "clEnqueueWriteBuffer");
}

clup_status clup_buffer_copy(clup_context *context, cl_mem from, cl_mem to, uint64_t offset,
                             uint64_t bytes)
{
    return clup_cl_check(
        clEnqueueCopyBuffer(context->queue, from, to, 0, offset, bytes, 0, NULL, NULL),
        "clEnqueueCopyBuffer");
}

/* ---- pieces ---------------------------------------------------------------------------------- */

clup_status clup_strided_read(clup_context *context, clup_strided from, uint64_t bytes,
                              uint64_t count, void *to)
{
    const size_t origin[3] = {from.at}, none[3] = {0}, region[3] = {bytes, count, 1};
    context->ahead_s = 0;
    return clup_cl_check(clEnqueueReadBufferRect(context->queue, from.buffer, CL_TRUE, origin, none,
                                                 region, from.pitch, 0, bytes, 0, to, 0, NULL,
                                                 NULL),
                         "clEnqueueReadBufferRect");
}

clup_status clup_strided_write(clup_context *context, clup_strided to, uint64_t bytes,
                               uint64_t count, const void *from)
{
    const size_t origin[3] = {to.at}, none[3] = {0}, region[3] = {bytes, count, 1};
    context->ahead_s = 0;
    return clup_cl_check(clEnqueueWriteBufferRect(context->queue, to.buffer, CL_TRUE, origin, none,
                                                  region, to.pitch, 0, bytes, 0, from, 0, NULL,
                                                  NULL),
                         "clEnqueueWriteBufferRect");
}

clup_status clup_strided_copy(clup_context *context, clup_strided from, clup_strided to,
                              uint64_t bytes, uint64_t count)
{
    const size_t there[3] = {from.at}, here[3] = {to.at}, region[3] = {bytes, count, 1};
    return clup_cl_check(clEnqueueCopyBufferRect(context->queue, from.buffer, to.buffer, there,
                                                 here, region, from.pitch, 0, to.pitch, 0, 0, NULL,
                                                 NULL),
                         "clEnqueueCopyBufferRect");
}
