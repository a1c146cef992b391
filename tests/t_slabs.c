/* SPDX-License-Identifier: BSD-3-Clause */
/* Images that are labelled slab by slab, or as subdomains of processes that label in slabs, have
 * the labels of the whole image, whatever the slabs. The host matches pixels as the device does.
 * Small clusters are dropped. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "parts.h"
#include "core/interface_entries.clh"
#include "tap.h"
#include "update/update.h"

static uint32_t noise_state = 1;

static uint32_t noise(uint32_t below)
{
    noise_state = noise_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(noise_state ^ noise_state >> 15) * below) >> 32);
}

static uint64_t sites_of(const clup_label_problem *problem)
{
    return (uint64_t)problem->size[0] * problem->size[1] * problem->size[2];
}

static void put(clup_dtype dtype, void *pixels, uint64_t k, double value)
{
    switch (dtype) {
    case CLUP_DTYPE_U8: ((uint8_t *)pixels)[k] = (uint8_t)value; break;
    case CLUP_DTYPE_U16: ((uint16_t *)pixels)[k] = (uint16_t)value; break;
    case CLUP_DTYPE_U32: ((uint32_t *)pixels)[k] = (uint32_t)value; break;
    case CLUP_DTYPE_I8: ((int8_t *)pixels)[k] = (int8_t)value; break;
    case CLUP_DTYPE_I16: ((int16_t *)pixels)[k] = (int16_t)value; break;
    case CLUP_DTYPE_I32: ((int32_t *)pixels)[k] = (int32_t)value; break;
    case CLUP_DTYPE_F32: ((float *)pixels)[k] = (float)value; break;
    case CLUP_DTYPE_U64: ((uint64_t *)pixels)[k] = (uint64_t)value; break;
    case CLUP_DTYPE_I64: ((int64_t *)pixels)[k] = (int64_t)value; break;
    case CLUP_DTYPE_F64: ((double *)pixels)[k] = value; break;
    default: break;
    }
}

/* Values around the middle of the type's range, floats at multiples of 0.1, which none of them
 * is. */
static void *make_pixels(const clup_label_problem *problem, unsigned colours)
{
    static const double least[CLUP_DTYPES] = {
        [CLUP_DTYPE_I8] = -1, [CLUP_DTYPE_I16] = -2, [CLUP_DTYPE_I32] = -3, [CLUP_DTYPE_I64] = -2};
    const uint64_t values = sites_of(problem) * problem->channels;
    void *pixels = malloc(values * clup_dtype_bytes(problem->dtype));
    for (uint64_t k = 0; k < values; k++)
        put(problem->dtype, pixels, k,
            problem->dtype == CLUP_DTYPE_F32   ? 0.1f * (float)noise(colours)
            : problem->dtype == CLUP_DTYPE_F64 ? 0.1 * noise(colours)
                                               : least[problem->dtype] + noise(colours));
    return pixels;
}

/* A bond or none at each pixel, so that clusters are small and each bond counts. */
static void *make_bonds(const clup_label_problem *problem)
{
    const uint64_t sites = sites_of(problem);
    uint16_t *pixels = malloc(sites * sizeof *pixels);
    for (uint64_t k = 0; k < sites; k++)
        pixels[k] = (uint16_t)((noise(4) > 0) << noise(problem->connectivity / 2));
    return pixels;
}

/* What the parts of an image label. */
static struct {
    clup_context *context;
    const clup_label_problem *problem;
    const char *pixels;
    uint64_t layers, pixels_of_layer, most;
    uint32_t *labels, counts[PARTS_MOST];
} shared;

static clup_status label_part(uint32_t part)
{
    const clup_label_problem *problem = shared.problem;
    const uint64_t first = part_first(shared.layers, part, parts[0].ranks.count),
                   before = first * shared.pixels_of_layer;
    return clup_label_image(shared.context, problem,
                            shared.pixels +
                                before * problem->channels * clup_dtype_bytes(problem->dtype),
                            shared.most, shared.labels + before, &shared.counts[part], NULL);
}

