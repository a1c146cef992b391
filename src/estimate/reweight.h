/* SPDX-License-Identifier: BSD-3-Clause */
/* Reweighting: what energies were seen, and the weights that follow. */
#ifndef CLUP_ESTIMATE_REWEIGHT_H
#define CLUP_ESTIMATE_REWEIGHT_H
#include <stdbool.h>

#include "estimate/blocks.h"
#include "estimate/means.h"
#include "estimate/record.h"

/* An energy, of a whole system and counted from energy0, which makes numbers small; the weight of
 * the values with it, 1/g each, and the sums of what they add to means. */
typedef struct reweight_level {
    double energy, weight, sums[CLUP_MEANS];
} reweight_level;

/* The same of one block, which are but some: number is that of the level. */
typedef struct reweight_part {
    size_t number;
    double weight, sums[CLUP_MEANS];
} reweight_part;

/* Systems of the same beta: a histogram. */
typedef struct reweight_group {
    double beta;
    double weight;                    /* of all its values */
    double energy;                    /* its mean */
    double without[CLUP_BLOCKS_MOST]; /* the weight of its values in each block */
} reweight_group;

struct clup_reweighting {
    clup_problem problem;                   /* betas are NULL */
    double sites, length, energy0, highest; /* sites and length are those of clup_measured */
    double shortest;                        /* independent values of the shortest series */
    unsigned columns, rows, blocks;
    unsigned column[CLUP_MEANS];   /* the means besides those of the energy: sums[columns] */
    clup_observable row[OBSERVED]; /* row[rows], what is known */
    size_t levels, group_count;
    reweight_level *level; /* level[levels], by energy */
    reweight_group *group; /* group[group_count], by beta */
    reweight_part *part;   /* those of block b are part[first[b]] to part[first[b + 1] - 1] */
    size_t first[CLUP_BLOCKS_MOST + 1];
    double *denominators; /* ln of sum over groups of N e^(f - beta E), [blocks + 1][levels]: of
                             all, then without each block */
};
/* Fills level, part and group. */
clup_status clup_reweight_collect(clup_reweighting *reweighting, const clup_record *const *records,
                                  size_t count);
/* Fills denominators. */
clup_status clup_reweight_solve(clup_reweighting *reweighting);
/* The rows at beta, of all values (without < 0) or without a block. */
void clup_reweight_rows(const clup_reweighting *reweighting, double beta, int without,
                        double values[OBSERVED]);
/* The errors of the rows at beta, by the jackknife. */
void clup_reweight_errors(const clup_reweighting *reweighting, double beta,
                          double errors[OBSERVED]);
/* What has to be added to a row at beta, where the errors are these, since it is a variance about a
 * mean of the same values: of all of them, however many systems there are at a temperature; 0 for
 * others, and where there are no errors. */
double clup_reweight_bias(const clup_reweighting *reweighting, unsigned row, double beta,
                          const double errors[OBSERVED]);
clup_coverage clup_reweight_coverage(const clup_reweighting *reweighting, double beta);

/* Intervals of beta, in order, none of which touches another. */
typedef struct reweight_span {
    double from, to;
} reweight_span;
typedef struct reweight_spans {
    size_t count;
    reweight_span *of;
} reweight_spans;
/* The parts of an interval that are covered, and what two lists have in common. The caller frees
 * spans, also after an error. */
clup_status clup_reweight_spans(const clup_reweighting *reweighting, double from, double to,
                                reweight_spans *spans);
clup_status clup_reweight_common_spans(const reweight_spans *a, const reweight_spans *b,
                                       reweight_spans *common);
void clup_reweight_spans_free(reweight_spans *spans);

#endif
