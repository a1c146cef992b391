/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of series, for the jackknife. */
#ifndef CLUP_ESTIMATE_BLOCKS_H
#define CLUP_ESTIMATE_BLOCKS_H
#include <stddef.h>

#define CLUP_BLOCKS_MOST 64
/* How many blocks a series of count values with this tau_int is to have: CLUP_BLOCKS_MOST where
 * they are of 20 tau_int, 16 where they are of 2 tau_int at least, fewer of those below, and 0 for
 * fewer than 4. A block of n tau_int has an error that is too small by about 1/(2 n) of itself. */
unsigned clup_blocks_of(double count, double tau_int);
/* The first value of block number block of so many; that of the one past the last is count. */
static inline size_t clup_block_first(size_t count, unsigned blocks, unsigned block)
{
    return count / blocks * block + count % blocks * block / blocks;
}

/* The jackknife's error of what has these values without each of the blocks. */
double clup_jackknife_error(const double *without, unsigned blocks);

#endif
