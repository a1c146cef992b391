/* SPDX-License-Identifier: BSD-3-Clause */
/* Which labels touch: on the device and on the host the same as by a look at all pixels around each
 * one, for all connectivities, sizes, axes that are periodic, and labels; in slabs, with tables
 * that are too small at first, and from a buffer of the device; and what is refused. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "clup.h"
#include "core/interface_entries.clh"
#include "core/random.clh"
#include "label/contacts.h"
#include "ocl/context.h"
#include "parts.h"
#include "tap.h"

static clup_context *context;

static uint64_t pixels_of(const clup_contact_problem *problem)
{
    return (uint64_t)problem->size[0] * problem->size[1] * problem->size[2];
}

/* Checks that a call is refused, with a detail that has some words. */
#define REFUSES(WORDS, CALL) \
    ok((CALL) == CLUP_ERROR_USAGE && strstr(clup_error_detail(), WORDS) != NULL, "refused: %s", \
       clup_error_detail())

/* ---- images ---------------------------------------------------------------------------------- */

enum { FEW, CELLS, GAPS, LARGE, DIFFERENT, NOTHING, ONE, KINDS };
static const char *const kinds[KINDS] = {"few labels",   "cells",         "labels with gaps",
                                         "large labels", "all different", "background",
                                         "one label"};

static uint32_t drawn(uint32_t seed, uint64_t k, uint32_t below)
{
    const random_key key = {.seed0 = seed};
    return random_block(key, 0, k, 0).v[0] % below;
}

static uint32_t label_of(unsigned kind, const clup_contact_problem *problem, uint64_t i)
{
    const uint32_t *size = problem->size;
    const uint32_t x = (uint32_t)(i % size[0]), y = (uint32_t)(i / size[0] % size[1]),
                   z = (uint32_t)(i / size[0] / size[1]);
    switch (kind) {
    case FEW: return drawn(1, i, 5);
    case CELLS: return drawn(2, x / 5 + 100 * (y / 4) + 10000 * (uint64_t)(z / 3), 200);
    case GAPS: return drawn(3, i, 3) * 1000 + 17 * drawn(4, i, 2);
    case LARGE: return UINT32_MAX - drawn(5, x / 2 + 1000 * (uint64_t)y, 9) * 400000000;
    case DIFFERENT: return (uint32_t)i;
    case ONE: return 7;
    default: return 0;
    }
}

static uint32_t *make(unsigned kind, const clup_contact_problem *problem)
{
    uint32_t *labels = malloc(pixels_of(problem) * sizeof *labels);
    for (uint64_t i = 0; i < pixels_of(problem); i++)
        labels[i] = label_of(kind, problem, i);
    return labels;
}

/* ---- the definition -------------------------------------------------------------------------- */

/* A contact as it is seen from one of its pixels: kind 0 to 2 is a face along an axis, 3 an edge, 4
 * a corner. */
typedef struct seen {
    uint32_t a, b;
    unsigned kind;
} seen;

static int compare(const void *one, const void *two)
{
    const seen *a = one, *b = two;
    return a->a != b->a ? (a->a < b->a ? -1 : 1) : a->b != b->b ? (a->b < b->b ? -1 : 1) : 0;
}

/* The most coordinates of neighbours that differ. */
static unsigned rank_of(unsigned connectivity)
{
    return connectivity == 4 || connectivity == 6 ? 1 : connectivity == 26 ? 3 : 2;
}

/* Whether the pixel at a place that may lie beyond the ends is there; *at becomes where. */
static bool is_there(const clup_contact_problem *problem, int64_t place, unsigned axis, int64_t *at)
{
    const int64_t size = problem->size[axis];
    *at = (place + size) % size;
    return *at == place || problem->periodic[axis];
}

