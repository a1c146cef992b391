/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of numbers that images and arrays hold. */
#ifndef CLUP_BASE_DTYPE_H
#define CLUP_BASE_DTYPE_H
#include <stdbool.h>

#include "base/status.h"

typedef struct clup_dtype_row {
    const char *name;  /* its first letter is NumPy's as well */
    const char *in_cl; /* what kernels call it: a double is its bits, as not all devices have it */
    const char *defined; /* for kernels, of what is not an integer of up to 32 bits */
    size_t bytes;
    bool is_float, is_unsigned;
    double least, most; /* of integers of 64 bits the largest is one less */
} clup_dtype_row;

/* The row of each type but CLUP_DTYPE_NONE. */
extern const clup_dtype_row clup_dtypes[CLUP_DTYPES];

/* The bits of value number k, and sets them; more bits than it has are cut off, or 0. */
uint64_t clup_value_get(clup_dtype dtype, const void *values, uint64_t k);
void clup_value_put(clup_dtype dtype, void *values, uint64_t k, uint64_t bits);
/* The number that bits are. */
double clup_value_number(clup_dtype dtype, uint64_t bits);
/* Integers that have the order of a type's numbers, and are equal where they are; whatever for a
 * NaN. Those of integers are as far apart as these, modulo 2^64. */
int64_t clup_value_key(clup_dtype dtype, uint64_t bits);
/* The bits of value + more: of integers rounded down, modulo 2^64; of floats the nearest one. */
uint64_t clup_value_bits(clup_dtype dtype, double value, int64_t more);
/* Whether value + more, rounded down for integers, is a number of the type. */
bool clup_value_fits(clup_dtype dtype, double value, int64_t more);

/* Bytes a number; 0 for CLUP_DTYPE_NONE and past the end. */
size_t clup_dtype_bytes(clup_dtype dtype);

#endif
