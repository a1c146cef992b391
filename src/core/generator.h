/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of random number generators. A generator with state has a stream for each work-item
 * that draws, so its numbers depend on which work-item draws for a site. Only Philox, which has no
 * state, gives the same spins with every plan. */
#ifndef CLUP_CORE_GENERATOR_H
#define CLUP_CORE_GENERATOR_H
#include "base/status.h"
#include "core/random.clh"

typedef struct clup_generator {
    const char *name, *about;
    const char *define; /* selects the generator in the kernels */
    unsigned words;     /* 32-bit words of state for each stream; 0 for a generator without state */
    /* Writes the first states of streams first to first + count - 1: word k of stream first + j
     * goes to words[k*count + j]. */
    void (*seed)(random_key key, uint64_t first, uint64_t count, uint32_t *words);
} clup_generator;

/* Finds the generator of that name; NULL stands for philox. CLUP_ERROR_USAGE lists known names. */
clup_status clup_generator_named(const char *name, const clup_generator **generator);

#endif