/* Sees all contacts from both sides, so that each is there twice. */
static uint64_t see(const clup_contact_problem *problem, const uint32_t *labels, seen *to)
{
    const int64_t nx = problem->size[0], ny = problem->size[1];
    const bool plane = problem->connectivity == 4 || problem->connectivity == 8;
    uint64_t count = 0;
    for (int64_t i = 0; i < (int64_t)pixels_of(problem); i++)
        for (int step = 0; step < 27; step++) {
            const int dx = step % 3 - 1, dy = step / 3 % 3 - 1, dz = step / 9 - 1;
            const unsigned far = (dx != 0) + (dy != 0) + (dz != 0);
            int64_t x, y, z;
            if (far == 0 || far > rank_of(problem->connectivity) || (plane && dz != 0) ||
                !is_there(problem, i % nx + dx, 0, &x) ||
                !is_there(problem, i / nx % ny + dy, 1, &y) ||
                !is_there(problem, i / nx / ny + dz, 2, &z))
                continue;
            const uint32_t own = labels[i], other = labels[x + nx * (y + ny * z)];
            if (own != 0 && other != 0 && own != other)
                to[count++] = (seen){own < other ? own : other, own < other ? other : own,
                                     far > 1   ? far + 1
                                     : dx != 0 ? 0
                                     : dy != 0 ? 1
                                               : 2};
        }
    return count;
}

static clup_contacts by_definition(const clup_contact_problem *problem, const uint32_t *labels)
{
    seen *all = malloc((pixels_of(problem) * 26 + 1) * sizeof *all);
    const uint64_t count = see(problem, labels, all);
    clup_contacts wanted = {.pairs = malloc((count + 1) * sizeof *wanted.pairs)};
    qsort(all, count, sizeof *all, compare);
    for (uint64_t k = 0; k < count; k++) {
        if (k == 0 || compare(&all[k], &all[k - 1]) != 0)
            wanted.pairs[wanted.count++] = (clup_contact){.a = all[k].a, .b = all[k].b};
        clup_contact *pair = &wanted.pairs[wanted.count - 1];
        uint64_t *const sums[5] = {&pair->faces[0], &pair->faces[1], &pair->faces[2], &pair->edges,
                                   &pair->corners};
        ++*sums[all[k].kind];
    }
    for (uint64_t k = 0; k < wanted.count; k++) {
        clup_contact *pair = &wanted.pairs[k];
        uint64_t *const sums[5] = {&pair->faces[0], &pair->faces[1], &pair->faces[2], &pair->edges,
                                   &pair->corners};
        for (unsigned kind = 0; kind < 5; kind++)
            *sums[kind] /= 2;
        const double *length = problem->spacing;
        const bool plane = problem->connectivity == 4 || problem->connectivity == 8;
        const double z = plane ? 1 : length[2];
        pair->area = (double)pair->faces[0] * length[1] * z +
                     (double)pair->faces[1] * length[0] * z +
                     (double)pair->faces[2] * length[0] * length[1];
    }
    free(all);
    return wanted;
}

static bool is_same(const clup_contacts *one, const clup_contacts *two)
{
    return one->count == two->count &&
           memcmp(one->pairs, two->pairs, one->count * sizeof *one->pairs) == 0;
}

/* ---- the tests ------------------------------------------------------------------------------- */

/* Compares device, host and definition for one image. */
static void check(const clup_contact_problem *problem, unsigned kind)
{
    uint32_t *labels = make(kind, problem);
    clup_contacts wanted = by_definition(problem, labels), found, serial;
    clup_label_timing timing;
    NEED(clup_contacts_find(context, problem, labels, &found, &timing));
    NEED(clup_contacts_find(NULL, problem, labels, &serial, NULL));
    ok(is_same(&found, &wanted) && is_same(&serial, &wanted) && timing.wall_s > 0,
       "%s, %u x %u x %u, %u neighbours, periodic %d%d%d: %llu pairs, as by definition",
       kinds[kind], problem->size[0], problem->size[1], problem->size[2], problem->connectivity,
       problem->periodic[0], problem->periodic[1], problem->periodic[2],
       (unsigned long long)wanted.count);
    clup_contacts_clear(&found);
    clup_contacts_clear(&serial);
    free(wanted.pairs);
    free(labels);
}

/* Spacings whose products are exact, so that areas are the same however they are added up. */
#define SPACING \
    { \
        0.5, 2, 3 \
    }

