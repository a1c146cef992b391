/* Observables from series: each is a function of means over the run. Its error is that of the mean of the jackknife's pseudo-values, a
 * series with an autocorrelation time of its own. */
#include "observe/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/series.h"

/* The series whose means are taken; energies count from the mean energy, so that their squares keep their digits. */
enum { SERIES_E, SERIES_E2, SERIES_M, SERIES_M2, SERIES_M4, SERIES_CLUSTERS, SERIES_LARGEST, SERIES_UPDATED, SERIES_COUNT };

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
} observables[CLUP_OBSERVABLES] = {
    [CLUP_ENERGY] = {"energy", value_energy},
    [CLUP_ABS_M] = {"abs_m", value_abs_m},
    [CLUP_M2] = {"m2", value_m2},
    [CLUP_M4] = {"m4", value_m4},
    [CLUP_BINDER] = {"binder", value_binder},
    [CLUP_SPECIFIC_HEAT] = {"specific_heat", value_specific_heat},
    [CLUP_SUSCEPTIBILITY] = {"susceptibility", value_susceptibility},
    [CLUP_CLUSTERS] = {"clusters", value_clusters},
    [CLUP_LARGEST_CLUSTER] = {"largest_cluster", value_largest},
    [CLUP_UPDATED] = {"updated", value_updated},
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

/* What sweep k adds to the means of all series. */
static void series_of(const clup_history *history, double energy0, size_t k, double series[SERIES_COUNT])
{
    const double e = history->columns[CLUP_COLUMN_ENERGY][k] - energy0, m = history->columns[CLUP_COLUMN_M][k], m2 = m * m;
    const double all[SERIES_COUNT] = {e, e * e, m, m2, m2 * m2, history->columns[CLUP_COLUMN_CLUSTERS][k], history->columns[CLUP_COLUMN_LARGEST][k],
                                      history->columns[CLUP_COLUMN_UPDATED][k]};
    memcpy(series, all, sizeof all);
}

/* Means of all series, counted from the first sweep, so that a constant series has no rounding errors. */
static void means_of(const clup_history *history, double energy0, double mean[SERIES_COUNT])
{
    double first[SERIES_COUNT], series[SERIES_COUNT];
    series_of(history, energy0, 0, first);
    for (int s = 0; s < SERIES_COUNT; s++)
        mean[s] = 0;
    for (size_t k = 0; k < history->count; k++) {
        series_of(history, energy0, k, series);
        for (int s = 0; s < SERIES_COUNT; s++)
            mean[s] += series[s] - first[s];
    }
    for (int s = 0; s < SERIES_COUNT; s++)
        mean[s] = first[s] + mean[s] / (double)history->count;
}

/* The jackknife's pseudo-values of an observable, less its value: n times that of all n sweeps less n - 1 times that without sweep k. Of a
 * mean they are the values themselves; of a function of means they tell what each sweep adds to it, beyond the linear order. */
static void pseudo_values(clup_observable observable, const clup_history *history, const double mean[SERIES_COUNT], const model *model, double *values)
{
    const double whole = observables[observable].value(mean, model), others = (double)history->count - 1;
    for (size_t k = 0; k < history->count; k++) {
        double series[SERIES_COUNT], without[SERIES_COUNT];
        series_of(history, model->energy0, k, series);
        for (int s = 0; s < SERIES_COUNT; s++)
            without[s] = mean[s] + (mean[s] - series[s]) / others;
        values[k] = others * (whole - observables[observable].value(without, model));
    }
}

clup_status clup_history_estimate(const clup_history *history, double beta, double sites, clup_estimate *estimates)
{
    const size_t count = history->count;
    double mean[SERIES_COUNT], energy0 = 0, *values;
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    if ((values = malloc(count * sizeof *values)) == NULL)
        return clup_fail_memory("the error analysis");
    const double *energy = history->columns[CLUP_COLUMN_ENERGY];
    for (size_t k = 0; k < count; k++)
        energy0 += energy[k] - energy[0];
    const model model = {beta, sites, energy[0] + energy0 / (double)count};
    means_of(history, model.energy0, mean);
    for (clup_observable k = 0; k < CLUP_OBSERVABLES; k++) {
        pseudo_values(k, history, mean, &model, values);
        estimates[k] = clup_series_estimate(values, count);
        estimates[k].mean = observables[k].value(mean, &model);
    }
    free(values);
    return CLUP_OK;
}
