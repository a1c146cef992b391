/* SPDX-License-Identifier: BSD-3-Clause */
/* Scratch buffers of kernels of vectors. */
#include "family/vector.h"

uint64_t clup_vector_scratch(const clup_prepared *prepared, unsigned which)
{
    const clup_state *state = prepared->state;
    return which == 0 ? state->replicas * 32 * clup_lattice_words(&state->lattice) * sizeof(cl_int)
                      : 0;
}
