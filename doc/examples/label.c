/* Labels a picture that is in a buffer of its own context: cc label.c $(pkg-config --cflags --libs clup) -lOpenCL */
#include <CL/cl.h>
#include <clup.h>
#include <stdio.h>

int main(void)
{
    const unsigned char pixels[4 * 8] = "##..#..#"
                                        "#..##..#"
                                        "..#...##"
                                        "#..#.#..";
    const clup_label_problem problem = {.size = {8, 4, 1}, .connectivity = 8, .dtype = CLUP_DTYPE_U8, .channels = 1, .has_background = 1, .background = {'.'}};
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_mem image = clCreateBuffer(context, CL_MEM_READ_ONLY, sizeof pixels, NULL, NULL), labels = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * sizeof pixels, NULL, NULL);
    cl_event written, done;
    cl_uint numbers[4 * 8], clusters;
    clup_context *clup;
    clup_labelling *labelling;
    if (clup_context_adopt(context, device, queue, &clup) != CLUP_OK || clup_labelling_create(clup, &problem, &labelling) != CLUP_OK)
        return fprintf(stderr, "%s\n", clup_error_detail()), 1;
    clEnqueueWriteBuffer(queue, image, CL_FALSE, 0, sizeof pixels, pixels, 0, NULL, &written);
    clup_labelling_enqueue(labelling, image, labels, CLUP_LABELS_NUMBERED, 1, &written, &done);
    clEnqueueReadBuffer(queue, labels, CL_TRUE, 0, sizeof numbers, numbers, 1, &done, NULL);
    clup_labelling_count(labelling, &clusters);
    for (int k = 0; k < 4 * 8; k++)
        printf("%u%s", numbers[k], k % 8 == 7 ? "\n" : " ");
    printf("%u clusters\n", clusters);
    clup_labelling_free(labelling);
    clup_context_free(clup);
    return 0;
}
