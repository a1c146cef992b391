/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's conclusions, checked against a result. */
#ifndef CLUP_BENCH_DRAW_CONCLUSIONS_H
#define CLUP_BENCH_DRAW_CONCLUSIONS_H
#include "bench/draw/analysis.h"
#include "bench/draw/page.h"

/* Writes a list of the conclusions: for each whether it holds, and the numbers of the result. */
void bench_conclusions(const json_t *root, const bench_laws *laws, bench_page *page);

#endif
