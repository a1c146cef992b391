/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the threshold of an image from a histogram that the device makes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "core/prepared.h"
#include "label/levels.h"

/* Bins of floats, and the most bins of integers. */
#define FLOAT_BINS 256u
#define BINS_MOST ((uint64_t)1 << 24)
/* Values that are given to the device at a time, and work-groups that read them. */
#define PIECE ((uint64_t)1 << 26)
#define GROUPS 256u
#define RANGE_BYTES (3 * GROUPS * sizeof(int64_t))

static const char *const names[CLUP_THRESHOLDS] = {"otsu", "triangle", "li"};

const char *clup_threshold_name(clup_threshold_method method)
{
    return (unsigned)method < CLUP_THRESHOLDS ? names[method] : NULL;
}

/* The values of an image, and what the device knows of them. */
typedef struct values {
    clup_context *context;
    const clup_image *image;
    uint64_t count, bytes; /* values, and bytes of each */
    clup_kernel range, histogram;
    size_t items;
    cl_mem piece, ranges, edges, counts;
    int64_t least, most; /* keys of finite values */
    uint64_t odd;        /* values that are not finite */
} values;

/* ---- keys ------------------------------------------------------------------------------------ */

/* Returns the key that kernels have for a value (image_histogram.cl), from its bits. */
static int64_t key_of(clup_dtype dtype, uint64_t bits)
{
    if (dtype != CLUP_DTYPE_F32)
        return clup_value_key(dtype, bits);
    return bits >> 31 & 1 ? (int64_t)0x80000000 - (int64_t)(bits & UINT32_MAX) : (int64_t)bits;
}

/* Returns the bits of the value that has a key. */
static uint64_t bits_of(clup_dtype dtype, int64_t key)
{
    const clup_dtype_row *row = &clup_dtypes[dtype];
    const uint64_t sign = dtype == CLUP_DTYPE_F32 ? 0x80000000 : (uint64_t)1 << 63;
    if (row->is_float)
        return key < 0 ? sign - (uint64_t)key : (uint64_t)key;
    return (uint64_t)key ^ (row->is_unsigned ? sign : 0);
}

/* Returns the number that has a key, and for integers of more than 53 bits what a double lacks. */
static double number_of(clup_dtype dtype, int64_t key, int64_t *more)
{
    const uint64_t bits = bits_of(dtype, key);
    const double number = clup_value_number(dtype, bits);
    *more = 0;
    if (clup_dtypes[dtype].is_float || fabs(number) < 0x1p53)
        return number;
    *more = (int64_t)(bits & 0x7FF);
    return clup_value_number(dtype, bits - (uint64_t)*more);
}

/* ---- the device ------------------------------------------------------------------------------ */

static clup_status prepare(values *values)
{
    clup_context *context = values->context;
    const clup_dtype_row *dtype = &clup_dtypes[values->image->dtype];
    const uint64_t piece = values->count < PIECE ? values->count : PIECE;
    char definitions[128];
    clup_status status = CLUP_OK;
    values->items = clup_site_items(context);
    snprintf(definitions, sizeof definitions, "SITE_ITEMS=%zuu PIXEL=%s%s", values->items,
             dtype->in_cl, dtype->defined);
    CLUP_TRY(clup_kernel_create(context, "image_histogram.cl", "image_range", definitions,
                                &values->range));
    CLUP_TRY(clup_kernel_create(context, "image_histogram.cl", "image_histogram", definitions,
                                &values->histogram));
    CLUP_TRY(clup_buffer_create(context, piece * values->bytes, "the pixels", &values->piece));
    CLUP_TRY(clup_buffer_create(context, RANGE_BYTES, "the range of values", &values->ranges));
done:
    return status;
}

static void clear(values *values)
{
    clup_kernel_free(&values->range);
    clup_kernel_free(&values->histogram);
    clup_buffer_free(values->context, values->piece);
    clup_buffer_free(values->context, values->ranges);
    clup_buffer_free(values->context, values->edges);
    clup_buffer_free(values->context, values->counts);
}

/* Gives the device the values from number first on; *count becomes how many. */
static clup_status give(values *values, uint64_t first, cl_ulong *count)
{
    const uint64_t left = values->count - first;
    *count = left < PIECE ? left : PIECE;
    return clup_buffer_write(values->context, values->piece, 0, *count * values->bytes,
                             (const char *)values->image->pixels + first * values->bytes);
}

static clup_status launch(values *values, clup_kernel *kernel, const clup_arg *args, size_t count)
{
    clup_context *context = values->context;
    const bool off = context->timer.off;
    context->timer.off = true;
    const clup_status status = clup_kernel_launch(context, kernel, CLUP_SOURCE, GROUPS,
                                                  values->items, args, count);
    context->timer.off = off;
    return status;
}

