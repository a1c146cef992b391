/* SPDX-License-Identifier: BSD-3-Clause */
/* Labelling of images: all neighbourhoods, types of pixels, matches and sizes against a serial
 * labelling, label by label. Uses the kernel variants for processors and those for GPUs on any
 * device. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "picture.h"
#include "plan/tables.h"
#include "tap.h"
#include "label/labelling.h"

static void check_rows(clup_context *context, const picture *picture, const char *what)
{
    const clup_label_problem *problem = &picture->problem;
    uint32_t *labels = malloc(4 * picture->sites), *numbers = malloc(4 * picture->sites),
             *canonical = malloc(4 * picture->sites), count = 0;
    clup_labelling *labelling = NULL;
    clup_label_timing timing;
    const uint32_t wanted = flood(picture, numbers, canonical, NULL);
    clup_status status = clup_labelling_create(context, problem, &labelling);
    if (status == CLUP_OK)
        status = clup_labelling_run(labelling, picture->pixels, CLUP_LABELS_NUMBERED, labels,
                                    &count, &timing);
    ok(status == CLUP_OK && count == wanted && memcmp(labels, numbers, 4 * picture->sites) == 0,
       "%s, %ux%ux%u, connectivity %u: %u clusters, %u wanted: %s", what, problem->size[0],
       problem->size[1], problem->size[2], problem->connectivity, count, wanted,
       status == CLUP_OK ? "" : clup_error_detail());
    if (status == CLUP_OK)
        status = clup_labelling_run(labelling, picture->pixels, CLUP_LABELS_CANONICAL, labels, NULL,
                                    NULL);
    ok(status == CLUP_OK && memcmp(labels, canonical, 4 * picture->sites) == 0, "%s: canonical",
       what);
    clup_label_reference(problem, picture->pixels, labels);
    ok(memcmp(labels, canonical, 4 * picture->sites) == 0, "%s: the serial definition", what);
    clup_labelling_free(labelling);
    free(labels), free(numbers), free(canonical);
}

/* The word layout, whose kernels are slow on processors, labels small volumes alone. */
#define WORD_SITES_MOST 4000u

static void check_picture(clup_context *context, const picture *picture, const char *what)
{
    const clup_label_problem *problem = &picture->problem;
    const bool plane = problem->connectivity == 4 || problem->connectivity == 8;
    static const char *const layouts[] = {"border", "word", "bands"};
    for (unsigned by = 0; by < 3; by++) {
        char with[64];
        clup_label_layout = layouts[by];
        if (by == 1 && (plane || picture->sites > WORD_SITES_MOST))
            continue;
        snprintf(with, sizeof with, "%s, %s", what, clup_label_layout);
        check_rows(context, picture, with);
    }
    clup_label_layout = NULL;
}

static void check(clup_context *context, clup_label_problem problem, unsigned colours,
                  const char *what)
{
    picture picture = picture_create(&problem);
    picture_draw(&picture, colours);
    check_picture(context, &picture, what);
    picture_free(&picture);
}

/* Equal infinities match, and 0 matches -0. A NaN matches nothing, not even itself. */
static void check_special(clup_context *context, clup_dtype dtype)
{
    static const double values[] = {-INFINITY, INFINITY, NAN, 0, FLT_MAX, -0.0};
    static const double levels[] = {0, FLT_MAX, INFINITY};
    clup_label_problem problem = {
        .size = {77, 45, 1}, .connectivity = 4, .dtype = dtype, .channels = 1};
    for (unsigned k = 0; k < 8; k++) {
        problem.match = k < 6 ? CLUP_MATCH_TOLERANCE : CLUP_MATCH_EQUAL;
        problem.level = levels[k % 3];
        problem.has_background = k % 6 > 2 || k == 7;
        problem.background[0] = INFINITY;
        picture picture = picture_create(&problem);
        for (uint64_t i = 0; i < picture.sites; i++)
            put(&picture, i, values[noise(6)]);
        check_picture(context, &picture,
                      problem.has_background ? "not finite, infinite background" : "not finite");
        picture_free(&picture);
    }
}

