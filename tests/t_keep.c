/* SPDX-License-Identifier: BSD-3-Clause */
/* Which clusters a rule keeps, and which holes are filled: as by definition, on random images with
 * all connectivities and axes that are periodic; and what is refused. */
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/random.clh"
#include "tap.h"

/* Checks that a call is refused, with a detail that has some words. */
#define REFUSES(WORDS, CALL) \
    ok((CALL) == CLUP_ERROR_USAGE && strstr(clup_error_detail(), WORDS) != NULL, "refused: %s", \
       clup_error_detail())

static clup_context *context;

static uint32_t drawn(uint32_t seed, uint64_t k, uint32_t below)
{
    const random_key key = {.seed0 = seed};
    return random_block(key, 0, k, 0).v[0] % below;
}

static uint64_t pixels_of(const clup_label_problem *image)
{
    return (uint64_t)image->size[0] * image->size[1] * image->size[2];
}

/* Labels blobs of a random image, of which a share in 16 is foreground. */
static uint32_t *make(const clup_label_problem *image, uint32_t seed, uint32_t share,
                      uint32_t *count)
{
    uint8_t *pixels = malloc(pixels_of(image));
    uint32_t *labels = malloc(pixels_of(image) * sizeof *labels);
    for (uint64_t i = 0; i < pixels_of(image); i++)
        pixels[i] = drawn(seed, i, 16) < share;
    NEED(clup_label_image(context, image, pixels, 0, labels, count, NULL));
    free(pixels);
    return labels;
}

static const clup_label_problem images[] = {
    {.size = {23, 19, 1}, .connectivity = 4},
    {.size = {23, 19, 1}, .connectivity = 8},
    {.size = {40, 1, 1}, .connectivity = 4},
    {.size = {1, 30, 1}, .connectivity = 8, .periodic = {0, 1}},
    {.size = {21, 25, 1}, .connectivity = 8, .periodic = {1, 0}},
    {.size = {15, 11, 1}, .connectivity = 4, .periodic = {1, 1}},
    {.size = {9, 10, 8}, .connectivity = 6},
    {.size = {9, 7, 8}, .connectivity = 18, .periodic = {0, 0, 1}},
    {.size = {8, 9, 10}, .connectivity = 26},
    {.size = {12, 9, 1}, .connectivity = 26},
};
enum { IMAGES = sizeof images / sizeof *images };

static clup_label_problem image_of(unsigned k)
{
    clup_label_problem image = images[k];
    image.dtype = CLUP_DTYPE_U8;
    image.channels = 1;
    image.match = CLUP_MATCH_NONZERO;
    return image;
}

static void place_of(const clup_label_problem *image, uint64_t i, int64_t at[3])
{
    at[0] = (int64_t)(i % image->size[0]);
    at[1] = (int64_t)(i / image->size[0] % image->size[1]);
    at[2] = (int64_t)(i / image->size[0] / image->size[1]);
}

/* The pixels from a pixel to the nearest end of an axis. */
static int64_t distance(const clup_label_problem *image, uint64_t i)
{
    int64_t at[3], least = INT64_MAX;
    place_of(image, i, at);
    for (unsigned axis = 0; axis < 3; axis++) {
        const int64_t after = (int64_t)image->size[axis] - 1 - at[axis];
        if (image->periodic[axis] || image->size[axis] == 1)
            continue;
        least = at[axis] < least ? at[axis] : least;
        least = after < least ? after : least;
    }
    return least;
}

/* ---- rules ----------------------------------------------------------------------------------- */

typedef struct measured {
    uint64_t size;
    int64_t distance;
    bool kept;
} measured;

static bool is_kept(const clup_label_rule *rule, const measured *cluster)
{
    return cluster->size >= rule->least && (rule->most == 0 || cluster->size <= rule->most) &&
           (!rule->clear_border || cluster->distance > rule->border);
}

