/* SPDX-License-Identifier: BSD-3-Clause */
/* The bonds of an image across the ends of its periodic axes. */
#ifndef CLUP_LABEL_END_BONDS_H
#define CLUP_LABEL_END_BONDS_H
#include "family/wraps.h"
#include "label/border.h"

/* Gives wraps, which it resets, all such bonds of the image: those of the layers of all processes,
 * in each of them. pixels and numbers are those of the own layers; numbers are those of clusters
 * without these bonds. ranks may be NULL. */
clup_status clup_end_bonds(const clup_ranks *ranks, const clup_layers *layers, const void *pixels,
                           const uint32_t *numbers, clup_wraps *wraps);

#endif
