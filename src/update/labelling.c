/* Chains a source that looks at pixels, a way to find clusters, and the numbering of these. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/timing.h"
#include "base/watch.h"
#include "update/labelling.h"

enum { COUNT, SUM, BEFORE }; /* kernels of CLUP_KEY_SCAN */

/* A number of the pixels' type, as bits. */
static uint32_t bits_of(clup_dtype dtype, double value)
{
    float rounded = (float)value;
    uint32_t bits;
    if (!clup_dtypes[dtype].is_float)
        return (uint32_t)(int64_t)floor(value);
    memcpy(&bits, &rounded, sizeof bits);
    return bits;
}

clup_status clup_label_lattice(const clup_label_problem *problem, clup_lattice_kind *lattice)
{
    static const struct {
        unsigned connectivity;
        clup_lattice_kind lattice;
    } known[] = {{4, CLUP_LATTICE_SQUARE}, {8, CLUP_LATTICE_SQUARE_8}, {6, CLUP_LATTICE_CUBIC}, {18, CLUP_LATTICE_CUBIC_18}, {26, CLUP_LATTICE_CUBIC_26}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].connectivity == problem->connectivity) {
            *lattice = known[k].lattice;
            return CLUP_OK;
        }
    return clup_fail(CLUP_ERROR_USAGE, "connectivity %u is not 4 or 8, or 6, 18 or 26 in a volume", problem->connectivity);
}

/* Whether pixels can hold bonds. */
static clup_status check_bonds(const clup_label_problem *problem)
{
    const clup_dtype dtype = problem->dtype;
    clup_lattice_kind kind = CLUP_LATTICE_SQUARE;
    clup_status status = clup_label_lattice(problem, &kind);
    if (status != CLUP_OK)
        return status;
    const unsigned bonds = clup_lattice_of(&(lattice_args){.kind = kind})->directions;
    if (problem->channels != 1 || !clup_dtypes[dtype].is_unsigned || 8 * clup_dtype_bytes(dtype) < bonds)
        return clup_fail(CLUP_ERROR_USAGE, "bonds of %u neighbours are unsigned integers of %u bits or more, one a pixel", problem->connectivity, bonds);
    if (problem->has_background)
        return clup_fail(CLUP_ERROR_USAGE, "there is no background where bonds are given");
    return CLUP_OK;
}

static clup_status check(const clup_label_problem *problem)
{
    const clup_dtype dtype = problem->dtype;
    char text[32], least[32], most[32];
    if (dtype <= CLUP_DTYPE_NONE || dtype >= CLUP_DTYPES)
        return clup_fail(CLUP_ERROR_USAGE, "pixels of type %d are not known", (int)dtype);
    if (problem->channels != 1 && problem->channels != 3 && problem->channels != 4)
        return clup_fail(CLUP_ERROR_USAGE, "%u channels are not 1, 3 or 4", problem->channels);
    if ((unsigned)problem->match >= CLUP_MATCHES)
        return clup_fail(CLUP_ERROR_USAGE, "match %d is not known", (int)problem->match);
    if (problem->match == CLUP_MATCH_TOLERANCE && !(problem->level >= 0 && (clup_dtypes[dtype].is_float || problem->level <= UINT32_MAX)))
        return clup_fail(CLUP_ERROR_USAGE, "a tolerance of %s is none of %s pixels: it is a number from 0%s", clup_number_text(problem->level, text), clup_dtype_name(dtype),
                         clup_dtypes[dtype].is_float ? "" : " to 4294967295");
    if (problem->match == CLUP_MATCH_THRESHOLD && !(problem->level >= clup_dtypes[dtype].least && problem->level <= clup_dtypes[dtype].most))
        return clup_fail(CLUP_ERROR_USAGE, "a threshold of %s is none of %s pixels, from %s to %s", clup_number_text(problem->level, text), clup_dtype_name(dtype),
                         clup_number_text(clup_dtypes[dtype].least, least), clup_number_text(clup_dtypes[dtype].most, most));
    if (problem->match == CLUP_MATCH_BONDS)
        return check_bonds(problem);
    for (unsigned c = 0; problem->has_background && c < problem->channels; c++) {
        const double value = problem->background[c];
        if (!(value >= clup_dtypes[dtype].least && value <= clup_dtypes[dtype].most) || (!clup_dtypes[dtype].is_float && value != floor(value)))
            return clup_fail(CLUP_ERROR_USAGE, "a background of %s is no value of %s pixels, %s from %s to %s", clup_number_text(value, text), clup_dtype_name(dtype),
                             clup_dtypes[dtype].is_float ? "numbers" : "whole numbers", clup_number_text(clup_dtypes[dtype].least, least), clup_number_text(clup_dtypes[dtype].most, most));
    }
    return CLUP_OK;
}

