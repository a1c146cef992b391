/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets the kernels count and add up what properties of regions follow from. */
#include <math.h>
#include <stdlib.h>

#include "base/dtype.h"
#include "label/regions.h"

/* ---- kernels --------------------------------------------------------------------------------- */

#define LAUNCH(WHICH, GROUPS, ...) \
    clup_kernel_launch(regions->context, &regions->kernels[CLUP_REGION_##WHICH], CLUP_MEASURE, \
                       GROUPS, regions->items, (const clup_arg[]){__VA_ARGS__}, \
                       sizeof(const clup_arg[]){__VA_ARGS__} / sizeof(clup_arg))

/* Work-groups of kernels that work on tiles, and of those with so many work-items. */
static uint64_t tile_groups(const clup_regions *regions, const clup_region_image *image)
{
    const region_args *args = &image->args;
    const uint64_t height = regions->items < 32 ? REGION_ROWS : regions->items / 32 * REGION_ROWS,
                   layers = args->end - args->first;
    const bool plane = clup_region_axes(regions) < 3;
    return ((uint64_t)(args->nx - 1) / 32 + 1) * (((plane ? layers : args->ny) - 1) / height + 1) *
           (plane ? 1 : layers);
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

unsigned clup_region_axes(const clup_regions *regions)
{
    return regions->problem.axes > 2 ? 3 : 2;
}

/* POWERS of region_sums, and the words of its records, and of those of region_value_sums. */
static unsigned powers_of(const clup_regions *regions)
{
    return regions->needs.powers > 0 ? regions->needs.powers : 1;
}

uint64_t clup_region_sum_words(const clup_regions *regions)
{
    return REGION_WORDS(powers_of(regions), clup_region_axes(regions));
}

uint64_t clup_region_value_words(const clup_regions *regions)
{
    const unsigned powers = regions->needs.value_powers;
    return powers > 0 ? VALUE_RECORD_WORDS(powers, clup_region_axes(regions)) : 0;
}

uint64_t clup_regions_words(const clup_regions *regions)
{
    return clup_region_sum_words(regions) + FACE_WORDS + EXTREME_WORDS +
           clup_region_value_words(regions) + (regions->ranked > 0 ? RANK_DIGITS : 0);
}

/* Gives all processes the sums that they have together. */
static clup_status merge_sums(const clup_regions *regions, uint32_t count, uint32_t *sums)
{
    const clup_ranks *ranks = regions->part.ranks;
    const uint32_t words = (uint32_t)clup_region_sum_words(regions);
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_records_count(ranks, (clup_record_words){sums, count, words, REGION_SIZE, 1}));
    CLUP_TRY(clup_records_raise(ranks, (clup_record_words){sums, count, words, REGION_FIRST, 6}));
    CLUP_TRY(clup_records_add(
        ranks,
        (clup_record_words){sums, count, words, REGION_POWER_SUMS, words - REGION_POWER_SUMS},
        REGION_SUM_WORDS));
done:
    return status;
}

static clup_status sum_up(clup_regions *regions, const clup_region_image *image,
                          clup_region_found *found)
{
    const uint64_t words = clup_region_sum_words(regions), count = image->args.count;
    cl_mem records = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(reserve(regions, count, words, &records, &found->sums));
    CLUP_TRY(LAUNCH(SUMS, tile_groups(regions, image), CLUP_ARG(image->args),
                    CLUP_ARG(image->labels), CLUP_ARG(records)));
    CLUP_TRY(read_records(regions, records, count, words, found->sums));
    CLUP_TRY(merge_sums(regions, image->args.count, found->sums));
done:
    clup_buffer_free(regions->context, records);
    return status;
}

static clup_status count_faces(clup_regions *regions, const clup_region_image *image,
                               clup_region_found *found)
{
    const uint64_t count = image->args.count;
    cl_mem records = NULL;
    clup_status status = CLUP_OK;
    CLUP_TRY(reserve(regions, count, FACE_WORDS, &records, &found->faces));
    CLUP_TRY(LAUNCH(FACES, tile_groups(regions, image), CLUP_ARG(image->args),
                    CLUP_ARG(image->labels), CLUP_ARG(records)));
    CLUP_TRY(read_records(regions, records, count, FACE_WORDS, found->faces));
    CLUP_TRY(clup_records_add(regions->part.ranks,
                              (clup_record_words){found->faces, count, FACE_WORDS, 0, FACE_WORDS},
                              1));
done:
    clup_buffer_free(regions->context, records);
    return status;
}

/* ---- ends of rows ---------------------------------------------------------------------------- */

const uint32_t *clup_region_record(const clup_regions *regions, const clup_region_found *found,
                                   uint32_t k)
{
    return found->sums + k * clup_region_sum_words(regions);
}

/* Sets places and boxes to where the rows of each region are, and returns the number of all rows.
 */
static uint64_t place_rows(const clup_regions *regions, const clup_region_found *found,
                           uint32_t count, region_box *boxes)
{
    const bool volume = clup_region_axes(regions) > 2;
    uint64_t rows = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t *sums = clup_region_record(regions, found, k);
        const uint32_t *last = sums + REGION_LAST, y = ~sums[REGION_FIRST + 1],
                       z = volume ? ~sums[REGION_FIRST + 2] : 0;
        found->places[k] = rows;
        boxes[k] = (region_box){y, z, last[1] - y + 1};
        if (sums[REGION_SIZE] > 0)
            rows += (uint64_t)boxes[k].rows * (volume ? last[2] - z + 1 : 1);
    }
    return rows;
}

