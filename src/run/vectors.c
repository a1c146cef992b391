/* SPDX-License-Identifier: BSD-3-Clause */
/* Observables with several values: means of numbers in the arrays of records. */
#include <math.h>
#include <stdlib.h>

#include "run/measure.h"
#include "estimate/series.h"
#include "run/simulation.h"
#include "measure/pairs.clh"

/* The value of a number; pairs is how many pairs there are. */
#define VECTOR(NAME, OF, TEXT, ABOUT, PART, AXIS, VALUE) \
    static double value_##NAME(double number, double pairs, double sites, double q) \
    { \
        (void)pairs, (void)sites, (void)q; \
        return VALUE; \
    }
#include "estimate/observables.def"

static const struct {
    uint32_t part; /* part of records */
    unsigned axis; /* axis of pairs */
    double (*value)(double number, double pairs, double sites, double q);
} vectors[OBSERVED] = {
#define VECTOR(NAME, OF, TEXT, ABOUT, PART, AXIS, VALUE) \
    [OBSERVED_##NAME] = {PART, AXIS, value_##NAME},
#include "estimate/observables.def"
};

/* One vector of a simulation. */
typedef struct view {
    const clup_sweep_records *records;
    clup_system system;           /* of the first replica */
    const clup_vacancies *vacant; /* of each replica */
    lattice_args lattice;
    uint32_t part, first, length; /* it has length numbers of the part, from first on */
    unsigned axis;
    double (*value)(double number, double pairs, double sites, double q);
} view;

/* Gives the view of an observable; its length is 0 where it is not measured. */
static view view_of(const clup_simulation *simulation, clup_observable observable)
{
    view view = {0};
    const unsigned row = (unsigned)observable;
    if (simulation == NULL || row >= OBSERVED || vectors[row].value == NULL)
        return view;
    view.records = &simulation->records;
    view.system = clup_simulation_system(simulation, 0);
    view.vacant = simulation->vacant;
    view.lattice = clup_lattice_args(&simulation->problem);
    view.part = vectors[row].part;
    view.axis = vectors[row].axis;
    view.value = vectors[row].value;
    if (!record_has(view.system.format, view.part))
        return view;
    if (view.part == RECORD_SIZES)
        view.length = record_length(view.system.format, view.part);
    else {
        view.first = pair_place(view.lattice, view.axis);
        view.length = pair_distances(view.lattice, view.axis);
    }
    return view;
}

/* What an element stands for, such as a distance. */
static double element_at(const view *view, size_t element)
{
    return view->part == RECORD_SIZES ? ldexp(1, (int)element) : pair_distance((uint32_t)element);
}

double clup_vector_at(const clup_simulation *simulation, clup_observable observable, size_t element)
{
    const view view = view_of(simulation, observable);
    return element_at(&view, element);
}

static void read_series(const view *view, uint32_t replica, size_t element, uint64_t first,
                        uint64_t count, double *values)
{
    const double pairs = view->part == RECORD_SIZES
                             ? 0
                             : (double)pairs_there(view->lattice, view->axis,
                                                   pair_distance((uint32_t)element));
    /* vacant sites are clusters of one site */
    const double vacant = view->part == RECORD_SIZES && element == 0 ? view->vacant[replica].sites
                                                                     : 0;
    const uint32_t *record;
    size_t known, apart;
    uint64_t before = 0;
    for (size_t chunk = 0;
         (known = clup_sweep_records_of(view->records, chunk, replica, &record, &apart)) > 0;
         chunk++, before += known)
        for (size_t k = 0; k < known; k++)
            if (before + k >= first && before + k - first < count)
                values[before + k - first] = view->value(
                    (double)clup_sweep_record_number(record + k * apart, view->system.format,
                                                     view->part, view->first + (uint32_t)element) -
                        vacant,
                    pairs, view->system.sites, view->system.q);
}

static clup_status check(const view *view, uint32_t replica)
{
    if (view->length == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no such observable with several values is measured");
    return replica < view->records->replicas
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "there is no replica %u", replica);
}

size_t clup_simulation_vector_length(const clup_simulation *simulation, clup_observable observable)
{
    return view_of(simulation, observable).length;
}

clup_status clup_simulation_vector_series(const clup_simulation *simulation, uint32_t replica,
                                          clup_observable observable, size_t element,
                                          uint64_t first, uint64_t count, double *values)
{
    CLUP_NEED(simulation);
    CLUP_NEED(values);
    const view view = view_of(simulation, observable);
    const clup_status status = check(&view, replica);
    if (status != CLUP_OK)
        return status;
    if (element >= view.length)
        return clup_fail(CLUP_ERROR_USAGE, "there is no value %zu of %u", element, view.length);
    if (first > view.records->count || count > view.records->count - first)
        return clup_fail(CLUP_ERROR_USAGE, "%llu sweeps from number %llu on: %zu were measured",
                         (unsigned long long)count, (unsigned long long)first, view.records->count);
    read_series(&view, replica, element, first, count, values);
    return CLUP_OK;
}

clup_status clup_simulation_vector(const clup_simulation *simulation, uint32_t replica,
                                   clup_observable observable, double *at, clup_estimate *estimates)
{
    CLUP_NEED(simulation);
    CLUP_NEED(at);
    CLUP_NEED(estimates);
    const view view = view_of(simulation, observable);
    const clup_status status = check(&view, replica);
    if (status != CLUP_OK)
        return status;
    const size_t count = view.records->count;
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "nothing was measured");
    double *values = malloc(count * sizeof *values);
    if (values == NULL)
        return clup_fail_memory("the error analysis");
    for (size_t k = 0; k < view.length; k++) {
        at[k] = element_at(&view, k);
        read_series(&view, replica, k, 0, count, values);
        estimates[k] = clup_series_estimate(values, count);
    }
    free(values);
    return CLUP_OK;
}