/* Whether so many parts, in slabs of most pixels, find what the whole has. */
static bool parts_wrong(uint32_t count, uint64_t most, const uint32_t *whole, uint32_t wanted)
{
    const uint64_t sites = sites_of(shared.problem);
    bool wrong = false;
    memset(shared.labels, 0xAA, 4 * sites);
    shared.most = most;
    parts_begin(count, false);
    parts_run(shared.context, label_part);
    for (uint32_t p = 0; p < count; p++) {
        NEED(parts[p].status);
        wrong = wrong || shared.counts[p] != wanted;
    }
    return wrong || memcmp(shared.labels, whole, 4 * sites) != 0;
}

/* Counts the ways to cut it, into slabs of layers[] and a pixel more, and into parts, whose labels
 * differ from those of the whole; with 0 colours pixels are bonds. */
static void check(clup_context *context, const clup_label_problem *problem, unsigned colours,
                  const char *what)
{
    static const uint32_t layers[] = {1, 2, 5};
    const uint64_t sites = sites_of(problem),
                   layer = problem->connectivity <= 8 && problem->connectivity != 6
                               ? problem->size[0]
                               : (uint64_t)problem->size[0] * problem->size[1];
    void *pixels = colours > 0 ? make_pixels(problem, colours) : make_bonds(problem);
    uint32_t *whole = malloc(4 * sites), *labels = malloc(4 * sites), wanted, count;
    clup_labelling *labelling;
    unsigned wrong = 0;
    NEED(clup_labelling_create(context, problem, &labelling));
    NEED(clup_labelling_run(labelling, pixels, CLUP_LABELS_NUMBERED, whole, &wanted, NULL));
    clup_labelling_free(labelling);
    for (size_t k = 0; k < sizeof layers / sizeof *layers; k++) {
        memset(labels, 0xAA, 4 * sites);
        NEED(clup_label_image(context, problem, pixels, layers[k] * layer + (k == 1), labels,
                              &count, NULL));
        wrong += count != wanted || memcmp(labels, whole, 4 * sites) != 0;
    }
    /* another number of parts each time, in short images one for each layer */
    static uint32_t turn;
    shared.context = context;
    shared.problem = problem;
    shared.pixels = pixels;
    shared.layers = sites / layer;
    shared.pixels_of_layer = layer;
    shared.labels = labels;
    const uint32_t most = shared.layers < 5 ? (uint32_t)shared.layers : 5;
    if (most > 1)
        wrong += parts_wrong(2 + turn % (most - 1), turn % 3 > 0 ? 2 * layer : 0, whole, wanted);
    turn++;
    ok(wrong == 0,
       "%s, %ux%ux%u, connectivity %u, periodic %d%d%d: %u clusters, %u ways to cut it wrong", what,
       problem->size[0], problem->size[1], problem->size[2], problem->connectivity,
       problem->periodic[0], problem->periodic[1], problem->periodic[2], wanted, wrong);
    free(pixels), free(whole), free(labels);
}

static void check_connectivities(clup_context *context)
{
    static const unsigned kinds[] = {4, 8, 6, 18, 26};
    static const uint32_t plane[][3] = {{1, 1, 1}, {1, 40, 1}, {33, 17, 1}, {70, 31, 1}, {2, 2, 1}},
                          volume[][3] = {{1, 1, 7}, {9, 8, 7}, {1, 5, 6}, {33, 2, 9}, {4, 3, 2}};
    for (unsigned k = 0; k < 5; k++)
        for (unsigned s = 0; s < 5; s++)
            for (unsigned axes = 0; axes < 8; axes++) {
                const uint32_t *size = k < 2 ? plane[s] : volume[s];
                clup_label_problem problem = {.size = {size[0], size[1], size[2]},
                                              .connectivity = kinds[k],
                                              .dtype = CLUP_DTYPE_U8,
                                              .channels = 1,
                                              .periodic = {axes & 1, axes >> 1 & 1, axes >> 2}};
                if (k < 2 ? axes > 3 : (axes + s) % 2 == 1)
                    continue;
                /* half of them for each size, others for another neighbourhood */
                if ((axes / 2 + s + k) % 2 == 1)
                    continue;
                problem.match = axes % 2 ? CLUP_MATCH_EQUAL : CLUP_MATCH_NONZERO;
                problem.has_background = axes % 4 == 3;
                check(context, &problem,
                      problem.match == CLUP_MATCH_NONZERO && k > 2 ? 2 : 2 + s % 2,
                      "two or three values");
                problem.match = CLUP_MATCH_BONDS;
                problem.dtype = k > 2 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8;
                problem.has_background = 0;
                if (axes % 4 == 3)
                    check(context, &problem, 1u << kinds[k] / 2, "bonds");
                problem.dtype = CLUP_DTYPE_U16;
                if (axes % 4 == 0)
                    check(context, &problem, 0, "few bonds");
            }
}

