/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors of series, and means at other temperatures. */
#ifndef CLUP_ANALYSIS_H
#define CLUP_ANALYSIS_H

#include "clup/estimate.h"
#include "clup/series.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- errors ---------------------------------------------------------------------------------- */

/* The mean of a series, and its error by several methods. All errors are one standard deviation. */
#define CLUP_BINNING_LEVELS 40
typedef struct clup_analysis {
    uint64_t count;            /* of values */
    double mean;               /* without its bias, see clup_estimate */
    double tau_int, tau_error; /* as in clup_estimate, in measured values; its error by U. Wolff,
                                  Comput. Phys. Commun. 156, 143 (2004), Eq. (42) */
    double error;              /* by tau_int, see clup_estimate */
    double naive_error;        /* as if the values were independent */
    /* By binning. binning[k], for k below levels, is the error by bins of 2^k values; there are at
     * least 16 bins. plateau is the first k with 8^k > 2 count (binning[k]/binning[0])^4 (R. M. Lee
     * et al., Phys. Rev. E 83, 066706 (2011)). Where there is none it is levels, and the last k is
     * used. binning_error is the error at the plateau. */
    double binning[CLUP_BINNING_LEVELS];
    unsigned levels, plateau;
    double binning_error;
    /* By the jackknife, which leaves out one of so many blocks at a time: 64 where blocks then have
     * 20 tau_int, else fewer; 0 for none. */
    double jackknife_error;
    unsigned blocks;
    int is_short;           /* fewer than CLUP_INDEPENDENT_LEAST independent values */
    double low, high, bias; /* see clup_estimate */
    uint64_t reserved[1];
} clup_analysis;

/* Analyses values[count]. Of fewer than 4 values only the mean is known, and the rest is NAN or 0.
 * Returns CLUP_ERROR_USAGE for no values. */
CLUP_API clup_status clup_analysis_of(const double *values, uint64_t count,
                                      clup_analysis *analysis);

/* Returns the name of function of means number row (such as "binder", see clup_observable) that the
 * series of a system determine; NULL past the last. */
CLUP_API const char *clup_analysis_function(const clup_record *record, uint32_t system, size_t row);

/* Analyses the series of an observable of a system, or a function of means: by the jackknife
 * pseudo-values, which say what each value contributes, and for jackknife_error by the means
 * without each block. Returns CLUP_ERROR_USAGE for an unknown name or system. */
CLUP_API clup_status clup_analysis_observable(const clup_record *record, uint32_t system,
                                              const char *name, clup_analysis *analysis);

/* Computes the autocorrelations rho(t) of the series of an observable, or of the pseudo-values of a
 * function of means, up to the window W of its tau_int.
 *
 *   most         the most distances, 1 or more
 *   rho, errors  [*count], at t = 0, 1, 2, .. measured values; rho(0) is 1, and tau_int is 1/2 plus
 *                the sum of the others, but for a correction of the order of W/n (clup_analysis).
 *                An error is one standard deviation (M. Luescher, Comput. Phys. Commun. 165, 199
 *                (2005), Eq. (E.11), with rho(t) = 0 beyond the window). errors may be NULL
 *   count        becomes W + 1 or most, whichever is smaller; 0 for fewer than 4 values and for a
 *                constant series
 *
 * Returns CLUP_ERROR_USAGE for an unknown name or system, and where most is 0. */
CLUP_API clup_status clup_analysis_correlation(const clup_record *record, uint32_t system,
                                               const char *name, uint64_t most, double *rho,
                                               double *errors, uint64_t *count);

/* Analyses an expression in the means of a system's series, as clup_analysis_observable does a
 * function of means, such as "1 - m4/(3*m2^2)" or "chi/L^1.75". It has numbers, names of series and
 * of functions of means (clup_analysis_function), beta, sites (how many the lattice has) and L (how
 * many are along its longest axis; cells of a lattice that is made of a cell); + - * / ^,
 * parentheses, sqrt, log, exp and abs. ^ binds most, and to the right. The bias of an expression is
 * not removed, nor that of functions in it: bias is 0.
 * If analysis is NULL, it is only found out whether the expression has a value, which takes less
 * time.
 *
 * Returns CLUP_ERROR_USAGE for text that is no expression, has a name that there is no series of or
 * has no name, and where the means give it no finite value; for no values; and for a system that
 * does not exist. */
