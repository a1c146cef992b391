/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures regions: makes facts of what the kernels give, and rows of these. */
#include "label/regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/workers.h"

/* Fraction of the device's memory that records take. */
#define SHARE 8

uint32_t clup_regions_most = 0;

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

/* Returns the number that is a part of the way from low to high. */
static double between(double low, double high, double part)
{
    const double apart = high - low;
    if (part == 0 || low == high)
        return low;
    return !isfinite(apart) ? low * (1 - part) + high * part
           : part < 0.5     ? low + apart * part
                            : high - apart * (1 - part);
}

/* Sets percentiles and the median from the values of two ranks of each fraction, of count regions,
 * region k of which is this one. */
static void set_ranked(const clup_regions *regions, unsigned odd, const uint64_t *keys,
                       uint64_t count, uint64_t k, uint64_t size, clup_region_values *values)
{
    const clup_dtype dtype = regions->problem.dtype;
    for (unsigned f = 0; f < regions->ranked; f++) {
        const uint64_t *two = keys + 2 * (count * f + k);
        const double low = value_of(dtype, two[0]), high = value_of(dtype, two[1]),
                     place = clup_regions_place(regions->fractions[f], size);
        if (f < regions->percentiles)
            values->percentiles[f] = odd & ODD_NAN ? NAN : between(low, high, place - floor(place));
        else
            values->median = odd & ODD_NAN ? NAN : low == high ? low : low / 2 + high / 2;
    }
}

static void set_sums(const clup_regions *regions, const clup_region_facts *facts,
                     const uint32_t *sums, const uint32_t *extremes, clup_region_values *values)
{
    const clup_dtype dtype = regions->problem.dtype;
    const unsigned powers = regions->needs.value_powers, odd = extremes[EXTREME_ODD];
    const int unit = clup_dtypes[dtype].is_float
                         ? value_unit(dtype == CLUP_DTYPE_F64, ~extremes[EXTREME_LEAST],
                                      extremes[EXTREME_MOST])
                         : 0;
    const wide sum = clup_wide_read(sums, VALUE_SUM_WORDS),
               squares = clup_wide_read(
                   sums + VALUE_SUM_WORDS * REGION_MOMENTS(powers, clup_region_axes(regions)),
                   VALUE_SUM_WORDS);
    const double count = (double)facts->size;
    values->sum = sum_with(odd, clup_wide_number(sum, unit));
    values->mean = odd ? values->sum : ldexp(clup_wide_number(sum, 0) / count, unit);
    values->deviation = odd ? NAN
                            : ldexp(
                                  sqrt(clup_squares_about_mean(facts->size, sum, squares) / count),
                                  unit);
    const double most = clup_dtypes[dtype].is_float ? INFINITY
                                                    : fmax(fabs(values->least), fabs(values->most));
    const clup_power_sums from = {sums, VALUE_SUM_WORDS, &regions->value_grid, most, unit};
    clup_region_moments_of(facts, &from, &values->moments);
    for (unsigned k = 0; odd && k < CLUP_MOMENTS_MOST; k++)
        values->moments.local[k] = values->moments.central[k] = NAN;
    for (unsigned axis = 0; odd && axis < 3; axis++)
        values->moments.centroid[axis] = NAN;
}

static void set_values(const clup_regions *regions, const struct clup_region_found_values *found,
                       uint32_t count, uint32_t k, const clup_region_facts *facts,
                       clup_region_values *values)
{
    const uint32_t *extremes = found->extremes + (uint64_t)EXTREME_WORDS * k;
    const clup_dtype dtype = regions->problem.dtype;
    set_extremes(dtype, extremes, values);
    if (found->sums != NULL)
        set_sums(regions, facts, found->sums + clup_region_value_words(regions) * k, extremes,
                 values);
    if (found->ranked != NULL)
        set_ranked(regions, extremes[EXTREME_ODD], found->ranked, count, k, facts->size, values);
}

static clup_status set_hull(const clup_region_problem *problem, const clup_row_ends *ends,
                            clup_region_facts *facts)
{
    const uint32_t *first = facts->first, *end = facts->end;
    return facts->axes > 2
               ? clup_region_hull_volume(ends, end[1] - first[1], end[0] - first[0],
                                         problem->spacing, &facts->convex, &facts->feret)
               : clup_region_hull(ends, end[0] - first[0], facts->spacing[1], facts->spacing[0],
                                  &facts->convex, &facts->feret);
}

