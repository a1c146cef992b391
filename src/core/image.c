/* SPDX-License-Identifier: BSD-3-Clause */
/* Images as problems. */
#include "core/image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dtype.h"
#include "program.h"

uint64_t clup_image_level(const clup_label_problem *image)
{
    const bool whole = image->match == CLUP_MATCH_TOLERANCE && !clup_dtypes[image->dtype].is_float;
    return clup_value_bits(whole ? CLUP_DTYPE_U64 : image->dtype, image->level, image->level_more);
}

uint64_t clup_image_background(const clup_label_problem *image, unsigned channel)
{
    return clup_value_bits(image->dtype, image->background[channel],
                           image->background_more[channel]);
}

clup_status clup_image_lattice(const clup_label_problem *problem, clup_lattice_kind *lattice)
{
    static const struct {
        unsigned connectivity;
        clup_lattice_kind lattice;
    } known[] = {{4, CLUP_LATTICE_SQUARE},
                 {8, CLUP_LATTICE_SQUARE_8},
                 {6, CLUP_LATTICE_CUBIC},
                 {18, CLUP_LATTICE_CUBIC_18},
                 {26, CLUP_LATTICE_CUBIC_26}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (known[k].connectivity == problem->connectivity) {
            *lattice = known[k].lattice;
            return CLUP_OK;
        }
    return clup_fail(CLUP_ERROR_USAGE, "connectivity %u is not 4 or 8, or 6, 18 or 26 in a volume",
                     problem->connectivity);
}

/* Validates that the pixels can hold bonds. */
static clup_status check_bonds(const clup_label_problem *problem)
{
    const clup_dtype dtype = problem->dtype;
    clup_lattice_kind kind = CLUP_LATTICE_SQUARE;
    clup_status status = clup_image_lattice(problem, &kind);
    if (status != CLUP_OK)
        return status;
    const unsigned bonds = clup_lattice_of(&(lattice_args){.kind = kind})->directions;
    if (problem->channels != 1 || !clup_dtypes[dtype].is_unsigned ||
        8 * clup_dtype_bytes(dtype) < bonds)
        return clup_fail(
            CLUP_ERROR_USAGE,
            "bonds of %u neighbours are unsigned integers of %u bits or more, one a pixel",
            problem->connectivity, bonds);
    if (problem->has_background)
        return clup_fail(CLUP_ERROR_USAGE, "there is no background where bonds are given");
    return CLUP_OK;
}

static clup_status check_pixels(const clup_label_problem *problem)
{
    const clup_dtype dtype = problem->dtype;
    char text[32], least[32], most[32];
    if (dtype <= CLUP_DTYPE_NONE || dtype >= CLUP_DTYPES)
        return clup_fail(CLUP_ERROR_USAGE, "pixels of type %d are not known", (int)dtype);
    if (problem->channels != 1 && problem->channels != 3 && problem->channels != 4)
        return clup_fail(CLUP_ERROR_USAGE, "%u channels are not 1, 3 or 4", problem->channels);
    if ((unsigned)problem->match >= CLUP_MATCHES)
        return clup_fail(CLUP_ERROR_USAGE, "match %d is not known", (int)problem->match);
    const clup_dtype_row *row = &clup_dtypes[dtype];
    const double level = problem->level + (double)problem->level_more;
    /* the type of a distance between pixels; a distance of integers is never negative */
    const clup_dtype distances = row->is_float    ? dtype
                                 : row->bytes < 8 ? CLUP_DTYPE_U32
                                                  : CLUP_DTYPE_U64;
    if (problem->match == CLUP_MATCH_TOLERANCE &&
        !(level >= 0 && clup_value_fits(distances, problem->level, problem->level_more)))
        return clup_fail(CLUP_ERROR_USAGE,
                         "a tolerance of %s is none of %s pixels: it is a number from 0%s",
                         clup_number_text(level, text), row->name,
                         row->is_float    ? ""
                         : row->bytes < 8 ? " to 4294967295"
                                          : " to 18446744073709551615");
    if (problem->match == CLUP_MATCH_THRESHOLD &&
        !clup_value_fits(dtype, problem->level, problem->level_more))
        return clup_fail(CLUP_ERROR_USAGE, "a threshold of %s is none of %s pixels, from %s to %s",
                         clup_number_text(level, text), row->name,
                         clup_number_text(row->least, least), clup_number_text(row->most, most));
    if (problem->match == CLUP_MATCH_BONDS)
        return check_bonds(problem);
    for (unsigned c = 0; problem->has_background && c < problem->channels; c++) {
        const double value = problem->background[c];
        if (row->is_float && isnan(value))
            continue;
        if (!clup_value_fits(dtype, value, problem->background_more[c]) ||
            (!row->is_float && value != floor(value)))
            return clup_fail(
                CLUP_ERROR_USAGE, "a background of %s is no value of %s pixels, %s from %s to %s",
                clup_number_text(value + (double)problem->background_more[c], text), row->name,
                row->is_float ? "numbers" : "whole numbers", clup_number_text(row->least, least),
                clup_number_text(row->most, most));
    }
    return CLUP_OK;
}

unsigned clup_connectivity_axes(unsigned connectivity)
{
    return connectivity == 4 || connectivity == 8 ? 2 : 3;
}

unsigned clup_image_last_axis(const clup_label_problem *image)
{
    return clup_connectivity_axes(image->connectivity) - 1;
}

/* Validates that the images of a batch can be labelled together. */
static clup_status check_batch(const clup_label_problem *image)
{
    const unsigned axis = clup_image_last_axis(image);
    if (image->batch <= 1)
        return CLUP_OK;
    if (image->periodic[axis])
        return clup_fail(CLUP_ERROR_USAGE,
                         "images of a batch are not periodic along %c, their last axis",
                         "xyz"[axis]);
    if (image->batch > CLUP_SITES_32 / (image->size[axis] > 0 ? image->size[axis] : 1))
        return clup_fail(CLUP_ERROR_USAGE, "a batch of %llu images has more than %u pixels",
                         (unsigned long long)image->batch, CLUP_SITES_32);
    return CLUP_OK;
}

clup_status clup_image_check(const clup_label_problem *image)
{
    clup_lattice_kind lattice;
    clup_status status = CLUP_OK;
    CLUP_NEED(image);
    CLUP_TRY(CLUP_RESERVED(image, "clup_label_problem"));
    CLUP_TRY(check_pixels(image));
    CLUP_TRY(clup_image_lattice(image, &lattice));
    CLUP_TRY(check_batch(image));
    const clup_problem pixels = clup_image_pixels(image);
    /* an image with more sites than pixels can have fails below */
    CLUP_TRY(clup_lattice_check(&pixels, CLUP_SITES_WHOLE));
    if (clup_problem_sites(&pixels) > CLUP_SITES_32)
        status = clup_fail(CLUP_ERROR_USAGE, "the image has more than %u pixels", CLUP_SITES_32);
done:
    return status;
}

bool clup_image_by_foreground(const clup_label_problem *image)
{
    return image->match == CLUP_MATCH_NONZERO || image->match == CLUP_MATCH_THRESHOLD;
}

clup_problem clup_image_pixels(const clup_label_problem *image)
{
    clup_problem pixels = {
        .model = CLUP_IMAGE,
        .image = image,
        .size = {image->size[0], image->size[1], image->size[2]},
        .q = 2,
        .periodic = {image->periodic[0], image->periodic[1], image->periodic[2]}};
    (void)clup_image_lattice(image, &pixels.lattice);
    pixels.size[clup_image_last_axis(image)] *= clup_image_batch(image);
    return pixels;
}

/* Whether images of a batch consist of whole blocks of two layers. */
static bool has_whole_blocks(const clup_label_problem *image)
{
    return clup_image_batch(image) == 1 || image->size[clup_image_last_axis(image)] % 2 == 0;
}

/* Finds the blocks for a layout. A block is as large as possible while all its foreground pixels
 * are sure to be in one cluster, see blocks.clh. A site has a state for each pattern that its
 * pixels can have. */
clup_problem clup_image_sites(const clup_layout *layout, const clup_problem *problem)
{
    clup_problem sites = clup_image_pixels(problem->image);
    const unsigned connectivity = problem->image->connectivity, axes = connectivity == 8 ? 2 : 3;
    if (layout == NULL || layout->labels->of_pixels || !clup_image_by_foreground(problem->image) ||
        (connectivity != 8 && connectivity != 26) || !has_whole_blocks(problem->image))
        return sites;
    for (unsigned axis = 0; axis < axes; axis++)
        sites.size[axis] = (sites.size[axis] - 1) / 2 + 1;
    sites.q = axes == 2 ? 16 : 256;
    return sites;
}

void clup_image_describe(const clup_problem *problem, clup_state *state)
{
    const clup_label_problem *image = problem->image;
    static const char *const matches[CLUP_MATCHES] = {
        "MATCH_EQUAL", "MATCH_TOLERANCE", "MATCH_NONZERO", "MATCH_THRESHOLD", "MATCH_BONDS"};
    snprintf(state->definitions, sizeof state->definitions,
             " %s PIXEL=%s CHANNELS=%uu BLOCK=%uu%s%s", matches[image->match],
             clup_dtypes[image->dtype].in_cl, image->channels, state->planes > 1 ? 2 : 1,
             clup_dtypes[image->dtype].defined,
             state->layout->labels->of_pixels ? " ALL_BONDS" : "");
    const clup_problem pixels = clup_image_pixels(image);
    state->of_image = image;
    state->image = (image_args){.has_background = image->has_background,
                                .level = clup_image_level(image),
                                .nx = pixels.size[0],
                                .ny = pixels.size[1],
                                .nz = pixels.size[2]};
    for (unsigned c = 0; c < image->channels; c++)
        state->image.background[c] = clup_image_background(image, c);
}
