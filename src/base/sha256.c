/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sha256.h"

#include <stdio.h>

#include "clup.h"

#ifdef CLUP_SHA256_LIBMD
#define SHA256_Init SHA256Init
#define SHA256_Update(state, data, size) SHA256Update(state, (const uint8_t *)(data), size)
#define SHA256_Final SHA256Final
#endif

void clup_sha256_start(clup_sha256_state *state)
{
    SHA256_Init(state);
}

void clup_sha256_add(clup_sha256_state *state, const void *data, size_t size)
{
    SHA256_Update(state, data, size);
}

void clup_sha256_finish(clup_sha256_state *state, char hex[65])
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256_Final(digest, state);
    for (int k = 0; k < SHA256_DIGEST_LENGTH; k++)
        snprintf(hex + 2 * k, 3, "%02x", digest[k]);
}

void clup_sha256(const void *data, size_t size, char hex[65])
{
    clup_sha256_state state;
    if (hex != NULL)
        hex[0] = '\0';
    if (hex == NULL || (data == NULL && size > 0))
        return;
    clup_sha256_start(&state);
    clup_sha256_add(&state, data, size);
    clup_sha256_finish(&state, hex);
}
