/* SPDX-License-Identifier: BSD-3-Clause */
/* Boltzmann weights by whole numbers. */
#include "core/weight.h"

#include <math.h>

#include "core/random.clh"

/* Terms of the series; the rest is below 2^-63. */
#define TERMS 21
/* 2^64/e, rounded. */
#define INVERSE_E 0x5E2D58D8B3BCDF1Bu

uint64_t clup_weight(double x)
{
    if (!(x < 44))
        return 0;
    /* x in units of 2^-58, and its fraction in units of 2^-64 */
    const uint64_t all = (uint64_t)ldexp(x, 58), fraction = all << 6, one = (uint64_t)1 << 63;
    uint64_t weight = one;
    for (unsigned k = TERMS; k > 0; k--)
        weight = one - MUL_HI64(fraction, weight) / k;
    for (uint64_t whole = all >> 58; whole > 0; whole--)
        weight = MUL_HI64(weight, INVERSE_E);
    return weight;
}
