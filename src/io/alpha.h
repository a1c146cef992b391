/* SPDX-License-Identifier: BSD-3-Clause */
/* Gray pixels that are not all opaque. */
#ifndef CLUP_IO_ALPHA_H
#define CLUP_IO_ALPHA_H
#include "io/image.h"

/* Which gray pixels are opaque. */
typedef struct clup_alpha {
    uint64_t opaque;      /* the bits of the value of alpha that is opaque */
    bool one;             /* an image of one channel: the pixels of one value are transparent */
    uint64_t transparent; /* that value */
} clup_alpha;

/* Makes an image of gray pixels, of one channel, or of two with alpha, one of 1 channel where all
 * pixels are opaque, else one of 4: three times the gray value, and alpha. */
clup_status clup_alpha_expand(const clup_input *input, const clup_alpha *alpha, clup_image *image);

#endif
