/* SPDX-License-Identifier: BSD-3-Clause */
/* SHA-256 of data that comes in pieces, by OpenSSL's libcrypto or by libmd, as configure was told;
 * clup_sha256() in clup.h takes all data at once. */
#ifndef CLUP_BASE_SHA256_H
#define CLUP_BASE_SHA256_H
#include <stddef.h>

#include "config.h"

#ifdef CLUP_SHA256_LIBMD
#include <sys/types.h>
#include <sha2.h>

typedef SHA2_CTX clup_sha256_state;
#else
/* The functions that replace these in OpenSSL 3 allocate their state, which may fail. These keep
 * the state in a value and cannot fail. */
#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/sha.h>

typedef SHA256_CTX clup_sha256_state;
#endif

void clup_sha256_start(clup_sha256_state *state);
void clup_sha256_add(clup_sha256_state *state, const void *data, size_t size);
void clup_sha256_finish(clup_sha256_state *state, char hex[65]);

#endif
