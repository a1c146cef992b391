/* SPDX-License-Identifier: BSD-3-Clause */
/* Unites clusters of bands (bands.clh): each bond between bands, and each bond around a periodic
 * axis, unites the trees of the runs at its ends.
 *
 * One work-group: a band, with the bonds that lead back from it, one work-item. Local memory: none.
 * Global traffic: the foreground and bonds of the rows that have such bonds, for each bond two
 * walks to a root; with a periodic x two words for each row and direction. */
#include "bands/bands.clh"
#include "forest/unite.clh"

/* Unites runs that bonds back from a row connect, for those of the rows before that are wanted. */
void unite_rows(lattice_args lattice, run_forest runs, u32 row, const u32 before[ROW_STEPS],
                const bool wanted[ROW_STEPS])
{
    const run_rows rows = run_rows_of(lattice, row);
    run_rows above[ROW_STEPS];
#pragma unroll
    for (u32 e = 0; e < ROW_STEPS; e++)
        above[e] = run_rows_of(lattice, before[e]);
    for (u32 c = 0; c < band_chunks(lattice); c++) {
        ulong joined[DIRECTIONS];
        joined_chunk(lattice, runs.foreground, runs.bonds, row, before, c, joined);
#pragma unroll
        for (u32 d = 1; d < DIRECTIONS; d++) {
            const u32 e = row_step(offsets[d]);
            ulong bits = wanted[e] ? joined[d] : 0;
            if (!bits)
                continue;
            const ulong
                here = run_chunk_at(lattice, runs.foreground, runs.bonds, rows, c).starts,
                starts = run_chunk_at(lattice, runs.foreground, runs.bonds, above[e], c).starts,
                next = run_chunk_at(lattice, runs.foreground, runs.bonds, above[e], c + 1).starts;
            const u32 first = runs.counts[counts_row(lattice, rows.upper) + c],
                      first_there = runs.counts[counts_row(lattice, above[e].upper) + c];
            for (; bits; bits &= bits - 1) {
                const ulong sites = up_to_lowest(bits);
                unite(runs.parents, run_above(first_there, starts, next, d, sites),
                      run_of(first, here, sites));
            }
        }
    }
}

/* Unites runs that bonds to a row around x connect. */
void unite_ends(lattice_args lattice, run_forest runs, u32 row)
{
#pragma unroll
    for (u32 d = 0; d < DIRECTIONS; d++) {
        const lattice_offset step = offsets[d];
        const u32 x = leaving_end(lattice.nx, -step.x), from_x = leaving_end(lattice.nx, step.x),
                  from = d == 0 ? row : row_before(lattice, lattice.periodic, row_step(step), row);
        const lattice_site here = {x, row}, there = {from_x, from};
        if (step.x != 0 && from != NOWHERE && runs_joined(lattice, runs, d, there, here))
            unite(runs.parents, run_at(lattice, runs, there), run_at(lattice, runs, here));
    }
}

kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
consolidate_bands(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
                  volatile global u32 *parents, global const u32 *counts)
{
    const run_forest runs = {foreground, bonds, counts, parents};
    const band band = band_at(lattice, get_group_id(0));
    const u32 turns = lattice.periodic >> 1 ? 1 + ROW_STEPS : 1;
    for (u32 row = band.first; row < band.first + band.rows; row++) {
        /* Turn 0 is for bonds back to rows of other bands. Each row that is reached around a
         * periodic y or z has a turn of its own: joined_chunk() leaves out a bond if other bonds
         * connect its ends. With several such rows in one turn, bonds might be left out because of
         * each other. */
        for (u32 turn = 0; turn < turns; turn++) {
            u32 before[ROW_STEPS];
            bool wanted[ROW_STEPS], any = false;
            rows_before(lattice, row, before);
#pragma unroll
            for (u32 e = 0; e < ROW_STEPS; e++) {
                if (turn > 0)
                    before[e] = turn == 1 + e && before[e] == NOWHERE
                                    ? row_before(lattice, lattice.periodic, e, row)
                                    : NOWHERE;
                wanted[e] = turn > 0 ? before[e] != NOWHERE && !same_runs(lattice, before[e], row)
                                     : before[e] < band.first;
                any = any || wanted[e];
            }
            if (any)
                unite_rows(lattice, runs, row, before, wanted);
        }
        if (lattice.periodic & 1)
            unite_ends(lattice, runs, row);
    }
}
