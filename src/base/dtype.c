/* The table of types of numbers. */
#include "base/dtype.h"

#include <math.h>

#define LOAD(NAME, TYPE) \
    static double NAME(const void *values, uint64_t k) \
    { \
        return (double)((const TYPE *)values)[k]; \
    }
LOAD(load_u8, uint8_t)
LOAD(load_u16, uint16_t)
LOAD(load_u32, uint32_t)
LOAD(load_i8, int8_t)
LOAD(load_i16, int16_t)
LOAD(load_i32, int32_t)
LOAD(load_f32, float)

const clup_dtype_row clup_dtypes[CLUP_DTYPES] = {
    [CLUP_DTYPE_U8] = {"u8", "uchar", 1, false, true, 0, UINT8_MAX, load_u8},
    [CLUP_DTYPE_U16] = {"u16", "ushort", 2, false, true, 0, UINT16_MAX, load_u16},
    [CLUP_DTYPE_U32] = {"u32", "uint", 4, false, true, 0, UINT32_MAX, load_u32},
    [CLUP_DTYPE_I8] = {"i8", "char", 1, false, false, INT8_MIN, INT8_MAX, load_i8},
    [CLUP_DTYPE_I16] = {"i16", "short", 2, false, false, INT16_MIN, INT16_MAX, load_i16},
    [CLUP_DTYPE_I32] = {"i32", "int", 4, false, false, INT32_MIN, INT32_MAX, load_i32},
    [CLUP_DTYPE_F32] = {"f32", "float", 4, true, false, -INFINITY, INFINITY, load_f32},
};

const char *clup_dtype_name(clup_dtype dtype)
{
    return (unsigned)dtype < CLUP_DTYPES ? clup_dtypes[dtype].name : NULL;
}

size_t clup_dtype_bytes(clup_dtype dtype)
{
    return (unsigned)dtype < CLUP_DTYPES ? clup_dtypes[dtype].bytes : 0;
}
