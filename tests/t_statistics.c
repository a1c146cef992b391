/* SPDX-License-Identifier: BSD-3-Clause */
/* Statistics of clusters: of noise against a serial computation, of shapes with known spans and
 * windings; and the same by slabs and by several processes, to the last bit. */
#include <string.h>

#include "parts.h"
#include "picture.h"
#include "tap.h"
#include "core/interface_entries.clh"
#include "label/cluster_sums.h"
#include "label/labelling.h"

/* A checker of kernels takes its time: some of the pictures, and each once. */
static bool brief;

/* Whether a number is the one wanted, to 1e-12 of a magnitude. */
static bool close_to(double found, double wanted, double magnitude)
{
    return fabs(found - wanted) <= 1e-12 * magnitude || (isnan(found) && isnan(wanted));
}

/* Where a pixel is in its cluster, unwrapped along the axes around which that does not wrap. */
static void coordinates(const clup_label_problem *problem, uint64_t i, const int32_t turns[3],
                        unsigned wraps, int64_t at[3])
{
    const int64_t in[3] = {(int64_t)(i % problem->size[0]),
                           (int64_t)(i / problem->size[0] % problem->size[1]),
                           (int64_t)(i / problem->size[0] / problem->size[1])};
    for (unsigned axis = 0; axis < 3; axis++)
        at[axis] = in[axis] + (wraps >> axis & 1 ? 0 : (int64_t)turns[axis] * problem->size[axis]);
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Whole lattices before the box of a cluster. */
static int64_t lattices_before(const clup_label_problem *problem, const int64_t first[3],
                               unsigned axis)
{
    return floor_of(first[axis], problem->size[axis]) * problem->size[axis];
}

/* In two passes over the pixels: sums give means, and sums of products of distances from the pixel
 * next to the mean give the moments. */
static void statistics(const picture *picture, const uint32_t *numbers, const unsigned *wraps,
                       int32_t (*turns)[3], uint32_t count, clup_cluster *clusters)
{
    static const unsigned pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const clup_label_problem *problem = &picture->problem;
    int64_t(*sums)[3] = calloc(count, sizeof *sums);
    int64_t(*products)[6] = calloc(count, sizeof *products);
    int64_t(*first)[3] = calloc(count, sizeof *first), (*last)[3] = calloc(count, sizeof *last);
    long double(*values)[4] = calloc(count, sizeof *values);
    int64_t at[3];
    for (uint32_t n = 0; n < count; n++)
        clusters[n] = (clup_cluster){.wraps = wraps[n]};
    for (uint64_t i = 0; i < picture->sites; i++) {
        const uint32_t n = numbers[i] - 1;
        if (numbers[i] == 0)
            continue;
        coordinates(problem, i, turns[i], wraps[n], at);
        const bool begins = clusters[n].size++ == 0;
        for (unsigned axis = 0; axis < 3; axis++) {
            sums[n][axis] += at[axis];
            first[n][axis] = begins || at[axis] < first[n][axis] ? at[axis] : first[n][axis];
            last[n][axis] = begins || at[axis] > last[n][axis] ? at[axis] : last[n][axis];
        }
        for (unsigned c = 0; c < problem->channels; c++)
            values[n][c] += (long double)picture->values[i * problem->channels + c];
    }
    for (uint64_t i = 0; i < picture->sites; i++) {
        const uint32_t n = numbers[i] - 1;
        if (numbers[i] == 0)
            continue;
        coordinates(problem, i, turns[i], wraps[n], at);
        for (unsigned k = 0; k < 6; k++) {
            const int64_t size = (int64_t)clusters[n].size,
                          a = floor_of(sums[n][pairs[k][0]], size),
                          b = floor_of(sums[n][pairs[k][1]], size);
            products[n][k] += (at[pairs[k][0]] - a) * (at[pairs[k][1]] - b);
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        const int64_t whole = (int64_t)clusters[n].size;
        const long double size = (long double)whole;
        long double rest[3];
        for (unsigned axis = 0; axis < 3; axis++) {
            const int64_t before = lattices_before(problem, first[n], axis);
            clusters[n].first[axis] = (uint32_t)(first[n][axis] - before);
            clusters[n].last[axis] = (uint32_t)(last[n][axis] - before);
            clusters[n].centroid[axis] = (double)((long double)(sums[n][axis] - before * whole) /
                                                  size);
            rest[axis] = (long double)(sums[n][axis] - floor_of(sums[n][axis], whole) * whole) /
                         size;
            if (problem->connectivity != 4 && problem->connectivity != 8 ? true : axis < 2)
                clusters[n].spans |= (unsigned)(!problem->periodic[axis] &&
                                                clusters[n].first[axis] == 0 &&
                                                clusters[n].last[axis] == problem->size[axis] - 1)
                                     << axis;
        }
        for (unsigned k = 0; k < 6; k++)
            clusters[n].moments[k] = (double)((long double)products[n][k] / size -
                                              rest[pairs[k][0]] * rest[pairs[k][1]]);
        for (unsigned c = 0; c < problem->channels; c++)
            clusters[n].value[c] = (double)(values[n][c] / size);
    }
    free(sums), free(products), free(values), free(first), free(last);
}

static bool same(const clup_cluster *found, const clup_cluster *wanted, double largest)
{
    static const unsigned pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    bool all = found->size == wanted->size && found->spans == wanted->spans &&
               found->wraps == wanted->wraps &&
               memcmp(found->first, wanted->first, sizeof found->first) == 0 &&
               memcmp(found->last, wanted->last, sizeof found->last) == 0;
    for (unsigned axis = 0; axis < 3; axis++)
        all = all &&
              close_to(found->centroid[axis], wanted->centroid[axis], wanted->centroid[axis]);
    for (unsigned k = 0; k < 6; k++)
        all = all && close_to(found->moments[k], wanted->moments[k],
                              sqrt(wanted->moments[pairs[k][0]] * wanted->moments[pairs[k][1]]));
    for (unsigned c = 0; c < 4; c++)
        all = all && close_to(found->value[c], wanted->value[c],
                              largest > 0 ? largest : fabs(wanted->value[c]));
    return all;
}

static void show(const clup_cluster *c)
{
    printf(
        "# size %llu, x %u to %u, y %u to %u, z %u to %u, centroid %.17g %.17g %.17g, moments "
        "%.17g %.17g %.17g %.17g %.17g %.17g, values %.17g %.17g %.17g %.17g, spans %u, wraps %u\n",
        (unsigned long long)c->size, c->first[0], c->last[0], c->first[1], c->last[1], c->first[2],
        c->last[2], c->centroid[0], c->centroid[1], c->centroid[2], c->moments[0], c->moments[1],
        c->moments[2], c->moments[3], c->moments[4], c->moments[5], c->value[0], c->value[1],
        c->value[2], c->value[3], c->spans, c->wraps);
}

/* Labels and measures a picture, in all twice; values are to be right to 1e-12 of largest, or of
 * themselves where that is 0. Gives the first cluster. */
static clup_cluster check(clup_context *context, const picture *picture, double largest,
                          const char *what)
{
    const uint32_t *size = picture->problem.size;
    uint32_t *labels = malloc(4 * picture->sites), *numbers = malloc(4 * picture->sites),
             *canonical = malloc(4 * picture->sites), count = 0;
    unsigned *wraps = calloc(picture->sites, sizeof *wraps);
    int32_t(*turns)[3] = malloc(picture->sites * sizeof *turns);
    clup_labelling *labelling = NULL;
    clup_cluster first = {0};
    const uint32_t wanted_count = flood_turns(picture, numbers, canonical, wraps, turns);
    clup_cluster *wanted = malloc((wanted_count + 1) * sizeof *wanted),
                 *found = malloc((wanted_count + 1) * sizeof *found);
    statistics(picture, numbers, wraps, turns, wanted_count, wanted);
    NEED(clup_labelling_create(context, &picture->problem, &labelling));
    for (unsigned round = 0; round < (brief ? 1 : 2); round++) {
        uint32_t wrong = 0, last = 0;
        NEED(clup_labelling_run(labelling, picture->pixels, CLUP_LABELS_NUMBERED, labels, &count,
                                NULL));
        clup_status status = count == wanted_count
                                 ? clup_labelling_measure_run(labelling, count, found)
                                 : CLUP_ERROR_VERIFY;
        for (uint32_t n = 0; status == CLUP_OK && n < count; n++) {
            if (!same(&found[n], &wanted[n], largest)) {
                last = n;
                wrong++;
            }
        }
        ok(status == CLUP_OK && wrong == 0,
           "%s, %ux%ux%u, connectivity %u: %u clusters, %u wrong: %s", what, size[0], size[1],
           size[2], picture->problem.connectivity, count, wrong,
           status == CLUP_OK ? "" : clup_error_detail());
        if (wrong > 0) {
            show(&found[last]);
            show(&wanted[last]);
        }
    }
    if (count > 0 && count == wanted_count)
        first = found[0];
    clup_labelling_free(labelling);
    free(labels), free(numbers), free(canonical), free(wraps), free(turns), free(wanted),
        free(found);
    return first;
}

static void check_noise(clup_context *context, clup_label_problem problem, unsigned colours,
                        const char *what)
{
    picture picture = picture_create(&problem);
    picture_draw(&picture, colours);
    check(context, &picture, 0, what);
    picture_free(&picture);
}

/* Integers of 64 bits, and doubles, whose sums would take more than 64 bits. */
static void check_wide(clup_context *context, clup_dtype dtype)
{
    clup_label_problem problem = {.size = {brief ? 19 : 50, brief ? 13 : 41, 1},
                                  .connectivity = 4,
                                  .dtype = dtype,
                                  .channels = 1,
                                  .match = CLUP_MATCH_NONZERO};
    picture picture = picture_create(&problem);
    const int power = dtype == CLUP_DTYPE_F64 ? 900 : dtype == CLUP_DTYPE_U64 ? 34 : 33;
    for (uint64_t i = 0; i < picture.sites; i++)
        put(&picture, i, noise(4) == 0 ? 0 : ldexp(noise(1u << 30), power));
    check(context, &picture, ldexp(1, 30 + power), "values of 64 bits");
    picture_free(&picture);
}

/* Floats that are no whole numbers, of both signs and several magnitudes. */
static void check_floats(clup_context *context)
{
    clup_label_problem problem = {.size = {brief ? 25 : 50, brief ? 17 : 41, 1},
                                  .connectivity = 4,
                                  .dtype = CLUP_DTYPE_F32,
                                  .channels = 3,
                                  .match = CLUP_MATCH_TOLERANCE,
                                  .level = 1e30,
                                  .has_background = 1};
    picture picture = picture_create(&problem);
    double largest = 0;
    for (uint64_t i = 0; i < picture.sites; i++)
        for (unsigned c = 0; noise(3) > 0 && c < 3; c++) {
            put(&picture, 3 * i + c,
                (float)ldexp((double)noise(1u << 24) - (1 << 23), -(int)noise(40)));
            largest = fabs(picture.values[3 * i + c]) > largest ? fabs(picture.values[3 * i + c])
                                                                : largest;
        }
    check(context, &picture, largest, "floats");
    if (brief) {
        picture_free(&picture);
        return;
    }
    for (uint64_t k = 0; k < 3 * picture.sites; k++)
        put(&picture, k, (float)(1e-42 * noise(1000)));
    check(context, &picture, 1e-39, "floats without a leading digit");
    for (uint64_t i = 0; i < picture.sites; i++) {
        put(&picture, 3 * i, 5);
        put(&picture, 3 * i + 1, i % 50 == 40 ? 0 : i == 1030 ? INFINITY : -7.5);
        put(&picture, 3 * i + 2, i % 50 == 40 ? 0 : 0.1f);
        if (i % 50 == 40)
            put(&picture, 3 * i, 0);
    }
    /* one cluster left and right each of a line of background, an infinite value, at x = 30, in the
     * first */
    uint32_t *labels = malloc(4 * picture.sites), count;
    clup_labelling *labelling;
    clup_cluster found[2];
    problem.match = CLUP_MATCH_NONZERO;
    NEED(clup_labelling_create(context, &problem, &labelling));
    NEED(clup_labelling_run(labelling, picture.pixels, CLUP_LABELS_NUMBERED, labels, &count, NULL));
    NEED(count == 2 ? clup_labelling_measure_run(labelling, count, found) : CLUP_ERROR_VERIFY);
    ok(found[0].value[0] == 5 && isnan(found[0].value[1]) && fabs(found[0].value[2] - 0.1f) < 1e-9,
       "a value that is not finite is that of one channel of a cluster");
    ok(found[1].value[1] == -7.5 && fabs(found[1].value[2] - 0.1f) < 1e-9, "others remain");
    clup_labelling_free(labelling);
    free(labels);
    picture_free(&picture);
}

/* ---- slabs and processes --------------------------------------------------------------------- */

/* What processes label and measure together. */
static struct {
    clup_context *context;
    const picture *picture;
    clup_cluster *clusters[PARTS_MOST];
    uint32_t counts[PARTS_MOST];
} shared;

static clup_status measure_part(uint32_t part)
{
    const clup_label_problem *problem = &shared.picture->problem;
    const bool plane = problem->connectivity == 4 || problem->connectivity == 8;
    const uint64_t layer = problem->size[0] * (plane ? (uint64_t)1 : problem->size[1]);
    const uint32_t layers = problem->size[plane ? 1 : 2];
    const uint64_t first = part_first(layers, part, parts[0].ranks.count) * layer,
                   end = part_first(layers, part + 1, parts[0].ranks.count) * layer;
    const char *pixels = (const char *)shared.picture->pixels +
                         first * problem->channels * clup_dtype_bytes(problem->dtype);
    uint32_t *labels = malloc((end - first) * sizeof *labels), count = 0;
    clup_status status = clup_label_image(shared.context, problem, pixels, 0, labels, &count, NULL);
    shared.clusters[part] = calloc(count + 1, sizeof(clup_cluster));
    shared.counts[part] = count;
    if (status == CLUP_OK)
        status = clup_label_measure(shared.context, problem, pixels, labels, count,
                                    shared.clusters[part]);
    free(labels);
    return status;
}

/* Whether so many processes, with slabs of most pixels, find the statistics of one. */
static void check_parts(clup_context *context, const picture *picture, uint32_t count,
                        uint64_t most, const char *what)
{
    const clup_label_problem *problem = &picture->problem;
    uint32_t *labels = malloc(picture->sites * sizeof *labels), clusters, wrong = 0;
    clup_labelling *labelling;
    NEED(clup_labelling_create(context, problem, &labelling));
    NEED(clup_labelling_run(labelling, picture->pixels, CLUP_LABELS_NUMBERED, labels, &clusters,
                            NULL));
    clup_cluster *whole = calloc(clusters + 1, sizeof *whole);
    NEED(clup_labelling_measure_run(labelling, clusters, whole));
    clup_labelling_free(labelling);
    shared.context = context;
    shared.picture = picture;
    clup_measure_slab = most;
    clup_measure_most = clusters > 20 ? 7 : 0;
    parts_begin(count, false);
    parts_run(context, measure_part);
    clup_measure_most = 0;
    clup_measure_slab = 0;
    for (uint32_t p = 0; p < count; p++) {
        NEED(parts[p].status);
        wrong += shared.counts[p] != clusters ||
                 memcmp(whole, shared.clusters[p], clusters * sizeof *whole) != 0;
        free(shared.clusters[p]);
    }
    ok(wrong == 0, "%s: %u processes, %s: the statistics of %u clusters, to the last bit", what,
       count, most > 0 ? "in slabs" : "each as a whole", clusters);
    free(whole);
    free(labels);
}

static void check_all_parts(clup_context *context)
{
    static const struct {
        uint32_t size[3];
        unsigned connectivity;
        clup_dtype dtype;
        unsigned channels;
        int periodic[3];
        uint32_t parts;
        uint64_t most;
    } cases[] = {
        {{41, 33, 1}, 4, CLUP_DTYPE_U8, 1, {0, 0, 0}, 3, 0},
        {{41, 33, 1}, 8, CLUP_DTYPE_F32, 3, {0, 0, 0}, 4, 120},
        {{40, 23, 1}, 8, CLUP_DTYPE_F64, 1, {1, 1, 0}, 1, 170},
        {{23, 7, 1}, 4, CLUP_DTYPE_F32, 1, {1, 1, 0}, 7, 0},
        {{1, 37, 1}, 8, CLUP_DTYPE_I16, 1, {1, 1, 0}, 2, 5},
        {{13, 11, 9}, 26, CLUP_DTYPE_U64, 1, {0, 0, 0}, 2, 300},
        {{13, 1, 8}, 26, CLUP_DTYPE_F32, 4, {1, 1, 1}, 3, 26},
        {{9, 10, 6}, 18, CLUP_DTYPE_I64, 1, {1, 0, 1}, 6, 0},
        {{12, 9, 6}, 6, CLUP_DTYPE_F32, 1, {0, 1, 1}, 2, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        clup_label_problem problem = {.connectivity = cases[k].connectivity,
                                      .dtype = cases[k].dtype,
                                      .channels = cases[k].channels,
                                      .match = CLUP_MATCH_NONZERO};
        memcpy(problem.size, cases[k].size, sizeof problem.size);
        memcpy(problem.periodic, cases[k].periodic, sizeof problem.periodic);
        picture picture = picture_create(&problem);
        for (uint64_t i = 0; i < picture.sites; i++) {
            const unsigned of = problem.connectivity, percent = of == 4   ? 60
                                                                : of == 8 ? 40
                                                                : of == 6 ? 30
                                                                          : 12;
            const bool is_foreground = noise(100) < percent;
            /* values of unlike sizes, and a few that are not finite */
            for (unsigned c = 0; c < problem.channels; c++)
                put(&picture, i * problem.channels + c,
                    !is_foreground ? 0
                    : problem.dtype == CLUP_DTYPE_F32
                        ? noise(70) == 0 ? INFINITY
                                         : (float)ldexp(1 + noise(1u << 20), -(int)noise(110))
                    : problem.dtype == CLUP_DTYPE_F64 ? ldexp(1 + noise(1u << 30), -(int)noise(99))
                                                      : 1 + noise(99));
        }
        char what[64];
        snprintf(what, sizeof what, "%ux%ux%u, connectivity %u, %s", problem.size[0],
                 problem.size[1], problem.size[2], problem.connectivity,
                 clup_dtype_name(problem.dtype));
        check_parts(context, &picture, cases[k].parts, cases[k].most, what);
        picture_free(&picture);
    }
}

/* A cluster of more than 2^32 pixels, from its sums: the mean is divided with all digits. */
static void check_giant(void)
{
    const clup_label_problem problem = {
        .size = {1u << 17, 1u << 17, 1}, .connectivity = 4, .dtype = CLUP_DTYPE_U64, .channels = 1};
    const uint64_t side = (uint64_t)1 << 17, pixels = side * side,
                   sum = side * side * (side - 1) / 2;
    clup_cluster_sums sums = {.size = pixels,
                              .last = {(int64_t)side - 1, (int64_t)side - 1, 0},
                              .moments = {sum, sum},
                              .value = {{3 * pixels + pixels / 4, 5}}};
    clup_cluster cluster;
    NEED(clup_cluster_of(&problem, &sums, true, &cluster));
    /* 5 * 2^64 / 2^34 and 3.25 */
    ok(cluster.size == pixels && cluster.centroid[0] == 65535.5 &&
           cluster.value[0] == 5 * 0x1p30 + 3.25,
       "a cluster of 2^34 pixels: centroid %.17g, mean %.17g", cluster.centroid[0],
       cluster.value[0]);
    sums.size = pixels - 1;
    NEED(clup_cluster_of(&problem, &sums, true, &cluster));
    ok(cluster.value[0] == 5368709123.5625, "2^34 - 1 pixels: mean %.17g", cluster.value[0]);
    sums.size = (uint64_t)1 << 50;
    ok(clup_cluster_of(&problem, &sums, true, &cluster) == CLUP_ERROR_USAGE,
       "sums of coordinates of more than 64 bits: %s", clup_error_detail());
}

/* Labels and measures values of one channel, with zeros as background: how many clusters. */
static uint32_t measured(clup_context *context, clup_dtype dtype, uint32_t nx, uint32_t ny,
                         const void *values, clup_cluster *found)
{
    const clup_label_problem problem = {.size = {nx, ny, 1},
                                        .connectivity = 4,
                                        .dtype = dtype,
                                        .channels = 1,
                                        .match = CLUP_MATCH_NONZERO};
    uint32_t *labels = malloc(4 * (size_t)nx * ny), count;
    clup_labelling *labelling;
    NEED(clup_labelling_create(context, &problem, &labelling));
    NEED(clup_labelling_run(labelling, values, CLUP_LABELS_NUMBERED, labels, &count, NULL));
    NEED(clup_labelling_measure_run(labelling, count, found));
    clup_labelling_free(labelling);
    free(labels);
    return count;
}

/* Each cluster's mean is as precise as if it were alone, and rounded once. */
static void check_precision(clup_context *context)
{
    static const float singles[] = {-3.4028235e38f, 9.97e36f, -1e20f, 1e18f, 1e-40f};
    static const double doubles[] = {-1e308, 1e20, 5e-324, 1e15};
    clup_cluster found[3];
    for (unsigned k = 0; k < 5; k++) {
        const float values[] = {7, 1, 0, 0, 0, 0, singles[k], 0, 0.1f};
        const uint32_t count = measured(context, CLUP_DTYPE_F32, 3, 3, values, found);
        ok(count == 3 && found[0].value[0] == 4 && found[1].value[0] == (double)singles[k] &&
               found[2].value[0] == (double)0.1f,
           "floats beside %g: %.17g, %.17g and %.17g", (double)singles[k], found[0].value[0],
           found[1].value[0], found[2].value[0]);
    }
    for (unsigned k = 0; k < 4; k++) {
        const double values[] = {7, 1, 0, 0, 0, 0, doubles[k], 0, 0.1};
        const uint32_t count = measured(context, CLUP_DTYPE_F64, 3, 3, values, found);
        ok(count == 3 && found[0].value[0] == 4 && found[1].value[0] == doubles[k] &&
               found[2].value[0] == 0.1,
           "doubles beside %g: %.17g, %.17g and %.17g", doubles[k], found[0].value[0],
           found[1].value[0], found[2].value[0]);
    }
    const double apart[] = {1e15, 0.25, -1e15}, near[] = {0.1, 0.1, 0.1};
    measured(context, CLUP_DTYPE_F64, 3, 1, apart, found);
    ok(found[0].value[0] == 0.25 / 3, "doubles that nearly cancel: %.17g", found[0].value[0]);
    measured(context, CLUP_DTYPE_F64, 1, 3, near, found);
    ok(found[0].value[0] == 0.1, "three of 0.1: %.17g", found[0].value[0]);
    /* regions of as many rows as there can be */
    const uint32_t rows = 8192 * 512;
    float *tall = malloc(rows * sizeof *tall);
    for (uint32_t k = 0; k < rows; k++)
        tall[k] = k + 1 < rows ? 1 : 1e30f;
    measured(context, CLUP_DTYPE_F32, 1, rows, tall, found);
    ok(found[0].value[0] == (double)1e30f / rows, "the largest last in a column: %.17g",
       found[0].value[0]);
    free(tall);
    const int64_t top = INT64_MIN, wide[] = {INT64_MAX, INT64_MAX, 5, INT64_MIN, INT64_MIN},
                  beside[] = {-7, -1, 0, 0, 0, 0, top, 0, 3};
    measured(context, CLUP_DTYPE_I64, 5, 1, wide, found);
    ok(found[0].value[0] == 3.0 / 5, "integers of 64 bits that nearly cancel: %.17g",
       found[0].value[0]);
    const uint32_t count = measured(context, CLUP_DTYPE_I64, 3, 3, beside, found);
    ok(count == 3 && found[0].value[0] == -4 && found[1].value[0] == -0x1p63 &&
           found[2].value[0] == 3,
       "integers beside the least: %.17g, %.17g, %.17g", found[0].value[0], found[1].value[0],
       found[2].value[0]);
    const uint64_t most[] = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, 1, 1, 1, 1};
    measured(context, CLUP_DTYPE_U64, 8, 1, most, found);
    ok(found[0].value[0] == 0x1p63, "a sum of 66 bits: %.17g", found[0].value[0]);
    const uint32_t large[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX - 1};
    measured(context, CLUP_DTYPE_U32, 3, 1, large, found);
    ok(found[0].value[0] == UINT32_MAX - 1.0 / 3, "integers of 32 bits: %.17g", found[0].value[0]);
}

/* All is the same to the bit with every layout, and whatever is measured in one go. */
static void check_layouts(clup_context *context)
{
    static const char *const layouts[] = {"word", "border", "bands"};
    clup_label_problem problem = {.size = {70, 43, 1},
                                  .connectivity = 8,
                                  .periodic = {1, 1},
                                  .dtype = CLUP_DTYPE_F32,
                                  .channels = 1,
                                  .match = CLUP_MATCH_NONZERO};
    picture picture = picture_create(&problem);
    uint32_t *labels = malloc(4 * picture.sites), count;
    clup_cluster *first = calloc(picture.sites, sizeof *first),
                 *found = calloc(picture.sites, sizeof *found);
    for (uint64_t i = 0; i < picture.sites; i++)
        put(&picture, i,
            noise(3) > 0 ? 0 : (float)ldexp((double)noise(1u << 24) - (1 << 23), -(int)noise(90)));
    for (unsigned k = 0; k < 3; k++) {
        clup_labelling *labelling;
        clup_label_layout = layouts[k];
        NEED(clup_labelling_create(context, &problem, &labelling));
        NEED(clup_labelling_run(labelling, picture.pixels, CLUP_LABELS_NUMBERED, labels, &count,
                                NULL));
        clup_measure_most = k * 11;
        for (unsigned round = 0; round < 2; round++) {
            NEED(clup_labelling_measure_run(labelling, count, k == 0 ? first : found));
            ok(k == 0 || memcmp(first, found, count * sizeof *first) == 0,
               "%u clusters measured in the %s layout, %u at a time", count, layouts[k],
               clup_measure_most);
        }
        uint32_t again;
        NEED(clup_labelling_count(labelling, &again));
        ok(again == count, "the number of clusters remains: %u", again);
        clup_labelling_free(labelling);
    }
    clup_label_layout = NULL;
    clup_measure_most = 0;
    picture_free(&picture);
    free(labels), free(first), free(found);
}

/* The first cluster of what is drawn with characters other than '.', line by line. */
static clup_cluster check_shape(clup_context *context, const char *what, const uint32_t size[3],
                                unsigned connectivity, const int periodic[3], const char *drawn)
{
    const clup_label_problem problem = {.size = {size[0], size[1], size[2]},
                                        .connectivity = connectivity,
                                        .periodic = {periodic[0], periodic[1], periodic[2]},
                                        .dtype = CLUP_DTYPE_U8,
                                        .channels = 1,
                                        .match = CLUP_MATCH_NONZERO};
    picture picture = picture_create(&problem);
    for (uint64_t i = 0; i < picture.sites; i++)
        put(&picture, i, drawn[i] != '.');
    const clup_cluster first = check(context, &picture, 0, what);
    picture_free(&picture);
    return first;
}

static void check_windings(clup_context *context)
{
    static const int none[3] = {0}, x[3] = {1}, xy[3] = {1, 1}, xyz[3] = {1, 1, 1};
    static const uint32_t five[3] = {5, 5, 1}, point[3] = {1, 1, 1};
    static const char stripe[] = "#....", *diagonal = "#...."
                                                      ".#..."
                                                      "..#.."
                                                      "...#."
                                                      "....#";
    clup_cluster c = check_shape(context, "diagonal", five, 8, xy, diagonal);
    ok(c.wraps == 3 && c.spans == 0, "a diagonal winds around both axes");
    if (brief)
        return;
    c = check_shape(context, "diagonal, x periodic", five, 8, x, diagonal);
    ok(c.wraps == 0 && c.spans == 2, "with one of them open it spans that and winds around none");
    c = check_shape(context, "diagonal, open", five, 8, none, diagonal);
    ok(c.wraps == 0 && c.spans == 3, "with both open it spans both");
    c = check_shape(context, "gap", five, 4, xy,
                    "....."
                    "##.##"
                    "....."
                    "....."
                    ".....");
    ok(c.wraps == 0 && c.first[0] == 3 && c.last[0] == 6 && c.size == 4 && c.centroid[0] == 4.5 &&
           c.moments[0] == 1.25,
       "a cluster that meets itself across a boundary does not wind, and is in one piece");
    ok(c.first[1] == 1 && c.last[1] == 1 && c.centroid[1] == 1 && c.moments[3] == 0,
       "along the other axis it is where it was");
    c = check_shape(context, "stairs", (const uint32_t[3]){4, 9, 1}, 4, x,
                    "##.."
                    ".##."
                    "..##"
                    "#..#"
                    "##.."
                    ".##."
                    "..##"
                    "#..#"
                    "##..");
    ok(c.wraps == 0 && c.first[0] == 0 && c.last[0] == 9 && c.centroid[0] == 4.5 && c.size == 18,
       "stairs that go around more than once go on to the right: to x = %u", c.last[0]);
    c = check_shape(context, "wide ring", five, 4, xy,
                    "#####"
                    "....."
                    "....."
                    "....."
                    "#####");
    ok(c.wraps == 1 && c.first[0] == 0 && c.last[0] == 4 && c.centroid[0] == 2 && c.first[1] == 4 &&
           c.last[1] == 5 && c.centroid[1] == 4.5 && c.moments[1] == 0.25,
       "what winds around x is put together along y alone");
    c = check_shape(context, "there and back", five, 4, xy,
                    "....."
                    "##.##"
                    ".#.#."
                    "##.##"
                    ".....");
    ok(c.wraps == 0 && c.size == 10, "nor does a closed path that crosses one twice");
    c = check_shape(context, "ring", five, 4, xy,
                    "....."
                    "##..#"
                    ".####"
                    "....."
                    ".....");
    ok(c.wraps == 1, "a ring winds around x alone");
    c = check_shape(context, "column", (const uint32_t[3]){5, 1, 1}, 4, xy, stripe);
    ok(c.wraps == 2, "one pixel winds around a periodic axis of one pixel");
    c = check_shape(context, "spiral", five, 4, xy,
                    "##..."
                    ".##.."
                    "..##."
                    "...##"
                    "#...#");
    ok(c.wraps == 3, "steps wind around both axes");
    c = check_shape(context, "point", point, 4, none, "#");
    ok(c.wraps == 0 && c.spans == 3 && c.size == 1 && c.moments[0] == 0, "a pixel");
    c = check_shape(context, "voxel", point, 26, xyz, "#");
    ok(c.wraps == 7 && c.spans == 0, "a periodic voxel");
    /* climbs one layer in a quarter turn, and is closed after one turn */
    char drawn[16 * 3 * 8 + 1];
    memset(drawn, '.', sizeof drawn);
    for (unsigned z = 0; z < 8; z++)
        for (unsigned k = 0; k <= 2; k++)
            drawn[(2 * z + k) % 16 + 16 * (1 + 3 * z)] = '#';
    c = check_shape(context, "helix", (const uint32_t[3]){16, 3, 8}, 6, xyz, drawn);
    ok(c.wraps == 5 && c.size == 24, "a helix winds around x and z");
    c = check_shape(context, "helix, x periodic", (const uint32_t[3]){16, 3, 8}, 6, x, drawn);
    ok(c.wraps == 0 && c.spans == 4, "of which one turn with open ends winds around none");
    memset(drawn, '.', sizeof drawn);
    for (unsigned z = 0; z < 4; z++)
        for (unsigned k = 0; k <= 2; k++) {
            drawn[(2 * z + k) % 16 + 16 * (1 + 3 * z)] = '#';
            drawn[(2 * z + k + 8) % 16 + 16 * (1 + 3 * z)] = '#';
        }
    c = check_shape(context, "two turns", (const uint32_t[3]){16, 3, 4}, 6, xyz, drawn);
    ok(c.wraps == 5 && c.size == 24, "so does one that is closed after two turns around z");
}

/* Buffers of the caller's, without pixels, of some of the clusters; and what is refused. */
static void check_calls(clup_context *context)
{
    const clup_label_problem problem = {.size = {50, 40, 1},
                                        .connectivity = 4,
                                        .dtype = CLUP_DTYPE_U16,
                                        .channels = 1,
                                        .match = CLUP_MATCH_EQUAL};
    picture picture = picture_create(&problem);
    clup_labelling *labelling;
    uint32_t *labels = malloc(4 * picture.sites), count;
    picture_draw(&picture, 3);
    NEED(clup_labelling_create(context, &problem, &labelling));
    clup_cluster *all = malloc(picture.sites * sizeof *all),
                 *some = malloc(picture.sites * sizeof *some);
    ok(clup_labelling_measure_run(labelling, 1, all) == CLUP_ERROR_USAGE, "refused: %s",
       clup_error_detail());
    NEED(
        clup_labelling_run(labelling, picture.pixels, CLUP_LABELS_CANONICAL, labels, &count, NULL));
    ok(clup_labelling_measure_run(labelling, 1, all) == CLUP_ERROR_USAGE,
       "refused after canonical labels: %s", clup_error_detail());
    NEED(clup_labelling_run(labelling, picture.pixels, CLUP_LABELS_NUMBERED, labels, &count, NULL));
    ok(clup_labelling_measure_run(labelling, count + 1, all) == CLUP_ERROR_USAGE, "refused: %s",
       clup_error_detail());
    NEED(clup_labelling_measure_run(labelling, count, all));
    clup_measure_most = 7;
    NEED(clup_labelling_measure_run(labelling, count, some));
    ok(memcmp(all, some, count * sizeof *all) == 0,
       "%u clusters are the same when 7 are measured at a time", count);
    clup_measure_most = 0;
    memset(some, 0, count * sizeof *some);
    NEED(clup_labelling_measure(labelling, NULL, labelling->labels, count / 2, some));
    bool equal = true;
    for (uint32_t n = 0; n < count / 2; n++)
        equal = equal && isnan(some[n].value[0]) &&
                memcmp(&all[n], &some[n], offsetof(clup_cluster, value)) == 0;
    ok(equal && some[count / 2].size == 0, "half of them without pixels");
    ok(clup_labelling_measure(labelling, NULL, labelling->labels, 0, NULL) == CLUP_OK, "none");
    clup_labelling_free(labelling);
    picture_free(&picture);
    free(labels), free(all), free(some);
}

/* A text file whole. */
static void read_text(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    text[file != NULL ? fread(text, 1, size - 1, file) : 0] = '\0';
    if (file != NULL)
        fclose(file);
}

static void check_tables(void)
{
    static const clup_cluster two[] = {
        {.size = 3,
         .first = {1, 0, 0},
         .last = {2, 1, 0},
         .centroid = {1.5, 0.25, 0},
         .moments = {0.25, 2, 0, -1, 0, 0},
         .value = {7, 0.5, -1},
         .spans = 2,
         .wraps = 1},
        {.size = 1,
         .first = {4, 5, 6},
         .last = {4, 5, 6},
         .centroid = {4, 5, 6},
         .moments = {NAN, 1, 2, 3, 4, 5},
         .value = {NAN},
         .wraps = 7},
    };
    static const struct {
        const char *path, *text;
        unsigned axes, channels;
        uint32_t first, count;
    } rows[] = {
        {"t_statistics.csv",
         "label,size,first_x,first_y,last_x,last_y,centroid_x,centroid_y,moment_xx,moment_yy,"
         "moment_xy,value_0,value_1,value_2,spans,wraps\n"
         "1,3,1,0,2,1,1.5,0.25,0.25,2,-1,7,0.5,-1,y,x\n",
         2, 3, 0, 1},
        {"t_statistics.csv",
         "label,size,first_x,first_y,first_z,last_x,last_y,last_z,centroid_x,centroid_y,centroid_z,"
         "moment_xx,moment_yy,moment_zz,moment_xy,moment_xz,moment_yz,"
         "value_0,spans,wraps\n1,1,4,5,6,4,5,6,4,5,6,nan,1,2,3,4,5,nan,,xyz\n",
         3, 1, 1, 1},
        {"t_statistics.csv",
         "label,size,first_x,first_y,last_x,last_y,centroid_x,centroid_y,moment_xx,moment_yy,"
         "moment_xy,spans,wraps\n",
         2, 0, 0, 0},
        {"t_statistics.json",
         "{\"axes\":2,\"channels\":1,\"clusters\":[\n"
         "{\"label\":1,\"size\":3,\"first\":[1,0],\"last\":[2,1],\"centroid\":[1.5,0.25],"
         "\"moments\":[0.25,2,-1],\"value\":[7],\"spans\":\"y\",\"wraps\":\"x\"},\n"
         "{\"label\":2,\"size\":1,\"first\":[4,5],\"last\":[4,5],\"centroid\":[4,5],\"moments\":["
         "null,1,3],\"value\":[null],\"spans\":\"\",\"wraps\":\"xyz\"}\n]}\n",
         2, 1, 0, 2},
        {"t_statistics.json", "{\"axes\":3,\"channels\":0,\"clusters\":[\n\n]}\n", 3, 0, 0, 0},
    };
    char text[1024];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        clup_status status = clup_clusters_write(rows[k].path, two + rows[k].first, rows[k].count,
                                                 rows[k].axes, rows[k].channels);
        read_text(rows[k].path, text, sizeof text);
        ok(status == CLUP_OK && strcmp(text, rows[k].text) == 0, "%u clusters with %u axes in %s",
           rows[k].count, rows[k].axes, rows[k].path);
        remove(rows[k].path);
    }
    /* more than are written at a time */
    clup_cluster *many = calloc(5000, sizeof *many);
    size_t lines = 0;
    NEED(clup_clusters_write("t_statistics.csv", many, 5000, 2, 1));
    FILE *file = fopen("t_statistics.csv", "r");
    while (file != NULL && fgets(text, sizeof text, file) != NULL)
        lines += strchr(text, '\n') != NULL;
    if (file != NULL)
        fclose(file);
    remove("t_statistics.csv");
    free(many);
    ok(lines == 5001 && strncmp(text, "5000,0,", 7) == 0, "%zu lines", lines);
    ok(clup_clusters_write("clusters.txt", two, 1, 2, 1) == CLUP_ERROR_USAGE, "refused: %s",
       clup_error_detail());
    ok(clup_clusters_write("clusters.csv", two, 1, 4, 1) == CLUP_ERROR_USAGE, "refused: %s",
       clup_error_detail());
    ok(clup_clusters_write("no-such-folder/clusters.csv", two, 1, 2, 1) == CLUP_ERROR_RUNTIME,
       "refused: %s", clup_error_detail());
}

int main(int count, char **args)
{
    static const unsigned kinds[] = {4, 8, 6, 18, 26};
    static const uint32_t sizes[][3] = {{1, 1, 1},   {33, 1, 1},   {1, 50, 1}, {31, 33, 1},
                                        {300, 7, 1}, {129, 65, 1}, {7, 6, 5},  {40, 9, 10},
                                        {1, 3, 40},  {65, 17, 9}};
    brief = count > 1 && strcmp(args[1], "brief") == 0;
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    if (!brief) {
        check_precision(context);
        check_layouts(context);
        check_windings(context);
    }
    for (unsigned k = 0; k < 5; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            clup_label_problem problem = {.size = {sizes[s][0], sizes[s][1], sizes[s][2]},
                                          .connectivity = kinds[k],
                                          .dtype = CLUP_DTYPE_U8,
                                          .channels = 1,
                                          .match = CLUP_MATCH_EQUAL};
            if ((kinds[k] == 4 || kinds[k] == 8 ? sizes[s][2] > 1 : false) ||
                (brief && (s != 6 || kinds[k] != 6)))
                continue;
            if (!brief)
                check_noise(context, problem, 1 + (s % 3 == 0), "few colours");
            problem.periodic[s % 3] = problem.periodic[(s + 1) % 3] = 1;
            check_noise(context, problem, 3, "three colours, periodic");
            if (brief)
                continue;
            check_noise(context, problem, 1, "one colour, periodic");
            problem.match = CLUP_MATCH_NONZERO;
            problem.periodic[(s + 2) % 3] = 1;
            check_noise(context, problem, 2, "foreground, all periodic");
            check_noise(context, problem, 200, "nearly all foreground");
        }
    for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++) {
        clup_label_problem problem = {.size = {77, 45, 1},
                                      .connectivity = 4,
                                      .dtype = dtype,
                                      .channels = 1,
                                      .match = CLUP_MATCH_EQUAL,
                                      .has_background = 1,
                                      .background = {1}};
        if (brief)
            break;
        check_noise(context, problem, 3, clup_dtype_name(dtype));
        problem.match = CLUP_MATCH_TOLERANCE;
        problem.level = dtype == CLUP_DTYPE_U32 ? 2e9 : dtype == CLUP_DTYPE_I32 ? 1e9 : 20;
        check_noise(context, problem,
                    dtype == CLUP_DTYPE_U32 || dtype == CLUP_DTYPE_I32 ? UINT32_MAX : 100,
                    "tolerance");
        if (dtype == CLUP_DTYPE_U8 || dtype == CLUP_DTYPE_I32 || dtype == CLUP_DTYPE_F32) {
            problem.channels = 3 + dtype % 2;
            check_noise(context, problem, 50, "colours");
        }
    }
    /* more clusters in a region than its table has places */
    clup_label_problem many = {.size = {100, 70, 1},
                               .connectivity = 4,
                               .periodic = {1, 1},
                               .dtype = CLUP_DTYPE_U16,
                               .channels = 3,
                               .match = CLUP_MATCH_EQUAL};
    if (brief)
        many.size[0] = 33, many.size[1] = 18;
    check_noise(context, many, 100, "a cluster for nearly each pixel");
    if (!brief)
        check_noise(context, many, 2, "eight colours");
    check_floats(context);
    for (clup_dtype dtype = CLUP_DTYPE_U64; dtype < CLUP_DTYPES; dtype++)
        check_wide(context, dtype);
    if (!brief) {
        check_all_parts(context);
        check_giant();
        check_tables();
        check_calls(context);
        clup_label_problem large = {.size = {1, 2200000, 1},
                                    .connectivity = 4,
                                    .dtype = CLUP_DTYPE_U8,
                                    .channels = 1,
                                    .match = CLUP_MATCH_NONZERO};
        check_noise(context, large, 250, "high regions");
        large.size[0] = 2200000, large.size[1] = 1;
        check_noise(context, large, 250, "regions far to the right");
        large.size[0] = 1100, large.size[1] = 900, large.connectivity = 8, large.periodic[1] = 1;
        check_noise(context, large, 2, "large");
        large.connectivity = 4;
        check_noise(context, large, 2, "large, many clusters");
    }
    clup_context_free(context);
    return done_testing();
}
