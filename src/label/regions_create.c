/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the measuring of regions: which properties are wanted, what they need, their columns,
 * and the kernels; and gives the columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "base/text.h"
#include "core/prepared.h"
#include "label/region_directions.h"
#include "label/regions.h"

const char *clup_region_property(size_t k)
{
    return k < clup_region_property_count ? clup_region_properties[k].name : NULL;
}

/* ---- what is wanted -------------------------------------------------------------------------- */

static clup_status check(const clup_region_problem *problem)
{
    CLUP_NEED(problem->properties);
    if (problem->axes < 1 || problem->axes > 3)
        return clup_fail(CLUP_ERROR_USAGE, "label images have 1 to 3 axes, not %u", problem->axes);
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint64_t size = problem->size[axis];
        if (size == 0 || (axis >= problem->axes && size != 1))
            return clup_fail(CLUP_ERROR_USAGE,
                             "%u x %u x %u is no size of a label image of %u axes, which has 1 to "
                             "4294967294 pixels",
                             problem->size[0], problem->size[1], problem->size[2], problem->axes);
        if (problem->spacing[axis] != 0 &&
            !(problem->spacing[axis] > 0 && isfinite(problem->spacing[axis])))
            return clup_fail(CLUP_ERROR_USAGE, "a pixel of length %g along axis %c",
                             problem->spacing[axis], "xyz"[axis]);
    }
    if (problem->dtype < CLUP_DTYPE_NONE || problem->dtype >= CLUP_DTYPES)
        return clup_fail(CLUP_ERROR_USAGE, "dtype %d of values is not known", (int)problem->dtype);
    if (problem->channels > CLUP_CHANNELS_MOST)
        return clup_fail(CLUP_ERROR_USAGE, "values of %u channels, at most %u are measured at once",
                         problem->channels, CLUP_CHANNELS_MOST);
    return CLUP_RESERVED(problem, "clup_region_problem");
}

static bool is_isotropic(const clup_region_problem *problem)
{
    for (unsigned axis = 1; axis < problem->axes; axis++)
        if (problem->spacing[axis] != problem->spacing[0])
            return false;
    return true;
}

/* The pixels of the whole, rounded. */
static double pixels_of(const clup_region_problem *problem)
{
    double pixels = 1;
    for (unsigned axis = 0; axis < problem->axes; axis++)
        pixels *= problem->size[axis];
    return pixels;
}