CLUP_API clup_status clup_analysis_expression(const clup_record *record, uint32_t system,
                                              const char *text, clup_analysis *analysis);

/* Computes the covariance of the means of the n series of a system, matrix[n*n], in the order of
 * clup_record_observable. It uses as many blocks as the series with the longest tau_int allows,
 * which *blocks becomes unless it is NULL. All values are NAN for fewer than 2 blocks. Returns
 * CLUP_ERROR_USAGE for a system that does not exist, or lacks a series. */
CLUP_API clup_status clup_analysis_covariance(const clup_record *record, uint32_t system,
                                              double *matrix, unsigned *blocks);

/* ---- reweighting ----------------------------------------------------------------------------- */

/* Means at other inverse temperatures, from the energies of all systems of one or more records.
 *
 * One system is reweighted by its histogram (A. M. Ferrenberg and R. H. Swendsen, Phys. Rev. Lett.
 * 61, 2635 (1988)); several at once, each with the weight 1/g, g = 2 tau_int of its energy (the
 * same authors, 63, 1195 (1989)), solved in logarithms to 1e-10. Energies are multiples of 1/N and
 * are not binned. Errors are by the jackknife: block b of all series is left out, and everything is
 * solved again. */
typedef struct clup_reweighting clup_reweighting;

/* Prepares reweighting with records[count]. Release *out by clup_reweighting_free.
 *
 * Returns CLUP_ERROR_USAGE for no records; for records of different problems (the detail names the
 * field and its two values); for systems with different samples of disorder; for systems without
 * values or with an infinite beta; for a record without "energy", or with energies that differ by
 * no multiple of the unit of the couplings (1 of Potts and 2 of Ising where they are 1) over N; and
 * for two systems with equal series. */
CLUP_API clup_status clup_reweighting_create(const clup_record *const *records, size_t count,
                                             clup_reweighting **out);
CLUP_API void clup_reweighting_free(clup_reweighting *reweighting);

/* Returns the name of observable number row that can be reweighted; NULL past the last. First come,
 * in the order of clup_observable, the observables that depend on the spins of one moment alone and
 * have a series in all records, and the functions of means of such, then series of one of several
 * values, such as "correlation_x_16". Those of Fortuin-Kasteleyn clusters depend on bonds: b active
 * bonds have the weight (exp(beta g) - 1)^b, g the energy that a bond loses by being satisfied.
 * They come last, in the same order, if all records have the series "fk_bonds", all bonds have
 * couplings of one size, and there is no field. What depends on the clusters of the sweep itself is
 * not known, nor updated, nor overlaps, which depend on the spins of two systems. */
CLUP_API const char *clup_reweighting_name(const clup_reweighting *reweighting, size_t row);

/* Returns the number of jackknife blocks: at most 64, of at least 20 tau_int of each series'
 * energy; else at most 16, of at least 2 tau_int. 0 where series are too short; errors are NAN
 * then. */
CLUP_API unsigned clup_reweighting_blocks(const clup_reweighting *reweighting);

/* Whether the sampled energies are those that matter at another inverse temperature. */
#define CLUP_OVERLAP_LEAST 0.9
typedef struct clup_coverage {
    double overlap;     /* the share of the distribution that does not lie on the outermost sampled
                           energies: the 10 independent values at either end, or 1/100 of those of
                           the shortest series. Near 1 where energies were sampled, 0 far away */
    double independent; /* how many independent values the means rest on, (sum w)^2/sum w^2 */
    int covered;        /* overlap is at least CLUP_OVERLAP_LEAST, and independent at least
                           CLUP_INDEPENDENT_LEAST. Otherwise do not rely on values and errors */
    uint64_t reserved[4];
} clup_coverage;

/* Computes the means at beta.
 *
 *   values, errors  [rows], in the order of clup_reweighting_name; an error is one standard
 *                   deviation
 *   coverage        see above. Each of the three may be NULL
 *
 * A variance (specific_heat, susceptibility) is too small, since deviations are from the mean of
 * the same values of all systems: beta^2 N or beta N times the square of the error of the energy or
 * of abs_m is added to it. Without blocks nothing is added. Returns CLUP_ERROR_USAGE for a beta
 * that is negative or not finite. */
