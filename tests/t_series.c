/* Error analysis against series whose autocorrelation is known. */
#include <math.h>
#include <stdlib.h>

#include "observe/estimate.h"
#include "observe/series.h"
#include "random.clh"
#include "tap.h"

#define COUNT 200000

static double gauss(u32 n)
{
    philox_block block = {{n, 0, 0, 0}};
    block = philox(block, 5, 6);
    return sqrt(-2 * log((block.v[0] + 0.5) / 4294967296.0)) * cos(2 * M_PI * block.v[1] / 4294967296.0);
}

/* x' = a x + noise: rho(t) = a^t, so tau_int = 1/2 + a/(1 - a), and unit variance. */
static void fill(double *values, double a)
{
    double x = gauss(0);
    for (u32 k = 0; k < COUNT; k++)
        values[k] = x = a * x + sqrt(1 - a * a) * gauss(k + 1);
}

int main(void)
{
    static double values[COUNT];
    static const double as[] = {0, 0.5, 0.9, 0.97};
    for (size_t n = 0; n < sizeof as / sizeof *as; n++) {
        double exact = 0.5 + as[n] / (1 - as[n]);
        fill(values, as[n]);
        double tau = clup_series_tau(values, COUNT), error = exact * sqrt(4 * (6 * exact + 1) / COUNT);
        ok(fabs(tau - exact) < 4 * error + 0.01 * exact, "tau_int of AR(1), a = %g: %.3f, exact %.3f", as[n], tau, exact);
        clup_history history = {0};
        for (size_t k = 0; k < COUNT; k++)
            clup_history_add(&history, (const double[CLUP_COLUMNS]){values[k], values[k], 0.25, 0.5, NAN});
        clup_estimate estimates[CLUP_OBSERVABLES];
        ok(clup_history_estimate(&history, 2, 100, estimates) == CLUP_OK, "estimates are made");
        double expected = sqrt(2 * exact / COUNT);
        ok(fabs(estimates[CLUP_ENERGY].error / expected - 1) < 0.15, "error of the mean %.2e, expected %.2e", estimates[CLUP_ENERGY].error, expected);
        ok(fabs(estimates[CLUP_ENERGY].mean) < 4 * expected, "mean within 4 sigma of 0");
        /* beta^2 N var(e) = 400; the variance of a sample variance of AR(1) is 2 (1 + a^2)/(1 - a^2)/n */
        double sigma = 400 * sqrt(2 * (1 + as[n] * as[n]) / (1 - as[n] * as[n]) / COUNT);
        ok(fabs(estimates[CLUP_SPECIFIC_HEAT].mean - 400) < 4 * sigma, "specific heat %.2f within 4 sigma of 400", estimates[CLUP_SPECIFIC_HEAT].mean);
        ok(fabs(estimates[CLUP_SPECIFIC_HEAT].error / sigma - 1) < 0.2, "its jackknife error %.3f, expected %.3f", estimates[CLUP_SPECIFIC_HEAT].error, sigma);
        ok(estimates[CLUP_CLUSTERS].mean == 0.25 && estimates[CLUP_CLUSTERS].error == 0, "a constant has no error");
        clup_history_clear(&history);
    }
    for (size_t k = 0; k < COUNT; k++)
        values[k] = -1.7071067811865476;
    ok(clup_series_tau(values, COUNT) == 0.5, "a constant series has tau_int 1/2");
    ok(isnan(clup_series_tau(values, 3)), "three values have none");
    double bins[3], seven[7] = {100, 1, 2, 3, 4, 5, 6};
    clup_series_bin(seven, 7, 2, bins);
    ok(bins[0] == 1.5 && bins[1] == 3.5 && bins[2] == 5.5, "bins leave out the front");
    clup_history empty = {0};
    clup_estimate estimates[CLUP_OBSERVABLES];
    ok(clup_history_estimate(&empty, 1, 1, estimates) == CLUP_ERROR_USAGE, "nothing measured is an error");
    return done_testing();
}
