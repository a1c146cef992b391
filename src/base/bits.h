/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits of bytes, kept eight to a byte: bit k of byte j is that of number 8*j + k. */
#ifndef CLUP_BASE_BITS_H
#define CLUP_BASE_BITS_H
#include <stdint.h>

/* Puts bit number bit of each of count bytes to packed[ceil(count/8)]; the bits past the end are
 * 0. */
void clup_bits_pack(const uint8_t *bytes, uint64_t count, unsigned bit, uint8_t *packed);
/* Sets bit number bit, which was 0, of each of count bytes to what is packed. */
void clup_bits_unpack(const uint8_t *packed, uint64_t count, unsigned bit, uint8_t *bytes);

#endif
