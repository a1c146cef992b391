/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds each program once for each text and set of options, and launches kernels. */
#include "ocl/kernel.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "base/timing.h"
#include "base/watch.h"
#include "ocl/binary_cache.h"
#include "ocl/poison.h"
#include "ocl/source.h"

static clup_status build_failed(clup_context *context, cl_program program, const char *file,
                                const char *options)
{
    size_t size = 0;
    clGetProgramBuildInfo(program, context->device.id, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    if (log != NULL && size > 0)
        clGetProgramBuildInfo(program, context->device.id, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    clup_fail(CLUP_ERROR_BUILD, "%s did not compile for %s (%s) with %s%s%s", file,
              context->device.info.name, context->device.info.driver, options,
              log != NULL && log[0] != '\0' ? "\n" : "", log != NULL ? log : "");
    free(log);
    return CLUP_ERROR_BUILD;
}

/* Whether the compiler has refused a program, whatever code the call returns: NVIDIA's returns
 * CL_OUT_OF_HOST_MEMORY for kernels that it cannot build (seen, with runs_serial of volumes). */
static bool is_refused(const clup_context *context, cl_program program)
{
    cl_build_status built = CL_BUILD_NONE;
    return clGetProgramBuildInfo(program, context->device.id, CL_PROGRAM_BUILD_STATUS, sizeof built,
                                 &built, NULL) == CL_SUCCESS &&
           built == CL_BUILD_ERROR;
}

/* Compiles a program. The signal by which the watch ends the work may make a compiler fail (PoCL's
 * does); that is reported as the end of the work. */
static clup_status compile(clup_context *context, const char *file, const char *options,
                           cl_program program)
{
    clup_status status = clup_watch_ask();
    if (status != CLUP_OK)
        return status;
    const cl_int code = clBuildProgram(program, 1, &context->device.id, options, NULL, NULL);
    if (code == CL_SUCCESS || (status = clup_watch_ask()) != CLUP_OK)
        return status;
    if (clup_cl_no_memory(code) && !is_refused(context, program))
        return clup_fail(CLUP_ERROR_MEMORY, "no room to build %s for %s: clBuildProgram: %s (%d)",
                         file, context->device.info.name, clup_cl_error(code), (int)code);
    return build_failed(context, program, file, options);
}

static clup_status build(clup_context *context, const char *file, const clup_text *source,
                         const char *options, cl_program *program)
{
    cl_int code;
    const char *text = source->data;
    *program = clCreateProgramWithSource(context->handle, 1, &text, &source->length, &code);
    if (code != CL_SUCCESS)
        return clup_cl_fail(code, "clCreateProgramWithSource");
    const clup_task outer = clup_task_begin("build", "kernels", 0);
    clup_task_done(context->built);
    const clup_status status = compile(context, file, options, *program);
    clup_task_end(outer);
    if (status != CLUP_OK)
        clReleaseProgram(*program);
    return status;
}

/* Takes the program from the cache, unless it must be built anew; waits for a process that is
 * building it; else builds it and keeps it. */
static clup_status find_or_build(clup_context *context, const char *file, const clup_text *source,
                                 const char *options, bool anew, clup_program *program)
{
    clup_binary_entry entry;
    clup_status status = CLUP_OK;
    int held = -1;
    clup_binary_entry_create(context, source, options, &entry);
    cl_program kept = anew ? NULL : clup_binary_cache_load(context, &entry, options);
    if (kept == NULL)
        CLUP_TRY(clup_binary_entry_hold(&entry, &held));
    if (held >= 0 && !anew)
        kept = clup_binary_cache_load(context, &entry, options);
    program->handle = kept;
    program->kept = kept != NULL;
    if (kept == NULL &&
        (status = build(context, file, source, options, &program->handle)) == CLUP_OK)
        clup_binary_cache_store(&entry, program->handle);
done:
    clup_binary_entry_release(held);
    clup_binary_entry_free(&entry);
    return status;
}

/* Adds the options of the compiler: language, what the platform needs, and the definitions that the
 * source mentions. */
static void add_options(const clup_context *context, const clup_text *source,
                        const char *definitions, clup_text *options)
{
    clup_text_add(options, "-cl-std=CL1.2 -w%s%s%s",
                  context->quirks.race_free ? " -DRACE_FREE" : "",
                  context->quirks.no_optimizer ? " -cl-opt-disable" : "",
                  context->quirks.slow_header ? " -D_OPENCL_H_" : "");
    for (const char *at = definitions; *at != '\0'; at += strspn(at, " ")) {
        char name[64];
        size_t whole = strcspn(at, " "), length = strcspn(at, "= ");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        if (strstr(source->data, name) != NULL)
            clup_text_add(options, " -D%.*s", (int)whole, at);
        at += whole;
    }
}

/* Puts declarations of built-in functions in front of a source. */
static clup_status declare_builtins(clup_text *source)
{
    clup_text out = {0};
    clup_status status = clup_embedded_text("core/builtins.clh", &out);
    if (status == CLUP_OK) {
        clup_text_add_bytes(&out, source->data, source->length);
        status = clup_text_ok(&out) ? CLUP_OK : clup_fail_memory("a kernel's source");
    }
    clup_text_free(status == CLUP_OK ? source : &out);
    if (status == CLUP_OK)
        *source = out;
    return status;
}

/* Returns the program of file and definitions: one that the context has, or one from
 * find_or_build. */
static clup_status program_of(clup_context *context, const char *file, const char *definitions,
                              bool anew, clup_program **of)
{
    clup_text source = {0}, options = {0};
    clup_status status = CLUP_OK;
    clup_sha256_state hash;
    char key[65];
    CLUP_TRY(clup_source_load(file, &source));
    if (context->poison >= 0)
        CLUP_TRY(clup_poison_source(&source));
    if (context->quirks.slow_header)
        CLUP_TRY(declare_builtins(&source));
    add_options(context, &source, definitions, &options);
    if (!clup_text_ok(&options)) {
        status = clup_fail_memory("build options");
        goto done;
    }
    clup_sha256_start(&hash);
    clup_sha256_add(&hash, options.data, options.length + 1);
    clup_sha256_add(&hash, source.data, source.length);
    clup_sha256_finish(&hash, key);
    clup_program *program = context->programs;
    while (program != NULL && strcmp(program->key, key) != 0)
        program = program->next;
    if (program == NULL) {
        if ((program = calloc(1, sizeof *program)) == NULL) {
            status = clup_fail_memory("a program");
            goto done;
        }
        status = find_or_build(context, file, &source, options.data, anew, program);
        if (status != CLUP_OK) {
            free(program);
            goto done;
        }
        memcpy(program->key, key, sizeof key);
        program->next = context->programs;
        context->programs = program;
        context->built += !program->kept;
    }
    *of = program;
done:
    clup_text_free(&source);
    clup_text_free(&options);
    return status;
}

/* Removes a program from the context. */
static void drop(clup_context *context, clup_program *program)
{
    clup_program **at = &context->programs;
    while (*at != program)
        at = &(*at)->next;
    *at = program->next;
    clReleaseProgram(program->handle);
    free(program);
}

static clup_status no_kernel(clup_context *context, cl_program program, cl_int code,
                             const char *file, const char *entry)
{
    char call[128];
    if (clup_cl_no_memory(code) && is_refused(context, program)) {
        snprintf(call, sizeof call, "kernel %s", entry);
        return build_failed(context, program, file, call);
    }
    if (code == CL_INVALID_KERNEL_NAME)
        return clup_fail(CLUP_ERROR_BUILD, "%s: no kernel %s: %s", file, entry,
                         clup_cl_error(code));
    snprintf(call, sizeof call, "clCreateKernel, %s of %s", entry, file);
    return clup_cl_fail(code, call);
}

/* Checks that the device has the kernel's local memory, and reads the largest work-group. A size
 * that the kernel requires counts as possible: the device accepted it when it built the kernel,
 * although NVIDIA's driver (256 for a required 1024) and rusticl (32) both state less (seen). */
static clup_status read_limit(const clup_context *context, clup_kernel *kernel)
{
    size_t required[3] = {0};
    cl_ulong local = 0;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_cl_check(
        clGetKernelWorkGroupInfo(kernel->handle, context->device.id, CL_KERNEL_WORK_GROUP_SIZE,
                                 sizeof kernel->max_group, &kernel->max_group, NULL),
        "CL_KERNEL_WORK_GROUP_SIZE"));
    CLUP_TRY(clup_cl_check(clGetKernelWorkGroupInfo(kernel->handle, context->device.id,
                                                    CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                                    sizeof required, required, NULL),
                           "CL_KERNEL_COMPILE_WORK_GROUP_SIZE"));
    if (required[0] > kernel->max_group)
        kernel->max_group = required[0];
    CLUP_TRY(clup_cl_check(clGetKernelWorkGroupInfo(kernel->handle, context->device.id,
                                                    CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local,
                                                    NULL),
                           "CL_KERNEL_LOCAL_MEM_SIZE"));
    if (local > 0 && context->local_mem == 0)
        status = clup_fail(CLUP_ERROR_USAGE, "%s needs %llu bytes of local memory, %s has none",
                           kernel->name, (unsigned long long)local, context->device.info.name);
    else if (local > context->local_mem)
        status = clup_fail(CLUP_ERROR_USAGE, "%s needs %llu bytes of local memory, %s has %llu",
                           kernel->name, (unsigned long long)local, context->device.info.name,
                           (unsigned long long)context->local_mem);
done:
    return status;
}

clup_status clup_kernel_create(clup_context *context, const char *file, const char *entry,
                               const char *definitions, clup_kernel *kernel)
{
    clup_program *program;
    cl_int code;
    clup_status status = program_of(context, file, definitions, false, &program);
    *kernel = (clup_kernel){0};
    if (status != CLUP_OK)
        return status;
    snprintf(kernel->name, sizeof kernel->name, "%s", entry);
    kernel->replicas = 1;
    kernel->handle = clCreateKernel(program->handle, entry, &code);
    if (code != CL_SUCCESS && program->kept) {
        /* the kept program is wrong: build it again */
        drop(context, program);
        if ((status = program_of(context, file, definitions, true, &program)) != CLUP_OK)
            return status;
        kernel->handle = clCreateKernel(program->handle, entry, &code);
    }
    if (code != CL_SUCCESS)
        return no_kernel(context, program->handle, code, file, entry);
    if ((status = read_limit(context, kernel)) != CLUP_OK)
        clup_kernel_free(kernel);
    return status;
}

void clup_kernel_free(clup_kernel *kernel)
{
    if (kernel->handle != NULL)
        clReleaseKernel(kernel->handle);
    *kernel = (clup_kernel){0};
}

/* Seconds of work, about, that the host may enqueue ahead of the device while a watch may end the
 * work. */
#define AHEAD_S 0.2
/* A kernel is timed alone at its first launch, which may compile or load it, and at the next
 * one. */
#define TIMED 2

/* Enqueues the kernel with its arguments. */
static clup_status enqueue(clup_context *context, const clup_kernel *kernel, clup_stage stage,
                           uint64_t groups, size_t items)
{
    cl_event event;
    const bool poisons = context->poison >= 0;
    const size_t global[3] = {groups * items, kernel->replicas, 1}, local[3] = {items, 1, 1},
                 offset[3] = {0, 0, poisons ? clup_poison_offset(context->poison) : 0};
    const cl_int code = clEnqueueNDRangeKernel(context->queue, kernel->handle,
                                               poisons                ? 3
                                               : kernel->replicas > 1 ? 2
                                                                      : 1,
                                               poisons ? offset : NULL, global, local, 0, NULL,
                                               clup_timer_event(&context->timer, &event));
    if (code == CL_SUCCESS)
        return clup_timer_add(&context->timer, stage, event);
    /* some platforms compile at the first launch, see compile */
    const clup_status status = clup_watch_ask();
    return status != CLUP_OK ? status : clup_cl_fail(code, kernel->name);
}

/* Enqueues without getting far ahead of the device: a long launch is waited for, and timed. */
static clup_status enqueue_paced(clup_context *context, clup_kernel *kernel, clup_stage stage,
                                 uint64_t groups, size_t items)
{
    const double work = (double)groups * (double)items * (double)kernel->replicas;
    const double expected_s = kernel->timed < TIMED ? INFINITY : kernel->item_s * work;
    clup_status status = CLUP_OK;
    if (context->ahead_s + expected_s > AHEAD_S)
        CLUP_TRY(clup_queue_wait(context, context->ahead_s));
    CLUP_TRY(clup_watch_ask());
    const double start = clup_now_s();
    CLUP_TRY(enqueue(context, kernel, stage, groups, items));
    context->ahead_s += expected_s;
    if (expected_s > AHEAD_S) {
        CLUP_TRY(clup_queue_wait(context, kernel->timed < TIMED ? 0 : expected_s));
        kernel->item_s = (clup_now_s() - start) / work;
        kernel->timed += kernel->timed < TIMED;
    }
done:
    return status;
}

clup_status clup_kernel_launch(clup_context *context, clup_kernel *kernel, clup_stage stage,
                               uint64_t groups, size_t items, const clup_arg *args, size_t count)
{
    if (items > kernel->max_group)
        return clup_fail(CLUP_ERROR_USAGE, "%s needs work-groups of %zu, on %s it can have %zu",
                         kernel->name, items, context->device.info.name, kernel->max_group);
    for (size_t k = 0; k < count; k++) {
        cl_int code = clSetKernelArg(kernel->handle, (cl_uint)k, args[k].size, args[k].value);
        if (code != CL_SUCCESS) {
            char what[sizeof kernel->name + 32];
            snprintf(what, sizeof what, "%s, argument %zu", kernel->name, k);
            return clup_cl_fail(code, what);
        }
    }
    return clup_watched() && !context->unpaced
               ? enqueue_paced(context, kernel, stage, groups, items)
               : enqueue(context, kernel, stage, groups, items);
}