/* Returns why a label image does not have a property; NULL where it does. */
static const char *why_not(const clup_region_problem *problem, const clup_region_row *row)
{
    if (!(row->axes >> problem->axes & 1))
        return problem->axes == 1   ? "is not one of rows of pixels"
               : problem->axes == 2 ? "is one of volumes"
                                    : "is one of images in the plane";
    if (row->needs.of_values && problem->dtype == CLUP_DTYPE_NONE)
        return "needs an image of intensities";
    /* sums of third powers in both directions fit their words */
    if ((row->needs.powers > 3 || row->needs.value_powers > 3) && pixels_of(problem) >= UINT32_MAX)
        return "is one of label images of at most 4294967294 pixels";
    if (row->needs.isotropic && !is_isotropic(problem))
        return "needs pixels that are as wide as high";
    return NULL;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static clup_status want(clup_regions *regions, const clup_region_row *row)
{
    clup_region_needs *all = &regions->needs;
    const clup_region_needs *needs = &row->needs;
    clup_region_wanted *more = realloc(regions->wanted, (regions->wanted_count + 1) * sizeof *more);
    if (more == NULL)
        return clup_fail_memory("properties");
    regions->wanted = more;
    more[regions->wanted_count++] = (clup_region_wanted){.row = row};
    all->powers = larger(all->powers, needs->powers);
    all->value_powers = larger(all->value_powers, needs->value_powers);
    all->faces = all->faces || needs->faces;
    all->hull = all->hull || needs->hull;
    all->median = all->median || needs->median;
    /* extremes say which values are not finite */
    all->extremes = all->extremes || needs->of_values;
    return CLUP_OK;
}

/* Says which properties there are instead of a name. */
static clup_status refuse(const char *name, size_t length)
{
    clup_text known = {0};
    for (size_t k = 0; k < clup_region_property_count; k++)
        clup_text_add(&known, "%s, ", clup_region_properties[k].name);
    const clup_status status = clup_text_ok(&known)
                                   ? clup_fail(CLUP_ERROR_USAGE,
                                               "'%.*s' is no property of regions, which are %s"
                                               "intensity_pN with a percentage N, or all",
                                               (int)length, name, known.data)
                                   : clup_fail_memory("a message");
    clup_text_free(&known);
    return status;
}

/* Properties intensity_pN, which are no row of the table. */
static const char percentile[] = "intensity_p";
static const clup_region_row percentile_row = {.name = percentile,
                                               .shape = CLUP_REGION_NUMBER,
                                               .axes = 1u << 1 | 1u << 2 | 1u << 3,
                                               .needs = {.of_values = true, .percentile = true}};

/* Whether a name is that of a percentile: of digits, up to 15, and a point among them. Sets the
 * percentage, which is rounded once. */
static bool is_percentile(const char *name, size_t length, double *percentage)
{
    const size_t prefix = sizeof percentile - 1;
    uint64_t digits = 0, whole = 0, scale = 0;
    if (length <= prefix || strncmp(name, percentile, prefix) != 0 || name[prefix] == '.' ||
        name[length - 1] == '.')
        return false;
    for (const char *c = name + prefix; c < name + length; c++) {
        if (*c == '.' && scale == 0) {
            scale = 1;
            continue;
        }
        if (*c < '0' || *c > '9' || ++digits > 15)
            return false;
        whole = 10 * whole + (uint64_t)(*c - '0');
        scale *= 10;
    }
    *percentage = (double)whole / (double)(scale > 0 ? scale : 1);
    return true;
}

static clup_status want_percentile(clup_regions *regions, const char *name, size_t length,
                                   double percentage)
{
    const char *why = why_not(&regions->problem, &percentile_row);
    clup_status status = CLUP_OK;
    if (why != NULL)
        return clup_fail(CLUP_ERROR_USAGE, "property %.*s %s", (int)length, name, why);
    if (percentage > 100)
        return clup_fail(CLUP_ERROR_USAGE, "property %.*s: percentiles are those of 0 to 100",
                         (int)length, name);
    if (regions->percentiles == CLUP_PERCENTILES_MOST)
        return clup_fail(CLUP_ERROR_USAGE,
                         "property %.*s: at most %u percentiles are found at once", (int)length,
                         name, CLUP_PERCENTILES_MOST);
    CLUP_TRY(want(regions, &percentile_row));
    clup_region_wanted *wanted = &regions->wanted[regions->wanted_count - 1];
    memcpy(wanted->name, name, length);
    wanted->which = regions->percentiles;
    regions->fractions[regions->percentiles++] = percentage / 100;
done:
    return status;
}

static clup_status want_named(clup_regions *regions, const char *name, size_t length)
{
    double percentage;
    for (size_t k = 0; k < clup_region_property_count; k++) {
        const clup_region_row *row = &clup_region_properties[k];
        if (strlen(row->name) != length || strncmp(row->name, name, length) != 0)
            continue;
        const char *why = why_not(&regions->problem, row);
        return why == NULL ? want(regions, row)
                           : clup_fail(CLUP_ERROR_USAGE, "property %s %s", row->name, why);
    }
    return is_percentile(name, length, &percentage)
               ? want_percentile(regions, name, length, percentage)
               : refuse(name, length);
}

static clup_status want_all(clup_regions *regions)
{
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < clup_region_property_count && status == CLUP_OK; k++)
        if (why_not(&regions->problem, &clup_region_properties[k]) == NULL)
            status = want(regions, &clup_region_properties[k]);
    return status;
}

static clup_status find_wanted(clup_regions *regions, const char *names)
{
    clup_status status = CLUP_OK;
    for (const char *name = names; name != NULL && status == CLUP_OK;) {
        const char *comma = strchr(name, ',');
        const size_t length = comma != NULL ? (size_t)(comma - name) : strlen(name);
        status = length == 3 && strncmp(name, "all", 3) == 0 ? want_all(regions)
                                                             : want_named(regions, name, length);
        name = comma != NULL ? comma + 1 : NULL;
    }
    regions->ranked = regions->percentiles;
    if (regions->needs.median)
        regions->fractions[regions->ranked++] = 0.5;
    return status;
}

/* ---- columns --------------------------------------------------------------------------------- */

static unsigned channels_of(const clup_regions *regions, const clup_region_row *row)
{
    return row->needs.of_values ? regions->problem.channels : 1;
}

