/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of regions: of random labels against a serial computation with whole numbers, in the
 * plane and in volumes, for values of every type; of discs and balls against their perimeter and
 * surface; and the same columns for few regions at a time, and for several processes, each with
 * some layers. */
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "core/interface_entries.clh"
#include "core/random.clh"
#include "label/regions.h"
#include "parts.h"
#include "tap.h"

/* A checker of kernels takes its time: small images alone. */
static bool brief;

/* A label image with values, and the row of the region that is looked at. */
typedef struct picture {
    clup_region_problem problem;
    uint64_t pixels;
    uint32_t *labels, most;
    void *values;
    const clup_regions *regions;
} picture;

static uint32_t draw(uint32_t seed, uint64_t place)
{
    const random_key key = {.seed0 = seed};
    return random_block(key, 0, (uint32_t)place, 0).v[0];
}

/* Random labels 0 to most, of blocks of so many pixels along each axis, and values. */
static void fill(picture *picture, uint32_t seed, uint32_t most, unsigned block)
{
    const uint32_t *size = picture->problem.size;
    const clup_dtype dtype = picture->problem.dtype;
    const unsigned channels = picture->problem.channels > 0 ? picture->problem.channels : 1;
    picture->pixels = (uint64_t)size[0] * size[1] * size[2];
    picture->labels = malloc(picture->pixels * sizeof *picture->labels);
    picture->values = dtype == CLUP_DTYPE_NONE
                          ? NULL
                          : malloc(picture->pixels * channels * clup_dtype_bytes(dtype));
    picture->most = most;
    for (uint64_t i = 0; i < picture->pixels; i++) {
        const uint64_t x = i % size[0] / block, y = i / size[0] % size[1] / block,
                       z = i / size[0] / size[1] / block;
        picture->labels[i] = draw(seed, x + 4096 * (y + 512 * z)) % (most + 1);
    }
    for (uint64_t k = 0; picture->values != NULL && k < picture->pixels * channels; k++) {
        const double value = draw(seed + 1, k) / 0x1p32 * (dtype >= CLUP_DTYPE_F32 ? 3e4 : 100);
        clup_value_put(
            dtype, picture->values, k,
            clup_value_bits(dtype, clup_dtypes[dtype].is_unsigned ? value : value - 30, 0));
    }
}

static void clear(picture *picture)
{
    free(picture->labels);
    free(picture->values);
}

static double value_at(const picture *picture, uint64_t i, unsigned channel)
{
    const clup_dtype dtype = picture->problem.dtype;
    const unsigned channels = picture->problem.channels > 0 ? picture->problem.channels : 1;
    return clup_value_number(dtype, clup_value_get(dtype, picture->values, channels * i + channel));
}

/* The number in a row of a column. */
static double number(const clup_regions *regions, size_t row, const char *name)
{
    for (size_t k = 0; k < clup_regions_columns(regions); k++) {
        const clup_region_column column = clup_regions_column(regions, k);
        if (strcmp(column.name, name) == 0)
            return column.numbers != NULL ? column.numbers[row] : (double)column.whole[row];
    }
    printf("# no column %s\n", name);
    return NAN;
}

static bool is_near(double found, double wanted, double magnitude)
{
    return fabs(found - wanted) <= 1e-12 * magnitude || (isnan(found) && isnan(wanted)) ||
           found == wanted;
}

/* ---- serial ---------------------------------------------------------------------------------- */

/* Whether a pixel, which may be outside, is of a region. */
static bool inside(const picture *picture, uint32_t label, int64_t x, int64_t y, int64_t z)
{
    const uint32_t *size = picture->problem.size;
    return x >= 0 && x < size[0] && y >= 0 && y < size[1] && z >= 0 && z < size[2] &&
           picture->labels[x + size[0] * (y + (int64_t)size[1] * z)] == label;
}

/* Vertices less edges, plus faces, less pixels, of the union of all closed pixels: each at twice
 * its coordinates. In the plane z is that of the pixels. */
static int64_t euler(const picture *picture, uint32_t label)
{
    const uint32_t *size = picture->problem.size;
    const bool volume = picture->problem.axes > 2;
    int64_t sum = 0;
    for (int64_t z = volume ? 0 : 1; z <= (volume ? 2 * (int64_t)size[2] : 1); z++)
        for (int64_t y = 0; y <= 2 * (int64_t)size[1]; y++)
            for (int64_t x = 0; x <= 2 * (int64_t)size[0]; x++) {
                bool any = false;
                for (unsigned k = 0; k < 8 && !any; k++)
                    any = inside(picture, label, x / 2 - (k & 1 && x % 2 == 0),
                                 y / 2 - (k & 2 && y % 2 == 0), z / 2 - (k & 4 && z % 2 == 0));
                if (any)
                    sum += (x % 2 + y % 2 + (volume ? z % 2 : 0)) % 2 == 0 ? 1 : -1;
            }
    return sum;
}

