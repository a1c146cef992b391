/* Sources that look at pixels: the foreground, and bonds in words. */
#include "label/label.h"
#include "update/labelling.h"

static const clup_row image_row = {
    .name = "image",
    .about = "neighbouring pixels that match",
    .stage = CLUP_SOURCE,
};
static const clup_row foreground_row = {
    .name = "foreground",
    .about = "neighbouring pixels of the foreground",
    .stage = CLUP_SOURCE,
    .kernels = {{"source_image", "source_image"}, {"source_foreground", "source_foreground"}},
};
static const clup_row bytes_row = {
    .name = "bytes",
    .about = "the same for equal bytes in rows of a multiple of four",
    .stage = CLUP_SOURCE,
};
static const clup_row bits_row = {
    .name = "bits",
    .about = "the same for bytes, sixteen at once",
    .stage = CLUP_SOURCE,
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
    const clup_state *state = &labelling->state;
    clup_pass *source = &labelling->source;
    const size_t word_items = clup_word_items(state->context), site_items = clup_site_items(state->context);
    const uint64_t words = (clup_lattice_words(&state->lattice) - 1) / word_items + 1, sites = clup_word_column_groups(state);
    const bool by_words = source->row == &bytes_row || source->row == &bits_row;
    clup_status status = CLUP_OK;
    CLUP_TRY(CLUP_LABEL_LAUNCH(source, 0, by_words ? words : sites, by_words ? word_items : site_items, CLUP_ARG(state->lattice), CLUP_ARG(labelling->image), CLUP_ARG(pixels),
                               CLUP_ARG(state->spins), CLUP_ARG(labelling->bonds)));
    if (source->row == &foreground_row)
        CLUP_TRY(CLUP_LABEL_LAUNCH(source, 1, words, word_items, CLUP_ARG(state->lattice), CLUP_ARG(state->spins), CLUP_ARG(labelling->bonds)));
done:
    return status;
}
