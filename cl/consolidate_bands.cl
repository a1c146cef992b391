/* Unites clusters of bands (bands.clh). */
#include "bands.clh"
#include "unite.clh"

/* Each bond from one band to an earlier one unites the trees of the runs at its ends.
 *
 * One work-group: a band, and the bonds that lead back from it, one work-item. Local memory: none.
 * Global traffic: the foreground and bonds of the rows that have such bonds, for each bond two
 * walks to a root. */
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

/* Bit x of a row of words. */
bool bit_at(lattice_args lattice, global const u32 *words, u32 row, u32 x)
{
    return words[(ulong)row * lattice.words + x / 32] >> x % 32 & 1;
}

/* The run of pixel x of a row. */
u32 run_at(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
           global const u32 *counts, u32 row, u32 x)
{
    const ulong starts = run_chunk_at(lattice, foreground, bonds, row, x / 64).starts;
    return run_of(counts[counts_row(lattice, row) + x / 64], starts, ~0ul >> (63 - x % 64));
}

/* The same along those bonds that go around periodic axes.
 *
 * One work-group: a band, and the bonds that lead to it, one work-item. Local memory: none. Global
 * traffic: the foreground and bonds of rows at the ends, or of pixels there; for each bond two
 * walks to a root, unless the one beside is between the same runs. */
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
consolidate_bands_around(lattice_args lattice, global const u32 *foreground,
                         global const u32 *bonds, volatile global u32 *parents,
                         global const u32 *counts)
{
    const band band = band_at(lattice, get_group_id(0));
    for (u32 row = band.first; row < band.first + band.rows; row++) {
        u32 before[ROW_STEPS];
        rows_before(lattice, row, before);
        for (u32 d = 0; d < DIRECTIONS; d++) {
            const lattice_offset step = offsets[d], back = {-step.x, -step.y, -step.z};
            const u32 from = row_at(lattice, back, row);
            const bool whole = d > 0 && before[row_step(step)] == NOWHERE;
            /* of a row that is not before this one all pixels, of others those at the end */
            u32 x = whole || step.x > 0 ? 0 : lattice.nx - 1,
                end = whole || step.x < 0 ? lattice.nx : step.x, last = NOWHERE,
                last_from = NOWHERE;
            for (; from != NOWHERE && x < end; x++) {
                const u32 from_x = stepped(x, back.x, lattice.nx, lattice.periodic & 1);
                if (from_x == NOWHERE || !bit_at(lattice, foreground, row, x) ||
#ifdef BY_FOREGROUND
                    !bit_at(lattice, foreground, from, from_x))
#else
                    !bit_at(lattice, bonds + d * lattice_words(lattice), from, from_x))
#endif
                    continue;
                const u32 run = run_at(lattice, foreground, bonds, counts, row, x),
                          run_from = run_at(lattice, foreground, bonds, counts, from, from_x);
                if (run != last || run_from != last_from)
                    unite(parents, run, run_from);
                last = run;
                last_from = run_from;
            }
        }
    }
}
