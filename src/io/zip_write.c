/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes ZIP archives of files that are stored. The format: PKWARE's APPNOTE.TXT, sections 4.3 and
 * 4.5.3. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "io/deflate.h"
#include "io/zip.h"

/* The most files of an archive, and bytes of one's header or of its record in the directory, and of
 * the records at the end. */
#define FILES 16
#define RECORD 128
#define NAME 32
#define END_BYTES 98

/* What stands for a number that is in a field of 64 bits, and versions that know these. */
#define ELSEWHERE 0xFFFFFFFFu
enum { VERSION = 20, VERSION_64 = 45 };

typedef struct entry {
    const char *name;
    void *bytes;
    uint64_t size, offset;
    uint32_t crc;
    uint8_t header[RECORD], record[RECORD];
    size_t header_bytes, record_bytes;
} entry;

struct clup_zip {
    entry files[FILES];
    unsigned count;
    uint64_t bytes; /* of all files, with their headers */
};

clup_status clup_zip_create(clup_zip **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? CLUP_OK : clup_fail_memory("an archive");
}

void clup_zip_free(clup_zip *zip)
{
    for (unsigned k = 0; zip != NULL && k < zip->count; k++)
        free(zip->files[k].bytes);
    free(zip);
}

/* Puts a number of so many bytes, the lowest first, and returns where the next one goes. */
static uint8_t *put(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (; bytes > 0; bytes--, value >>= 8)
        *to++ = (uint8_t)value;
    return to;
}

static uint8_t *put_text(uint8_t *to, const char *text, size_t length)
{
    memcpy(to, text, length);
    return to + length;
}

/* Whether the numbers of a file need fields of 64 bits. */
static bool is_large(const entry *of)
{
    return of->size >= ELSEWHERE || of->offset >= ELSEWHERE;
}

/* Puts what a header and a record have in common, from the version that is needed to the length of
 * the extra field: stored, at midnight of 1 January 1980. */
static uint8_t *put_entry(uint8_t *to, const entry *of, unsigned extra)
{
    const uint64_t size = is_large(of) ? ELSEWHERE : of->size;
    to = put(to, is_large(of) ? VERSION_64 : VERSION, 2);
    to = put(to, 0, 2);
    to = put(to, 0, 2);
    to = put(to, 0, 2);
    to = put(to, 1 << 5 | 1, 2);
    to = put(to, of->crc, 4);
    to = put(to, size, 4);
    to = put(to, size, 4);
    to = put(to, strlen(of->name), 2);
    return put(to, extra, 2);
}

static void make_header(entry *of)
{
    const bool large = is_large(of);
    uint8_t *to = put_text(of->header, "PK\3\4", 4);
    to = put_entry(to, of, large ? 20 : 0);
    to = put_text(to, of->name, strlen(of->name));
    if (large) {
        to = put(to, 1, 2);
        to = put(to, 16, 2);
        to = put(to, of->size, 8);
        to = put(to, of->size, 8);
    }
    of->header_bytes = (size_t)(to - of->header);
}

static void make_record(entry *of)
{
    const bool large = is_large(of);
    uint8_t *to = put_text(of->record, "PK\1\2", 4);
    to = put(to, large ? VERSION_64 : VERSION, 2);
    to = put_entry(to, of, large ? 28 : 0);
    to = put(to, 0, 8); /* of the comment, the disk, and the attributes of files */
    to = put(to, 0, 2);
    to = put(to, large ? ELSEWHERE : of->offset, 4);
    to = put_text(to, of->name, strlen(of->name));
    if (large) {
        to = put(to, 1, 2);
        to = put(to, 24, 2);
        to = put(to, of->size, 8);
        to = put(to, of->size, 8);
        to = put(to, of->offset, 8);
    }
    of->record_bytes = (size_t)(to - of->record);
}

clup_status clup_zip_add(clup_zip *zip, const char *name, void *bytes, size_t size)
{
    if (zip->count == FILES || strlen(name) > NAME) {
        free(bytes);
        return clup_fail(CLUP_ERROR_USAGE, "an archive has no place for the file '%s'", name);
    }
    entry *of = &zip->files[zip->count++];
    *of = (entry){.name = name,
                  .bytes = bytes,
                  .size = size,
                  .offset = zip->bytes,
                  .crc = clup_zlib_crc(bytes, size)};
    make_header(of);
    make_record(of);
    zip->bytes += of->header_bytes + size;
    return CLUP_OK;
}

/* Puts the records at the end of an archive whose directory has so many bytes. */
static size_t put_end(const clup_zip *zip, uint64_t directory, uint8_t to[END_BYTES])
{
    const bool large = zip->bytes >= ELSEWHERE;
    uint8_t *const start = to;
    if (large) {
        to = put_text(to, "PK\6\6", 4);
        to = put(to, 44, 8);
        to = put(to, VERSION_64, 2);
        to = put(to, VERSION_64, 2);
        to = put(to, 0, 8);
        to = put(to, zip->count, 8);
        to = put(to, zip->count, 8);
        to = put(to, directory, 8);
        to = put(to, zip->bytes, 8);
        to = put_text(to, "PK\6\7", 4);
        to = put(to, 0, 4);
        to = put(to, zip->bytes + directory, 8);
        to = put(to, 1, 4);
    }
    to = put_text(to, "PK\5\6", 4);
    to = put(to, 0, 4);
    to = put(to, zip->count, 2);
    to = put(to, zip->count, 2);
    to = put(to, directory, 4);
    to = put(to, large ? ELSEWHERE : zip->bytes, 4);
    to = put(to, 0, 2);
    return (size_t)(to - start);
}

clup_status clup_zip_write(const clup_zip *zip, const char *path)
{
    clup_piece pieces[3 * FILES + 1];
    uint8_t end[END_BYTES];
    uint64_t directory = 0;
    size_t count = 0;
    for (unsigned k = 0; k < zip->count; k++) {
        const entry *of = &zip->files[k];
        pieces[count++] = (clup_piece){of->header, of->header_bytes};
        pieces[count++] = (clup_piece){of->bytes, (size_t)of->size};
        directory += of->record_bytes;
    }
    for (unsigned k = 0; k < zip->count; k++)
        pieces[count++] = (clup_piece){zip->files[k].record, zip->files[k].record_bytes};
    pieces[count++] = (clup_piece){end, put_end(zip, directory, end)};
    return clup_file_write(path, pieces, count);
}
