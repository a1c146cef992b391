/* SPDX-License-Identifier: BSD-3-Clause */
/* Boltzmann weights by whole numbers. */
#include "core/weight.h"

#include <math.h>

#include "core/weight.clh"

uint64_t clup_weight(double x)
{
    return x < 44 ? boltzmann_weight((uint64_t)ldexp(x, 58)) : 0;
}
