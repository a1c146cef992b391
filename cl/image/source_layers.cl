/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what source_image.cl does in volumes, for pixels of one channel and at most four bytes that
 * match in pairs; a work-item makes one word of bonds. A group goes through the layers of its tile,
 * two of which are in local memory. If matching is transitive, pixels at steps along several axes
 * are compared only where no pixel between them matches.
 *
 * One work-group: a tile; a work-item: a word of a row of a layer. Word bonds. Local memory: the
 * pixels of two layers, with those around, and a word for each row. Global traffic, bytes a pixel:
 * pixels read, some twice, and written 1/8 for the foreground and each direction. */
#include "image/batch.clh"
#include "core/bonds.clh"
#include "image/pixels.clh"
#include "core/run_bits.clh"
#include "image/steps.clh"
#include "core/tile.clh"

#define WORDS (TILE_X / 32)
#define ITEMS (WORDS * TILE_Y)
#define ROWS (TILE_Y + 2) /* rows of a layer, with one more on each side */
/* The index of pixel x in its row. There is a gap between words, and the banks where rows begin
 * differ by the number of words of a row, so that no two work-items of one row or of two
 * consecutive rows use the same bank. */
#define PIXEL_AT(x) ((x) < 0 ? 0 : 2 + (x) + (x) / 32)
#define ROW_PIXELS ((PIXEL_AT((s32)TILE_X) - WORDS) / 32 * 32 + 32 + WORDS)
/* The numbers of steps along one axis (steps.clh). */
#define STEP_Y 7
#define STEP_Z 13

/* Loads the layer at z, with one more row and pixel on each side: those at the other end of the
 * axis. If there are none, any pixels are loaded. */
void load_layer(lattice_args lattice, tile_box box, u32 z, global const PIXEL *pixels,
                local PIXEL *layer)
{
    const u32 item = get_local_id(0), beyond = ahead(box.x + box.nx - 1, lattice.nx, 1);
    const ulong first = (ulong)z * lattice.ny;
    PIXEL some[ROWS][TILE_X / ITEMS], end[ROWS];
    /* all pixels are loaded together */
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        const u32 y = min(r, box.ny + 1), to_y = y == 0 ? behind(box.y, lattice.ny, 1)
                                                        : ahead(box.y + y - 2, lattice.ny, 1);
        global const PIXEL *row = pixels + (first + to_y) * lattice.nx;
#pragma unroll
        for (u32 k = 0; k < TILE_X / ITEMS; k++) {
            const u32 x = item + k * ITEMS;
            some[r][k] = row[x < box.nx ? box.x + x : beyond];
        }
        end[r] = row[item == 0 ? behind(box.x, lattice.nx, 1) : beyond];
    }
#pragma unroll
    for (u32 r = 0; r < ROWS; r++, layer += ROW_PIXELS) {
#pragma unroll
        for (u32 k = 0; k < TILE_X / ITEMS; k++)
            layer[PIXEL_AT((s32)(item + k * ITEMS))] = some[r][k];
        if (item < 2)
            layer[item == 0 ? PIXEL_AT(-1) : PIXEL_AT((s32)TILE_X)] = end[r];
    }
}

bool is_present(PIXEL pixel, image_args image)
{
    return !(image.has_background && is_background(pixel, VALUE(image.background[0])));
}

/* Says whether pixel a matches b, which must be in the foreground. */
bool matches(PIXEL a, PIXEL b, image_args image)
{
#ifdef MATCH_EQUAL
    return is_equal(a, b);
#else
    return is_present(a, image) && is_near(a, b, LEVEL(image.level));
#endif
}

/* Returns the index of pixel x of a word, relative to its first pixel; x is -1 to 32. */
s32 in_word(s32 x)
{
    return x < 0 ? -2 : x > 31 ? 33 : x;
}

u32 axes_of(lattice_offset step)
{
    return (step.x != 0) + (step.y != 0) + (step.z != 0);
}

/* Says whether step part is along some of the axes of step, but not all. */
bool is_between(lattice_offset part, lattice_offset step)
{
#if defined MATCH_TOLERANCE || defined ALL_BONDS
    return false;
#else
    return axes_of(part) > 0 && axes_of(part) < axes_of(step) &&
           (part.x == 0 || part.x == step.x) && (part.y == 0 || part.y == step.y) &&
           (part.z == 0 || part.z == step.z);
#endif
}

