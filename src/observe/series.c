/* Error analysis of a time series. */
#include "observe/series.h"

#include <math.h>

/* Fewer values give no error. */
#define COUNT_LEAST 4

/* Where neighbours are so anticorrelated that their sum says less, as with no reversible chain. */
#define TAU_LEAST 0.1

/* An error is known to 1/(2 sqrt events) of itself: a variance from so many independent values,
 * whose fourth moment is kurtosis times its square, to the root of (kurtosis - 1)/independent. */
static double events_of(double independent, double kurtosis)
{
    return kurtosis > 1 ? independent / (kurtosis - 1) : independent;
}

/* The sum of products of deviations from the mean that are apart by so many. Four sums at a time,
 * so that the processor need not wait for each addition. */
static double products(const double *values, size_t count, size_t apart, double mean)
{
    double sums[4] = {0};
    size_t k = 0;
    for (; k + apart + 4 <= count; k += 4)
        for (unsigned j = 0; j < 4; j++)
            sums[j] += (values[k + j] - mean) * (values[k + j + apart] - mean);
    for (; k + apart < count; k++)
        sums[0] += (values[k] - mean) * (values[k + apart] - mean);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* See clup_series_estimate; variance is that of the values. */
static double tau_of(const double *values, size_t count, double mean, double variance, size_t *last)
{
    double tau = 0.5;
    size_t window = 0;
    while (++window < count / 2) {
        tau += products(values, count, window, mean) / ((double)(count - window) * variance);
        if ((double)window >= 6 * tau)
            break;
    }
    *last = window;
    return fmax(TAU_LEAST, tau * (1 + (2 * (double)window + 1) / (double)count));
}

/* See series.h. */
static clup_estimate estimate_of(const double *values, size_t count, size_t *window)
{
    const double n = (double)count;
    double mean = 0, variance = 0, fourth = 0;
    /* counted from the first value, so that a constant series has no rounding errors that look like
     * a variance */
    for (size_t k = 0; k < count; k++)
        mean += values[k] - values[0];
    mean = count > 0 ? values[0] + mean / n : NAN;
    if (count < COUNT_LEAST || isnan(mean))
        return (clup_estimate){mean, NAN, NAN, NAN, NAN, {0}};
    for (size_t k = 0; k < count; k++) {
        const double square = (values[k] - mean) * (values[k] - mean);
        variance += square / n;
        fourth += square * square / n;
    }
    if (!(variance > 0))
        return (clup_estimate){mean, 0, 0.5, n, 0, {0}};
    const double tau = tau_of(values, count, mean, variance, window),
                 independent = n / fmax(1, 2 * tau);
    return (clup_estimate){mean,
                           sqrt(2 * tau * variance / n),
                           tau,
                           independent,
                           events_of(independent, fourth / (variance * variance)),
                           {0}};
}

clup_estimate clup_series_estimate(const double *values, size_t count)
{
    size_t window;
    return estimate_of(values, count, &window);
}

double clup_series_tau(const double *values, size_t count, size_t *window)
{
    *window = 0;
    const double tau = estimate_of(values, count, window).tau_int;
    return isnan(tau) ? 0.5 : tau;
}

clup_note clup_estimate_note(const clup_estimate *estimate)
{
    if (estimate == NULL || !isfinite(estimate->mean))
        return CLUP_NOTE_NONE;
    if (estimate->error == 0)
        return CLUP_NOTE_CONSTANT;
    if (!(estimate->independent >= CLUP_INDEPENDENT_LEAST) || isnan(estimate->error))
        return CLUP_NOTE_SHORT;
    return estimate->events < CLUP_EVENTS_LEAST ? CLUP_NOTE_FEW_EVENTS : CLUP_NOTE_NONE;
}

/* One value more: P. Pebay, Sandia report SAND2008-6212 (2008), Eqs. (2.1) and following, for a set
 * of one. */
void clup_sums_add(clup_sums *sums, double value)
{
    const double before = (double)sums->count++, n = (double)sums->count, off = value - sums->mean,
                 step = off / n, square = off * step * before;
    sums->mean += step;
    sums->fourths += square * step * step * (n * n - 3 * n + 3) + 6 * step * step * sums->squares -
                     4 * step * sums->cubes;
    sums->cubes += square * step * (n - 2) - 3 * step * sums->squares;
    sums->squares += square;
}

clup_estimate clup_sums_estimate(const clup_sums *sums)
{
    const double n = (double)sums->count,
                 kurtosis = n * sums->fourths / (sums->squares * sums->squares);
    if (sums->count < 2 || isnan(sums->mean))
        return (clup_estimate){sums->count > 0 ? sums->mean : NAN, NAN, 0.5, n, NAN, {0}};
    return (clup_estimate){sums->mean,
                           sqrt(sums->squares / (n * (n - 1))),
                           0.5,
                           n,
                           sums->squares > 0 ? events_of(n, kurtosis) : 0,
                           {0}};
}
