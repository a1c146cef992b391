/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the kernel variants of a device once, for later plans. */
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "core/disorder.h"
#include "core/couplings.h"
#include "core/matrix.h"
#include "core/vector.h"
#include "core/image.h"
#include "ocl/context.h"
#include "core/model.h"
#include "plan/database.h"
#include "plan/fit.h"
#include "plan/tables.h"
#include "program.h"

/* Sides and tiles that are measured, by type of device and thoroughness; 0 ends each list. Single
 * systems of all sides are measured, and several systems of the smaller sides, with variants
 * without tiles: the others take as long for many systems as for one with as many sites. A variant
 * with a single predicted time of more than most_s seconds is left out. A GPU's kernels must be
 * measured in less than four minutes, of which the compiler takes most. */
static const struct grid {
    const char *type;
    int quick;
    unsigned sizes[6], tiles[6], sides[5], systems[5]; /* each with a 0 after its last */
    double most_s, seconds;
} grids[] = {
    {"gpu",
     0,
     {256, 512, 1024, 4096, 16384},
     {4, 8, 16, 32, 64},
     {16, 32, 64, 128},
     {1, 32, 1024, 16384},
     0.1,
     0.04},
    {"gpu", 1, {256, 1024, 4096}, {4, 8, 16, 32, 64}, {16, 64}, {1, 1024}, 0.1, 0.04},
    {"", 0, {64, 256, 1024, 2048}, {4, 8, 16, 32, 64}, {16, 64}, {1, 32, 1024}, 1.5, 0.5},
    {"", 1, {64, 256}, {8, 16, 32, 64}, {16, 64}, {1, 16}, 0.3, 0.1},
};

struct clup_tuning {
    clup_context *context;
    const struct grid *grid;
    int quick, finished;
    clup_samples samples;
    size_t before; /* samples that come from an unfinished tuning */
    clup_fit *fits;
    size_t fit_count;
    clup_tune_progress *progress;
    void *user;
    size_t done, total;
};

static size_t length_of(const unsigned *list)
{
    size_t length = 0;
    while (list[length] > 0)
        length++;
    return length;
}

/* What is measured for each size: a Potts model, then images, with variants that are for images
 * only: of pixels that match in pairs, and of a foreground. */
enum { LATTICE, PAIRS, FOREGROUND, KINDS };

static clup_problem problem_of(unsigned kind, unsigned size, unsigned systems,
                               clup_label_problem *image)
{
    const clup_problem lattice = {.size = {size, size},
                                  .periodic = {1, 1},
                                  .replicas = systems,
                                  .q = 2,
                                  .beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2)};
    *image = (clup_label_problem){.size = {size, size, 1},
                                  .connectivity = 4,
                                  .dtype = CLUP_DTYPE_U8,
                                  .channels = 1,
                                  .match = kind == PAIRS ? CLUP_MATCH_EQUAL : CLUP_MATCH_NONZERO};
    return kind == LATTICE ? lattice : clup_image_pixels(image);
}

/* Whether a variant is measured: it works with Swendsen-Wang and Philox, or, for an image, is for
 * images only. */
static int wanted(const clup_tuning *tuning, const clup_variant *variant,
                  const clup_problem *problem, const clup_layout *layout, unsigned tile)
{
    clup_setting setting = {.couplings = clup_bonds_differ(problem),
                            .classes = clup_problem_classes(problem).count,
                            .field = clup_has_field(problem),
                            .matrix = clup_has_matrix(problem),
                            .sized = clup_has_sizes(problem),
                            .vectors = clup_spin_numbers(problem) > 0,
                            .lattice = clup_lattice_args(problem),
                            .q = 2,
                            .layout = layout,
                            .tile = {tile, tile, 1},
                            .replicas = problem->replicas,
                            .model = problem->model,
                            .image = problem->image};
    if (clup_model_of(problem->model)->runner == CLUP_RUNNER_labelling &&
        variant->models != CLUP_ON(problem->model))
        return 0;
    return clup_generator_named(NULL, &setting.rng) == CLUP_OK &&
           clup_variant_check(variant, tuning->context, &setting) == CLUP_OK;
}

static int too_long(const clup_tuning *tuning, const clup_variant *variant,
                    const clup_layout *layout, const clup_problem *problem, unsigned tile)
{
    const double side = problem->size[0], systems = clup_problem_replicas(problem),
                 ps = clup_samples_predict(&tuning->samples, variant->stage, variant->name,
                                           layout->name, tile, side, systems);
    return 1e-12 * ps * side * side * systems > tuning->grid->most_s;
}

