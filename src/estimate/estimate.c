/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of observables, and their estimates from a history of sweeps. */
#include "estimate/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/means.h"
#include "program.h"

static double square(double x)
{
    return x * x;
}

/* Computes values[count] of an observable that is a mean, in sweeps from the first on. */
#define KEPT(NAME) history->columns[CLUP_COLUMN_##NAME][first + k]
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    static void sweeps_##NAME(const clup_history *history, size_t first, size_t count, \
                              double *values) \
    { \
        for (size_t k = 0; k < count; k++) \
            values[k] = SWEEP; \
    }
#include "estimate/observables.def"
#undef KEPT

/* Clears *all unless has is set. Returns 1, as a value of an expression of which only the columns
 * matter. */
static double keep(bool *all, bool has)
{
    *all = *all && has;
    return 1;
}

/* Whether a history has the columns of an observable. */
#define KEPT(NAME) keep(&kept, history->kept[CLUP_COLUMN_##NAME])
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    static bool kept_##NAME(const clup_history *history) \
    { \
        bool kept = true; \
        (void)(SWEEP); \
        return kept; \
    }
#include "estimate/observables.def"

/* Groups of numbers of records. */
enum {
#define GROUP(NAME, TEXT, FORMAT, SW) GROUP_##NAME,
#include "estimate/observables.def"
    GROUPS
};
static const struct {
    const char *name;
    uint32_t format;
    bool sw;
} groups[GROUPS] = {
#define GROUP(NAME, TEXT, FORMAT, SW) [GROUP_##NAME] = {TEXT, FORMAT, SW},
#include "estimate/observables.def"
};

