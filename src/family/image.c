/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels for images: which images they are for, local memory, and numbering. */
#include "family/image.h"

#include "base/dtype.h"
#include "image/image_sizes.clh"
#include "core/image.h"
#include "family/border.h"

/* ---- which images a variant is for ----------------------------------------------------------- */

/* Return why a kernel variant is not for an image. */
const char *clup_unfit_pairs(const clup_setting *setting)
{
    return clup_image_by_foreground(setting->image) ? "is for pixels that match in pairs" : NULL;
}

const char *clup_unfit_foreground(const clup_setting *setting)
{
    return clup_image_by_foreground(setting->image) ? NULL : "is for matches of all the foreground";
}

static const char *unfit_quads(const clup_label_problem *image)
{
    if (image->channels * clup_dtypes[image->dtype].bytes != 1)
        return "is for pixels of a byte";
    return image->size[0] % 4 != 0 ? "is for rows of a multiple of four pixels" : NULL;
}

const char *clup_unfit_bytes(const clup_setting *setting)
{
    return setting->image->match != CLUP_MATCH_EQUAL ? "is for equal pixels"
                                                     : unfit_quads(setting->image);
}

const char *clup_unfit_foreground_bytes(const clup_setting *setting)
{
    const char *why = clup_unfit_foreground(setting);
    return why != NULL ? why : unfit_quads(setting->image);
}

/* Returns why pixels cannot be compared sixteen at a time; NULL where they can. */
static const char *unfit_sixteen(const clup_label_problem *image)
{
    if (image->channels > 1)
        return "is for pixels of one channel";
    return image->dtype == CLUP_DTYPE_F64 ? "is for pixels that are no doubles" : NULL;
}

const char *clup_unfit_layers(const clup_setting *setting)
{
    const clup_label_problem *image = setting->image;
    if (image->match == CLUP_MATCH_BONDS)
        return "is for pixels that are compared";
    if (image->channels > 1 || clup_dtypes[image->dtype].bytes > 4)
        return "is for pixels of one channel and at most four bytes";
    return clup_unfit_pairs(setting);
}

const char *clup_unfit_bits(const clup_setting *setting)
{
    const char *why = unfit_sixteen(setting->image);
    return why != NULL ? why : clup_unfit_pairs(setting);
}

const char *clup_unfit_bits_alone(const clup_setting *setting)
{
    const char *why = unfit_sixteen(setting->image);
    return why != NULL ? why : clup_unfit_foreground(setting);
}

const char *clup_unfit_pixels(const clup_setting *setting)
{
    return setting->q > 2 ? "is for sites that are pixels" : NULL;
}

const char *clup_unfit_blocks(const clup_setting *setting)
{
    return setting->q > 2 ? NULL : "is for sites that are blocks of pixels";
}

/* ---- tiles and local memory ------------------------------------------------------------------ */

/* See source_layers.cl. */
void clup_layers_tile(const lattice_args *lattice, unsigned tile[3])
{
    (void)lattice;
    tile[0] = 256;
    tile[1] = 8;
    tile[2] = 8;
}

size_t clup_layers_items(const unsigned tile[3])
{
    return (size_t)tile[0] / 32 * tile[1];
}

uint64_t clup_layers_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned words = tile[0] / 32, row = (32 * words + 2) / 32 * 32 + 32 + words;
    (void)lattice, (void)q;
    return 4ull * (tile[1] + 2) * (2 * row + words);
}

/* Returns the local memory of a group of two tiles. */
uint64_t clup_runs_image_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned back = clup_lattice_of(lattice)->directions - 1;
    const unsigned rows = q > 2 ? 3 : 1; /* rows of words; two more where sites are blocks */
    (void)tile;
    return 2 * (2ull * BORDER_SITES_OF(2) +
                4 * (BORDER_BOND_WORDS_OF(back) + rows * BORDER_ROWS_OF(2)));
}

/* Returns the local memory of a group of two tiles, see local_runs_pixels.cl. */
uint64_t clup_runs_pixels_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 2 * PIXEL_TILE_BYTES;
}

