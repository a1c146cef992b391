/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts and their buffers. */
#include "ocl/context.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/timing.h"
#include "ocl/binary_cache.h"
#include "ocl/fork.h"
#include "ocl/host_memory.h"
#include "ocl/poison.h"

/* Makes a context and a queue; the queue times its commands if the device can. */
static clup_status open_device(clup_context *context)
{
    clup_status status = CLUP_OK;
    cl_int code;
    cl_device_id id = context->device.id;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM,
                                          (cl_context_properties)context->device.platform, 0};
    clup_cl_lock();
    context->handle = clCreateContext(properties, 1, &id, NULL, NULL, &code);
    clup_cl_unlock();
    CLUP_TRY(clup_cl_check(code, "clCreateContext"));
    context->queue = clCreateCommandQueue(context->handle, id, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code == CL_INVALID_QUEUE_PROPERTIES)
        context->queue = clCreateCommandQueue(context->handle, id, 0, &code);
    CLUP_TRY(clup_cl_check(code, "clCreateCommandQueue"));
done:
    return status;
}

#define COMPUTE_CAPABILITY_MAJOR_NV 0x4000 /* cl_nv_device_attribute_query */

static clup_status read_limits(clup_context *context)
{
    clup_status status = CLUP_OK;
    size_t sizes[8] = {0};
    cl_uint capability = 0;
    cl_device_id id = context->device.id;
    cl_command_queue_properties queue = 0;
    cl_device_local_mem_type local = CL_NONE;
    cl_bool unified = CL_FALSE;
    CLUP_TRY(clup_cl_check(
        clGetCommandQueueInfo(context->queue, CL_QUEUE_PROPERTIES, sizeof queue, &queue, NULL),
        "clGetCommandQueueInfo"));
    context->timer.absent = context->quirks.no_event_times || !(queue & CL_QUEUE_PROFILING_ENABLE);
    CLUP_TRY(clup_cl_check(clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE,
                                           sizeof context->max_group, &context->max_group, NULL),
                           "clGetDeviceInfo"));
    CLUP_TRY(
        clup_cl_check(clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL),
                      "clGetDeviceInfo"));
    CLUP_TRY(clup_cl_check(clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                                           sizeof context->max_alloc, &context->max_alloc, NULL),
                           "clGetDeviceInfo"));
    CLUP_TRY(
        clup_cl_check(clGetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_TYPE, sizeof local, &local, NULL),
                      "clGetDeviceInfo"));
    CLUP_TRY(clup_cl_check(clGetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof context->local_mem,
                                           &context->local_mem, NULL),
                           "clGetDeviceInfo"));
    CLUP_TRY(clup_cl_check(clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE,
                                           sizeof context->global_mem, &context->global_mem, NULL),
                           "clGetDeviceInfo"));
    if (local == CL_NONE)
        context->local_mem = 0;
    context->max_items = sizes[0];
    /* a query that fails means no */
    clGetDeviceInfo(id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL);
    context->of_host = strcmp(context->device.info.type, "cpu") == 0;
    context->shares_host = unified || context->of_host;
    context->long_atomics = clup_device_has(id, "cl_khr_int64_base_atomics") == 1;
    clGetDeviceInfo(id, COMPUTE_CAPABILITY_MAJOR_NV, sizeof capability, &capability, NULL);
    context->lane_sums = capability >= 8 && !context->quirks.race_free;
done:
    return status;
}

/* Uses the caller's context and queue, which are retained. */
static clup_status adopt(clup_context *context, cl_context handle, cl_command_queue queue)
{
    clup_status status = CLUP_OK;
    cl_command_queue_properties properties = 0;
    cl_context of = NULL;
    cl_device_id id = NULL;
    CLUP_TRY(clup_cl_check(
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL),
        "clGetCommandQueueInfo"));
    CLUP_TRY(clup_cl_check(clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof of, &of, NULL),
                           "clGetCommandQueueInfo"));
    CLUP_TRY(clup_cl_check(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL),
                           "clGetCommandQueueInfo"));
    if (of != handle || id != context->device.id)
        status = clup_fail(CLUP_ERROR_USAGE, "the queue is of another context or device");
    else if (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
        status = clup_fail(CLUP_ERROR_USAGE, "the queue executes out of order");
    CLUP_TRY(status);
    CLUP_TRY(clup_cl_check(clRetainContext(handle), "clRetainContext"));
    context->handle = handle;
    CLUP_TRY(clup_cl_check(clRetainCommandQueue(queue), "clRetainCommandQueue"));
    context->queue = queue;
done:
    return status;
}

