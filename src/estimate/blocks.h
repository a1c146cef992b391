/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of series for the jackknife. */
#ifndef CLUP_ESTIMATE_BLOCKS_H
#define CLUP_ESTIMATE_BLOCKS_H
#include <stddef.h>

#define CLUP_BLOCKS_MOST 64
/* The number of blocks for a series of count values with tau_int: CLUP_BLOCKS_MOST if blocks then
 * have at least 20 tau_int values; 16 if blocks have at least 2 tau_int; fewer so that they have; 0
 * if that would be fewer than 4. With blocks of n tau_int values the error is too small by a
 * relative 1/(2 n), about. */
unsigned clup_blocks_of(double count, double tau_int);
/* The first value of block number block of blocks; count for the block past the last. */
static inline size_t clup_block_first(size_t count, unsigned blocks, unsigned block)
{
    return count / blocks * block + count % blocks * block / blocks;
}

/* The jackknife error of a quantity whose value without block b is without[b]. */
double clup_jackknife_error(const double *without, unsigned blocks);

#endif