static bool at_border(const picture *picture, uint32_t label, int64_t x, int64_t y)
{
    return inside(picture, label, x, y, 0) &&
           !(inside(picture, label, x - 1, y, 0) && inside(picture, label, x + 1, y, 0) &&
             inside(picture, label, x, y - 1, 0) && inside(picture, label, x, y + 1, 0));
}

/* The perimeter by scikit-image's weights of the sums 10 corners + 2 sides + 1 of border pixels. */
static double perimeter(const picture *picture, uint32_t label)
{
    double weights[50] = {[5] = 1, [7] = 1, [15] = 1, [17] = 1, [25] = 1, [27] = 1}, sum = 0;
    weights[21] = weights[33] = sqrt(2);
    weights[13] = weights[23] = (1 + sqrt(2)) / 2;
    for (int64_t y = 0; y < picture->problem.size[1]; y++)
        for (int64_t x = 0; x < picture->problem.size[0]; x++) {
            unsigned code = 0;
            for (int64_t k = 0; k < 9; k++) {
                const int64_t dx = k % 3 - 1, dy = k / 3 - 1;
                code += at_border(picture, label, x + dx, y + dy) ? (dx && dy   ? 10
                                                                     : dx || dy ? 2
                                                                                : 1)
                                                                  : 0;
            }
            sum += weights[code];
        }
    return sum;
}

/* The perimeter by scikit-image's weights of the 16 patterns of 2 x 2 pixels. */
static double crofton(const picture *picture, uint32_t label)
{
    const double a = 0.78539816339744828, b = a / sqrt(2);
    const double weights[16] = {0, a + b, b, 2 * b, 0, a + b, 0, b, a, 2 * a, b, b, a, 2 * a, 0, 0};
    double sum = 0;
    for (int64_t y = 0; y <= picture->problem.size[1]; y++)
        for (int64_t x = 0; x <= picture->problem.size[0]; x++)
            sum +=
                weights[inside(picture, label, x, y, 0) + 4 * inside(picture, label, x - 1, y, 0) +
                        2 * inside(picture, label, x, y - 1, 0) +
                        8 * inside(picture, label, x - 1, y - 1, 0)];
    return sum;
}

static int in_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- comparing ------------------------------------------------------------------------------- */

/* The pixels of a region. */
typedef struct pixels {
    uint64_t count;
    int64_t (*at)[3]; /* in the box */
    double *values;
    int64_t first[3], last[3];
} pixels;

static pixels pixels_of(const picture *picture, uint32_t label, unsigned channel)
{
    const uint32_t *size = picture->problem.size;
    pixels pixels = {.at = malloc(picture->pixels * sizeof *pixels.at),
                     .values = calloc(picture->pixels, sizeof *pixels.values),
                     .first = {INT64_MAX, INT64_MAX, INT64_MAX}};
    for (uint64_t i = 0; i < picture->pixels; i++) {
        if (picture->labels[i] != label)
            continue;
        const int64_t at[3] = {(int64_t)(i % size[0]), (int64_t)(i / size[0] % size[1]),
                               (int64_t)(i / size[0] / size[1])};
        for (unsigned axis = 0; axis < 3; axis++) {
            pixels.at[pixels.count][axis] = at[axis];
            pixels.first[axis] = at[axis] < pixels.first[axis] ? at[axis] : pixels.first[axis];
            pixels.last[axis] = at[axis] > pixels.last[axis] ? at[axis] : pixels.last[axis];
        }
        if (picture->values != NULL)
            pixels.values[pixels.count] = value_at(picture, i, channel);
        pixels.count++;
    }
    for (uint64_t k = 0; k < pixels.count; k++)
        for (unsigned axis = 0; axis < 3; axis++)
            pixels.at[k][axis] -= pixels.first[axis];
    return pixels;
}

static const char *place_of(const picture *picture, unsigned power)
{
    static char text[16];
    const unsigned axes = picture->problem.axes;
    for (unsigned axis = 0; axis < axes; axis++)
        snprintf(text + 2 * axis, 3, "-%u", power >> 2 * (axes - 1 - axis) & 3);
    return text;
}

/* Whether the moments of a region are right: those of pixels are whole numbers, to the last bit. */
static bool moments_right(const picture *picture, size_t row, const pixels *pixels)
{
    bool right = true;
    for (unsigned power = 0; power < 1u << 2 * picture->problem.axes; power++) {
        const unsigned powers[3] = {power % 4, power / 4 % 4, power / 16};
        __int128 sum = 0;
        long double weighted = 0, size = 0;
        char name[40];
        for (uint64_t k = 0; k < pixels->count; k++) {
            __int128 product = 1;
            for (unsigned axis = 0; axis < 3; axis++)
                for (unsigned p = 0; p < powers[axis]; p++)
                    product *= pixels->at[k][axis];
            sum += product;
            weighted += (long double)pixels->values[k] * (long double)product;
            size += fabsl((long double)pixels->values[k] * (long double)product);
        }
        snprintf(name, sizeof name, "moments%s", place_of(picture, power));
        right = right && number(picture->regions, row, name) == (double)sum;
        snprintf(name, sizeof name, "moments_weighted%s", place_of(picture, power));
        if (picture->values != NULL && picture->problem.channels <= 1)
            right = right &&
                    is_near(number(picture->regions, row, name), (double)weighted, (double)size);
    }
    return right;
}