/* Returns the pixels of wanted, as bits of a word, that have to be compared with their neighbour at
 * a step along several axes. The others have no bond to the neighbour, or need none. A pixel is
 * left out if it matches a pixel between itself and the neighbour (is_between()): if it matches the
 * neighbour too, bonds along fewer axes connect them. If matching is transitive, a pixel is also
 * left out if the pixel before the neighbour, along the last axis of the step, is known to match
 * the neighbour. That pixel lies between: a pixel that matches it was left out above, and one that
 * does not match it cannot match the neighbour. last are the pixels known to match the next one
 * along that axis, in the row of the pixel before the neighbour. */
u32 may_match(lattice_offset step, u32 wanted, const u32 matching[STEPS], u32 last)
{
#pragma unroll
    for (u32 j = 0; j < STEPS; j++)
        if (is_between(step_of(j), step))
            wanted &= ~matching[j];
#ifdef MATCH_TRANSITIVE
    wanted &= ~moved(last, -step.x);
#endif
    return wanted;
}

kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void
source_layers(lattice_args lattice, image_args image, global const PIXEL *pixels,
              global u32 *foreground, global bond_store *bonds)
{
    local PIXEL layers[2][ROWS * ROW_PIXELS];
    local u32 along_z[ROWS][WORDS];
    const tile_box box = tile_at(lattice, get_group_id(0));
    const u32 in_row = get_local_id(0) % WORDS, y = get_local_id(0) / WORDS,
              w = box.x / 32 + in_row;
    const bool mine = w < lattice.words && y < box.ny;
    const u32 at = (y + 1) * ROW_PIXELS + PIXEL_AT((s32)(32 * in_row));
    load_layer(lattice, box, box.z, pixels, layers[0]);
    if (get_local_id(0) < 2 * WORDS) /* nothing is known of the rows beside */
        along_z[y * (ROWS - 1)][in_row] = 0;
    for (u32 z = box.z; z < box.z + box.nz; z++) {
        const u32 row = box.y + y + lattice.ny * z;
        local const PIXEL *from = layers[(z - box.z) % 2];
        local PIXEL *next = layers[(z - box.z + 1) % 2];
        u32 matching[STEPS], present = 0;
#pragma unroll
        for (u32 k = 0; k < STEPS; k++)
            matching[k] = 0;
        load_layer(lattice, box, stepped(z, 1, lattice.nz, 1), pixels, next);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine) {
            PIXEL here[32];
#pragma unroll
            for (u32 j = 0; j < 32; j++) {
                here[j] = from[at + j];
                present |= (u32)is_present(here[j], image) << j;
            }
            present &= word_mask(lattice, w);
#pragma unroll
            for (u32 k = 0; k < STEPS; k++) {
                const lattice_offset step = step_of(k);
                if (axes_of(step) != 1 || !part_of_any(step))
                    continue;
                local const PIXEL *there = (step.z > 0 ? next : from) + at +
                                           (s32)ROW_PIXELS * step.y;
#pragma unroll
                for (u32 j = 0; j < 32; j++)
                    matching[k] |= (u32)matches(there[in_word((s32)j + step.x)], here[j], image)
                                   << j;
                matching[k] &= image_row_at(lattice, step, row) == NOWHERE
                                   ? 0
                                   : present & step_mask(lattice, step.x, w);
            }
        }
        along_z[y + 1][in_row] = matching[STEP_Z];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine) {
#pragma unroll
            for (u32 axes = 2; axes <= AXES; axes++)
#pragma unroll
                for (u32 k = 0; k < STEPS; k++) {
                    const lattice_offset step = step_of(k);
                    if (axes_of(step) != axes || !part_of_any(step) ||
                        image_row_at(lattice, step, row) == NOWHERE)
                        continue;
                    local const PIXEL *there = (step.z > 0 ? next : from) + at +
                                               (s32)ROW_PIXELS * step.y;
                    u32 bits = may_match(step, present & step_mask(lattice, step.x, w), matching,
                                         step.z > 0 ? along_z[y + 1 + step.y][in_row]
                                                    : matching[STEP_Y]);
                    for (; bits; bits &= bits - 1) {
                        const u32 j = lowest(bits);
                        matching[k] |=
                            (u32)matches(there[in_word((s32)j + step.x)], from[at + j], image) << j;
                    }
                }
            foreground[(ulong)row * lattice.words + w] = present;
            const u32 across = new_bonds(matching, 0);
            bonds_store(lattice, bonds, 0, w, row, across);
#pragma unroll
            for (u32 d = 1; d < DIRECTIONS; d++) {
                u32 active = new_bonds(matching, d);
#if defined MATCH_TRANSITIVE && !defined ALL_BONDS
                /* if two pixels are connected here, the pixels that match them are connected too */
                active &= ~(repeated(active, across, across) << 1);
#endif
                bonds_store(lattice, bonds, d, w, row, active);
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
