/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that fail: the SHIM_NTH-th of kind SHIM_FAIL, and all that come after it where SHIM_NTH
 * ends with +; its error is SHIM_CODE, an errno or an OpenCL code. Counted are the calls of the
 * program clup, of libclup, and for memory of libpng and, as a kind of its own, jansson; those that
 * an OpenCL platform, a compiler or the C library makes are left alone. At its end the program
 * writes to SHIM_REPORT, a file, a line "KIND CALLS" for each kind, and "failed FUNCTION" for what
 * failed last, with "at PATH" where a file was to be opened or closed. */
#include "config.h"

#include "shim/shim.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

/* glibc's own: memory is asked for before anything can be looked up by name. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

enum kind {
    OPENCL,
    MEMORY,
    JSON,
    OPEN,
    READ,
    WRITE,
    FSYNC,
    CLOSE,
    RENAME,
    MKDIR,
    FCHMOD,
    SHORT,
    INTERRUPT,
    KINDS
};

/* Short calls, whose code says no more than that they are, read or write half of what they should;
 * interrupted ones nothing. */
static struct {
    const char *name;
    int code; /* without SHIM_CODE */
    _Atomic unsigned long calls;
} kinds[KINDS] = {
    [OPENCL] = {"opencl", CL_INVALID_VALUE, 0},
    [MEMORY] = {"malloc", ENOMEM, 0},
    [JSON] = {"json", ENOMEM, 0},
    [OPEN] = {"open", EMFILE, 0},
    [READ] = {"read", EIO, 0},
    [WRITE] = {"write", ENOSPC, 0},
    [FSYNC] = {"fsync", EIO, 0},
    [CLOSE] = {"close", EIO, 0},
    [RENAME] = {"rename", EXDEV, 0},
    [MKDIR] = {"mkdir", EACCES, 0},
    [FCHMOD] = {"fchmod", EPERM, 0},
    [SHORT] = {"short", 1, 0},
    [INTERRUPT] = {"eintr", EINTR, 0},
};

/* Objects whose calls are counted: all, or those for memory, as calls of a kind. */
static struct object {
    const char *name;
    int all;
    enum kind memory;
    uintptr_t from, to; /* its code */
} objects[] = {{"clup", 1, MEMORY, 0, 0},
               {"libclup.so", 1, MEMORY, 0, 0},
               {"libjansson.so", 0, JSON, 0, 0},
               {"libpng", 0, MEMORY, 0, 0}};
#define OBJECTS (sizeof objects / sizeof *objects)

static enum kind failing = KINDS;
static unsigned long first, last;
static int failure;
static const char *_Atomic failed;
static char failed_at[4096]; /* the path of what was to be opened or closed */
static pid_t process;

/* Counts a call, and gives the error that it is to have; 0 to let it be. */
static int fault(enum kind kind, const void *caller, const char *function)
{
    const uintptr_t at = (uintptr_t)caller;
    const struct object *object = objects;
    while (object < objects + OBJECTS && (at < object->from || at >= object->to))
        object++;
    if (object == objects + OBJECTS || (kind != MEMORY && !object->all))
        return 0;
    if (kind == MEMORY)
        kind = object->memory;
    const unsigned long call = ++kinds[kind].calls;
    if (kind != failing || call < first || call > last)
        return 0;
    failed = function;
    return failure;
}

static int find_object(struct dl_phdr_info *info, size_t size, void *program)
{
    const char *path = info->dlpi_name[0] != '\0' ? info->dlpi_name : program,
               *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    (void)size;
    for (struct object *object = objects; object < objects + OBJECTS; object++)
        for (int h = 0;
             strncmp(name, object->name, strlen(object->name)) == 0 && h < info->dlpi_phnum; h++)
            if (info->dlpi_phdr[h].p_type == PT_LOAD && (info->dlpi_phdr[h].p_flags & PF_X) != 0) {
                object->from = info->dlpi_addr + info->dlpi_phdr[h].p_vaddr;
                object->to = object->from + info->dlpi_phdr[h].p_memsz;
            }
    return 0;
}

