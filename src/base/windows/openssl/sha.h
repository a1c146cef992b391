/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 (FIPS 180-4), for Windows, where clup has no OpenSSL: the names that it uses of it. */
#ifndef CLUP_BASE_WINDOWS_OPENSSL_SHA_H
#define CLUP_BASE_WINDOWS_OPENSSL_SHA_H
#include <stddef.h>
#include <stdint.h>

#define SHA256_DIGEST_LENGTH 32
typedef struct SHA256_CTX {
    uint32_t sums[8];
    uint64_t bytes;          /* of all that was added */
    unsigned char block[64]; /* the last bytes, which fill no block yet */
} SHA256_CTX;

int SHA256_Init(SHA256_CTX *state);
int SHA256_Update(SHA256_CTX *state, const void *data, size_t size);
int SHA256_Final(unsigned char digest[SHA256_DIGEST_LENGTH], SHA256_CTX *state);

#endif