static bool values_right(const picture *picture, size_t row, const pixels *pixels, unsigned channel)
{
    const char *const names[] = {"intensity_min", "intensity_max", "intensity_mean",
                                 "intensity_std", "intensity_median"};
    const double count = (double)pixels->count;
    double found[5], *sorted = malloc(pixels->count * sizeof *sorted);
    long double sum = 0, squares = 0;
    for (unsigned k = 0; k < 5; k++) {
        char name[40];
        snprintf(name, sizeof name, picture->problem.channels > 1 ? "%s-%u" : "%s", names[k],
                 channel);
        found[k] = number(picture->regions, row, name);
    }
    memcpy(sorted, pixels->values, pixels->count * sizeof *sorted);
    qsort(sorted, pixels->count, sizeof *sorted, in_order);
    for (uint64_t k = 0; k < pixels->count; k++)
        sum += (long double)sorted[k];
    for (uint64_t k = 0; k < pixels->count; k++)
        squares += powl((long double)sorted[k] - sum / (long double)count, 2);
    const double least = sorted[0], most = sorted[pixels->count - 1],
                 size = fmax(fabs(least), fabs(most)),
                 median = sorted[(pixels->count - 1) / 2] / 2 + sorted[pixels->count / 2] / 2;
    free(sorted);
    return found[0] == least && found[1] == most && found[4] == median &&
           is_near(found[2], (double)(sum / (long double)count), size) &&
           is_near(found[3], sqrt((double)squares / count), size);
}

static bool borders_right(const picture *picture, size_t row, uint32_t label)
{
    const clup_regions *regions = picture->regions;
    if (picture->problem.axes == 1)
        return true;
    if (number(regions, row, "euler_number") != (double)euler(picture, label))
        return false;
    return picture->problem.axes > 2 ||
           (is_near(number(regions, row, "perimeter"), perimeter(picture, label), 1e3) &&
            is_near(number(regions, row, "perimeter_crofton"), crofton(picture, label), 1e3));
}

static bool box_right(const picture *picture, size_t row, const pixels *pixels)
{
    const unsigned axes = picture->problem.axes;
    bool right = number(picture->regions, row, "num_pixels") == (double)pixels->count;
    for (unsigned axis = 0; axis < axes; axis++) {
        char first[16], end[16];
        snprintf(first, sizeof first, "bbox-%u", axes - 1 - axis);
        snprintf(end, sizeof end, "bbox-%u", 2 * axes - 1 - axis);
        right = right && number(picture->regions, row, first) == (double)pixels->first[axis] &&
                number(picture->regions, row, end) == (double)pixels->last[axis] + 1;
    }
    return right;
}

/* Compares all that a picture's regions have. borders: also what is counted of neighbours. */
static void compare(clup_context *context, picture *picture, bool borders, const char *name)
{
    clup_regions *regions;
    bool boxes = true, moments = true, values = true, faces = true;
    size_t rows = 0;
    NEED(clup_regions_create(context, &picture->problem, &regions));
    NEED(clup_regions_measure_host(regions, picture->labels, picture->values, picture->most));
    picture->regions = regions;
    for (uint32_t label = 1; label <= picture->most; label++) {
        pixels pixels = pixels_of(picture, label, 0);
        if (pixels.count > 0) {
            boxes = boxes && number(regions, rows, "label") == label &&
                    box_right(picture, rows, &pixels);
            moments = moments && moments_right(picture, rows, &pixels);
            faces = faces && (!borders || borders_right(picture, rows, label));
            for (unsigned c = 0; picture->values != NULL && c < picture->problem.channels; c++) {
                struct pixels of_channel = pixels_of(picture, label, c);
                values = values && values_right(picture, rows, &of_channel, c);
                free(of_channel.at);
                free(of_channel.values);
            }
            rows++;
        }
        free(pixels.at);
        free(pixels.values);
    }
    ok(rows == clup_regions_rows(regions) && boxes && moments && values && faces,
       "%s: %zu regions of %zu: %s%s%s%s", name, clup_regions_rows(regions), rows,
       boxes ? "" : "boxes, ", moments ? "" : "moments, ", values ? "" : "values, ",
       faces ? "right" : "faces");
    clup_regions_free(regions);
}