clup_status clup_label_state_create(clup_labelling *labelling, const clup_problem *sites, const char *layout, unsigned block)
{
    static const char *const matches[CLUP_MATCHES] = {"MATCH_EQUAL", "MATCH_TOLERANCE", "MATCH_NONZERO", "MATCH_THRESHOLD", "MATCH_BONDS"};
    const clup_label_problem *problem = &labelling->problem;
    clup_state *state = &labelling->state;
    clup_problem of_image = *sites;
    clup_status status = CLUP_OK;
    of_image.model = CLUP_IMAGE;
    CLUP_TRY(clup_state_create(labelling->context, &of_image, NULL, clup_layout_named(layout), 0, 0, state));
    snprintf(labelling->definitions, sizeof labelling->definitions, "%s PIXEL=%s CHANNELS=%uu BLOCK=%uu%s", matches[problem->match], clup_dtypes[problem->dtype].in_cl,
             problem->channels, block, clup_dtypes[problem->dtype].is_float ? " PIXEL_FLOAT" : "");
    state->definitions = labelling->definitions;
    state->image = (image_args){.has_background = problem->has_background, .level = bits_of(problem->dtype, problem->level), .nx = problem->size[0], .ny = problem->size[1],
                                .nz = problem->size[2]};
    for (unsigned c = 0; c < problem->channels; c++)
        state->image.background[c] = bits_of(problem->dtype, problem->background[c]);
done:
    return status;
}

uint64_t clup_key_scratch(const clup_context *context, uint64_t words, unsigned which)
{
    const uint64_t group = 8 * clup_site_items(context); /* words whose roots a group of action_number_count adds up */
    const uint64_t groups = (words - 1) / group + 1, bytes[] = {
        [CLUP_KEY_BITS] = 4 * group * groups,
        [CLUP_KEY_RANKS] = 8 * group * groups,
        [CLUP_KEY_SUMS] = 4 * (groups + 1),
    };
    return which <= CLUP_KEY_SUMS ? bytes[which] : 0;
}

/* Sums of a pass that numbers; there is one more word. */
static uint64_t sum_groups(const clup_pass *number)
{
    return number->scratch_bytes[CLUP_KEY_SUMS] / 4 - 1;
}

/* The image's own lattice. */
static clup_status pixel_problem(const clup_label_problem *problem, clup_problem *pixels)
{
    *pixels = (clup_problem){.size = {problem->size[0], problem->size[1], problem->size[2]}, .q = 2,
                             .periodic = {problem->periodic[0], problem->periodic[1], problem->periodic[2]}};
    clup_status status = clup_label_lattice(problem, &pixels->lattice);
    if (status == CLUP_OK)
        status = clup_problem_check(pixels);
    if (status == CLUP_OK && clup_problem_sites(pixels) > CLUP_SITES_32)
        status = clup_fail(CLUP_ERROR_USAGE, "the image has more than %u pixels", CLUP_SITES_32);
    return status;
}

static const clup_label_way *const ways[] = {&clup_label_by_bands, &clup_label_by_border, &clup_label_by_sites};

static clup_status create(clup_labelling *labelling)
{
    const clup_label_problem *problem = &labelling->problem;
    clup_problem pixels;
    clup_status status = CLUP_OK;
    CLUP_TRY(check(problem));
    CLUP_TRY(pixel_problem(problem, &pixels));
    labelling->pixel_lattice = clup_lattice_args(&pixels);
    for (size_t k = 0; k < sizeof ways / sizeof *ways && labelling->way == NULL; k++)
        if (ways[k]->fits(labelling))
            labelling->way = ways[k];
    CLUP_TRY(labelling->way->create(labelling, &pixels));
done:
    return status;
}