/* Sets what is known of a region. */
static clup_status set_facts(const clup_regions *regions, const clup_region_found *found,
                             uint32_t count, uint32_t k, uint32_t label, clup_region_facts *facts)
{
    const clup_region_problem *problem = &regions->problem;
    const uint32_t *sums = clup_region_record(regions, found, k);
    const unsigned axes = problem->axes;
    *facts = (clup_region_facts){.axes = axes, .label = label, .size = sums[REGION_SIZE]};
    for (unsigned axis = 0; axis < axes; axis++) {
        const unsigned from = axes - 1 - axis;
        facts->spacing[axis] = problem->spacing[from];
        facts->first[axis] = ~sums[REGION_FIRST + from];
        facts->end[axis] = sums[REGION_LAST + from] + 1;
    }
    if (regions->needs.powers > 1)
        clup_region_moments_of(
            facts,
            &(clup_power_sums){sums + REGION_POWER_SUMS, REGION_SUM_WORDS, &regions->grid, 1, 0},
            &facts->moments);
    if (found->faces != NULL) {
        memcpy(facts->faces, found->faces + (uint64_t)FACE_WORDS * k, sizeof facts->faces);
        for (unsigned d = 0; d < FACE_DIRECTIONS(axes); d++)
            facts->crofton += regions->weights[d] * facts->faces[d];
    }
    for (unsigned c = 0; c < problem->channels && found->channel[c].extremes != NULL; c++)
        set_values(regions, &found->channel[c], count, k, facts, &facts->values[c]);
    return found->ends == NULL ? CLUP_OK : set_hull(problem, found->ends + found->places[k], facts);
}

/* ---- measuring ------------------------------------------------------------------------------- */

/* Regions that one thread makes rows of at a time. */
#define PIECE 64

/* The regions that have pixels, which threads make rows of. */
typedef struct row_work {
    clup_regions *regions;
    const clup_region_image *image;
    const clup_region_found *found;
    const uint32_t *present; /* their numbers; the first has the first new row */
} row_work;

static clup_status put_rows(void *user, unsigned worker, uint64_t first, uint64_t end)
{
    const row_work *work = user;
    clup_status status = CLUP_OK;
    clup_region_facts facts;
    (void)worker;
    for (uint64_t k = first; k < end && status == CLUP_OK; k++) {
        const uint32_t region = work->present[k];
        status = set_facts(work->regions, work->found, work->image->args.count, region,
                           work->image->args.from + region + 1, &facts);
        if (status == CLUP_OK)
            clup_regions_put(work->regions, work->regions->rows + k, &facts);
    }
    return status;
}

/* Makes rows of all regions that have pixels. */
static clup_status add_rows(clup_regions *regions, const clup_region_image *image,
                            const clup_region_found *found)
{
    const uint32_t count = image->args.count;
    uint32_t *present = malloc(((size_t)count + 1) * sizeof *present), some = 0;
    clup_status status = present != NULL ? CLUP_OK : clup_fail_memory("the numbers of regions");
    for (uint32_t k = 0; k < count && status == CLUP_OK; k++)
        if (clup_region_record(regions, found, k)[REGION_SIZE] != 0)
            present[some++] = k;
    CLUP_TRY(status);
    CLUP_TRY(clup_regions_reserve(regions, some));
    row_work work = {regions, image, found, present};
    CLUP_TRY(clup_workers_share(clup_processors(), some, PIECE, put_rows, &work));
    regions->rows += some;
done:
    free(present);
    return status;
}

/* Measures the regions with labels from + 1 to from + count of args. */
static clup_status measure(clup_regions *regions, const clup_region_image *image)
{
    clup_region_found found = {0};
    clup_status status = clup_regions_find(regions, image, &found);
    CLUP_TRY(status);
    CLUP_TRY(add_rows(regions, image, &found));
done:
    clup_regions_clear(&found);
    return status;
}

/* The number of regions that are measured in one go, for which the image is read once. */
static uint32_t at_once(const clup_regions *regions, uint32_t most)
{
    const uint64_t words = clup_regions_words(regions),
                   room = regions->context->global_mem / SHARE / (words * sizeof(uint32_t)),
                   least = room > 0 ? room : 1,
                   at_most = clup_regions_most > 0 ? clup_regions_most : least;
    return at_most < most ? (uint32_t)at_most : most;
}

/* Returns the part as kernels see it. */
static region_args args_of(const clup_regions *regions)
{
    const clup_region_part *part = &regions->part;
    const uint32_t *size = regions->problem.size, layers = part->above + part->layers + part->below;
    const bool volume = regions->problem.axes > 2;
    return (region_args){.nx = size[0],
                         .ny = volume ? size[1] : layers,
                         .nz = volume ? layers : 1,
                         .first = part->above,
                         .end = part->above + part->layers,
                         .before = part->first - part->above};
}

