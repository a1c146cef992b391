/* The table of sources. */
#include "model/source.h"

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

static const clup_row rows[] = {
#define SOURCE(NAME, ABOUT, ...) {.name = #NAME, .about = ABOUT, .stage = CLUP_SOURCE, __VA_ARGS__},
#include "model/source.def"
};

const clup_table clup_sources = {rows, sizeof rows / sizeof *rows};
