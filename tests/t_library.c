/* SPDX-License-Identifier: BSD-3-Clause */
/* The library in a program that has a context, buffers, events and threads of its own, and in one
 * that stops simulations and continues them. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "ocl/context.h"
#include "tap.h"

#define SIDE 200
#define SITES (SIDE * SIDE)

static void draw(uint8_t *pixels, unsigned seed)
{
    for (unsigned k = 0; k < SITES; k++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[k] = (uint8_t)(seed >> 30);
    }
}

static const clup_label_problem problem = {.size = {SIDE, SIDE, 1},
                                           .connectivity = 4,
                                           .dtype = CLUP_DTYPE_U8,
                                           .channels = 1,
                                           .has_background = 1};

static uint32_t label_alone(const uint8_t *pixels, uint32_t *labels)
{
    clup_context *context;
    clup_labelling *labelling;
    uint32_t clusters = 0;
    NEED(clup_context_create(NULL, &context));
    NEED(clup_labelling_create(context, &problem, &labelling));
    NEED(clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, labels, &clusters, NULL));
    clup_labelling_free(labelling);
    clup_context_free(context);
    return clusters;
}

typedef struct job {
    uint8_t pixels[SITES];
    uint32_t labels[SITES], again[SITES], clusters;
    int same;
} job;

static void *work(void *of)
{
    job *job = of;
    job->same = 1;
    for (int k = 0; k < 5; k++)
        job->same = job->same && label_alone(job->pixels, job->again) == job->clusters &&
                    memcmp(job->labels, job->again, sizeof job->labels) == 0;
    return NULL;
}

static void check_threads(void)
{
    job *jobs = calloc(3, sizeof *jobs);
    pthread_t threads[3];
    for (unsigned k = 0; k < 3; k++) {
        draw(jobs[k].pixels, k + 1);
        jobs[k].clusters = label_alone(jobs[k].pixels, jobs[k].labels);
    }
    for (unsigned k = 0; k < 3; k++)
        pthread_create(&threads[k], NULL, work, &jobs[k]);
    for (unsigned k = 0; k < 3; k++) {
        pthread_join(threads[k], NULL);
        ok(jobs[k].same && jobs[k].clusters > 100,
           "thread %u, with a context of its own, finds the same %u clusters each time", k,
           jobs[k].clusters);
    }
    free(jobs);
}

static void check_adopted(clup_context *own)
{
    cl_int code;
    const cl_device_id device = own->device.id;
    cl_context handle = clCreateContext(NULL, 1, &device, NULL, NULL, &code),
               other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    cl_command_queue queue = clCreateCommandQueue(handle, device, 0, &code);
    cl_mem image = clCreateBuffer(handle, CL_MEM_READ_ONLY, SITES, NULL, &code),
           labels = clCreateBuffer(handle, CL_MEM_READ_WRITE, 4 * SITES, NULL, &code);
    uint8_t pixels[2][SITES];
    uint32_t wanted[2][SITES], found[2][SITES], clusters[2], count = 0;
    cl_event ready[2], done[2];
    cl_uint references = 0;
    clup_context *context = NULL;
    clup_labelling *labelling = NULL;
    ok(clup_context_adopt(other, device, queue, &context) == CLUP_ERROR_USAGE && context == NULL,
       "a queue of another context is refused: %s", clup_error_detail());
    cl_command_queue unordered = clCreateCommandQueue(
        handle, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    if (code == CL_SUCCESS) {
        ok(clup_context_adopt(handle, device, unordered, &context) == CLUP_ERROR_USAGE &&
               context == NULL,
           "one that executes out of order as well: %s", clup_error_detail());
        clReleaseCommandQueue(unordered);
    }
    NEED(clup_context_adopt(handle, device, queue, &context));
    ok(strcmp(clup_context_device(context)->name, clup_context_device(own)->name) == 0,
       "the device is known by its id");
    NEED(clup_labelling_create(context, &problem, &labelling));
    /* planned once, executed twice, with events before and after each */
    for (unsigned k = 0; k < 2; k++) {
        draw(pixels[k], 7 + k);
        clusters[k] = label_alone(pixels[k], wanted[k]);
        clEnqueueWriteBuffer(queue, image, CL_FALSE, 0, SITES, pixels[k], 0, NULL, &ready[k]);
        NEED(clup_labelling_enqueue(labelling, image, labels, CLUP_LABELS_NUMBERED, 1, &ready[k],
                                    &done[k]));
        clEnqueueReadBuffer(queue, labels, CL_FALSE, 0, sizeof found[k], found[k], 1, &done[k],
                            NULL);
    }
    NEED(clup_labelling_count(labelling, &count));
    clFinish(queue);
    for (unsigned k = 0; k < 2; k++)
        ok(memcmp(found[k], wanted[k], sizeof found[k]) == 0, "image %u in the caller's buffers",
           k);
    ok(count == clusters[1], "the count is that of the last");
    /* a wait list delays the work */
    cl_event gate = clCreateUserEvent(handle, &code), after;
    cl_int state = CL_COMPLETE;
    NEED(clup_labelling_enqueue(labelling, image, labels, CLUP_LABELS_CANONICAL, 1, &gate, &after));
    clGetEventInfo(after, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    ok(state != CL_COMPLETE, "nothing is done before the events of the wait list");
    clSetUserEventStatus(gate, CL_COMPLETE);
    clWaitForEvents(1, &after);
    clGetEventInfo(after, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    ok(state == CL_COMPLETE, "then all");
    clup_labelling_free(labelling);
    clup_context_free(context);
    clGetContextInfo(handle, CL_CONTEXT_REFERENCE_COUNT, sizeof references, &references, NULL);
    ok(clFinish(queue) == CL_SUCCESS && references > 0, "the caller's context and queue live on");
    for (unsigned k = 0; k < 2; k++) {
        clReleaseEvent(ready[k]);
        clReleaseEvent(done[k]);
    }
    clReleaseEvent(gate);
    clReleaseEvent(after);
    clReleaseMemObject(image);
    clReleaseMemObject(labels);
    clReleaseCommandQueue(queue);
    clReleaseContext(handle);
    clReleaseContext(other);
}

/* The times of a stage are summed, and freed memory can be used again. */
static void check_accounts(clup_context *context)
{
    enum { BYTES = 1 << 22, ALONE = 5, MANY = 20 };
    clup_timer *timer = &context->timer;
    const uint64_t before = clup_context_allocated(context);
    uint64_t least = UINT64_MAX;
    cl_mem buffer;
    NEED(clup_buffer_create(context, BYTES, "the test", &buffer));
    ok(clup_context_allocated(context) == before + BYTES, "what is allocated is counted");
    for (unsigned k = 0; k < ALONE; k++) {
        clup_timer_reset(timer);
        NEED(clup_buffer_zero(context, CLUP_ACTION, buffer, BYTES));
        NEED(clup_queue_wait(context, 0));
        clup_timer_collect(timer);
        least = timer->total_ns[CLUP_ACTION] < least ? timer->total_ns[CLUP_ACTION] : least;
    }
    clup_timer_reset(timer);
    for (unsigned k = 0; k < MANY; k++)
        NEED(clup_buffer_zero(context, CLUP_ACTION, buffer, BYTES));
    NEED(clup_queue_wait(context, 0));
    clup_timer_collect(timer);
    /* on a busy machine the least of a few is far from the mean of many */
    ok(timer->total_ns[CLUP_ACTION] >= MANY / 4 * least && timer->unusable == 0,
       "%d commands take %.3g ms, one %.3g", MANY, 1e-6 * (double)timer->total_ns[CLUP_ACTION],
       1e-6 * (double)least);
    clup_buffer_free(context, buffer);
    ok(clup_context_allocated(context) == before, "and no longer when it is given back");
}

/* A simulation that gets the state of another one goes on as the other does. The state is copied as
 * programs do it. */
typedef struct state {
    uint64_t sweep;
    uint8_t spins[2 * 72 * 37];
} state;

static const double betas[] = {0.9, 1.2};
static const clup_problem potts = {.size = {72, 37},
                                   .periodic = {1},
                                   .q = 3,
                                   .beta = 1,
                                   .replicas = 2,
                                   .betas = betas,
                                   .first_replica = 3};

/* The state so many sweeps after another state, by a simulation that had another state before. */
static state later(clup_context *context, const clup_problem *problem, clup_algorithm algorithm,
                   const clup_plan *plan, const state *from, unsigned sweeps)
{
    const clup_method method = {.algorithm = algorithm};
    clup_simulation *simulation;
    state to = {0};
    NEED(
        clup_simulation_create(context, problem, &method, plan, 5, CLUP_START_RANDOM, &simulation));
    if (from != NULL) {
        NEED(clup_simulation_run(simulation, 3, 1, NULL, NULL));
        NEED(clup_simulation_set_state(simulation, from->sweep, from->spins));
        ok(clup_simulation_measured(simulation) == 3,
           "what was measured before a state is set stays");
    }
    NEED(clup_simulation_run(simulation, sweeps, 0, NULL, NULL));
    to.sweep = clup_simulation_sweeps(simulation);
    NEED(clup_simulation_spins(simulation, to.spins));
    clup_simulation_free(simulation);
    return to;
}

static void check_state(clup_context *context)
{
    clup_problem one = potts;
    clup_plan plan;
    const clup_method streams = {.rng = "mwc"};
    clup_simulation *simulation;
    const state whole = later(NULL, &potts, CLUP_SWENDSEN_WANG, NULL, NULL, 20),
                half = later(NULL, &potts, CLUP_SWENDSEN_WANG, NULL, NULL, 10);
    state high = half, got = later(NULL, &potts, CLUP_SWENDSEN_WANG, NULL, &half, 10);
    ok(whole.sweep == 20 && memcmp(&got, &whole, sizeof got) == 0,
       "10 sweeps, and 10 more by another simulation, are 20: on the host");
    high.sweep = ((uint64_t)1 << 32) - 2;
    const state past = later(NULL, &potts, CLUP_SWENDSEN_WANG, NULL, &high, 4);
    ok(past.sweep == high.sweep + 4 &&
           memcmp(past.spins, later(NULL, &potts, CLUP_SWENDSEN_WANG, NULL, &half, 4).spins,
                  sizeof past.spins) != 0,
       "another number of the sweep is other random numbers");
    for (size_t k = 0; clup_layout_name(k) != NULL; k++) {
        const clup_plan_request request = {.bonds = clup_layout_name(k),
                                           .strategy = CLUP_PLAN_ESTIMATE};
        if (clup_plan_choose(context, &potts, NULL, &request, &plan) != CLUP_OK)
            continue;
        got = later(context, &potts, CLUP_SWENDSEN_WANG, &plan, &half, 10);
        ok(memcmp(&got, &whole, sizeof got) == 0, "from the host to the device, %s bonds",
           plan.bonds);
        got = later(context, &potts, CLUP_SWENDSEN_WANG, &plan, &high, 4);
        ok(memcmp(&got, &past, sizeof got) == 0, "and past sweep 2^32");
    }
    one.replicas = 1;
    const state all = later(context, &one, CLUP_WOLFF, NULL, NULL, 20),
                part = later(context, &one, CLUP_WOLFF, NULL, NULL, 10);
    got = later(NULL, &one, CLUP_WOLFF, NULL, &part, 10);
    ok(memcmp(&got, &all, sizeof got) == 0, "from the device to the host, Wolff's clusters");
    NEED(clup_simulation_create(context, &one, &streams, NULL, 5, CLUP_START_RANDOM, &simulation));
    ok(clup_simulation_set_state(simulation, half.sweep, half.spins) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "philox") != NULL,
       "with streams it is refused: %s", clup_error_detail());
    clup_simulation_free(simulation);
}

int main(void)
{
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    check_state(context);
    check_accounts(context);
    check_adopted(context);
    check_threads();
    clup_context_free(context);
    return done_testing();
}
