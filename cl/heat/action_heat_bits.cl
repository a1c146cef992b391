/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat bath for two states where all bonds have one weight, in a field too, 32 sites at a time,
 * in rows first to end - 1. Gives all sites of a colour a new state, and copies the spins of all
 * other sites; a colour that no site has copies all.
 *
 * For each site it counts v, 2 DIRECTIONS plus the bonds that state 1 satisfies less those that
 * state 0 does (heat.clh), bit by bit for 32 sites at once, and then compares numbers with
 * thresholds as draw_bonds() does, where the threshold of a site is below[v].
 *
 * One work-item: a word of a row; on checkered lattices of two rows, of which a colour has 32
 * sites. Work-group: WORD_ITEMS. Local memory: none. Global traffic, bytes a site and colour: spins
 * of the site and of its neighbours read, and written, 1/8 each; and its disorder. */
#include "core/systems.clh"
#include "core/spins.clh"
#include "heat/colours.clh"
#include "model/laws.clh"

#define ENDS (2 * DIRECTIONS)
#define VALUES (2 * ENDS + 1)
#define SUM_PLANES (DIRECTIONS < 4 ? 4 : DIRECTIONS < 8 ? 5 : 6) /* bits of v */

/* For each end of a bond of 32 sites: the sites that have the bond, and those of which state 1
 * satisfies it. */
typedef struct word_ends {
    u32 present[ENDS], satisfied[ENDS];
} word_ends;

/* Does shifted_plane() for some sites of a word alone: the word beside it is not read unless one of
 * these sites needs it. */
u32 plane_beside(lattice_args lattice, global const u32 *planes, s32 step, u32 p, u32 w, u32 row,
                 u32 plane, u32 sites)
{
    const u32 end = last_bit(lattice, w);
    u32 to = step > 0 ? plane >> 1 : step < 0 ? plane << 1 : plane;
    if (step > 0 && (sites >> end & 1))
        to |= spins_bit(lattice, planes, p, w == lattice.words - 1 ? 0 : 32 * (w + 1), row) << end;
    if (step < 0 && (sites & 1))
        to |= spins_bit(lattice, planes, p, (w == 0 ? lattice.nx : 32 * w) - 1, row);
    return to;
}

#if TURNED || MISSING
/* Returns plane p of disorder of a row, moved by a step along x: bit j becomes that of the bond
 * which starts at site 32 w + j + step. Only the bits of sites are right. Bits past the end of the
 * row, which disorder has too, are left out. */
u32 disorder_beside(lattice_args lattice, system_laws laws, s32 step, u32 p, u32 w, u32 row,
                    u32 sites)
{
    const u32 plane = laws.disorder[((ulong)p * lattice_rows(lattice) + row) * lattice.words + w];
    return plane_beside(lattice, laws.disorder, step, p, w, row, plane & word_mask(lattice, w),
                        sites);
}
#endif

/* Fills in the bits of some sites of word w of a row in ends: for each end, which of these sites
 * have the bond, and for which of them state 1 satisfies it. own is the spins of the word. */
