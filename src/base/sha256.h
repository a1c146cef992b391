/* SHA-256 (FIPS 180-4), in pieces; clup_sha256() in clup.h does it in one. */
#ifndef CLUP_BASE_SHA256_H
#define CLUP_BASE_SHA256_H
#include <stddef.h>
#include <stdint.h>

typedef struct clup_sha256_state {
    uint32_t hash[8];
    uint64_t bytes;
    uint8_t block[64];
} clup_sha256_state;

void clup_sha256_start(clup_sha256_state *state);
void clup_sha256_add(clup_sha256_state *state, const void *data, size_t size);
void clup_sha256_finish(clup_sha256_state *state, char hex[65]);

#endif