static void check_types(clup_context *context)
{
    for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++)
        for (clup_match match = 0; match < CLUP_MATCH_BONDS; match++)
            for (unsigned channels = 1; channels <= 4; channels += channels == 1 ? 2 : 1) {
                const double unit = dtype == CLUP_DTYPE_F32   ? 0.1f
                                    : dtype == CLUP_DTYPE_F64 ? 0.1
                                                              : 1;
                clup_label_problem problem = {
                    .size = {37, 29, 1},
                    .connectivity = channels == 3 ? 8 : 4,
                    .dtype = dtype,
                    .channels = channels,
                    .match = match,
                    .level = unit * (match == CLUP_MATCH_TOLERANCE ? 1 + (channels > 1) : 1),
                    .periodic = {0, 1, 0},
                    .has_background = channels != 3,
                    .background = {unit, unit, unit, unit}};
                check(context, &problem,
                      match == CLUP_MATCH_TOLERANCE ? 6
                      : channels == 1               ? 3
                                                    : 2,
                      clup_dtype_name(dtype));
            }
}

/* Two pixels, one above the other, as one image and as two slabs. */
static void check_pair(clup_context *context, clup_dtype dtype, double above, double below,
                       double tolerance, uint32_t wanted)
{
    const clup_label_problem problem = {.size = {1, 2, 1},
                                        .connectivity = 4,
                                        .dtype = dtype,
                                        .channels = 1,
                                        .match = CLUP_MATCH_TOLERANCE,
                                        .level = tolerance};
    uint64_t pixels[2];
    uint32_t labels[2], whole = 0, slabs = 0;
    put(dtype, pixels, 0, above);
    put(dtype, pixels, 1, below);
    NEED(clup_label_image(context, &problem, pixels, 0, labels, &whole, NULL));
    NEED(clup_label_image(context, &problem, pixels, 1, labels, &slabs, NULL));
    ok(whole == wanted && slabs == wanted, "%s: %.9g and %.9g, tolerance %.9g: %u and %u clusters",
       clup_dtype_name(dtype), above, below, tolerance, whole, slabs);
}

