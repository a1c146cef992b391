/* SPDX-License-Identifier: BSD-3-Clause */
/* Does what action_number_labels.cl does, for runs of bands (bands.clh): a key is the number of a
 * run. */
#include "bands/bands.clh"
#include "image/blocks.clh"
#include "core/labels.clh"
#include "core/sixteens.clh"

/* Returns whether run number run, which starts at pixel x of chunk c of two rows, has a pixel in
 * the upper row. *first becomes the first such pixel, or x if there is none, counted from the
 * beginning of the row. */
bool upper_first(lattice_args lattice, global const u32 *foreground, run_rows rows, u32 c, u32 x,
                 u32 *first)
{
    ulong from = ~0ul << x;
    *first = 64 * c + x;
    for (; c < band_chunks(lattice); c++, from = ~0ul) {
        const ulong gap = ~run_bits_at(lattice, foreground, rows, c) & from,
                    run = gap ? (gap & -gap) - 1 : ~0ul,
                    above = chunk_bits(lattice, foreground, rows.upper, c) & from & run;
        if (above) {
            *first = 64 * c + lowest(above);
            return true;
        }
        if (gap)
            break;
    }
    return false;
}

/* Finds the keys of the roots whose runs are those of two rows, of which these are runs, and sets
 * the bits of keys in roots. keys[k].s0 becomes the key of root k, keys[k].s1 the first pixel of
 * its cluster. Keys are numbered from key on: those of clusters whose first pixel is in the upper
 * row, then those of the others, each by the first of its runs that has such a pixel. Returns the
 * number of keys. */
u32 find_keys(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
              global const u32 *count, global const u32 *parents, run_rows rows, u32 key,
              global uint2 *keys, global u32 *roots)
{
    const u32 chunks = band_chunks(lattice), slot = count[0], runs = count[chunks] - slot;
    for (u32 c = 0; c < chunks; c++) {
        ulong bits = run_chunk_at(lattice, foreground, bonds, rows, c).starts;
        for (u32 run = count[c]; bits; run++, bits &= bits - 1) {
            u32 up = parents[run], x;
            while (up >= slot && parents[up] != up)
                up = parents[up];
            /* a cluster whose root is above has its first pixel there */
            if (up < slot)
                continue;
            const bool upper = upper_first(lattice, foreground, rows, c, lowest(bits), &x);
            const u32 own = key + run - slot + (upper ? 0 : runs);
            if (up != run) {
                const u32 other = keys[up].s0;
                if (other < own)
                    continue;
                roots[other / 32] &= ~(1u << other % 32);
            }
            roots[own / 32] |= 1u << own % 32;
            keys[up] = (uint2)(own, (upper ? rows.upper : rows.lower) * lattice.nx + x);
        }
    }
    return rows.upper == rows.lower ? runs : 2 * runs;
}

/* Sets the bits of roots for the keys of clusters (blocks.clh). The key of a cluster is the number
 * of its root; with PAIRED it is that of find_keys().
 *
 * One work-group: one band, one work-item. Global traffic: four bytes a run read; a bit written for
 * each run that there is room for; with PAIRED the foreground read. */
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
action_number_runs(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
                   global const u32 *counts, global const u32 *parents, global uint2 *keys,
                   global u32 *roots)
{
    const uint8 iota = {0, 1, 2, 3, 4, 5, 6, 7};
    const band band = band_at(lattice, get_group_id(0));
    const u32 last =
        counts[counts_row(lattice, run_rows_of(lattice, band.first + band.rows - 1).upper) +
               band_chunks(lattice)];
    const u32 end = band.slot + (u32)band_slots(lattice, RUNS_APART);
    for (u32 k = band.slot; k < end; k += 32) {
        u32 bits = 0;
        if (!PAIRED && k < last) {
#pragma unroll
            for (u32 j = 0; j < 32; j += 8) {
                const uint8 up = vload8(0, parents + k + j);
                const uint8 own = select((uint8)0, (uint8)1 << iota, up == k + j + iota);
                const uint4 four = own.lo | own.hi;
                bits |= (four.s0 | four.s1 | four.s2 | four.s3) << j;
            }
            bits &= last - k < 32 ? (1u << (last - k)) - 1 : 0xFFFFFFFFu;
        }
        roots[k / 32] = bits;
    }
    u32 key = band.slot;
    for (u32 row = band.first; PAIRED && row < band.first + band.rows; row++) {
        const run_rows rows = run_rows_of(lattice, row);
        if (row == rows.upper)
            key += find_keys(lattice, foreground, bonds, counts + counts_row(lattice, row), parents,
                             rows, key, keys, roots);
    }
}

/* Returns the first pixel of run number run, as an index in raster order. There must be no
 * PAIRED. */
