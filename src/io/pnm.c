/* PNM: the formats P1 to P6 of Netpbm, plain and binary. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/image.h"

typedef struct cursor {
    const uint8_t *at, *end;
} cursor;

static int is_space(int character)
{
    return character == ' ' || (character >= '\t' && character <= '\r');
}

/* The next character, the end of its line for a comment, -1 at the end of the file. */
static int next(cursor *c)
{
    int character = c->at < c->end ? *c->at++ : -1;
    if (character == '#')
        do
            character = c->at < c->end ? *c->at++ : -1;
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

/* A number and the one white space, or the end, after it; at most UINT32_MAX. NULL, or what is wrong. */
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
    return input->size >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' && (is_space(bytes[2]) || bytes[2] == '#');
}

/* Values one by one; those of a PBM need nothing between them. */
static clup_status read_plain(const clup_input *input, cursor *c, int bits, uint32_t most, clup_image *image)
{
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
        if (wrong != NULL)
            return clup_input_fail(input, "%s, after %zu values of %zu", wrong, k, count);
        if (value > most)
            return clup_input_fail(input, "value %zu of %zu is %" PRIu32 ", above the maximum, %" PRIu32, k + 1, count, value, most);
        if (image->dtype == CLUP_DTYPE_U8)
            bytes[k] = (uint8_t)value;
        else
            words[k] = (uint16_t)value;
    }
    return CLUP_OK;
}

/* Rows of bits, the first the highest of a byte. */
static void read_bits(const uint8_t *from, clup_image *image)
{
    const size_t row = ((size_t)image->size[0] + 7) / 8;
    uint8_t *to = image->pixels;
    for (uint32_t y = 0; y < image->size[1]; y++, from += row)
        for (uint32_t x = 0; x < image->size[0]; x++)
            *to++ = from[x / 8] >> (7 - x % 8) & 1;
}

/* Whether there is nothing but white space and, in a plain file, comments. */
static int ends(cursor c, int plain)
{
    while (c.at < c.end && (is_space(*c.at) || (plain && *c.at == '#')))
        (void)next(&c);
    return c.at == c.end;
}

clup_status clup_pnm_decode(clup_input *input, clup_image *image)
{
    clup_status status = CLUP_OK;
    const int kind = input->bytes[1] - '0', plain = kind <= 3, bits = kind == 1 || kind == 4;
    cursor c = {input->bytes + 2, input->bytes + input->size};
    uint32_t nx = 0, ny = 0, most = 1;
    size_t bytes;
    const char *wrong = number(&c, &nx);
    if (wrong == NULL)
        wrong = number(&c, &ny);
    if (wrong == NULL && !bits)
        wrong = number(&c, &most);
    if (wrong != NULL)
        return clup_input_fail(input, "%s, in the header", wrong);
    if (most == 0 || most > 65535)
        return clup_input_fail(input, "the maximum %" PRIu32 " is not between 1 and 65535", most);
    image->axes = 2;
    image->channels = kind % 3 == 0 ? 3 : 1;
    image->dtype = most > 255 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8;
    CLUP_TRY(clup_image_measure(input, (const uint64_t[3]){nx, ny, 1}, image, &bytes));

    /* a plain value other than a bit has at least a digit and, but for the last, a space */
    const size_t left = (size_t)(c.end - c.at);
    const uint64_t values = clup_image_values(image), needed = kind == 4 ? ((uint64_t)nx + 7) / 8 * ny : kind == 1 ? values : plain ? 2 * values - 1 : bytes;
    if (left < needed)
        return clup_input_fail(input, "%" PRIu32 " x %" PRIu32 " pixels need at least %" PRIu64 " bytes, the file has %zu for them", nx, ny, needed, left);
    if (plain || bits)
        CLUP_TRY(clup_image_allocate(input, bytes, image));
    if (plain)
        CLUP_TRY(read_plain(input, &c, bits, most, image));
    else
        c.at += needed;
    if (!ends(c, plain))
        return clup_input_fail(input, "the file goes on after its image");
    if (kind == 4)
        read_bits(c.at - needed, image);
    if (!plain && !bits) {
        clup_image_take(input, (size_t)(c.at - needed - input->bytes), image);
        clup_image_to_host(image, 1);
        CLUP_TRY(clup_image_check_most(input, image, most));
    }
done:
    return status;
}