/* Keeps by definition: a cluster is one of the largest if fewer than so many are larger, or as
 * large and before it. */
static void keep(const clup_label_problem *image, const clup_label_rule *rule, uint32_t *labels,
                 uint32_t *count, uint64_t *largest, uint32_t *numbers)
{
    measured *all = calloc(*count + (size_t)1, sizeof *all);
    uint32_t kept = 0;
    for (uint32_t label = 0; label <= *count; label++)
        all[label].distance = INT64_MAX;
    for (uint64_t i = 0; i < pixels_of(image); i++) {
        measured *of = &all[labels[i]];
        const int64_t far = distance(image, i);
        of->size++;
        of->distance = far < of->distance ? far : of->distance;
    }
    *largest = 0;
    numbers[0] = 0;
    for (uint32_t label = 1; label <= *count; label++) {
        uint64_t before = 0;
        for (uint32_t other = 1; other <= *count; other++)
            before += is_kept(rule, &all[other]) &&
                      (all[other].size > all[label].size ||
                       (all[other].size == all[label].size && other < label));
        all[label].kept = is_kept(rule, &all[label]) &&
                          (rule->largest == 0 || before < rule->largest);
        numbers[label] = all[label].kept ? ++kept : 0;
        if (all[label].kept && all[label].size > *largest)
            *largest = all[label].size;
    }
    for (uint64_t i = 0; i < pixels_of(image); i++)
        labels[i] = numbers[labels[i]];
    *count = kept;
    free(all);
}

static void check_rule(unsigned k, const clup_label_rule *rule)
{
    const clup_label_problem image = image_of(k);
    const size_t bytes = pixels_of(&image) * sizeof(uint32_t);
    uint32_t count, found, *wanted = make(&image, k, 5, &count), *labels = malloc(bytes);
    uint32_t *numbers = malloc(2 * (count + (size_t)1) * sizeof *numbers),
             *wanted_numbers = numbers + count + 1, before = count;
    uint64_t largest, wanted_largest;
    memcpy(labels, wanted, bytes);
    found = count;
    keep(&image, rule, wanted, &count, &wanted_largest, wanted_numbers);
    NEED(clup_labels_keep(NULL, &image, rule, labels, &found, &largest, numbers));
    ok(found == count && largest == wanted_largest && memcmp(labels, wanted, bytes) == 0 &&
           memcmp(numbers, wanted_numbers, (before + (size_t)1) * sizeof *numbers) == 0,
       "image %u, %llu to %llu pixels, border %d %u, %llu largest: %u of %u clusters", k,
       (unsigned long long)rule->least, (unsigned long long)rule->most, rule->clear_border,
       rule->border, (unsigned long long)rule->largest, found, before);
    free(wanted), free(labels), free(numbers);
}

static void check_rules(void)
{
    static const clup_label_rule rules[] = {
        {0},
        {.least = 3},
        {.most = 4},
        {.least = 2, .most = 5},
        {.clear_border = 1},
        {.clear_border = 1, .border = 2},
        {.clear_border = 1, .border = UINT32_MAX},
        {.largest = 1},
        {.largest = 7},
        {.largest = 1000000},
        {.least = 2, .most = 9, .clear_border = 1, .largest = 3},
    };
    for (unsigned k = 0; k < IMAGES; k++)
        for (unsigned r = 0; r < sizeof rules / sizeof *rules; r++)
            check_rule(k, &rules[r]);
}