void load_ends(lattice_args lattice, global const spin_store *spins, system_laws laws, u32 sites,
               u32 w, u32 row, u32 own, word_ends *ends)
{
#pragma unroll
    for (u32 e = 0; e < ENDS; e++) {
        const u32 d = e / 2;
        const s32 sign = e % 2 ? -1 : 1;
        const lattice_offset offset = {sign * offsets[d].x, sign * offsets[d].y,
                                       sign * offsets[d].z};
        const bool same_row = offsets[d].y == 0 && offsets[d].z == 0;
        const u32 to = leads_nowhere(lattice, offset) ? NOWHERE
                       : same_row                     ? row
                                                      : row_at(lattice, offset, row);
        if (to == NOWHERE)
            continue;
        const u32 word = same_row ? own : spins[(ulong)to * lattice.words + w];
        u32 present = sites & step_mask(lattice, offset.x, w), unequal = law_along(laws, d).unequal;
        if (sign > 0) {
            present &= pattern_bonds(lattice, AXES, offsets[d], row) &
                       bonds_present(lattice, laws, d, w, row);
            unequal = bonds_unequal(lattice, laws, d, w, row);
        } else {
            /* the row of the bonds' first sites, as the pattern has the same bits in all words */
            present &= rotate(pattern_bonds(lattice, AXES, offsets[d], to), (u32)offsets[d].x % 32);
#if TURNED
            unequal ^= disorder_beside(lattice, laws, offset.x, d, w, to, sites);
#endif
#if MISSING
            present &= ~disorder_beside(lattice, laws, offset.x, TURNED * DIRECTIONS + d, w, to,
                                        sites);
#endif
        }
        ends->present[e] |= present;
        ends->satisfied[e] |= present &
                              (plane_beside(lattice, spins, offset.x, 0, w, to, word, sites) ^
                               unequal);
    }
}

/* Adds bits to numbers of 32 sites, from bit first on. */
void add_bits(u32 sums[SUM_PLANES], u32 first, u32 bits)
{
#pragma unroll
    for (u32 k = first; k < SUM_PLANES; k++) {
        const u32 carry = sums[k] & bits;
        sums[k] ^= bits;
        bits = carry;
    }
}

/* Returns the sites, as bits, for which v is value, where sums are v of all sites. */
u32 sites_with(const u32 sums[SUM_PLANES], u32 value)
{
    u32 sites = 0xFFFFFFFFu;
#pragma unroll
    for (u32 k = 0; k < SUM_PLANES; k++)
        sites &= value >> k & 1 ? sums[k] : ~sums[k];
    return sites;
}

/* Returns the sites, as bits, that become 0 whatever their numbers are. */
u32 always_zeros(global const heat_law *law, const u32 sums[SUM_PLANES], u32 sites)
{
    const ulong always = law->always;
    u32 zeros = 0;
    for (u32 v = 0; v < VALUES && always >> v; v++)
        if (always >> v & 1)
            zeros |= sites_with(sums, v);
    return zeros & sites;
}

/* Compares a bit of the numbers of undecided sites with that of their thresholds. */
#define COMPARE(undecided, zeros, bits, threshold) \
    do { \
        zeros |= undecided & ~(bits) & (threshold); \
        undecided &= ~((bits) ^ (threshold)); \
    } while (0)

/* Returns the sites, as bits, that become 0. */
u32 draw_zeros(global const heat_law *law, const u32 sums[SUM_PLANES], u32 sites, random_key key,
               ulong index, u32 round)
{
    u32 zeros = always_zeros(law, sums, sites), undecided = sites & ~zeros;
    for (u32 block = 0; block < HEAT_BLOCKS && undecided; block++) {
        const philox_block random = heat_block(key, index, round, block);
        for (u32 k = 0; k < 4; k++) {
            u32 threshold = 0;
            for (u32 v = 0; v < VALUES; v++)
                threshold |= law->below[v] >> (31 - 4 * block - k) & 1 ? sites_with(sums, v) : 0;
            COMPARE(undecided, zeros, random.v[k], threshold);
        }
    }
    return zeros;
}