static void check_pairs(clup_context *context)
{
    check_pair(context, CLUP_DTYPE_U8, 0, 255, 254.5, 2);
    check_pair(context, CLUP_DTYPE_U8, 255, 0, 255, 1);
    check_pair(context, CLUP_DTYPE_I8, -128, 127, 254, 2);
    check_pair(context, CLUP_DTYPE_I8, 127, -128, 255, 1);
    check_pair(context, CLUP_DTYPE_I16, -32768, 32767, 65534, 2);
    check_pair(context, CLUP_DTYPE_I32, INT32_MIN, INT32_MAX, 4294967294.0, 2);
    check_pair(context, CLUP_DTYPE_I32, INT32_MAX, INT32_MIN, UINT32_MAX, 1);
    check_pair(context, CLUP_DTYPE_U32, 0, UINT32_MAX, 4294967294.9, 2);
    check_pair(context, CLUP_DTYPE_U32, UINT32_MAX, UINT32_MAX - 1.0, 1.5, 1);
    /* the exact distance is above the tolerance, the rounded one is not */
    check_pair(context, CLUP_DTYPE_F32, 1, -FLT_EPSILON / 4, 1, 1);
    check_pair(context, CLUP_DTYPE_F32, 16777216, -1, 16777216, 1);
    check_pair(context, CLUP_DTYPE_F32, 16777214, -4, 16777217, 2);
    check_pair(context, CLUP_DTYPE_F32, 0.3f, 0.2f, 0.1f, 1 + (fabsf(0.3f - 0.2f) > 0.1f));
    check_pair(context, CLUP_DTYPE_F32, -0.0, 0.0, 0, 1);
    check_pair(context, CLUP_DTYPE_F32, FLT_MAX, -FLT_MAX, FLT_MAX, 2);
    check_pair(context, CLUP_DTYPE_F32, INFINITY, INFINITY, 0, 1);
    check_pair(context, CLUP_DTYPE_F32, -INFINITY, -INFINITY, 1, 1);
    check_pair(context, CLUP_DTYPE_F32, INFINITY, -INFINITY, FLT_MAX, 2);
    check_pair(context, CLUP_DTYPE_F32, INFINITY, FLT_MAX, FLT_MAX, 2);
    check_pair(context, CLUP_DTYPE_F32, NAN, NAN, 1, 2);
    check_pair(context, CLUP_DTYPE_I64, -0x1p63, 0x1p62, 0x1.8p63, 1);
    check_pair(context, CLUP_DTYPE_I64, 0x1p62, -0x1p63, 0x1.7p63, 2);
    check_pair(context, CLUP_DTYPE_U64, 0x1p63, 1, 0x1p63, 1);
    check_pair(context, CLUP_DTYPE_U64, 0, 0x1p63, 0x1.fp62, 2);
    check_pair(context, CLUP_DTYPE_F64, 1, -DBL_EPSILON / 4, 1, 1);
    check_pair(context, CLUP_DTYPE_F64, 0x1p53, -1, 0x1p53, 1);
    check_pair(context, CLUP_DTYPE_F64, 0x1p53 - 2, -4, 0x1p53, 2);
    check_pair(context, CLUP_DTYPE_F64, -0.0, 0.0, 0, 1);
    check_pair(context, CLUP_DTYPE_F64, 0x1p-1074, 0, 0, 2);
    check_pair(context, CLUP_DTYPE_F64, 0x1p-1074, 0, -0.0, 2);
    check_pair(context, CLUP_DTYPE_F64, 0x1p-1022, 0x1p-1074, 0x1p-1022, 1);
    check_pair(context, CLUP_DTYPE_F64, DBL_MAX, -DBL_MAX, DBL_MAX, 2);
    check_pair(context, CLUP_DTYPE_F64, DBL_MAX, -DBL_MAX, INFINITY, 1);
    check_pair(context, CLUP_DTYPE_F64, INFINITY, INFINITY, 0, 1);
    check_pair(context, CLUP_DTYPE_F64, INFINITY, -INFINITY, DBL_MAX, 2);
    check_pair(context, CLUP_DTYPE_F64, INFINITY, DBL_MAX, DBL_MAX, 2);
    check_pair(context, CLUP_DTYPE_F64, NAN, NAN, 1, 2);
}

/* All of 64 bits, which no double tells, in a row of pixels: clusters for a match, a level or
 * background of the pixel number at, and a value added to it. */
static void check_row(clup_context *context, clup_dtype dtype, clup_match match, uint64_t level,
                      const uint64_t pixels[4], uint32_t wanted)
{
    clup_label_problem problem = {.size = {4, 1, 1},
                                  .connectivity = 4,
                                  .dtype = dtype,
                                  .channels = 1,
                                  .match = match,
                                  .has_background = match == CLUP_MATCH_EQUAL};
    const int64_t more = (int64_t)(level & 0xFFF);
    const double rest = dtype == CLUP_DTYPE_I64 && match != CLUP_MATCH_TOLERANCE
                            ? (double)(int64_t)(level - (level & 0xFFF))
                            : (double)(level - (level & 0xFFF));
    uint32_t labels[4], whole = 0, slabs = 0;
    problem.level = problem.background[0] = rest;
    problem.level_more = problem.background_more[0] = more;
    NEED(clup_label_image(context, &problem, pixels, 0, labels, &whole, NULL));
    problem.size[0] = 1;
    problem.size[1] = 4;
    NEED(clup_label_image(context, &problem, pixels, 1, labels, &slabs, NULL));
    ok(whole == wanted && slabs == wanted, "%s, match %d of %llx: %u and %u clusters",
       clup_dtype_name(dtype), (int)match, (unsigned long long)level, whole, slabs);
}