static const struct {
    const char *name, *about;
    unsigned group;
    bool several; /* the observable has several values in a sweep */
    /* NULL for a function of means */
    void (*sweeps)(const clup_history *history, size_t first, size_t count, double *values);
    bool (*kept)(const clup_history *history);
} observables[OBSERVED] = {
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    [OBSERVED_##NAME] = {TEXT, ABOUT, GROUP_##OF, false, sweeps_##NAME, kept_##NAME},
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) \
    [OBSERVED_##NAME] = {TEXT, ABOUT, GROUP_##OF, false, NULL, NULL},
#define VECTOR(NAME, OF, TEXT, ABOUT, PART, AXIS, VALUE) \
    [OBSERVED_##NAME] = {TEXT, ABOUT, GROUP_##OF, true, NULL, NULL},
#include "estimate/observables.def"
};
/* programs have been compiled with these numbers */
_Static_assert((int)OBSERVED_ENERGY == (int)CLUP_ENERGY &&
                   (int)OBSERVED_UPDATED == (int)CLUP_UPDATED &&
                   (int)OBSERVED_CHI_IMPROVED == (int)CLUP_CHI_IMPROVED &&
                   (int)OBSERVED_XI_OVER_L_IMPROVED == (int)CLUP_XI_OVER_L_IMPROVED &&
                   (int)OBSERVED_WRAP_ONE + 1 == (int)CLUP_OBSERVABLES &&
                   (int)OBSERVED_CLUSTER_SIZES == (int)CLUP_CLUSTER_SIZES &&
                   (int)OBSERVED_CORRELATION_Z_IMPROVED + 1 == (int)CLUP_OBSERVABLES_ALL,
               "the observables of clup.h are the first rows, in its order");

const char *clup_observable_name(clup_observable observable)
{
    return (unsigned)observable < OBSERVED ? observables[observable].name : NULL;
}

const char *clup_observable_about(clup_observable observable)
{
    return (unsigned)observable < OBSERVED ? observables[observable].about : NULL;
}

const char *clup_observable_group(clup_observable observable)
{
    return (unsigned)observable < OBSERVED ? groups[observables[observable].group].name : NULL;
}

uint32_t clup_observable_format(clup_observable observable, clup_algorithm algorithm)
{
    const unsigned group = observables[observable].group;
    return groups[group].sw && algorithm != CLUP_SWENDSEN_WANG ? 0 : groups[group].format;
}

int clup_observable_needs_clusters(clup_observable observable)
{
    return (unsigned)observable < OBSERVED && groups[observables[observable].group].sw;
}

int clup_observable_has_values(clup_observable observable)
{
    return (unsigned)observable < OBSERVED && observables[observable].several;
}

clup_status clup_observable_named(const char *name, clup_observable *observable)
{
    CLUP_NEED(name);
    CLUP_NEED(observable);
    for (unsigned o = 0; o < OBSERVED; o++)
        if (strcmp(observables[o].name, name) == 0) {
            *observable = (clup_observable)o;
            return CLUP_OK;
        }
    return clup_fail(CLUP_ERROR_USAGE, "there is no observable '%.80s'", name);
}

bool clup_observable_of_spins(clup_observable observable)
{
    return (groups[observables[observable].group].format &
            (RECORD_CLUSTERS | RECORD_FK | RECORD_OVERLAP)) == 0 &&
           observable != CLUP_UPDATED;
}

bool clup_observable_of_bonds(clup_observable observable)
{
    return (groups[observables[observable].group].format & RECORD_FK) != 0;
}

bool clup_observable_is_mean(clup_observable observable)
{
    return observables[observable].sweeps != NULL;
}

/* Makes the measured sweeps of a history; all has room for count values of each observable. */
static clup_measured measured_of(const clup_history *history, const clup_system *system,
                                 double *all)
{
    const size_t count = history->count;
    const double length = clup_system_length(system);
    clup_measured measured = {.beta = system->beta,
                              .sites = system->sites,
                              .length = length > 0 ? length : NAN,
                              .count = count};
    for (unsigned o = 0; o < OBSERVED; o++) {
        double *values = all + o * count;
        if (observables[o].sweeps == NULL || !observables[o].kept(history))
            continue;
        observables[o].sweeps(history, 0, count, values);
        measured.values[o] = values;
    }
    return measured;
}

clup_status clup_history_means(const clup_history *history, const clup_system *system,
                               clup_means *means)
{
    if (history->count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    double *room = malloc(OBSERVED * history->count * sizeof *room);
    if (room == NULL)
        return clup_fail_memory("the means");
    const clup_measured measured = measured_of(history, system, room);
    *means = clup_measured_means(&measured);
    free(room);
    return CLUP_OK;
}

clup_status clup_history_estimate(const clup_history *history, const clup_system *system,
                                  clup_estimate *estimates)
{
    return clup_history_estimates_of(history, system, NULL, CLUP_OBSERVABLES, estimates);
}

clup_status clup_history_estimates_of(const clup_history *history, const clup_system *system,
                                      const clup_observable *of, size_t of_count,
                                      clup_estimate *estimates)
{
    const size_t count = history->count;
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    double *room = malloc((OBSERVED + 1) * count * sizeof *room);
    if (room == NULL)
        return clup_fail_memory("the error analysis");
    const clup_measured measured = measured_of(history, system, room + count);
    const clup_means means = clup_measured_means(&measured);
    for (size_t k = 0; k < of_count; k++)
        estimates[k] = clup_measured_estimate(&measured, &means,
                                              of != NULL ? of[k] : (clup_observable)k, room);
    free(room);
    return CLUP_OK;
}

clup_status clup_history_parts(const clup_history *history, const clup_system *system,
                               const clup_means *means, const clup_observable *of, size_t of_count,
                               clup_part *parts)
{
    const size_t count = history->count;
    double *room = malloc((OBSERVED + 1) * (count + 1) * sizeof *room);
    if (room == NULL)
        return clup_fail_memory("the error analysis");
    const clup_measured measured = measured_of(history, system, room + count);
    for (size_t k = 0; k < of_count; k++) {
        parts[k] = (clup_part){.sums = {count, NAN, NAN, NAN, NAN}, .tau = NAN, .events = NAN};
        if (!clup_measured_has(&measured, of[k]) || isnan(clup_means_value(means, of[k])))
            continue;
        clup_measured_values(&measured, means, of[k], room);
        parts[k] = clup_part_of(room, count);
    }
    free(room);
    return CLUP_OK;
}

clup_status clup_history_series(const clup_history *history, const clup_system *system,
                                clup_observable observable, size_t first, size_t count,
                                double *values)
{
    const bool is_mean = clup_observable_is_mean(observable);
    if (is_mean && observables[observable].kept(history))
        observables[observable].sweeps(history, first, count, values);
    else
        for (size_t k = 0; k < count; k++)
            values[k] = NAN;
    if (is_mean || count == 0)
        return CLUP_OK;
    double *room = malloc((OBSERVED + 1) * history->count * sizeof *room);
    if (room == NULL)
        return clup_fail_memory("the series");
    const clup_measured measured = measured_of(history, system, room + history->count);
    const clup_means means = clup_measured_means(&measured);
    const double whole = clup_means_value(&means, observable);
    if (clup_measured_has(&measured, observable)) {
        clup_measured_values(&measured, &means, observable, room);
        for (size_t k = 0; k < count; k++)
            values[k] = whole + room[first + k];
    }
    free(room);
    return CLUP_OK;
}
