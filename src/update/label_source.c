/* Sources that look at pixels: the foreground, and bonds in words. */
#include "label/label.h"
#include "update/labelling.h"

/* Bonds, or the foreground where that says all and stands for them, which are not written. */
#define BY_COLUMNS(BONDS_OR_NOT) {"source_image", "source_image", CLUP_GRID_WORD_COLUMNS, {VALUE(LATTICE), VALUE(IMAGE), READS(PIXELS), WRITES(SPINS), WRITES(BONDS_OR_NOT)}}
#define BY_WORDS(BONDS_OR_NOT) {.grid = CLUP_GRID_WORDS, .args = {VALUE(LATTICE), VALUE(IMAGE), READS(PIXELS), WRITES(SPINS), WRITES(BONDS_OR_NOT)}}
#define SOURCE(NAME, ABOUT, ...) {.name = NAME, .about = ABOUT, .stage = CLUP_SOURCE, .models = CLUP_ON(CLUP_IMAGE), .kernels = {__VA_ARGS__}}
enum { IMAGE, IMAGE_ALONE, FOREGROUND, BYTES, BITS, BITS_ALONE };
static const clup_row rows[] = {
    [IMAGE] = SOURCE("image", "neighbouring pixels that match", BY_COLUMNS(BONDS)),
    [IMAGE_ALONE] = SOURCE("image", "the foreground, of which neighbours match", BY_COLUMNS(SPINS)),
    [FOREGROUND] = SOURCE("foreground", "the same, and its bonds", BY_COLUMNS(SPINS),
                          {"source_foreground", "source_foreground", CLUP_GRID_WORDS, {VALUE(LATTICE), READS(SPINS), WRITES(BONDS)}}),
    [BYTES] = SOURCE("bytes", "image for equal bytes in rows of a multiple of four", BY_WORDS(BONDS)),
    [BITS] = SOURCE("bits", "image for bytes, sixteen at once", BY_WORDS(BONDS)),
    [BITS_ALONE] = SOURCE("bits", "the foreground of bytes, sixteen at once", BY_WORDS(SPINS)),
};

bool clup_match_by_foreground(clup_match match)
{
    return match == CLUP_MATCH_NONZERO || match == CLUP_MATCH_THRESHOLD;
}

static bool has_bits(const clup_label_problem *problem)
{
    return problem->match == CLUP_MATCH_EQUAL || problem->match == CLUP_MATCH_NONZERO || (problem->match == CLUP_MATCH_THRESHOLD && problem->dtype == CLUP_DTYPE_U8);
}

static unsigned source_of(const clup_labelling *labelling)
{
    const clup_label_problem *problem = &labelling->problem;
    const bool bytes = problem->channels * clup_dtype_bytes(problem->dtype) == 1, foreground = clup_match_by_foreground(problem->match);
    if (labelling->way == &clup_label_by_bands && bytes && has_bits(problem))
        return foreground ? BITS_ALONE : BITS;
    if (foreground)
        return labelling->way == &clup_label_by_bands ? IMAGE_ALONE : FOREGROUND;
    return problem->match == CLUP_MATCH_EQUAL && bytes && problem->size[0] % 4 == 0 ? BYTES : IMAGE;
}

clup_status clup_label_source_create(clup_labelling *labelling, const unsigned tile[3])
{
    return clup_pass_create(&rows[source_of(labelling)], &labelling->state, tile, &labelling->source);
}