static void check_wide(clup_context *context)
{
    const uint64_t most = UINT64_MAX, least = (uint64_t)1 << 63;
    const uint64_t high[4] = {most, most - 1, most, most - 2}, even[4] = {most, most, 5, most},
                   middle[4] = {least, least + 1, least - 1, least + 3};
    check_row(context, CLUP_DTYPE_U64, CLUP_MATCH_EQUAL, most, high, 2);
    check_row(context, CLUP_DTYPE_U64, CLUP_MATCH_EQUAL, most - 1, high, 3);
    check_row(context, CLUP_DTYPE_I64, CLUP_MATCH_EQUAL, most, even, 1);
    check_row(context, CLUP_DTYPE_U64, CLUP_MATCH_THRESHOLD, most - 1, high, 2);
    check_row(context, CLUP_DTYPE_U64, CLUP_MATCH_THRESHOLD, most - 2, high, 1);
    check_row(context, CLUP_DTYPE_I64, CLUP_MATCH_THRESHOLD, most - 1, high, 2);
    check_row(context, CLUP_DTYPE_U64, CLUP_MATCH_TOLERANCE, 1, high, 2);
    check_row(context, CLUP_DTYPE_U64, CLUP_MATCH_TOLERANCE, 2, middle, 2);
    check_row(context, CLUP_DTYPE_U64, CLUP_MATCH_TOLERANCE, 4, middle, 1);
    check_row(context, CLUP_DTYPE_I64, CLUP_MATCH_TOLERANCE, 2, middle, 3);
    check_row(context, CLUP_DTYPE_I64, CLUP_MATCH_TOLERANCE, most - 2, middle, 2);
    check_row(context, CLUP_DTYPE_I64, CLUP_MATCH_TOLERANCE, most, middle, 1);
}

/* Pairs of doubles, one above the other and a NaN left and right of them, whose distances are at,
 * just above or just below the level, of all magnitudes: a device finds them by integers, the host,
 * which joins slabs, by doubles. */
static void check_distances(clup_context *context)
{
    enum { PAIRS = 1 << 12, ROW = 2 * PAIRS };
    double *pixels = malloc(2 * ROW * sizeof *pixels);
    uint32_t *whole = malloc(2 * ROW * sizeof *whole), *slabs = malloc(2 * ROW * sizeof *slabs),
             clusters, count;
    for (int scale = -1074; scale <= 1022; scale += 131) {
        clup_label_problem problem = {.size = {ROW, 2, 1},
                                      .connectivity = 4,
                                      .dtype = CLUP_DTYPE_F64,
                                      .channels = 1,
                                      .match = CLUP_MATCH_TOLERANCE,
                                      .level = ldexp(1 + noise(1u << 30) * 0x1p-30, scale + 1)};
        for (uint32_t k = 0; k < 2 * ROW; k++)
            pixels[k] = NAN;
        for (uint32_t k = 0; k < ROW; k += 2) {
            const double one = ldexp((double)noise(1u << 30) - 0x1p29, scale - (int)noise(80)),
                         other = noise(2) ? one + problem.level : one - problem.level;
            pixels[k] = one;
            pixels[ROW + k] = noise(3) ? other : nextafter(other, noise(2) ? INFINITY : -INFINITY);
        }
        NEED(clup_label_image(context, &problem, pixels, 0, whole, &clusters, NULL));
        NEED(clup_label_image(context, &problem, pixels, ROW, slabs, &count, NULL));
        ok(clusters == count && memcmp(whole, slabs, 2 * ROW * sizeof *whole) == 0 &&
               clusters < 4 * PAIRS && clusters > 3 * PAIRS,
           "distances of doubles around 2^%d: %u clusters, and %u", scale, clusters, count);
    }
    free(pixels), free(whole), free(slabs);
}

/* Spirals and combs: clusters that many slabs cut and that are one all the same. */
static void check_long(clup_context *context)
{
    enum { SIDE = 65 };
    static uint8_t pixels[SIDE * SIDE];
    static uint32_t labels[SIDE * SIDE];
    clup_label_problem problem = {.size = {SIDE, SIDE, 1},
                                  .connectivity = 4,
                                  .dtype = CLUP_DTYPE_U8,
                                  .channels = 1,
                                  .match = CLUP_MATCH_NONZERO};
    uint32_t count;
    unsigned wrong = 0;
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        const unsigned x = i % SIDE, y = i / SIDE;
        pixels[i] = x % 2 == 0 || (y == 0 && x % 4 == 1) || (y == SIDE - 1 && x % 4 == 3);
    }
    for (unsigned rows = 1; rows <= SIDE; rows++) {
        NEED(clup_label_image(context, &problem, pixels, rows * SIDE, labels, &count, NULL));
        wrong += count != 1;
        for (unsigned i = 0; i < SIDE * SIDE; i++)
            wrong += labels[i] != pixels[i];
    }
    ok(wrong == 0, "a meander is one cluster in slabs of 1 to %d rows", SIDE);
    /* its mirror image starts with teeth, which join in the last row alone */
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        pixels[i] = i % SIDE % 2 == 0 || i / SIDE == SIDE - 1;
    NEED(clup_label_image(context, &problem, pixels, SIDE, labels, &count, NULL));
    wrong = count != 1;
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        wrong += labels[i] != pixels[i];
    ok(wrong == 0, "a comb whose teeth point back is one cluster");
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        pixels[i] = i / SIDE % 64 == 0 && i % SIDE < 3;
    NEED(clup_label_image(context, &problem, pixels, SIDE, labels, &count, NULL));
    ok(count == 2, "first and last row are apart on an open axis");
    problem.periodic[1] = 1;
    NEED(clup_label_image(context, &problem, pixels, SIDE, labels, &count, NULL));
    ok(count == 1 && labels[0] == 1 && labels[SIDE * SIDE - SIDE] == 1,
       "and joined on a periodic one");
}

