/* The first stage: which bonds are active. */
#ifndef CLUP_CORE_SOURCE_H
#define CLUP_CORE_SOURCE_H
#include "core/pass.h"

extern const clup_table clup_sources;

/* That of fk: bonds[directions*sites], one byte a bond, plane by plane, from spins[sites].
 * CLUP_INTERRUPTED when the watch ends it, here and below. */
clup_status clup_reference_fk(const lattice_args *lattice, random_key key, clup_bond_law law,
                              const uint8_t *spins, uint8_t *bonds);

/* Serial definitions of rows: fk, and percolation of both kinds. */
clup_serial clup_serial_fk, clup_serial_bond, clup_serial_site;

/* The tile of the rows that keep a random stream for each work-item, the paper's for drawing bonds:
 * 256 x 4 sites, narrower by powers of two, down to 2, for narrower lattices. */
void clup_activation_tile(const lattice_args *lattice, unsigned tile[3]);
/* Random streams of a row where a work-item has a column of such a tile. */
uint64_t clup_column_streams(const lattice_args *lattice);

#endif