/* Whether an unfinished tuning contains this sample. */
static int known(const clup_tuning *tuning, const clup_variant *variant, const clup_layout *layout,
                 const clup_problem *problem, unsigned tile)
{
    for (size_t k = 0; k < tuning->before; k++) {
        const clup_sample *sample = &tuning->samples.items[k];
        if (sample->stage == variant->stage && strcmp(sample->kernel, variant->name) == 0 &&
            strcmp(sample->bonds, layout->name) == 0 && sample->size == problem->size[0] &&
            sample->systems == clup_problem_replicas(problem) && sample->tile == tile)
            return 1;
    }
    return 0;
}

/* Measures all variants of a stage on one system. */
static clup_status measure_stage(clup_tuning *tuning, clup_trial *trial,
                                 const clup_problem *problem, const clup_layout *layout,
                                 clup_stage stage)
{
    static const unsigned none[] = {16, 0};
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < clup_table_of(stage)->count; k++) {
        const clup_variant *variant = &clup_table_of(stage)->variants[k];
        for (const unsigned *tile = clup_variant_has_tiles(variant) ? tuning->grid->tiles : none;
             *tile > 0; tile++) {
            clup_sample sample;
            unsigned of = clup_variant_has_tiles(variant) ? *tile : 0;
            clup_task_done(tuning->done);
            if (tuning->progress != NULL &&
                tuning->progress(tuning->done, tuning->total, tuning->user))
                return clup_watch_end();
            tuning->done++;
            if (!wanted(tuning, variant, problem, layout, *tile) ||
                known(tuning, variant, layout, problem, of) ||
                too_long(tuning, variant, layout, problem, of))
                continue;
            status = clup_trial_time(trial, stage, variant->name, of, &sample);
            if (status == CLUP_OK)
                status = clup_samples_add(&tuning->samples, &sample);
            else if (status == CLUP_ERROR_MEMORY || status == CLUP_ERROR_USAGE ||
                     status == CLUP_ERROR_BUILD)
                status = CLUP_OK; /* does not fit this device, or cannot be built there */
            if (status != CLUP_OK)
                return status;
        }
    }
    return status;
}

/* How often variants are looked at for one problem and layout: once with each tile. */
static size_t looks(const struct grid *grid)
{
    size_t count = 0;
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++)
        for (size_t k = 0; k < clup_table_of(stage)->count; k++)
            count += clup_variant_has_tiles(&clup_table_of(stage)->variants[k])
                         ? length_of(grid->tiles)
                         : 1;
    return count;
}

static clup_status measure_problem(clup_tuning *tuning, const clup_problem *problem,
                                   const clup_layout *layout)
{
    clup_trial *trial;
    clup_status status = clup_trial_create(tuning->context, problem, NULL, layout->name,
                                           tuning->grid->seconds, &trial);
    /* the device or the layout is too small for this lattice, or the layout is for another model */
    if (status == CLUP_ERROR_MEMORY || status == CLUP_ERROR_USAGE) {
        tuning->done += looks(tuning->grid);
        return CLUP_OK;
    }
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE && status == CLUP_OK; stage++)
        status = measure_stage(tuning, trial, problem, layout, stage);
    clup_trial_free(trial);
    return status;
}

/* Whether a layout has a variant for single lattices with the tiles of the plan. */
static bool has_tiles(const clup_layout *layout)
{
    for (clup_stage stage = CLUP_SOURCE; stage < CLUP_MEASURE; stage++) {
        const clup_table *table = clup_table_of(stage);
        for (const clup_variant *variant = table->variants;
             variant < table->variants + table->count; variant++)
            if (clup_variant_has_tiles(variant) && clup_variant_suits(variant, layout))
                return true;
    }
    return false;
}

/* Whether single systems of a side are measured in any case. */
static bool is_measured(const struct grid *grid, unsigned side)
{
    for (const unsigned *size = grid->sizes; *size > 0; size++)
        if (*size == side)
            return true;
    return false;
}

/* Whether a number of systems of one of the smaller sides is measured: several, and one system,
 * in layouts without tiles of the plan. */
static bool several_measured(const struct grid *grid, unsigned side, unsigned systems,
                             const clup_layout *layout)
{
    return !has_tiles(layout) && (systems > 1 || !is_measured(grid, side));
}

