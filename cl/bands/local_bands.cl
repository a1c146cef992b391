/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the clusters inside of bands (bands.clh): afterwards the parent of each run is the root of
 * its cluster in the band. Of the bonds back from a run to rows before, the first is its hook,
 * which gives the run its parent; the others are unions, each of which unites two trees. Unions of
 * a chunk whose runs have the same parent already are left out, without a branch that would be
 * mispredicted, and the others done in one go.
 *
 * One work-group: one band, one work-item. Private memory: 512 bytes for each direction, for the
 * list of unions. Local memory: none. Global traffic: the foreground and
 * bonds, read once or for each row whose bonds need them, most of it from caches; written four
 * bytes a chunk and a run. */
#include "bands/bands.clh"
#include "core/sixteens.clh"

/* Unites the trees that hold runs a and b; no other work-item may change their band. By Rem's
 * algorithm: on the way up from both, a run whose parent has the larger number is put below the
 * parent of the other run. */
void unite_runs(global u32 *parents, u32 a, u32 b)
{
    for (u32 up_a = parents[a], up_b = parents[b]; up_a != up_b;) {
        if (up_a < up_b) {
            const u32 i = a, up = up_a;
            a = b;
            up_a = up_b;
            b = i;
            up_b = up;
        }
        parents[a] = up_b;
        if (a == up_a)
            return;
        a = up_a;
        up_a = parents[a];
    }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
local_bands(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
            global u32 *parents, global u32 *counts)
{
    const uint16 iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const band band = band_at(lattice, get_group_id(0));
    const u32 chunks = band_chunks(lattice);
    u32 slot = band.slot;
    for (u32 row = band.first; row < band.first + band.rows; row++) {
        const run_rows rows = run_rows_of(lattice, row);
        const bool upper = row == rows.upper;
        global u32 *count = counts + counts_row(lattice, rows.upper);
        run_rows above[ROW_STEPS];
        u32 before[ROW_STEPS];
        bool inside[ROW_STEPS], some = false;
        ulong next[ROW_STEPS], carry = 0;
        rows_before(lattice, row, before);
#pragma unroll
        for (u32 e = 0; e < ROW_STEPS; e++) {
            inside[e] = before[e] != NOWHERE && before[e] >= band.first;
            some = some || inside[e];
            above[e] = run_rows_of(lattice, before[e]);
            next[e] = inside[e] ? run_chunk_at(lattice, foreground, bonds, above[e], 0).starts : 0;
        }
        if (!upper && !some)
            continue;
        for (u32 c = 0; c < chunks; c++) {
            const run_chunk here = run_chunk_at(lattice, foreground, bonds, rows, c);
            const u32 fresh = upper ? count_bits(here.starts) : 0, first = upper ? slot : count[c];
            ulong up[DIRECTIONS], hooks[DIRECTIONS], starts[ROW_STEPS], any = 0;
            u32 runs[ROW_STEPS], listed = 0;
            uint2 pairs[64 * DIRECTIONS];
            count[c] = first;
            for (u32 k = 0; k < fresh; k += 16)
                store_sixteen(slot + k + iota, parents + slot + k);
            if (some) {
#pragma unroll
                for (u32 e = 0; e < ROW_STEPS; e++)
                    if (inside[e]) {
                        runs[e] = counts[counts_row(lattice, above[e].upper) + c];
                        starts[e] = next[e];
                        next[e] = run_chunk_at(lattice, foreground, bonds, above[e], c + 1).starts;
                    }
                joined_chunk(lattice, foreground, bonds, row, before, c, up);
#pragma unroll
                for (u32 d = 1; d < DIRECTIONS; d++) {
                    up[d] = inside[row_step(offsets[d])] ? up[d] : 0;
                    any |= up[d];
                }
                /* runs may have their hook in the upper row, so that the lower has unions alone */
                ulong free = upper ? any & ~preceded_on(here.across, any, &carry) : 0;
#pragma unroll
                for (u32 d = 1; d < DIRECTIONS; d++) {
                    const u32 e = row_step(offsets[d]);
                    hooks[d] = up[d] & free;
                    free &= ~up[d];
                    for (ulong bits = hooks[d]; bits; bits &= bits - 1) {
                        const ulong sites = up_to_lowest(bits);
                        parents[run_of(first, here.starts, sites)] =
                            parents[parents[run_above(runs[e], starts[e], next[e], d, sites)]];
                    }
                }
#pragma unroll
                for (u32 d = 1; d < DIRECTIONS; d++) {
                    const u32 e = row_step(offsets[d]);
                    for (ulong bits = up[d] & ~hooks[d]; bits; bits &= bits - 1) {
                        const ulong sites = up_to_lowest(bits);
                        const u32 a = parents[run_of(first, here.starts, sites)],
                                  b = parents[run_above(runs[e], starts[e], next[e], d, sites)];
                        pairs[listed] = (uint2)(a, b);
                        listed += a != b;
                    }
                }
                for (u32 k = 0; k < listed; k++)
                    unite_runs(parents, pairs[k].s0, pairs[k].s1);
            }
            slot += fresh;
        }
        if (upper)
            count[chunks] = slot;
    }
    for (u32 k = band.slot; k < slot; k++)
        parents[k] = parents[parents[k]];
}
