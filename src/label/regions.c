/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures regions: lets the kernels count and add up, and makes facts of what they give. */
#include "label/regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "label/region_moments.h"

/* Fraction of the device's memory that records take. */
#define SHARE 8

uint32_t clup_regions_most = 0;

/* What is given to the kernels. */
typedef struct image {
    cl_mem labels, values;
    region_args args;
    uint64_t pixels;
} image;

/* The records of regions as the device has made them; NULL where they are not needed. */
typedef struct found {
    uint32_t *sums, *faces;
    struct found_values {
        uint32_t *extremes, *sums;
        uint64_t *medians; /* two for each region */
    } channel[CLUP_CHANNELS_MOST];
    clup_row_ends *ends;
    uint64_t *places; /* where the rows of a region begin in ends */
} found;

/* ---- kernels --------------------------------------------------------------------------------- */

#define LAUNCH(WHICH, GROUPS, ...) \
    clup_kernel_launch(regions->context, &regions->kernels[CLUP_REGION_##WHICH], CLUP_MEASURE, \
                       GROUPS, regions->items, (const clup_arg[]){__VA_ARGS__}, \
                       sizeof(const clup_arg[]){__VA_ARGS__} / sizeof(clup_arg))

/* Work-groups of kernels that work on tiles, and of those with so many work-items. */
static uint64_t tile_groups(const clup_regions *regions, const image *image)
{
    const region_args *args = &image->args;
    const uint64_t rows = regions->items < 32 ? REGION_ROWS : regions->items / 32 * REGION_ROWS;
    return ((uint64_t)(args->nx - 1) / 32 + 1) * ((args->ny - 1) / rows + 1) * args->nz;
}

static uint64_t groups_of(const clup_regions *regions, uint64_t work_items)
{
    return (work_items - 1) / regions->items + 1;
}

/* Makes a buffer of zeros for count records of so many words, and memory of the host for them. */
static clup_status reserve(clup_regions *regions, uint64_t count, uint64_t words, cl_mem *buffer,
                           void *memory)
{
    const uint64_t bytes = count * words * sizeof(uint32_t);
    void **to = memory;
    clup_status status = clup_buffer_create_zero(regions->context, bytes, "sums over regions",
                                                 buffer);
    if (status == CLUP_OK && (*to = malloc(bytes)) == NULL)
        status = clup_fail_memory("sums over regions");
    return status;
}

static clup_status read_records(clup_regions *regions, cl_mem buffer, uint64_t count,
                                uint64_t words, void *to)
{
    return clup_buffer_read(regions->context, buffer, 0, count * words * sizeof(uint32_t), to);
}

static unsigned kernel_axes(const clup_regions *regions)
{
    return regions->problem.axes > 2 ? 3 : 2;
}

/* POWERS of region_sums, and the words of its records, and of those of region_value_sums. */
static unsigned powers_of(const clup_regions *regions)
{
    return regions->needs.powers > 0 ? regions->needs.powers : 1;
}

static uint64_t sum_words(const clup_regions *regions)
{
    return REGION_WORDS(powers_of(regions), kernel_axes(regions));
}

static uint64_t value_words(const clup_regions *regions)
{
    const unsigned powers = regions->needs.value_powers;
    return powers > 0 ? VALUE_RECORD_WORDS(powers, kernel_axes(regions)) : 0;
}

static clup_status sum_up(clup_regions *regions, const image *image, found *found)
{
    const uint64_t words = sum_words(regions), count = image->args.count;
    cl_mem records = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(reserve(regions, count, words, &records, &found->sums));
    CLUP_TRY(LAUNCH(SUMS, tile_groups(regions, image), CLUP_ARG(image->args),
                    CLUP_ARG(image->labels), CLUP_ARG(records)));
    CLUP_TRY(read_records(regions, records, count, words, found->sums));
done:
    clup_buffer_free(regions->context, records);
    return status;
}

static clup_status count_faces(clup_regions *regions, const image *image, found *found)
{
    const uint64_t count = image->args.count;
    cl_mem records = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(reserve(regions, count, FACE_WORDS, &records, &found->faces));
    CLUP_TRY(LAUNCH(FACES, tile_groups(regions, image), CLUP_ARG(image->args),
                    CLUP_ARG(image->labels), CLUP_ARG(records)));
    CLUP_TRY(read_records(regions, records, count, FACE_WORDS, found->faces));
done:
    clup_buffer_free(regions->context, records);
    return status;
}

/* ---- ends of rows ---------------------------------------------------------------------------- */

static const uint32_t *record_of(const clup_regions *regions, const found *found, uint32_t k)
{
    return found->sums + k * sum_words(regions);
}

/* Sets places to where the rows of each region begin, and first to its first row, and returns the
 * number of all rows. */
static uint64_t place_rows(const clup_regions *regions, const found *found, uint32_t count,
                           uint32_t *first)
{
    uint64_t rows = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t *sums = record_of(regions, found, k);
        found->places[k] = rows;
        first[k] = ~sums[REGION_FIRST + 1];
        if (sums[REGION_SIZE] > 0)
            rows += sums[REGION_LAST + 1] - first[k] + 1;
    }
    return rows;
}