/* A NaN is background when the background is NaN, and is not above a level. It is not 0 either:
 * without a background it belongs to the foreground. */
static void check_nan(clup_context *context, clup_dtype dtype)
{
    static const double values[] = {NAN, NAN, 1, 2, 0};
    static const struct {
        clup_match match;
        double level;
        const char *what;
    } rows[] = {{CLUP_MATCH_EQUAL, 0, "a NaN as background of equal values"},
                {CLUP_MATCH_TOLERANCE, 0.5, "a NaN as background of values near each other"},
                {CLUP_MATCH_NONZERO, 0, "a NaN is not 0"},
                {CLUP_MATCH_THRESHOLD, 0.5, "a NaN is not above a level"}};
    static const unsigned kinds[] = {4, 8, 6, 26};
    for (unsigned k = 0; k < 16; k += dtype == CLUP_DTYPE_F32 ? 1 : 5) {
        const unsigned connectivity = kinds[k % 4], row = k / 4;
        clup_label_problem problem = {.size = {77, 45, 1},
                                      .connectivity = connectivity,
                                      .dtype = dtype,
                                      .channels = 1,
                                      .match = rows[row].match,
                                      .level = rows[row].level,
                                      .has_background = 1,
                                      .background = {NAN, NAN, NAN}};
        if (connectivity == 6 || connectivity == 26)
            problem.size[1] = 9, problem.size[2] = 5;
        problem.channels = connectivity == 8 ? 3 : 1;
        picture picture = picture_create(&problem);
        for (uint64_t i = 0; i < picture.sites * problem.channels; i++)
            put(&picture, i, values[noise(5)]);
        /* channels are NaN together most of the time */
        for (uint64_t i = 0; problem.channels == 3 && i < picture.sites; i++)
            for (unsigned c = 1; c < 3 && i % 8 > 0; c++)
                put(&picture, 3 * i + c, picture.values[3 * i]);
        check_picture(context, &picture, rows[row].what);
        picture_free(&picture);
    }
}

static void check_error(clup_context *context, clup_label_problem problem, const char *says)
{
    clup_labelling *labelling = NULL;
    clup_status status = clup_labelling_create(context, &problem, &labelling);
    ok(status == CLUP_ERROR_USAGE && labelling == NULL && strstr(clup_error_detail(), says) != NULL,
       "refused: %s (%s)", says, clup_error_detail());
}

/* A pixel at the edge of a tile of 32 x 16 x 16 has two neighbours of its cluster in tiles next to
 * it in x, one of them above. The tile of the pixel must unite all three. */
static void check_edge_of_tile(clup_context *context)
{
    const clup_label_problem problem = {.size = {40, 10, 20},
                                        .connectivity = 26,
                                        .dtype = CLUP_DTYPE_U16,
                                        .channels = 1,
                                        .match = CLUP_MATCH_EQUAL,
                                        .has_background = true};
    for (unsigned y = 4; y <= 6; y += 2) {
        const unsigned there[][3] = {{31, 5, 15}, {32, y, 15}, {32, 10 - y, 16}};
        picture picture = picture_create(&problem);
        for (uint64_t i = 0; i < picture.sites; i++)
            put(&picture, i, 0);
        for (unsigned k = 0; k < 3; k++)
            put(&picture, there[k][0] + 40 * (there[k][1] + 10 * there[k][2]), 1);
        check_picture(context, &picture, "three tiles at an edge");
        picture_free(&picture);
    }
}

/* Two layers that are neighbours only across the ends of an axis: some bonds between them must be
 * omitted. */
static void check_around(clup_context *context)
{
    for (unsigned k = 0; k < 6; k++) {
        const clup_label_problem problem = {.size = {40, 10, 20},
                                            .connectivity = k < 2   ? 6
                                                            : k < 4 ? 18
                                                                    : 26,
                                            .dtype = CLUP_DTYPE_U8,
                                            .channels = 1,
                                            .match = k % 2 ? CLUP_MATCH_EQUAL : CLUP_MATCH_NONZERO,
                                            .has_background = true,
                                            .periodic = {1, 1, 1}};
        picture picture = picture_create(&problem);
        for (uint64_t i = 0; i < picture.sites; i++)
            put(&picture, i, i < 400 || i >= 19 * 400);
        check_picture(context, &picture, "two layers around an axis");
        picture_free(&picture);
    }
}

