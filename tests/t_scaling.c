/* SPDX-License-Identifier: BSD-3-Clause */
/* Finite-size scaling: fits of values that follow a known scaling function exactly; how often the
 * intervals of fits contain the true exponents, with errors that are independent and with a known
 * covariance, and with a covariance that blocks estimate; and what is refused. */
#include <math.h>
#include <string.h>

#include "clup.h"
#include "estimate/distributions.h"
#include "estimate/linear.h"
#include "noise.h"
#include "tap.h"

/* ---- linear algebra -------------------------------------------------------------------------- */

static void check_linear(void)
{
    /* y = 1 + 2 x, of which one value is off by 3: numpy.linalg.lstsq and inv */
    double a[] = {1, 0, 1, 1, 1, 2, 1, 3}, b[] = {1, 3, 8, 7}, x[2], scales[2], covariance[4];
    const int solved = clup_least_squares(a, b, 4, 2, x, scales);
    ok(solved && fabs(x[0] - 1.3) < 1e-13 && fabs(x[1] - 2.3) < 1e-13,
       "least squares: %.15g + %.15g x", x[0], x[1]);
    clup_least_covariance(a, 2, scales, covariance);
    ok(fabs(covariance[0] - 0.7) < 1e-13 && fabs(covariance[1] + 0.3) < 1e-13 &&
           fabs(covariance[2] + 0.3) < 1e-13 && fabs(covariance[3] - 0.2) < 1e-13,
       "and the covariance of its parameters");
    double same[] = {1, 2, 2, 4, 3, 6}, right[] = {1, 1, 1};
    ok(!clup_least_squares(same, right, 3, 2, x, scales), "a column that is twice another is seen");
    double matrix[] = {2, 1, 0, 1, 2, 1, 0, 1, 2}, values[3], vectors[9];
    clup_eigen(matrix, 3, values, vectors);
    ok(fabs(values[0] - 2 - sqrt(2)) < 1e-13 && fabs(values[1] - 2) < 1e-13 &&
           fabs(values[2] - 2 + sqrt(2)) < 1e-13 && fabs(fabs(vectors[1]) - sqrt(0.5)) < 1e-13 &&
           fabs(vectors[4]) < 1e-13,
       "eigenvalues and eigenvectors");
    /* scipy.stats.chi2.sf */
    ok(fabs(clup_chi2_above(3, 2) - exp(-1.5)) < 1e-14 &&
           fabs(clup_chi2_above(30, 20) - 0.06985366069940986) < 1e-12 &&
           fabs(clup_chi2_above(15, 20) - 0.7764076130197146) < 1e-12 &&
           clup_chi2_above(0, 3) == 1 && isnan(clup_chi2_above(1, 0)),
       "probabilities of chi^2");
}

/* ---- values with a known scaling function ---------------------------------------------------- */

#define X_C 0.44
#define NU 0.8
#define KAPPA 1.75
#define OMEGA 1.25
enum { SIZES = 5, PLACES = 7 };
static const double lengths[SIZES] = {8, 12, 16, 24, 32};

/* A cubic polynomial, with corrections. */
static double exact(double length, double x, double kappa, double correction)
{
    const double z = (x - X_C) * pow(length, 1 / NU);
    return pow(length, kappa) * (1 + 0.7 * z + 0.2 * z * z - 0.05 * z * z * z +
                                 correction * pow(length, -OMEGA) * (1 + 0.3 * z));
}

static double place(double length, unsigned k)
{
    return X_C + (k / (PLACES - 1.) - 0.45) * 2 * pow(length, -1 / NU);
}

/* The correlation of the errors of two places. */
static double correlation(unsigned i, unsigned j)
{
    return exp(-fabs((double)i - j) / 3);
}

typedef struct kind {
    const char *name;
    double kappa, correction, error; /* error: relative to L^kappa */
    unsigned fitted, corrections;
    enum { INDEPENDENT, KNOWN, BLOCKS } errors;
    unsigned terms;
} kind;

#define BIT(NAME) (1u << CLUP_SCALING_##NAME)
static const kind kinds[] = {
    {"x_c and nu", 0, 0, 1e-2, BIT(X_C) | BIT(NU), 0, INDEPENDENT, 4},
    {"x_c and nu of correlated values", 0, 0, 1e-2, BIT(X_C) | BIT(NU), 0, KNOWN, 4},
    {"x_c, nu and kappa", KAPPA, 0, 1e-2, BIT(X_C) | BIT(NU) | BIT(KAPPA), 0, KNOWN, 4},
    {"x_c, nu and kappa with corrections", KAPPA, 0.5, 1e-3, BIT(X_C) | BIT(NU) | BIT(KAPPA), 2,
     INDEPENDENT, 4},
    {"x_c and nu, the covariance by blocks", 0, 0, 1e-2, BIT(X_C) | BIT(NU), 0, BLOCKS, 4},
};

