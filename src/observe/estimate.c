/* Observables from series: each is a function of means over the run; their errors come from the jackknife over bins,
 * which for a plain mean is binning. */
#include "observe/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/series.h"

/* The series whose means are taken; energies count from the mean energy, so that their squares keep their digits. */
enum { SERIES_E, SERIES_E2, SERIES_M, SERIES_M2, SERIES_M4, SERIES_CLUSTERS, SERIES_LARGEST, SERIES_UPDATED, SERIES_COUNT, SERIES_NONE };

#define BINS_WANTED 32 /* bins are made shorter to have as many */
#define BINS_NEEDED 4  /* fewer give no error */

typedef struct model {
    double beta, sites, energy0;
} model;

static double value_energy(const double *mean, const model *model)
{
    return model->energy0 + mean[SERIES_E];
}

static double value_abs_m(const double *mean, const model *model)
{
    (void)model;
    return mean[SERIES_M];
}

static double value_m2(const double *mean, const model *model)
{
    (void)model;
    return mean[SERIES_M2];
}

static double value_m4(const double *mean, const model *model)
{
    (void)model;
    return mean[SERIES_M4];
}

static double value_binder(const double *mean, const model *model)
{
    (void)model;
    return 1 - mean[SERIES_M4] / (3 * mean[SERIES_M2] * mean[SERIES_M2]);
}

/* factor * variance, 0 for no variance also at infinite beta. */
static double scaled(double factor, double variance)
{
    return variance == 0 ? 0 : factor * variance;
}

static double value_specific_heat(const double *mean, const model *model)
{
    return scaled(model->beta * model->beta * model->sites, mean[SERIES_E2] - mean[SERIES_E] * mean[SERIES_E]);
}

static double value_susceptibility(const double *mean, const model *model)
{
    return scaled(model->beta * model->sites, mean[SERIES_M2] - mean[SERIES_M] * mean[SERIES_M]);
}

static double value_clusters(const double *mean, const model *model)
{
    (void)model;
    return mean[SERIES_CLUSTERS];
}

static double value_largest(const double *mean, const model *model)
{
    (void)model;
    return mean[SERIES_LARGEST];
}

static double value_updated(const double *mean, const model *model)
{
    (void)model;
    return mean[SERIES_UPDATED];
}

static const struct {
    const char *name;
    double (*value)(const double *mean, const model *model);
    int series; /* whose mean it is, if any */
} observables[CLUP_OBSERVABLES] = {
    [CLUP_ENERGY] = {"energy", value_energy, SERIES_E},
    [CLUP_ABS_M] = {"abs_m", value_abs_m, SERIES_M},
    [CLUP_M2] = {"m2", value_m2, SERIES_M2},
    [CLUP_M4] = {"m4", value_m4, SERIES_M4},
    [CLUP_BINDER] = {"binder", value_binder, SERIES_NONE},
    [CLUP_SPECIFIC_HEAT] = {"specific_heat", value_specific_heat, SERIES_NONE},
    [CLUP_SUSCEPTIBILITY] = {"susceptibility", value_susceptibility, SERIES_NONE},
    [CLUP_CLUSTERS] = {"clusters", value_clusters, SERIES_CLUSTERS},
    [CLUP_LARGEST_CLUSTER] = {"largest_cluster", value_largest, SERIES_LARGEST},
    [CLUP_UPDATED] = {"updated", value_updated, SERIES_UPDATED},
};

const char *clup_observable_name(clup_observable observable)
{
    return (unsigned)observable < CLUP_OBSERVABLES ? observables[observable].name : NULL;
}

clup_status clup_history_add(clup_history *history, const double values[CLUP_COLUMNS])
{
    if (history->count == history->capacity) {
        size_t capacity = history->capacity > 0 ? 2 * history->capacity : 1024;
        for (size_t k = 0; k < CLUP_COLUMNS; k++) {
            double *grown = realloc(history->columns[k], capacity * sizeof *grown);
            if (grown == NULL)
                return clup_fail_memory("the series");
            history->columns[k] = grown;
        }
        history->capacity = capacity;
    }
    for (size_t k = 0; k < CLUP_COLUMNS; k++)
        history->columns[k][history->count] = values[k];
    history->count++;
    return CLUP_OK;
}

