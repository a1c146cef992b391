/* Errors of series, and means at other temperatures. */
#ifndef CLUP_ANALYSIS_H
#define CLUP_ANALYSIS_H

#include "clup/estimate.h"
#include "clup/series.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a series says of its mean, in four ways. */
#define CLUP_BINNING_LEVELS 40
typedef struct clup_analysis {
    uint64_t count;
    double mean;               /* without its bias, as in clup_estimate */
    double tau_int, tau_error; /* 1/2 + sum of rho, in measured values, as in clup_estimate; its
                                  error by U. Wolff, Comput. Phys. Commun. 156, 143 (2004), Eq.
                                  (42) */
    double error;              /* by tau_int, see clup_estimate */
    double naive_error;        /* as if values were independent */
    /* by bins of 2^k values, for k below levels, which have at least 16 bins each; and at the
     * plateau, the first k with 8^k > 2 count (binning[k]/binning[0])^4 (R. M. Lee et al., Phys.
     * Rev. E 83, 066706 (2011)), which is levels where none is, and the last k taken */
    double binning[CLUP_BINNING_LEVELS];
    unsigned levels, plateau;
    double binning_error;
    /* by the jackknife, leaving out one of so many blocks at a time; 64 where blocks then have 20
     * tau_int, else fewer; 0 for none */
    double jackknife_error;
    unsigned blocks;
    int is_short;           /* fewer than CLUP_INDEPENDENT_LEAST independent values */
    double low, high, bias; /* see clup_estimate */
    uint64_t reserved[1];
} clup_analysis;
/* Analyses values[count]. Of fewer than 4 values nothing is known but the mean, and the rest is NAN
 * or 0; CLUP_ERROR_USAGE for none. */
CLUP_API clup_status clup_analysis_of(const double *values, uint64_t count,
                                      clup_analysis *analysis);
/* Functions of means, as clup_observable has them, that the series of a system tell: the name of
 * number row, NULL past the last. */
CLUP_API const char *clup_analysis_function(const clup_record *record, uint32_t system, size_t row);
/* Analyses the series of an observable of a system, or one of these functions: by the jackknife's
 * pseudo-values, which say what each value adds to it, and for jackknife_error by the means without
 * each block. CLUP_ERROR_USAGE for what is neither, and for a system that there is not. */
CLUP_API clup_status clup_analysis_observable(const clup_record *record, uint32_t system,
                                              const char *name, clup_analysis *analysis);
/* The covariance of the means of a system's series, matrix[n*n] for n observables in the order of
 * clup_record_observable: by blocks, as many as the series of the longest tau_int has, which come
 * in *blocks unless it is NULL. NAN for fewer than 2 of them. CLUP_ERROR_USAGE for a system that
 * there is not, or that lacks a series. */
CLUP_API clup_status clup_analysis_covariance(const clup_record *record, uint32_t system,
                                              double *matrix, unsigned *blocks);

/* Means at other inverse temperatures, from the energies of all systems of one or more records: of
 * one system by its histogram (A. M. Ferrenberg and R. H. Swendsen, Phys. Rev. Lett. 61, 2635
 * (1988)), of several by all at once, each with the weight 1/g, g = 2 tau_int of its energy (the
 * same, 63, 1195 (1989)), solved in logarithms until it holds to 1e-10. No energies are put into
 * common bins: they are multiples of 1/N. Errors are by the jackknife: block b of all series is
 * left out, and all is solved again. */
typedef struct clup_reweighting clup_reweighting;

/* CLUP_ERROR_USAGE for no records, for records of unlike problems (the detail has the field, and
 * its two values), for systems without values or with an infinite beta, for a record without
 * "energy" or with one that is no multiple of 1/N, and for two systems with the very same series.
 */
CLUP_API clup_status clup_reweighting_create(const clup_record *const *records, size_t count,
                                             clup_reweighting **out);
CLUP_API void clup_reweighting_free(clup_reweighting *reweighting);
/* What it knows, NULL past the last, in the order of clup_observable: each observable that depends
 * on the spins of a moment alone and that has a series in all records, or is a function of means of
 * such. What is counted of clusters, and updated, depends on bonds too, not on energies alone. */
CLUP_API const char *clup_reweighting_name(const clup_reweighting *reweighting, size_t row);
/* Blocks of the jackknife: at most 64, of 20 tau_int of each series' energy, or 16, of 2 tau_int;
 * 0 where series are too short, and errors NAN. */
CLUP_API unsigned clup_reweighting_blocks(const clup_reweighting *reweighting);

/* How far the energies that were sampled are those of another inverse temperature. */
#define CLUP_OVERLAP_LEAST 0.9
typedef struct clup_coverage {
    double overlap; /* the share of the distribution that is not on the outermost energies: the 10
                       independent values at either end, or 1/100 of those of the shortest series.
                       Near 1 where energies were sampled, 0 far from there */
    double independent; /* how many independent values the means rest on, (sum w)^2/sum w^2 */
    int covered; /* overlap is CLUP_OVERLAP_LEAST, independent CLUP_INDEPENDENT_LEAST at least; else
                    neither values nor errors are to be relied on */
    uint64_t reserved[4];
} clup_coverage;
/* Means at beta: values[rows] and errors[rows], one standard deviation, in the order of
 * clup_reweighting_name; each of the three may be NULL. To a variance (specific_heat,
 * susceptibility) beta^2 N or beta N times the square of the error of the energy or of abs_m is
 * added, by which it is too small: deviations are from the mean of the same values, of all systems.
 * Where there are no blocks it is not. CLUP_ERROR_USAGE for a beta that is negative or not
 * finite. */
CLUP_API clup_status clup_reweighting_at(const clup_reweighting *reweighting, double beta,
                                         double *values, double *errors, clup_coverage *coverage);

/* A place in beta, and a value there, with errors by the jackknife. It is looked for where the
 * energies that were sampled reach, see clup_coverage, of both sizes where there are two: from and
 * to are the lowest and the highest such beta between the ends that were asked for, NAN where there
 * is none. */
typedef struct clup_place {
    int found; /* else beta, value and their errors are NAN */
    double beta, beta_error, value, value_error;
    double from, to;
    uint64_t reserved[2];
} clup_place;
/* The highest value of a row between two inverse temperatures; not found where it is at an end of
 * what is covered. The height of a variance (specific_heat, susceptibility) is that without its
 * bias, see clup_reweighting_at; its place is that of the curve with it. */
CLUP_API clup_status clup_reweighting_peak(const clup_reweighting *reweighting, const char *name,
                                           double from, double to, clup_place *peak);
/* Where two sizes have the same value, as Binder's cumulant or xi/L at a critical point; where
 * there are several such places, the one where curves cross at the steepest. */
CLUP_API clup_status clup_reweighting_crossing(const clup_reweighting *a, const clup_reweighting *b,
                                               const char *name, double from, double to,
                                               clup_place *crossing);

#ifdef __cplusplus
}
#endif

#endif