/* Other programs than clup are left alone. */
__attribute__((constructor)) static void begin(void)
{
    char program[4096] = "";
    const char *kind = getenv("SHIM_FAIL"), *nth = getenv("SHIM_NTH"), *code = getenv("SHIM_CODE");
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0 ||
        strrchr(program, '/') == NULL || strcmp(strrchr(program, '/'), "/clup") != 0)
        return;
    process = getpid();
    for (failing = 0; failing < KINDS && (kind == NULL || strcmp(kind, kinds[failing].name) != 0);)
        failing++;
    if (failing < KINDS && nth != NULL) {
        char *end;
        first = strtoul(nth, &end, 10);
        last = *end == '+' ? -1ul : first;
        failure = code != NULL ? atoi(code) : kinds[failing].code;
    }
    dl_iterate_phdr(find_object, program);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("SHIM_REPORT");
    FILE *file = path != NULL && getpid() == process ? fopen(path, "w") : NULL;
    if (file == NULL)
        return;
    for (int k = 0; k < KINDS; k++)
        fprintf(file, "%s %lu\n", kinds[k].name, kinds[k].calls);
    if (failed != NULL)
        fprintf(file, "failed %s\n", failed);
    if (failed_at[0] != '\0')
        fprintf(file, "at %s\n", failed_at);
    fclose(file);
}

#define CALLER __builtin_return_address(0)

/* ---- the system ------------------------------------------------------------------------------ */

/* Leaves the function with what it gives on failure. */
#define FAIL(kind, value) \
    do { \
        const int error = fault(kind, CALLER, __func__); \
        if (error != 0) { \
            errno = error; \
            return value; \
        } \
    } while (0)

#define FAIL_AT(kind, value, path) \
    do { \
        const int error = fault(kind, CALLER, __func__); \
        if (error != 0) { \
            snprintf(failed_at, sizeof failed_at, "%s", path); \
            errno = error; \
            return value; \
        } \
    } while (0)

void *malloc(size_t size)
{
    FAIL(MEMORY, NULL);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    FAIL(MEMORY, NULL);
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    FAIL(MEMORY, NULL);
    return __libc_realloc(old, size);
}

char *strdup(const char *text)
{
    FAIL(MEMORY, NULL);
    return SHIM_NEXT(strdup)(text);
}

