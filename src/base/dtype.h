/* The types of numbers that images and arrays hold. */
#ifndef CLUP_BASE_DTYPE_H
#define CLUP_BASE_DTYPE_H
#include <stdbool.h>

#include "base/status.h"

typedef struct clup_dtype_row {
    const char *name;  /* its first letter is NumPy's as well */
    const char *in_cl; /* what kernels call it */
    size_t bytes;
    bool is_float, is_unsigned;
    double least, most;
    double (*load)(const void *values, uint64_t k); /* value number k; a double holds them all */
} clup_dtype_row;

/* The row of each type but CLUP_DTYPE_NONE. */
extern const clup_dtype_row clup_dtypes[CLUP_DTYPES];

#endif
