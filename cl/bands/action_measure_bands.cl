/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what action_measure_wraps of action_measure.cl does, for runs of bands (bands.clh), where
 * sites are pixels. */
#include "bands/bands.clh"

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_measure_wraps_bands(lattice_args lattice, u32 axis, u32 d, global const u32 *foreground,
                           global const u32 *bonds, global const u32 *numbers, global u32 *joined)
{
    const run_forest runs = {foreground, bonds, 0, 0};
    const u32 k = get_global_id(0),
              end = leaving_end(lattice_size(lattice, axis), step_along(offsets[d], axis));
    if (k >= layer_sites(lattice, axis))
        return;
    const lattice_site from = layer_site(lattice, axis, end, k),
                       to = forward_site(lattice, offsets[d], from);
    const bool active = image_row_at(lattice, offsets[d], from.row) != NOWHERE && to.x != NOWHERE &&
                        runs_joined(lattice, runs, d, from, to);
    joined[2 * k] = active ? numbers[(ulong)from.row * lattice.nx + from.x] : 0;
    joined[2 * k + 1] = active ? numbers[(ulong)to.row * lattice.nx + to.x] : 0;
}
