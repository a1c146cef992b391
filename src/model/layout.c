/* The layouts of spins, bonds and labels: see cl/spins.clh, cl/bonds.clh, cl/border.clh and cl/resident.clh. */
#include <string.h>

#include "border.clh"
#include "model/state.h"

static uint64_t char_spin_bytes(const lattice_args *lattice, unsigned planes)
{
    (void)planes;
    return clup_lattice_sites(lattice);
}

static uint64_t char_bond_bytes(const lattice_args *lattice)
{
    return clup_lattice_of(lattice)->directions * clup_lattice_sites(lattice);
}

static void char_pack(const lattice_args *lattice, unsigned planes, const uint8_t *spins, void *to)
{
    (void)planes;
    memcpy(to, spins, clup_lattice_sites(lattice));
}

static void char_unpack(const lattice_args *lattice, unsigned planes, const void *from, uint8_t *spins)
{
    (void)planes;
    memcpy(spins, from, clup_lattice_sites(lattice));
}

static uint64_t word_spin_bytes(const lattice_args *lattice, unsigned planes)
{
    return 4 * planes * clup_lattice_words(lattice);
}

static uint64_t word_bond_bytes(const lattice_args *lattice)
{
    return 4 * clup_lattice_of(lattice)->directions * clup_lattice_words(lattice);
}

static void word_pack(const lattice_args *lattice, unsigned planes, const uint8_t *spins, void *to)
{
    uint32_t *words = to;
    uint64_t plane = clup_lattice_words(lattice);
    for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
        for (uint32_t x = 0; x < lattice->nx; x++)
            for (unsigned p = 0; p < planes; p++)
                words[p * plane + (uint64_t)row * lattice->words + x / 32] |=
                    (uint32_t)(spins[(uint64_t)row * lattice->nx + x] >> p & 1) << x % 32;
}

static void word_unpack(const lattice_args *lattice, unsigned planes, const void *from, uint8_t *spins)
{
    const uint32_t *words = from;
    uint64_t plane = clup_lattice_words(lattice);
    for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
        for (uint32_t x = 0; x < lattice->nx; x++) {
            unsigned spin = 0;
            for (unsigned p = 0; p < planes; p++)
                spin |= (words[p * plane + (uint64_t)row * lattice->words + x / 32] >> x % 32 & 1) << p;
            spins[(uint64_t)row * lattice->nx + x] = (uint8_t)spin;
        }
}

/* One 32-bit label a site. */
static uint64_t site_label_bytes(const lattice_args *lattice, unsigned q)
{
    (void)q;
    return 4 * clup_lattice_sites(lattice);
}

static uint64_t border_tiles(const lattice_args *lattice)
{
    return (uint64_t)lattice->words * border_down(*lattice);
}

static uint64_t border_bond_bytes(const lattice_args *lattice)
{
    return border_tiles(lattice) * BORDER_EDGE_BYTES(clup_lattice_of(lattice)->directions);
}

static uint64_t border_label_bytes(const lattice_args *lattice, unsigned q)
{
    return border_tiles(lattice) * BORDER_SITES * (q > 256 - BORDER_INNER ? 2 : 1);
}

static uint64_t border_nodes(const lattice_args *lattice)
{
    return border_tiles(lattice) * BORDER_NODES;
}

static uint64_t no_bond_bytes(const lattice_args *lattice)
{
    (void)lattice;
    return 0;
}

static uint64_t no_label_bytes(const lattice_args *lattice, unsigned q)
{
    (void)lattice, (void)q;
    return 0;
}

const clup_layout clup_layouts[] = {
    {.name = "word", .define = "LAYOUT_WORD", .sites_max = CLUP_SITES_32, .spin_bytes = word_spin_bytes, .bond_bytes = word_bond_bytes, .label_bytes = site_label_bytes,
     .pack = word_pack, .unpack = word_unpack},
    {.name = "char", .define = "LAYOUT_CHAR", .sites_max = CLUP_SITES_32, .spin_bytes = char_spin_bytes, .bond_bytes = char_bond_bytes, .label_bytes = site_label_bytes,
     .pack = char_pack, .unpack = char_unpack},
    {.name = "border", .define = "LAYOUT_WORD", .sites_max = CLUP_SITES_MAX, .fused = 1u << CLUP_SOURCE, .spin_bytes = word_spin_bytes, .bond_bytes = border_bond_bytes,
     .label_bytes = border_label_bytes, .nodes = border_nodes, .pack = word_pack, .unpack = word_unpack},
    {.name = "resident", .define = "LAYOUT_WORD", .sites_max = CLUP_SITES_32, .fused = 1u << CLUP_SOURCE | 1u << CLUP_LOCAL | 1u << CLUP_CONSOLIDATE, .spin_bytes = word_spin_bytes,
     .bond_bytes = no_bond_bytes, .label_bytes = no_label_bytes, .pack = word_pack, .unpack = word_unpack},
};
const size_t clup_layout_count = sizeof clup_layouts / sizeof *clup_layouts;

const char *clup_layout_name(size_t layout)
{
    return layout < clup_layout_count ? clup_layouts[layout].name : NULL;
}

const clup_layout *clup_layout_named(const char *name)
{
    for (size_t k = 0; k < clup_layout_count; k++)
        if (strcmp(clup_layouts[k].name, name) == 0)
            return &clup_layouts[k];
    return NULL;
}
