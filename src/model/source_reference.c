/* The serial definition of the fk source: each bond's number is put together bit by bit and compared as a number. */
#include "model/source.h"

static uint8_t draw(random_key key, unsigned d, uint64_t word, unsigned j, clup_bond_law law, uint32_t stream[32], unsigned *drawn)
{
    if (law.always)
        return 1;
    /* bits of the number are fetched until they differ from the threshold's */
    for (unsigned k = 0; k < 32; k++) {
        if (k == *drawn) {
            philox_block block = random_block(key, PURPOSE_BOND + d, word, k / 4);
            for (unsigned n = 0; n < 4; n++)
                stream[(*drawn)++] = block.v[n];
        }
        unsigned bit = stream[k] >> j & 1, limit = law.threshold >> (31 - k) & 1;
        if (bit != limit)
            return bit < limit;
    }
    return 0;
}

void clup_reference_fk(const lattice_args *lattice, random_key key, clup_bond_law law, const uint8_t *spins, uint8_t *bonds)
{
    uint64_t sites = clup_lattice_sites(lattice);
    for (unsigned d = 0; d < clup_lattice_of(lattice)->directions; d++)
        for (uint32_t row = 0; row < lattice_rows(*lattice); row++)
            for (uint32_t w = 0; w < lattice->words; w++) {
                uint32_t stream[32];
                unsigned drawn = 0;
                uint64_t word = (uint64_t)row * lattice->words + w;
                for (unsigned j = 0; j < 32 && 32 * w + j < lattice->nx; j++) {
                    uint64_t i = 32 * (uint64_t)w + j + (uint64_t)lattice->nx * row, neighbour;
                    bonds[d * sites + i] = clup_lattice_forward(lattice, d, 32 * w + j, row, &neighbour) &&
                                           spins[i] == spins[neighbour] && draw(key, d, word, j, law, stream, &drawn);
                }
            }
}
