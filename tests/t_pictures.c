/* SPDX-License-Identifier: BSD-3-Clause */
/* Pictures of many kinds, sizes and types of pixels against the serial definition of labelling,
 * label by label: waves, rings, blobs, text, grains, clouds, dots and photographs, which have empty
 * and full tiles. The plan is the planner's, a random one, or one in a layout of other devices.
 *
 *   t_pictures [brief | kernels [NAME] | PICTURES LARGEST SEED [PHOTOGRAPH...]]
 *
 * kernels: labels a small picture with one empty and one full tile, by each able kernel of local
 * labelling, whichever is the fastest.
 * PICTURES: the number of pictures, whose sides have at most LARGEST pixels; volumes have as many
 * pixels. In an eighth of the planes, one side has at least LARGEST/2 pixels.
 * PHOTOGRAPH: a file that clup label reads, with gray pixels of 8 bits, repeated to fill the
 * picture. */
#include <stdio.h>
#include <string.h>

#include "base/dtype.h"
#include "family/family.h"
#include "plan/tables.h"
#include "shades.h"
#include "tap.h"
#include "label/labelling.h"

typedef struct setting {
    uint64_t seed, drawn; /* drawn: how many numbers of the seed are used up */
    uint32_t largest;
    const clup_image *photos;
    unsigned photo_count;
} setting;

static uint64_t draw(setting *from, uint64_t below)
{
    return mixed(from->seed * 1000003 + from->drawn++) % below;
}

static double draw_unit(setting *from)
{
    return (double)draw(from, 1 << 30) / (1 << 30);
}

/* Draws a side of 1 to most pixels, with uniform logarithm: 1 to 10 as often as 10 to 100. */
static uint32_t draw_side(setting *from, double least, double most)
{
    return (uint32_t)(least * pow(most / least, draw_unit(from)));
}

static void draw_size(setting *from, bool volume, uint32_t size[3])
{
    const bool large = draw(from, 8) == 0;
    const double most = volume ? cbrt((double)from->largest * from->largest) : from->largest;
    for (unsigned axis = 0; axis < 3; axis++)
        size[axis] = axis == 2 && !volume ? 1 : draw_side(from, large ? most / 2 : 1, most + 0.999);
    if (!large && draw(from, 4) == 0)
        size[draw(from, volume ? 3 : 2)] = 1;
}

static clup_label_problem draw_problem(setting *from)
{
    static const unsigned connectivities[] = {4, 4, 4, 8, 8, 6, 18, 26};
    static const clup_dtype dtypes[] = {CLUP_DTYPE_U8,  CLUP_DTYPE_U8,  CLUP_DTYPE_U16,
                                        CLUP_DTYPE_I32, CLUP_DTYPE_F32, CLUP_DTYPE_F64,
                                        CLUP_DTYPE_I64, CLUP_DTYPE_I8,  CLUP_DTYPE_U32};
    static const unsigned channels[] = {1, 1, 1, 1, 3, 4};
    clup_label_problem problem = {
        .connectivity = connectivities[draw(from, sizeof connectivities / sizeof(unsigned))],
        .match = (clup_match)draw(from, CLUP_MATCHES),
        .dtype = dtypes[draw(from, sizeof dtypes / sizeof *dtypes)],
        .channels = channels[draw(from, sizeof channels / sizeof *channels)],
    };
    const bool volume = problem.connectivity == 6 || problem.connectivity > 8;
    draw_size(from, volume, problem.size);
    for (unsigned axis = 0; axis < (volume ? 3 : 2); axis++)
        problem.periodic[axis] = draw(from, 6) == 0;
    if (problem.match == CLUP_MATCH_BONDS)
        problem.dtype = CLUP_DTYPE_U16, problem.channels = 1;
    if (problem.match == CLUP_MATCH_EQUAL || problem.match == CLUP_MATCH_TOLERANCE)
        problem.has_background = draw(from, 3) > 0;
    if (problem.match == CLUP_MATCH_TOLERANCE)
        problem.level = (double)draw(from, 4);
    if (problem.match == CLUP_MATCH_THRESHOLD)
        problem.level = (double)(20 + draw(from, 60));
    return problem;
}

/* Sets the value of a pixel: its shade in steps, or whether it is above a threshold. */
static void put(const clup_label_problem *problem, void *pixels, uint64_t k, double value)
{
    clup_value_put(problem->dtype, pixels, k, clup_value_bits(problem->dtype, value, 0));
}

static void paint(const clup_label_problem *problem, const shades *shades, double level,
                  unsigned steps, void *pixels)
{
    const uint32_t *size = problem->size;
    uint64_t k = 0;
    for (uint32_t z = 0; z < size[2]; z++)
        for (uint32_t y = 0; y < size[1]; y++)
            for (uint32_t x = 0; x < size[0]; x++) {
                const double gray = shade(shades, x, y, z);
                if (problem->match == CLUP_MATCH_BONDS)
                    put(problem, pixels, k,
                        gray < level ? 0 : (double)(mixed(k) >> (k % 7 == 0 ? 48 : 51)));
                else
                    for (unsigned c = 0; c < problem->channels; c++)
                        put(problem, pixels, k * problem->channels + c,
                            problem->match == CLUP_MATCH_NONZERO ? (gray > level) * (1 + c)
                                                                 : floor(gray * steps));
                k++;
            }
}