static void check(clup_context *context, clup_region_problem problem, uint32_t most, unsigned block,
                  bool borders, const char *name)
{
    picture picture = {.problem = problem};
    picture.problem.properties = "all";
    fill(&picture, most + block, most, block);
    compare(context, &picture, borders, name);
    clear(&picture);
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* Few regions at a time, labels that are left out, and larger ones that are ignored. */
static void check_pieces(clup_context *context)
{
    picture picture = {.problem = {.size = {90, 70, 1},
                                   .axes = 2,
                                   .properties = "all",
                                   .dtype = CLUP_DTYPE_F32,
                                   .channels = 1}};
    clup_regions *whole, *parts;
    bool same;
    fill(&picture, 3, 40, 3);
    for (uint64_t i = 0; i < picture.pixels; i++)
        picture.labels[i] *= 3;
    NEED(clup_regions_create(context, &picture.problem, &whole));
    NEED(clup_regions_create(context, &picture.problem, &parts));
    NEED(clup_regions_measure_host(whole, picture.labels, picture.values, 100));
    clup_regions_most = 7;
    NEED(clup_regions_measure_host(parts, picture.labels, picture.values, 100));
    clup_regions_most = 0;
    same = clup_regions_rows(whole) == 33 && clup_regions_rows(parts) == 33;
    for (size_t k = 0; same && k < clup_regions_columns(whole); k++) {
        const clup_region_column a = clup_regions_column(whole, k),
                                 b = clup_regions_column(parts, k);
        same = memcmp(a.whole != NULL ? (const void *)a.whole : a.numbers,
                      b.whole != NULL ? (const void *)b.whole : b.numbers, 33 * 8) == 0;
    }
    ok(same, "7 regions at a time have the same columns, and labels above 100 none");
    clup_regions_free(whole);
    clup_regions_free(parts);
    clear(&picture);
}

static bool are_same(const clup_regions *a, const clup_regions *b)
{
    const size_t rows = clup_regions_rows(a);
    bool same = rows > 0 && rows == clup_regions_rows(b);
    for (size_t k = 0; same && k < clup_regions_columns(a); k++) {
        const clup_region_column of = clup_regions_column(a, k), other = clup_regions_column(b, k);
        same = memcmp(of.whole != NULL ? (const void *)of.whole : of.numbers,
                      other.whole != NULL ? (const void *)other.whole : other.numbers,
                      rows * 8) == 0;
    }
    return same;
}

/* What processes measure together. */
static struct {
    clup_context *context;
    const picture *picture;
    clup_regions *regions[PARTS_MOST];
} shared;

static clup_status measure_part(uint32_t part)
{
    const picture *picture = shared.picture;
    const clup_region_problem *problem = &picture->problem;
    const unsigned channels = problem->channels > 0 ? problem->channels : 1;
    const uint32_t last = problem->axes > 2 ? 2 : 1;
    const uint64_t layer = problem->size[0] * (last > 1 ? (uint64_t)problem->size[1] : 1),
                   before = layer * part_first(problem->size[last], part, parts[0].ranks.count);
    const char *values = picture->values;
    clup_status status = clup_regions_create(shared.context, problem, &shared.regions[part]);
    if (status == CLUP_OK)
        status = clup_regions_measure_host(
            shared.regions[part], picture->labels + before,
            values != NULL ? values + before * channels * clup_dtype_bytes(problem->dtype) : NULL,
            picture->most);
    return status;
}

/* All columns of several processes, each of which has some layers, are those of one. */
static void check_parts(clup_context *context, clup_region_problem problem, uint32_t most,
                        unsigned block, uint32_t count)
{
    picture picture = {.problem = problem};
    clup_regions *whole;
    bool same = true;
    picture.problem.properties = problem.dtype != CLUP_DTYPE_NONE
                                     ? "all,intensity_p12.5,intensity_p99"
                                     : "all";
    fill(&picture, 7 * most + block, most, block);
    NEED(clup_regions_create(context, &picture.problem, &whole));
    NEED(clup_regions_measure_host(whole, picture.labels, picture.values, most));
    shared.context = context;
    shared.picture = &picture;
    clup_regions_most = most > 20 ? 7 : 0;
    parts_begin(count, false);
    parts_run(context, measure_part);
    clup_regions_most = 0;
    for (uint32_t p = 0; p < count; p++) {
        NEED(parts[p].status);
        same = same && are_same(whole, shared.regions[p]);
        clup_regions_free(shared.regions[p]);
    }
    ok(same, "%u processes have the columns of one: %zu regions of %u x %u x %u, %s", count,
       clup_regions_rows(whole), problem.size[0], problem.size[1], problem.size[2],
       problem.dtype != CLUP_DTYPE_NONE ? clup_dtype_name(problem.dtype) : "without values");
    clup_regions_free(whole);
    clear(&picture);
}

/* A disc or a ball of pixels of these lengths. */
static double border_of(clup_context *context, unsigned axes, const double spacing[3],
                        double radius)
{
    clup_region_problem problem = {.axes = axes,
                                   .spacing = {spacing[0], spacing[1], spacing[2]},
                                   .properties = axes > 2 ? "surface_crofton"
                                                          : "perimeter_crofton"};
    clup_regions *regions;
    for (unsigned axis = 0; axis < 3; axis++)
        problem.size[axis] = axis < axes ? (uint32_t)(2 * radius / spacing[axis]) + 3 : 1;
    const uint32_t *size = problem.size;
    uint32_t *labels = malloc((size_t)size[0] * size[1] * size[2] * sizeof *labels);
    for (uint32_t i = 0; i < size[0] * size[1] * size[2]; i++) {
        const uint32_t at[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        double square = 0;
        for (unsigned axis = 0; axis < axes; axis++)
            square += pow((at[axis] - (size[axis] - 1) / 2.0) * spacing[axis], 2);
        labels[i] = square < radius * radius;
    }
    NEED(clup_regions_create(context, &problem, &regions));
    NEED(clup_regions_measure_host(regions, labels, NULL, 1));
    const double border = clup_regions_column(regions, 0).numbers[0];
    clup_regions_free(regions);
    free(labels);
    return border;
}

static void check_round(clup_context *context)
{
    const double pi = 3.14159265358979323846;
    const double spacings[][3] = {{1, 1, 1}, {1, 1.5, 2}, {2, 1, 0.7}};
    for (unsigned k = 0; k < 3; k++) {
        const double disc = border_of(context, 2, spacings[k], 40) / (2 * pi * 40),
                     ball = border_of(context, 3, spacings[k], 15) / (4 * pi * 15 * 15);
        ok(fabs(disc - 1) < 0.02 && fabs(ball - 1) < 0.035,
           "pixels of %g x %g x %g: a disc has %.4f of its perimeter, a ball %.4f of its surface",
           spacings[k][0], spacings[k][1], spacings[k][2], disc, ball);
    }
}

/* A bar of one row, whose perimeter shows how directions share half a circle, as that of a disc,
 * which is alike in all of them, does not. */
static void check_bar(clup_context *context)
{
    const double pi = 3.14159265358979323846, width = 1, height = 3, slope = atan2(height, width);
    const clup_region_problem problem = {.size = {44, 5, 1},
                                         .axes = 2,
                                         .spacing = {width, height, 1},
                                         .properties = "perimeter_crofton"};
    uint32_t labels[44 * 5] = {0};
    clup_regions *regions;
    for (unsigned k = 0; k < 40; k++)
        labels[2 * 44 + 2 + k] = 1;
    NEED(clup_regions_create(context, &problem, &regions));
    NEED(clup_regions_measure_host(regions, labels, NULL, 1));
    /* one run along x, 40 along y and along each diagonal */
    const double found = clup_regions_column(regions, 0).numbers[0],
                 wanted = slope * height + (pi / 2 - slope) * width * 40 +
                          2 * pi / 4 * width * height / hypot(width, height) * 40;
    ok(is_near(found, wanted, wanted), "a bar of pixels of 1 x 3: %.17g of %.17g", found, wanted);
    clup_regions_free(regions);
}

/* Sizes and boxes of more labels than a tile's table has places, before anything follows from them.
 */
static void check_places(clup_context *context)
{
    enum { NX = 60, NY = 50, MOST = 900 };
    const clup_region_problem problem = {
        .size = {NX, NY, 1}, .axes = 2, .properties = "label,num_pixels,bbox"};
    static uint32_t labels[NX * NY], counts[MOST + 1], ends[MOST + 1];
    clup_regions *regions;
    bool right = true;
    uint32_t rows = 0;
    for (uint64_t k = 0; k < NX * NY; k++) {
        labels[k] = draw(5, k % NX + 64 * (k / NX / 3)) % (MOST + 1);
        counts[labels[k]]++;
        ends[labels[k]] = (uint32_t)(k / NX) + 1;
    }
    NEED(clup_regions_create(context, &problem, &regions));
    NEED(clup_regions_measure_host(regions, labels, NULL, MOST));
    for (uint32_t label = 1; label <= MOST; label++) {
        if (counts[label] == 0)
            continue;
        right = right && rows < clup_regions_rows(regions) &&
                number(regions, rows, "label") == label &&
                number(regions, rows, "num_pixels") == counts[label] &&
                number(regions, rows, "bbox-2") == ends[label];
        rows++;
    }
    ok(right && rows == clup_regions_rows(regions), "sizes and ends of %u regions in few tiles",
       rows);
    clup_regions_free(regions);
}

/* Values that are not finite, and large whole numbers. */
static void check_odd(clup_context *context)
{
    const uint32_t labels[] = {1, 1, 2, 2, 3, 3, 4, 4};
    const double values[] = {1, NAN, INFINITY, 2, -INFINITY, INFINITY, 0x1p1000, -0x1p-1000};
    const uint64_t large[] = {UINT64_MAX, UINT64_MAX - 2, 0, UINT64_MAX, 5, 7, 1, 1};
    clup_region_problem problem = {.size = {8, 1, 1},
                                   .axes = 1,
                                   .properties = "intensity_min,intensity_max,intensity_mean,"
                                                 "intensity_std,intensity_median,centroid",
                                   .dtype = CLUP_DTYPE_F64};
    clup_regions *regions;
    NEED(clup_regions_create(context, &problem, &regions));
    NEED(clup_regions_measure_host(regions, labels, values, 4));
    ok(isnan(number(regions, 0, "intensity_min")) &&
           isnan(number(regions, 0, "intensity_median")) &&
           number(regions, 1, "intensity_mean") == INFINITY &&
           number(regions, 1, "intensity_min") == 2 &&
           isnan(number(regions, 2, "intensity_mean")) &&
           number(regions, 2, "intensity_min") == -INFINITY &&
           number(regions, 3, "intensity_mean") == 0x1p999 &&
           number(regions, 3, "intensity_std") == 0x1p999 &&
           number(regions, 3, "intensity_min") == -0x1p-1000,
       "NaN, infinities, and a large and a small number");
    clup_regions_free(regions);
    problem.dtype = CLUP_DTYPE_U64;
    NEED(clup_regions_create(context, &problem, &regions));
    NEED(clup_regions_measure_host(regions, labels, large, 4));
    ok(number(regions, 0, "intensity_std") == 1 && number(regions, 1, "intensity_mean") == 0x1p63 &&
           number(regions, 1, "intensity_std") == 0x1p63 &&
           number(regions, 2, "intensity_median") == 6 &&
           number(regions, 3, "intensity_std") == 0 && number(regions, 3, "centroid-0") == 6.5,
       "whole numbers of 64 bits");
    clup_regions_free(regions);
}

/* Percentiles of a region, as they follow from its values in order. */
static void check_percentiles(clup_context *context)
{
    static const double percentages[] = {0, 12.5, 25, 50, 99.9, 100};
    enum { COUNT = 101, ALL = sizeof percentages / sizeof *percentages };
    uint32_t labels[3 * COUNT];
    double values[3 * COUNT], sorted[COUNT];
    clup_region_problem problem = {
        .size = {3 * COUNT, 1, 1},
        .axes = 1,
        .properties = "intensity_p0,intensity_p12.5,intensity_p25,intensity_p050.0,intensity_p99.9,"
                      "intensity_p100,intensity_median",
        .dtype = CLUP_DTYPE_F64};
    clup_regions *regions;
    bool right = true;
    for (unsigned k = 0; k < 3 * COUNT; k++) {
        labels[k] = k % 3 == 0 && k < 30 ? 2 : k % 3 == 1 ? 1 : 0;
        values[k] = ldexp((double)draw(3, k) - 0x1p31, (int)(draw(4, k) % 9));
    }
    labels[3 * COUNT - 1] = 3;
    values[3 * COUNT - 1] = NAN;
    NEED(clup_regions_create(context, &problem, &regions));
    NEED(clup_regions_measure_host(regions, labels, values, 3));
    for (unsigned row = 0; row < 2; row++) {
        unsigned count = 0;
        for (unsigned k = 0; k < 3 * COUNT; k++)
            if (labels[k] == row + 1)
                sorted[count++] = values[k];
        qsort(sorted, count, sizeof *sorted, in_order);
        for (unsigned p = 0; p < ALL; p++) {
            const double place = (count - 1) * percentages[p] / 100;
            const unsigned low = (unsigned)place;
            const double high = low + 1 < count ? sorted[low + 1] : sorted[low],
                         found = clup_regions_column(regions, p).numbers[row];
            right = right && is_near(found, sorted[low] + (place - low) * (high - sorted[low]),
                                     fabs(sorted[low]) + fabs(high));
        }
        right = right && clup_regions_column(regions, 3).numbers[row] ==
                             clup_regions_column(regions, 6).numbers[row];
    }
    ok(right && isnan(clup_regions_column(regions, 1).numbers[2]) &&
           strcmp(clup_regions_column(regions, 3).name, "intensity_p050.0") == 0,
       "percentiles of 101 and of 10 values, and of a NaN");
    clup_regions_free(regions);
    static const char *const wrong[] = {
        "intensity_p",      "intensity_p.5",  "intensity_p5.",    "intensity_p-1",
        "intensity_p101",   "intensity_p1e1", "intensity_p1.2.3", "intensity_p1234567890123456",
        "intensity_p100.01"};
    for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        problem.properties = wrong[k];
        right = right && clup_regions_create(context, &problem, &regions) == CLUP_ERROR_USAGE;
    }
    problem.properties = "intensity_p1,intensity_p2,intensity_p3,intensity_p4,intensity_p5,"
                         "intensity_p6,intensity_p7,intensity_p8,intensity_p9,intensity_p10,"
                         "intensity_p11,intensity_p12,intensity_p13,intensity_p14,intensity_p15,"
                         "intensity_p16,intensity_p17";
    ok(right && clup_regions_create(context, &problem, &regions) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "at most 16 percentiles") != NULL,
       "what is no percentile, and 17 of them, are refused: %s", clup_error_detail());
    problem.properties = "intensity_p1";
    problem.dtype = CLUP_DTYPE_NONE;
    ok(clup_regions_create(context, &problem, &regions) == CLUP_ERROR_USAGE,
       "without values there are none: %s", clup_error_detail());
}