/* Finds the least and the largest value, and how many are not finite. */
static clup_status find_range(values *values)
{
    int64_t ranges[3 * GROUPS];
    clup_status status = CLUP_OK;
    values->least = INT64_MAX;
    values->most = INT64_MIN;
    for (uint64_t first = 0; first < values->count; first += PIECE) {
        cl_ulong count;
        CLUP_TRY(give(values, first, &count));
        const clup_arg args[] = {CLUP_ARG(count), CLUP_ARG_AS(values, values->piece),
                                 CLUP_ARG_AS(ranges, values->ranges)};
        CLUP_TRY(launch(values, &values->range, args, sizeof args / sizeof *args));
        CLUP_TRY(clup_buffer_read(values->context, values->ranges, 0, sizeof ranges, ranges));
        for (unsigned k = 0; k < GROUPS; k++) {
            values->least = ranges[3 * k] < values->least ? ranges[3 * k] : values->least;
            values->most = ranges[3 * k + 1] > values->most ? ranges[3 * k + 1] : values->most;
            values->odd += (uint64_t)ranges[3 * k + 2];
        }
    }
done:
    return status;
}

/* Counts the values in bins; edges[bins + 1] has keys of floats. */
static clup_status count_values(values *values, cl_uint bins, const int64_t *edges,
                                uint64_t *counts)
{
    clup_context *context = values->context;
    uint32_t *some = malloc(bins * sizeof *some);
    const cl_long least = values->least;
    clup_status status = some != NULL ? CLUP_OK : clup_fail_memory("the histogram");
    CLUP_TRY(status);
    CLUP_TRY(clup_buffer_create(context, (FLOAT_BINS + 1) * sizeof *edges, "the edges of bins",
                                &values->edges));
    CLUP_TRY(clup_buffer_create(context, bins * sizeof *some, "the histogram", &values->counts));
    if (edges != NULL)
        CLUP_TRY(clup_buffer_write(context, values->edges, 0, (bins + 1) * sizeof *edges, edges));
    for (uint64_t first = 0; first < values->count; first += PIECE) {
        cl_ulong count;
        CLUP_TRY(give(values, first, &count));
        CLUP_TRY(clup_buffer_zero(context, CLUP_STAGES, values->counts, bins * sizeof *some));
        const clup_arg args[] = {CLUP_ARG(count),
                                 CLUP_ARG_AS(values, values->piece),
                                 CLUP_ARG(least),
                                 CLUP_ARG(bins),
                                 CLUP_ARG_AS(edges, values->edges),
                                 CLUP_ARG_AS(counts, values->counts)};
        CLUP_TRY(launch(values, &values->histogram, args, sizeof args / sizeof *args));
        CLUP_TRY(clup_buffer_read(context, values->counts, 0, bins * sizeof *some, some));
        for (cl_uint k = 0; k < bins; k++)
            counts[k] += some[k];
    }
done:
    free(some);
    return status;
}

/* ---- histograms ------------------------------------------------------------------------------ */

/* Computes the edges of FLOAT_BINS bins between the least and the largest value, and the middle of
 * each bin, in the precision of the values. */
static clup_status set_edges(const values *values, int64_t *edges, double *centres)
{
    const clup_dtype dtype = values->image->dtype;
    int64_t more;
    const double first = number_of(dtype, values->least, &more),
                 last = number_of(dtype, values->most, &more);
    const bool single = dtype == CLUP_DTYPE_F32;
    const double step = single ? (double)(((float)last - (float)first) / (float)FLOAT_BINS)
                               : (last - first) / FLOAT_BINS;
    double before = first;
    if (!isfinite(step))
        return clup_fail(CLUP_ERROR_USAGE, "values from %g to %g are too far apart for a histogram",
                         first, last);
    for (unsigned k = 0; k <= FLOAT_BINS; k++) {
        const double away = single ? (double)((float)k * (float)step) : k * step;
        const double edge = k == FLOAT_BINS ? last
                            : single        ? (double)((float)away + (float)first)
                                            : away + first;
        edges[k] = key_of(dtype, clup_value_bits(dtype, edge, 0));
        if (k > 0)
            centres[k - 1] = single ? (double)(((float)before + (float)edge) / 2)
                                    : (before + edge) / 2;
        before = edge;
    }
    return CLUP_OK;
}

static double level_of(const clup_histogram *histogram, clup_threshold_method method)
{
    switch (method) {
    case CLUP_THRESHOLD_OTSU: return clup_level_otsu(histogram);
    case CLUP_THRESHOLD_TRIANGLE: return clup_level_triangle(histogram);
    default: return clup_level_li(histogram, 0.5);
    }
}

