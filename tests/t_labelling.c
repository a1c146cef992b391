/* Labelling of images: all neighbourhoods, types of pixels, matches and sizes against a serial labelling, label by label. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "tap.h"

typedef struct picture {
    clup_label_problem problem;
    uint64_t sites;
    double *values; /* [sites*channels] */
    void *pixels;
} picture;

static uint32_t noise_state = 1;

static uint32_t noise(uint32_t below)
{
    noise_state = noise_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)(noise_state ^ noise_state >> 15) * below) >> 32);
}

static void put(const picture *picture, uint64_t k, double value)
{
    switch (picture->problem.dtype) {
    case CLUP_DTYPE_U8: ((uint8_t *)picture->pixels)[k] = (uint8_t)value; break;
    case CLUP_DTYPE_U16: ((uint16_t *)picture->pixels)[k] = (uint16_t)value; break;
    case CLUP_DTYPE_U32: ((uint32_t *)picture->pixels)[k] = (uint32_t)value; break;
    case CLUP_DTYPE_I8: ((int8_t *)picture->pixels)[k] = (int8_t)value; break;
    case CLUP_DTYPE_I16: ((int16_t *)picture->pixels)[k] = (int16_t)value; break;
    case CLUP_DTYPE_I32: ((int32_t *)picture->pixels)[k] = (int32_t)value; break;
    case CLUP_DTYPE_F32: ((float *)picture->pixels)[k] = (float)value; break;
    default: break;
    }
    picture->values[k] = value;
}

static bool in_foreground(const picture *picture, uint64_t i)
{
    const clup_label_problem *problem = &picture->problem;
    const double *value = picture->values + i * problem->channels;
    bool background = problem->has_background, any = false;
    for (unsigned c = 0; c < problem->channels; c++) {
        background = background && value[c] == problem->background[c];
        any = any || (c < 3 && value[c] > (problem->match == CLUP_MATCH_THRESHOLD ? problem->level : 0)) || (c < 3 && problem->match == CLUP_MATCH_NONZERO && value[c] != 0);
    }
    return problem->match == CLUP_MATCH_EQUAL || problem->match == CLUP_MATCH_TOLERANCE ? !background : any;
}

static bool matches(const picture *picture, uint64_t i, uint64_t k)
{
    const clup_label_problem *problem = &picture->problem;
    const double *a = picture->values + i * problem->channels, *b = picture->values + k * problem->channels;
    bool all = in_foreground(picture, i) && in_foreground(picture, k);
    for (unsigned c = 0; c < problem->channels; c++) {
        if (problem->match == CLUP_MATCH_EQUAL)
            all = all && a[c] == b[c];
        if (problem->match == CLUP_MATCH_TOLERANCE)
            all = all && fabs(a[c] - b[c]) <= problem->level;
    }
    return all;
}

/* Floods from each pixel in raster order that has no label yet. */
static uint32_t flood(const picture *picture, uint32_t *numbers, uint32_t *canonical)
{
    const clup_label_problem *problem = &picture->problem;
    const uint32_t *size = problem->size;
    const int reach = problem->connectivity == 4 || problem->connectivity == 6 ? 1 : problem->connectivity == 18 || problem->connectivity == 8 ? 2 : 3;
    const int deep = problem->connectivity == 4 || problem->connectivity == 8 ? 0 : 1;
    uint64_t *queue = malloc(picture->sites * sizeof *queue);
    uint32_t count = 0;
    memset(numbers, 0, picture->sites * sizeof *numbers);
    memset(canonical, 0xFF, picture->sites * sizeof *canonical);
    for (uint64_t first = 0; first < picture->sites; first++) {
        if (numbers[first] != 0 || !in_foreground(picture, first))
            continue;
        uint64_t head = 0, tail = 0;
        queue[tail++] = first;
        numbers[first] = ++count;
        while (head < tail) {
            const uint64_t i = queue[head++];
            const int64_t at[3] = {(int64_t)(i % size[0]), (int64_t)(i / size[0] % size[1]), (int64_t)(i / size[0] / size[1])};
            canonical[i] = (uint32_t)first;
            for (int dz = -deep; dz <= deep; dz++)
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        const int step[3] = {dx, dy, dz};
                        uint64_t to[3];
                        bool there = abs(dx) + abs(dy) + abs(dz) <= reach;
                        for (unsigned axis = 0; axis < 3; axis++) {
                            const int64_t length = size[axis], k = at[axis] + step[axis];
                            there = there && ((k >= 0 && k < length) || problem->periodic[axis]);
                            to[axis] = (uint64_t)((k + length) % length);
                        }
                        const uint64_t k = to[0] + size[0] * (to[1] + size[1] * to[2]);
                        if (there && numbers[k] == 0 && matches(picture, i, k)) {
                            numbers[k] = count;
                            queue[tail++] = k;
                        }
                    }
        }
    }
    free(queue);
    return count;
}

