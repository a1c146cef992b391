/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps launches of kernels, to be preloaded: launch number CLUP_SHIM_LAUNCH (0) of each kernel, as
 * it is before the launch, goes to the folder CLUP_SHIM_LAUNCHES. NAME.launch has a line for each
 * of
 *
 *   kernel NAME, program FILE, grid X Y Z (work-groups), group X Y Z (work-items)
 *   value HEXADECIMAL, buffer FILE BYTES, local BYTES (arguments in order)
 *
 * and FILE of a program has its binary, which on NVIDIA is PTX. tests/roofline.py launches them
 * once more under a profiler. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ocl/opencl.h"
#include "shim/shim.h"

/* clup calls OpenCL from several threads. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define ARGUMENTS 32u
#define KERNELS 256u
#define VALUE_BYTES 256u

typedef struct known_kernel {
    cl_kernel kernel;
    char name[96];
    struct {
        size_t bytes;
        bool local, set;
        unsigned char value[VALUE_BYTES];
    } args[ARGUMENTS];
} known_kernel;

/* Kernels of one name share what is known of their launches: clup makes several of some. */
static struct launched {
    char name[96];
    unsigned long launches;
    size_t most; /* work-groups */
} all_launched[KERNELS];
static known_kernel *kernels[KERNELS];

/* Buffers that were made. */
static cl_mem *buffers;
static size_t buffer_count;

static bool is_buffer(cl_mem buffer)
{
    for (size_t k = 0; k < buffer_count; k++)
        if (buffers[k] == buffer)
            return true;
    return false;
}

static known_kernel *known(cl_kernel kernel)
{
    unsigned k = 0;
    for (; k < KERNELS && kernels[k] != NULL && kernels[k]->kernel != NULL; k++)
        if (kernels[k]->kernel == kernel)
            return kernels[k];
    for (unsigned j = k; j < KERNELS && kernels[j] != NULL; j++)
        if (kernels[j]->kernel == kernel)
            return kernels[j];
    if (k == KERNELS || (kernels[k] == NULL && (kernels[k] = calloc(1, sizeof **kernels)) == NULL))
        abort();
    kernels[k]->kernel = kernel;
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof kernels[k]->name, kernels[k]->name,
                    NULL);
    return kernels[k];
}

/* Whether this launch of a kernel is to be kept. */
static bool is_wanted(const char *name, size_t groups)
{
    const char *number = getenv("CLUP_SHIM_LAUNCH");
    struct launched *of = all_launched;
    while (of + 1 < all_launched + KERNELS && of->name[0] != 0 && strcmp(of->name, name) != 0)
        of++;
    snprintf(of->name, sizeof of->name, "%s", name);
    const bool most = groups > of->most;
    of->most = most ? groups : of->most;
    return number != NULL ? of->launches++ == strtoul(number, NULL, 10) : most;
}

static FILE *open_in(const char *folder, const char *name, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *to = fopen(path, "wb");
    if (to == NULL) {
        perror(path);
        abort();
    }
    return to;
}

static void keep_program(const char *folder, const known_kernel *of)
{
    cl_program program;
    size_t bytes = 0;
    clGetKernelInfo(of->kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    unsigned char *binary = malloc(bytes + 1);
    if (binary == NULL)
        abort();
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    FILE *to = open_in(folder, of->name, ".program");
    fwrite(binary, 1, bytes, to);
    fclose(to);
    free(binary);
}

/* A line for an argument; a buffer's bytes go to a file that is named for the buffer. */
static void keep_argument(const char *folder, cl_command_queue queue, const known_kernel *of,
                          unsigned k, FILE *to)
{
    const unsigned char *value = of->args[k].value;
    cl_mem buffer = NULL;
    size_t bytes = 0;
    char name[128];
    if (of->args[k].local) {
        fprintf(to, "local %zu\n", of->args[k].bytes);
        return;
    }
    if (of->args[k].bytes == sizeof buffer)
        memcpy(&buffer, value, sizeof buffer);
    if (is_buffer(buffer)) {
        if (clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL) != CL_SUCCESS)
            abort();
        void *data = malloc(bytes);
        if (data == NULL || clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL,
                                                NULL) != CL_SUCCESS)
            abort();
        snprintf(name, sizeof name, "%s-%p", of->name, (void *)buffer);
        FILE *file = open_in(folder, name, ".buffer");
        fwrite(data, 1, bytes, file);
        fclose(file);
        free(data);
        fprintf(to, "buffer %s.buffer %zu\n", name, bytes);
        return;
    }
    fputs("value ", to);
    for (size_t j = 0; j < of->args[k].bytes; j++)
        fprintf(to, "%02x", value[j]);
    fputc('\n', to);
}

__attribute__((visibility("default"))) cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags,
                                                             size_t bytes, void *host, cl_int *code)
{
    const cl_mem buffer = SHIM_NEXT(clCreateBuffer)(context, flags, bytes, host, code);
    pthread_mutex_lock(&lock);
    cl_mem *more = realloc(buffers, (buffer_count + 1) * sizeof *buffers);
    if (more == NULL)
        abort();
    buffers = more;
    if (buffer != NULL)
        buffers[buffer_count++] = buffer;
    pthread_mutex_unlock(&lock);
    return buffer;
}

__attribute__((visibility("default"))) cl_int clReleaseKernel(cl_kernel kernel)
{
    pthread_mutex_lock(&lock);
    *known(kernel) = (known_kernel){0}; /* another kernel may get this handle */
    pthread_mutex_unlock(&lock);
    return SHIM_NEXT(clReleaseKernel)(kernel);
}

__attribute__((visibility("default"))) cl_int clSetKernelArg(cl_kernel kernel, cl_uint index,
                                                             size_t bytes, const void *value)
{
    pthread_mutex_lock(&lock);
    known_kernel *of = known(kernel);
    if (index < ARGUMENTS && bytes <= (value != NULL ? VALUE_BYTES : SIZE_MAX)) {
        of->args[index].bytes = bytes;
        of->args[index].local = value == NULL;
        of->args[index].set = true;
        if (value != NULL)
            memcpy(of->args[index].value, value, bytes);
    }
    pthread_mutex_unlock(&lock);
    return SHIM_NEXT(clSetKernelArg)(kernel, index, bytes, value);
}

__attribute__((visibility("default"))) cl_int
clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset,
                       const size_t *global, const size_t *local, cl_uint waits,
                       const cl_event *events, cl_event *event)
{
    const char *folder = getenv("CLUP_SHIM_LAUNCHES");
    pthread_mutex_lock(&lock);
    const known_kernel *of = known(kernel);
    size_t grid[3] = {1, 1, 1}, group[3] = {1, 1, 1};
    for (cl_uint axis = 0; axis < axes && local != NULL; axis++) {
        group[axis] = local[axis];
        grid[axis] = global[axis] / local[axis];
    }
    if (folder != NULL && is_wanted(of->name, grid[0] * grid[1] * grid[2])) {
        keep_program(folder, of);
        FILE *to = open_in(folder, of->name, ".launch");
        fprintf(to, "kernel %s\nprogram %s.program\ngrid %zu %zu %zu\ngroup %zu %zu %zu\n",
                of->name, of->name, grid[0], grid[1], grid[2], group[0], group[1], group[2]);
        for (unsigned k = 0; k < ARGUMENTS && of->args[k].set; k++)
            keep_argument(folder, queue, of, k, to);
        fclose(to);
    }
    pthread_mutex_unlock(&lock);
    return SHIM_NEXT(clEnqueueNDRangeKernel)(queue, kernel, axes, offset, global, local, waits,
                                             events, event);
}
