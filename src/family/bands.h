/* SPDX-License-Identifier: BSD-3-Clause */
/* Bands of rows of images: which images they are for, and their tile. */
#ifndef CLUP_FAMILY_BANDS_H
#define CLUP_FAMILY_BANDS_H
#include "core/prepared.h"

const char *clup_unfit_bands_of_bonds(const clup_setting *setting);
const char *clup_unfit_bands_alone(const clup_setting *setting);
void clup_band_tile(const lattice_args *lattice, unsigned tile[3]);

#endif
