/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of a result. */
#ifndef CLUP_BENCH_DRAW_REPORT_H
#define CLUP_BENCH_DRAW_REPORT_H
#include <jansson.h>

#include "bench/draw/page.h"

/* Writes folder/report.md, report.html, which stands alone, and figures/NAME.gp, .svg and .png, the
 * pictures by gnuplot: what is in the result, the paper's Table I beside it, and what became of the
 * paper's conclusions. The folder is made, its parent is there. Where there are no pictures, note
 * says why. CLUP_ERROR_RUNTIME when a file cannot be written. */
clup_status bench_report_write(const json_t *root, const char *folder, char *note, size_t size);
/* Of the pages, what says whether points with the same problem have the same spins. */
clup_status bench_trust_write(const json_t *root, bench_page *page);

#endif
