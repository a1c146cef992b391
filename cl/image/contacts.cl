/* SPDX-License-Identifier: BSD-3-Clause */
/* Which labels touch: all pairs of neighbouring pixels with two labels, neither of them 0, counted
 * for each pair of labels. Pairs have places in tables: of the work-group in local memory, then of
 * all in global memory. A work-item takes a place by two atomic operations of 32 bits, one for each
 * label: whoever finds the smaller label of its own pair with no larger one may add that. A place
 * that has a pair keeps it, so that a pair has one place only, whoever looks for it.
 *
 * NEIGHBOURS has the bits of the steps (contacts.clh) to neighbours, PLANE is 1 where ny is 1. */
#include "image/contacts.clh"

#define TILE_WIDTH CONTACT_TILE_X(PLANE)
#define TILE_ROWS CONTACT_TILE_Y(PLANE)
#define COLUMNS (TILE_WIDTH * TILE_ROWS)
#define GROUP_PLACES 512u  /* of the table in local memory */
#define GROUP_PROBES 8u    /* places there that a pair may have */
#define GLOBAL_PROBES 128u /* and in global memory */

/* Counts of a pair in a work-group, two in a word where they fit 16 bits: faces along x and y;
 * faces along z and edges; corners. */
#define PACKED 3u
typedef struct touching {
    u32 low, high;
    u32 counts[PACKED];
} touching;

u32 pair_hash(u32 low, u32 high)
{
    const u32 hash = (low ^ (high * 0x9E3779B9u >> 15 | high * 0x9E3779B9u << 17)) * 0x85EBCA6Bu;
    return hash ^ hash >> 15;
}

/* Tries to take a place for a pair; *taken becomes whether it was free. Returns whether the place
 * is the pair's. */
#define TAKE(SPACE) \
    bool take_##SPACE(volatile SPACE u32 *low, volatile SPACE u32 *high, u32 a, u32 b, \
                      bool *taken) \
    { \
        const u32 first = atomic_cmpxchg(low, 0u, a); \
        if (first != 0 && first != a) \
            return false; \
        const u32 second = atomic_cmpxchg(high, 0u, b); \
        *taken = second == 0; \
        return second == 0 || second == b; \
    }
TAKE(local)
TAKE(global)

/* Adds counts of a pair to the table in global memory, which has mask + 1 places. */
void add_pair(volatile global u32 *table, u32 mask, volatile global u32 *found, u32 low, u32 high,
              const u32 counts[PACKED])
{
    u32 place = pair_hash(low, high) & mask;
    for (u32 probe = 0; probe < GLOBAL_PROBES; probe++, place = (place + 1) & mask) {
        volatile global u32 *words = table + (ulong)CONTACT_WORDS * place;
        bool taken = false;
        if (!take_global(words + CONTACT_LOW, words + CONTACT_HIGH, low, high, &taken))
            continue;
        if (taken)
            atomic_inc(&found[CONTACT_PAIRS]);
        const u32 sums[5] = {counts[0] & 0xFFFFu, counts[0] >> 16, counts[1] & 0xFFFFu,
                             counts[1] >> 16, counts[2]};
#pragma unroll
        for (u32 k = 0; k < 5; k++)
            if (sums[k] > 0)
                atomic_add(&words[CONTACT_SUMS + k], sums[k]);
        return;
    }
    atomic_or(&found[CONTACT_FULL], 1u);
}

/* Adds counts of a pair, if there are any, to the table in local memory, or where that has no place
 * for it to the one in global memory. */
void add_touching(const touching *pair, volatile local u32 *low, volatile local u32 *high,
                  volatile local u32 *counts, volatile global u32 *table, u32 mask,
                  volatile global u32 *found)
{
    if (pair->low == 0)
        return;
    u32 place = pair_hash(pair->low, pair->high) % GROUP_PLACES;
    for (u32 probe = 0; probe < GROUP_PROBES; probe++, place = (place + 1) % GROUP_PLACES) {
        bool taken;
        if (!take_local(&low[place], &high[place], pair->low, pair->high, &taken))
            continue;
#pragma unroll
        for (u32 k = 0; k < PACKED; k++)
            if (pair->counts[k] > 0)
                atomic_add(&counts[k * GROUP_PLACES + place], pair->counts[k]);
        return;
    }
    add_pair(table, mask, found, pair->low, pair->high, pair->counts);
}

/* Reads the labels of a layer at the 3 x 3 places around a column, x fastest. */
void read_around(global const u32 *layer, const u32 places[9], u32 labels[9])
{
#pragma unroll
    for (u32 k = 0; k < 9; k++)
        labels[k] = layer[places[k]];
}

/* Returns the label of the neighbour that is step d away, of those around a pixel in its layer and
 * in the next one. */
u32 neighbour(const u32 here[9], const u32 next[9], u32 d)
{
    const u32 places[CONTACT_STEPS] = {5, 7, 4, 8, 6, 5, 3, 7, 1, 8, 6, 2, 0};
    return CONTACT_DEEPER >> d & 1 ? next[places[d]] : here[places[d]];
}