clup_status clup_labelling_create_only(clup_context *context, const clup_label_problem *problem, unsigned tile, clup_labelling **out)
{
    clup_labelling *labelling = calloc(1, sizeof *labelling);
    if (labelling == NULL)
        return clup_fail_memory("the labelling");
    labelling->problem = *problem;
    labelling->context = context;
    labelling->tile = tile;
    clup_status status = create(labelling);
    if (status == CLUP_OK)
        *out = labelling;
    else
        clup_labelling_free(labelling);
    return status;
}

clup_status clup_labelling_create(clup_context *context, const clup_label_problem *problem, clup_labelling **out)
{
    clup_labelling *labelling = NULL;
    clup_status status = CLUP_OK;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(context);
    CLUP_NEED(problem);
    CLUP_TRY(clup_labelling_create_only(context, problem, 0, &labelling));
    CLUP_TRY(clup_labelling_verify(labelling));
done:
    if (status == CLUP_OK)
        *out = labelling;
    else
        clup_labelling_free(labelling);
    return status;
}

void clup_labelling_free(clup_labelling *labelling)
{
    if (labelling == NULL)
        return;
    clup_pass_clear(&labelling->source);
    clup_pass_clear(&labelling->local);
    clup_pass_clear(&labelling->consolidate);
    clup_pass_clear(&labelling->number);
    clup_pass_clear(&labelling->measure);
    if (labelling->state.context != NULL)
        clup_state_clear(&labelling->state);
    clup_buffer_free(labelling->context, labelling->pixels);
    clup_buffer_free(labelling->context, labelling->labels);
    clup_buffer_free(labelling->context, labelling->statistics);
    free(labelling);
}

static clup_status check_form(clup_label_form form)
{
    return form == CLUP_LABELS_NUMBERED || form == CLUP_LABELS_CANONICAL ? CLUP_OK : clup_fail(CLUP_ERROR_USAGE, "form %d of labels is not known", (int)form);
}

/* Counts the clusters, which are found. */
static clup_status count_roots(clup_labelling *labelling)
{
    clup_pass *pass = &labelling->number;
    const uint64_t groups = sum_groups(pass);
    const size_t items = clup_site_items(labelling->context);
    const cl_uint sums = (cl_uint)groups;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_pass_launch(pass, CLUP_KEY_MARK, NULL));
    CLUP_TRY(clup_pass_launch_groups(pass, COUNT, groups, items, NULL));
    CLUP_TRY(clup_pass_launch_groups(pass, SUM, 1, items, CLUP_WITH(CLUP_ARG(sums))));
    labelling->counted = true;
done:
    return status;
}

static clup_status enqueue(clup_labelling *labelling, cl_mem pixels, cl_mem labels, clup_label_form form)
{
    clup_pass *number = &labelling->number;
    clup_state *state = &labelling->state;
    clup_status status = CLUP_OK;
    labelling->counted = false;
    state->pixels = pixels;
    state->numbers = labels;
    state->canonical = form == CLUP_LABELS_CANONICAL;
    CLUP_TRY(clup_pass_run(&labelling->source));
    if (labelling->way->find != NULL)
        CLUP_TRY(labelling->way->find(labelling));
    else {
        CLUP_TRY(clup_pass_run(&labelling->local));
        CLUP_TRY(clup_pass_run(&labelling->consolidate));
    }
    if (!state->canonical) {
        CLUP_TRY(count_roots(labelling));
        CLUP_TRY(clup_pass_launch_groups(number, BEFORE, sum_groups(number), clup_site_items(labelling->context), NULL));
    }
    CLUP_TRY(clup_pass_launch(number, CLUP_KEY_WRITE, NULL));
done:
    return status;
}

