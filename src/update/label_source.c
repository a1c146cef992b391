/* Sources that look at pixels: the foreground, and bonds in words. */
#include "label/label.h"
#include "update/labelling.h"

/* Given are the image, its pixels, and the bonds. */
#define BY_COLUMNS "source_image", "source_image", CLUP_GRID_WORD_COLUMNS, {VALUE(LATTICE), GIVEN, GIVEN, WRITES(SPINS), GIVEN}
#define BY_WORDS .grid = CLUP_GRID_WORDS, .args = {VALUE(LATTICE), GIVEN, GIVEN, WRITES(SPINS), GIVEN}
static const clup_row image_row = {
    .name = "image",
    .about = "neighbouring pixels that match",
    .stage = CLUP_SOURCE,
    .kernels = {{BY_COLUMNS}},
};
static const clup_row foreground_row = {
    .name = "foreground",
    .about = "neighbouring pixels of the foreground",
    .stage = CLUP_SOURCE,
    .kernels = {{BY_COLUMNS}, {"source_foreground", "source_foreground", CLUP_GRID_WORDS, {VALUE(LATTICE), READS(SPINS), GIVEN}}},
};
static const clup_row bytes_row = {
    .name = "bytes",
    .about = "the same for equal bytes in rows of a multiple of four",
    .stage = CLUP_SOURCE,
    .kernels = {{BY_WORDS}},
};
static const clup_row bits_row = {
    .name = "bits",
    .about = "the same for bytes, sixteen at once",
    .stage = CLUP_SOURCE,
    .kernels = {{BY_WORDS}},
};

bool clup_match_by_foreground(clup_match match)
{
    return match == CLUP_MATCH_NONZERO || match == CLUP_MATCH_THRESHOLD;
}

static bool has_bits(const clup_label_problem *problem)
{
    return problem->match == CLUP_MATCH_EQUAL || problem->match == CLUP_MATCH_NONZERO || (problem->match == CLUP_MATCH_THRESHOLD && problem->dtype == CLUP_DTYPE_U8);
}

static const clup_row *source_of(const clup_labelling *labelling)
{
    const clup_label_problem *problem = &labelling->problem;
    const bool bytes = problem->channels * clup_dtype_bytes(problem->dtype) == 1;
    if (labelling->way == &clup_label_by_bands && bytes && has_bits(problem))
        return &bits_row;
    if (clup_match_by_foreground(problem->match))
        return labelling->bonds != NULL ? &foreground_row : &image_row;
    return problem->match == CLUP_MATCH_EQUAL && bytes && problem->size[0] % 4 == 0 ? &bytes_row : &image_row;
}

clup_status clup_label_source_create(clup_labelling *labelling, const unsigned tile[3])
{
    return clup_pass_create(source_of(labelling), &labelling->state, tile, &labelling->source);
}

clup_status clup_label_source_run(clup_labelling *labelling, cl_mem pixels)
{
    clup_pass *source = &labelling->source;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_pass_launch(source, 0, CLUP_WITH(CLUP_ARG(labelling->image), CLUP_ARG(pixels), CLUP_ARG(labelling->bonds))));
    if (source->row == &foreground_row)
        CLUP_TRY(clup_pass_launch(source, 1, CLUP_WITH(CLUP_ARG(labelling->bonds))));
done:
    return status;
}
