/* SPDX-License-Identifier: BSD-3-Clause */
/* Expressions in the means of series: their values, errors against the spread of many seeds, and
 * what is refused. */
#include <math.h>
#include <string.h>

#include "clup.h"
#include "noise.h"
#include "tap.h"

#define LONG 2000u

/* A record with series a and b, and m2, m4 and abs_m of the same. */
static clup_record *record_of(const double *a, const double *b, uint64_t count)
{
    const clup_problem problem = {.size = {6, 4}, .periodic = {1, 1}, .q = 2, .beta = 0.5};
    clup_record *record;
    NEED(clup_record_create(&problem, &record));
    NEED(clup_record_set_series(record, 0, "m2", a, count));
    NEED(clup_record_set_series(record, 0, "m4", b, count));
    return record;
}

/* ---- values ---------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    double value; /* m2 = 3, m4 = 5, beta = 0.5, 24 sites */
} values[] = {
    {"m2", 3},
    {" m2 + m4 ", 8},
    {"m2 - m4 - 1", -3},
    {"m2-(m4-1)", -1},
    {"m4/m2/2", 5. / 6},
    {"m4*m2^2", 45},
    {"-m2^2", -9},
    {"(-m2)^2", 9},
    {"2^m2^2", 512},
    {"2^-m2", 0.125},
    {"1 - m4/(3*m2^2)", 1 - 5. / 27},
    {"- -+m2", 3},
    {"sqrt(m2*m2+4*4)", 5},
    {"log(exp(m2))", 3},
    {"abs(m2-m4)", 2},
    {"beta*sites*m2", 36},
    {"m2*L^2", 108},
    {"binder", 1 - 5. / 27},
    {"(1 - binder)*3*m2^2 - m4", 0},
    {"1.5e1*m2+.5", 45.5},
};

static void check_values(void)
{
    double a[LONG], b[LONG];
    for (u32 k = 0; k < LONG; k++) {
        a[k] = 3;
        b[k] = 5;
    }
    clup_record *record = record_of(a, b, LONG);
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        clup_analysis analysis;
        NEED(clup_analysis_expression(record, 0, values[k].text, &analysis));
        ok(fabs(analysis.mean - values[k].value) < 1e-12 && analysis.error == 0 &&
               analysis.bias == 0 && analysis.count == LONG,
           "%s is %g, %g wanted", values[k].text, analysis.mean, values[k].value);
    }
    clup_record_free(record);
}

/* ---- refused --------------------------------------------------------------------------------- */

static const struct {
    const char *text, *why;
} refused[] = {
    {"", "at the end"},
    {"m2 +", "at the end"},
    {"m2 m4", "goes on before 'm4'"},
    {"(m2", "lacks a )"},
    {"sqrt(m2", "lacks a )"},
    {"m2)", "goes on before ')'"},
    {"m3", "no series of before 'm3'"},
    {"l*m2", "no series of before 'l*m2'"},
    {"xi/L + m2", "no series of before 'xi/L"},
    {"sin(m2)", "a function other than"},
    {"2*beta", "no name of a series"},
    {"m2 % 2", "goes on before '% 2'"},
    {"1e999*m2", "no number"},
    {"log(m2-4)", "no value at the means"},
    {"m2/(m4-5)", "no value at the means"},
};

static void check_refused(void)
{
    double a[4] = {3, 3, 3, 3}, b[4] = {5, 5, 5, 5};
    char deep[400] = "", wide[1000] = "m2";
    clup_record *record = record_of(a, b, 4);
    clup_analysis analysis;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        const clup_status status = clup_analysis_expression(record, 0, refused[k].text, &analysis);
        ok(status == CLUP_ERROR_USAGE && strstr(clup_error_detail(), refused[k].why) != NULL,
           "'%s': %s", refused[k].text, clup_error_detail());
    }
    memset(deep, '(', 100);
    ok(clup_analysis_expression(record, 0, deep, &analysis) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "too deeply") != NULL,
       "100 parentheses: %s", clup_error_detail());
    for (unsigned k = 0; k < 200; k++)
        strcat(wide, "+m2");
    ok(clup_analysis_expression(record, 0, wide, &analysis) == CLUP_ERROR_USAGE &&
           strstr(clup_error_detail(), "too long") != NULL,
       "200 sums: %s", clup_error_detail());
    clup_record_free(record);
}