/* Every other pixel of a row, and a single row of a slope, whose hulls are known. */
static void check_hull(clup_context *context)
{
    uint32_t labels[6 * 4] = {0};
    const clup_region_problem problem = {
        .size = {6, 4, 1}, .axes = 2, .properties = "area_convex,solidity,feret_diameter_max"};
    clup_regions *regions;
    for (unsigned k = 0; k < 4; k++)
        labels[6 * k + k] = 1; /* a diagonal: of its hull, which is 1 wide, no other pixel */
    labels[4] = labels[5] = labels[6 + 5] = labels[6 * 3 + 5] = 3; /* in two pieces */
    NEED(clup_regions_create(context, &problem, &regions));
    NEED(clup_regions_measure_host(regions, labels, NULL, 3));
    ok(number(regions, 0, "area_convex") == 4 && number(regions, 0, "solidity") == 1 &&
           number(regions, 1, "area_convex") == 6 && number(regions, 1, "solidity") == 4 / 6.0 &&
           is_near(number(regions, 0, "feret_diameter_max"), hypot(4, 3), 1) &&
           is_near(number(regions, 1, "feret_diameter_max"), hypot(4, 1), 10),
       "convex hulls: %g and %g pixels, diameters %.17g and %.17g",
       number(regions, 0, "area_convex"), number(regions, 1, "area_convex"),
       number(regions, 0, "feret_diameter_max"), number(regions, 1, "feret_diameter_max"));
    clup_regions_free(regions);
}

