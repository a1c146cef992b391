/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of numbers that images and arrays hold. */
#ifndef CLUP_BASE_DTYPE_H
#define CLUP_BASE_DTYPE_H
#include <stdbool.h>

#include "base/status.h"
#include "program.h"

typedef struct clup_dtype_row {
    const char *name;    /* its first letter is the one that NumPy uses */
    const char *in_cl;   /* the type in kernels; a double is an integer of its bits, as not all
                            devices have double */
    const char *defined; /* the definition that kernels need for a type that is not an integer of up
                            to 32 bits */
    size_t bytes;
    bool is_float, is_unsigned;
    double least, most; /* for integers of 64 bits most is one too large */
} clup_dtype_row;

/* The row of each type but CLUP_DTYPE_NONE. */
extern const clup_dtype_row clup_dtypes[CLUP_DTYPES];

/* Read, or set, the bits of value number k. Bits that the type does not have are cut off, or read
 * as 0. */
uint64_t clup_value_get(clup_dtype dtype, const void *values, uint64_t k);
void clup_value_put(clup_dtype dtype, void *values, uint64_t k, uint64_t bits);
/* The number that the bits represent. */
double clup_value_number(clup_dtype dtype, uint64_t bits);
/* An integer that has the order of the type's numbers and is equal where they are equal; any
 * integer for a NaN. For integer types keys differ as the numbers do, modulo 2^64. */
int64_t clup_value_key(clup_dtype dtype, uint64_t bits);
/* The bits of value + more. Integers are rounded down, modulo 2^64; floats are rounded to
 * nearest. */
uint64_t clup_value_bits(clup_dtype dtype, double value, int64_t more);
/* Whether value + more, rounded down for integers, is a number of the type. */
bool clup_value_fits(clup_dtype dtype, double value, int64_t more);

#endif