clup_status clup_labelling_enqueue(clup_labelling *labelling, cl_mem pixels, cl_mem labels, clup_label_form form, unsigned count,
                                   cl_event const *wait, cl_event *event)
{
    CLUP_NEED(labelling);
    CLUP_NEED(pixels);
    CLUP_NEED(labels);
    clup_context *context = labelling->context;
    clup_status status = check_form(form);
    CLUP_TRY(status);
    if (count > 0)
        CLUP_NEED(wait);
    if (count > 0)
        CLUP_TRY(clup_cl_check(clEnqueueBarrierWithWaitList(context->queue, count, wait, NULL), "clEnqueueBarrierWithWaitList"));
    context->timer.off = context->unpaced = true;
    clup_watch_hold();
    labelling->found = true;
    status = enqueue(labelling, pixels, labels, form);
    clup_watch_release();
    context->timer.off = context->unpaced = false;
    labelling->done = false;
    if (status == CLUP_OK && event != NULL)
        status = clup_cl_check(clEnqueueMarkerWithWaitList(context->queue, 0, NULL, event), "clEnqueueMarkerWithWaitList");
    if (status == CLUP_OK)
        status = clup_cl_check(clFlush(context->queue), "clFlush");
done:
    return status;
}

clup_status clup_labelling_count(clup_labelling *labelling, uint32_t *clusters)
{
    CLUP_NEED(labelling);
    CLUP_NEED(clusters);
    if (!labelling->found)
        return clup_fail(CLUP_ERROR_USAGE, "no image was labelled before its clusters are counted");
    const cl_mem sums = labelling->number.scratch[CLUP_KEY_SUMS];
    clup_status status = CLUP_OK;
    if (!labelling->counted)
        CLUP_TRY(count_roots(labelling));
    CLUP_TRY(clup_cl_check(clEnqueueReadBuffer(labelling->context->queue, sums, CL_TRUE, 4 * sum_groups(&labelling->number), sizeof *clusters, clusters, 0, NULL, NULL),
                           "clEnqueueReadBuffer"));
    clup_timer_collect(&labelling->context->timer);
done:
    return status;
}

clup_status clup_labelling_reserve(clup_labelling *labelling)
{
    const clup_label_problem *problem = &labelling->problem;
    const uint64_t sites = clup_lattice_sites(&labelling->pixel_lattice);
    clup_status status = CLUP_OK;
    if (labelling->pixels == NULL)
        CLUP_TRY(clup_buffer_create(labelling->context, sites * problem->channels * clup_dtype_bytes(problem->dtype), "the pixels", &labelling->pixels));
    if (labelling->labels == NULL)
        CLUP_TRY(clup_buffer_create(labelling->context, 4 * sites, "the labels of pixels", &labelling->labels));
done:
    return status;
}

clup_status clup_labelling_run(clup_labelling *labelling, const void *pixels, clup_label_form form, uint32_t *labels, uint32_t *clusters, clup_label_timing *timing)
{
    CLUP_NEED(labelling);
    CLUP_NEED(pixels);
    CLUP_NEED(labels);
    clup_context *context = labelling->context;
    const clup_label_problem *problem = &labelling->problem;
    const uint64_t sites = clup_lattice_sites(&labelling->pixel_lattice), bytes = sites * problem->channels * clup_dtype_bytes(problem->dtype);
    clup_label_timing spent = {0};
    clup_status status = check_form(form);
    uint32_t count;
    CLUP_TRY(status);
    labelling->done = false;
    const double start = clup_now_s();
    CLUP_TRY(clup_labelling_reserve(labelling));
    clup_timer_collect(&context->timer);
    clup_timer_reset(&context->timer);
    double last = clup_now_s();
    CLUP_TRY(clup_buffer_write(context, labelling->pixels, 0, bytes, pixels));
    spent.transfer_s += clup_now_s() - last;
    labelling->found = true;
    CLUP_TRY(enqueue(labelling, labelling->pixels, labelling->labels, form));
    CLUP_TRY(clup_labelling_count(labelling, &count));
    last = clup_now_s();
    CLUP_TRY(clup_buffer_read(context, labelling->labels, 4 * sites, labels));
    spent.transfer_s += clup_now_s() - last;
    clup_timer_collect(&context->timer);
    for (clup_stage stage = 0; stage < CLUP_STAGES; stage++)
        spent.device_s += 1e-9 * (double)context->timer.total_ns[stage];
    if (!clup_timer_known(&context->timer))
        spent.device_s = NAN;
    spent.wall_s = clup_now_s() - start;
    labelling->done = form == CLUP_LABELS_NUMBERED;
    if (clusters != NULL)
        *clusters = count;
    if (timing != NULL)
        *timing = spent;
done:
    return status;
}