static clup_status make_columns(clup_regions *regions)
{
    const unsigned axes = regions->problem.axes;
    for (size_t w = 0; w < regions->wanted_count; w++) {
        clup_region_wanted *wanted = &regions->wanted[w];
        wanted->column = regions->column_count;
        regions->column_count += clup_region_numbers(wanted->row, axes) *
                                 channels_of(regions, wanted->row);
    }
    regions->columns = calloc(regions->column_count, sizeof *regions->columns);
    if (regions->columns == NULL)
        return clup_fail_memory("columns");
    for (size_t w = 0; w < regions->wanted_count; w++) {
        const clup_region_row *row = regions->wanted[w].row;
        const unsigned channels = channels_of(regions, row);
        for (unsigned k = 0; k < clup_region_numbers(row, axes) * channels; k++) {
            struct clup_region_own_column *column = &regions
                                                         ->columns[regions->wanted[w].column + k];
            char place[16], of_channel[16] = "";
            clup_region_place(row, axes, k / channels, place);
            if (channels > 1)
                snprintf(of_channel, sizeof of_channel, "-%u", k % channels);
            snprintf(column->name, sizeof column->name, "%s%s%s",
                     row->needs.percentile ? regions->wanted[w].name : row->name, place,
                     of_channel);
            column->whole = row->needs.whole;
        }
    }
    return CLUP_OK;
}

clup_status clup_regions_reserve(clup_regions *regions, size_t more)
{
    const size_t rows = regions->rows + more, twice = 2 * regions->room,
                 room = rows > twice ? rows : twice;
    if (rows <= regions->room)
        return CLUP_OK;
    for (size_t k = 0; k < regions->column_count; k++) {
        void *grown = realloc(regions->columns[k].values, room * sizeof(double));
        if (grown == NULL)
            return clup_fail_memory("columns");
        regions->columns[k].values = grown;
    }
    regions->room = room;
    return CLUP_OK;
}

void clup_regions_put(clup_regions *regions, size_t row, const clup_region_facts *facts)
{
    for (size_t w = 0; w < regions->wanted_count; w++) {
        const clup_region_row *property = regions->wanted[w].row;
        const unsigned channels = channels_of(regions, property),
                       count = clup_region_numbers(property, facts->axes);
        for (unsigned c = 0; c < channels; c++) {
            double numbers[CLUP_MOMENTS_MOST];
            if (property->needs.percentile)
                *numbers = facts->values[c].percentiles[regions->wanted[w].which];
            else
                property->put(facts, c, numbers);
            for (unsigned k = 0; k < count; k++) {
                const struct clup_region_own_column *to =
                    &regions->columns[regions->wanted[w].column + channels * k + c];
                if (to->whole)
                    ((int64_t *)to->values)[row] = (int64_t)numbers[k];
                else
                    ((double *)to->values)[row] = numbers[k];
            }
        }
    }
}

size_t clup_regions_rows(const clup_regions *regions)
{
    return regions != NULL ? regions->rows : 0;
}

size_t clup_regions_columns(const clup_regions *regions)
{
    return regions != NULL ? regions->column_count : 0;
}

clup_region_column clup_regions_column(const clup_regions *regions, size_t k)
{
    if (k >= clup_regions_columns(regions))
        return (clup_region_column){0};
    /* without regions there is nothing to read, but the type is known */
    static const double none;
    const struct clup_region_own_column *column = &regions->columns[k];
    const void *values = column->values != NULL ? column->values : &none;
    return (clup_region_column){.name = column->name,
                                .numbers = column->whole ? NULL : values,
                                .whole = column->whole ? values : NULL};
}

/* ---- kernels --------------------------------------------------------------------------------- */

/* Local memory that tables take at most, where a group has as much. */
#define TABLE_BYTES_MOST 16384

/* Returns the places of a tile's table with so many words each. */
static size_t places_of(const clup_regions *regions, uint64_t words)
{
    const uint64_t tiles = regions->items < 32 ? 1 : regions->items / 32,
                   room = regions->context->local_mem / 2;
    return clup_largest_power(64, (room < TABLE_BYTES_MOST ? room : TABLE_BYTES_MOST) /
                                      (4 * tiles * (words + 1)));
}

/* What a kernel is built with: the file of cl/, POWERS, and the words of a place of its table. */
typedef struct built {
    const char *file;
    unsigned powers, words;
} built;

static bool is_narrow(const clup_regions *regions)
{
    const clup_dtype dtype = regions->problem.dtype;
    return !clup_dtypes[dtype].is_float && clup_dtype_bytes(dtype) <= 2;
}