static clup_status find_ends(clup_regions *regions, const image *image, found *found)
{
    clup_context *context = regions->context;
    const uint32_t count = image->args.count;
    uint32_t *first = malloc(count * sizeof *first);
    cl_mem places = NULL, firsts = NULL, ends = NULL;
    clup_status status = CLUP_OK;
    found->places = malloc(count * sizeof *found->places);
    if (first == NULL || found->places == NULL)
        CLUP_TRY(clup_fail_memory("the rows of regions"));
    const uint64_t rows = place_rows(regions, found, count, first);
    if (rows == 0)
        goto done;
    CLUP_TRY(
        clup_buffer_create(context, count * sizeof *found->places, "the rows of regions", &places));
    CLUP_TRY(clup_buffer_create(context, count * sizeof *first, "the rows of regions", &firsts));
    CLUP_TRY(clup_buffer_write(context, places, 0, count * sizeof *found->places, found->places));
    CLUP_TRY(clup_buffer_write(context, firsts, 0, count * sizeof *first, first));
    CLUP_TRY(reserve(regions, rows, 2, &ends, &found->ends));
    CLUP_TRY(LAUNCH(ENDS, groups_of(regions, image->pixels), CLUP_ARG(image->args),
                    CLUP_ARG(image->labels), CLUP_ARG(places), CLUP_ARG(firsts), CLUP_ARG(ends)));
    CLUP_TRY(read_records(regions, ends, rows, 2, found->ends));
done:
    clup_buffer_free(context, places);
    clup_buffer_free(context, firsts);
    clup_buffer_free(context, ends);
    free(first);
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

static size_t value_bytes(const clup_regions *regions)
{
    return clup_dtype_bytes(regions->problem.dtype);
}

/* Finds the values of the ranks that sought has of all regions, and reads their integers. */
static clup_status select_ranks(clup_regions *regions, const image *image, cl_uint channel,
                                cl_mem sought, cl_mem counts, struct sought *ranks)
{
    const uint64_t bytes = image->args.count * sizeof *ranks;
    const unsigned digits = (unsigned)value_bytes(regions);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_buffer_write(regions->context, sought, 0, bytes, ranks));
    for (unsigned digit = digits; digit-- > 0;) {
        const cl_uint shift = RANK_BITS * digit + (digits > 4 ? 0 : 32);
        CLUP_TRY(LAUNCH(DIGITS, groups_of(regions, image->pixels), CLUP_ARG(image->args),
                        CLUP_ARG(channel), CLUP_ARG(shift), CLUP_ARG(image->labels),
                        CLUP_ARG(image->values), CLUP_ARG(sought), CLUP_ARG(counts)));
        CLUP_TRY(LAUNCH(SELECT, groups_of(regions, image->args.count), CLUP_ARG(image->args),
                        CLUP_ARG(shift), CLUP_ARG(sought), CLUP_ARG(counts)));
    }
    CLUP_TRY(clup_buffer_read(regions->context, sought, 0, bytes, ranks));
done:
    return status;
}

/* Finds the two values in the middle, which may be one, of each region. */
static clup_status find_medians(clup_regions *regions, const image *image, cl_uint channel,
                                found *found)
{
    const uint32_t count = image->args.count;
    struct sought *ranks = malloc(count * sizeof *ranks);
    cl_mem sought = NULL, counts = NULL;
    clup_status status = CLUP_OK;
    uint64_t *medians = malloc(2 * count * sizeof *medians);
    found->channel[channel].medians = medians;
    if (ranks == NULL || medians == NULL)
        CLUP_TRY(clup_fail_memory("medians"));
    CLUP_TRY(clup_buffer_create(regions->context, count * sizeof *ranks, "medians", &sought));
    CLUP_TRY(clup_buffer_create_zero(regions->context, (uint64_t)count * RANK_DIGITS * sizeof(cl_uint),
                                     "medians", &counts));
    for (unsigned which = 0; which < 2; which++) {
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t size = record_of(regions, found, k)[REGION_SIZE];
            ranks[k] = (struct sought){0, size == 0 ? 0 : (size - 1 + which) / 2};
        }
        CLUP_TRY(select_ranks(regions, image, channel, sought, counts, ranks));
        for (uint32_t k = 0; k < count; k++)
            medians[2 * (uint64_t)k + which] = ranks[k].known;
    }
