/* SPDX-License-Identifier: BSD-3-Clause */
/* Spins that are vectors, cl/vector. */
#ifndef CLUP_FAMILY_VECTOR_H
#define CLUP_FAMILY_VECTOR_H
#include "core/prepared.h"

/* The bytes of scratch buffer number which of the variant vector: the projections of spins. */
uint64_t clup_vector_scratch(const clup_prepared *prepared, unsigned which);

#endif