uint64_t clup_volume_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned words = q > 2 ? 5 : 1; /* a word more for each row; five where sites are blocks
                                           */
    (void)lattice, (void)tile;
    return 2 * BORDER_SITES_OF(3) + 4 * (VOLUME_WORDS + words * BORDER_ROWS_OF(3));
}

/* See action_number_border. */
size_t clup_node_items(const unsigned tile[3])
{
    return tile[2] > 1 ? BORDER_ROWS_OF(3) : BORDER_NODES_OF(2);
}

uint64_t clup_number_border_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned axes = clup_lattice_of(lattice)->axes, key_rows = q > 2 ? 1u << (axes - 1) : 1;
    (void)tile;
    return 4 * (BORDER_NODES_OF(axes) + BORDER_ROWS_OF(axes) * clup_spin_planes(q)) +
           8ull * BORDER_ROWS_OF(axes) * key_rows;
}

/* Returns the local memory of the smallest table, see action_measure.cl. */
uint64_t clup_table_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    (void)lattice, (void)tile, (void)q;
    return 1024;
}

/* ---- numbering ------------------------------------------------------------------------------- */

/* Kernels of all variants that number clusters, and of the variant for blocks. */
enum { COUNT, SUM, BEFORE, EACH, WRITE, MARK, ROOT_KEYS, FIRST };

/* See action_number_each.cl. */
#define PIXELS_OF_ITEM 8u

/* Returns the bytes of scratch buffer which, for the given number of words of key bits. */
static uint64_t key_scratch(const clup_context *context, uint64_t words, unsigned which)
{
    const uint64_t group = 8 * clup_site_items(context); /* words of key bits whose roots one group
                                                            of action_number_count adds up */
    const uint64_t groups = (words - 1) / group + 1, bytes[] = {
                                                         [CLUP_KEY_BITS] = 4 * group * groups,
                                                         [CLUP_KEY_RANKS] = 8 * group * groups,
                                                         [CLUP_KEY_SUMS] = 4 * (groups + 1),
                                                     };
    return which <= CLUP_KEY_SUMS ? bytes[which] : 0;
}

/* Returns the words of key bits where a row of sites has its own. */
static uint64_t row_words(const clup_state *state)
{
    return clup_lattice_words(&state->lattice) * (state->planes > 2 ? state->planes / 2 : 1);
}

uint64_t clup_number_scratch(const clup_prepared *prepared, unsigned which)
{
    return key_scratch(prepared->state->context, row_words(prepared->state), which);
}

/* As key_scratch, with a buffer for the keys of roots. */
uint64_t clup_number_blocks_scratch(const clup_prepared *prepared, unsigned which)
{
    return which == CLUP_KEY_OWN ? 4 * clup_lattice_sites(&prepared->state->lattice)
                                 : clup_number_scratch(prepared, which);
}

/* Whether two rows have their runs in common, PAIRED in bands.clh. */
static bool is_paired(const clup_prepared *prepared)
{
    const clup_lattice *lattice = clup_lattice_of(&prepared->state->lattice);
    return !(clup_variant_buffers(prepared->variant) >> CLUP_BUFFER_RUNS & 1) &&
           lattice->directions > lattice->axes;
}

/* Returns the runs that there is room for. */
static uint64_t run_slots(const clup_prepared *prepared)
{
    const bool bonds = clup_variant_buffers(prepared->variant) >> CLUP_BUFFER_RUNS & 1;
    return clup_buffer_kind_bytes(prepared->state,
                                  bonds ? CLUP_BUFFER_RUNS : CLUP_BUFFER_RUNS_APART) /
           4;
}

/* As key_scratch, with a buffer for the numbers of runs, or where runs are of two rows, for their
 * keys and first pixels. */
uint64_t clup_number_bands_scratch(const clup_prepared *prepared, unsigned which)
{
    const uint64_t slots = run_slots(prepared);
    return which == CLUP_KEY_OWN ? (is_paired(prepared) ? 8 : 4) * slots
                                 : key_scratch(prepared->state->context, slots / 32, which);
}