/* Does draw_zeros() where v is even for all sites: where they have all bonds. */
INLINE u32 draw_zeros_of_all(global const heat_law *law, const u32 sums[SUM_PLANES], u32 sites,
                             random_key key, ulong index, u32 round)
{
    u32 zeros = always_zeros(law, sums, sites), undecided = sites & ~zeros, with[ENDS];
#pragma unroll
    for (u32 n = 0; n < ENDS; n++)
        with[n] = sites_with(sums, 2 * n);
    const u32 last = law->below[VALUES - 1];
    for (u32 block = 0; block < HEAT_BLOCKS && undecided; block++) {
        const philox_block random = heat_block(key, index, round, block);
#pragma unroll
        for (u32 k = 0; k < 4; k++) {
            global const uint4 *turned = (global const uint4 *)law->turned[4 * block + k];
            const uint4 few = turned[0], more = turned[ENDS > 4];
            u32 threshold = (u32)((s32)(last << (4 * block + k)) >> 31);
            threshold ^= with[0] & few.s0;
            threshold ^= with[1] & few.s1;
            threshold ^= with[2] & few.s2;
            threshold ^= with[3] & few.s3;
#pragma unroll
            for (u32 n = 4; n < ENDS; n++)
                threshold ^= with[n] & (n == 4   ? more.s0
                                        : n == 5 ? more.s1
                                        : n == 6 ? more.s2
                                                 : more.s3);
            COMPARE(undecided, zeros, random.v[k], threshold);
        }
    }
    return zeros;
}

kernel __attribute__((reqd_work_group_size(WORD_ITEMS, 1, 1))) void
action_heat_bits(lattice_args lattice, random_key key, global const bond_law *laws,
                 global const u32 *disorder, global const heat_law *heat, u32 colour, u32 checkered,
                 u32 round, u32 first, u32 end, global const spin_store *from,
                 global spin_store *to)
{
#ifndef SUBDOMAIN
    first = 0;
#endif
    /* The rows of a pair are 2 k and 2 k + 1 in the whole lattice. Where row first is odd there,
     * the upper row of its pair is row first - 1, which is not updated; row 0 of a whole lattice is
     * even, so that there is such a row. */
    const u32 pairs = checkered ? (lattice.ny + 1) / 2 : lattice.ny,
              column = get_global_id(0) / lattice.words,
              w = get_global_id(0) - column * lattice.words, layer = AXES > 2 ? column / pairs : 0,
              odd = AXES < 3 && checkered ? row_of_whole(lattice, first) & 1 : 0,
              y = (checkered ? 2 : 1) * (column - pairs * layer),
              row = first + layer * lattice.ny + y - odd;
    const bool one = odd == 0 || column > 0,
               both = checkered && (AXES > 2 ? y + 1 < lattice.ny : row + 1 < end);
    if (one && row >= end)
        return;
    from += REPLICA(spins_length(lattice));
    to += REPLICA(spins_length(lattice));
    const u32 upper = one ? colour_sites(lattice, checkered, colour, w, row) : 0,
              lower = both ? colour_sites(lattice, checkered, colour, w, row + 1) : 0,
              sites = upper | lower;
    const ulong at = (ulong)row * lattice.words + w, below = at + lattice.words;
    const u32 own = one ? from[at] : 0, own_below = both ? from[below] : 0;
    u32 zeros = 0;
    if (sites) {
        const system_laws own_laws = system_laws_of(lattice, laws, disorder);
        word_ends ends = {{0}, {0}};
        if (one)
            load_ends(lattice, from, own_laws, upper, w, row, own, &ends);
        if (both)
            load_ends(lattice, from, own_laws, lower, w, row + 1, own_below, &ends);
        u32 sums[SUM_PLANES] = {0}, missing = 0;
#pragma unroll
        for (u32 e = 0; e < ENDS; e++) {
            add_bits(sums, 1, ends.satisfied[e]);
            missing |= sites & ~ends.present[e];
        }
        const ulong index = index_of_row(lattice, checkered, colour, w, row);
        const random_key own_key = system_key(key);
        global const heat_law *law = &heat[get_group_id(1)];
        if (ENDS <= HEAT_FEW_ENDS && !missing)
            zeros = draw_zeros_of_all(law, sums, sites, own_key, index, round);
        else {
#pragma unroll
            for (u32 e = 0; e < ENDS; e++)
                add_bits(sums, 0, sites & ~ends.present[e]);
            zeros = draw_zeros(law, sums, sites, own_key, index, round);
        }
    }
    if (one)
        to[at] = (own & ~upper) | (upper & ~zeros);
    if (both)
        to[below] = (own_below & ~lower) | (lower & ~zeros);
}
