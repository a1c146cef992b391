/* The table of sources. */
#include "core/source.h"

#include "base/dtype.h"
#include "core/image.h"

void clup_activation_tile(const lattice_args *lattice, unsigned tile[3])
{
    for (tile[0] = 2; tile[0] < lattice->nx && tile[0] < 256; tile[0] *= 2)
        ;
    tile[1] = 4;
    tile[2] = 1;
}

/* Work-items of a group. */
static size_t a_site(const unsigned tile[3])
{
    return (size_t)tile[0] * tile[1];
}

static size_t a_square(const unsigned tile[3])
{
    return a_site(tile) / 4;
}

static size_t a_column(const unsigned tile[3])
{
    return tile[0];
}

static uint64_t streams(const lattice_args *lattice, size_t (*items)(const unsigned tile[3]))
{
    unsigned tile[3];
    clup_activation_tile(lattice, tile);
    return clup_lattice_tiles(lattice, tile) * items(tile);
}

static uint64_t site_streams(const lattice_args *lattice)
{
    return streams(lattice, a_site);
}

static uint64_t square_streams(const lattice_args *lattice)
{
    return streams(lattice, a_square);
}

uint64_t clup_column_streams(const lattice_args *lattice)
{
    return streams(lattice, a_column);
}

/* Why a row is not for an image. */
static const char *unfit_pairs(const clup_setting *setting)
{
    return clup_image_by_foreground(setting->image) ? "is for pixels that match in pairs" : NULL;
}

static const char *unfit_foreground(const clup_setting *setting)
{
    return clup_image_by_foreground(setting->image) ? NULL : "is for matches of all the foreground";
}

static const char *unfit_quads(const clup_label_problem *image)
{
    if (image->channels * clup_dtypes[image->dtype].bytes != 1)
        return "is for pixels of a byte";
    return image->size[0] % 4 != 0 ? "is for rows of a multiple of four pixels" : NULL;
}

static const char *unfit_bytes(const clup_setting *setting)
{
    return setting->image->match != CLUP_MATCH_EQUAL ? "is for equal pixels"
                                                     : unfit_quads(setting->image);
}

static const char *unfit_foreground_bytes(const clup_setting *setting)
{
    const char *why = unfit_foreground(setting);
    return why != NULL ? why : unfit_quads(setting->image);
}

/* Whether pixels are compared sixteen at a time. */
static const char *unfit_sixteen(const clup_label_problem *image)
{
    if (image->channels > 1)
        return "is for pixels of one channel";
    return image->dtype == CLUP_DTYPE_F64 ? "is for pixels that are no doubles" : NULL;
}

static const char *unfit_layers(const clup_setting *setting)
{
    const clup_label_problem *image = setting->image;
    if (image->match == CLUP_MATCH_BONDS)
        return "is for pixels that are compared";
    if (image->channels > 1 || clup_dtypes[image->dtype].bytes > 4)
        return "is for pixels of one channel and at most four bytes";
    return unfit_pairs(setting);
}

/* See source_layers.cl. */
static void layers_tile(const lattice_args *lattice, unsigned tile[3])
{
    (void)lattice;
    tile[0] = 256;
    tile[1] = 8;
    tile[2] = 8;
}

static size_t layers_items(const unsigned tile[3])
{
    return (size_t)tile[0] / 32 * tile[1];
}

static uint64_t layers_bytes(const lattice_args *lattice, const unsigned tile[3], unsigned q)
{
    const unsigned words = tile[0] / 32, row = (32 * words + 2) / 32 * 32 + 32 + words;
    (void)lattice, (void)q;
    return 4ull * (tile[1] + 2) * (2 * row + words);
}

static const char *unfit_bits(const clup_setting *setting)
{
    const char *why = unfit_sixteen(setting->image);
    return why != NULL ? why : unfit_pairs(setting);
}

static const char *unfit_bits_alone(const clup_setting *setting)
{
    const char *why = unfit_sixteen(setting->image);
    return why != NULL ? why : unfit_foreground(setting);
}

static const clup_row rows[] = {
/* clang-format off */
#define SOURCE(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_SOURCE, __VA_ARGS__},
/* clang-format on */
#include "core/source.def"
};

const clup_table clup_sources = {rows, sizeof rows / sizeof *rows};
