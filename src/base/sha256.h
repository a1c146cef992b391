/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 in pieces, by OpenSSL's libcrypto; clup_sha256() in clup.h does it in one. */
#ifndef CLUP_BASE_SHA256_H
#define CLUP_BASE_SHA256_H
/* What OpenSSL 3 puts in the place of these functions allocates its state and may fail to; theirs
 * is a value, and they cannot fail. */
#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/sha.h>
#include <stddef.h>

typedef SHA256_CTX clup_sha256_state;

void clup_sha256_start(clup_sha256_state *state);
void clup_sha256_add(clup_sha256_state *state, const void *data, size_t size);
void clup_sha256_finish(clup_sha256_state *state, char hex[65]);

#endif
