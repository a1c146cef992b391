/* What clup bench compares with and makes reports of: fits against the laws that
 * their points were made by. */
#include <math.h>
#include <stdlib.h>

#include "bench/fit.h"
#include "bench/result.h"
#include "tap.h"

/* ---- fits ------------------------------------------------------------------------------------ */

/* About normal, of variance 1, by twelve numbers. */
static double normal(void)
{
    static uint64_t state = 1;
    double sum = -6;
    for (int k = 0; k < 12; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(state >> 32) / 4294967296.0;
    }
    return sum;
}

static int within(const bench_fit *fit, double a, double b, double times)
{
    return fabs(fit->value[0] - a) <= times * fit->error[0] &&
           fabs(fit->value[1] - b) <= times * fit->error[1];
}

static int about(const bench_fit *fit, double a, double b)
{
    return fabs(fit->value[0] / a - 1) < 1e-10 && fabs(fit->value[1] / b - 1) < 1e-10;
}

static void check_fits(void)
{
    enum { POINTS = 10, TRIALS = 2000 };
    double x[POINTS], b[POINTS], y[POINTS], seams[POINTS], errors[POINTS], zeros[POINTS] = {0};
    bench_fit fit, other;
    for (int k = 0; k < POINTS; k++) {
        x[k] = 16 << k;
        b[k] = k % 3 == 0 ? 8 : k % 3 == 1 ? 16 : 32;
        y[k] = 0.37 * pow(x[k], 1.08);
        seams[k] = 700 / x[k] + 20 / b[k];
        errors[k] = k % 2 ? 0.01 : 0.05;
    }
    NEED(bench_fit_power(x, y, NULL, POINTS, &fit));
    ok(about(&fit, 0.37, 1.08) && fit.rms < 1e-10 && fit.error[1] < 1e-10 && fit.points == POINTS,
       "a power law is found: %g x^%g", fit.value[0], fit.value[1]);
    NEED(bench_fit_power(x, y, errors, POINTS, &fit));
    ok(about(&fit, 0.37, 1.08) && fit.error[1] > 1e-4, "also with errors, which count: %g",
       fit.error[1]);
    NEED(bench_fit_power_fixed(x, y, NULL, POINTS, 1.08, &fit));
    ok(about(&fit, 0.37, 1.08) && fit.error[1] == 0, "and with a fixed exponent: %g", fit.value[0]);
    NEED(bench_fit_seams(x, b, seams, POINTS, &fit));
    ok(about(&fit, 700, 20) && fit.rms < 1e-10, "seams are found: %g/L + %g/B", fit.value[0],
       fit.value[1]);
    NEED(bench_fit_power(x, y, NULL, 2, &fit));
    ok(about(&fit, 0.37, 1.08) && isnan(fit.error[0]) && isnan(fit.error[1]),
       "two points have no errors");

    /* normal noise is within one error in 68 % of the trials */
    int inside[4][2] = {{0}}, weighs = 0;
    double rms = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        double noisy[POINTS], even[POINTS], noisy_seams[POINTS];
        for (int k = 0; k < POINTS; k++) {
            const double noise = normal();
            noisy[k] = y[k] * exp(errors[k] * noise);
            even[k] = y[k] * exp(0.02 * noise);
            noisy_seams[k] = seams[k] * (1 + 0.02 * noise);
        }
        NEED(bench_fit_power(x, noisy, errors, POINTS, &fit));
        NEED(bench_fit_power(x, noisy, NULL, POINTS, &other));
        for (int k = 0; k < 2; k++)
            inside[0][k] += fabs(fit.value[k] - (k ? 1.08 : 0.37)) < fit.error[k];
        weighs += fabs(fit.value[1] - 1.08) < fabs(other.value[1] - 1.08);
        NEED(bench_fit_power(x, even, NULL, POINTS, &fit));
        for (int k = 0; k < 2; k++)
            inside[1][k] += fabs(fit.value[k] - (k ? 1.08 : 0.37)) < fit.error[k];
        rms += fit.rms / TRIALS;
        NEED(bench_fit_power_fixed(x, even, NULL, POINTS, 1.08, &fit));
        inside[2][0] += fabs(fit.value[0] - 0.37) < fit.error[0];
        NEED(bench_fit_seams(x, b, noisy_seams, POINTS, &fit));
        for (int k = 0; k < 2; k++)
            inside[3][k] += fabs(fit.value[k] - (k ? 20 : 700)) < fit.error[k];
        if (trial == 0)
            ok(within(&fit, 700, 20, 5), "noise leaves the seams within errors");
    }
    for (int k = 0; k < 4; k++)
        for (int p = 0; p < (k == 2 ? 1 : 2); p++) {
            const double part = (double)inside[k][p] / TRIALS;
            /* errors that are never below the given ones hold more */
            ok(part > 0.6 && part < (k == 0 ? 0.85 : 0.72),
               "fit %d, parameter %d: within one error in %.3f of the trials", k, p, part);
        }
    ok(weighs > TRIALS * 0.6, "points with small errors weigh more: better in %d of %d", weighs,
       TRIALS);
    ok(fabs(rms / (0.02 * sqrt(0.8)) - 1) < 0.05, "the deviation is the noise's: %.4f", rms);

    NEED(bench_fit_power(x, seams, zeros, POINTS, &fit));
    NEED(bench_fit_power(x, seams, NULL, POINTS, &other));
    ok(fit.value[1] == other.value[1] && fit.error[1] == other.error[1],
       "errors of zero are as none");
    const double same[2] = {3, 3};
    ok(bench_fit_power(x, y, NULL, 1, &fit) == CLUP_ERROR_USAGE, "one point: %s", bench_detail());
    ok(bench_fit_power(same, y, NULL, 2, &fit) == CLUP_ERROR_USAGE, "one x: %s", bench_detail());
    ok(bench_fit_power(x, zeros, NULL, 3, &fit) == CLUP_ERROR_USAGE, "y is 0: %s", bench_detail());
    ok(bench_fit_power_fixed(x, y, NULL, 1, 1.08, &fit) == CLUP_OK && isnan(fit.error[0]) &&
           fabs(fit.value[0] - 0.37) < 1e-10 &&
           bench_fit_power_fixed(x, y, NULL, 0, 1.08, &fit) == CLUP_ERROR_USAGE,
       "a fixed exponent needs one: %s", bench_detail());
    ok(bench_fit_seams(x, x, seams, POINTS, &fit) == CLUP_ERROR_USAGE, "one L/B: %s",
       bench_detail());
    ok(bench_fit_seams(x, zeros, seams, POINTS, &fit) == CLUP_ERROR_USAGE, "B is 0: %s",
       bench_detail());
}

int main(void)
{
    check_fits();
    return done_testing();
}