static void check_errors(clup_context *context)
{
    const clup_label_problem good = {
        .size = {8, 8, 1}, .connectivity = 4, .dtype = CLUP_DTYPE_U8, .channels = 1};
    static const uint8_t pixels[64];
    uint32_t labels[64], count;
    clup_label_timing timing;
    clup_label_problem bad = good;
    bad.connectivity = 5;
    ok(clup_label_image(context, &bad, pixels, 8, labels, &count, NULL) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "connectivity 5") != NULL,
       "connectivity 5 is refused");
    for (unsigned axis = 0; axis < 3; axis++) {
        bad = good;
        bad.size[axis] = axis < 2 ? 0 : 2;
        ok(clup_label_image(context, &bad, pixels, 8, labels, &count, NULL) == CLUP_ERROR_USAGE,
           "size %ux%ux%u is refused: %s", bad.size[0], bad.size[1], bad.size[2],
           clup_error_detail());
    }
    bad = good, bad.has_background = 1, bad.background[0] = 256;
    ok(clup_label_image(context, &bad, pixels, 8, labels, &count, NULL) == CLUP_ERROR_USAGE,
       "a background of 256 is refused");
    bad = good, bad.size[0] = UINT32_MAX;
    ok(clup_label_image(context, &bad, pixels, 0, labels, &count, NULL) == CLUP_ERROR_USAGE,
       "a row of 2^32 - 1 pixels is refused: %s", clup_error_detail());
    bad = good, bad.size[0] = UINT32_MAX - 1;
    ok(clup_label_image(context, &bad, pixels, 0, labels, &count, NULL) == CLUP_ERROR_MEMORY,
       "one that the device has no room for is, too: %s", clup_error_detail());
    ok(clup_label_image(context, &good, pixels, 8, labels, NULL, &timing) == CLUP_OK &&
           timing.wall_s > 0 && timing.transfer_s > 0 && timing.transfer_s <= timing.wall_s,
       "times of slabs are added up");
}

/* Labels of an image whose memory the device uses itself, where it can, are those of memory that is
 * not aligned, and nothing is written before and after them. */
static void check_lent(clup_context *context)
{
    enum { EDGE = 128, ROWS = 64, PIXELS = EDGE * ROWS, GUARD = 32 };
    const size_t bytes = (PIXELS + 2 * GUARD) * sizeof(uint32_t);
    uint8_t *pixels = aligned_alloc(4096, 2 * 4096 + PIXELS);
    uint32_t *lent = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096), *copied = malloc(bytes + 1),
             lent_count, copied_count;
    NEED(pixels == NULL || lent == NULL || copied == NULL);
    for (uint32_t width = EDGE; width >= EDGE - 28; width -= 28)
        for (uint32_t slab = 0; slab <= 16; slab += 8) {
            const clup_label_problem problem = {.size = {width, ROWS, 1},
                                                .connectivity = 4,
                                                .dtype = CLUP_DTYPE_U8,
                                                .channels = 1,
                                                .match = CLUP_MATCH_NONZERO,
                                                .has_background = 1};
            const uint32_t all = width * ROWS;
            for (uint32_t k = 0; k < all; k++)
                pixels[k] = (uint8_t)(noise(100) < 59);
            memset(lent, 0x5A, bytes);
            NEED(clup_label_image(context, &problem, pixels, slab * width, lent + GUARD,
                                  &lent_count, NULL));
            memmove(pixels + 1, pixels, all);
            NEED(clup_label_image(context, &problem, pixels + 1, slab * width, copied,
                                  &copied_count, NULL));
            bool guarded = true;
            for (uint32_t k = 0; k < GUARD; k++)
                guarded = guarded && lent[k] == 0x5A5A5A5A && lent[GUARD + all + k] == 0x5A5A5A5A;
            ok(lent_count == copied_count && guarded &&
                   memcmp(lent + GUARD, copied, all * sizeof *lent) == 0,
               "%u x %u pixels in slabs of %u rows: the same %u clusters in memory that is lent",
               width, ROWS, slab, lent_count);
        }
    free(pixels), free(lent), free(copied);
}