CLUP_API clup_status clup_reweighting_at(const clup_reweighting *reweighting, double beta,
                                         double *values, double *errors, clup_coverage *coverage);

/* Computes one observable or expression, or with derivative 1 its derivative by beta, at
 * betas[count]; and the covariance of these values by the jackknife, covariance[count][count],
 * which is all NAN without blocks. Values at several temperatures follow from the same energies:
 * neighbours are correlated. Values are those of clup_reweighting_at, derivatives those of
 * clup_reweighting_slope.
 *
 * Returns CLUP_ERROR_USAGE for a name that is neither one of clup_reweighting_name nor an
 * expression in such, for a derivative other than 0 and 1, for no temperatures, and for one that is
 * negative or not finite. */
CLUP_API clup_status clup_reweighting_covariance(const clup_reweighting *reweighting,
                                                 const char *name, unsigned derivative,
                                                 const double *betas, size_t count, double *values,
                                                 double *covariance);

/* A place in beta and the value there, with errors by the jackknife. It is searched where the
 * sampled energies cover beta (clup_coverage), those of both sizes where there are two: from and to
 * are the lowest and the highest such beta of the interval that was asked for, NAN where there is
 * none. */
typedef struct clup_place {
    int found; /* 0: beta, value and their errors are NAN */
    double beta, beta_error, value, value_error;
    double from, to;
    uint64_t reserved[2];
} clup_place;

/* The value of a curve at a temperature, and its derivative by beta. Errors are one standard
 * deviation. */
typedef struct clup_slope {
    double value, value_error, slope, slope_error;
    uint64_t reserved[4];
} clup_slope;

/* Computes the value and the slope of a curve at beta. name is that of an observable
 * (clup_reweighting_name), or an expression in these, beta, sites and L, as
 * clup_analysis_expression reads it.
 *
 * Of a mean <A> the slope is -(<A E> - <A><E>), E the energy of the whole system, with the weights
 * of clup_reweighting_at; of a function of means it follows from these. Errors are by the
 * jackknife, NAN without blocks. The value of a variance is without its bias, as in
 * clup_reweighting_at; slopes and expressions are as they are. Values are NAN where an expression
 * has none, slopes of what depends on active bonds at beta 0. Returns CLUP_ERROR_USAGE for a beta
 * that is negative or not finite, and for a name that is neither. */
CLUP_API clup_status clup_reweighting_slope(const clup_reweighting *reweighting, const char *name,
                                            double beta, clup_slope *slope);

/* Finds the highest value of a curve between two inverse temperatures. name is that of an
 * observable or an expression, see clup_reweighting_slope. The highest value is not found where it
 * lies at an end of the covered interval. The height of a variance (specific_heat,
 * susceptibility) is that without its bias, see clup_reweighting_at; its place is that of the curve
 * with the bias. */
CLUP_API clup_status clup_reweighting_peak(const clup_reweighting *reweighting, const char *name,
                                           double from, double to, clup_place *peak);

/* Finds where two sizes have the same value, as Binder's cumulant and xi/L have at a critical
 * point; of several such places, the one where the curves cross at the steepest. name is that of an
 * observable or an expression, see clup_reweighting_slope. */
CLUP_API clup_status clup_reweighting_crossing(const clup_reweighting *a, const clup_reweighting *b,
                                               const char *name, double from, double to,
                                               clup_place *crossing);

/* Computes value and slope of both curves at their crossing, which was found with the same name.
 * Errors contain that the crossing moves as its curves do. Returns CLUP_ERROR_USAGE for a crossing
 * that was not found. */
CLUP_API clup_status clup_reweighting_crossing_slopes(const clup_reweighting *a,
                                                      const clup_reweighting *b, const char *name,
                                                      const clup_place *crossing,
                                                      clup_slope slopes[2]);

/* ---- free energies --------------------------------------------------------------------------- */