/* Sizes of more than 16 and more than 32 bits differ in any digit: here in the second. */
static void check_large(void)
{
    enum { PIXELS = 400000 };
    const clup_label_problem image = {.size = {PIXELS, 1, 1}, .connectivity = 4};
    const clup_label_rule rule = {.largest = 2};
    uint32_t *labels = malloc(PIXELS * sizeof *labels), count = 4, numbers[5];
    uint64_t largest;
    for (uint32_t k = 0; k < PIXELS; k++)
        labels[k] = k < 70000 ? 1 : k < 140001 ? 2 : k < 140100 ? 3 : k < 340000 ? 4 : 0;
    NEED(clup_labels_keep(NULL, &image, &rule, labels, &count, &largest, numbers));
    ok(count == 2 && largest == 199900 && numbers[1] == 0 && numbers[2] == 1 && numbers[3] == 0 &&
           numbers[4] == 2 && labels[0] == 0 && labels[100000] == 1 && labels[200000] == 2,
       "of large clusters the two largest");
    free(labels);
}

/* ---- holes ----------------------------------------------------------------------------------- */

/* Sets reached[] of the pixels from which a way by faces leads to an end of an axis, through pixels
 * other than those with a label. */
static void reach(const clup_label_problem *image, const uint32_t *labels, uint32_t without,
                  uint8_t *reached)
{
    bool changed = true;
    for (uint64_t i = 0; i < pixels_of(image); i++)
        reached[i] = labels[i] != without && distance(image, i) == 0;
    while (changed) {
        changed = false;
        for (uint64_t i = 0; i < pixels_of(image); i++)
            for (unsigned axis = 0; axis < 3 && reached[i]; axis++)
                for (int step = -1; step <= 1; step += 2) {
                    int64_t at[3];
                    const int64_t size = image->size[axis];
                    place_of(image, i, at);
                    at[axis] += step;
                    if (!image->periodic[axis] && (at[axis] < 0 || at[axis] >= size))
                        continue;
                    at[axis] = (at[axis] + size) % size;
                    const int64_t to = at[0] + image->size[0] * (at[1] + image->size[1] * at[2]);
                    if (labels[to] != without && !reached[to])
                        reached[to] = changed = true;
                }
    }
}

/* Whether a pixel has a neighbour by a face with a label. */
static bool touches(const clup_label_problem *image, const uint32_t *labels, uint64_t i,
                    uint32_t label)
{
    for (unsigned axis = 0; axis < 3; axis++)
        for (int step = -1; step <= 1; step += 2) {
            int64_t at[3];
            const int64_t size = image->size[axis];
            place_of(image, i, at);
            at[axis] += step;
            if (!image->periodic[axis] && (at[axis] < 0 || at[axis] >= size))
                continue;
            at[axis] = (at[axis] + size) % size;
            if (labels[at[0] + image->size[0] * (at[1] + image->size[1] * at[2])] == label)
                return true;
        }
    return false;
}

/* Fills by definition, cluster by cluster. Without an end no pixel is enclosed. Returns the number
 * of holes. */
static uint32_t fill(const clup_label_problem *image, uint32_t *labels, uint32_t count,
                     uint64_t most)
{
    const uint64_t pixels = pixels_of(image);
    clup_label_problem of = *image;
    uint8_t *outside = malloc(2 * pixels), *background = outside + pixels;
    uint32_t *holes = malloc(2 * pixels * sizeof *holes), *filled = holes + pixels, all, found = 0;
    of.connectivity = image->connectivity == 4 || image->connectivity == 8 ? 4 : 6;
    for (uint64_t i = 0; i < pixels; i++)
        background[i] = labels[i] == 0;
    NEED(clup_label_image(context, &of, background, 0, holes, &all, NULL));
    memcpy(filled, labels, pixels * sizeof *filled);
    bool ends = false;
    for (uint64_t i = 0; i < pixels; i++)
        ends = ends || distance(image, i) == 0;
    for (uint32_t label = 1; ends && label <= count; label++) {
        reach(image, labels, label, outside);
        for (uint32_t hole = 1; hole <= all; hole++) {
            uint64_t size = 0;
            bool touched = false, enclosed = true;
            for (uint64_t i = 0; i < pixels; i++) {
                if (holes[i] != hole)
                    continue;
                size++;
                enclosed = enclosed && !outside[i];
                touched = touched || touches(image, labels, i, label);
            }
            if (!enclosed || !touched || (most > 0 && size > most))
                continue;
            found++;
            for (uint64_t i = 0; i < pixels; i++)
                if (holes[i] == hole)
                    filled[i] = label;
        }
    }
    memcpy(labels, filled, pixels * sizeof *labels);
    free(outside), free(holes);
    return found;
}

