/* SPDX-License-Identifier: BSD-3-Clause */
/* The bands layout of images: why it cannot be used for an image, and its tile. */
#ifndef CLUP_FAMILY_BANDS_H
#define CLUP_FAMILY_BANDS_H
#include "core/prepared.h"

const char *clup_unfit_bands_of_bonds(const clup_setting *setting);
const char *clup_unfit_bands_alone(const clup_setting *setting);
void clup_band_tile(const lattice_args *lattice, unsigned tile[3]);

#endif