done:
    clup_buffer_free(regions->context, sought);
    clup_buffer_free(regions->context, counts);
    free(ranks);
    return status;
}

static clup_status sum_values(clup_regions *regions, const image *image, cl_uint channel,
                              found *found)
{
    const uint64_t count = image->args.count, words = value_words(regions),
                   groups = tile_groups(regions, image);
    cl_mem extremes = NULL, records = NULL;
    struct found_values *values = &found->channel[channel];
    clup_status status = CLUP_OK;
    CLUP_TRY(reserve(regions, count, EXTREME_WORDS, &extremes, &values->extremes));
    for (cl_uint lower = 0; lower < (value_bytes(regions) > 4 ? 2 : 1); lower++)
        CLUP_TRY(LAUNCH(EXTREMES, groups, CLUP_ARG(image->args), CLUP_ARG(channel), CLUP_ARG(lower),
                        CLUP_ARG(image->labels), CLUP_ARG(image->values), CLUP_ARG(extremes)));
    CLUP_TRY(read_records(regions, extremes, count, EXTREME_WORDS, values->extremes));
    if (words > 0) {
        CLUP_TRY(reserve(regions, count, words, &records, &values->sums));
        CLUP_TRY(LAUNCH(VALUE_SUMS, groups, CLUP_ARG(image->args), CLUP_ARG(channel),
                        CLUP_ARG(image->labels), CLUP_ARG(image->values), CLUP_ARG(extremes),
                        CLUP_ARG(records)));
        CLUP_TRY(read_records(regions, records, count, words, values->sums));
    }
    if (regions->needs.median)
        CLUP_TRY(find_medians(regions, image, channel, found));
done:
    clup_buffer_free(regions->context, extremes);
    clup_buffer_free(regions->context, records);
    return status;
}

/* ---- facts ----------------------------------------------------------------------------------- */

/* Returns the value of which a kernel has made an integer (region_values.clh). */
static double value_of(clup_dtype dtype, uint64_t key)
{
    const clup_dtype_row *type = &clup_dtypes[dtype];
    const unsigned width = 8 * (unsigned)type->bytes;
    const uint64_t sign = (uint64_t)1 << (width - 1);
    uint64_t bits = width > 32 ? key : key >> 32;
    if (type->is_float)
        bits = bits & sign ? bits ^ sign : ~bits;
    else if (!type->is_unsigned)
        bits ^= sign;
    if (width < 64)
        bits &= ((uint64_t)1 << width) - 1;
    return clup_value_number(dtype, bits);
}

/* Returns the exponent of the units in which a region's floats are added. */
static int unit_of(clup_dtype dtype, const uint32_t *extremes)
{
    const unsigned width = dtype == CLUP_DTYPE_F64 ? 20 : 23,
                   exponents = dtype == CLUP_DTYPE_F64 ? 2047 : 255;
    const uint32_t sign = 0x80000000u, least = ~extremes[EXTREME_LEAST],
                   most = extremes[EXTREME_MOST];
    const uint32_t a = least & sign ? least ^ sign : ~least & ~sign,
                   b = most & sign ? most ^ sign : ~most & ~sign;
    const uint32_t size = (a > b ? a : b) >> width;
    return (int)(size > 1 ? size : 1) - (int)(exponents / 2) + 1 - VALUE_DIGITS;
}

/* The sum of values some of which are infinite or NaN. */
static double sum_with(unsigned odd, double finite)
{
    if (odd & ODD_NAN || (odd & ODD_PLUS && odd & ODD_MINUS))
        return NAN;
    return odd & ODD_PLUS ? INFINITY : odd & ODD_MINUS ? -INFINITY : finite;
}

static void set_extremes(clup_dtype dtype, const uint32_t *extremes, clup_region_values *values)
{
    const uint32_t *lower = extremes + EXTREME_LOWER;
    const unsigned odd = extremes[EXTREME_ODD];
    const bool finite = extremes[EXTREME_LEAST] | extremes[EXTREME_MOST];
    const uint64_t least = (uint64_t)~extremes[EXTREME_LEAST] << 32 | (uint32_t)~lower[0],
                   most = (uint64_t)extremes[EXTREME_MOST] << 32 | lower[1];
    values->least = odd & ODD_NAN     ? NAN
                    : odd & ODD_MINUS ? -INFINITY
                    : finite          ? value_of(dtype, least)
                                      : INFINITY;
    values->most = odd & ODD_NAN    ? NAN
                   : odd & ODD_PLUS ? INFINITY
                   : finite         ? value_of(dtype, most)
                                    : -INFINITY;
}

