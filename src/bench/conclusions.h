/* What became of the paper's conclusions. */
#ifndef CLUP_BENCH_CONCLUSIONS_H
#define CLUP_BENCH_CONCLUSIONS_H
#include "bench/analysis.h"
#include "bench/page.h"

/* A list of them, each with whether it holds, and the numbers of the result. */
void bench_conclusions(const json_t *root, const bench_laws *laws, bench_page *page);

#endif