/* ---- hulls of volumes ------------------------------------------------------------------------ */

#define BOX 6
#define SIDES 6

/* The hull of the middles of the sides of voxels, by definition: a voxel is in it if it is not
 * beyond a plane through three of these beyond which none of them is. Coordinates are twice those
 * of voxels. Returns the number of voxels in it. */
static unsigned hull_of(const int (*voxels)[3], unsigned count, bool inside[BOX][BOX][BOX])
{
    static int64_t points[SIDES * BOX * BOX][3];
    const unsigned all = SIDES * count;
    unsigned left = 0;
    for (unsigned k = 0; k < all; k++)
        for (unsigned axis = 0; axis < 3; axis++)
            points[k][axis] = 2 * voxels[k / SIDES][axis] +
                              (k % 3 == axis ? (k % SIDES < 3 ? 1 : -1) : 0);
    for (unsigned k = 0; k < BOX * BOX * BOX; k++)
        inside[k / BOX / BOX][k / BOX % BOX][k % BOX] = true;
    for (unsigned a = 0; a < all; a++)
        for (unsigned b = a + 1; b < all; b++)
            for (unsigned c = b + 1; c < all; c++) {
                int64_t u[3], v[3], normal[3], least = 0, most = 0;
                for (unsigned k = 0; k < 3; k++) {
                    u[k] = points[b][k] - points[a][k];
                    v[k] = points[c][k] - points[a][k];
                }
                for (unsigned k = 0; k < 3; k++)
                    normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
#define BEYOND(X, Y, Z) \
    (normal[0] * ((X)-points[a][0]) + normal[1] * ((Y)-points[a][1]) + \
     normal[2] * ((Z)-points[a][2]))
                for (unsigned k = 0; k < all && (least == 0 || most == 0); k++) {
                    const int64_t at = BEYOND(points[k][0], points[k][1], points[k][2]);
                    least = at < least ? at : least;
                    most = at > most ? at : most;
                }
                if (least < 0 && most > 0)
                    continue;
                for (int k = 0; k < BOX * BOX * BOX; k++) {
                    const int x = k % BOX, y = k / BOX % BOX, z = k / BOX / BOX;
                    const int64_t at = BEYOND(2 * x, 2 * y, 2 * z);
                    if (at < least || at > most)
                        inside[z][y][x] = false;
                }
#undef BEYOND
            }
    for (unsigned k = 0; k < BOX * BOX * BOX; k++)
        left += inside[k / BOX / BOX][k / BOX % BOX][k % BOX];
    return left;
}