static clup_status find_ends(clup_regions *regions, const clup_region_image *image,
                             clup_region_found *found)
{
    clup_context *context = regions->context;
    const uint32_t count = image->args.count;
    region_box *boxes = malloc(count * sizeof *boxes);
    cl_mem places = NULL, of_boxes = NULL, ends = NULL;
    clup_status status = CLUP_OK;
    found->places = malloc(count * sizeof *found->places);
    if (boxes == NULL || found->places == NULL)
        CLUP_TRY(clup_fail_memory("the rows of regions"));
    const uint64_t rows = place_rows(regions, found, count, boxes);
    if (rows == 0)
        goto done;
    CLUP_TRY(
        clup_buffer_create(context, count * sizeof *found->places, "the rows of regions", &places));
    CLUP_TRY(clup_buffer_create(context, count * sizeof *boxes, "the rows of regions", &of_boxes));
    CLUP_TRY(clup_buffer_write(context, places, 0, count * sizeof *found->places, found->places));
    CLUP_TRY(clup_buffer_write(context, of_boxes, 0, count * sizeof *boxes, boxes));
    CLUP_TRY(reserve(regions, rows, 2, &ends, &found->ends));
    CLUP_TRY(LAUNCH(ENDS, groups_of(regions, image->pixels), CLUP_ARG(image->args),
                    CLUP_ARG(image->labels), CLUP_ARG(places), CLUP_ARG(of_boxes), CLUP_ARG(ends)));
    CLUP_TRY(read_records(regions, ends, rows, 2, found->ends));
    CLUP_TRY(
        clup_records_raise(regions->part.ranks, (clup_record_words){*found->ends, rows, 2, 0, 2}));
done:
    clup_buffer_free(context, places);
    clup_buffer_free(context, of_boxes);
    clup_buffer_free(context, ends);
    free(boxes);
    return status;
}

/* ---- values ---------------------------------------------------------------------------------- */

static size_t value_bytes(const clup_regions *regions)
{
    return clup_dtype_bytes(regions->problem.dtype);
}

/* Gives all processes the digits that they have counted together. */
static clup_status merge_counts(clup_regions *regions, uint32_t count, cl_mem counts)
{
    const uint64_t bytes = (uint64_t)count * RANK_DIGITS * sizeof(uint32_t);
    uint32_t *words = NULL;
    clup_status status = CLUP_OK;
    if (regions->part.ranks == NULL)
        return CLUP_OK;
    if ((words = malloc(bytes)) == NULL)
        CLUP_TRY(clup_fail_memory("the ranks of values"));
    CLUP_TRY(clup_buffer_read(regions->context, counts, 0, bytes, words));
    CLUP_TRY(clup_records_add(regions->part.ranks,
                              (clup_record_words){words, count, RANK_DIGITS, 0, RANK_DIGITS}, 1));
    CLUP_TRY(clup_buffer_write(regions->context, counts, 0, bytes, words));
done:
    free(words);
    return status;
}

/* Finds the values of the ranks that sought has of all regions, and reads their integers. */
static clup_status select_ranks(clup_regions *regions, const clup_region_image *image,
                                cl_uint channel, cl_mem sought, cl_mem counts, struct sought *ranks)
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
        CLUP_TRY(merge_counts(regions, image->args.count, counts));
        CLUP_TRY(LAUNCH(SELECT, groups_of(regions, image->args.count), CLUP_ARG(image->args),
                        CLUP_ARG(shift), CLUP_ARG(sought), CLUP_ARG(counts)));
    }
    CLUP_TRY(clup_buffer_read(regions->context, sought, 0, bytes, ranks));
done:
    return status;
}

double clup_regions_place(double fraction, uint64_t values)
{
    return (double)(values - 1) * fraction;
}

