/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a result. */
#ifndef CLUP_BENCH_DRAW_REPORT_H
#define CLUP_BENCH_DRAW_REPORT_H
#include <jansson.h>

#include "bench/draw/page.h"

/* Writes folder/report.md, report.html (which needs no other file), and the pictures
 * figures/NAME.gp, .svg and .png, drawn by gnuplot. The pages show the result, the paper's Table I
 * beside it, and whether the paper's conclusions hold. Makes the folder, whose parent must exist.
 * When pictures are missing, note says why. CLUP_ERROR_RUNTIME when a file cannot be written. */
clup_status bench_report_write(const json_t *root, const char *folder, char *note, size_t size);
/* Writes the section that says whether points with equal problems have equal spins. */
clup_status bench_trust_write(const json_t *root, bench_page *page);

#endif