static void check_images(void)
{
    static const clup_contact_problem problems[] = {
        {.size = {70, 45, 1}, .connectivity = 4, .spacing = SPACING},
        {.size = {300, 37, 1}, .connectivity = 8, .periodic = {1, 1}, .spacing = SPACING},
        {.size = {1, 67, 1}, .connectivity = 8, .spacing = SPACING},
        {.size = {600, 1, 1}, .connectivity = 4, .periodic = {1, 0}, .spacing = SPACING},
        {.size = {2, 2, 1}, .connectivity = 8, .periodic = {1, 1}, .spacing = SPACING},
        {.size = {37, 11, 18}, .connectivity = 6, .spacing = SPACING},
        {.size = {33, 9, 17}, .connectivity = 18, .periodic = {0, 1, 0}, .spacing = SPACING},
        {.size = {40, 17, 19}, .connectivity = 26, .spacing = SPACING},
        {.size = {31, 8, 16}, .connectivity = 26, .periodic = {1, 1, 1}, .spacing = SPACING},
        {.size = {1, 1, 40}, .connectivity = 26, .spacing = SPACING},
        {.size = {2, 1, 2}, .connectivity = 26, .periodic = {1, 1, 1}, .spacing = SPACING},
    };
    for (unsigned k = 0; k < sizeof problems / sizeof *problems; k++)
        for (unsigned kind = 0; kind < KINDS; kind++)
            check(&problems[k], kind);
}

/* Looks in slabs of few layers, with a table that is too small. */
static void check_slabs(void)
{
    static const clup_contact_problem problems[] = {
        {.size = {70, 45, 1}, .connectivity = 8, .periodic = {0, 1}, .spacing = SPACING},
        {.size = {40, 17, 19}, .connectivity = 26, .periodic = {1, 0, 1}, .spacing = SPACING},
        {.size = {40, 17, 19}, .connectivity = 18, .spacing = SPACING},
    };
    for (unsigned k = 0; k < sizeof problems / sizeof *problems; k++)
        for (uint64_t layers = 1; layers < 30; layers += 4) {
            clup_contacts_piece = layers * problems[k].size[0] *
                                  (problems[k].connectivity == 8 ? 1 : problems[k].size[1]);
            clup_contacts_first_places = layers > 8 ? 2 : 64;
            check(&problems[k], layers % 8 == 1 ? DIFFERENT : CELLS);
        }
    clup_contacts_piece = clup_contacts_first_places = 0;
}

/* A device without room for a larger table looks at fewer layers at a time, and says so where one
 * layer has too many pairs. */
static void check_memory(void)
{
    const clup_contact_problem problem = {
        .size = {40, 40, 40}, .connectivity = 26, .spacing = SPACING};
    const cl_ulong most = context->max_alloc;
    uint32_t *labels = make(DIFFERENT, &problem);
    clup_contacts found;
    context->max_alloc = 1 << 21;
    clup_contacts_first_places = 1 << 10;
    check(&problem, DIFFERENT);
    context->max_alloc = 1 << 18;
    ok(clup_contacts_find(context, &problem, labels, &found, NULL) == CLUP_ERROR_MEMORY &&
           found.count == 0 && found.pairs == NULL,
       "no room for the pairs of a layer");
    context->max_alloc = most;
    clup_contacts_first_places = 0;
    free(labels);
}

/* Looks at labels that are in a buffer, in one go and in pieces. */
static void check_buffer(void)
{
    const clup_contact_problem problem = {
        .size = {40, 17, 19}, .connectivity = 26, .periodic = {0, 0, 1}, .spacing = SPACING};
    const uint64_t bytes = pixels_of(&problem) * sizeof(uint32_t);
    uint32_t *labels = make(CELLS, &problem);
    clup_contacts wanted = by_definition(&problem, labels), found;
    cl_mem buffer = NULL;
    NEED(clup_buffer_create(context, bytes, "labels", &buffer));
    NEED(clup_buffer_write(context, buffer, 0, bytes, labels));
    for (unsigned layers = 0; layers < 20; layers += 5) {
        clup_contacts_piece = (uint64_t)layers * problem.size[0] * problem.size[1];
        NEED(clup_contacts_find_buffer(context, &problem, buffer, &found, NULL));
        ok(is_same(&found, &wanted), "labels of a buffer, %u layers at a time", layers);
        clup_contacts_clear(&found);
    }
    clup_contacts_piece = 0;
    clup_buffer_free(context, buffer);
    free(wanted.pairs);
    free(labels);
}