/* Finds the two values, which may be one, next to the place of each fraction, of each region. */
static clup_status find_ranked(clup_regions *regions, const clup_region_image *image,
                               cl_uint channel, clup_region_found *found)
{
    const uint64_t count = image->args.count;
    struct sought *ranks = malloc(count * sizeof *ranks);
    cl_mem sought = NULL, counts = NULL;
    clup_status status = CLUP_OK;
    uint64_t *ranked = malloc(count * regions->ranked * 2 * sizeof *ranked);
    found->channel[channel].ranked = ranked;
    if (ranks == NULL || ranked == NULL)
        CLUP_TRY(clup_fail_memory("the ranks of values"));
    CLUP_TRY(clup_buffer_create(regions->context, count * sizeof *ranks, "the ranks of values",
                                &sought));
    CLUP_TRY(clup_buffer_create_zero(regions->context, count * RANK_DIGITS * sizeof(cl_uint),
                                     "the ranks of values", &counts));
    for (unsigned which = 0; which < 2 * regions->ranked; which++) {
        const double fraction = regions->fractions[which / 2];
        uint64_t *to = ranked + count * (which - which % 2) + which % 2;
        for (uint32_t k = 0; k < count; k++) {
            const uint64_t size = clup_region_record(regions, found, k)[REGION_SIZE];
            const double place = size > 0 ? clup_regions_place(fraction, size) : 0;
            ranks[k] = (struct sought){0, (uint64_t)(which % 2 > 0 ? ceil(place) : floor(place))};
        }
        CLUP_TRY(select_ranks(regions, image, channel, sought, counts, ranks));
        for (uint32_t k = 0; k < count; k++)
            to[2 * (uint64_t)k] = ranks[k].known;
    }
done:
    clup_buffer_free(regions->context, sought);
    clup_buffer_free(regions->context, counts);
    free(ranks);
    return status;
}

/* Reads extremes; gives all processes, and their devices, those that they have together. */
static clup_status take_extremes(clup_regions *regions, uint64_t count, cl_mem extremes,
                                 uint32_t *words)
{
    const clup_ranks *ranks = regions->part.ranks;
    const uint64_t bytes = count * EXTREME_WORDS * sizeof *words;
    clup_status status = CLUP_OK;
    CLUP_TRY(read_records(regions, extremes, count, EXTREME_WORDS, words));
    if (ranks == NULL)
        return CLUP_OK;
    CLUP_TRY(clup_records_raise(
        ranks, (clup_record_words){words, count, EXTREME_WORDS, EXTREME_LEAST, EXTREME_ODD}));
    CLUP_TRY(clup_records_either(ranks,
                                 (clup_record_words){words, count, EXTREME_WORDS, EXTREME_ODD, 1}));
    CLUP_TRY(clup_buffer_write(regions->context, extremes, 0, bytes, words));
done:
    return status;
}

static clup_status sum_values(clup_regions *regions, const clup_region_image *image,
                              cl_uint channel, clup_region_found *found)
{
    const uint64_t count = image->args.count, words = clup_region_value_words(regions),
                   groups = tile_groups(regions, image);
    cl_mem extremes = NULL, records = NULL;
    struct clup_region_found_values *values = &found->channel[channel];
    clup_status status = CLUP_OK;
    CLUP_TRY(reserve(regions, count, EXTREME_WORDS, &extremes, &values->extremes));
    for (cl_uint lower = 0; lower < (value_bytes(regions) > 4 ? 2 : 1); lower++) {
        CLUP_TRY(LAUNCH(EXTREMES, groups, CLUP_ARG(image->args), CLUP_ARG(channel), CLUP_ARG(lower),
                        CLUP_ARG(image->labels), CLUP_ARG(image->values), CLUP_ARG(extremes)));
        CLUP_TRY(take_extremes(regions, count, extremes, values->extremes));
    }
    if (words > 0) {
        CLUP_TRY(reserve(regions, count, words, &records, &values->sums));
        CLUP_TRY(LAUNCH(VALUE_SUMS, groups, CLUP_ARG(image->args), CLUP_ARG(channel),
                        CLUP_ARG(image->labels), CLUP_ARG(image->values), CLUP_ARG(extremes),
                        CLUP_ARG(records)));
        CLUP_TRY(read_records(regions, records, count, words, values->sums));
        CLUP_TRY(clup_records_add(
            regions->part.ranks,
            (clup_record_words){values->sums, count, (uint32_t)words, 0, (uint32_t)words},
            VALUE_SUM_WORDS));
    }
    if (regions->ranked > 0)
        CLUP_TRY(find_ranked(regions, image, channel, found));
done:
    clup_buffer_free(regions->context, extremes);
    clup_buffer_free(regions->context, records);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

clup_status clup_regions_find(clup_regions *regions, const clup_region_image *image,
                              clup_region_found *found)
{
    const clup_region_needs *needs = &regions->needs;
    clup_status status = CLUP_OK;
    CLUP_TRY(sum_up(regions, image, found));
    if (needs->faces)
        CLUP_TRY(count_faces(regions, image, found));
    if (needs->hull)
        CLUP_TRY(find_ends(regions, image, found));
    for (cl_uint c = 0; needs->extremes && c < regions->problem.channels; c++)
        CLUP_TRY(sum_values(regions, image, c, found));
done:
    return status;
}

void clup_regions_clear(clup_region_found *found)
{
    for (unsigned c = 0; c < CLUP_CHANNELS_MOST; c++) {
        free(found->channel[c].extremes);
        free(found->channel[c].sums);
        free(found->channel[c].ranked);
    }
    free(found->sums);
    free(found->faces);
    free(found->ends);
    free(found->places);
}