/* ---- errors ---------------------------------------------------------------------------------- */

/* Correlated series whose means are 2 and 3: the noise of b is partly that of a. */
static void fill(double *a, double *b, u32 seed)
{
    double x = 0, y = 0;
    for (u32 k = 0; k < LONG + 100; k++) {
        const double noise = gauss(2 * k, seed);
        x = 0.7 * x + noise;
        y = 0.5 * y + 0.6 * noise + gauss(2 * k + 1, seed);
        if (k >= 100) {
            a[k - 100] = 2 + 0.2 * x;
            b[k - 100] = 3 + 0.2 * y;
        }
    }
}

/* Of 1000 seeds 95 % have the value of the true means within two errors, and errors are the spread
 * of values. */
static void check_errors(const char *text, double truth)
{
    enum { SEEDS = 1000 };
    double spread = 0, errors = 0, blocks = 0;
    unsigned inside = 0;
    for (u32 seed = 0; seed < SEEDS; seed++) {
        double a[LONG], b[LONG];
        clup_analysis analysis;
        fill(a, b, seed);
        clup_record *record = record_of(a, b, LONG);
        NEED(clup_analysis_expression(record, 0, text, &analysis));
        clup_record_free(record);
        inside += fabs(analysis.mean - truth) < 2 * analysis.error;
        spread += (analysis.mean - truth) * (analysis.mean - truth) / SEEDS;
        errors += analysis.error / SEEDS;
        blocks += analysis.jackknife_error / SEEDS;
    }
    spread = sqrt(spread);
    ok(fabs(100. * inside / SEEDS - 95) < 2, "%s: %.1f %% of 1000 seeds are within 2 errors", text,
       100. * inside / SEEDS);
    ok(fabs(errors / spread - 1) < 0.08 && fabs(blocks / spread - 1) < 0.08,
       "its error is %.3g by tau_int and %.3g by blocks, and the spread %.3g", errors, blocks,
       spread);
}

/* An expression that is a function of means has its value, error and tau_int. */
static void check_binder(void)
{
    double a[LONG], b[LONG], squares[LONG];
    clup_analysis own, known;
    for (u32 k = 0; k < LONG; k++) {
        a[k] = gauss(k, 5);
        a[k] *= a[k];
        b[k] = a[k] * a[k];
        squares[k] = sqrt(a[k]);
    }
    clup_record *record = record_of(a, b, LONG);
    NEED(clup_record_set_series(record, 0, "abs_m", squares, LONG));
    NEED(clup_analysis_expression(record, 0, "1 - m4/(3*m2^2)", &own));
    NEED(clup_analysis_observable(record, 0, "binder", &known));
    ok(fabs(own.mean - known.mean) < 1e-12 && fabs(own.error / known.error - 1) < 1e-6 &&
           fabs(own.tau_int / known.tau_int - 1) < 1e-6 &&
           fabs(own.jackknife_error / known.jackknife_error - 1) < 1e-6 &&
           fabs(own.low - known.low) < 1e-9 && fabs(own.high - known.high) < 1e-9,
       "Binder's cumulant %.6f(%.6f) is that of the function of means, %.6f(%.6f)", own.mean,
       own.error, known.mean, known.error);
    clup_record_free(record);
}

int main(void)
{
    check_values();
    check_refused();
    check_binder();
    check_errors("m2*m4", 6);
    check_errors("m4/m2^2", 0.75);
    check_errors("log(m4 - m2)", 0);
    return done_testing();
}