/* Errors with the covariance of kind, of variance 1, of one seed: a chain with the correlation. */
static void draw(const kind *kind, u32 first, u32 seed, double errors[PLACES])
{
    const double r = correlation(0, 1);
    for (u32 k = 0; k < PLACES; k++) {
        const double noise = gauss(first + k, seed);
        errors[k] = kind->errors == INDEPENDENT || k == 0
                        ? noise
                        : r * errors[k - 1] + sqrt(1 - r * r) * noise;
    }
}

/* Adds the values of a size. errors are 0 for exact values. */
static void add(clup_scaling *scaling, const kind *kind, unsigned size, u32 seed, int noisy)
{
    enum { COUNT = 64 };
    const double length = lengths[size], error = kind->error * pow(length, kind->kappa);
    double x[PLACES], values[PLACES], covariance[PLACES * PLACES] = {0};
    static double blocks[COUNT][PLACES];
    double mean[PLACES] = {0};
    for (u32 b = 0; b < COUNT; b++) {
        draw(kind, (size * COUNT + b) * PLACES, seed, blocks[b]);
        for (unsigned k = 0; k < PLACES; k++)
            mean[k] += blocks[b][k] / COUNT;
    }
    for (unsigned k = 0; k < PLACES; k++) {
        x[k] = place(length, k);
        values[k] = exact(length, x[k], kind->kappa, kind->correction) +
                    (noisy ? error * sqrt(COUNT) * mean[k] : 0);
        for (unsigned j = 0; j < PLACES; j++)
            covariance[k * PLACES + j] = error * error * correlation(k, j);
    }
    if (kind->errors == INDEPENDENT) {
        for (unsigned k = 0; k < PLACES; k++)
            NEED(clup_scaling_add(scaling, length, &x[k], &values[k], &covariance[k * PLACES + k],
                                  1, 0));
        return;
    }
    for (unsigned k = 0; k < PLACES * PLACES && kind->errors == BLOCKS; k++) {
        covariance[k] = 0;
        for (unsigned b = 0; b < COUNT; b++)
            covariance[k] += error * error * (blocks[b][k / PLACES] - mean[k / PLACES]) *
                             (blocks[b][k % PLACES] - mean[k % PLACES]) / (COUNT - 1);
    }
    NEED(clup_scaling_add(scaling, length, x, values, covariance, PLACES,
                          kind->errors == BLOCKS ? COUNT : 0));
}

static clup_scaling *values_of(const kind *kind, u32 seed, int noisy)
{
    clup_scaling *scaling;
    NEED(clup_scaling_create(&scaling));
    /* in an order that is none */
    for (unsigned k = 0; k < SIZES; k++)
        add(scaling, kind, (3 * k + 2) % SIZES, seed, noisy);
    return scaling;
}

static clup_scaling_model model_of(const kind *kind)
{
    clup_scaling_model model = {.fitted = kind->fitted,
                                .values = {NAN, NAN, kind->kappa, OMEGA},
                                .terms = kind->terms,
                                .corrections = kind->corrections};
    if (kind->fitted & BIT(KAPPA))
        model.values[CLUP_SCALING_KAPPA] = NAN;
    return model;
}

