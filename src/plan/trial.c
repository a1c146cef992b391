/* SPDX-License-Identifier: BSD-3-Clause */
/* Times a kernel variant in place: does sweeps of a system near equilibrium, or labels an image of
 * noise, and times the variant's stage. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/timing.h"
#include "family/family.h"
#include "family/image.h"
#include "core/method.h"
#include "plan/choose.h"
#include "plan/tables.h"
#include "program.h"

/* Sweeps before the first measurement, fewer where they take long. */
#define THERMALIZE 10
#define THERMALIZE_S 10.0
/* A variant is timed at least REPETITIONS_MIN times, unless a single time is longer than LONG_S,
 * and until it has taken the seconds of the trial, or the whole sweeps SWEEPS_LONG times as many:
 * the other stages of a layout can take a thousand times as long as the one that is timed. */
#define REPETITIONS_MIN 3
#define REPETITIONS_MAX 1001
#define LONG_S 1.0
#define SWEEPS_LONG 10

struct clup_trial {
    clup_context *context;
    clup_problem problem;
    clup_method method;
    clup_state state;
    cl_mem pixels, labels; /* of an image */
    double seconds;
};

static void passes_clear(clup_prepared passes[CLUP_MEASURE])
{
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        clup_prepared_clear(&passes[stage]);
}

/* Makes a plan with the requested variants; the planner chooses the others. Returns
 * CLUP_ERROR_USAGE where the layout has none. */
static clup_status plan_make(const clup_trial *trial, const clup_plan_request *request,
                             clup_plan *plan)
{
    const clup_status status = clup_plan_make(trial->context, &trial->problem, &trial->method,
                                              request, plan);
    /* other layouts may have variants that give right results */
    return status == CLUP_ERROR_VERIFY ? CLUP_ERROR_USAGE : status;
}

/* Creates the prepared stages of the plan for a request. */
static clup_status passes_create(clup_trial *trial, const clup_plan_request *request,
                                 clup_prepared passes[CLUP_MEASURE])
{
    clup_plan plan;
    clup_status status = plan_make(trial, request, &plan);
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        passes[stage] = (clup_prepared){0};
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && status == CLUP_OK; stage++) {
        const char *name = clup_plan_row(&plan, stage);
        const clup_variant *variant = NULL;
        if (name != NULL && (status = clup_table_variant(stage, name, &variant)) == CLUP_OK)
            status = clup_prepared_create(variant, &trial->state, plan.tile, &passes[stage]);
    }
    if (status != CLUP_OK)
        passes_clear(passes);
    else if (trial->state.of_image != NULL)
        trial->state.key_bits = passes[CLUP_ACTION].scratch[CLUP_KEY_BITS];
    return status;
}

/* Creates an image whose pixels are 0 or 1, with probability 1/2 each, equal in all channels. */
static clup_status image_create(clup_trial *trial)
{
    const clup_label_problem *image = trial->problem.image;
    const clup_dtype_row *dtype = &clup_dtypes[image->dtype];
    const uint64_t values = clup_problem_sites(&trial->problem) * image->channels,
                   bytes = values * dtype->bytes;
    const random_key key = clup_random_key(0, 0, 0);
    char *pixels = calloc(values, dtype->bytes);
    clup_status status = pixels != NULL ? CLUP_OK : clup_fail_memory("an image");
    CLUP_TRY(status);
    uint32_t word = 0; /* bits of 32 pixels */
    for (uint64_t pixel = 0; pixel < clup_problem_sites(&trial->problem); pixel++) {
        if (pixel % 32 == 0)
            word = random_block(key, PURPOSE_START, pixel / 128, 0).v[pixel % 128 / 32];
        const char bit = (char)(word >> pixel % 32 & 1);
        const float number = bit;
        for (uint64_t k = pixel * image->channels; k < (pixel + 1) * image->channels; k++)
            if (dtype->is_float)
                memcpy(pixels + k * dtype->bytes, &number, sizeof number);
            else
                pixels[k * dtype->bytes] = bit;
    }
    CLUP_TRY(clup_buffer_create(trial->context, bytes, "the pixels", &trial->pixels));
    CLUP_TRY(clup_buffer_create(trial->context, 4 * clup_problem_sites(&trial->problem),
                                "the labels of pixels", &trial->labels));
    CLUP_TRY(clup_buffer_write(trial->context, trial->pixels, 0, bytes, pixels));
    trial->state.pixels = trial->pixels;
    trial->state.numbers = trial->labels;
done:
    free(pixels);
    return status;
}

static clup_status run_stage(clup_prepared *prepared)
{
    return prepared->variant != NULL ? clup_prepared_run(prepared) : CLUP_OK;
}

/* Does one sweep, and sets *wall_s and *device_s to the seconds that the timed stage took by the
 * clock and by the device. */
static clup_status sweep(clup_trial *trial, clup_prepared passes[CLUP_MEASURE], clup_stage timed,
                         double *wall_s, double *device_s)
{
    clup_context *context = trial->context;
    clup_status status = CLUP_OK;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        if (stage != timed) {
            CLUP_TRY(run_stage(&passes[stage]));
            continue;
        }
        CLUP_TRY(clup_queue_wait(context, 0));
        clup_timer_collect(&context->timer);
        clup_timer_reset(&context->timer);
        double start = clup_now_s();
        CLUP_TRY(run_stage(&passes[stage]));
        CLUP_TRY(clup_queue_wait(context, 0));
        *wall_s = clup_now_s() - start;
        clup_timer_collect(&context->timer);
        *device_s = clup_timer_known(&context->timer)
                        ? 1e-9 * (double)context->timer.total_ns[stage]
                        : *wall_s;
    }
    CLUP_TRY(clup_queue_wait(context, 0));
    clup_timer_collect(&context->timer);
