/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws pictures on the terminal of stderr, in place. */
#ifndef CLUP_CLI_SCREEN_H
#define CLUP_CLI_SCREEN_H
#include "clup.h"

/* Returns NULL, or why stderr is no terminal on which a picture can be drawn. */
const char *screen_lacks(void);
/* Draws a picture of 3 channels, u8, scaled to the size that the terminal has now, and a line of
 * text below. The first call takes another screen of the terminal and hides the cursor. */
void screen_draw(const clup_image *picture, const char *text);
/* Gives back the screen and the cursor, where they were taken. It may be called by a handler of
 * signals. */
void screen_restore(void);

#endif
