/* Clusters inside of bands (bands.clh): in the end the parent of each run is the root of its
 * cluster in the band. Of the bonds back of a run to the row before, the first is its hook, by
 * which the run gets its parent; the others are laters, each of which unites two trees.
 *
 * One work-group: one band, one work-item. Local memory: none. Global traffic: the foreground and
 * bonds, read twice; written four bytes a chunk and a run. */
#include "bands.clh"

/* Unites the trees that hold runs a and b, whose band no other work-item changes. Rem's algorithm:
 * on the way up from both, a run whose parent has the larger number is put below the other's
 * parent. */
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
        global u32 *count = counts + counts_row(lattice, row), *count_above = count - (chunks + 1);
        run_chunk next = {0, 0};
        ulong last_repeats = 0, carry = 0;
        if (row > band.first)
            next = run_chunk_at(lattice, foreground, bonds, row - 1, 0);
        for (u32 c = 0; c < chunks; c++) {
            const run_chunk here = run_chunk_at(lattice, foreground, bonds, row, c);
            const run_chunk above = next;
            const u32 fresh = count_bits(here.starts);
            ulong up[DIRECTIONS], hooks[DIRECTIONS], any = 0;
            count[c] = slot;
            for (u32 k = 0; k < fresh; k += 16)
                vstore16(slot + k + iota, 0, parents + slot + k);
            if (row > band.first) {
                const u32 runs = count_above[c];
                next = run_chunk_at(lattice, foreground, bonds, row - 1, c + 1);
#pragma unroll
                for (u32 d = 1; d < DIRECTIONS; d++) {
                    up[d] = joined_chunk(lattice, foreground, bonds, d, row, c);
                    if (offsets[d].x == 0) {
                        const ulong repeats = repeated(up[d], here.across, above.across);
                        up[d] &= ~(repeats << 1 | last_repeats);
                        last_repeats = repeats >> 63;
                    }
                    any |= up[d];
                }
                ulong free = any & ~preceded_on(here.across, any, &carry);
#pragma unroll
                for (u32 d = 1; d < DIRECTIONS; d++) {
                    hooks[d] = up[d] & free;
                    free &= ~up[d];
                    for (ulong bits = hooks[d]; bits; bits &= bits - 1) {
                        const ulong sites = up_to_lowest(bits);
                        parents[run_of(slot, here.starts, sites)] =
                            parents[run_above(runs, above.starts, next.starts, d, sites)];
                    }
                }
#pragma unroll
                for (u32 d = 1; d < DIRECTIONS; d++)
                    for (ulong bits = up[d] & ~hooks[d]; bits; bits &= bits - 1) {
                        const ulong sites = up_to_lowest(bits);
                        unite_runs(parents, run_of(slot, here.starts, sites),
                                   run_above(runs, above.starts, next.starts, d, sites));
                    }
            }
            slot += fresh;
        }
        count[chunks] = slot;
    }
    for (u32 k = band.slot; k < slot; k++)
        parents[k] = parents[parents[k]];
}
