/* SPDX-License-Identifier: BSD-3-Clause */
/* Batches of images: labels, counts and statistics of each image are those of the image alone, by
 * a serial labelling, in all layouts. */
#include <stdio.h>
#include <string.h>

#include "picture.h"
#include "tap.h"
#include "label/labelling.h"

typedef struct expected {
    uint32_t *labels;       /* of all images, numbered anew in each */
    uint32_t *throughout;   /* numbered on from image to image */
    uint32_t *before;       /* [images + 1] */
    clup_cluster *clusters; /* as each image alone has them */
    void *pixels;
    uint64_t pixels_each, images;
} expected;

/* Measures one image by itself. */
static void measure_alone(clup_context *context, const picture *picture, uint32_t count,
                          clup_cluster *clusters)
{
    uint32_t *labels = malloc(4 * picture->sites), found;
    clup_labelling *labelling;
    NEED(clup_labelling_create(context, &picture->problem, &labelling));
    NEED(
        clup_labelling_run(labelling, picture->pixels, CLUP_LABELS_NUMBERED, labels, &found, NULL));
    NEED(clup_labelling_measure_run(labelling, count, clusters));
    clup_labelling_free(labelling);
    free(labels);
}

static expected expect(clup_context *context, const clup_label_problem *one, uint64_t images,
                       unsigned colours)
{
    const uint64_t each = (uint64_t)one->size[0] * one->size[1] * one->size[2],
                   bytes = each * one->channels * clup_dtype_bytes(one->dtype);
    expected all = {.labels = malloc(4 * each * images),
                    .throughout = malloc(4 * each * images),
                    .before = calloc(images + 1, sizeof(uint32_t)),
                    .clusters = calloc(each * images, sizeof(clup_cluster)),
                    .pixels = malloc(bytes * images),
                    .pixels_each = each,
                    .images = images};
    uint32_t *canonical = malloc(4 * each);
    for (uint64_t k = 0; k < images; k++) {
        picture picture = picture_create(one);
        picture_draw(&picture, colours);
        uint32_t *labels = all.labels + k * each;
        const uint32_t count = flood(&picture, labels, canonical, NULL);
        all.before[k + 1] = all.before[k] + count;
        for (uint64_t i = 0; i < each; i++)
            all.throughout[k * each + i] = labels[i] > 0 ? labels[i] + all.before[k] : 0;
        memcpy((char *)all.pixels + k * bytes, picture.pixels, bytes);
        if (context != NULL && count > 0)
            measure_alone(context, &picture, count, all.clusters + all.before[k]);
        picture_free(&picture);
    }
    free(canonical);
    return all;
}

static void expected_free(expected *all)
{
    free(all->labels), free(all->throughout), free(all->before), free(all->clusters);
    free(all->pixels);
}

/* Compares the labelling of a problem with a batch. */
static void check_layout(clup_context *context, const clup_label_problem *one,
                         const expected *wanted, const char *what)
{
    const uint64_t pixels = wanted->pixels_each * wanted->images;
    clup_label_problem problem = *one;
    clup_labelling *labelling = NULL;
    uint32_t *labels = malloc(4 * pixels), *before = malloc(4 * (wanted->images + 1)),
             *canonical = malloc(4 * pixels), count = 0;
    clup_cluster *clusters = calloc(pixels, sizeof *clusters);
    problem.batch = wanted->images;
    clup_status status = clup_labelling_create(context, &problem, &labelling);
    if (status == CLUP_OK)
        status = clup_labelling_run(labelling, wanted->pixels, CLUP_LABELS_NUMBERED, labels, &count,
                                    NULL);
    ok(status == CLUP_OK && count == wanted->before[wanted->images] &&
           memcmp(labels, wanted->throughout, 4 * pixels) == 0,
       "%s, %llu of %ux%ux%u, connectivity %u, match %d: %u clusters, %u wanted: %s", what,
       (unsigned long long)wanted->images, one->size[0], one->size[1], one->size[2],
       one->connectivity, (int)one->match, count, wanted->before[wanted->images],
       status == CLUP_OK ? "" : clup_error_detail());
    if (status == CLUP_OK)
        status = clup_labelling_before(labelling, before);
    ok(status == CLUP_OK && memcmp(before, wanted->before, 4 * (wanted->images + 1)) == 0,
       "%s: clusters of each image", what);
    if (status == CLUP_OK)
        status = clup_labelling_measure_run(labelling, count, clusters);
    ok(status == CLUP_OK && memcmp(clusters, wanted->clusters, count * sizeof *clusters) == 0,
       "%s: statistics", what);
    for (uint32_t most = count / 2; status == CLUP_OK && most < count + 4; most += count / 2 + 2) {
        uint32_t found = 0;
        memset(clusters, 0, count * sizeof *clusters);
        status = clup_labelling_measure_most(labelling, labelling->pixels, labelling->labels, most,
                                             clusters, &found);
        ok(status == CLUP_OK && found == count &&
               memcmp(clusters, wanted->clusters,
                      (most < count ? most : count) * sizeof *clusters) == 0,
           "%s: statistics of at most %u", what, most);
    }
    if (status == CLUP_OK)
        status = clup_labelling_run(labelling, wanted->pixels, CLUP_LABELS_CANONICAL, labels, NULL,
                                    NULL);
    memset(before, 0, 4 * (wanted->images + 1));
    if (status == CLUP_OK)
        status = clup_labelling_before(labelling, before);
    clup_label_reference(&problem, wanted->pixels, canonical);
    ok(status == CLUP_OK && memcmp(labels, canonical, 4 * pixels) == 0 &&
           memcmp(before, wanted->before, 4 * (wanted->images + 1)) == 0,
       "%s: canonical labels, and clusters of each image", what);
    clup_labelling_free(labelling);
    free(labels), free(before), free(canonical), free(clusters);
}

