/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the bonds of an image in which all neighbours in the foreground match. A bond along
 * several axes is left out if pixels between its ends connect them by bonds along fewer axes. */
#include "image/batch.clh"
#include "image/blocks.clh"
#include "core/bonds.clh"
#include "image/steps.clh"

/* Returns the blocks of a word, as bits, that have a foreground pixel at the side where another
 * block is. planes has the foreground of the blocks (blocks.clh). The other block is at step if
 * side is 1, at -step if side is -1. A pixel of a block counts if along each axis of step it lies
 * next to the other block, and along each axis that toward has and step has not, it lies where
 * toward leads; along other axes it may lie anywhere. If sites are single pixels, every foreground
 * pixel counts. */
u32 facing(const u32 planes[PLANES], lattice_offset step, lattice_offset toward, s32 side)
{
    u32 any = 0;
#pragma unroll
    for (u32 p = 0; p < PLANES; p++) {
        bool faces = true;
        for (u32 axis = 0; axis < (BLOCK > 1 ? AXES : 0); axis++) {
            const s32 at = p >> axis & 1 ? 1 : -1, along = side * step_along(step, axis),
                      on = step_along(toward, axis);
            faces = faces && (along != 0 ? at == along : on == 0 || at == on);
        }
        any |= faces ? planes[p] : 0;
    }
    return any;
}

/* One work-item: a word. Work-group: WORD_ITEMS. Global traffic: words of the foreground read and
 * words of bonds written. */
kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
source_foreground(lattice_args lattice, global const u32 *foreground, global bond_store *bonds)
{
    const ulong word = get_global_id(0);
    if (word >= lattice_words(lattice))
        return;
    const u32 row = word / lattice.words, w = word - (ulong)row * lattice.words;
    u32 here[PLANES], there[STEPS][PLANES];
    spins_load(lattice, foreground, w, row, here);
#pragma unroll
    for (u32 k = 0; k < STEPS; k++) {
        const lattice_offset step = step_of(k);
        const u32 to_row = part_of_any(step) ? image_row_at(lattice, step, row) : NOWHERE;
#pragma unroll
        for (u32 p = 0; p < PLANES; p++)
            there[k][p] = to_row == NOWHERE
                              ? 0
                              : step_mask(lattice, step.x, w) &
                                    shifted_plane(lattice, foreground, step.x, p, w, to_row,
                                                  foreground[p * lattice_words(lattice) +
                                                             (ulong)to_row * lattice.words + w]);
    }
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const lattice_offset none = {0, 0, 0};
        u32 active = facing(here, offsets[d], none, 1), between = 0;
#pragma unroll
        for (u32 k = 0; k < STEPS; k++)
            if (part_of(step_of(k), d)) {
                const u32 seen = facing(there[k], step_of(k), offsets[d], -1);
                if (step_bit(offsets[d]) == 1u << k)
                    active &= seen;
                else
                    between |= seen;
            }
        bonds_store(lattice, bonds, d, w, row, active & ~between);
    }
}
