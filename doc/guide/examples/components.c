/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the connected components of a graph whose edges are in a buffer of the program's own, with
 * its own OpenCL context and queue.
 *
 *     cc -o components components.c $(pkg-config --cflags --libs clup) -lOpenCL && ./components
 *  */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <clup.h>
#include <stdio.h>

#define VERTICES 9
#define EDGES 6

/* Each call is checked; the first that fails says why, and all that was made is released. */
#define TRY_CL(NAME, CALL) \
    if ((error = (CALL)) != CL_SUCCESS) { \
        fprintf(stderr, "components: %s: OpenCL error %d\n", NAME, error); \
        goto end; \
    }
#define TRY_CLUP(CALL) \
    if ((CALL) != CLUP_OK) { \
        fprintf(stderr, "components: %s\n", clup_error_detail()); \
        goto end; \
    }

/* The first device of the first platform that has one. */
static cl_int find_device(cl_device_id *device)
{
    cl_platform_id platforms[16];
    cl_uint count;
    cl_int error = clGetPlatformIDs(16, platforms, &count);
    if (error != CL_SUCCESS)
        return error;
    error = CL_DEVICE_NOT_FOUND;
    for (cl_uint k = 0; k < count && k < 16 && error == CL_DEVICE_NOT_FOUND; k++)
        error = clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, 1, device, NULL);
    return error;
}

int main(void)
{
    const cl_uint edges[EDGES][2] = {{0, 4}, {1, 2}, {2, 8}, {4, 7}, {7, 0}, {5, 5}};
    cl_device_id device;
    cl_context context = NULL;
    cl_command_queue queue = NULL;
    cl_mem ends = NULL, numbers = NULL;
    cl_event written = NULL, numbered = NULL;
    cl_uint labels[VERTICES], count;
    clup_context *clup = NULL;
    clup_components *components = NULL;
    cl_int error;
    int code = 1;

    TRY_CL("no device", find_device(&device))
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    TRY_CL("clCreateContext", error)
    queue = clCreateCommandQueue(context, device, 0, &error);
    TRY_CL("clCreateCommandQueue", error)
    ends = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof edges, NULL, &error);
    TRY_CL("clCreateBuffer", error)
    numbers = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof labels, NULL, &error);
    TRY_CL("clCreateBuffer", error)

    TRY_CLUP(clup_context_adopt(context, device, queue, &clup))
    TRY_CLUP(clup_components_create(clup, VERTICES, &components))
    TRY_CL("clEnqueueWriteBuffer",
           clEnqueueWriteBuffer(queue, ends, CL_FALSE, 0, sizeof edges, edges, 0, NULL, &written))
    TRY_CLUP(clup_components_enqueue(components, ends, EDGES, 1, &written, NULL))
    TRY_CLUP(clup_components_number(components, numbers, &numbered))
    TRY_CL("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, numbers, CL_TRUE, 0, sizeof labels,
                                                      labels, 1, &numbered, NULL))
    TRY_CLUP(clup_components_count(components, &count))

    for (int v = 0; v < VERTICES; v++)
        printf("%u%s", (unsigned)labels[v], v == VERTICES - 1 ? "\n" : " ");
    printf("%u components\n", (unsigned)count);
    code = 0;
end:
    if (queue != NULL)
        clFinish(queue);
    clup_components_free(components);
    clup_context_free(clup);
    if (numbered != NULL)
        clReleaseEvent(numbered);
    if (written != NULL)
        clReleaseEvent(written);
    if (numbers != NULL)
        clReleaseMemObject(numbers);
    if (ends != NULL)
        clReleaseMemObject(ends);
    if (queue != NULL)
        clReleaseCommandQueue(queue);
    if (context != NULL)
        clReleaseContext(context);
    return code;
}
