/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits packed eight to a byte: bit k of byte j is the bit of element 8*j + k. */
#ifndef CLUP_BASE_BITS_H
#define CLUP_BASE_BITS_H
#include <stdint.h>

/* Packs bit number bit of each of count bytes into packed[ceil(count/8)]. Bits past the end are
 * 0. */
void clup_bits_pack(const uint8_t *bytes, uint64_t count, unsigned bit, uint8_t *packed);
/* Sets bit number bit of each of count bytes to the packed bit. The bit must have been 0. */
void clup_bits_unpack(const uint8_t *packed, uint64_t count, unsigned bit, uint8_t *bytes);

#endif