static void set_median(clup_dtype dtype, unsigned odd, const uint64_t keys[2],
                       clup_region_values *values)
{
    const double low = value_of(dtype, keys[0]), high = value_of(dtype, keys[1]);
    values->median = odd & ODD_NAN ? NAN : low == high ? low : low / 2 + high / 2;
}

static void set_sums(const clup_regions *regions, const clup_region_facts *facts,
                     const uint32_t *sums, const uint32_t *extremes, clup_region_values *values)
{
    const clup_dtype dtype = regions->problem.dtype;
    const unsigned powers = regions->needs.value_powers, odd = extremes[EXTREME_ODD];
    const int unit = clup_dtypes[dtype].is_float ? unit_of(dtype, extremes) : 0;
    const wide sum = clup_wide_read(sums, VALUE_SUM_WORDS),
               squares = clup_wide_read(sums + VALUE_SUM_WORDS *
                                                   REGION_MOMENTS(powers, kernel_axes(regions)),
                                        VALUE_SUM_WORDS);
    const double count = (double)facts->size;
    values->sum = sum_with(odd, clup_wide_number(sum, unit));
    values->mean = odd ? values->sum : ldexp(clup_wide_number(sum, 0) / count, unit);
    values->deviation = odd ? NAN
                            : ldexp(
                                  sqrt(clup_squares_about_mean(facts->size, sum, squares) / count),
                                  unit);
    clup_region_moments_of(facts, &(clup_power_sums){sums, VALUE_SUM_WORDS, powers, unit},
                           &values->moments);
    for (unsigned k = 0; odd && k < CLUP_MOMENTS_MOST; k++)
        values->moments.local[k] = values->moments.central[k] = NAN;
    for (unsigned axis = 0; odd && axis < 3; axis++)
        values->moments.centroid[axis] = NAN;
}

static void set_values(const clup_regions *regions, const struct found_values *found, uint32_t k,
                       const clup_region_facts *facts, clup_region_values *values)
{
    const uint32_t *extremes = found->extremes + (uint64_t)EXTREME_WORDS * k;
    const clup_dtype dtype = regions->problem.dtype;
    set_extremes(dtype, extremes, values);
    if (found->sums != NULL)
        set_sums(regions, facts, found->sums + value_words(regions) * k, extremes, values);
    if (found->medians != NULL)
        set_median(dtype, extremes[EXTREME_ODD], found->medians + 2 * (uint64_t)k, values);
}

/* Sets what is known of a region. */
static clup_status set_facts(const clup_regions *regions, const found *found, uint32_t k,
                             uint32_t label, clup_region_facts *facts)
{
    const clup_region_problem *problem = &regions->problem;
    const uint32_t *sums = record_of(regions, found, k);
    const unsigned axes = problem->axes;
    *facts = (clup_region_facts){.axes = axes, .label = label, .size = sums[REGION_SIZE]};
    for (unsigned axis = 0; axis < axes; axis++) {
        const unsigned from = axes - 1 - axis;
        facts->spacing[axis] = problem->spacing[from];
        facts->first[axis] = ~sums[REGION_FIRST + from];
        facts->end[axis] = sums[REGION_LAST + from] + 1;
    }
    if (regions->needs.powers > 1)
        clup_region_moments_of(facts,
                               &(clup_power_sums){sums + REGION_POWER_SUMS, REGION_SUM_WORDS,
                                                  regions->needs.powers, 0},
                               &facts->moments);
    if (found->faces != NULL) {
        memcpy(facts->faces, found->faces + (uint64_t)FACE_WORDS * k, sizeof facts->faces);
        for (unsigned d = 0; d < FACE_DIRECTIONS(axes); d++)
            facts->crofton += regions->weights[d] * facts->faces[d];
    }
    for (unsigned c = 0; c < problem->channels && found->channel[c].extremes != NULL; c++)
        set_values(regions, &found->channel[c], k, facts, &facts->values[c]);
    return found->ends == NULL
               ? CLUP_OK
               : clup_region_hull(found->ends + found->places[k], facts->end[0] - facts->first[0],
                                  facts->spacing[1], facts->spacing[0], &facts->convex,
                                  &facts->feret);
}