/* The largest distance between two points half-way between a voxel of a hull and one that is none.
 */
static double diameter_of(const double spacing[3], bool inside[BOX][BOX][BOX])
{
    static double points[2 * 3 * BOX * BOX * BOX][3];
    unsigned count = 0;
    double most = 0;
    for (int k = 0; k < SIDES * BOX * BOX * BOX; k++) {
        const int at[3] = {k / SIDES % BOX, k / SIDES / BOX % BOX, k / SIDES / BOX / BOX};
        int to[3];
        for (int axis = 0; axis < 3; axis++)
            to[axis] = at[axis] + (k % 3 == axis ? (k % SIDES < 3 ? 1 : -1) : 0);
        const bool there = to[0] >= 0 && to[0] < BOX && to[1] >= 0 && to[1] < BOX && to[2] >= 0 &&
                           to[2] < BOX;
        if (!inside[at[2]][at[1]][at[0]] || (there && inside[to[2]][to[1]][to[0]]))
            continue;
        for (unsigned axis = 0; axis < 3; axis++)
            points[count][axis] = (at[axis] + to[axis]) / 2.0 * spacing[axis];
        for (unsigned other = 0; other < count; other++)
            most = fmax(most, hypot(hypot(points[count][0] - points[other][0],
                                          points[count][1] - points[other][1]),
                                    points[count][2] - points[other][2]));
        count++;
    }
    return most;
}

