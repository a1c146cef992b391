/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads ZIP archives. The format: PKWARE's APPNOTE.TXT, sections 4.3 and 4.5.3. */
#include "io/zip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/deflate.h"

/* Bytes of the records, without names and the like; and of the longest comment. */
enum { LOCAL = 30, CENTRAL = 46, END = 22, END_64 = 56, LOCATOR = 20, COMMENT = 65535 };
/* What stands for a number that is in a record of 64 bits. */
#define ELSEWHERE 0xFFFFFFFFu
#define SIZES_64 1 /* the extra field that has it */

enum { STORED = 0, DEFLATED = 8 };

/* A file of an archive. */
typedef struct entry {
    uint16_t flags, method;
    uint32_t crc;
    uint64_t packed, size, offset;
} entry;

/* Where the directory of an archive is. */
typedef struct directory {
    uint64_t at, files;
} directory;

static uint64_t number(const uint8_t *bytes, unsigned count)
{
    uint64_t value = 0;
    while (count-- > 0)
        value = value << 8 | bytes[count];
    return value;
}

/* Returns the record at an offset, of so many bytes with this signature; NULL if it is not there.
 */
static const uint8_t *record_at(const clup_input *archive, uint64_t offset, size_t bytes,
                                const char *signature)
{
    return offset <= archive->size && archive->size - offset >= bytes &&
                   memcmp(archive->bytes + offset, signature, 4) == 0
               ? archive->bytes + offset
               : NULL;
}

bool clup_zip_is(const clup_input *input)
{
    return record_at(input, 0, 4, "PK\3\4") != NULL || record_at(input, 0, 4, "PK\5\6") != NULL;
}

/* Finds the directory by the record at the end of the archive, which a comment may follow. */
static bool find_directory(const clup_input *archive, directory *found)
{
    const uint8_t *end = NULL;
    for (size_t back = END; end == NULL && back <= archive->size && back <= END + COMMENT; back++)
        end = record_at(archive, archive->size - back, END, "PK\5\6");
    if (end == NULL)
        return false;
    *found = (directory){number(end + 16, 4), number(end + 10, 2)};
    if (found->at != ELSEWHERE && found->files != UINT16_MAX)
        return true;
    const uint64_t offset = (uint64_t)(end - archive->bytes);
    const uint8_t *locator = offset >= LOCATOR
                                 ? record_at(archive, offset - LOCATOR, LOCATOR, "PK\6\7")
                                 : NULL,
                  *end_64 = locator != NULL
                                ? record_at(archive, number(locator + 8, 8), END_64, "PK\6\6")
                                : NULL;
    if (end_64 == NULL)
        return locator == NULL && found->at != ELSEWHERE;
    *found = (directory){number(end_64 + 48, 8), number(end_64 + 32, 8)};
    return true;
}

/* Takes the numbers that do not fit 32 bits from the extra fields. */
static bool read_large(const uint8_t *extra, size_t length, entry *of)
{
    uint64_t *const wanted[] = {&of->size, &of->packed, &of->offset};
    while (length >= 4) {
        const size_t bytes = (size_t)number(extra + 2, 2);
        if (bytes > length - 4)
            return false;
        if (number(extra, 2) == SIZES_64)
            for (size_t k = 0, at = 0; k < 3; k++) {
                if (*wanted[k] != ELSEWHERE)
                    continue;
                if (at + 8 > bytes)
                    return false;
                *wanted[k] = number(extra + 4 + at, 8);
                at += 8;
            }
        extra += 4 + bytes;
        length -= 4 + bytes;
    }
    return true;
}

/* Calls visit for each record of the directory and the name in it, until it returns false. Returns
 * false where the directory is damaged. */
static bool walk(const clup_input *archive,
                 bool (*visit)(void *user, const uint8_t *record, const char *name, size_t length),
                 void *user)
{
    directory where;
    if (!find_directory(archive, &where))
        return false;
    for (uint64_t k = 0, at = where.at; k < where.files; k++) {
        const uint8_t *record = record_at(archive, at, CENTRAL, "PK\1\2");
        if (record == NULL)
            return false;
        const size_t called = (size_t)number(record + 28, 2),
                     length = CENTRAL + called + (size_t)number(record + 30, 2) +
                              (size_t)number(record + 32, 2);
        if (length > archive->size - at)
            return false;
        if (!visit(user, record, (const char *)record + CENTRAL, called))
            return true;
        at += length;
    }
    return true;
}

/* A file that is looked up. */
typedef struct search {
    const char *name;
    entry of;
    bool found, whole;
} search;

