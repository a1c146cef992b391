/* SPDX-License-Identifier: BSD-3-Clause */
/* Boltzmann weights, from which all probabilities that depend on a temperature come. */
#ifndef CLUP_CORE_WEIGHT_H
#define CLUP_CORE_WEIGHT_H
#include <stdint.h>

/* Returns 2^63 exp(-x) for x >= 0, rounded, with an error below 2^7; 0 from x = 44 on. It is
 * computed with integers, so that every machine gives the same value, whatever its exp() does. */
uint64_t clup_weight(double x);

#endif