void clup_history_clear(clup_history *history)
{
    for (size_t k = 0; k < CLUP_COLUMNS; k++)
        free(history->columns[k]);
    *history = (clup_history){0};
}

static void fill_series(const clup_history *history, double energy0, int series, double *values)
{
    for (size_t k = 0; k < history->count; k++) {
        double e = history->columns[CLUP_COLUMN_ENERGY][k] - energy0, m = history->columns[CLUP_COLUMN_M][k];
        const double all[SERIES_COUNT] = {e, e * e, m, m * m, m * m * m * m, history->columns[CLUP_COLUMN_CLUSTERS][k],
                                          history->columns[CLUP_COLUMN_LARGEST][k], history->columns[CLUP_COLUMN_UPDATED][k]};
        values[k] = all[series];
    }
}

/* One standard deviation of an observable, from the bins of all series: bins[series*count]. */
static double jackknife(clup_observable observable, const double *bins, size_t count, const double *mean, const model *model)
{
    double sum = 0, squares = 0;
    if (count < BINS_NEEDED)
        return NAN;
    /* deviations from the value of the whole, so that squares keep their digits */
    double whole = observables[observable].value(mean, model);
    for (size_t b = 0; b < count; b++) {
        double without[SERIES_COUNT];
        for (int s = 0; s < SERIES_COUNT; s++)
            without[s] = mean[s] + (mean[s] - bins[(size_t)s * count + b]) / (double)(count - 1);
        double deviation = observables[observable].value(without, model) - whole;
        sum += deviation;
        squares += deviation * deviation;
    }
    double variance = squares / (double)count - sum / (double)count * (sum / (double)count);
    return sqrt((double)(count - 1) * (variance < 0 ? 0 : variance));
}

static size_t bin_length(size_t count, double tau)
{
    double length = ceil(20 * tau);
    double most = (double)(count / BINS_WANTED);
    length = length < most ? length : most;
    return length > 1 ? (size_t)length : 1;
}

clup_status clup_history_estimate(const clup_history *history, double beta, double sites, clup_estimate *estimates)
{
    clup_status status = CLUP_OK;
    size_t count = history->count;
    double *values = NULL, *bins = NULL, tau[SERIES_NONE + 1], mean[SERIES_COUNT], longest = 0.5;
    model model = {beta, sites, 0};
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    if ((values = malloc(count * sizeof *values)) == NULL || (bins = malloc(count * SERIES_COUNT * sizeof *bins)) == NULL) {
        status = clup_fail_memory("the error analysis");
        goto done;
    }
    const double *energy = history->columns[CLUP_COLUMN_ENERGY];
    for (size_t k = 0; k < count; k++)
        model.energy0 += energy[k] - energy[0];
    model.energy0 = energy[0] + model.energy0 / (double)count;
    tau[SERIES_NONE] = NAN;
    for (int s = 0; s < SERIES_COUNT; s++) {
        fill_series(history, model.energy0, s, values);
        tau[s] = clup_series_tau(values, count);
        longest = tau[s] > longest ? tau[s] : longest;
    }
    size_t length = bin_length(count, longest), bin_count = count / length;
    for (int s = 0; s < SERIES_COUNT; s++) {
        fill_series(history, model.energy0, s, values);
        clup_series_bin(values, count, length, bins + (size_t)s * bin_count);
        mean[s] = 0;
        for (size_t b = 0; b < bin_count; b++)
            mean[s] += bins[(size_t)s * bin_count + b];
        mean[s] /= (double)bin_count;
    }
    /* bins that had to be too short hold correlated means */
    double enlarge = sqrt(fmax(1, 2 * longest / (double)length));
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++)
        estimates[k] = (clup_estimate){observables[k].value(mean, &model), enlarge * jackknife(k, bins, bin_count, mean, &model), tau[observables[k].series]};
done:
    free(values);
    free(bins);
    return status;
}
