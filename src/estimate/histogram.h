/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms at other temperatures. */
#ifndef CLUP_ESTIMATE_HISTOGRAM_H
#define CLUP_ESTIMATE_HISTOGRAM_H
#include "estimate/reweight.h"

/* Values of one level in one bin, and their weight. */
typedef struct histogram_part {
    uint32_t level, bin;
    double weight;
} histogram_part;

struct clup_histogram {
    const clup_reweighting *of;
    bool energies; /* the values are those of the energy */
    uint32_t bins;
    double low, width; /* bin k has values from low + k width on */
    double together;   /* how many values a bin can have; INFINITY without a spacing */
    histogram_part *part;
    size_t first[CLUP_BLOCKS_MOST + 1]; /* block b has part[first[b]] to part[first[b + 1] - 1] */
    size_t whole, end;                  /* all values have part[whole] to part[end - 1] */
};

/* Sets shares[bins] at beta, whose sum is 1, of all values (without < 0) or without a block. Unless
 * energies is NULL, it becomes the share times the mean energy a site in each bin. */
clup_status clup_histogram_shares(const clup_histogram *histogram, double beta, int without,
                                  double *shares, double *energies);

#endif