done:
    clup_timer_drop(&context->timer, 0);
    trial->state.key = later_key(trial->state.key, 1);
    return status;
}

/* Returns enough streams for any variant that the method can use. */
static uint64_t most_streams(const clup_problem *problem)
{
    lattice_args lattice = clup_lattice_args(problem);
    uint64_t most = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t k = 0; k < clup_table_of(stage)->count; k++) {
            const clup_variant *variant = &clup_table_of(stage)->variants[k];
            uint64_t streams = variant->streams != NULL ? variant->streams(&lattice) : 0;
            most = streams > most ? streams : most;
        }
    return most;
}

clup_status clup_trial_create(clup_context *context, const clup_problem *problem,
                              const clup_method *method, const char *bonds, double seconds,
                              clup_trial **out)
{
    clup_status status = CLUP_OK;
    clup_prepared passes[CLUP_MEASURE];
    double wall_s, device_s, start = clup_now_s();
    const clup_plan_request request = {.bonds = bonds};
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(context);
    CLUP_NEED(problem);
    CLUP_NEED(bonds);
    const clup_layout *layout = clup_layout_named(bonds);
    clup_trial *trial = calloc(1, sizeof *trial);
    if (trial == NULL)
        return clup_fail_memory("a trial");
    *trial = (clup_trial){.context = context,
                          .problem = *problem,
                          .method = method != NULL ? *method : (clup_method){0},
                          .seconds = seconds};
    if (layout == NULL) {
        status = clup_fail(CLUP_ERROR_USAGE, "no bond layout '%s'", bonds);
        goto done;
    }
    CLUP_TRY(clup_method_check(problem, method));
    trial->problem = clup_layout_problem(NULL, problem);
    CLUP_TRY(clup_state_create(context, &trial->problem, method, layout,
                               most_streams(&trial->problem), 1, &trial->state));
    if (trial->state.of_image != NULL) {
        clup_plan plan;
        CLUP_TRY(plan_make(trial, &request, &plan));
        CLUP_TRY(image_create(trial));
    }
    CLUP_TRY(passes_create(trial, &request, passes));
    for (int k = 0; k < THERMALIZE && status == CLUP_OK && clup_now_s() - start < THERMALIZE_S; k++)
        status = sweep(trial, passes, CLUP_ACTION, &wall_s, &device_s);
    passes_clear(passes);
done:
    if (status == CLUP_OK)
        *out = trial;
    else
        clup_trial_free(trial);
    return status;
}

void clup_trial_free(clup_trial *trial)
{
    if (trial == NULL)
        return;
    clup_buffer_free(trial->context, trial->pixels);
    clup_buffer_free(trial->context, trial->labels);
    clup_state_clear(&trial->state);
    free(trial);
}

clup_status clup_trial_time(clup_trial *trial, clup_stage stage, const char *kernel, unsigned tile,
                            clup_sample *sample)
{
    CLUP_NEED(trial);
    CLUP_NEED(kernel);
    CLUP_NEED(sample);
    clup_prepared passes[CLUP_MEASURE];
    clup_plan_request request = {.bonds = trial->state.layout->name, .tile = tile};
    double wall[REPETITIONS_MAX], device[REPETITIONS_MAX], wall_s, device_s,
        spent = 0, iterations = 0, mean, spread;
    const double side = sqrt((double)clup_problem_sites(&trial->problem)),
                 sites = side * side * trial->state.replicas;
    unsigned count = 0;
    const clup_variant *variant;
    clup_status status = clup_table_variant(stage, kernel, &variant);
    if (status != CLUP_OK)
        return status;
    *clup_request_row(&request, stage) = kernel;
    if (!clup_variant_has_tiles(variant))
        request.tile = 0;
    if ((status = passes_create(trial, &request, passes)) != CLUP_OK)
        return status;
    /* the first time is not counted: some platforms compile then, and relaxation does not know how
     * many iterations to expect */
    CLUP_TRY(sweep(trial, passes, stage, &wall_s, &device_s));
    const double start = clup_now_s();
    while (count == 0 ||
           (count < REPETITIONS_MAX && spent < trial->seconds &&
            (count < REPETITIONS_MIN ||
             (spent < LONG_S && clup_now_s() - start < SWEEPS_LONG * trial->seconds)))) {
        CLUP_TRY(sweep(trial, passes, stage, &wall[count], &device[count]));
        CLUP_TRY(clup_prepared_iterations(&passes[stage], &mean));
        iterations += mean;
        spent += wall[count++];
    }
    *sample = (clup_sample){.stage = stage,
                            .kernel = variant->name,
                            .bonds = request.bonds,
                            .tile = request.tile,
                            .size = (unsigned)(side + 0.5),
                            .systems = trial->state.replicas,
                            .repetitions = count,
                            .iterations = iterations / count};
    sample->wall_ps = 1e12 * clup_median(wall, count, NULL) / sites;
    sample->ps = 1e12 * clup_median(device, count, &spread) / sites;
    sample->spread = count >= REPETITIONS_MIN ? spread : NAN;
done:
    passes_clear(passes);
    return status;
}
