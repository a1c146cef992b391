/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels a picture that is in a buffer of the program's own, with its own OpenCL context and queue:
 * clup adopts these, takes its turn in the queue, and leaves the labels in another buffer.
 *
 *     cc -o label label.c $(pkg-config --cflags --libs clup) -lOpenCL && ./label
 *  */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <clup.h>
#include <stdio.h>

#define WIDTH 8
#define HEIGHT 4

/* Each call is checked; the first that fails says why, and all that was made is released. */
#define TRY_CL(NAME, CALL) \
    if ((error = (CALL)) != CL_SUCCESS) { \
        fprintf(stderr, "label: %s: OpenCL error %d\n", NAME, error); \
        goto end; \
    }
#define TRY_CLUP(CALL) \
    if ((CALL) != CLUP_OK) { \
        fprintf(stderr, "label: %s\n", clup_error_detail()); \
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
    const char picture[HEIGHT * WIDTH + 1] = "##..#..#"
                                             "#..##..#"
                                             "..#...##"
                                             "#..#.#..";
    /* a pixel has 8 neighbours; equal characters are of one component, and dots of none */
    const clup_label_problem problem = {.size = {WIDTH, HEIGHT, 1},
                                        .connectivity = 8,
                                        .dtype = CLUP_DTYPE_U8,
                                        .channels = 1,
                                        .match = CLUP_MATCH_EQUAL,
                                        .has_background = 1,
                                        .background = {'.'}};
    cl_device_id device;
    cl_context context = NULL;
    cl_command_queue queue = NULL;
    cl_mem pixels = NULL, labels = NULL;
    cl_event written = NULL, labelled = NULL;
    cl_uint numbers[HEIGHT * WIDTH], components;
    clup_cluster clusters[HEIGHT * WIDTH];
    clup_context *clup = NULL;
    clup_labelling *labelling = NULL;
    cl_int error;
    int code = 1;

    TRY_CL("no device", find_device(&device))
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    TRY_CL("clCreateContext", error)
    queue = clCreateCommandQueue(context, device, 0, &error);
    TRY_CL("clCreateCommandQueue", error)
    pixels = clCreateBuffer(context, CL_MEM_READ_ONLY, HEIGHT * WIDTH, NULL, &error);
    TRY_CL("clCreateBuffer", error)
    labels = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof numbers, NULL, &error);
    TRY_CL("clCreateBuffer", error)

    TRY_CLUP(clup_context_adopt(context, device, queue, &clup))
    TRY_CLUP(clup_labelling_create(clup, &problem, &labelling))
    TRY_CL("clEnqueueWriteBuffer", clEnqueueWriteBuffer(queue, pixels, CL_FALSE, 0, HEIGHT * WIDTH,
                                                        picture, 0, NULL, &written))
    TRY_CLUP(clup_labelling_enqueue(labelling, pixels, labels, CLUP_LABELS_NUMBERED, 1, &written,
                                    &labelled))
    TRY_CL("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, labels, CL_TRUE, 0, sizeof numbers,
                                                      numbers, 1, &labelled, NULL))
    TRY_CLUP(clup_labelling_count(labelling, &components))

    for (int k = 0; k < HEIGHT * WIDTH; k++)
        printf("%u%s", (unsigned)numbers[k], k % WIDTH == WIDTH - 1 ? "\n" : " ");
    printf("%u components\n", (unsigned)components);

    /* each of them, from the labels that are still on the device */
    TRY_CLUP(clup_labelling_measure(labelling, pixels, labels, components, clusters))
    for (cl_uint k = 0; k < components; k++)
        printf("%u: %u pixels around (%.2f, %.2f)\n", (unsigned)k + 1, (unsigned)clusters[k].size,
               clusters[k].centroid[0], clusters[k].centroid[1]);
    code = 0;
end:
    if (queue != NULL)
        clFinish(queue);
    clup_labelling_free(labelling);
    clup_context_free(clup);
    if (labelled != NULL)
        clReleaseEvent(labelled);
    if (written != NULL)
        clReleaseEvent(written);
    if (labels != NULL)
        clReleaseMemObject(labels);
    if (pixels != NULL)
        clReleaseMemObject(pixels);
    if (queue != NULL)
        clReleaseCommandQueue(queue);
    if (context != NULL)
        clReleaseContext(context);
    return code;
}