static void check_exact(void)
{
    static const double truth[] = {X_C, NU, KAPPA, OMEGA};
    kind kind = kinds[3];
    kind.fitted |= BIT(OMEGA);
    clup_scaling *scaling = values_of(&kind, 0, 0);
    clup_scaling_model model = model_of(&kind);
    clup_scaling_result result;
    double off = 0;
    size_t values, kept;
    model.values[CLUP_SCALING_OMEGA] = NAN;
    NEED(clup_scaling_fit(scaling, &model, &result));
    for (unsigned p = 0; p < CLUP_SCALING_PARAMETERS; p++)
        off = fmax(off, fabs(result.values[p] - truth[p]));
    ok(off < 1e-5 && result.chi2 < 1e-9 && result.freedom == 25 && result.sizes == 5 &&
           result.points == 35 && result.probability > 0.999999,
       "all four parameters of exact values, without a value to begin at: off by %.1e", off);
    ok(fabs(result.a[1] - 0.7) < 1e-4 && fabs(result.b[0] - 0.5) < 1e-4 && result.a_errors[1] > 0 &&
           result.a[4] == 0,
       "and their terms");
    ok(fabs(clup_scaling_value(&result, 20, 0.45) / exact(20, 0.45, KAPPA, 0.5) - 1) < 1e-6 &&
           isnan(clup_scaling_value(NULL, 20, 0.45)),
       "which give a value at a size between");
    ok(clup_scaling_length(scaling, 1, &values, &kept) == 12 && values == 7 && kept == 7 &&
           clup_scaling_length(scaling, 4, NULL, NULL) == 32 &&
           clup_scaling_length(scaling, 5, &values, &kept) == 0 && values == 0 && kept == 0 &&
           clup_scaling_length(NULL, 0, NULL, NULL) == 0,
       "lengths in their order");
    model.least = 12;
    NEED(clup_scaling_fit(scaling, &model, &result));
    ok(result.sizes == 4 && result.points == 28, "the smallest size is left out");
    clup_scaling_free(scaling);
}

/* Magnetisations at the critical point of the cubic lattice. chi2 has a second minimum, where the
 * first term is what the correction should be. */
static void check_roles(void)
{
    static const double sizes[] = {8, 12, 16, 32, 64},
                        values[] = {0.3748, 0.3054, 0.2645, 0.1860, 0.13054},
                        errors[] = {5e-4, 5e-4, 4e-4, 4e-4, 2.9e-4};
    const clup_scaling_model model = {
        .fitted = BIT(KAPPA), .values = {0, 1, NAN, 0.83}, .terms = 1, .corrections = 1};
    clup_scaling *scaling;
    clup_scaling_result result;
    const double x = 0;
    NEED(clup_scaling_create(&scaling));
    for (unsigned k = 0; k < 5; k++) {
        const double variance = errors[k] * errors[k];
        NEED(clup_scaling_add(scaling, sizes[k], &x, &values[k], &variance, 1, 0));
    }
    NEED(clup_scaling_fit(scaling, &model, &result));
    ok(fabs(fabs(result.values[CLUP_SCALING_KAPPA]) - 0.517) < 0.01,
       "a correction is less than what it corrects: the exponent is %.3f",
       result.values[CLUP_SCALING_KAPPA]);
    clup_scaling_free(scaling);
}

/* Errors are those of the spread: 1000 seeds. chi2 has its mean, and probabilities are uniform. */
static void check_coverage(const kind *kind)
{
    enum { SEEDS = 1000 };
    static const double truth[] = {X_C, NU};
    const double start[] = {X_C + 0.01, NU + 0.1, kind->kappa};
    unsigned inside[2] = {0}, failed = 0, unlikely = 0;
    double chi2 = 0, squares[2] = {0};
    clup_scaling_result result;
    for (u32 seed = 0; seed < SEEDS; seed++) {
        clup_scaling *scaling = values_of(kind, seed, 1);
        clup_scaling_model model = model_of(kind);
        /* the search takes most of the time; it is made for every tenth seed */
        for (unsigned p = 0; p <= CLUP_SCALING_KAPPA && seed % 10 > 0; p++)
            model.values[p] = start[p];
        if (clup_scaling_fit(scaling, &model, &result) != CLUP_OK) {
            failed++;
        } else {
            for (unsigned p = 0; p < 2; p++) {
                const double off = (result.values[p] - truth[p]) / result.errors[p];
                inside[p] += fabs(off) < 1.959964;
                squares[p] += off * off / SEEDS;
            }
            chi2 += result.chi2 / SEEDS;
            unlikely += result.probability < 0.05;
        }
        clup_scaling_free(scaling);
    }
    const double freedom = result.freedom;
    ok(failed == 0 && inside[0] > 930 && inside[0] < 970 && inside[1] > 930 && inside[1] < 970,
       "%s: within 95 %% x_c of %.1f %%, nu of %.1f %% of seeds; spread over error %.3f, %.3f; "
       "error of nu %.1e",
       kind->name, inside[0] / 10., inside[1] / 10., sqrt(squares[0]), sqrt(squares[1]),
       result.errors[1]);
    const double spread = sqrt((squares[0] + squares[1]) / 2);
    ok(fabs(spread - 1) < 0.04, "errors are those of the spread of both: %.3f", spread);
    const double room = kind->errors == BLOCKS ? 2 : 1;
    ok(fabs(chi2 / freedom - 1) < room * 0.03 && unlikely > 25 && unlikely < 80 * room,
       "chi2 is %.3f of its %g degrees of freedom; its probability is below 5 %% for %.1f %%",
       chi2 / freedom, freedom, unlikely / 10.);
}

