/* Which pixels of an image are of one cluster: bonds of neighbours that match, and a bit for each pixel of the foreground, which alone
 * has bonds. MATCH_EQUAL: all channels are equal. MATCH_TOLERANCE: each differs by at most the level. MATCH_NONZERO and MATCH_THRESHOLD:
 * all of the foreground match, which is where a channel other than alpha is not 0, or is above the level. With the first two, pixels
 * that equal the background's are not of the foreground.
 *
 * One work-item: one pixel. One work-group: 32 columns of SITE_ITEMS/32 rows. Word bonds. Local memory: a byte a pixel for 8 directions.
 * Global traffic, bytes a pixel: pixels read, and written 1/8 for the foreground and each direction. */
#include "bonds.clh"
#include "image.clh"

#define COLOURS min(CHANNELS, 3u)
#define ROWS (SITE_ITEMS / 32)
#define PLANES_OUT (DIRECTIONS + 1)

/* A value from its bits, and how far two are apart. */
#ifdef PIXEL_FLOAT
#define VALUE(bits) as_float(bits)
#define APART(a, b) fabs((a) - (b))
#define LEVEL(bits) as_float(bits)
#else
#define VALUE(bits) ((PIXEL)(bits))
#define APART(a, b) abs_diff(a, b)
#define LEVEL(bits) (bits)
#endif

bool in_foreground(global const PIXEL *pixel, image_args image)
{
    bool all = true;
    u32 any = 0;
    for (u32 c = 0; c < CHANNELS; c++)
        all = all && pixel[c] == VALUE(image.background[c]);
#if defined MATCH_NONZERO
    for (u32 c = 0; c < COLOURS; c++)
        any |= pixel[c] != 0;
    return any;
#elif defined MATCH_THRESHOLD
    for (u32 c = 0; c < COLOURS; c++)
        any |= pixel[c] > VALUE(image.level);
    return any;
#else
    return !(image.has_background && all);
#endif
}

bool match(global const PIXEL *a, global const PIXEL *b, image_args image)
{
    bool all = true;
#if defined MATCH_EQUAL
    for (u32 c = 0; c < CHANNELS; c++)
        all = all && a[c] == b[c];
#elif defined MATCH_TOLERANCE
    for (u32 c = 0; c < CHANNELS; c++)
        all = all && APART(a[c], b[c]) <= LEVEL(image.level);
#endif
    return all;
}

/* Bit p of 32 bytes. */
u32 gather_bit(local const u32 *bytes, u32 p)
{
    u32 word = 0;
    for (u32 k = 0; k < 8; k++)
        word |= ((bytes[k] >> p & 0x01010101u) * 0x10204080u >> 28) << 4 * k;
    return word;
}

kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1)))
void source_image(lattice_args lattice, image_args image, global const PIXEL *pixels, global u32 *foreground, global bond_store *bonds)
{
    local u32 gathered[(PLANES_OUT + 7) / 8][SITE_ITEMS / 4];
    const u32 item = get_local_id(0), w = get_group_id(0) % lattice.words, first = get_group_id(0) / lattice.words * ROWS;
    const u32 x = 32 * w + item % 32, row = first + item / 32, rows = lattice_rows(lattice);
    u32 bits = 0;
    if (x < lattice.nx && row < rows) {
        global const PIXEL *here = pixels + CHANNELS * ((ulong)row * lattice.nx + x);
        if (in_foreground(here, image)) {
            bits = 1;
            #pragma unroll
            for (u32 d = 0; d < DIRECTIONS; d++) {
                const u32 to_row = row_at(lattice, offsets[d], row), to_x = stepped(x, offsets[d].x, lattice.nx, lattice.periodic & 1);
                if (to_row == NOWHERE || to_x == NOWHERE)
                    continue;
                global const PIXEL *there = pixels + CHANNELS * ((ulong)to_row * lattice.nx + to_x);
                if (in_foreground(there, image) && match(here, there, image))
                    bits |= 2u << d;
            }
        }
    }
    #pragma unroll
    for (u32 part = 0; part < (PLANES_OUT + 7) / 8; part++)
        ((local u8 *)gathered[part])[item] = bits >> 8 * part;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = item; k < ROWS * PLANES_OUT; k += SITE_ITEMS) {
        const u32 p = k / ROWS, in_group = k % ROWS;
        if (first + in_group >= rows)
            continue;
        const u32 word = gather_bit(gathered[p / 8] + 8 * in_group, p % 8);
        if (p == 0)
            foreground[(ulong)(first + in_group) * lattice.words + w] = word;
        else
            bonds_store(lattice, bonds, p - 1, w, first + in_group, word);
    }
}