/* Every plan gives equal labels. Random plans include each layout and kernel variant for images,
 * with tiles of several sizes. */
static void check_plans(clup_context *context)
{
    enum { SEEDS = 6 };
    static const clup_label_problem images[] = {
        {.size = {52, 70, 1},
         .connectivity = 4,
         .dtype = CLUP_DTYPE_U8,
         .channels = 1,
         .match = CLUP_MATCH_EQUAL},
        {.size = {71, 40, 1},
         .connectivity = 8,
         .dtype = CLUP_DTYPE_U8,
         .channels = 1,
         .match = CLUP_MATCH_NONZERO},
        {.size = {71, 43, 1},
         .connectivity = 8,
         .periodic = {1, 1},
         .dtype = CLUP_DTYPE_U8,
         .channels = 1,
         .match = CLUP_MATCH_NONZERO},
        {.size = {33, 20, 9},
         .connectivity = 18,
         .periodic = {1, 0, 1},
         .dtype = CLUP_DTYPE_U16,
         .channels = 1,
         .match = CLUP_MATCH_TOLERANCE},
    };
    bool seen[CLUP_MEASURE][64] = {{false}};
    for (size_t k = 0; k < sizeof images / sizeof *images; k++) {
        const clup_problem problem = {.model = CLUP_IMAGE, .image = &images[k]};
        unsigned right = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            const clup_plan_request request = {.strategy = CLUP_PLAN_RANDOM, .seed = seed};
            clup_labelling *labelling;
            clup_plan plan;
            NEED(clup_plan_choose(context, &problem, NULL, &request, &plan));
            const clup_status status = clup_labelling_verify(context, &problem, NULL, &plan);
            NEED(clup_labelling_create_only(context, &images[k], &plan, &labelling));
            right += status == CLUP_OK;
            if (status != CLUP_OK)
                printf("# %s\n", clup_error_detail());
            for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
                seen[stage][labelling->update.prepared[stage].variant -
                            clup_table_of(stage)->variants] = true;
            clup_labelling_free(labelling);
        }
        ok(right == SEEDS, "connectivity %u: %u of %d random plans are right",
           images[k].connectivity, right, SEEDS);
    }
    unsigned rows = 0, drawn = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t r = 0; r < clup_table_of(stage)->count; r++)
            if (clup_table_of(stage)->variants[r].models == CLUP_ON(CLUP_IMAGE)) {
                rows++;
                drawn += seen[stage][r];
            }
    ok(drawn > rows / 2, "%u of %u rows for images were drawn", drawn, rows);
}

