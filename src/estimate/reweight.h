/* SPDX-License-Identifier: BSD-3-Clause */
/* Reweighting: a histogram of the energies that were seen, and the weights that follow. */
#ifndef CLUP_ESTIMATE_REWEIGHT_H
#define CLUP_ESTIMATE_REWEIGHT_H
#include <math.h>
#include <stdbool.h>

#include "estimate/blocks.h"
#include "estimate/expression.h"
#include "estimate/means.h"
#include "estimate/record.h"

/* The most series that are no observables of their own, such as correlation_x_16. */
#define REWEIGHT_EXTRAS 256
#define REWEIGHT_COLUMNS (CLUP_MEANS + REWEIGHT_EXTRAS)
/* The most rows: observables and such series, of the spins and of the bonds. */
#define REWEIGHT_ROWS (OBSERVED + 2 * REWEIGHT_EXTRAS)

/* An energy level: energy is of a whole system and counts from energy0, which keeps numbers small.
 * weight is that of the values with this energy, 1/g for each. */
typedef struct reweight_level {
    double energy, weight;
} reweight_level;

/* A level in one block, which has only some of the levels: number is the level's. */
typedef struct reweight_part {
    size_t number;
    double weight;
} reweight_part;

/* Systems of the same beta: a histogram. */
typedef struct reweight_group {
    double beta;
    double weight;                    /* of all values */
    double energy;                    /* mean energy */
    double without[CLUP_BLOCKS_MOST]; /* weight of the values in each block */
} reweight_group;

/* What follows from the spins has the weight exp(-beta E). What follows from the bonds of
 * Fortuin-Kasteleyn clusters has that of the bonds, (e^(beta gap) - 1)^b where b are active: as if
 * -b were an energy, and x = ln(e^(beta gap) - 1) its inverse temperature. So bonds have a
 * reweighting of their own, whose levels, groups and unit are in these. */
struct clup_reweighting {
    clup_reweighting *bonds;                /* NULL for none, and in bonds itself */
    double gap;                             /* in bonds alone; else 0 */
    clup_problem problem;                   /* betas are NULL */
    double sites, length, energy0, highest; /* sites and length are those of clup_measured */
    double shortest; /* number of independent values of the shortest series */
    unsigned columns, blocks;
    unsigned column[REWEIGHT_COLUMNS]; /* means other than those of the energy, then CLUP_MEANS + k
                                          for extra series k */
    unsigned observed, extra_count;    /* rows that are observables, and extra series */
    clup_observable row[OBSERVED];     /* row[observed], the observables that are known */
    char extras[REWEIGHT_EXTRAS][CLUP_RECORD_KEY];
    size_t levels, group_count;
    reweight_level *level; /* level[levels], by energy */
    reweight_group *group; /* group[group_count], by beta */
    reweight_part *part;   /* block b has part[first[b]] to part[first[b + 1] - 1] */
    size_t first[CLUP_BLOCKS_MOST + 1];
    double *level_sums, *part_sums; /* [columns] of each: the contributions to the means */
    double *denominators; /* ln of sum over groups of N e^(f - beta E), [blocks + 1][levels]: first
                             of all values, then without each block */
};
/* Fills level, part and group, by the energies, or if gap is above 0 by the active bonds, in as
 * many blocks as blocks is unless it is 0. */
clup_status clup_reweight_collect(clup_reweighting *reweighting, const clup_record *const *records,
                                  size_t count);
/* Fills denominators. */
clup_status clup_reweight_solve(clup_reweighting *reweighting);
/* Returns the inverse temperature that stands before the energies of the levels. */
static inline double clup_reweight_parameter(const clup_reweighting *of, double beta)
{
    const double t = beta * of->gap;
    /* ln(e^t - 1); at beta 0 no bond is active, and a finite number has no 0 times infinity */
    return of->gap > 0 ? fmax(t + log(-expm1(-t)), -700) : beta;
}
/* The means at a temperature, and those of the extra series. */
typedef struct reweight_means {
    clup_means means;
    double extras[REWEIGHT_EXTRAS];
} reweight_means;
/* Those of the spins, and those of the bonds where these are known. */
typedef struct reweight_point {
    reweight_means spins, bonds;
} reweight_point;
/* Computes the means at beta from all values (without < 0), or without one block; and unless slopes
 * is NULL their derivatives by beta, -(<AE> - <A><E>) for A, E the energy of the whole system. */