/* Returns the number of groups that add up. The buffer of sums has one more word. */
static uint64_t sum_groups(const clup_prepared *prepared)
{
    return prepared->scratch_bytes[CLUP_KEY_SUMS] / 4 - 1;
}

clup_status clup_number_count(clup_prepared *prepared)
{
    const uint64_t groups = sum_groups(prepared);
    const size_t items = clup_site_items(prepared->state->context);
    const cl_uint sums = (cl_uint)groups;
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_prepared_launch(prepared, MARK, NULL));
    CLUP_TRY(clup_prepared_launch_groups(prepared, COUNT, groups, items, NULL));
    CLUP_TRY(
        clup_prepared_launch_groups(prepared, SUM, 1, items, CLUP_WITH(CLUP_ARG_AS(count, sums))));
done:
    return status;
}

clup_status clup_number_ranks(clup_prepared *prepared)
{
    return clup_prepared_launch_groups(prepared, BEFORE, sum_groups(prepared),
                                       clup_site_items(prepared->state->context), NULL);
}

/* Returns the words of key bits of each image. */
static uint64_t words_each(const clup_prepared *prepared)
{
    const clup_state *state = prepared->state;
    return (prepared->variant->scratch == clup_number_bands_scratch ? run_slots(prepared) / 32
                                                                    : row_words(state)) /
           clup_image_batch(state->of_image);
}

/* An image's first key has as its rank the number of clusters of the images before. */
clup_status clup_number_before(clup_prepared *prepared, cl_mem before)
{
    const size_t origin[3] = {0}, region[3] = {4, clup_image_batch(prepared->state->of_image), 1};
    return clup_cl_check(clEnqueueCopyBufferRect(prepared->state->context->queue,
                                                 prepared->scratch[CLUP_KEY_RANKS], before, origin,
                                                 origin, region, 8 * (size_t)words_each(prepared),
                                                 0, region[0], 0, 0, NULL, NULL),
                         "clEnqueueCopyBufferRect");
}

clup_status clup_number_each(clup_prepared *prepared, cl_mem before, cl_mem numbers)
{
    const clup_state *state = prepared->state;
    const uint64_t images = clup_image_batch(state->of_image),
                   pixels = (uint64_t)state->image.nx * state->image.ny * state->image.nz / images;
    const size_t items = clup_site_items(state->context);
    const cl_uint pixels_each = (cl_uint)pixels;
    return clup_prepared_launch_groups(
        prepared, EACH, images * ((pixels - 1) / (PIXELS_OF_ITEM * items) + 1), items,
        CLUP_WITH(CLUP_ARG(pixels_each), CLUP_ARG(before), CLUP_ARG(numbers)));
}

clup_status clup_run_number(clup_prepared *prepared)
{
    clup_status status = CLUP_OK;
    if (!prepared->state->canonical) {
        CLUP_TRY(clup_number_count(prepared));
        CLUP_TRY(clup_number_ranks(prepared));
    }
    CLUP_TRY(clup_prepared_launch(prepared, WRITE, NULL));
done:
    return status;
}

clup_status clup_run_number_bands_alone(clup_prepared *prepared)
{
    clup_status status = CLUP_OK;
    if (prepared->state->canonical && is_paired(prepared)) /* keys are needed, not their ranks */
        CLUP_TRY(clup_prepared_launch(prepared, MARK, NULL));
    CLUP_TRY(clup_run_number(prepared));
done:
    return status;
}

clup_status clup_run_number_blocks(clup_prepared *prepared)
{
    clup_status status = CLUP_OK;
    CLUP_TRY(clup_prepared_launch(prepared, ROOT_KEYS, NULL));
    CLUP_TRY(clup_prepared_launch(prepared, FIRST, NULL));
    CLUP_TRY(clup_buffer_zero(prepared->state->context, CLUP_ACTION,
                              prepared->scratch[CLUP_KEY_BITS],
                              prepared->scratch_bytes[CLUP_KEY_BITS]));
    CLUP_TRY(clup_run_number(prepared));
done:
    return status;
}