/* Few voxels of a box, of which many are in one line, one plane or at its corners. */
static void check_hull_volumes(clup_context *context)
{
    clup_region_problem problem = {.size = {BOX, BOX, BOX},
                                   .axes = 3,
                                   .spacing = {1, 0.5, 2},
                                   .properties = "area_convex,solidity,feret_diameter_max"};
    clup_regions *regions;
    unsigned wrong = 0, turns = 60, hollow = 0;
    NEED(clup_regions_create(context, &problem, &regions));
    for (unsigned turn = 0; turn < turns; turn++) {
        uint32_t labels[BOX * BOX * BOX] = {0};
        int voxels[8][3];
        bool inside[BOX][BOX][BOX];
        unsigned count = 0;
        for (unsigned k = 0; k <= turn % 8; k++) {
            const uint32_t drawn = draw(17, 8 * turn + k), most = turn % 5 == 0 ? 2 : BOX;
            const int x = (int)(drawn % BOX), y = (int)(drawn / BOX % most),
                      z = (int)(drawn / BOX / BOX % (turn % 3 == 0 ? 2 : BOX));
            uint32_t *label = &labels[x + BOX * (y + BOX * z)];
            if (*label == 0) {
                voxels[count][0] = x, voxels[count][1] = y, voxels[count][2] = z;
                count++;
            }
            *label = 1;
        }
        NEED(clup_regions_measure_host(regions, labels, NULL, 1));
        const unsigned convex = hull_of((const int(*)[3])voxels, count, inside);
        hollow += convex > count;
        wrong += number(regions, 0, "area_convex") != convex ||
                 number(regions, 0, "solidity") != (double)count / convex ||
                 !is_near(number(regions, 0, "feret_diameter_max"),
                          diameter_of(problem.spacing, inside), 20);
    }
    ok(wrong == 0 && hollow > 20,
       "convex hulls of %u regions of volumes, %u of which have more "
       "voxels than these: %u wrong",
       turns, hollow, wrong);
    clup_regions_free(regions);
}

int main(int argc, char **argv)
{
    clup_context *context;
    (void)argv;
    brief = argc > 1;
    NEED(clup_context_create(NULL, &context));
    check_places(context);
    check(context, (clup_region_problem){.size = {70, 41, 1}, .axes = 2}, 3, 1, true, "noise");
    check(context,
          (clup_region_problem){
              .size = {67, 75, 1}, .axes = 2, .dtype = CLUP_DTYPE_U8, .channels = 1},
          6, 7, true, "blocks");
    check(context,
          (clup_region_problem){
              .size = {21, 13, 9}, .axes = 3, .dtype = CLUP_DTYPE_F32, .channels = 1},
          3, 2, true, "a volume");
    if (!brief) {
        check(context, (clup_region_problem){.size = {37, 1, 1}, .axes = 1}, 3, 4, true, "a row");
        check(context, (clup_region_problem){.size = {1, 1, 1}, .axes = 2}, 1, 1, true, "a pixel");
        check(context, (clup_region_problem){.size = {60, 50, 1}, .axes = 2}, 900, 1, false,
              "more labels than places");
        for (clup_dtype dtype = 1; dtype < CLUP_DTYPES; dtype++)
            check(context,
                  (clup_region_problem){
                      .size = {40, 30, 1}, .axes = 2, .dtype = dtype, .channels = 1 + dtype % 3},
                  4, 1, false, clup_dtype_name(dtype));
        check(context,
              (clup_region_problem){
                  .size = {40, 50, 1}, .axes = 2, .dtype = CLUP_DTYPE_F64, .channels = 1},
              700, 1, false, "more values than places");
        check(context, (clup_region_problem){.size = {400000, 2, 1}, .axes = 2}, 3, 2, false,
              "regions far to the right");
        check(context, (clup_region_problem){.size = {3, 300000, 1}, .axes = 2}, 3, 900, false,
              "high regions");
        check_pieces(context);
        check_parts(context, (clup_region_problem){.size = {33, 70, 1}, .axes = 2}, 5, 9, 2);
        check_parts(context,
                    (clup_region_problem){
                        .size = {45, 11, 1}, .axes = 2, .dtype = CLUP_DTYPE_F32, .channels = 3},
                    4, 3, 4);
        check_parts(context,
                    (clup_region_problem){
                        .size = {19, 7, 1}, .axes = 2, .dtype = CLUP_DTYPE_I64, .channels = 1},
                    40, 2, 7);
        check_parts(context,
                    (clup_region_problem){.size = {13, 11, 8},
                                          .axes = 3,
                                          .spacing = {1, 0.5, 2},
                                          .dtype = CLUP_DTYPE_F64,
                                          .channels = 1},
                    4, 3, 3);
        check_parts(context,
                    (clup_region_problem){
                        .size = {40, 35, 5}, .axes = 3, .dtype = CLUP_DTYPE_U16, .channels = 1},
                    30, 6, 5);
        check_round(context);
        check_bar(context);
        check_odd(context);
        check_percentiles(context);
        check_hull(context);
        check_hull_volumes(context);
    }
    clup_context_free(context);
    return done_testing();
}