/* t_labelling [brief]: brief uses two sizes, and bytes and floats only. */
int main(int argc, char **argv)
{
    const int brief = argc > 1 && strcmp(argv[1], "brief") == 0;
    static const unsigned kinds[] = {4, 8, 6, 18, 26};
    static const uint32_t sizes[][3] = {
        {1, 1, 1}, {33, 1, 1},  {1, 50, 1}, {31, 33, 1}, {100, 70, 1}, {129, 65, 1}, {300, 130, 1},
        {7, 6, 5}, {40, 37, 5}, {1, 3, 70}, {65, 17, 9}, {2, 2, 1},    {40, 2, 2},   {35, 6, 131}};
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    for (unsigned k = 0; k < 5; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            clup_label_problem problem = {.size = {sizes[s][0], sizes[s][1], sizes[s][2]},
                                          .connectivity = kinds[k],
                                          .dtype = CLUP_DTYPE_U8,
                                          .channels = 1,
                                          .match = CLUP_MATCH_NONZERO};
            if ((kinds[k] < 6 || kinds[k] == 8 ? sizes[s][2] > 1 : false) ||
                (brief && s != 3 && s != 7))
                continue;
            check(context, problem, kinds[k] > 8 ? 1 + (s % 3 == 0) : 2, "foreground");
            problem.match = CLUP_MATCH_EQUAL;
            check(context, problem, 2, "two colours");
            problem.match = CLUP_MATCH_BONDS;
            problem.dtype = kinds[k] > 8 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8;
            check(context, problem, 1u << kinds[k] / 2, "bonds");
            problem.periodic[s % 3] = problem.periodic[(s + 1) % 3] = 1;
            check(context, problem, 1u << kinds[k] / 2, "bonds, periodic");
            memset(problem.periodic, 0, sizeof problem.periodic);
            problem.match = CLUP_MATCH_EQUAL;
            problem.periodic[s % 3] = problem.periodic[(s + 1) % 3] = 1;
            check(context, problem, 3, "three colours, periodic");
            problem.match = CLUP_MATCH_NONZERO;
            problem.dtype = CLUP_DTYPE_U8;
            check(context, problem, kinds[k] > 8 ? 1 + (s % 3 == 0) : 2, "foreground, periodic");
            problem.match = CLUP_MATCH_TOLERANCE;
            problem.level = 2;
            if (s % 4 == 0)
                check(context, problem, 8, "tolerance, periodic");
        }
    for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES;
         dtype += brief ? CLUP_DTYPE_F32 - CLUP_DTYPE_U8 : 1) {
        clup_label_problem problem = {.size = {77, 45, 1},
                                      .connectivity = 4,
                                      .dtype = dtype,
                                      .channels = 1,
                                      .match = CLUP_MATCH_EQUAL,
                                      .has_background = 1,
                                      .background = {1}};
        check(context, problem, 3, clup_dtype_name(dtype));
        problem.match = CLUP_MATCH_TOLERANCE;
        problem.level = 2;
        check(context, problem, 8, "tolerance");
        problem.match = CLUP_MATCH_THRESHOLD;
        check(context, problem, 6, "threshold");
        problem.channels = 3 + dtype % 2;
        problem.match = CLUP_MATCH_EQUAL;
        check(context, problem, 2, "colours");
        problem.match = CLUP_MATCH_NONZERO;
        check(context, problem, 2, "colours, foreground");
    }
    check_special(context, CLUP_DTYPE_F32);
    check_special(context, CLUP_DTYPE_F64);
    check_nan(context, CLUP_DTYPE_F32);
    check_nan(context, CLUP_DTYPE_F64);
    const clup_label_problem good = {
        .size = {8, 8, 1}, .connectivity = 4, .dtype = CLUP_DTYPE_U8, .channels = 1};
    clup_label_problem bad = good;
    check_edge_of_tile(context);
    check_around(context);
    check_plans(context);
    bad.connectivity = 5;
    check_error(context, bad, "connectivity 5");
    bad = good, bad.size[1] = 0;
    check_error(context, bad, "at least one site");
    bad = good, bad.size[2] = 2;
    check_error(context, bad, "two axes");
    bad = good, bad.dtype = CLUP_DTYPE_NONE;
    check_error(context, bad, "pixels of type");
    bad = good, bad.channels = 2;
    check_error(context, bad, "2 channels");
    bad = good, bad.match = CLUP_MATCH_TOLERANCE, bad.level = -1;
    check_error(context, bad, "tolerance of -1");
    bad = good, bad.match = CLUP_MATCH_THRESHOLD, bad.level = 256;
    check_error(context, bad, "threshold of 256");
    bad = good, bad.has_background = 1, bad.background[0] = 0.5;
    check_error(context, bad, "background of 0.5");
    bad = good, bad.match = CLUP_MATCH_BONDS, bad.dtype = CLUP_DTYPE_I16;
    check_error(context, bad, "unsigned integers of 2 bits");
    bad = good, bad.match = CLUP_MATCH_BONDS, bad.connectivity = 26, bad.size[2] = 8;
    check_error(context, bad, "unsigned integers of 13 bits");
    bad = good, bad.match = CLUP_MATCH_BONDS, bad.has_background = 1;
    check_error(context, bad, "no background");
    clup_context_free(context);
    return done_testing();
}
