/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in pictures. */
#ifndef CLUP_IO_DIGITS_H
#define CLUP_IO_DIGITS_H
#include <stddef.h>
#include <stdint.h>

/* A picture of u8, RGB, in which is drawn. */
typedef struct clup_canvas {
    uint8_t *first; /* the first pixel */
    size_t pitch;   /* bytes from a row to the next */
    uint32_t width, height;
} clup_canvas;

/* The pixels that a number takes, with its edge, at a scale of 1 or more. */
void clup_digits_size(uint32_t number, uint32_t scale, uint32_t size[2]);
/* Draws a number in white with a black edge, its middle as near to (x, y) as the picture allows,
 * which must have room for it. */
void clup_digits_draw(const clup_canvas *canvas, uint32_t number, uint32_t scale, uint32_t x,
                      uint32_t y);

#endif