/* Compares what clup_label_batch gives, in both numberings, with statistics and without. */
static void check_host(clup_context *context, const clup_label_problem *one, const expected *wanted,
                       const char *what)
{
    const uint64_t pixels = wanted->pixels_each * wanted->images;
    uint32_t *labels = malloc(4 * pixels);
    uint64_t *before = calloc(wanted->images + 1, sizeof *before);
    for (clup_numbering numbering = CLUP_NUMBER_THROUGHOUT; numbering <= CLUP_NUMBER_EACH;
         numbering++) {
        clup_cluster *clusters = NULL;
        clup_label_timing timing;
        const clup_status status = clup_label_batch(
            context, one, wanted->images, wanted->pixels, numbering, labels, before,
            numbering == CLUP_NUMBER_EACH ? &clusters : NULL, &timing);
        const uint32_t *right = numbering == CLUP_NUMBER_EACH ? wanted->labels : wanted->throughout;
        bool counted = true;
        for (uint64_t k = 0; k <= wanted->images; k++)
            counted = counted && before[k] == wanted->before[k];
        ok(status == CLUP_OK && counted && memcmp(labels, right, 4 * pixels) == 0, "%s: %s: %s",
           what, numbering == CLUP_NUMBER_EACH ? "each" : "throughout",
           status == CLUP_OK ? "" : clup_error_detail());
        if (clusters != NULL)
            ok(memcmp(clusters, wanted->clusters,
                      wanted->before[wanted->images] * sizeof *clusters) == 0,
               "%s: their statistics", what);
        clup_clusters_free(clusters);
    }
    free(labels), free(before);
}

static void check(clup_context *context, const clup_label_problem *one, uint64_t images,
                  unsigned colours, const char *what)
{
    static const char *const layouts[] = {"border", "bands", "word"};
    const bool volume = one->size[2] > 1 || one->connectivity == 6;
    expected wanted = expect(context, one, images, colours);
    for (unsigned by = 0; by < (volume && images < 9 ? 3 : 2); by++) {
        char with[64];
        clup_label_layout = layouts[by];
        snprintf(with, sizeof with, "%s, %s", what, clup_label_layout);
        check_layout(context, one, &wanted, with);
    }
    clup_label_layout = NULL;
    check_host(context, one, &wanted, what);
    expected_free(&wanted);
}