static bool is_wanted(void *user, const uint8_t *record, const char *name, size_t length)
{
    search *search = user;
    if (length != strlen(search->name) || memcmp(name, search->name, length) != 0)
        return true;
    search->found = true;
    search->of = (entry){(uint16_t)number(record + 8, 2),  (uint16_t)number(record + 10, 2),
                         (uint32_t)number(record + 16, 4), number(record + 20, 4),
                         number(record + 24, 4),           number(record + 42, 4)};
    search->whole = read_large(record + CENTRAL + length, (size_t)number(record + 30, 2),
                               &search->of);
    return false;
}

/* Looks a file up in the directory. Returns false where the directory is damaged. */
static bool find_entry(const clup_input *archive, const char *name, entry *of, bool *found)
{
    search search = {.name = name, .whole = true};
    const bool read = walk(archive, is_wanted, &search);
    *of = search.of;
    *found = search.found;
    return read && search.whole;
}

/* Names that are listed. */
typedef struct listing {
    const char *extension;
    clup_text *names;
    size_t count;
} listing;

static bool add_name(void *user, const uint8_t *record, const char *name, size_t length)
{
    listing *listing = user;
    const size_t end = strlen(listing->extension);
    (void)record;
    if (length < end || memcmp(name + length - end, listing->extension, end) != 0)
        return true;
    for (size_t k = 0; k < length; k++)
        if (name[k] < ' ' || name[k] > '~')
            return true;
    clup_text_add(listing->names, "%s%.*s", listing->count++ > 0 ? ", " : "", (int)(length - end),
                  name);
    return true;
}

clup_status clup_zip_list(const clup_input *archive, const char *extension, clup_text *names,
                          size_t *count)
{
    listing listing = {extension, names, 0};
    if (!walk(archive, add_name, &listing))
        return clup_input_fail(archive, "the archive's directory is damaged");
    *count = listing.count;
    return listing.count == 0 || clup_text_ok(names) ? CLUP_OK : clup_fail_memory(archive->name);
}

/* Inflates packed bytes to exactly size bytes. zlib counts in 32 bits. */
static bool inflate_all(const uint8_t *from, uint64_t packed, uint8_t *to, uint64_t size)
{
    const uint64_t most = (uint64_t)1 << 30;
    z_stream stream = {0};
    int code = inflateInit2(&stream, -MAX_WBITS);
    uint64_t read = 0, written = 0;
    if (code != Z_OK)
        return false;
    while (code == Z_OK) {
        const uint64_t some = packed - read < most ? packed - read : most,
                       room = size - written < most ? size - written : most;
        stream.next_in = (Bytef *)from + read;
        stream.avail_in = (uInt)some;
        stream.next_out = to + written;
        stream.avail_out = (uInt)room;
        code = inflate(&stream, Z_NO_FLUSH);
        read += some - stream.avail_in;
        written += room - stream.avail_out;
    }
    inflateEnd(&stream);
    return code == Z_STREAM_END && written == size;
}

/* Unpacks a file into memory, and compares its checksum. */
static bool unpack(const clup_input *archive, const entry *of, uint8_t *to)
{
    const uint8_t *local = record_at(archive, of->offset, LOCAL, "PK\3\4");
    if (local == NULL)
        return false;
    const uint64_t data = of->offset + LOCAL + number(local + 26, 2) + number(local + 28, 2);
    if (data > archive->size || of->packed > archive->size - data)
        return false;
    const uint8_t *from = archive->bytes + data;
    if (of->method == STORED && of->packed == of->size)
        memcpy(to, from, (size_t)of->size);
    else if (of->method == STORED || !inflate_all(from, of->packed, to, of->size))
        return false;
    return clup_zlib_crc(to, of->size) == of->crc;
}

clup_status clup_zip_take(const clup_input *archive, const char *name, uint8_t **bytes,
                          size_t *size)
{
    entry of;
    bool found;
    clup_status status = CLUP_OK;
    *bytes = NULL;
    if (!find_entry(archive, name, &of, &found))
        return clup_input_fail(archive, "the archive's directory is damaged");
    if (!found)
        return CLUP_OK;
    if (of.flags & 1)
        return clup_input_fail(archive, "%s is encrypted", name);
    if (of.method != STORED && of.method != DEFLATED)
        return clup_input_fail(archive, "%s is compressed by method %u; there is deflate", name,
                               of.method);
    /* deflate packs to a thousandth at best */
    if (of.size / 1100 > archive->size)
        return clup_input_fail(archive, "%s is damaged", name);
    CLUP_TRY(clup_input_room(archive, of.size));
    if ((*bytes = malloc((size_t)of.size + 1)) == NULL)
        return clup_fail_memory(archive->name);
    *size = (size_t)of.size;
    if (!unpack(archive, &of, *bytes)) {
        free(*bytes);
        *bytes = NULL;
        status = clup_input_fail(archive, "%s is damaged", name);
    }
done:
    return status;
}
