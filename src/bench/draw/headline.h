/* SPDX-License-Identifier: BSD-3-Clause */
/* How many times faster one device is than another, at sizes that fill each device. */
#ifndef CLUP_BENCH_DRAW_HEADLINE_H
#define CLUP_BENCH_DRAW_HEADLINE_H
#include <jansson.h>

/* Compares result number r with the first one, both given by their indexes (bench/index.h). Returns
 * {"result": r, "suite", "curve", "id", "first_id", "ratio": time a site of result r over that of
 * the first}. Both times are from the first suite about the speed of sweeps or labelling, and there
 * from the first curve, that both results have. Each time is taken at the least size beyond which
 * the device gets at most a tenth faster. JSON null when there is no common curve. NULL without
 * memory. */
json_t *bench_headline(const json_t *first, const json_t *other, size_t r);

#endif
