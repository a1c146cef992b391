/* Observables: their table, what is kept of each sweep, and what that says of a whole run. */
#include "observe/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "modes.clh"
#include "observe/means.h"

static double square(double x)
{
    return x * x;
}

/* values[count] of each observable that is a mean, in sweeps from the first on. */
#define KEPT(NAME) history->columns[CLUP_COLUMN_##NAME][first + k]
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    static void sweeps_##NAME(const clup_history *history, size_t first, size_t count, \
                              double *values) \
    { \
        for (size_t k = 0; k < count; k++) \
            values[k] = SWEEP; \
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
    /* NULL of a function of means */
    void (*sweeps)(const clup_history *history, size_t first, size_t count, double *values);
} observables[CLUP_OBSERVABLES_ALL] = {
#define OBSERVABLE(NAME, OF, TEXT, ABOUT, SWEEP, VALUE) \
    [CLUP_##NAME] = {TEXT, ABOUT, GROUP_##OF, sweeps_##NAME},
#define FUNCTION(NAME, OF, TEXT, ABOUT, VALUE) [CLUP_##NAME] = {TEXT, ABOUT, GROUP_##OF, NULL},
#define VECTOR(NAME, OF, TEXT, ABOUT, PART, AXIS, VALUE) \
    [CLUP_##NAME] = {TEXT, ABOUT, GROUP_##OF, NULL},
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
    return (double)low + 0x1p32 * (double)high;
}

static double parts_of_fourths(const sweep_record *record)
{
    return (double)record->fourths_0 + 0x1p20 * (double)record->fourths_1 +
           0x1p40 * (double)record->fourths_2 + 0x1p72 * (double)record->fourths_3 +
           0x1p104 * (double)record->fourths_4;
}

bool clup_observable_of_spins(clup_observable observable)
{
    return (groups[observables[observable].group].format & (RECORD_CLUSTERS | RECORD_FK)) == 0 &&
           observable != CLUP_UPDATED;
}

bool clup_observable_is_mean(clup_observable observable)
{
    return observables[observable].sweeps != NULL;
}

/* S(k) along an axis from the sum of squares (modes.clh). */
static double structure(uint64_t low, uint64_t high, unsigned axis, const clup_system *system)
{
    const double one = (double)(1u << MODE_BITS),
                 squares = ((double)low + 0x1p64 * (double)high) / (one * one);
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

/* What the sweeps of a history tell; all has room for their values, count for each observable. What
 * is not measured is NAN from the first sweep on. */
static clup_measured measured_of(const clup_history *history, const clup_system *system,
                                 double *all)
{
    const size_t count = history->count;
    const double length = longest(system);
    clup_measured measured = {.beta = system->beta,
                              .sites = system->sites,
                              .length = length > 0 ? length : NAN,
                              .count = count};
    for (clup_observable o = 0; o < CLUP_OBSERVABLES; o++) {
        double *values = all + o * count;
        if (observables[o].sweeps == NULL)
            continue;
        observables[o].sweeps(history, 0, 1, values);
        if (isnan(values[0]))
            continue;
        observables[o].sweeps(history, 0, count, values);
        measured.values[o] = values;
    }
    return measured;
}

clup_status clup_history_estimate(const clup_history *history, const clup_system *system,
                                  clup_estimate *estimates)
{
    const size_t count = history->count;
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    double *room = malloc((CLUP_OBSERVABLES + 1) * count * sizeof *room);
    if (room == NULL)
        return clup_fail_memory("the error analysis");
    const clup_measured measured = measured_of(history, system, room + count);
    const clup_means means = clup_measured_means(&measured);
    for (clup_observable o = 0; o < CLUP_OBSERVABLES; o++)
        estimates[o] = clup_measured_estimate(&measured, &means, o, room);
    free(room);
    return CLUP_OK;
}

clup_status clup_history_series(const clup_history *history, const clup_system *system,
                                clup_observable observable, size_t first, size_t count,
                                double *values)
{
    if (observables[observable].sweeps != NULL) {
        observables[observable].sweeps(history, first, count, values);
        return CLUP_OK;
    }
    if (count == 0)
        return CLUP_OK;
    double *room = malloc((CLUP_OBSERVABLES + 1) * history->count * sizeof *room);
    if (room == NULL)
        return clup_fail_memory("the series");
    const clup_measured measured = measured_of(history, system, room + history->count);
    const clup_means means = clup_measured_means(&measured);
    const double whole = clup_means_value(&means, observable);
    for (size_t k = 0; k < count; k++)
        values[k] = NAN;
    if (clup_measured_has(&measured, observable)) {
        clup_measured_values(&measured, &means, observable, room);
        for (size_t k = 0; k < count; k++)
            values[k] = whole + room[first + k];
    }
    free(room);
    return CLUP_OK;
}
