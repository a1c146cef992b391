/* Clusters inside bands, see bands.clh. Of the bonds that lead from a run to the row before the first is its hook, which puts it below the parent
 * of the run there; the others, the laters, unite trees where they still lead from one to another. In the end every run is directly below its root.
 *
 * One work-group: one band, one work-item. Local memory: none. Global traffic: the foreground and bonds, read twice; written four bytes a chunk
 * and a run. */
#include "bands.clh"

/* Unites the trees of two runs by Rem's algorithm: on the way up from both, what is passed is put below the other's parent. */
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

/* The sites of a chunk that have one of bits before them in their run: carries of an addition run along the runs, *carry from chunk to chunk. */
ulong preceded_chunk(ulong h, ulong bits, ulong *carry)
{
    const ulong some = bits & h, sum = h + some, all = sum + *carry;
    *carry = (sum < h) | (all < sum);
    return all ^ h ^ some;
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void local_bands(lattice_args lattice, global const u32 *foreground, global const u32 *bonds, global u32 *parents, global u32 *counts)
{
    const uint16 iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const band band = band_at(lattice, get_group_id(0));
    const u32 chunks = band_chunks(lattice);
    u32 slot = band.slot;
    for (u32 row = band.first; row < band.first + band.rows; row++) {
        global u32 *count = counts + counts_row(lattice, row), *count_above = count - (chunks + 1);
        run_chunk next = {0, 0};
        ulong repeats = 0, carry = 0;
        if (row > band.first)
            next = run_chunk_at(lattice, foreground, bonds, row - 1, 0);
        for (u32 c = 0; c < chunks; c++) {
            const run_chunk here = run_chunk_at(lattice, foreground, bonds, row, c), above = next;
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
                        /* a bond next to one whose ends are joined to its own says nothing new */
                        const ulong repeated = up[d] & here.across & above.across;
                        up[d] &= ~(repeated << 1 | repeats);
                        repeats = repeated >> 63;
                    }
                    any |= up[d];
                }
                ulong free = any & ~preceded_chunk(here.across, any, &carry);
                #pragma unroll
                for (u32 d = 1; d < DIRECTIONS; d++) {
                    hooks[d] = up[d] & free;
                    free &= ~up[d];
                    for (ulong bits = hooks[d]; bits; bits &= bits - 1) {
                        const ulong mask = bits ^ (bits - 1);
                        parents[run_of(slot, here.starts, mask)] = parents[run_above(runs, above.starts, next.starts, d, mask)];
                    }
                }
                #pragma unroll
                for (u32 d = 1; d < DIRECTIONS; d++)
                    for (ulong bits = up[d] & ~hooks[d]; bits; bits &= bits - 1) {
                        const ulong mask = bits ^ (bits - 1);
                        unite_runs(parents, run_of(slot, here.starts, mask), run_above(runs, above.starts, next.starts, d, mask));
                    }
            }
            slot += fresh;
        }
        count[chunks] = slot;
    }
    for (u32 k = band.slot; k < slot; k++)
        parents[k] = parents[parents[k]];
}