void clup_reweight_means(const clup_reweighting *reweighting, double beta, int without,
                         reweight_point *means, reweight_point *slopes);
/* Moves means along their derivatives to where beta is larger by a step. */
void clup_reweight_move(const clup_reweighting *reweighting, reweight_point *means,
                        const reweight_point *slopes, double step);
/* Returns how many rows there are: observables of the spins, their extra series, and the same of
 * the bonds; the name of one; and its value by means. */
unsigned clup_reweight_row_count(const clup_reweighting *reweighting);
const char *clup_reweight_row_name(const clup_reweighting *reweighting, unsigned row);
double clup_reweight_row_value(const clup_reweighting *reweighting, const reweight_point *means,
                               unsigned row);
/* Sets factors[levels] to what a weight of each level counts at beta, but for a common factor. */
void clup_reweight_factors(const clup_reweighting *reweighting, double beta, int without,
                           double *factors);
/* Returns ln of Z at beta, up to a constant that is the same for all beta; of all values or without
 * a block. */
double clup_reweight_ln_z(const clup_reweighting *reweighting, double beta, int without);
/* Computes the rows at beta, by these means. */
void clup_reweight_rows(const clup_reweighting *reweighting, double beta, int without,
                        double values[REWEIGHT_ROWS]);
/* Computes the errors of the rows at beta, by the jackknife. */
void clup_reweight_errors(const clup_reweighting *reweighting, double beta,
                          double errors[REWEIGHT_ROWS]);
/* The correction that is added to a row at beta, given the errors of the rows, if the row is a
 * variance about a mean of the same values. All values count, however many systems have a
 * temperature. 0 for other rows, and where there are no errors. */
double clup_reweight_bias(const clup_reweighting *reweighting, unsigned row, double beta,
                          const double errors[REWEIGHT_ROWS]);
clup_coverage clup_reweight_coverage(const clup_reweighting *reweighting, double beta);

/* A row of a reweighting, or an expression in its rows. */
typedef struct reweight_curve {
    const clup_reweighting *of;
    int row; /* -1 for an expression */
    clup_expression expression;
} reweight_curve;
/* Finds the row of a name, or reads an expression; CLUP_ERROR_USAGE for one that is not known at
 * other temperatures. */
clup_status clup_reweight_curve(const clup_reweighting *reweighting, const char *name,
                                reweight_curve *curve);
/* As clup_reweight_curve; also refuses an interval of beta that is none. */
clup_status clup_reweight_curve_between(const clup_reweighting *reweighting, const char *name,
                                        double from, double to, reweight_curve *curve);
/* The value at beta, of all values or without a block. NAN where an expression has none. */
double clup_reweight_value(const reweight_curve *curve, double beta, int without);
/* The value at beta of all values; a variance is corrected, see clup_reweight_bias. */
double clup_reweight_corrected(const reweight_curve *curve, double beta);
/* The value, and its derivative by beta. */
double clup_reweight_slope(const reweight_curve *curve, double beta, int without, double *slope);

/* Intervals of beta in ascending order, disjoint and not adjacent. */
typedef struct reweight_span {
    double from, to;
} reweight_span;
typedef struct reweight_spans {
    size_t count;
    reweight_span *of;
} reweight_spans;
/* clup_reweight_spans finds the parts of an interval that are covered, clup_reweight_common_spans
 * the intersection of two lists. The caller frees spans, also after an error. */
clup_status clup_reweight_spans(const clup_reweighting *reweighting, double from, double to,
                                reweight_spans *spans);
clup_status clup_reweight_common_spans(const reweight_spans *a, const reweight_spans *b,
                                       reweight_spans *common);
void clup_reweight_spans_free(reweight_spans *spans);
/* A place that is not found, with the range that was searched; NULL for none. */
clup_place clup_reweight_nowhere(const reweight_spans *spans);

#endif
