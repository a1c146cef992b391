/* Unites clusters of neighbouring bands (bands.clh): each bond between two bands unites the trees
 * of the runs at its ends.
 *
 * One work-group: the seam after a band, one work-item. Local memory: none. Global traffic: the
 * foreground and bonds of the two rows; for each bond two walks to a root. */
#include "bands.clh"
#include "unite.clh"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
consolidate_bands(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
                  volatile global u32 *parents, global const u32 *counts)
{
    const u32 row = BAND_ROWS * ((u32)get_group_id(0) + 1), chunks = band_chunks(lattice);
    global const u32 *count = counts + counts_row(lattice, row);
    global const u32 *count_above = count - (chunks + 1);
    for (u32 c = 0; c < chunks; c++) {
        const run_chunk here = run_chunk_at(lattice, foreground, bonds, row, c);
        const run_chunk above = run_chunk_at(lattice, foreground, bonds, row - 1, c);
        const ulong next = run_chunk_at(lattice, foreground, bonds, row - 1, c + 1).starts;
#pragma unroll
        for (u32 d = 1; d < DIRECTIONS; d++)
            for (ulong bits = joined_chunk(lattice, foreground, bonds, d, row, c); bits;
                 bits &= bits - 1) {
                const ulong sites = up_to_lowest(bits);
                unite(parents, run_above(count_above[c], above.starts, next, d, sites),
                      run_of(count[c], here.starts, sites));
            }
    }
}