/* ---- collapse -------------------------------------------------------------------------------- */

/* Values of three sizes, and their S as fssa.quality of fssa 0.7.6 (PyPI) computes it for rho_c, nu
 * and zeta = kappa nu. */
static void check_quality(void)
{
    static const double values[3][7] = {{0.427, 0.533, 0.6477, 0.7728, 0.8913, 1.0124, 1.1122},
                                        {0.1835, 0.3055, 0.4899, 0.706, 0.9266, 1.1065, 1.2329},
                                        {0.0312, 0.0892, 0.2858, 0.645, 1.0178, 1.2011, 1.2718}};
    static const struct {
        double parameters[4], quality;
    } known[] = {{{0.44, 1, -0.125}, 2.5518037637127935},
                 {{0.45, 1, -0.125}, 202.37226314772968},
                 {{0.44, 1.3, -0.125 / 1.3}, 46.60893994895846},
                 {{0.43, 0.8, 0.125}, 1600.3589488203218}};
    clup_scaling *scaling;
    NEED(clup_scaling_create(&scaling));
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 7; k-- > 0;) {
            const double x = 0.38 + 0.02 * k, variance = pow(0.004 + 0.0005 * k, 2);
            NEED(clup_scaling_add(scaling, 8 << i, &x, &values[i][k], &variance, 1, 0));
        }
    for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
        double quality;
        size_t points;
        NEED(clup_scaling_quality(scaling, known[k].parameters, 0, &quality, &points));
        ok(fabs(quality / known[k].quality - 1) < 1e-9,
           "S of x_c %g, nu %g, kappa %.4f is that of fssa: %.10g of %zu values",
           known[k].parameters[0], known[k].parameters[1], known[k].parameters[2], quality, points);
    }
    double without;
    size_t points;
    NEED(clup_scaling_quality(scaling, known[0].parameters, 10, &without, &points));
    ok(points < 14 && without != known[0].quality, "of two sizes it is another, %.4g", without);
    const double far[] = {0.44, 0.05, 0, 0};
    NEED(clup_scaling_quality(scaling, far, 0, &without, NULL));
    ok(without > 0, "with any nu above 0 it has a value");
    clup_scaling_free(scaling);
}

/* The best collapse of many seeds: near the truth, within errors that are those of S + 1. */
static void check_collapse(void)
{
    enum { SEEDS = 20 };
    const kind kind = {
        .kappa = -0.125, .error = 1e-2, .fitted = BIT(X_C) | BIT(NU) | BIT(KAPPA), .terms = 4};
    static const double truth[] = {X_C, NU, -0.125};
    unsigned inside = 0, edges = 0;
    double best = 0, off = 0;
    clup_scaling_result result;
    for (u32 seed = 0; seed < SEEDS; seed++) {
        clup_scaling *scaling = values_of(&kind, seed, 1);
        clup_scaling_model model = model_of(&kind);
        NEED(clup_scaling_collapse(scaling, &model, &result));
        best += result.quality / SEEDS;
        for (unsigned p = 0; p < 3; p++) {
            double at[4], quality;
            memcpy(at, result.values, sizeof at);
            inside += result.low[p] < truth[p] && truth[p] < result.high[p];
            off += fabs(result.values[p] - truth[p]) / result.errors[p] / SEEDS / 3;
            /* with the others where they are, S is larger still */
            at[p] = result.high[p];
            NEED(clup_scaling_quality(scaling, at, 0, &quality, NULL));
            edges += quality >= (result.quality + 1) * (1 - 1e-3);
        }
        clup_scaling_free(scaling);
    }
    ok(best > 0.5 && best < 1.2, "the best S is %.3f in the mean", best);
    ok(inside == 3 * SEEDS && off > 0.02 && off < 0.3,
       "all parameters within their errors, by S + 1: off by %.2f of them", off);
    ok(edges == 3 * SEEDS, "at their ends S is larger by 1 or more");
    ok(isnan(result.chi2) && result.sizes == SIZES && result.points > 25 && result.points < 35,
       "it compares %zu values", result.points);
}

int main(void)
{
    check_linear();
    check_exact();
    check_roles();
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++)
        check_coverage(&kinds[k]);
    check_quality();
    check_collapse();
    return done_testing();
}