static clup_status build(clup_regions *regions)
{
    static const char *const entries[] = {
#define ENTRY(NAME, ENTRY) ENTRY,
        CLUP_REGION_KERNELS(ENTRY)
#undef ENTRY
    };
    const clup_region_needs *needs = &regions->needs;
    const clup_region_problem *problem = &regions->problem;
    const unsigned axes = problem->axes > 2 ? 3 : 2, powers = larger(needs->powers, 1),
                   value_sums = needs->value_powers * needs->value_powers + 1;
    const built kernels[CLUP_REGION_KERNEL_COUNT] = {
        [CLUP_REGION_SUMS] = {"region_sums.cl", powers, 3 + powers * powers},
        [CLUP_REGION_FACES] = {needs->faces ? "region_faces.cl" : NULL, 1, FACE_NUMBERS(axes)},
        [CLUP_REGION_ENDS] = {needs->hull ? "region_ends.cl" : NULL, 1, 1},
        [CLUP_REGION_EXTREMES] = {needs->extremes ? "region_extremes.cl" : NULL, 1, 3},
        [CLUP_REGION_VALUE_SUMS] = {needs->value_powers > 0 ? "region_value_sums.cl" : NULL,
                                    needs->value_powers,
                                    value_sums * (is_narrow(regions) ? 2 : VALUE_SUM_WORDS)},
        [CLUP_REGION_DIGITS] = {regions->ranked > 0 ? "region_ranks.cl" : NULL, 1, 1},
        [CLUP_REGION_SELECT] = {regions->ranked > 0 ? "region_ranks.cl" : NULL, 1, 1},
    };
    const clup_dtype_row *type = &clup_dtypes[problem->dtype];
    clup_status status = CLUP_OK;
    for (unsigned k = 0; k < CLUP_REGION_KERNEL_COUNT; k++) {
        char definitions[256], of_values[64] = "";
        if (kernels[k].file == NULL)
            continue;
        if (problem->dtype != CLUP_DTYPE_NONE)
            snprintf(of_values, sizeof of_values, " PIXEL=%s CHANNELS=%uu%s%s", type->in_cl,
                     problem->channels, type->defined, is_narrow(regions) ? " NARROW" : "");
        snprintf(definitions, sizeof definitions,
                 "AXES=%uu SITE_ITEMS=%zuu POWERS=%uu PLACES=%zuu%s", axes, regions->items,
                 kernels[k].powers, places_of(regions, kernels[k].words), of_values);
        CLUP_TRY(clup_kernel_create(regions->context, kernels[k].file, entries[k], definitions,
                                    &regions->kernels[k]));
    }
done:
    return status;
}

/* Sets lengths and numbers that are 0 to what they stand for. */
static void settle(clup_region_problem *problem)
{
    for (unsigned axis = 0; axis < 3; axis++)
        if (problem->spacing[axis] == 0)
            problem->spacing[axis] = 1;
    if (problem->channels == 0)
        problem->channels = 1;
}

clup_status clup_regions_create(clup_context *context, const clup_region_problem *problem,
                                clup_regions **out)
{
    CLUP_NEED(context);
    CLUP_NEED(problem);
    CLUP_NEED(out);
    clup_regions *regions = NULL;
    clup_status status = check(problem);
    CLUP_TRY(status);
    regions = calloc(1, sizeof *regions);
    if (regions == NULL)
        CLUP_TRY(clup_fail_memory("regions"));
    regions->problem = *problem;
    regions->problem.properties = NULL;
    settle(&regions->problem);
    regions->context = context;
    CLUP_TRY(clup_region_part_of(clup_context_in_parts(context, 1) ? context->ranks : NULL, problem,
                                 &regions->part));
    regions->items = clup_site_items(context);
    CLUP_TRY(find_wanted(regions, problem->properties));
    CLUP_TRY(make_columns(regions));
    clup_moment_grid_make(problem->axes, regions->needs.powers, &regions->grid);
    clup_moment_grid_make(problem->axes, regions->needs.value_powers, &regions->value_grid);
    if (regions->needs.faces)
        clup_region_directions(problem->axes, regions->problem.spacing, regions->weights);
    CLUP_TRY(build(regions));
done:
    if (status == CLUP_OK)
        *out = regions;
    else
        clup_regions_free(regions);
    return status;
}

void clup_regions_free(clup_regions *regions)
{
    if (regions == NULL)
        return;
    for (unsigned k = 0; k < CLUP_REGION_KERNEL_COUNT; k++)
        clup_kernel_free(&regions->kernels[k]);
    clup_buffer_free(regions->context, regions->labels);
    clup_buffer_free(regions->context, regions->values);
    for (size_t k = 0; k < regions->column_count && regions->columns != NULL; k++)
        free(regions->columns[k].values);
    free(regions->columns);
    free(regions->wanted);
    free(regions);
}
