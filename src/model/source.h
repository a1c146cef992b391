/* The first stage: which bonds are active. */
#ifndef CLUP_MODEL_SOURCE_H
#define CLUP_MODEL_SOURCE_H
#include "model/pass.h"

extern const clup_table clup_sources;

/* Serial definition of fk: bonds[DIRECTIONS*sites], one byte a bond, plane by plane, from spins[sites]. */
void clup_reference_fk(const lattice_args *lattice, random_key key, clup_bond_law law, const uint8_t *spins, uint8_t *bonds);

#endif
