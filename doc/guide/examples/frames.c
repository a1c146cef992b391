/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels and measures the frames of a film that are in a buffer of the program's own, all together.
 * It waits once for the boxes of components, whose number it does not know before; then it numbers
 * the components of each frame from 1 on.
 *
 *     cc -o frames frames.c $(pkg-config --cflags --libs clup) -lOpenCL && ./frames
 *  */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <clup.h>
#include <stdio.h>

#define FRAMES 3
#define WIDTH 8
#define HEIGHT 4
#define PIXELS (FRAMES * HEIGHT * WIDTH)
#define MOST 16 /* components that are measured */

/* Each call is checked; the first that fails says why, and all that was made is released. */
#define TRY_CL(NAME, CALL) \
    if ((error = (CALL)) != CL_SUCCESS) { \
        fprintf(stderr, "frames: %s: OpenCL error %d\n", NAME, error); \
        goto end; \
    }
#define TRY_CLUP(CALL) \
    if ((CALL) != CLUP_OK) { \
        fprintf(stderr, "frames: %s\n", clup_error_detail()); \
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

static void print(const clup_cluster *clusters, const uint32_t *before)
{
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        printf("frame %u:", (unsigned)frame);
        for (uint32_t k = before[frame]; k < before[frame + 1] && k < MOST; k++)
            printf(" %u,%u..%u,%u", (unsigned)clusters[k].first[0], (unsigned)clusters[k].first[1],
                   (unsigned)clusters[k].last[0], (unsigned)clusters[k].last[1]);
        printf("\n");
    }
}

int main(void)
{
    /* the second frame's first row and the first frame's last row are not neighbours */
    const char film[PIXELS + 1] = "##......"
                                  "##......"
                                  "......##"
                                  "......##"
                                  ".##...##"
                                  ".##....."
                                  "........"
                                  ".....##."
                                  "........"
                                  "..###..."
                                  "..#....."
                                  "........";
    /* equal characters with 8 neighbours are of one component, and dots of none */
    const clup_label_problem problem = {.size = {WIDTH, HEIGHT, 1},
                                        .connectivity = 8,
                                        .dtype = CLUP_DTYPE_U8,
                                        .channels = 1,
                                        .match = CLUP_MATCH_EQUAL,
                                        .has_background = 1,
                                        .background = {'.'},
                                        .batch = FRAMES};
    cl_device_id device;
    cl_context context = NULL;
    cl_command_queue queue = NULL;
    cl_mem pixels = NULL, labels = NULL;
    cl_uint numbers[PIXELS];
    uint32_t components, before[FRAMES + 1];
    clup_cluster clusters[MOST];
    clup_context *clup = NULL;
    clup_labelling *labelling = NULL;
    cl_int error;
    int code = 1;

    TRY_CL("no device", find_device(&device))
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    TRY_CL("clCreateContext", error)
    queue = clCreateCommandQueue(context, device, 0, &error);
    TRY_CL("clCreateCommandQueue", error)
    pixels = clCreateBuffer(context, CL_MEM_READ_ONLY, PIXELS, NULL, &error);
    TRY_CL("clCreateBuffer", error)
    labels = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof numbers, NULL, &error);
    TRY_CL("clCreateBuffer", error)
    TRY_CLUP(clup_context_adopt(context, device, queue, &clup))
    TRY_CLUP(clup_labelling_create(clup, &problem, &labelling))

    /* from here on again for each batch of frames; the queue executes in order */
    TRY_CL("clEnqueueWriteBuffer",
           clEnqueueWriteBuffer(queue, pixels, CL_FALSE, 0, PIXELS, film, 0, NULL, NULL))
    TRY_CLUP(clup_labelling_enqueue(labelling, pixels, labels, CLUP_LABELS_NUMBERED, 0, NULL, NULL))
    TRY_CLUP(clup_labelling_measure_most(labelling, NULL, labels, MOST, clusters, &components))
    TRY_CLUP(clup_labelling_before(labelling, before))
    TRY_CLUP(clup_labelling_number_each(labelling, labels))
    TRY_CL("clEnqueueReadBuffer",
           clEnqueueReadBuffer(queue, labels, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL))

    print(clusters, before);
    printf("%u components; the last of the first frame has the number %u, that of the second %u\n",
           (unsigned)components, (unsigned)numbers[HEIGHT * WIDTH - 1],
           (unsigned)numbers[2 * HEIGHT * WIDTH - 2]);
    code = 0;
end:
    clup_labelling_free(labelling);
    clup_context_free(clup);
    if (pixels != NULL)
        clReleaseMemObject(pixels);
    if (labels != NULL)
        clReleaseMemObject(labels);
    if (queue != NULL)
        clReleaseCommandQueue(queue);
    if (context != NULL)
        clReleaseContext(context);
    return code;
}
