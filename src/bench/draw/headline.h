/* SPDX-License-Identifier: BSD-3-Clause */
/* How many times faster one device is than another, at sizes that are large enough for each. */
#ifndef CLUP_BENCH_DRAW_HEADLINE_H
#define CLUP_BENCH_DRAW_HEADLINE_H
#include <jansson.h>

/* Holds result number r against the first, both by their indexes (bench/index.h): {"result": r,
 * "suite", "curve", "id", "first_id", "ratio": its time a site over the first one's}. Both times
 * are of the first curve that both have of the first suite that says how fast sweeps or labelling
 * are, each at the least size from which on the device gets no more than a tenth faster. Null where
 * there is no such curve. NULL without memory. */
json_t *bench_headline(const json_t *first, const json_t *other, size_t r);

#endif
