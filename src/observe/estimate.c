/* Observables from series: each is a function of means over the run. Its error is that of the mean
 * of the jackknife's pseudo-values, a series with an autocorrelation time of its own. */
#include "observe/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "modes.clh"
#include "observe/series.h"

/* What means are taken of. */
enum {
#define MEAN(NAME, VALUE) MEAN_##NAME,
#include "observe/observables.def"
    MEANS
};

typedef struct model {
    double beta, sites, energy0;
    double length; /* of the longest axis with waves; NAN for none */
} model;

static double square(double x)
{
    return x * x;
}

/* factor * variance, 0 for no variance also at infinite beta. */
static double scaled(double factor, double variance)
{
    return variance == 0 ? 0 : factor * variance;
}

/* The correlation length by the structure factor at wave vector 0 and at the smallest of an axis:
 * F. Cooper, B. Freedman and D. Preston, Nucl. Phys. B 210, 210 (1982). NAN where the second is not
 * below the first. */
static double correlation_length(double at_zero, double at_smallest, double length)
{
    const double pi = 3.14159265358979323846;
    return at_smallest <= at_zero ? sqrt(at_zero / at_smallest - 1) / (2 * sin(pi / length)) : NAN;
}

/* The value of each observable by the means, and of those that are means in sweep k. */
#define MEAN_OF(NAME) means[MEAN_##NAME]
#define KEPT(NAME) history->columns[CLUP_COLUMN_##NAME][k]
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) \
    static double value_##NAME(const double *means, const model *model) \
    { \
        const double beta = model->beta, sites = model->sites, energy0 = model->energy0, \
                     length = model->length; \
        (void)beta, (void)sites, (void)energy0, (void)length; \
        return VALUE; \
    }
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) \
    static double sweep_##NAME(const clup_history *history, size_t k) \
    { \
        return SWEEP; \
    }
#include "observe/observables.def"

/* Groups of numbers of records. */
enum {
#define GROUP(NAME, TEXT, FORMAT, SW) GROUP_##NAME,
#include "observe/observables.def"
    GROUPS
};
static const struct {
    const char *name;
    uint32_t format;
    bool sw;
} groups[GROUPS] = {
#define GROUP(NAME, TEXT, FORMAT, SW) [GROUP_##NAME] = {TEXT, FORMAT, SW},
#include "observe/observables.def"
};

static const struct {
    const char *name, *about;
    unsigned group;
    double (*value)(const double *means, const model *model);
    double (*sweep)(const clup_history *history, size_t k); /* NULL of a function of means */
} observables[CLUP_OBSERVABLES_ALL] = {
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    [CLUP_##NAME] = {TEXT, ABOUT, GROUP_##OF, value_##NAME, sweep_##NAME},
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) \
    [CLUP_##NAME] = {TEXT, ABOUT, GROUP_##OF, value_##NAME, NULL},
#define VECTOR(NAME, OF, TEXT, ABOUT, PART, AXIS, VALUE) \
    [CLUP_##NAME] = {TEXT, ABOUT, GROUP_##OF, NULL, NULL},
#include "observe/observables.def"
};
enum {
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) ROW_##NAME,
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) ROW_##NAME,
#include "observe/observables.def"
    ROWS,
#define VECTOR(NAME, OF, TEXT, ABOUT, PART, AXIS, VALUE) +1
    VECTORS = 0
#include "observe/observables.def"
};
_Static_assert((int)ROWS == (int)CLUP_OBSERVABLES &&
                   (int)VECTORS == (int)CLUP_OBSERVABLES_ALL - (int)CLUP_OBSERVABLES,
               "each observable of clup.h has a row");

const char *clup_observable_name(clup_observable observable)
{
    return (unsigned)observable < CLUP_OBSERVABLES_ALL ? observables[observable].name : NULL;
}