static void check_holes(unsigned k, uint32_t share, uint64_t most)
{
    const clup_label_problem image = image_of(k);
    const size_t bytes = pixels_of(&image) * sizeof(uint32_t);
    uint32_t count, filled, *wanted = make(&image, 100 + k, share, &count), *labels = malloc(bytes);
    memcpy(labels, wanted, bytes);
    const uint32_t holes = fill(&image, wanted, count, most);
    NEED(clup_labels_fill_holes(context, &image, labels, count, most, &filled));
    ok(filled == holes && memcmp(labels, wanted, bytes) == 0,
       "image %u, %u clusters: %u holes of %llu pixels or fewer", k, count, filled,
       (unsigned long long)most);
    free(wanted), free(labels);
}

/* Rings in rings, a hole between two clusters, and one with an island. */
static void check_rings(void)
{
    static const char picture[9][16] = {
        "111111111.22223", "1.......1.2..33", "1.44444.1.2.3.3",
        "1.4...4.1.22333", "1.4.5.4.1......", "1.4...4.1.66666",
        "1.44444.1.6.6.6", "1.......1.66666", "111111111......",
    };
    static const char wanted[9][16] = {
        "111111111.22223", "111111111.2..33", "114444411.2.333",
        "114444411.22333", "114454411......", "114444411.66666",
        "114444411.66666", "111111111.66666", "111111111......",
    };
    const clup_label_problem image = {.size = {15, 9, 1}, .connectivity = 4};
    uint32_t labels[135], filled;
    bool same = true;
    for (unsigned i = 0; i < 135; i++)
        labels[i] = picture[i / 15][i % 15] == '.' ? 0 : (uint32_t)(picture[i / 15][i % 15] - '0');
    NEED(clup_labels_fill_holes(context, &image, labels, 6, 0, &filled));
    for (unsigned i = 0; i < 135; i++)
        same = same &&
               labels[i] ==
                   (wanted[i / 15][i % 15] == '.' ? 0 : (uint32_t)(wanted[i / 15][i % 15] - '0'));
    ok(same && filled == 5, "rings, islands, and a hole between two clusters: %u filled", filled);
}

static void check_refusals(void)
{
    const clup_label_problem image = {.size = {2, 2, 1}, .connectivity = 4};
    clup_label_problem none = image;
    const clup_label_rule rule = {0}, later = {.reserved = {1}};
    uint32_t labels[4] = {0, 1, 0, 3}, count = 2;
    REFUSES("label 3 at pixel 3",
            clup_labels_keep(NULL, &image, &rule, labels, &count, NULL, NULL));
    REFUSES("clup_label_rule", clup_labels_keep(NULL, &image, &later, labels, &count, NULL, NULL));
    REFUSES("label 3 at pixel 3", clup_labels_fill_holes(context, &image, labels, 2, 0, NULL));
    none.connectivity = 5;
    REFUSES("5 neighbours", clup_labels_keep(NULL, &none, &rule, labels, &count, NULL, NULL));
    none = image;
    none.size[2] = 2;
    REFUSES("no image", clup_labels_fill_holes(context, &none, labels, 3, 0, NULL));
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    check_rules();
    check_large();
    for (unsigned k = 0; k < IMAGES; k++)
        for (uint32_t share = 7; share < 13; share += 2)
            for (uint64_t most = 0; most < 3; most += 2)
                check_holes(k, share, most);
    check_rings();
    check_refusals();
    clup_context_free(context);
    return done_testing();
}
