/* SPDX-License-Identifier: BSD-3-Clause */
/* Notes what is built, to be preloaded: a line with the file and the options of each program to the
 * file CLUP_SHIM_PROGRAMS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ocl/opencl.h"
#include "shim/shim.h"

static void note(cl_program program, const char *options)
{
    const char *path = getenv("CLUP_SHIM_PROGRAMS");
    char file[64] = "";
    size_t length = 0;
    clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &length);
    char *text = calloc(1, length + 1);
    FILE *to = path != NULL ? fopen(path, "a") : NULL;
    if (text != NULL && to != NULL) {
        clGetProgramInfo(program, CL_PROGRAM_SOURCE, length, text, NULL);
        sscanf(text, "#line 1 \"%63[^.\"]", file);
        fprintf(to, "%s\t%s\n", file, options);
    }
    if (to != NULL)
        fclose(to);
    free(text);
}

__attribute__((visibility("default"))) cl_int
clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
               void (*notify)(cl_program, void *), void *user)
{
    note(program, options);
    return SHIM_NEXT(clBuildProgram)(program, count, devices, options, notify, user);
}