/* Makes a labelling with the planner's plan or, for a small picture, also with a random plan or in
 * another layout. */
static clup_status make(clup_context *context, setting *from, const clup_label_problem *problem,
                        uint64_t pixels, clup_labelling **out)
{
    static const char *const layouts[] = {"border", "bands", "word"};
    const clup_problem image = {.model = CLUP_IMAGE, .image = problem};
    const unsigned way = pixels > 1 << 18 ? 0 : (unsigned)draw(from, 4);
    clup_plan_request request = {.strategy = CLUP_PLAN_RANDOM, .seed = draw(from, 1000)};
    clup_plan plan;
    *out = NULL;
    if (way == 1 && clup_plan_choose(context, &image, NULL, &request, &plan) == CLUP_OK)
        return clup_labelling_create_only(context, problem, &plan, out);
    clup_label_layout = way == 2 ? layouts[draw(from, 3)] : NULL;
    clup_status status = clup_labelling_create(context, problem, out);
    if (status == CLUP_ERROR_USAGE && clup_label_layout != NULL) {
        clup_label_layout = NULL;
        status = clup_labelling_create(context, problem, out);
    }
    clup_label_layout = NULL;
    return status;
}

/* Numbers the clusters of canonical labels. Returns the number of clusters. */
static uint32_t number(const uint32_t *canonical, uint64_t pixels, uint32_t *numbers)
{
    uint32_t count = 0;
    for (uint64_t k = 0; k < pixels; k++)
        numbers[k] = canonical[k] == UINT32_MAX ? 0
                     : canonical[k] == k        ? ++count
                                                : numbers[canonical[k]];
    return count;
}

static bool labels_are(clup_labelling *labelling, const void *pixels, clup_label_form form,
                       const uint32_t *wanted, uint64_t count, uint32_t clusters, uint32_t *labels,
                       clup_status *status)
{
    uint32_t found = 0;
    memset(labels, 0x5A, 4 * count);
    *status = clup_labelling_run(labelling, pixels, form, labels, &found, NULL);
    return *status == CLUP_OK && found == clusters && memcmp(labels, wanted, 4 * count) == 0;
}

static void check_picture(clup_context *context, setting *from)
{
    const clup_label_problem problem = draw_problem(from);
    const uint64_t count = (uint64_t)problem.size[0] * problem.size[1] * problem.size[2];
    const shades shades = {.seed = draw(from, 1 << 30),
                           .kind = (unsigned)draw(from,
                                                  from->photo_count > 0 ? SHADES + 4 : PHOTOGRAPH),
                           .scale = exp(4.2 * draw_unit(from)),
                           .photo = from->photo_count > 0
                                        ? &from->photos[draw(from, from->photo_count)]
                                        : NULL},
                 *used = &shades;
    struct shades photograph = shades;
    photograph.kind = PHOTOGRAPH;
    used = shades.kind >= PHOTOGRAPH ? &photograph : &shades;
    static const unsigned all_steps[] = {2, 3, 8, 100};
    const unsigned steps = problem.match == CLUP_MATCH_THRESHOLD ||
                                   problem.match == CLUP_MATCH_TOLERANCE
                               ? 100
                               : all_steps[draw(from, 4)];
    const double level = 0.2 + 0.6 * draw_unit(from);
    void *pixels = calloc(count * problem.channels, clup_dtype_bytes(problem.dtype));
    uint32_t *canonical = malloc(12 * count + 4), *numbers = canonical + count,
             *labels = numbers + count;
    clup_labelling *labelling = NULL;
    paint(&problem, used, level, steps, pixels);
    clup_label_reference(&problem, pixels, canonical);
    const uint32_t clusters = number(canonical, count, numbers);
    clup_status status = make(context, from, &problem, count, &labelling);
    bool right = status == CLUP_OK;
    for (unsigned k = 0; k < 2; k++)
        right = right &&
                labels_are(labelling, pixels, CLUP_LABELS_CANONICAL, canonical, count, clusters,
                           labels, &status) &&
                labels_are(labelling, pixels, CLUP_LABELS_NUMBERED, numbers, count, clusters,
                           labels, &status);
    const clup_plan *plan = labelling != NULL ? clup_labelling_plan(labelling) : NULL;
    ok(right,
       "seed %llu: %s of %.3g, %u x %u x %u, connectivity %u, periodic %d%d%d, match %d level "
       "%g%s, "
       "%s, %u channels, %s + %s + %s + %s: %s",
       (unsigned long long)from->seed, shade_names[used->kind], used->scale, problem.size[0],
       problem.size[1], problem.size[2], problem.connectivity, problem.periodic[0],
       problem.periodic[1], problem.periodic[2], (int)problem.match, problem.level,
       problem.has_background ? " background" : "", clup_dtype_name(problem.dtype),
       problem.channels, plan != NULL ? plan->source : "", plan != NULL ? plan->local : "",
       plan != NULL ? plan->consolidate : "", plan != NULL ? plan->action : "",
       status == CLUP_OK ? right ? "right" : "wrong labels" : clup_error_detail());
    clup_labelling_free(labelling);
    free(pixels);
    free(canonical);
}