static clup_status find_id(const clup_device_list *list, cl_device_id id, size_t *device)
{
    for (*device = 0; *device < list->count; ++*device)
        if (list->devices[*device].id == id)
            return CLUP_OK;
    return clup_fail(CLUP_ERROR_NO_DEVICE, "the device is none of the platforms'");
}

/* Makes a clup_context; if handle is NULL, with a new OpenCL context on the device that selector
 * picks. */
static clup_status create(const char *selector, cl_context handle, cl_device_id id,
                          cl_command_queue queue, clup_context **out)
{
    clup_device_list *list = NULL;
    clup_status status = CLUP_OK;
    size_t device;
    clup_context *context = calloc(1, sizeof *context);
    *out = NULL;
    if (context == NULL)
        return clup_fail_memory("the context");
    CLUP_TRY(clup_poison_read(&context->poison));
    CLUP_TRY(clup_device_list_create(&list));
    CLUP_TRY(handle == NULL ? clup_device_find(list, selector, &device)
                            : find_id(list, id, &device));
    CLUP_TRY(clup_device_usable(&list->devices[device]));
    CLUP_TRY(clup_device_copy(&list->devices[device], &context->device));
    context->quirks = clup_quirks_of(&context->device.info);
    context->machine = clup_machine_of(&context->device.info);
    CLUP_TRY(handle == NULL ? open_device(context) : adopt(context, handle, queue));
    CLUP_TRY(read_limits(context));
    clup_binary_cache_open(context);
    clup_fork_enter(context);
done:
    clup_device_list_free(list);
    if (status == CLUP_OK)
        *out = context;
    else
        clup_context_free(context);
    return status;
}

clup_status clup_context_create(const char *selector, clup_context **context)
{
    CLUP_NEED(context);
    return create(selector, NULL, NULL, NULL, context);
}

clup_status clup_context_adopt(cl_context handle, cl_device_id device, cl_command_queue queue,
                               clup_context **context)
{
    CLUP_NEED(context);
    *context = NULL;
    CLUP_NEED(handle);
    CLUP_NEED(device);
    CLUP_NEED(queue);
    return create(NULL, handle, device, queue, context);
}

void clup_context_free(clup_context *context)
{
    if (context == NULL)
        return;
    clup_fork_leave(context);
    clup_timer_clear(&context->timer);
    clup_text_free(&context->verified);
    for (clup_program *program = context->programs, *next; program != NULL; program = next) {
        next = program->next;
        clReleaseProgram(program->handle);
        free(program);
    }
    clup_pinned_free(context, &context->staging);
    if (context->fetching != NULL)
        clReleaseCommandQueue(context->fetching);
    if (context->queue != NULL)
        clReleaseCommandQueue(context->queue);
    if (context->handle != NULL)
        clReleaseContext(context->handle);
    clup_device_clear(&context->device);
    free(context->distrust);
    free(context->cache);
    free(context);
}

const clup_device_info *clup_context_device(const clup_context *context)
{
    return context != NULL ? &context->device.info : NULL;
}

const char *clup_context_warning(const clup_context *context)
{
    return context != NULL ? context->warning : NULL;
}

void clup_need_add(clup_need *need, uint64_t bytes, const char *what)
{
    need->bytes += bytes;
    if (bytes > need->largest) {
        need->largest = bytes;
        need->what = what;
    }
}

/* Buffers are filled in pieces, with a pattern of 16 bytes. NVIDIA's driver (580.159) hung when it
 * filled 2^31 patterns at once, and failed when it began that far into a buffer: with 16 bytes at
 * 2^35. Pieces that begin from clup_fill_far on are therefore buffers of their own. */
uint64_t clup_fill_piece = (uint64_t)1 << 30, clup_fill_far = (uint64_t)1 << 34;

/* Enqueues filling a piece, as clEnqueueFillBuffer does. */
static cl_int fill_piece(clup_context *context, cl_mem buffer, const cl_uint pattern[4],
                         uint64_t from, uint64_t bytes, cl_event *event)
{
    const cl_buffer_region region = {from, bytes};
    cl_int code = CL_SUCCESS;
    cl_mem far = from < clup_fill_far
                     ? NULL
                     : clCreateSubBuffer(buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                         &region, &code);
    if (code == CL_SUCCESS)
        code = clEnqueueFillBuffer(context->queue, far != NULL ? far : buffer, pattern,
                                   4 * sizeof *pattern, far != NULL ? 0 : from, bytes, 0, NULL,
                                   event);
    if (far != NULL)
        clReleaseMemObject(far);
    return code;
}