/* Counts the pairs of the box. table has mask + 1 places (contacts.clh), a power of two, of zeros
 * at first; found is 0 at first.
 *
 * One work-group: a tile of CONTACT_TILE_X x _Y x _Z pixels. One work-item: some columns of it
 * along z. Local memory: 10 KiB, the table of the group. Global traffic, bytes a pixel: 4, and 9
 * reads that the caches have; 32 bytes, and an atomic operation for each kind of contact, for a
 * pair of a tile. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
contacts_count(contact_box box, u32 mask, global const u32 *labels, volatile global u32 *table,
               volatile global u32 *found)
{
    local u32 low[GROUP_PLACES], high[GROUP_PLACES], counts[PACKED * GROUP_PLACES];
    const u32 item = get_local_id(0), wide = (box.nx - 1) / TILE_WIDTH + 1,
              deep = (box.layers - 1) / CONTACT_TILE_Z + 1;
    const u32 group = get_group_id(0), x0 = group % wide * TILE_WIDTH,
              z0 = group / wide % deep * CONTACT_TILE_Z, y0 = group / wide / deep * TILE_ROWS;
    const u32 z1 = min(z0 + CONTACT_TILE_Z, box.layers);
    const ulong area = (ulong)box.nx * box.ny;
    for (u32 k = item; k < GROUP_PLACES; k += SITE_ITEMS) {
        low[k] = 0;
        high[k] = 0;
        for (u32 c = 0; c < PACKED; c++)
            counts[c * GROUP_PLACES + k] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 column = item; column < COLUMNS; column += SITE_ITEMS) {
        const u32 x = x0 + column % TILE_WIDTH, y = y0 + column / TILE_WIDTH;
        if (x >= box.nx || y >= box.ny)
            continue;
        /* neighbours that are not there are read at the place of the pixel, and left out */
        const bool around_x = box.periodic & 1, around_y = box.periodic >> 1 & 1;
        const bool left = x > 0 || around_x, right = x + 1 < box.nx || around_x;
        const bool up = y > 0 || around_y, down = y + 1 < box.ny || around_y;
        const u32 xs[3] = {!left   ? x
                           : x > 0 ? x - 1
                                   : box.nx - 1,
                           x,
                           !right           ? x
                           : x + 1 < box.nx ? x + 1
                                            : 0};
        const u32 ys[3] = {!up     ? y
                           : y > 0 ? y - 1
                                   : box.ny - 1,
                           y,
                           !down            ? y
                           : y + 1 < box.ny ? y + 1
                                            : 0};
        const u32 open = NEIGHBOURS & ~((left ? 0 : CONTACT_LEFT) | (right ? 0 : CONTACT_RIGHT) |
                                        (up ? 0 : CONTACT_UP) | (down ? 0 : CONTACT_DOWN));
        u32 places[9], here[9], next[9];
#pragma unroll
        for (u32 k = 0; k < 9; k++)
            places[k] = xs[k % 3] + box.nx * ys[k / 3];
        touching pair = {0, 0, {0, 0, 0}};
        read_around(labels + area * (box.first + z0), places, next);
        for (u32 z = box.first + z0; z < box.first + z1; z++) {
            const bool deeper = z + 1 < box.nz || box.periodic >> 2 & 1;
#pragma unroll
            for (u32 k = 0; k < 9; k++)
                here[k] = next[k];
            if (deeper)
                read_around(labels + area * (z + 1 < box.nz ? z + 1 : 0), places, next);
            const u32 own = here[4];
            u32 others = 0, differ = 0;
#pragma unroll
            for (u32 d = 0; d < CONTACT_STEPS; d++)
                differ |= NEIGHBOURS >> d & 1 ? neighbour(here, next, d) ^ own : 0;
            if (own == 0 || differ == 0)
                continue;
#pragma unroll
            for (u32 d = 0; d < CONTACT_STEPS; d++) {
                const u32 other = NEIGHBOURS >> d & 1 ? neighbour(here, next, d) : 0;
                others |= (u32)(other != own && other != 0) << d;
            }
            others &= deeper ? open : open & ~CONTACT_DEEPER;
            while (others != 0) {
                u32 other = 0, same = 0;
#pragma unroll
                for (u32 d = CONTACT_STEPS; d-- > 0;)
                    if (NEIGHBOURS >> d & 1)
                        other = others >> d & 1 ? neighbour(here, next, d) : other;
#pragma unroll
                for (u32 d = 0; d < CONTACT_STEPS; d++)
                    same |= NEIGHBOURS >> d & 1 && neighbour(here, next, d) == other ? 1u << d : 0;
                same &= others;
                others ^= same;
                const u32 a = min(own, other), b = max(own, other);
                if (a != pair.low || b != pair.high) {
                    add_touching(&pair, low, high, counts, table, mask, found);
                    pair.low = a;
                    pair.high = b;
                    pair.counts[0] = pair.counts[1] = pair.counts[2] = 0;
                }
                pair.counts[0] += (same & 1) | (same >> 1 & 1) << 16;
                pair.counts[1] += (same >> 2 & 1) | popcount(same & CONTACT_EDGES) << 16;
                pair.counts[2] += popcount(same & CONTACT_CORNERS);
            }
        }
        add_touching(&pair, low, high, counts, table, mask, found);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (u32 k = item; k < GROUP_PLACES; k += SITE_ITEMS)
        if (low[k] != 0) {
            const u32 sums[PACKED] = {counts[k], counts[GROUP_PLACES + k],
                                      counts[2 * GROUP_PLACES + k]};
            add_pair(table, mask, found, low[k], high[k], sums);
        }
}

/* Lists the places of the table that have a pair, in any order, to pairs[][CONTACT_WORDS].
 *
 * One work-item: a place. Global traffic: 32 bytes a place, and twice as many for a pair. */
kernel __attribute__((reqd_work_group_size(SITE_ITEMS, 1, 1))) void
contacts_list(u32 mask, global const uint4 *table, volatile global u32 *found, global uint4 *pairs)
{
    const ulong place = get_global_id(0);
    if (place > mask)
        return;
    const uint4 start = table[2 * place];
    if (start.x == 0)
        return;
    const ulong to = atomic_inc(&found[CONTACT_LISTED]);
    pairs[2 * to] = start;
    pairs[2 * to + 1] = table[2 * place + 1];
}