/* Computes ln Z(to) - ln Z(from) of the whole system, from the free energies of the histograms.
 *
 *   difference, error  the error is one standard deviation, by the jackknife, NAN without blocks.
 *                      Each may be NULL
 *
 * Do not rely on it unless both temperatures are covered (clup_reweighting_at). Returns
 * CLUP_ERROR_USAGE for a beta that is negative or not finite. */
CLUP_API clup_status clup_reweighting_ln_z(const clup_reweighting *reweighting, double from,
                                           double to, double *difference, double *error);

/* Computes ln Z at beta 0, N ln q, where a series is of that temperature; by
 * clup_reweighting_ln_z from there it is known at all others. Returns CLUP_ERROR_USAGE where no
 * series is of beta 0; for spins that are vectors; and where vacant sites are drawn. */
CLUP_API clup_status clup_reweighting_ln_z_hot(const clup_reweighting *reweighting, double *ln_z);

/* ---- histograms ------------------------------------------------------------------------------ */

/* The distribution of an observable at any inverse temperature. */
typedef struct clup_histogram clup_histogram;

/* Makes a histogram of the records of a reweighting, which must be those that it was made of and
 * are not needed afterwards. The reweighting must be valid as long as the histogram. Release *out
 * by clup_histogram_free.
 *
 *   name  "energy", or another observable that depends on the spins of one moment alone and has a
 *         series in all records, such as "abs_m", and "m" in a field
 *   bins  the most bins; 0 for 64. They are equally wide, and where values have a spacing, as those
 *         of the energy have, there are equally many in each bin
 *
 * Returns CLUP_ERROR_USAGE for another name (the detail has those that there are), and for other
 * records. */
CLUP_API clup_status clup_histogram_create(const clup_reweighting *reweighting,
                                           const clup_record *const *records, size_t count,
                                           const char *name, uint32_t bins, clup_histogram **out);
CLUP_API void clup_histogram_free(clup_histogram *histogram);

/* Returns the number of bins, 0 for NULL, and sets *low and *width unless they are NULL: bin k,
 * from 0 on, begins at low + k width. The width is 0 where all values are equal. */
CLUP_API uint32_t clup_histogram_bins(const clup_histogram *histogram, double *low, double *width);

/* Computes the share of each bin at beta.
 *
 *   shares, errors  [clup_histogram_bins]. The sum of the shares is 1; an error is one standard
 *                   deviation, by the jackknife, NAN without blocks. Each may be NULL
 *
 * Returns CLUP_ERROR_USAGE for a beta that is negative or not finite. */
CLUP_API clup_status clup_histogram_at(const clup_histogram *histogram, double beta, double *shares,
                                       double *errors);

/* The two phases of a transition of first order: two peaks of the histogram of the energy. Energies
 * are those of a site; [0] is the phase of lower energy. Errors are by the jackknife. */
#define CLUP_DOUBLE_PEAK_LEAST 3
typedef struct clup_double_peak {
    int found;                               /* 0: all but from and to is NAN */
    double equal_weight, equal_weight_error; /* beta where both phases have the same weight; they
                                                part at the valley */
    double energies[2], energy_errors[2];    /* the mean of each phase there */
    double latent, latent_error;             /* latent heat: their difference */
    double equal_height, equal_height_error; /* beta where both peaks are of the same height */
    double peaks[2], valley;                 /* energies of the peaks and of the valley there */
    double depth, depth_error;               /* ln(P of a peak/P of the valley) there */
    double tension, tension_error; /* of an interface, in units of k_B T: depth/(2 L^(d - 1)), where
                                      L^(d - 1) is N/L, L the longest axis (K. Binder, Phys. Rev. A
                                      25, 1699 (1982)); NAN without axes */
    double from, to;               /* see clup_place */
    uint64_t reserved[4];
} clup_double_peak;

/* Finds two peaks of the energy between two inverse temperatures, where the sampled energies cover
 * beta. They are found where the valley between them is deeper than CLUP_DOUBLE_PEAK_LEAST of its
 * errors and was sampled. Returns CLUP_ERROR_USAGE for an interval that is none and for a histogram
 * of something else than the energy. */
CLUP_API clup_status clup_histogram_double_peak(const clup_histogram *histogram, double from,
                                                double to, clup_double_peak *peak);

#ifdef __cplusplus
}
#endif

#endif