/* Finds the threshold of a histogram. Centres of integers are distances from the least. */
static clup_status by_histogram(values *values, clup_threshold_method method, double *level,
                                int64_t *more)
{
    const bool floats = clup_dtypes[values->image->dtype].is_float;
    const uint64_t bins = floats ? FLOAT_BINS
                                 : (uint64_t)values->most - (uint64_t)values->least + 1;
    int64_t edges[FLOAT_BINS + 1];
    if (bins > BINS_MOST || bins == 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "the values are %" PRIu64 " apart: a histogram of integers has values "
                         "that differ by less than %" PRIu64,
                         bins - 1, BINS_MOST);
    uint64_t *counts = calloc(bins, sizeof *counts);
    double *centres = malloc(bins * sizeof *centres);
    clup_status status = counts != NULL && centres != NULL ? CLUP_OK
                                                           : clup_fail_memory("the histogram");
    CLUP_TRY(status);
    for (uint64_t k = 0; k < bins; k++)
        centres[k] = (double)k;
    if (floats)
        CLUP_TRY(set_edges(values, edges, centres));
    CLUP_TRY(count_values(values, (cl_uint)bins, floats ? edges : NULL, counts));
    const clup_histogram histogram = {.bins = bins, .counts = counts, .centres = centres};
    *level = level_of(&histogram, method);
    *more = 0;
    if (!floats) {
        const double least = number_of(values->image->dtype, values->least, more);
        if (fabs(least) < 0x1p53) {
            *level += least;
        } else {
            *more += (int64_t)floor(*level);
            *level = least;
        }
    }
done:
    free(counts);
    free(centres);
    return status;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Finds Li's threshold of floats, from all different values. */
static clup_status by_each(const values *values, double *level)
{
    const clup_dtype dtype = values->image->dtype;
    double *sorted = malloc(values->count * sizeof *sorted), tolerance = INFINITY;
    uint64_t *counts = malloc(values->count * sizeof *counts), finite = 0, bins = 0;
    if (sorted == NULL || counts == NULL) {
        free(sorted);
        free(counts);
        return clup_fail_memory("the sorted values");
    }
    for (uint64_t k = 0; k < values->count; k++) {
        const double number = clup_value_number(dtype,
                                                clup_value_get(dtype, values->image->pixels, k));
        if (isfinite(number))
            sorted[finite++] = number;
    }
    qsort(sorted, finite, sizeof *sorted, by_value);
    for (uint64_t k = 0; k < finite; k++) {
        if (bins > 0 && sorted[k] == sorted[bins - 1]) {
            counts[bins - 1]++;
            continue;
        }
        if (bins > 0)
            tolerance = fmin(tolerance, (sorted[k] - sorted[bins - 1]) / 2);
        sorted[bins] = sorted[k];
        counts[bins++] = 1;
    }
    *level = clup_level_li(&(clup_histogram){.bins = bins, .counts = counts, .centres = sorted},
                           tolerance);
    free(sorted);
    free(counts);
    return CLUP_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static clup_status find(values *values, clup_threshold_method method, double *level, int64_t *more)
{
    const bool floats = clup_dtypes[values->image->dtype].is_float;
    clup_status status = CLUP_OK;
    CLUP_TRY(prepare(values));
    CLUP_TRY(find_range(values));
    if (values->odd > 0 && (method != CLUP_THRESHOLD_LI || values->odd == values->count))
        return clup_fail(CLUP_ERROR_USAGE,
                         "%" PRIu64 " values are not finite: there is no threshold %s", values->odd,
                         names[method]);
    if (values->least == values->most)
        *level = number_of(values->image->dtype, values->least, more);
    else if (floats && method == CLUP_THRESHOLD_LI)
        status = by_each(values, level);
    else
        status = by_histogram(values, method, level, more);
done:
    return status;
}

clup_status clup_threshold(clup_context *context, const clup_image *image,
                           clup_threshold_method method, double *level, int64_t *more)
{
    CLUP_NEED(context);
    CLUP_NEED(image);
    CLUP_NEED(level);
    CLUP_NEED(more);
    CLUP_NEED(image->pixels);
    values values = {.context = context,
                     .image = image,
                     .count = (uint64_t)image->size[0] * image->size[1] * image->size[2],
                     .bytes = clup_dtype_bytes(image->dtype)};
    clup_status status = CLUP_RESERVED(image, "clup_image");
    if (status != CLUP_OK)
        return status;
    if ((unsigned)method >= CLUP_THRESHOLDS)
        return clup_fail(CLUP_ERROR_USAGE, "threshold %d is not known", (int)method);
    if (image->channels != 1 || values.bytes == 0 || values.count == 0)
        return clup_fail(CLUP_ERROR_USAGE,
                         "a threshold is of an image of one channel with pixels, not of %" PRIu64
                         " pixels of %u channels",
                         values.count, image->channels);
    *more = 0;
    status = find(&values, method, level, more);
    clear(&values);
    return status;
}