static clup_status measure_systems(clup_tuning *tuning)
{
    clup_label_problem image;
    clup_status status = CLUP_OK;
    for (const unsigned *side = tuning->grid->sides; *side > 0; side++)
        for (const unsigned *systems = tuning->grid->systems; *systems > 0; systems++) {
            const clup_problem problem = problem_of(LATTICE, *side, *systems, &image);
            for (size_t b = 0; b < clup_layout_count; b++)
                if (several_measured(tuning->grid, *side, *systems, &clup_layouts[b]))
                    CLUP_TRY(measure_problem(tuning, &problem, &clup_layouts[b]));
        }
done:
    return status;
}

static clup_status measure(clup_tuning *tuning)
{
    clup_status status = CLUP_OK;
    for (const unsigned *size = tuning->grid->sizes; *size > 0; size++)
        for (unsigned kind = 0; kind < KINDS; kind++) {
            clup_label_problem image;
            const clup_problem problem = problem_of(kind, *size, 1, &image);
            for (size_t b = 0; b < clup_layout_count; b++)
                CLUP_TRY(measure_problem(tuning, &problem, &clup_layouts[b]));
        }
    CLUP_TRY(measure_systems(tuning));
done:
    return status;
}

/* All looks at variants. */
static size_t count_all(const struct grid *grid)
{
    size_t problems = clup_layout_count * KINDS * length_of(grid->sizes);
    for (const unsigned *side = grid->sides; *side > 0; side++)
        for (const unsigned *systems = grid->systems; *systems > 0; systems++)
            for (size_t b = 0; b < clup_layout_count; b++)
                problems += several_measured(grid, *side, *systems, &clup_layouts[b]);
    return looks(grid) * problems;
}

clup_status clup_tuning_create(clup_context *context, int quick, clup_tune_progress *progress,
                               void *user, clup_tuning **out)
{
    size_t k = 0;
    clup_status status = CLUP_OK;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(context);
    clup_tuning *tuning = calloc(1, sizeof *tuning);
    if (tuning == NULL)
        return clup_fail_memory("tuning");
    while (grids[k].quick != (quick != 0) ||
           (grids[k].type[0] != '\0' && strcmp(grids[k].type, context->device.info.type) != 0))
        k++;
    *tuning = (clup_tuning){.context = context,
                            .grid = &grids[k],
                            .quick = quick,
                            .progress = progress,
                            .user = user,
                            .total = count_all(&grids[k])};
    const clup_task outer = clup_task_begin("tune", "kernels", tuning->total);
    CLUP_TRY(clup_database_unfinished(&context->device.info, quick, &tuning->samples));
    tuning->before = tuning->samples.count;
    CLUP_TRY(measure(tuning));
    tuning->finished = 1;
    CLUP_TRY(clup_fits_make(&tuning->samples, &tuning->fits, &tuning->fit_count));
done:
    clup_task_end(outer);
    if (status == CLUP_OK || status == CLUP_INTERRUPTED)
        *out = tuning;
    else
        clup_tuning_free(tuning);
    return status;
}

void clup_tuning_free(clup_tuning *tuning)
{
    if (tuning == NULL)
        return;
    clup_samples_free(&tuning->samples);
    clup_fits_free(tuning->fits, tuning->fit_count);
    free(tuning);
}

int clup_tuning_finished(const clup_tuning *tuning)
{
    return tuning != NULL && tuning->finished;
}

size_t clup_tuning_before_count(const clup_tuning *tuning)
{
    return tuning != NULL ? tuning->before : 0;
}

size_t clup_tuning_sample_count(const clup_tuning *tuning)
{
    return tuning != NULL ? tuning->samples.count : 0;
}

const clup_sample *clup_tuning_sample(const clup_tuning *tuning, size_t sample)
{
    return sample < clup_tuning_sample_count(tuning) ? &tuning->samples.items[sample] : NULL;
}

size_t clup_tuning_fit_count(const clup_tuning *tuning)
{
    return tuning != NULL ? tuning->fit_count : 0;
}

const clup_fit *clup_tuning_fit(const clup_tuning *tuning, size_t fit)
{
    return fit < clup_tuning_fit_count(tuning) ? &tuning->fits[fit] : NULL;
}

clup_status clup_tuning_save(const clup_tuning *tuning)
{
    CLUP_NEED(tuning);
    const clup_device_info *device = &tuning->context->device.info;
    return tuning->finished
               ? clup_database_put(device, &tuning->samples, tuning->fits, tuning->fit_count)
               : clup_database_put_unfinished(device, tuning->quick, &tuning->samples);
}