/* Whether the sites of a planned tile of 32 x 32 pixels are foreground: 1 for a full, 0 for an
 * empty tile, -1 for neither. */
static int tile_of(const clup_label_problem *problem, uint64_t k)
{
    const uint32_t x = (uint32_t)(k % problem->size[0]) / 32;
    return x == 1 ? 0 : x == 2 ? 1 : -1;
}

/* Labels a picture by one kernel of local labelling, if it is able. */
static void check_kernel(clup_context *context, const clup_label_problem *problem,
                         const char *kernel)
{
    const uint64_t count = (uint64_t)problem->size[0] * problem->size[1] * problem->size[2];
    const clup_problem image = {.model = CLUP_IMAGE, .image = problem};
    const clup_plan_request request = {.local = kernel};
    clup_plan plan;
    uint8_t *pixels = malloc(count);
    uint32_t *canonical = malloc(12 * count), *numbers = canonical + count,
             *labels = numbers + count;
    clup_labelling *labelling = NULL;
    clup_status status = clup_plan_choose(context, &image, NULL, &request, &plan);
    if (status == CLUP_OK) {
        for (uint64_t k = 0; k < count; k++) {
            const int all = tile_of(problem, k);
            pixels[k] = all >= 0 ? (uint8_t)all : mixed(k) % 5 < 2;
        }
        clup_label_reference(problem, pixels, canonical);
        const uint32_t clusters = number(canonical, count, numbers);
        NEED(clup_labelling_create_only(context, problem, &plan, &labelling));
        ok(labels_are(labelling, pixels, CLUP_LABELS_NUMBERED, numbers, count, clusters, labels,
                      &status),
           "%s + %s + %s + %s, %u neighbours, match %d: %s", plan.source, plan.local,
           plan.consolidate, plan.action, problem->connectivity, (int)problem->match,
           status == CLUP_OK ? "labels" : clup_error_detail());
    }
    clup_labelling_free(labelling);
    free(canonical);
    free(pixels);
}

/* Tries each local kernel for images, or if name is not NULL that one. */
static void check_kernels(clup_context *context, const char *name)
{
    static const unsigned connectivities[] = {4, 8, 6, 26};
    for (unsigned k = 0; k < sizeof connectivities / sizeof *connectivities; k++)
        for (unsigned match = k % 2; match < (k > 1 ? k % 2 + 1 : 2); match++) {
            clup_label_problem problem = {.size = {98, k < 2 ? 34 : 5, k < 2 ? 1 : 3},
                                          .connectivity = connectivities[k],
                                          .dtype = CLUP_DTYPE_U8,
                                          .channels = 1,
                                          .match = match ? CLUP_MATCH_EQUAL : CLUP_MATCH_NONZERO};
            for (size_t row = 0; row < clup_locals.count; row++)
                if (clup_variant_is_for(&clup_locals.variants[row], CLUP_IMAGE) &&
                    (name == NULL || strcmp(name, clup_locals.variants[row].name) == 0))
                    check_kernel(context, &problem, clup_locals.variants[row].name);
        }
}

int main(int count, char **words)
{
    const bool kernels = (count == 2 || count == 3) && strcmp(words[1], "kernels") == 0;
    const bool brief = count == 2 && strcmp(words[1], "brief") == 0;
    const unsigned pictures = count > 3 ? (unsigned)atoi(words[1]) : kernels ? 0 : brief ? 60 : 120;
    setting from = {.largest = count > 3 ? (uint32_t)atoi(words[2]) : 300,
                    .photo_count = count > 4 ? (unsigned)count - 4 : 0};
    const uint64_t seed = count > 3 ? strtoull(words[3], NULL, 10) : 1;
    clup_image *photos = calloc(from.photo_count + 1, sizeof *photos);
    clup_context *context;
    for (unsigned k = 0; k < from.photo_count; k++) {
        NEED(clup_image_read(words[4 + k], NULL, &photos[k]));
        if (photos[k].dtype != CLUP_DTYPE_U8 || photos[k].channels != 1 || photos[k].axes != 2) {
            printf("Bail out! %s is not gray with 8 bits\n", words[4 + k]);
            return 1;
        }
    }
    from.photos = photos;
    NEED(clup_context_create(NULL, &context));
    printf("# on %s\n", clup_context_device(context)->name);
    if (kernels)
        check_kernels(context, count > 2 ? words[2] : NULL);
    for (unsigned k = 0; k < pictures; k++) {
        from.seed = seed * 1000000 + k;
        from.drawn = 0;
        check_picture(context, &from);
    }
    clup_context_free(context);
    for (unsigned k = 0; k < from.photo_count; k++)
        clup_image_clear(&photos[k]);
    free(photos);
    return done_testing();
}
