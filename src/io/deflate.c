/* SPDX-License-Identifier: BSD-3-Clause */
/* Packs and unpacks by zlib. The format of gzip: RFC 1952. */
#include "io/deflate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- gzip ------------------------------------------------------------------------------------ */

/* Packed bytes that are read at a time. */
#define STEP 65536
/* Window bits for zlib, 15 of the largest window, and 16 for gzip's header and checks. */
#define GZIP_WINDOW (15 + 16)

typedef struct gzip {
    clup_input packed;
    z_stream stream;
    bool ended; /* all members have been unpacked */
} gzip;

int clup_gzip_is(const clup_input *input)
{
    return input->size >= 3 && memcmp(input->bytes, "\x1f\x8b\x08", 3) == 0;
}

/* Reads packed bytes in place of those that were used. */
static clup_status refill(gzip *g)
{
    clup_status status = CLUP_OK;
    if (g->stream.avail_in > 0)
        return CLUP_OK;
    g->packed.size = 0;
    CLUP_TRY(clup_input_reach(&g->packed, STEP));
    g->stream.next_in = g->packed.bytes;
    g->stream.avail_in = (uInt)g->packed.size;
done:
    return status;
}

/* After the end of a member: goes on with the next, if there is one. */
static clup_status next_member(gzip *g)
{
    const clup_status status = refill(g);
    if (status != CLUP_OK)
        return status;
    g->ended = g->stream.avail_in == 0 || *g->stream.next_in != 0x1f;
    return g->ended || inflateReset(&g->stream) == Z_OK ? CLUP_OK
                                                        : clup_fail_memory(g->packed.name);
}

/* Unpacks up to so many bytes. */
static clup_status read_unpacked(void *source, uint64_t bytes, void *to, size_t *got)
{
    gzip *g = source;
    const uInt room = bytes < UINT_MAX / 2 ? (uInt)bytes : UINT_MAX / 2;
    clup_status status = CLUP_OK;
    g->stream.next_out = to;
    g->stream.avail_out = room;
    while (!g->ended && g->stream.avail_out == room) {
        CLUP_TRY(refill(g));
        if (g->stream.avail_in == 0)
            return clup_input_fail(&g->packed, "the data of gzip end too early");
        const int code = inflate(&g->stream, Z_NO_FLUSH);
        if (code == Z_MEM_ERROR)
            return clup_fail_memory(g->packed.name);
        if (code != Z_OK && code != Z_STREAM_END)
            return clup_input_fail(&g->packed, "the data of gzip are damaged: %s",
                                   g->stream.msg != NULL ? g->stream.msg : "no valid end");
        if (code == Z_STREAM_END)
            CLUP_TRY(next_member(g));
    }
    *got = room - g->stream.avail_out;
done:
    return status;
}

static void release(void *source)
{
    gzip *g = source;
    inflateEnd(&g->stream);
    clup_input_close(&g->packed);
    free(g);
}

clup_status clup_gzip_open(clup_input *input)
{
    gzip *g = calloc(1, sizeof *g);
    if (g == NULL || inflateInit2(&g->stream, GZIP_WINDOW) != Z_OK) {
        free(g);
        return clup_fail_memory(input->name);
    }
    g->packed = *input;
    g->packed.all = 0;
    g->packed.most = STEP;
    g->stream.next_in = g->packed.bytes;
    g->stream.avail_in = (uInt)g->packed.size;
    *input = (clup_input){.name = input->name,
                          .most = input->most,
                          .more = true,
                          .descriptor = -1,
                          .part = input->part,
                          .parts = input->parts,
                          .read = read_unpacked,
                          .release = release,
                          .source = g};
    return CLUP_OK;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

size_t clup_zlib_most(size_t bytes)
{
    return (size_t)compressBound((uLong)bytes);
}

clup_status clup_zlib_pack(const void *from, size_t bytes, void *to, size_t *packed)
{
    uLongf used = compressBound((uLong)bytes);
    if (compress2(to, &used, from, (uLong)bytes, Z_DEFAULT_COMPRESSION) != Z_OK)
        return clup_fail_memory("packed bytes");
    *packed = (size_t)used;
    return CLUP_OK;
}

/* zlib takes less than 4 GiB at a time. */
uint32_t clup_zlib_crc(const void *bytes, uint64_t size)
{
    const Bytef *from = bytes;
    uLong crc = crc32(0, Z_NULL, 0);
    for (uint64_t at = 0, some; at < size; at += some) {
        some = size - at < ((uint64_t)1 << 30) ? size - at : (uint64_t)1 << 30;
        crc = crc32(crc, from + at, (uInt)some);
    }
    return (uint32_t)crc;
}