char *strndup(const char *text, size_t most)
{
    FAIL(MEMORY, NULL);
    return SHIM_NEXT(strndup)(text, most);
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(args, mode_t) : 0;
    va_end(args);
    FAIL(INTERRUPT, -1);
    FAIL_AT(OPEN, -1, path);
    return SHIM_NEXT(open)(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    FAIL_AT(OPEN, NULL, path);
    return SHIM_NEXT(fopen)(path, mode);
}

/* As many bytes as are read or written of so many; one at least, since none would be the end. */
static size_t shortened(size_t size, const void *caller, const char *function)
{
    return size > 1 && fault(SHORT, caller, function) != 0 ? size / 2 : size;
}

ssize_t read(int descriptor, void *to, size_t size)
{
    FAIL(INTERRUPT, -1);
    FAIL(READ, -1);
    return SHIM_NEXT(read)(descriptor, to, shortened(size, CALLER, __func__));
}

ssize_t write(int descriptor, const void *from, size_t size)
{
    FAIL(INTERRUPT, -1);
    FAIL(WRITE, -1);
    return SHIM_NEXT(write)(descriptor, from, shortened(size, CALLER, __func__));
}

int fsync(int descriptor)
{
    FAIL(INTERRUPT, -1);
    FAIL(FSYNC, -1);
    return SHIM_NEXT(fsync)(descriptor);
}

/* Of what was written; it is closed all the same, as on Linux. */
int close(int descriptor)
{
    const int written = (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
    const int error = written ? fault(CLOSE, CALLER, __func__) : 0;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    if (error != 0 && readlink(link, failed_at, sizeof failed_at - 1) < 0)
        failed_at[0] = '\0';
    const int result = SHIM_NEXT(close)(descriptor);
    if (error == 0)
        return result;
    errno = error;
    return -1;
}

int rename(const char *from, const char *to)
{
    FAIL(RENAME, -1);
    return SHIM_NEXT(rename)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    FAIL(MKDIR, -1);
    return SHIM_NEXT(mkdir)(path, mode);
}

int fchmod(int descriptor, mode_t mode)
{
    FAIL(FCHMOD, -1);
    return SHIM_NEXT(fchmod)(descriptor, mode);
}

/* ---- OpenCL ---------------------------------------------------------------------------------- */

/* Functions that return their code. */
#define CODE(function, parameters, arguments) \
    cl_int function parameters \
    { \
        const int error = fault(OPENCL, CALLER, #function); \
        return error != 0 ? error : SHIM_NEXT(function) arguments; \
    }

/* Those that make something, and have a pointer to their code. */
#define MAKE(type, function, parameters, arguments) \
    type function parameters \
    { \
        const int error = fault(OPENCL, CALLER, #function); \
        if (error == 0) \
            return SHIM_NEXT(function) arguments; \
        if (code != NULL) \
            *code = error; \
        return NULL; \
    }

typedef void CL_CALLBACK on_context(const char *text, const void *private_info, size_t size,
                                    void *user);
typedef void CL_CALLBACK on_build(cl_program program, void *user);
#define QUERY size_t size, void *value, size_t *needed
#define ANSWER size, value, needed
#define EVENTS cl_uint count, const cl_event *list, cl_event *event
#define AFTER count, list, event

CODE(clGetPlatformIDs, (cl_uint entries, cl_platform_id *platforms, cl_uint *count),
     (entries, platforms, count))
CODE(clGetPlatformInfo, (cl_platform_id platform, cl_platform_info what, QUERY),
     (platform, what, ANSWER))
CODE(clGetDeviceIDs,
     (cl_platform_id platform, cl_device_type type, cl_uint entries, cl_device_id *devices,
      cl_uint *count),
     (platform, type, entries, devices, count))
CODE(clGetDeviceInfo, (cl_device_id device, cl_device_info what, QUERY), (device, what, ANSWER))
MAKE(cl_context, clCreateContext,
     (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
      on_context *notify, void *user, cl_int *code),
     (properties, count, devices, notify, user, code))
CODE(clReleaseContext, (cl_context context), (context))
MAKE(cl_command_queue, clCreateCommandQueue,
     (cl_context context, cl_device_id device, cl_command_queue_properties properties,
      cl_int *code),
     (context, device, properties, code))
CODE(clReleaseCommandQueue, (cl_command_queue queue), (queue))
MAKE(cl_mem, clCreateBuffer,
     (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *code),
     (context, flags, size, host, code))
CODE(clGetMemObjectInfo, (cl_mem buffer, cl_mem_info what, QUERY), (buffer, what, ANSWER))
CODE(clReleaseMemObject, (cl_mem buffer), (buffer))
MAKE(cl_program, clCreateProgramWithSource,
     (cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *code),
     (context, count, texts, lengths, code))
MAKE(cl_program, clCreateProgramWithBinary,
     (cl_context context, cl_uint count, const cl_device_id *devices, const size_t *lengths,
      const unsigned char **binaries, cl_int *each, cl_int *code),
     (context, count, devices, lengths, binaries, each, code))
CODE(clBuildProgram,
     (cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
      on_build *notify, void *user),
     (program, count, devices, options, notify, user))
CODE(clGetProgramInfo, (cl_program program, cl_program_info what, QUERY), (program, what, ANSWER))
CODE(clGetProgramBuildInfo,
     (cl_program program, cl_device_id device, cl_program_build_info what, QUERY),
     (program, device, what, ANSWER))
CODE(clReleaseProgram, (cl_program program), (program))
MAKE(cl_kernel, clCreateKernel, (cl_program program, const char *name, cl_int *code),
     (program, name, code))
CODE(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
     (kernel, index, size, value))
CODE(clGetKernelWorkGroupInfo,
     (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, QUERY),
     (kernel, device, what, ANSWER))
CODE(clReleaseKernel, (cl_kernel kernel), (kernel))
CODE(clEnqueueNDRangeKernel,
     (cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset,
      const size_t *global, const size_t *local, EVENTS),
     (queue, kernel, axes, offset, global, local, AFTER))
CODE(clEnqueueFillBuffer,
     (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t length, size_t offset,
      size_t size, EVENTS),
     (queue, buffer, pattern, length, offset, size, AFTER))
CODE(clEnqueueReadBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *to,
      EVENTS),
     (queue, buffer, blocking, offset, size, to, AFTER))
CODE(clEnqueueWriteBuffer,
     (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size,
      const void *from, EVENTS),
     (queue, buffer, blocking, offset, size, from, AFTER))
CODE(clEnqueueMarkerWithWaitList, (cl_command_queue queue, EVENTS), (queue, AFTER))
CODE(clEnqueueBarrierWithWaitList, (cl_command_queue queue, EVENTS), (queue, AFTER))
CODE(clGetEventInfo, (cl_event event, cl_event_info what, QUERY), (event, what, ANSWER))
CODE(clGetEventProfilingInfo, (cl_event event, cl_profiling_info what, QUERY),
     (event, what, ANSWER))
CODE(clReleaseEvent, (cl_event event), (event))
CODE(clFlush, (cl_command_queue queue), (queue))
CODE(clFinish, (cl_command_queue queue), (queue))
