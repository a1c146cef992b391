/* Error analysis of a time series. */
#include "observe/series.h"

#include <math.h>

double clup_series_tau(const double *values, size_t count)
{
    double mean = 0, variance = 0, tau = 0.5;
    if (count < 4)
        return NAN;
    /* counted from the first value, so that a constant series has no rounding errors that look like a variance */
    for (size_t k = 0; k < count; k++)
        mean += values[k] - values[0];
    mean = values[0] + mean / (double)count;
    for (size_t k = 0; k < count; k++)
        variance += (values[k] - mean) * (values[k] - mean);
    variance /= (double)count;
    if (!(variance > 0))
        return variance == 0 ? tau : NAN;
    for (size_t t = 1; t < count / 2; t++) {
        double sum = 0;
        for (size_t k = 0; k + t < count; k++)
            sum += (values[k] - mean) * (values[k + t] - mean);
        tau += sum / ((double)(count - t) * variance);
        if ((double)t >= 6 * tau)
            break;
    }
    return tau;
}

void clup_series_bin(const double *values, size_t count, size_t length, double *bins)
{
    size_t bin_count = count / length, first = count - bin_count * length;
    for (size_t b = 0; b < bin_count; b++) {
        double sum = 0;
        for (size_t k = 0; k < length; k++)
            sum += values[first + b * length + k];
        bins[b] = sum / (double)length;
    }
}