/* ---- measuring ------------------------------------------------------------------------------- */

static void clear(found *found)
{
    for (unsigned c = 0; c < CLUP_CHANNELS_MOST; c++) {
        free(found->channel[c].extremes);
        free(found->channel[c].sums);
        free(found->channel[c].medians);
    }
    free(found->sums);
    free(found->faces);
    free(found->ends);
    free(found->places);
}

/* Makes rows of all regions that have pixels. */
static clup_status add_rows(clup_regions *regions, const image *image, const found *found)
{
    clup_status status = CLUP_OK;
    clup_region_facts facts;
    for (uint32_t k = 0; k < image->args.count && status == CLUP_OK; k++) {
        if (record_of(regions, found, k)[REGION_SIZE] == 0)
            continue;
        CLUP_TRY(set_facts(regions, found, k, image->args.from + k + 1, &facts));
        CLUP_TRY(clup_regions_add(regions, &facts));
    }
done:
    return status;
}

/* Measures the regions with labels from + 1 to from + count of args. */
static clup_status measure(clup_regions *regions, const image *image)
{
    const clup_region_needs *needs = &regions->needs;
    found found = {0};
    clup_status status = CLUP_OK;
    CLUP_TRY(sum_up(regions, image, &found));
    if (needs->faces)
        CLUP_TRY(count_faces(regions, image, &found));
    if (needs->hull)
        CLUP_TRY(find_ends(regions, image, &found));
    for (cl_uint c = 0; needs->extremes && c < regions->problem.channels; c++)
        CLUP_TRY(sum_values(regions, image, c, &found));
    CLUP_TRY(add_rows(regions, image, &found));
done:
    clear(&found);
    return status;
}

/* The number of regions that are measured in one go, for which the image is read once. */
static uint32_t at_once(const clup_regions *regions, uint32_t most)
{
    const uint64_t words = sum_words(regions) + FACE_WORDS + EXTREME_WORDS + value_words(regions) +
                           (regions->needs.median ? RANK_DIGITS : 0),
                   room = regions->context->global_mem / SHARE / (words * sizeof(uint32_t)),
                   least = room > 0 ? room : 1,
                   at_most = clup_regions_most > 0 ? clup_regions_most : least;
    return at_most < most ? (uint32_t)at_most : most;
}

clup_status clup_regions_measure(clup_regions *regions, cl_mem labels, cl_mem values, uint32_t most)
{
    CLUP_NEED(regions);
    CLUP_NEED(labels);
    if (regions->needs.extremes)
        CLUP_NEED(values);
    const uint32_t *size = regions->problem.size;
    image image = {.labels = labels,
                   .values = values,
                   .args = {.nx = size[0], .ny = size[1], .nz = size[2]},
                   .pixels = (uint64_t)size[0] * size[1] * size[2]};
    clup_status status = CLUP_OK;
    regions->rows = 0;
    for (uint64_t from = 0; from < most; from += image.args.count) {
        image.args.from = (uint32_t)from;
        image.args.count = at_once(regions, most - (uint32_t)from);
        CLUP_TRY(measure(regions, &image));
    }
done:
    clup_timer_collect(&regions->context->timer);
    return status;
}

/* Brings an array of the host to the device, in a buffer that is made at the first call. */
static clup_status bring(clup_regions *regions, const void *from, uint64_t bytes, const char *what,
                         cl_mem *buffer)
{
    clup_status status = CLUP_OK;
    if (*buffer == NULL)
        CLUP_TRY(clup_buffer_create(regions->context, bytes, what, buffer));
    CLUP_TRY(clup_buffer_write(regions->context, *buffer, 0, bytes, from));
done:
    return status;
}

clup_status clup_regions_measure_host(clup_regions *regions, const uint32_t *labels,
                                      const void *values, uint32_t most)
{
    CLUP_NEED(regions);
    CLUP_NEED(labels);
    if (regions->needs.extremes)
        CLUP_NEED(values);
    const clup_region_problem *problem = &regions->problem;
    const uint64_t pixels = (uint64_t)problem->size[0] * problem->size[1] * problem->size[2];
    clup_status status = CLUP_OK;
    CLUP_TRY(
        bring(regions, labels, pixels * sizeof *labels, "the labels of pixels", &regions->labels));
    if (regions->needs.extremes)
        CLUP_TRY(bring(regions, values, pixels * problem->channels * value_bytes(regions),
                       "the values of pixels", &regions->values));
    CLUP_TRY(clup_regions_measure(regions, regions->labels, regions->values, most));
done:
    return status;
}