static void check_small(void)
{
    static const uint32_t before[] = {1, 0, 2, 2, 3, 3, 3, 1, 0, 4};
    uint32_t labels[10], count = 4;
    uint64_t largest;
    memcpy(labels, before, sizeof labels);
    ok(clup_labels_drop_small(NULL, labels, 10, 1, &count, &largest) == CLUP_OK && count == 4 &&
           largest == 3 && memcmp(labels, before, sizeof labels) == 0,
       "clusters of one pixel stay");
    ok(clup_labels_drop_small(NULL, labels, 10, 2, &count, &largest) == CLUP_OK && count == 3 &&
           labels[9] == 0 && labels[4] == 3,
       "clusters of one pixel go");
    ok(clup_labels_drop_small(NULL, labels, 10, 3, &count, NULL) == CLUP_OK && count == 1 &&
           labels[0] == 0 && labels[2] == 0 && labels[4] == 1,
       "and of two, and the rest is numbered");
    ok(clup_labels_drop_small(NULL, labels, 10, 4, &count, &largest) == CLUP_OK && count == 0 &&
           largest == 0 && labels[4] == 0,
       "and all");
    labels[7] = 1;
    ok(clup_labels_drop_small(NULL, labels, 10, 1, &count, NULL) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "label 1 at pixel 7") != NULL,
       "a label above the count is refused");
}

/* Labels of several threads, far apart and in turns, so that their places in tables are the same.
 */
static void check_many(void)
{
    enum { PIXELS = 5 << 20, LABELS = 70000, LEAST = 55 };
    uint32_t *labels = malloc(PIXELS * sizeof *labels), *wanted = malloc(PIXELS * sizeof *wanted),
             sizes[LABELS + 1] = {0}, numbers[LABELS + 1] = {0}, count = LABELS, kept = 0;
    uint64_t largest = 0, most = 0;
    NEED(labels == NULL || wanted == NULL);
    for (uint32_t k = 0; k < PIXELS; k++) {
        const uint32_t row = k / 1000, drawn = (k * 2654435761u) >> 28;
        labels[k] = drawn < 3 ? 0 : 1 + (row * 13 + (drawn & 3) * 16384) % LABELS;
        sizes[labels[k]]++;
    }
    for (uint32_t label = 1; label <= LABELS; label++) {
        numbers[label] = sizes[label] >= LEAST ? ++kept : 0;
        most = sizes[label] >= LEAST && sizes[label] > most ? sizes[label] : most;
    }
    for (uint32_t k = 0; k < PIXELS; k++)
        wanted[k] = numbers[labels[k]];
    ok(clup_labels_drop_small(NULL, labels, PIXELS, LEAST, &count, &largest) == CLUP_OK &&
           count == kept && kept > 0 && kept < LABELS && largest == most &&
           memcmp(labels, wanted, PIXELS * sizeof *labels) == 0,
       "of many labels %u are kept, of up to %llu pixels", count, (unsigned long long)largest);
    labels[PIXELS - 7] = labels[PIXELS / 2] = labels[PIXELS / 2 + 9] = kept + 1;
    ok(clup_labels_drop_small(NULL, labels, PIXELS, 1, &count, NULL) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "at pixel 2621440 ") != NULL,
       "the first above the count is told: %s", clup_error_detail());
    free(labels), free(wanted);
}

int main(void)
{
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    check_connectivities(context);
    check_types(context);
    check_pairs(context);
    check_wide(context);
    check_distances(context);
    check_long(context);
    check_errors(context);
    check_lent(context);
    check_small();
    check_many();
    clup_context_free(context);
    return done_testing();
}
