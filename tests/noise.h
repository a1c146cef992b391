/* SPDX-License-Identifier: BSD-3-Clause */
/* Normal random numbers for series that tests make. */
#ifndef CLUP_TESTS_NOISE_H
#define CLUP_TESTS_NOISE_H
#include <math.h>

#include "core/random.clh"

/* Returns normal number n of a seed: G. E. P. Box and M. E. Muller, Ann. Math. Stat. 29, 610
 * (1958). */
static inline double gauss(u32 n, u32 seed)
{
    philox_block block = {{n, seed, 0, 0}};
    block = philox(block, 21, 22);
    return sqrt(-2 * log((block.v[0] + 0.5) / 4294967296.0)) *
           cos(2 * M_PI * (block.v[1] + 0.5) / 4294967296.0);
}

/* Returns the next normal number of one sequence. */
static inline double normal(void)
{
    static u32 drawn;
    return gauss(drawn++, 0xFFFFFFFFu);
}

#endif
