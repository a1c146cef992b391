/* SPDX-License-Identifier: BSD-3-Clause */
/* Generators of random numbers, a table. A generator with state has a stream for each work-item
 * that draws, so that numbers depend on which work-item decides what; only Philox, which has none,
 * gives every plan the same spins. */
#ifndef CLUP_CORE_GENERATOR_H
#define CLUP_CORE_GENERATOR_H
#include "base/status.h"
#include "core/random.clh"

typedef struct clup_generator {
    const char *name, *about;
    const char *define; /* what selects it in the kernels */
    unsigned words;     /* 32-bit words of state a stream */
    /* the states of streams first to first + count - 1, word k of stream first + j at words[k*count
     * + j] */
    void (*seed)(random_key key, uint64_t first, uint64_t count, uint32_t *words);
} clup_generator;

/* The generator of a name, NULL standing for philox; CLUP_ERROR_USAGE lists the known ones. */
clup_status clup_generator_named(const char *name, const clup_generator **generator);

#endif