const char *clup_observable_about(clup_observable observable)
{
    return (unsigned)observable < CLUP_OBSERVABLES_ALL ? observables[observable].about : NULL;
}

const char *clup_observable_group(clup_observable observable)
{
    return (unsigned)observable < CLUP_OBSERVABLES_ALL ? groups[observables[observable].group].name
                                                       : NULL;
}

uint32_t clup_observable_format(clup_observable observable, clup_algorithm algorithm)
{
    const unsigned group = observables[observable].group;
    return groups[group].sw && algorithm != CLUP_SWENDSEN_WANG ? 0 : groups[group].format;
}

int clup_observable_needs_clusters(clup_observable observable)
{
    return (unsigned)observable < CLUP_OBSERVABLES_ALL && groups[observables[observable].group].sw;
}

/* Sums of squares and of fourth powers from their parts (observables.clh). */
static double parts_of_squares(uint64_t low, uint64_t high)
{
    return (double)low + ldexp((double)high, 32);
}

static double parts_of_fourths(const sweep_record *record)
{
    return (double)record->fourths_0 + ldexp((double)record->fourths_1, 20) +
           ldexp((double)record->fourths_2, 40) + ldexp((double)record->fourths_3, 72) +
           ldexp((double)record->fourths_4, 104);
}

bool clup_observable_is_mean(clup_observable observable)
{
    return observables[observable].sweep != NULL;
}

/* S(k) along an axis from the sum of squares (modes.clh). */
static double structure(uint64_t low, uint64_t high, unsigned axis, const clup_system *system)
{
    const double squares = ldexp((double)low, -2 * MODE_BITS) +
                           ldexp((double)high, 64 - 2 * MODE_BITS);
    return (system->format & RECORD_MODES) && system->lengths[axis] > 0
               ? system->q / (system->q - 1) * squares / system->sites
               : NAN;
}

static double longest(const clup_system *system)
{
    return fmax(system->lengths[0], fmax(system->lengths[1], system->lengths[2]));
}

/* The same by clusters; and of wave vector 0, which all lattices have. */
static double fk_structure(const sweep_record *record, unsigned axis, const clup_system *system)
{
    double squares = 0;
    for (int k = 0; k < (int)WAVE_PARTS; k++)
        squares += ldexp((double)record->fk_modes[axis * WAVE_PARTS + (unsigned)k],
                         WAVE_PART_BITS * k - 2 * MODE_BITS);
    return (system->format & RECORD_FK_MODES) && (axis == WAVE_ZERO || system->lengths[axis] > 0)
               ? squares / system->sites
               : NAN;
}

/* The mean over the longest axes. */
static double mean_of_longest(const double along[3], const clup_system *system)
{
    double sum = 0, count = 0;
    for (unsigned axis = 0; axis < 3; axis++)
        if (system->lengths[axis] == longest(system)) {
            sum += along[axis];
            count++;
        }
    return sum / count;
}

static double longest_structure(const sweep_record *record, const clup_system *system)
{
    const double along[] = {structure(record->modes_x_0, record->modes_x_1, 0, system),
                            structure(record->modes_y_0, record->modes_y_1, 1, system),
                            structure(record->modes_z_0, record->modes_z_1, 2, system)};
    return mean_of_longest(along, system);
}

static double longest_fk_structure(const sweep_record *record, const clup_system *system)
{
    const double along[] = {fk_structure(record, 0, system), fk_structure(record, 1, system),
                            fk_structure(record, 2, system)};
    return mean_of_longest(along, system);
}

