/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws pictures on the terminal of stderr: two pixels in a character by the upper half block, in
 * colours of 24 bits, of a table of 256, or as two glyphs. */
#include "cli/screen.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Pixels of a block, at most, along each side, of which the most frequent colour is taken. */
#define SAMPLES 8

static volatile sig_atomic_t taken;

typedef struct screen {
    unsigned columns, rows;           /* characters */
    enum { FULL, TABLE, GLYPHS } how; /* how colours are written */
    int halves;                       /* two pixels in a character */
    unsigned width, height;           /* of what is drawn, in its pixels */
    unsigned larger, smaller; /* a pixel of the picture is larger x larger of these, or smaller
                                 x smaller of the picture are one */
    const clup_image *picture;
    FILE *to;
} screen;

typedef struct colour {
    uint8_t rgb[3];
} colour;

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

const char *screen_lacks(void)
{
    const char *terminal = environment("TERM");
    if (!isatty(STDERR_FILENO))
        return "standard error is no terminal";
    return *terminal == '\0' || strcmp(terminal, "dumb") == 0
               ? "TERM says that the terminal cannot move its cursor"
               : NULL;
}

static int is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *value = environment(names[k]), *dot = strrchr(value, '.');
        if (*value != '\0')
            return dot != NULL &&
                   (strncasecmp(dot, ".utf-8", 6) == 0 || strncasecmp(dot, ".utf8", 5) == 0);
    }
    return 0;
}

/* ---- pixels ---------------------------------------------------------------------------------- */

static colour pixel(const clup_image *picture, uint64_t x, uint64_t y)
{
    colour found;
    memcpy(found.rgb, (const uint8_t *)picture->pixels + 3 * (x + picture->size[0] * y), 3);
    return found;
}

/* Returns the most frequent colour of those at evenly spaced places of a block, the first of
 * several. */
static colour most_frequent(const screen *screen, unsigned u, unsigned v)
{
    colour seen[SAMPLES * SAMPLES];
    unsigned counts[SAMPLES * SAMPLES], kinds = 0, best = 0;
    const uint64_t left = (uint64_t)u * screen->smaller, top = (uint64_t)v * screen->smaller;
    const unsigned side = screen->smaller < SAMPLES ? screen->smaller : SAMPLES;
    for (unsigned k = 0; k < side * side; k++) {
        const uint64_t x = left + (uint64_t)(k % side) * screen->smaller / side,
                       y = top + (uint64_t)(k / side) * screen->smaller / side;
        unsigned kind = 0;
        if (x >= screen->picture->size[0] || y >= screen->picture->size[1])
            continue;
        const colour here = pixel(screen->picture, x, y);
        while (kind < kinds && memcmp(&seen[kind], &here, sizeof here) != 0)
            kind++;
        if (kind == kinds) {
            seen[kinds] = here;
            counts[kinds++] = 0;
        }
        counts[kind]++;
    }
    for (unsigned kind = 1; kind < kinds; kind++)
        best = counts[kind] > counts[best] ? kind : best;
    return seen[best];
}

static colour drawn(const screen *screen, unsigned u, unsigned v)
{
    return screen->smaller > 1 ? most_frequent(screen, u, v)
                               : pixel(screen->picture, u / screen->larger, v / screen->larger);
}

/* ---- characters ------------------------------------------------------------------------------ */

/* The number of the nearest colour of the cube of 6 x 6 x 6 and the 24 grays of xterm. */
static unsigned in_table(colour of)
{
    static const uint8_t levels[6] = {0, 95, 135, 175, 215, 255};
    unsigned best = 16, least = UINT32_MAX;
    for (unsigned k = 16; k < 256; k++) {
        const unsigned cube = k - 16, gray = 8 + 10 * (k - 232);
        const unsigned is[3] = {k < 232 ? levels[cube / 36] : gray,
                                k < 232 ? levels[cube / 6 % 6] : gray,
                                k < 232 ? levels[cube % 6] : gray};
        unsigned squares = 0;
        for (unsigned c = 0; c < 3; c++) {
            const int off = (int)is[c] - of.rgb[c];
            squares += (unsigned)(off * off);
        }
        if (squares < least) {
            least = squares;
            best = k;
        }
    }
    return best;
}

/* Sets the colour of what is written (38) or of its ground (48). */
static void set_colour(const screen *screen, unsigned code, colour of)
{
    if (screen->how == FULL)
        fprintf(screen->to, "\x1b[%u;2;%u;%u;%um", code, of.rgb[0], of.rgb[1], of.rgb[2]);
    else
        fprintf(screen->to, "\x1b[%u;5;%um", code, in_table(of));
}

