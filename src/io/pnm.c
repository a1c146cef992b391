/* SPDX-License-Identifier: BSD-3-Clause */
/* PNM: the formats P1 to P6 of Netpbm, plain and binary. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/image.h"

/* The most bytes of white space and comments in the header; and the most bytes, with white space
 * and comments, of a value in a plain file, besides as many as in the header: a file that does not
 * end is read no further. */
#define SPACE_MOST 65536
#define VALUE_MOST 64
/* Bytes read at a time of a plain file, whose length the header does not tell. */
#define PLAIN_STEP 4096

typedef struct cursor {
    clup_input *input;
    size_t at, step; /* offset of the next byte, and bytes read at a time */
    uint64_t most;   /* the offset at which reading ends */
    clup_status status;
} cursor;

static int is_space(int character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

/* Returns the next byte; -1 at the end of the file, and after a failure, which status tells. */
static int next_byte(cursor *c)
{
    if (c->status == CLUP_OK && c->at == c->input->size)
        c->status = c->at < c->most
                        ? clup_input_reach(c->input, (uint64_t)c->at + c->step)
                        : clup_input_fail(c->input, "the image does not end after %zu bytes",
                                          c->at);
    return c->status == CLUP_OK && c->at < c->input->size ? c->input->bytes[c->at++] : -1;
}

/* Returns the next character, the end of line for a comment, -1 at the end of the file. */
static int next(cursor *c)
{
    int character = next_byte(c);
    if (character == '#')
        do
            character = next_byte(c);
        while (character != '\n' && character != '\r' && character != -1);
    return character;
}

static int next_word(cursor *c)
{
    int character;
    do
        character = next(c);
    while (is_space(character));
    return character;
}

/* Reads a number of at most UINT32_MAX and the white space, or the end, after it. Returns NULL, or
 * what is wrong. */
static const char *number(cursor *c, uint32_t *value)
{
    int character = next_word(c);
    uint64_t sum = 0;
    if (character == -1)
        return "the file ends where a number should be";
    if (character < '0' || character > '9')
        return "there is something else where a number should be";
    for (; character >= '0' && character <= '9'; character = next(c))
        if ((sum = 10 * sum + (unsigned)(character - '0')) > UINT32_MAX)
            return "a number is too large";
    if (character != -1 && !is_space(character))
        return "a number goes on with something else";
    *value = (uint32_t)sum;
    return NULL;
}

int clup_pnm_is(const clup_input *input)
{
    const uint8_t *bytes = input->bytes;
    return input->size >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
           (is_space(bytes[2]) || bytes[2] == '#');
}

/* Reads values one by one; those of a PBM need no space between them. */
static clup_status read_plain(cursor *c, int bits, uint32_t most, clup_image *image)
{
    const clup_input *input = c->input;
    const size_t count = clup_image_values(image);
    uint8_t *bytes = image->pixels;
    uint16_t *words = image->pixels;
    for (size_t k = 0; k < count; k++) {
        uint32_t value = 0;
        const char *wrong = NULL;
        if (bits) {
            int character = next_word(c);
            value = (uint32_t)(character - '0');
            if (character == -1)
                wrong = "the file ends where a bit should be";
            else if (value > 1)
                wrong = "there is something else where a bit should be";
        } else {
            wrong = number(c, &value);
        }
        if (c->status != CLUP_OK)
            return c->status;
        if (wrong != NULL)
            return clup_input_fail(input, "%s, after %zu values of %zu", wrong, k, count);
        if (value > most)
            return clup_input_fail(input,
                                   "value %zu of %zu is %" PRIu32 ", above the maximum, %" PRIu32,
                                   k + 1, count, value, most);
        if (image->dtype == CLUP_DTYPE_U8)
            bytes[k] = (uint8_t)value;
        else
            words[k] = (uint16_t)value;
    }
    return CLUP_OK;
}

/* Unpacks rows of bits; the first bit is the highest of a byte. */
static void read_bits(const uint8_t *from, clup_image *image)
{
    const size_t row = ((size_t)image->size[0] + 7) / 8;
    uint8_t *to = image->pixels;
    for (uint32_t y = 0; y < image->size[1]; y++, from += row)
        for (uint32_t x = 0; x < image->size[0]; x++)
            *to++ = from[x / 8] >> (7 - x % 8) & 1;
}

/* Fails if anything but white space, or in a plain file comments, is left. */
static clup_status check_end(cursor *c, int plain)
{
    int character;
    do
        character = plain ? next(c) : next_byte(c);
    while (is_space(character));
    return c->status != CLUP_OK || character == -1
               ? c->status
               : clup_input_fail(c->input, "the file goes on after its image");
}

/* Reads the size, and the largest value if pixels are not bits. */
static clup_status read_header(cursor *c, int bits, uint32_t size[2], uint32_t *most)
{
    const char *wrong = number(c, &size[0]);
    if (wrong == NULL)
        wrong = number(c, &size[1]);
    if (wrong == NULL && !bits)
        wrong = number(c, most);
    if (wrong != NULL && c->status == CLUP_OK)
        c->status = clup_input_fail(c->input, "%s, in the header", wrong);
    if (c->status == CLUP_OK && (*most == 0 || *most > 65535))
        c->status = clup_input_fail(c->input, "the maximum %" PRIu32 " is not between 1 and 65535",
                                    *most);
    return c->status;
}

clup_status clup_pnm_decode(clup_input *input, const clup_image_options *options, clup_image *image)
{
    (void)options;
    clup_status status = CLUP_OK;
    const int kind = input->bytes[1] - '0', plain = kind <= 3, bits = kind == 1 || kind == 4;
    cursor c = {.input = input, .at = 2, .step = 1, .most = SPACE_MOST};
    uint32_t size[2] = {0, 0}, most = 1;
    size_t bytes;
    CLUP_TRY(read_header(&c, bits, size, &most));
    image->axes = 2;
    image->channels = kind % 3 == 0 ? 3 : 1;
    image->dtype = most > 255 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8;
    CLUP_TRY(clup_image_measure(input, (const uint64_t[3]){size[0], size[1], 1}, image, &bytes));

    /* a plain value that is not a bit has at least a digit and, except for the last, a space */
    const uint64_t values = clup_image_values(image), row = ((uint64_t)size[0] + 7) / 8;
    const uint64_t needed = kind == 4   ? row * size[1]
                            : kind == 1 ? values
                            : plain     ? 2 * values - 1
                                        : bytes;
    CLUP_TRY(clup_input_reach(input, c.at + needed));
    if (input->size - c.at < needed)
        return clup_input_fail(input,
                               "%" PRIu32 " x %" PRIu32 " pixels need at least %" PRIu64
                               " bytes, the file has %zu for them",
                               size[0], size[1], needed, input->size - c.at);
    if (plain || bits)
        CLUP_TRY(clup_image_allocate(input, bytes, image));
    const size_t data = c.at;
    c.step = plain ? PLAIN_STEP : 1;
    c.most = data + (plain ? VALUE_MOST * values : needed) + SPACE_MOST;
    if (plain)
        CLUP_TRY(read_plain(&c, bits, most, image));
    else
        c.at += needed;
    CLUP_TRY(check_end(&c, plain));
    if (kind == 4)
        read_bits(input->bytes + data, image);
    if (!plain && !bits) {
        clup_image_take(input, data, image);
        clup_image_to_host(image, 1);
        CLUP_TRY(clup_image_check_most(input, image, most));
    }
done:
    return status;
}