/* Sizes whose images begin inside of tiles, of bands and of blocks, and at their edges. */
static void check_sizes(clup_context *context, bool brief)
{
    static const struct {
        uint32_t size[3];
        uint64_t images;
    } rows[] = {{{37, 19, 1}, 5}, {{64, 40, 1}, 3}, {{1, 1, 1}, 70}, {{3, 1, 1}, 40},
                {{40, 33, 1}, 1}, {{9, 6, 5}, 4},   {{33, 7, 2}, 9}, {{5, 4, 1}, 20}};
    static const unsigned kinds[] = {4, 8, 6, 18, 26};
    for (unsigned k = 0; k < 5; k++)
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r += brief ? 5 : 1) {
            const bool plane = kinds[k] == 4 || kinds[k] == 8;
            clup_label_problem one = {.connectivity = kinds[k],
                                      .dtype = CLUP_DTYPE_U8,
                                      .channels = 1,
                                      .match = CLUP_MATCH_NONZERO};
            if (plane ? rows[r].size[2] > 1 : r < 5)
                continue;
            memcpy(one.size, rows[r].size, sizeof one.size);
            check(context, &one, rows[r].images, 2, "foreground");
            one.periodic[0] = 1, one.periodic[1] = !plane;
            check(context, &one, rows[r].images, 2, "foreground, periodic");
            one.match = CLUP_MATCH_EQUAL;
            check(context, &one, rows[r].images, 3, "equal, periodic");
            memset(one.periodic, 0, sizeof one.periodic);
            one.match = CLUP_MATCH_TOLERANCE, one.level = 1;
            check(context, &one, rows[r].images, 5, "tolerance");
            one.match = CLUP_MATCH_BONDS, one.level = 0;
            one.dtype = kinds[k] > 8 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8;
            check(context, &one, rows[r].images, 1u << kinds[k] / 2, "bonds");
        }
}

/* Colours, floats, and a threshold. */
static void check_types(clup_context *context)
{
    clup_label_problem one = {.size = {21, 13, 1},
                              .connectivity = 8,
                              .dtype = CLUP_DTYPE_F32,
                              .channels = 3,
                              .match = CLUP_MATCH_THRESHOLD,
                              .level = 1};
    check(context, &one, 6, 5, "floats of three channels");
    one.dtype = CLUP_DTYPE_F64, one.match = CLUP_MATCH_EQUAL, one.has_background = 1;
    check(context, &one, 6, 2, "doubles");
}

/* The last axis is periodic: images are labelled one by one. */
static void check_around(clup_context *context)
{
    const clup_label_problem one = {.size = {12, 9, 1},
                                    .connectivity = 8,
                                    .periodic = {0, 1},
                                    .dtype = CLUP_DTYPE_U8,
                                    .channels = 1,
                                    .match = CLUP_MATCH_EQUAL};
    expected wanted = expect(context, &one, 4, 3);
    check_host(context, &one, &wanted, "last axis periodic");
    expected_free(&wanted);
}

static void refuses(clup_status status, const char *says)
{
    ok(status == CLUP_ERROR_USAGE && strstr(clup_error_detail(), says) != NULL, "refused: %s (%s)",
       says, clup_error_detail());
}

static void check_errors(clup_context *context)
{
    const clup_label_problem good = {
        .size = {8, 8, 1}, .connectivity = 4, .dtype = CLUP_DTYPE_U8, .channels = 1, .batch = 2};
    uint8_t pixels[128] = {1};
    uint32_t labels[128], before[3];
    clup_labelling *labelling = NULL;
    clup_label_problem bad = good;
    bad.periodic[1] = 1;
    refuses(clup_labelling_create(context, &bad, &labelling), "not periodic along y");
    bad = good, bad.batch = 1u << 30;
    refuses(clup_labelling_create(context, &bad, &labelling), "a batch of 1073741824 images");
    bad.batch = 1u << 28;
    refuses(clup_labelling_create(context, &bad, &labelling), "pixels");
    refuses(clup_label_image(context, &good, pixels, 0, labels, NULL, NULL), "clup_label_batch");
    refuses(clup_label_batch(context, &good, 1, pixels, CLUP_NUMBER_EACH, labels, NULL, NULL, NULL),
            "each a batch of 2");
    bad = good, bad.batch = 0;
    refuses(clup_label_batch(context, &bad, 0, pixels, CLUP_NUMBER_EACH, labels, NULL, NULL, NULL),
            "0 images");
    refuses(clup_label_batch(context, &bad, 2, pixels, (clup_numbering)2, labels, NULL, NULL, NULL),
            "numbering 2");
    NEED(clup_labelling_create(context, &good, &labelling));
    refuses(clup_labelling_before(labelling, before), "no image was labelled");
    NEED(clup_labelling_run(labelling, pixels, CLUP_LABELS_CANONICAL, labels, NULL, NULL));
    refuses(clup_labelling_number_each(labelling, (struct _cl_mem *)labels),
            "CLUP_LABELS_NUMBERED");
    clup_labelling_free(labelling);
}

/* t_label_batch [brief] */
int main(int argc, char **argv)
{
    const bool brief = argc > 1 && strcmp(argv[1], "brief") == 0;
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    check_sizes(context, brief);
    check_around(context);
    check_errors(context);
    if (!brief)
        check_types(context);
    clup_context_free(context);
    return done_testing();
}