static clup_status measure_all(clup_regions *regions, cl_mem labels, cl_mem values, uint32_t most)
{
    const clup_ranks *ranks = regions->part.ranks;
    clup_region_image image = {.labels = labels,
                               .values = values,
                               .args = args_of(regions),
                               .pixels = regions->part.layer * regions->part.layers};
    clup_status status = CLUP_OK;
    regions->rows = 0;
    /* all processes measure the same regions at once */
    uint64_t room = at_once(regions, most);
    if (ranks != NULL)
        CLUP_TRY(ranks->least(ranks, &room, 1));
    for (uint64_t from = 0; from < most;) {
        const uint64_t left = most - from;
        image.args.from = (uint32_t)from;
        image.args.count = (uint32_t)(left < room ? left : room);
        const size_t rows = regions->rows;
        status = measure(regions, &image);
        /* where the rows of hulls have no room, fewer regions are measured at once */
        if (status == CLUP_ERROR_MEMORY && image.args.count > 1 && ranks == NULL) {
            regions->rows = rows;
            room = image.args.count / 2;
            status = CLUP_OK;
            continue;
        }
        CLUP_TRY(status);
        from += image.args.count;
    }
done:
    clup_timer_collect(&regions->context->timer);
    return status;
}

clup_status clup_regions_measure(clup_regions *regions, cl_mem labels, cl_mem values, uint32_t most)
{
    CLUP_NEED(regions);
    CLUP_NEED(labels);
    if (regions->needs.extremes)
        CLUP_NEED(values);
    return regions->part.ranks == NULL
               ? measure_all(regions, labels, values, most)
               : clup_fail(CLUP_ERROR_USAGE, "clup_regions_measure is not for several processes, "
                                             "which the context has joined: see "
                                             "clup_regions_measure_host");
}

/* Makes the buffer of labels or values of the part and its neighbours, of so many bytes for each
 * pixel, at the first call. */
static clup_status reserve(clup_regions *regions, uint64_t each, const char *what, cl_mem *buffer)
{
    const clup_region_part *part = &regions->part;
    const uint64_t layers = (uint64_t)part->above + part->layers + part->below;
    return *buffer == NULL
               ? clup_buffer_create(regions->context, layers * part->layer * each, what, buffer)
               : CLUP_OK;
}

/* Writes layers of one array to a buffer, after so many others. */
static clup_status bring(clup_regions *regions, cl_mem buffer, uint64_t each, uint64_t before,
                         uint64_t layers, const void *from)
{
    const uint64_t bytes = regions->part.layer * each;
    return layers > 0
               ? clup_buffer_write(regions->context, buffer, before * bytes, layers * bytes, from)
               : CLUP_OK;
}

/* Brings the labels beside the part, which other processes have. */
static clup_status bring_neighbours(clup_regions *regions, const uint32_t *labels)
{
    const clup_region_part *part = &regions->part;
    const uint64_t each = sizeof *labels;
    uint32_t *above = malloc((part->above + part->below) * part->layer * each + 1),
             *below = above != NULL ? above + part->above * part->layer : NULL;
    clup_status status = above != NULL ? CLUP_OK
                                       : clup_fail_memory("the labels of other processes");
    CLUP_TRY(status);
    CLUP_TRY(clup_region_part_neighbours(part, labels, above, below));
    CLUP_TRY(bring(regions, regions->labels, each, 0, part->above, above));
    CLUP_TRY(bring(regions, regions->labels, each, (uint64_t)part->above + part->layers,
                   part->below, below));
done:
    free(above);
    return status;
}

clup_status clup_regions_measure_host(clup_regions *regions, const uint32_t *labels,
                                      const void *values, uint32_t most)
{
    CLUP_NEED(regions);
    CLUP_NEED(labels);
    if (regions->needs.extremes)
        CLUP_NEED(values);
    const clup_region_part *part = &regions->part;
    const uint64_t each = regions->problem.channels * clup_dtype_bytes(regions->problem.dtype);
    clup_status status = CLUP_OK;
    CLUP_TRY(reserve(regions, sizeof *labels, "the labels of pixels", &regions->labels));
    CLUP_TRY(bring(regions, regions->labels, sizeof *labels, part->above, part->layers, labels));
    CLUP_TRY(bring_neighbours(regions, labels));
    if (regions->needs.extremes) {
        /* values beside the part are not read */
        CLUP_TRY(reserve(regions, each, "the values of pixels", &regions->values));
        CLUP_TRY(bring(regions, regions->values, each, part->above, part->layers, values));
    }
    CLUP_TRY(measure_all(regions, regions->labels, regions->values, most));
done:
    return status;
}
