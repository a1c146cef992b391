/* The two layouts of spins and bonds: see cl/spins.clh and cl/bonds.clh. */
#include <string.h>

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

const clup_layout clup_layouts[] = {
    {"word", "LAYOUT_WORD", word_spin_bytes, word_bond_bytes, word_pack, word_unpack},
    {"char", "LAYOUT_CHAR", char_spin_bytes, char_bond_bytes, char_pack, char_unpack},
};
const size_t clup_layout_count = sizeof clup_layouts / sizeof *clup_layouts;

const clup_layout *clup_layout_named(const char *name)
{
    for (size_t k = 0; k < clup_layout_count; k++)
        if (strcmp(clup_layouts[k].name, name) == 0)
            return &clup_layouts[k];
    return NULL;
}
