/* Unites clusters of bands (bands.clh): each bond from one band to another unites the trees of the
 * runs at its ends.
 *
 * One work-group: a band, and the bonds that lead back from it, one work-item. Local memory: none.
 * Global traffic: the foreground and bonds of the rows that have such bonds, for each bond two
 * walks to a root. */
#include "bands.clh"
#include "unite.clh"

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
consolidate_bands(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
                  volatile global u32 *parents, global const u32 *counts)
{
    const band band = band_at(lattice, get_group_id(0));
    const u32 chunks = band_chunks(lattice), reach = AXES > 2 ? lattice.ny + 1 : 1;
    for (u32 row = band.first; row < band.first + min(band.rows, reach); row++) {
        u32 before[ROW_STEPS];
        rows_before(lattice, row, before);
        for (u32 c = 0; c < chunks; c++) {
            ulong joined[DIRECTIONS];
            joined_chunk(lattice, foreground, bonds, row, before, c, joined);
#pragma unroll
            for (u32 d = 1; d < DIRECTIONS; d++) {
                const u32 from = before[row_step(offsets[d])];
                ulong bits = from < band.first ? joined[d] : 0;
                if (!bits)
                    continue;
                const ulong here = run_chunk_at(lattice, foreground, bonds, row, c).starts,
                            starts = run_chunk_at(lattice, foreground, bonds, from, c).starts,
                            next = run_chunk_at(lattice, foreground, bonds, from, c + 1).starts;
                const u32 first = counts[counts_row(lattice, row) + c],
                          first_there = counts[counts_row(lattice, from) + c];
                for (; bits; bits &= bits - 1) {
                    const ulong sites = up_to_lowest(bits);
                    unite(parents, run_above(first_there, starts, next, d, sites),
                          run_of(first, here, sites));
                }
            }
        }
    }
}