void clup_sweep_values(const sweep_record *record, const clup_system *system,
                       double values[CLUP_COLUMNS])
{
    const double sites = system->sites, q = system->q;
    const bool all = system->all, counted = (system->format & RECORD_CLUSTERS) != 0;
#define COLUMN(NAME, VALUE) values[CLUP_COLUMN_##NAME] = VALUE;
#include "observe/observables.def"
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

/* What sweep k adds to the means. */
static void series_of(const clup_history *history, double energy0, size_t k, double series[MEANS])
{
#define MEAN(NAME, VALUE) series[MEAN_##NAME] = VALUE;
#include "observe/observables.def"
}

/* Means of all series, counted from the first sweep, so that a constant series has no rounding
 * errors; of one sweep at least. all[count] gets what each sweep adds to them, unless it is NULL.
 */
static model means_of(const clup_history *history, const clup_system *system, double means[MEANS],
                      double (*all)[MEANS])
{
    const double *energy = history->columns[CLUP_COLUMN_ENERGY];
    double first[MEANS], own[MEANS], energy0 = 0;
    for (size_t k = 0; k < history->count; k++)
        energy0 += energy[k] - energy[0];
    energy0 = energy[0] + energy0 / (double)history->count;
    series_of(history, energy0, 0, first);
    for (int s = 0; s < MEANS; s++)
        means[s] = 0;
    for (size_t k = 0; k < history->count; k++) {
        double *series = all != NULL ? all[k] : own;
        series_of(history, energy0, k, series);
        for (int s = 0; s < MEANS; s++)
            means[s] += series[s] - first[s];
    }
    for (int s = 0; s < MEANS; s++)
        means[s] = first[s] + means[s] / (double)history->count;
    const double length = longest(system);
    return (model){system->beta, system->sites, energy0, length > 0 ? length : NAN};
}

/* The jackknife's pseudo-value of a sweep that adds series to the means, less the observable's
 * value, whole: n times that of all n sweeps less n - 1 times that without it. Of a mean they are
 * the values themselves; of a function of means they tell what each sweep adds to it, beyond the
 * linear order. */
static double pseudo_value(clup_observable observable, size_t count, const double series[MEANS],
                           const double means[MEANS], const model *model, double whole)
{
    const double others = (double)count - 1;
    double without[MEANS];
    for (int s = 0; s < MEANS; s++)
        without[s] = means[s] + (means[s] - series[s]) / others;
    return others * (whole - observables[observable].value(without, model));
}

clup_status clup_history_estimate(const clup_history *history, const clup_system *system,
                                  clup_estimate *estimates)
{
    const size_t count = history->count;
    double means[MEANS];
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    double *values = malloc(count * sizeof *values), (*all)[MEANS] = malloc(count * sizeof *all);
    if (values == NULL || all == NULL) {
        free(values);
        free(all);
        return clup_fail_memory("the error analysis");
    }
    const model model = means_of(history, system, means, all);
    for (clup_observable o = 0; o < CLUP_OBSERVABLES; o++) {
        const double whole = observables[o].value(means, &model);
        if (isnan(whole)) {
            estimates[o] = (clup_estimate){NAN, NAN, NAN, NAN, NAN, {0}};
            continue;
        }
        if (observables[o].sweep != NULL)
            for (size_t k = 0; k < count; k++)
                values[k] = observables[o].sweep(history, k);
        else
            for (size_t k = 0; k < count; k++)
                values[k] = pseudo_value(o, count, all[k], means, &model, whole);
        estimates[o] = clup_series_estimate(values, count);
        estimates[o].mean = whole;
    }
    free(values);
    free(all);
    return CLUP_OK;
}

void clup_history_series(const clup_history *history, const clup_system *system,
                         clup_observable observable, size_t first, size_t count, double *values)
{
    double means[MEANS];
    if (observables[observable].sweep != NULL) {
        for (size_t k = 0; k < count; k++)
            values[k] = observables[observable].sweep(history, first + k);
        return;
    }
    if (count == 0)
        return;
    const model model = means_of(history, system, means, NULL);
    const double whole = observables[observable].value(means, &model);
    for (size_t k = 0; k < count; k++) {
        double series[MEANS];
        series_of(history, model.energy0, first + k, series);
        values[k] = whole + pseudo_value(observable, history->count, series, means, &model, whole);
    }
}
