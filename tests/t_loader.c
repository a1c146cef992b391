/* SPDX-License-Identifier: BSD-3-Clause */
/* The ICD loader that is loaded when it is first called, as in wheels: without one, with a library
 * that is none, and with the system's, whose functions are called. This program is linked with no
 * loader. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ocl/loader.h"
#include "ocl/opencl.h"
#include "tap.h"

/* Calls a function in a process of its own, in which no loader was looked for yet, with the name of
 * a library in the environment, or NULL. Returns what the function returned. */
static int apart(int (*call)(void), const char *library)
{
    int code = -1;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (library == NULL)
            unsetenv("CLUP_OPENCL_LIBRARY");
        else
            setenv("CLUP_OPENCL_LIBRARY", library, 1);
        _exit(call());
    }
    return child > 0 && waitpid(child, &code, 0) == child && WIFEXITED(code) ? WEXITSTATUS(code)
                                                                             : -1;
}

static int said(const char *words)
{
    const char *error = clup_cl_loader_error();
    return error != NULL && strstr(error, words) != NULL;
}

static int calls_nothing(void)
{
    cl_int code = CL_SUCCESS;
    cl_uint count = 7;
    return clGetPlatformIDs(0, NULL, &count) == -1001 && count == 7 &&
           clCreateBuffer(NULL, 0, 1, NULL, &code) == NULL && code == -1001 &&
           clCreateBuffer(NULL, 0, 1, NULL, NULL) == NULL && clFinish(NULL) == -1001;
}

static int without(void)
{
    return calls_nothing() && said("nowhere/libOpenCL.so.1");
}

static int no_loader(void)
{
    return calls_nothing() && said("it has no cl");
}

/* The answers are those of the loader itself. */
static int of_system(void)
{
    void *loader = dlopen("libOpenCL.so.1", RTLD_NOW);
    cl_int (*list)(cl_uint, cl_platform_id *, cl_uint *) = NULL;
    cl_uint count = 0, expected = 0;
    if (loader == NULL)
        return 0;
    *(void **)&list = dlsym(loader, "clGetPlatformIDs");
    const cl_int code = list(0, NULL, &expected);
    return clup_cl_loader_error() == NULL && clGetPlatformIDs(0, NULL, &count) == code &&
           count == expected && clGetPlatformIDs(0, NULL, NULL) == CL_INVALID_VALUE;
}

int main(void)
{
    ok(apart(without, "/nowhere/libOpenCL.so.1") == 1,
       "no loader: calls fail, and the file is named");
    ok(apart(no_loader, "libm.so.6") == 1,
       "a library that is no loader: calls fail, and it is said");
    ok(apart(of_system, NULL) == 1, "the system's loader: calls reach it");
    ok(apart(of_system, "libOpenCL.so.1") == 1, "a loader that is named: calls reach it");
    return done_testing();
}
