/* SPDX-License-Identifier: BSD-3-Clause */
/* First states of the streams of generators with state; cl/paper/streams.clh advances them. */
#ifndef CLUP_CORE_STREAMS_H
#define CLUP_CORE_STREAMS_H
#include "core/random.clh"
#include "paper/streams.clh"

/* Write the states of streams first to first + count - 1, see clup_generator. */
void clup_seed_lcg(random_key key, uint64_t first, uint64_t count, uint32_t *words);
void clup_seed_fibonacci(random_key key, uint64_t first, uint64_t count, uint32_t *words);
void clup_seed_mwc(random_key key, uint64_t first, uint64_t count, uint32_t *words);

/* Multipliers of MWC: a 2^32 - 1 and a 2^31 - 1 are prime. */
#define CLUP_MWC_MULTIPLIERS 128u
extern const uint32_t clup_mwc_multipliers[CLUP_MWC_MULTIPLIERS];
/* Returns the state of MWC with multiplier a, steps steps after state t = c 2^32 + x, where 0 < t <
 * a 2^32 - 1. */
uint64_t clup_mwc_jump(uint32_t a, uint64_t t, uint64_t steps);

#endif
