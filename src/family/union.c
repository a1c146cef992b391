/* Lock-free union of the seams. */
#include "family/label.h"

#include "border/border.clh"

void clup_border_tile(const lattice_args *lattice, unsigned tile[3])
{
    const unsigned axes = clup_lattice_of(lattice)->axes;
    tile[0] = 32;
    tile[1] = BORDER_Y_OF(axes);
    tile[2] = BORDER_Z_OF(axes);
}

const char *clup_unfit_nodes(const clup_setting *setting)
{
    const unsigned axes = clup_lattice_of(&setting->lattice)->axes;
    return border_tiles(setting->lattice, axes) * BORDER_NODES_OF(axes) > (uint64_t)1 << 32
               ? "has too many tiles to count what is at their borders"
               : NULL;
}

uint64_t clup_border_bond_words(const lattice_args *lattice)
{
    const unsigned back = clup_lattice_of(lattice)->directions - 1;
    return BORDER_ROWS_OF(2) * (1 + 2 * back) + 128 * back + BORDER_ROWS_OF(2) * back;
}

/* As consolidate_union numbers them. */
static uint64_t seam_sites_of(const lattice_args *lattice, const unsigned tile[3])
{
    const clup_lattice *of = clup_lattice_of(lattice);
    uint64_t sum = 0;
    for (unsigned axis = 0; axis < of->axes; axis++)
        for (int step = -1; step < 2; step += 2)
            for (unsigned d = 0; d < of->directions; d++)
                if (step_along(of->offsets[d], axis) == step) {
                    sum += seam_sites(*lattice, axis, tile[axis]);
                    break;
                }
    return sum;
}

clup_status clup_run_union(clup_pass *pass)
{
    const size_t items = clup_word_items(pass->state->context);
    const uint64_t seams = seam_sites_of(&pass->state->lattice, pass->tile);
    return clup_pass_launch_groups(pass, 0, (seams + items - 1) / items, items, NULL);
}