static void check(clup_context *context, clup_label_problem problem, unsigned colours, const char *what)
{
    picture picture = {.problem = problem, .sites = (uint64_t)problem.size[0] * problem.size[1] * problem.size[2]};
    const uint64_t values = picture.sites * problem.channels;
    uint32_t *labels = malloc(4 * picture.sites), *numbers = malloc(4 * picture.sites), *canonical = malloc(4 * picture.sites), count = 0;
    clup_labelling *labelling = NULL;
    clup_label_timing timing;
    picture.values = malloc(values * sizeof *picture.values);
    picture.pixels = malloc(values * clup_dtype_bytes(problem.dtype));
    const bool negative = problem.dtype >= CLUP_DTYPE_I8;
    for (uint64_t k = 0; k < values; k++)
        put(&picture, k, (double)noise(colours) - (negative ? colours / 2 : 0));
    const uint32_t wanted = flood(&picture, numbers, canonical);
    clup_status status = clup_labelling_create(context, &problem, &labelling);
    if (status == CLUP_OK)
        status = clup_labelling_run(labelling, picture.pixels, CLUP_LABELS_NUMBERED, labels, &count, &timing);
    ok(status == CLUP_OK && count == wanted && memcmp(labels, numbers, 4 * picture.sites) == 0, "%s, %ux%ux%u, connectivity %u: %u clusters, %u wanted: %s", what,
       problem.size[0], problem.size[1], problem.size[2], problem.connectivity, count, wanted, status == CLUP_OK ? "" : clup_error_detail());
    if (status == CLUP_OK)
        status = clup_labelling_run(labelling, picture.pixels, CLUP_LABELS_CANONICAL, labels, NULL, NULL);
    ok(status == CLUP_OK && memcmp(labels, canonical, 4 * picture.sites) == 0, "%s: canonical", what);
    clup_labelling_free(labelling);
    free(labels), free(numbers), free(canonical), free(picture.values), free(picture.pixels);
}

static void check_error(clup_context *context, clup_label_problem problem, const char *says)
{
    clup_labelling *labelling = NULL;
    clup_status status = clup_labelling_create(context, &problem, &labelling);
    ok(status == CLUP_ERROR_USAGE && labelling == NULL && strstr(clup_error_detail(), says) != NULL, "refused: %s (%s)", says, clup_error_detail());
}

int main(void)
{
    static const unsigned kinds[] = {4, 8, 6, 18, 26};
    static const uint32_t sizes[][3] = {{1, 1, 1}, {33, 1, 1}, {1, 50, 1}, {31, 33, 1}, {100, 70, 1}, {129, 65, 1}, {7, 6, 5}, {40, 9, 10}, {1, 3, 40}, {65, 17, 9}};
    clup_context *context;
    NEED(clup_context_create(NULL, &context));
    for (unsigned k = 0; k < 5; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            clup_label_problem problem = {.size = {sizes[s][0], sizes[s][1], sizes[s][2]}, .connectivity = kinds[k], .dtype = CLUP_DTYPE_U8, .channels = 1, .match = CLUP_MATCH_NONZERO};
            if (kinds[k] < 6 || kinds[k] == 8 ? sizes[s][2] > 1 : false)
                continue;
            check(context, problem, kinds[k] > 8 ? 1 + (s % 3 == 0) : 2, "foreground");
            problem.match = CLUP_MATCH_EQUAL;
            check(context, problem, 2, "two colours");
            problem.periodic[s % 3] = problem.periodic[(s + 1) % 3] = 1;
            check(context, problem, 3, "three colours, periodic");
        }
    for (clup_dtype dtype = CLUP_DTYPE_U8; dtype < CLUP_DTYPES; dtype++) {
        clup_label_problem problem = {.size = {77, 45, 1}, .connectivity = 4, .dtype = dtype, .channels = 1, .match = CLUP_MATCH_EQUAL, .has_background = 1, .background = {1}};
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
    const clup_label_problem good = {.size = {8, 8, 1}, .connectivity = 4, .dtype = CLUP_DTYPE_U8, .channels = 1};
    clup_label_problem bad = good;
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
    clup_context_free(context);
    return done_testing();
}
