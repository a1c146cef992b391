/* SPDX-License-Identifier: BSD-3-Clause */
/* The bands layout: which images it is for, and its tile. */
#include "family/bands.h"

#include "bands/bands.clh"
#include "core/image.h"

static const char *unfit_bands(const clup_setting *setting)
{
    const lattice_args *lattice = &setting->lattice;
    return band_slots(*lattice, false) > UINT32_MAX / band_count(*lattice)
               ? "has too many runs to count"
               : NULL;
}

const char *clup_unfit_bands_of_bonds(const clup_setting *setting)
{
    return clup_image_by_foreground(setting->image) ? "is for pixels that match in pairs"
                                                    : unfit_bands(setting);
}

const char *clup_unfit_bands_alone(const clup_setting *setting)
{
    return clup_image_by_foreground(setting->image) ? unfit_bands(setting)
                                                    : "is for matches of all the foreground";
}

void clup_band_tile(const lattice_args *lattice, unsigned tile[3])
{
    const u32 layers = band_layers(*lattice);
    tile[0] = lattice->nx;
    tile[1] = layers > 0 ? lattice->ny : BAND_ROWS;
    tile[2] = layers > 0 ? layers : 1;
}
