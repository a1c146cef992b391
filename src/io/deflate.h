/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that deflate has packed: files of gzip are read, and pieces are packed. */
#ifndef CLUP_IO_DEFLATE_H
#define CLUP_IO_DEFLATE_H
#include "io/image.h"

/* Whether what has been read of a file begins as a file of gzip does. */
int clup_gzip_is(const clup_input *input);
/* Turns an input of which no more than its first bytes are there into that of the file which is
 * packed in it. Its size is not known before its end. Reading fails with CLUP_ERROR_RUNTIME where
 * the packed data are damaged or end too early; what follows them and is no gzip is ignored. */
clup_status clup_gzip_open(clup_input *input);

/* Returns the most bytes into which so many can be packed. */
size_t clup_zlib_most(size_t bytes);
/* Packs bytes as zlib's format to a buffer of clup_zlib_most of them; *packed becomes their number
 * there. CLUP_ERROR_MEMORY if zlib gets no memory. */
clup_status clup_zlib_pack(const void *from, size_t bytes, void *to, size_t *packed);

/* Returns the CRC of bytes, as ZIP and gzip have it. */
uint32_t clup_zlib_crc(const void *bytes, uint64_t size);

#endif