/* What processes search together. */
static struct {
    const clup_contact_problem *problem;
    const uint32_t *labels;
    clup_contacts found[PARTS_MOST];
} shared;

static clup_status find_part(uint32_t part)
{
    const clup_contact_problem *problem = shared.problem;
    const bool plane = problem->connectivity < 6 || problem->connectivity == 8;
    const uint32_t layers = problem->size[plane ? 1 : 2];
    const uint64_t layer = problem->size[0] * (plane ? (uint64_t)1 : problem->size[1]);
    return clup_contacts_find(
        context, problem, shared.labels + part_first(layers, part, parts[0].ranks.count) * layer,
        &shared.found[part], NULL);
}

/* Several processes, each of which has some layers, find what one does. */
static void check_parts(void)
{
    static const clup_contact_problem problems[] = {
        {.size = {70, 45, 1}, .connectivity = 8, .periodic = {0, 1}, .spacing = SPACING},
        {.size = {33, 9, 1}, .connectivity = 4, .spacing = SPACING},
        {.size = {20, 17, 9}, .connectivity = 26, .periodic = {1, 0, 1}, .spacing = SPACING},
        {.size = {20, 17, 9}, .connectivity = 18, .spacing = SPACING},
    };
    for (unsigned k = 0; k < sizeof problems / sizeof *problems; k++)
        for (uint32_t count = 2; count <= 9; count += 7) {
            uint32_t *labels = make(CELLS, &problems[k]);
            clup_contacts wanted = by_definition(&problems[k], labels);
            bool same = wanted.count > 0;
            shared.problem = &problems[k];
            shared.labels = labels;
            clup_contacts_piece = k % 2 == 0 ? 400 : 0;
            parts_begin(count, false);
            parts_run(context, find_part);
            clup_contacts_piece = 0;
            for (uint32_t p = 0; p < count; p++) {
                NEED(parts[p].status);
                same = same && is_same(&shared.found[p], &wanted);
                clup_contacts_clear(&shared.found[p]);
            }
            ok(same, "%u processes find the contacts of one, of %u x %u x %u, %u neighbours", count,
               problems[k].size[0], problems[k].size[1], problems[k].size[2],
               problems[k].connectivity);
            free(wanted.pairs);
            free(labels);
        }
}

static void check_refusals(void)
{
    const clup_contact_problem good = {.size = {2, 2, 1}, .connectivity = 4};
    const uint32_t labels[4] = {1, 2, 2, 1};
    clup_contact_problem bad;
    clup_contacts found;
#define BAD(FIELD, VALUE, WHAT) \
    bad = good; \
    bad.FIELD = VALUE; \
    REFUSES(WHAT, clup_contacts_find(context, &bad, labels, &found, NULL));
    BAD(connectivity, 5, "connectivity 5")
    BAD(size[0], 0, "no image")
    BAD(size[2], 2, "no image")
    BAD(size[0], 1u << 30, "2^29")
    BAD(periodic[2], 1, "axis z")
    BAD(spacing[1], -1, "spacing -1 along y")
    BAD(spacing[0], NAN, "spacing nan along x")
    BAD(spacing[0], INFINITY, "spacing inf along x")
    BAD(reserved[3], 1, "clup_contact_problem")
    NEED(clup_contacts_find(context, &good, labels, &found, NULL));
    ok(found.count == 1 && found.pairs->area == 4, "spacing 0 is 1");
    REFUSES("pair 0", clup_contacts_write("-", &found, 1));
    REFUSES(".csv or .npz", clup_contacts_write("x.txt", &found, 2));
    found.axes = 4;
    REFUSES("4 axes", clup_contacts_write("-", &found, 2));
    clup_contacts_clear(&found);
}

int main(void)
{
    NEED(clup_context_create(NULL, &context));
    check_images();
    check_slabs();
    check_memory();
    check_buffer();
    check_parts();
    check_refusals();
    clup_context_free(context);
    return done_testing();
}