u32 run_site(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
             global const u32 *counts, u32 run)
{
    const band band = band_at(lattice, run / (u32)band_slots(lattice, RUNS_APART));
    const u32 chunks = band_chunks(lattice);
    /* find the chunk where the run starts: the last one whose count is not above its number */
    u32 low = 0, high = band.rows * (chunks + 1) - 1;
    counts += counts_row(lattice, band.first);
    while (high - low > 1) {
        const u32 middle = low + (high - low) / 2;
        if (counts[middle] <= run)
            low = middle;
        else
            high = middle;
    }
    const u32 row = band.first + low / (chunks + 1), c = low % (chunks + 1);
    ulong starts = run_chunk_at(lattice, foreground, bonds, run_rows_of(lattice, row), c).starts;
    for (u32 k = counts[low]; k < run; k++)
        starts &= starts - 1;
    return row * lattice.nx + 64 * c + lowest(starts);
}

/* Chunks of a row that are written in one go, and pixels of an image whose numbers do not stay in
 * caches. */
#define PIECE 8u
#define STREAMED_LEAST (1u << 20)

/* Writes the numbers of the pixels of chunk c of a row, which begins at to: those of chunk where
 * bits of present are set, else absent. streamed says whether they go past the caches. */
INLINE void write_chunk(lattice_args lattice, ulong present, u32 c, const u32 *chunk, u32 absent,
                        bool streamed, global u32 *to)
{
    const uint16 iota = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const uint16 bit = (uint16)1 << iota;
    const u32 left = lattice.nx - 64 * c;
    to += 64 * c;
#pragma unroll
    for (u32 k = 0; k < 64; k += 16) {
        const int16 there = ((u32)(present >> k) & bit) != 0;
        const uint16 some = select((uint16)absent, sixteen_at(chunk + k), there);
        if (k + 16 > left) {
            for (u32 j = k; j < left; j++)
                to[j] = present >> j & 1 ? chunk[j] : absent;
            return;
        }
        if (streamed)
            stream_sixteen(some, to + k);
        else
            store_sixteen(some, to + k);
    }
}

/* Writes the number of each pixel, that of its cluster, or with canonical its canonical label.
 * ranks are those of the clusters (blocks.clh), by the bits of roots. kept has what is known of
 * runs: with PAIRED keys of roots (find_keys()), and those of the band's own trees get the key of
 * their cluster; else it has room for a number of each run. Runs come in raster order, so that what
 * is kept of a root is known before the runs below it come.
 *
 * One work-group: one band, one work-item. Private memory: a word for each pixel of a piece. Global
 * traffic: the foreground, bonds along rows, parents; numbers of runs written, and four bytes a
 * pixel; for each tree of the band whose root is in another band a walk to it. */
kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
action_number_bands(lattice_args lattice, global const u32 *foreground, global const u32 *bonds,
                    global const u32 *counts, global const u32 *parents, global const uint2 *ranks,
                    u32 canonical, global u32 *kept, global u32 *numbers)
{
    const band band = band_at(lattice, get_group_id(0));
    const u32 absent = canonical ? NOWHERE : 0, chunks = band_chunks(lattice);
    const bool large = lattice_sites(lattice) >= STREAMED_LEAST;
    global uint2 *keys = (global uint2 *)kept;
    u32 run = band.slot, found = canonical ? 0 : ranks[band.slot / 32].s0;
    for (u32 row = band.first; row < band.first + band.rows; row++) {
        const run_rows rows = run_rows_of(lattice, row);
        u32 number = absent;
        if (row != rows.upper)
            continue;
        for (u32 first = 0; first < chunks; first += PIECE) {
            const u32 end = min(first + PIECE, chunks);
            u32 piece[64 * PIECE + 16]; /* runs are written sixteen pixels at a time */
            for (u32 c = first; c < end; c++) {
                u32 *chunk = piece + 64 * (c - first);
                ulong bits = run_chunk_at(lattice, foreground, bonds, rows, c).starts;
#pragma unroll
                for (u32 k = 0; k < 64; k += 16)
                    put_sixteen(number, chunk + k);
                for (; bits; run++) {
                    const u32 x = lowest(bits), up = parents[run];
                    bits &= bits - 1;
                    const u32 after = bits ? lowest(bits) : 64;
                    const u32 root = up < band.slot ? label_root(parents, up) : up;
                    if (PAIRED) {
                        const uint2 key = keys[root];
                        number = canonical ? key.s1 : ranked(ranks[key.s0 / 32], key.s0 % 32);
                        /* other bands may read the key of a root */
                        if (up != run)
                            keys[run] = key;
                    } else if (up < band.slot) {
                        number = canonical ? run_site(lattice, foreground, bonds, counts, root)
                                           : ranked(ranks[root / 32], root % 32);
                        kept[run] = number;
                    } else {
                        /* a root's number is its own, found without a branch, which would be
                         * mispredicted */
                        found += up == run;
                        kept[run] = canonical ? row * lattice.nx + 64 * c + x : found;
                        number = kept[up];
                        kept[run] = number;
                    }
                    for (u32 k = x; k < after; k += 16)
                        put_sixteen(number, chunk + k);
                }
            }
            for (u32 at = rows.upper; at <= rows.lower; at++) {
                global u32 *to = numbers + (ulong)at * lattice.nx;
                for (u32 c = first; c < end; c++)
                    write_chunk(lattice, chunk_bits(lattice, foreground, at, c), c,
                                piece + 64 * (c - first), absent, large && (ulong)to % 64 == 0, to);
            }
        }
    }
}
