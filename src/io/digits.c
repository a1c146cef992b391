/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws numbers by digits of 3 x 5 cells, each a square of pixels, with an edge of one pixel. */
#include "io/digits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Cells of a digit, and from a digit to the next. */
enum { WIDE = 3, HIGH = 5, STEP = 4 };

/* The rows of each digit; the highest bit of three is on the left. */
static const uint8_t font[10][HIGH] = {
    {7, 5, 5, 5, 7}, {2, 6, 2, 2, 7}, {7, 1, 7, 4, 7}, {7, 1, 7, 1, 7}, {5, 5, 7, 1, 1},
    {7, 4, 7, 1, 7}, {7, 4, 7, 5, 7}, {7, 1, 1, 2, 2}, {7, 5, 7, 5, 7}, {7, 5, 7, 1, 7}};

/* Writes the digits of a number, and returns how many there are. */
static uint32_t write_digits(uint32_t number, char text[12])
{
    return (uint32_t)snprintf(text, 12, "%" PRIu32, number);
}

void clup_digits_size(uint32_t number, uint32_t scale, uint32_t size[2])
{
    char text[12];
    size[0] = scale * (STEP * write_digits(number, text) - 1) + 2;
    size[1] = scale * HIGH + 2;
}

/* Fills a rectangle with a gray. */
static void fill(const clup_canvas *canvas, uint32_t x, uint32_t y, uint32_t side, uint8_t gray)
{
    for (uint32_t row = 0; row < side; row++)
        memset(canvas->first + canvas->pitch * (y + row) + 3 * (size_t)x, gray, 3 * (size_t)side);
}

/* Draws the cells, or the edge around them, of digits whose edge begins at (x, y). */
static void draw_cells(const clup_canvas *canvas, const char *text, uint32_t scale, uint32_t x,
                       uint32_t y, uint32_t edge, uint8_t gray)
{
    for (; *text != '\0'; text++, x += STEP * scale)
        for (uint32_t row = 0; row < HIGH; row++)
            for (uint32_t column = 0; column < WIDE; column++)
                if (font[*text - '0'][row] >> (WIDE - 1 - column) & 1)
                    fill(canvas, x + 1 + column * scale - edge, y + 1 + row * scale - edge,
                         scale + 2 * edge, gray);
}

/* Returns where so many pixels begin whose middle is near a place, of all pixels of an axis. */
static uint32_t begin(uint32_t middle, uint32_t pixels, uint32_t all)
{
    const uint32_t at = middle > pixels / 2 ? middle - pixels / 2 : 0;
    return at < all - pixels ? at : all - pixels;
}

void clup_digits_draw(const clup_canvas *canvas, uint32_t number, uint32_t scale, uint32_t x,
                      uint32_t y)
{
    char text[12];
    uint32_t size[2];
    write_digits(number, text);
    clup_digits_size(number, scale, size);
    x = begin(x, size[0], canvas->width);
    y = begin(y, size[1], canvas->height);
    draw_cells(canvas, text, scale, x, y, 1, 0);
    draw_cells(canvas, text, scale, x, y, 0, 255);
}
