/* SPDX-License-Identifier: BSD-3-Clause */
/* PAM: Netpbm's format P7, of 1 to 4 channels. The format:
 * https://netpbm.sourceforge.net/doc/pam.html */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/alpha.h"
#include "io/image.h"

/* The most bytes of the header, with comments, and of a line that is none. */
#define HEADER_MOST 65536
#define LINE_MOST 256

static const char magic[] = "P7\n";

/* The lines of a header. */
enum { WIDTH, HEIGHT, DEPTH, MAXVAL, NUMBERS };

typedef struct header {
    uint64_t numbers[NUMBERS];
    unsigned seen;        /* a bit for each number that is there */
    char kind[LINE_MOST]; /* the tuple type; several are joined by spaces, "" for none */
    bool ended;
    size_t data; /* offset of the pixels */
} header;

int clup_pam_is(const clup_input *input)
{
    return input->size >= 3 && memcmp(input->bytes, magic, 3) == 0;
}

/* ---- the header ------------------------------------------------------------------------------ */

/* Reads the line at *at, without its end, and moves *at behind it. Comments and what is too long
 * are cut off. */
static clup_status read_line(clup_input *input, size_t *at, char line[LINE_MOST])
{
    size_t used = 0;
    for (;; ++*at) {
        const clup_status status = clup_input_reach(input, (uint64_t)*at + 1);
        if (status != CLUP_OK)
            return status;
        if (*at >= input->size)
            return clup_input_fail(input, "the file ends inside the header");
        if (*at >= HEADER_MOST)
            return clup_input_fail(input, "the header does not end after %zu bytes", *at);
        const char character = (char)input->bytes[*at];
        if (character == '\n')
            break;
        if (used + 1 < LINE_MOST)
            line[used++] = character;
    }
    ++*at;
    line[used] = '\0';
    return CLUP_OK;
}

/* Returns the text after a word and white space; NULL where the line begins otherwise. */
static char *after(char *line, const char *word)
{
    const size_t length = strlen(word);
    char *at = line + length;
    if (strncmp(line, word, length) != 0 || (*at != '\0' && strchr(" \t\r", *at) == NULL))
        return NULL;
    return at + strspn(at, " \t\r");
}

static void cut_space(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]) != NULL)
        text[--length] = '\0';
}

/* Takes what a line says. Returns NULL, or what is wrong. */
static const char *take_line(char *line, header *h)
{
    static const char *const names[NUMBERS] = {"WIDTH", "HEIGHT", "DEPTH", "MAXVAL"};
    const size_t used = strlen(h->kind);
    char *text = line + strspn(line, " \t\r"), *kind;
    cut_space(text);
    if (*text == '\0' || *text == '#')
        return NULL;
    h->ended = strcmp(text, "ENDHDR") == 0;
    if (h->ended)
        return NULL;
    if ((kind = after(text, "TUPLTYPE")) != NULL) {
        if (used + 1 + strlen(kind) >= sizeof h->kind)
            return "the tuple type is too long";
        for (const char *at = kind; *at != '\0'; at++)
            if (*at < ' ' || *at > '~')
                return "the tuple type has a character that does not print";
        if (used > 0)
            strcat(h->kind, " ");
        strcat(h->kind, kind);
        return NULL;
    }
    for (unsigned k = 0; k < NUMBERS; k++) {
        char *value = after(text, names[k]), *end;
        if (value == NULL)
            continue;
        if (h->seen >> k & 1)
            return "a line of the header is there twice";
        h->seen |= 1u << k;
        h->numbers[k] = strtoull(value, &end, 10);
        return *value >= '0' && *value <= '9' && *end == '\0' && end - value < 19
                   ? NULL
                   : "there is something else where a number should be, in the header";
    }
    return "the header has a line that is unknown";
}

static clup_status read_header(clup_input *input, header *h)
{
    char line[LINE_MOST];
    clup_status status = CLUP_OK;
    h->data = strlen(magic);
    while (!h->ended) {
        CLUP_TRY(read_line(input, &h->data, line));
        const char *wrong = take_line(line, h);
        if (wrong != NULL)
            return clup_input_fail(input, "%s", wrong);
    }
    if (h->seen != (1u << NUMBERS) - 1)
        return clup_input_fail(input, "the header lacks WIDTH, HEIGHT, DEPTH or MAXVAL");
    if (h->numbers[MAXVAL] == 0 || h->numbers[MAXVAL] > 65535)
        return clup_input_fail(input, "the maximum %" PRIu64 " is not between 1 and 65535",
                               h->numbers[MAXVAL]);
done:
    return status;
}

/* Fails where the channels are not those of gray or RGB, with alpha or without. */
static clup_status check_kind(const clup_input *input, const header *h)
{
    static const struct {
        const char *name;
        unsigned depth;
    } kinds[] = {{"BLACKANDWHITE", 1},       {"GRAYSCALE", 1},       {"RGB", 3},
                 {"BLACKANDWHITE_ALPHA", 2}, {"GRAYSCALE_ALPHA", 2}, {"RGB_ALPHA", 4}};
    const uint64_t depth = h->numbers[DEPTH];
    bool known = *h->kind == '\0';
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        known |= strcmp(h->kind, kinds[k].name) == 0 && depth == kinds[k].depth;
    if (depth < 1 || depth > 4)
        return clup_input_fail(input, "the pixels have a depth of %" PRIu64 ", not of 1 to 4",
                               depth);
    return known ? CLUP_OK
                 : clup_input_fail(input,
                                   "the tuple type '%.40s' of depth %" PRIu64
                                   " is not read; there is GRAYSCALE, RGB and BLACKANDWHITE, and "
                                   "each with _ALPHA",
                                   h->kind, depth);
}

/* ---- pixels ---------------------------------------------------------------------------------- */

clup_status clup_pam_decode(clup_input *input, const clup_image_options *options, clup_image *image)
{
    header h = {0};
    size_t bytes;
    clup_status status = CLUP_OK;
    (void)options;
    CLUP_TRY(read_header(input, &h));
    CLUP_TRY(check_kind(input, &h));
    const unsigned most = (unsigned)h.numbers[MAXVAL];
    image->axes = 2;
    image->channels = (unsigned)h.numbers[DEPTH];
    image->dtype = most > 255 ? CLUP_DTYPE_U16 : CLUP_DTYPE_U8;
    CLUP_TRY(clup_image_measure(input, (const uint64_t[3]){h.numbers[WIDTH], h.numbers[HEIGHT], 1},
                                image, &bytes));
    input->turned = clup_other_order(image->dtype, 1);
    CLUP_TRY(clup_image_load(input, "the PAM", h.data, bytes, image));
    clup_image_to_host(image, 1);
    CLUP_TRY(clup_image_check_most(input, image, most));
    if (image->channels == 2)
        CLUP_TRY(clup_alpha_expand(input, &(const clup_alpha){.opaque = most}, image));
done:
    return status;
}