static void write_glyphs(const screen *screen, unsigned row)
{
    for (unsigned u = 0; u < screen->width; u++) {
        const colour of = drawn(screen, u, row);
        fputc(299 * of.rgb[0] + 587 * of.rgb[1] + 114 * of.rgb[2] >= 128000 ? '#' : '.',
              screen->to);
    }
}

/* Writes a row of characters; a colour is set where it changes. */
static void write_row(const screen *screen, unsigned row)
{
    colour before[2] = {{{0}}};
    for (unsigned u = 0; u < screen->width; u++) {
        const unsigned v = row * (screen->halves ? 2 : 1);
        const int both = screen->halves && v + 1 < screen->height;
        const colour upper = drawn(screen, u, v), lower = both ? drawn(screen, u, v + 1) : upper;
        if (screen->halves && (u == 0 || memcmp(&upper, &before[0], sizeof upper) != 0))
            set_colour(screen, 38, upper);
        if ((both || !screen->halves) && (u == 0 || memcmp(&lower, &before[1], sizeof lower) != 0))
            set_colour(screen, 48, lower);
        fputs(screen->halves ? "\xe2\x96\x80" : " ", screen->to);
        before[0] = upper;
        before[1] = lower;
    }
}

/* ---- the screen ------------------------------------------------------------------------------ */

static void measure(screen *screen)
{
    struct winsize size = {0};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
        size = (struct winsize){.ws_col = 80, .ws_row = 24};
    screen->columns = size.ws_col;
    screen->rows = size.ws_row;
    const char *colours = environment("COLORTERM");
    screen->how = strcmp(colours, "truecolor") == 0 || strcmp(colours, "24bit") == 0 ? FULL
                  : strstr(environment("TERM"), "256") != NULL                       ? TABLE
                                                                                     : GLYPHS;
    screen->halves = screen->how != GLYPHS && is_utf8();
}

/* Chooses the scale: a whole number of pixels for one, or one for a whole number of them. */
static void scale(screen *screen)
{
    const unsigned width = screen->picture->size[0], height = screen->picture->size[1],
                   lines = screen->rows > 1 ? screen->rows - 1 : 1, columns = screen->columns,
                   rows = lines * (screen->halves ? 2 : 1);
    const unsigned across = columns / width, down = rows / height;
    screen->larger = across < down ? across : down;
    screen->smaller = 1;
    if (screen->larger > 0) {
        screen->width = width * screen->larger;
        screen->height = height * screen->larger;
        return;
    }
    const unsigned wide = (width - 1) / columns + 1, high = (height - 1) / rows + 1;
    screen->larger = 1;
    screen->smaller = wide > high ? wide : high;
    screen->width = (width - 1) / screen->smaller + 1;
    screen->height = (height - 1) / screen->smaller + 1;
}

static void put(const char *text, size_t length)
{
    while (length > 0) {
        const ssize_t put = write(STDERR_FILENO, text, length);
        if (put <= 0)
            return;
        text += put;
        length -= (size_t)put;
    }
}

void screen_draw(const clup_image *picture, const char *text)
{
    static const char take[] = "\x1b[?1049h\x1b[?25l";
    char *bytes = NULL;
    size_t length = 0;
    screen screen = {.picture = picture, .to = open_memstream(&bytes, &length)};
    if (screen.to == NULL)
        return;
    measure(&screen);
    scale(&screen);
    const unsigned lines = screen.halves ? (screen.height + 1) / 2 : screen.height;
    /* what is behind a character is cleared before it is written: after the last one of a row the
     * cursor still stands on it */
    if (screen.rows > 1)
        fprintf(screen.to, "\x1b[%u;1H\x1b[J%.*s", lines + 1, (int)screen.columns, text);
    for (unsigned row = 0; row < lines; row++) {
        fprintf(screen.to, "\x1b[%u;1H", row + 1);
        (screen.how == GLYPHS ? write_glyphs : write_row)(&screen, row);
        fputs(screen.width < screen.columns ? "\x1b[0m\x1b[K" : "\x1b[0m", screen.to);
    }
    if (fclose(screen.to) == 0) {
        if (!taken) {
            taken = 1;
            put(take, sizeof take - 1);
        }
        put(bytes, length);
    }
    free(bytes);
}

void screen_restore(void)
{
    static const char give[] = "\x1b[0m\x1b[?25h\x1b[?1049l";
    if (!taken)
        return;
    taken = 0;
    put(give, sizeof give - 1);
}
