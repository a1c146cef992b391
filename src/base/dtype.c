/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of types of numbers, and access to their bits. */
#include "base/dtype.h"

#include <math.h>
#include <string.h>

const clup_dtype_row clup_dtypes[CLUP_DTYPES] = {
    [CLUP_DTYPE_U8] = {"u8", "uchar", "", 1, false, true, 0, UINT8_MAX},
    [CLUP_DTYPE_U16] = {"u16", "ushort", "", 2, false, true, 0, UINT16_MAX},
    [CLUP_DTYPE_U32] = {"u32", "uint", "", 4, false, true, 0, UINT32_MAX},
    [CLUP_DTYPE_I8] = {"i8", "char", "", 1, false, false, INT8_MIN, INT8_MAX},
    [CLUP_DTYPE_I16] = {"i16", "short", "", 2, false, false, INT16_MIN, INT16_MAX},
    [CLUP_DTYPE_I32] = {"i32", "int", "", 4, false, false, INT32_MIN, INT32_MAX},
    [CLUP_DTYPE_F32] = {"f32", "float", " PIXEL_FLOAT", 4, true, false, -INFINITY, INFINITY},
    [CLUP_DTYPE_U64] = {"u64", "ulong", " PIXEL_LONG", 8, false, true, 0, 0x1p64},
    [CLUP_DTYPE_I64] = {"i64", "long", " PIXEL_LONG", 8, false, false, -0x1p63, 0x1p63},
    [CLUP_DTYPE_F64] = {"f64", "ulong", " PIXEL_DOUBLE", 8, true, false, -INFINITY, INFINITY},
};

const char *clup_dtype_name(clup_dtype dtype)
{
    return (unsigned)dtype < CLUP_DTYPES ? clup_dtypes[dtype].name : NULL;
}

size_t clup_dtype_bytes(clup_dtype dtype)
{
    return (unsigned)dtype < CLUP_DTYPES ? clup_dtypes[dtype].bytes : 0;
}

uint64_t clup_value_get(clup_dtype dtype, const void *values, uint64_t k)
{
    switch (clup_dtypes[dtype].bytes) {
    case 1: return ((const uint8_t *)values)[k];
    case 2: return ((const uint16_t *)values)[k];
    case 4: return ((const uint32_t *)values)[k];
    default: return ((const uint64_t *)values)[k];
    }
}

void clup_value_put(clup_dtype dtype, void *values, uint64_t k, uint64_t bits)
{
    switch (clup_dtypes[dtype].bytes) {
    case 1: ((uint8_t *)values)[k] = (uint8_t)bits; break;
    case 2: ((uint16_t *)values)[k] = (uint16_t)bits; break;
    case 4: ((uint32_t *)values)[k] = (uint32_t)bits; break;
    default: ((uint64_t *)values)[k] = bits;
    }
}

/* The value of an integer, extended to 64 bits. */
static int64_t extended(clup_dtype dtype, uint64_t bits)
{
    const unsigned above = 64 - 8 * (unsigned)clup_dtypes[dtype].bytes;
    const uint64_t shifted = bits << above;
    return clup_dtypes[dtype].is_unsigned ? (int64_t)(shifted >> above) : (int64_t)shifted >> above;
}

static double float_of(clup_dtype dtype, uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float single;
    double wide;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    return clup_dtypes[dtype].bytes == sizeof single ? (double)single : wide;
}

double clup_value_number(clup_dtype dtype, uint64_t bits)
{
    const int64_t whole = extended(dtype, bits);
    return clup_dtypes[dtype].is_float      ? float_of(dtype, bits)
           : clup_dtypes[dtype].is_unsigned ? (double)(uint64_t)whole
                                            : (double)whole;
}

int64_t clup_value_key(clup_dtype dtype, uint64_t bits)
{
    const uint64_t top = (uint64_t)1 << 63;
    uint64_t wide;
    if (!clup_dtypes[dtype].is_float)
        return (int64_t)((uint64_t)extended(dtype, bits) ^
                         (clup_dtypes[dtype].is_unsigned ? top : 0));
    const double number = float_of(dtype, bits);
    memcpy(&wide, &number, sizeof wide);
    return (int64_t)(wide & top ? top - wide : wide);
}

uint64_t clup_value_bits(clup_dtype dtype, double value, int64_t more)
{
    const double wide = value + (double)more, whole = floor(value);
    const float single = (float)wide;
    uint32_t low;
    uint64_t bits;
    if (!clup_dtypes[dtype].is_float)
        return (fabs(whole) >= 0x1p64 ? 0
                : whole < 0           ? 0 - (uint64_t)-whole
                                      : (uint64_t)whole) +
               (uint64_t)more;
    memcpy(&low, &single, sizeof low);
    memcpy(&bits, &wide, sizeof bits);
    return clup_dtypes[dtype].bytes == sizeof single ? low : bits;
}

/* A sum that does not fit is, modulo 2^64 or less, far from the exact one: by more than the
 * rounding error of sums of doubles. */
bool clup_value_fits(clup_dtype dtype, double value, int64_t more)
{
    const clup_dtype_row *row = &clup_dtypes[dtype];
    const double sum = floor(value) + (double)more;
    if (row->is_float)
        return !isnan(value);
    const double apart = clup_value_number(dtype, clup_value_bits(dtype, value, more)) - sum;
    return fabs(value) <= 0x1p64 && fabs(apart) <= (row->bytes < 8 ? 0 : 0x1p16);
}