/* Fills a buffer with a byte; *code is the result of OpenCL. */
static clup_status fill(clup_context *context, clup_stage stage, cl_mem buffer, uint64_t bytes,
                        int byte, cl_int *code)
{
    cl_uint pattern[4];
    memset(pattern, byte, sizeof pattern);
    const uint64_t all = (bytes + sizeof pattern - 1) / sizeof pattern * sizeof pattern;
    clup_status status = CLUP_OK;
    *code = CL_SUCCESS;
    for (uint64_t from = 0; from < all && status == CLUP_OK; from += clup_fill_piece) {
        cl_event event = NULL;
        *code = fill_piece(context, buffer, pattern, from,
                           all - from < clup_fill_piece ? all - from : clup_fill_piece,
                           stage < CLUP_STAGES ? clup_timer_event(&context->timer, &event) : NULL);
        if (*code != CL_SUCCESS)
            return clup_cl_fail(*code, "clEnqueueFillBuffer");
        status = clup_timer_add(&context->timer, stage, event);
    }
    return status;
}

/* Writes the byte from the host, for a platform that does not count fills as written. */
static clup_status write_byte(clup_context *context, cl_mem buffer, uint64_t bytes, int byte,
                              cl_int *code)
{
    cl_uchar block[4096];
    memset(block, byte, sizeof block);
    *code = CL_SUCCESS;
    for (uint64_t from = 0; from < bytes && *code == CL_SUCCESS; from += sizeof block)
        *code = clEnqueueWriteBuffer(context->queue, buffer, CL_TRUE, from,
                                     bytes - from < sizeof block ? bytes - from : sizeof block,
                                     block, 0, NULL, NULL);
    return clup_cl_check(*code, "clEnqueueWriteBuffer");
}

/* Fills a buffer with a byte so that the platform knows it as written. */
static clup_status set(clup_context *context, clup_stage stage, cl_mem buffer, uint64_t bytes,
                       int byte, cl_int *code)
{
    return context->quirks.fills_unseen ? write_byte(context, buffer, bytes, byte, code)
                                        : fill(context, stage, buffer, bytes, byte, code);
}

clup_status clup_buffer_fill(clup_context *context, clup_stage stage, cl_mem buffer, uint64_t bytes,
                             int byte)
{
    cl_int code;
    return set(context, stage, buffer, bytes, byte, &code);
}

clup_status clup_buffer_zero(clup_context *context, clup_stage stage, cl_mem buffer, uint64_t bytes)
{
    return clup_buffer_fill(context, stage, buffer, bytes, 0);
}

static uint64_t bytes_of(cl_mem buffer)
{
    size_t bytes = 0;
    clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    return bytes;
}

clup_status clup_buffer_poison(clup_context *context, cl_mem buffer)
{
    cl_int code;
    return context->poison < 0 || buffer == NULL
               ? CLUP_OK
               : set(context, CLUP_STAGES, buffer, bytes_of(buffer), context->poison, &code);
}

/* Fails, with the reason why there is no buffer. */
static clup_status no_buffer(const clup_context *context, uint64_t bytes, const char *what,
                             cl_int code, const char *call)
{
    if (!clup_cl_no_memory(code))
        return clup_cl_fail(code, call);
    return clup_fail(CLUP_ERROR_MEMORY, "no room for %s, %llu bytes, on %s: %s: %s (%d)", what,
                     (unsigned long long)bytes, context->device.info.name, call,
                     clup_cl_error(code), (int)code);
}

/* Memory that is left to drivers and compilers; smaller requests are not checked. */
#define HOST_RESERVE ((uint64_t)64 << 20)
#define HOST_LITTLE ((uint64_t)1 << 20)

clup_status clup_context_check_host(const clup_context *context, uint64_t bytes, const char *what)
{
    if (!context->shares_host || bytes <= HOST_LITTLE)
        return CLUP_OK;
    const uint64_t left = clup_host_memory();
    if (left > HOST_RESERVE && bytes <= left - HOST_RESERVE)
        return CLUP_OK;
    return clup_fail(
        CLUP_ERROR_MEMORY,
        "%s need %llu bytes of the host's memory, which %s shares, and it has %llu left", what,
        (unsigned long long)bytes, context->device.info.name, (unsigned long long)left);
}

/* Bytes that a buffer takes: a multiple of those that fill sets at once. */
static uint64_t rounded_up(uint64_t bytes)
{
    return bytes > 0 ? (bytes + 15) / 16 * 16 : 16;
}

clup_status clup_buffer_check(const clup_context *context, uint64_t bytes, const char *what)
{
    const uint64_t rounded = rounded_up(bytes);
    return rounded <= context->max_alloc
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_MEMORY,
                           "%s need %llu bytes, the largest allocation on %s is %llu", what,
                           (unsigned long long)rounded, context->device.info.name,
                           (unsigned long long)context->max_alloc);
}

