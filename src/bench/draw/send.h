/* SPDX-License-Identifier: BSD-3-Clause */
/* How to send a result to clup: the text of a pull request. */
#ifndef CLUP_BENCH_DRAW_SEND_H
#define CLUP_BENCH_DRAW_SEND_H
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "clup.h"

/* Whether a result is one that doc/results takes: of the suite paper, with its own sizes. */
bool bench_send_is_wanted(const json_t *root);

/* Writes the text of a pull request with a result to folder/pull-request.md, and prints to to how
 * to send the result, which is in the file path: commands for a checkout, a title and that text. */
clup_status bench_send_write(const json_t *root, const char *path, const char *folder, FILE *to);

#endif