/* Makes a buffer filled with zeros, or with any byte: with that of CLUP_POISON, otherwise with
 * zeros that Oclgrind does not know as written. Memory of the host has been checked, and has been
 * granted once it is touched at one place: its pages are left to the kernels. */
static clup_status create_buffer(clup_context *context, uint64_t bytes, const char *what,
                                 bool zeros, cl_mem *buffer)
{
    const bool poisons = context->poison >= 0;
    const int byte = zeros || !poisons ? 0 : context->poison;
    cl_int code;
    const uint64_t rounded = rounded_up(bytes);
    *buffer = NULL;
    clup_status status = clup_buffer_check(context, bytes, what);
    if (status != CLUP_OK)
        return status;
    if (context->allocated + rounded > context->global_mem)
        return clup_fail(CLUP_ERROR_MEMORY,
                         "%s need %llu bytes more than the %llu in use, %s has %llu", what,
                         (unsigned long long)rounded, (unsigned long long)context->allocated,
                         context->device.info.name, (unsigned long long)context->global_mem);
    status = clup_context_check_host(context, rounded, what);
    if (status != CLUP_OK)
        return status;
    const char *call = "clCreateBuffer";
    cl_mem made = clCreateBuffer(context->handle, CL_MEM_READ_WRITE, rounded, NULL, &code);
    if (code == CL_SUCCESS) {
        call = "clEnqueueFillBuffer";
        (void)(zeros || poisons ? set(context, CLUP_STAGES, made, rounded, byte, &code)
                                : fill(context, CLUP_STAGES, made, context->of_host ? 16 : rounded,
                                       byte, &code));
    }
    if (code == CL_SUCCESS) {
        call = "clFinish";
        code = clFinish(context->queue);
    }
    if (code == CL_SUCCESS) {
        context->allocated += rounded;
        *buffer = made;
        return CLUP_OK;
    }
    if (made != NULL)
        clReleaseMemObject(made);
    return no_buffer(context, rounded, what, code, call);
}

clup_status clup_buffer_create(clup_context *context, uint64_t bytes, const char *what,
                               cl_mem *buffer)
{
    return create_buffer(context, bytes, what, false, buffer);
}

clup_status clup_buffer_create_zero(clup_context *context, uint64_t bytes, const char *what,
                                    cl_mem *buffer)
{
    return create_buffer(context, bytes, what, true, buffer);
}

void clup_buffer_free(clup_context *context, cl_mem buffer)
{
    if (buffer == NULL)
        return;
    context->allocated -= bytes_of(buffer);
    clReleaseMemObject(buffer);
}

void clup_queue_begin(clup_context *context)
{
    clFlush(context->queue);
}

/* Longer waits go in short steps; the driver waits for the last LONG_S, as a step may be too
 * long. */
#define LONG_S 0.004

/* Sleeps until the command is complete, has failed, or should soon be complete. */
static void sleep_for(clup_context *context, cl_event event, double expected_s)
{
    const struct timespec step = {0, 200000};
    const double due = clup_now_s() + expected_s;
    cl_int state = CL_QUEUED;
    clFlush(context->queue);
    while (due - clup_now_s() > LONG_S &&
           clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) ==
               CL_SUCCESS &&
           state > CL_COMPLETE)
        nanosleep(&step, NULL);
}

clup_status clup_event_wait(clup_context *context, cl_event event, double expected_s)
{
    const clup_status status = clup_fork_check();
    if (status != CLUP_OK)
        return status;
    if (expected_s > LONG_S)
        sleep_for(context, event, expected_s);
    return clup_cl_check(clWaitForEvents(1, &event), "clWaitForEvents");
}

clup_status clup_queue_wait(clup_context *context, double expected_s)
{
    cl_event last = NULL;
    if (expected_s > LONG_S &&
        clEnqueueMarkerWithWaitList(context->queue, 0, NULL, &last) == CL_SUCCESS) {
        sleep_for(context, last, expected_s);
        clReleaseEvent(last);
    }
    context->ahead_s = 0;
    return clup_cl_check(clFinish(context->queue), "clFinish");
}

uint64_t clup_context_allocated(const clup_context *context)
{
    return context->allocated;
}

clup_status clup_context_join(clup_context *context, const clup_ranks *ranks)
{
    CLUP_NEED(context);
    if (ranks != NULL) {
        CLUP_NEED(ranks->gather);
        CLUP_NEED(ranks->sum);
        CLUP_NEED(ranks->least);
        CLUP_NEED(ranks->exchange);
        if (ranks->index >= ranks->count)
            return clup_fail(CLUP_ERROR_USAGE, "process %u of %u: they are counted from 0",
                             ranks->index, ranks->count);
    }
    context->ranks = ranks;
    return CLUP_OK;
}
