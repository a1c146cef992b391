/* SPDX-License-Identifier: BSD-3-Clause */
/* The series and estimates of a simulation, added to a record. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "estimate/estimate.h"
#include "estimate/record.h"
#include "run/simulation.h"

/* Adds the values of a mean that the series do not have yet. The first ones tell whether it is
 * measured. */
static clup_status take_mean(clup_record *record, const clup_simulation *simulation, uint32_t r,
                             clup_observable observable, size_t count)
{
    record_system *system = &record->systems[r];
    double first;
    size_t row;
    clup_status status;
    CLUP_TRY(clup_simulation_series(simulation, r, observable, 0, 1, &first));
    if (isnan(first))
        return CLUP_OK;
    CLUP_TRY(clup_record_add_name(record, clup_observable_name(observable), &row));
    const size_t before = system->series[row] != NULL ? system->count : 0;
    CLUP_TRY(clup_record_reserve(system, row, count));
    CLUP_TRY(clup_simulation_series(simulation, r, observable, before, count - before,
                                    system->series[row] + before));
done:
    return status;
}

/* Each of several values has a name of its own, as in "correlation_x_16". */
static clup_status take_vector(clup_record *record, const clup_simulation *simulation, uint32_t r,
                               clup_observable observable, size_t count)
{
    record_system *system = &record->systems[r];
    const size_t length = clup_simulation_vector_length(simulation, observable);
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < length; k++) {
        char name[CLUP_RECORD_KEY];
        size_t row;
        snprintf(name, sizeof name, "%s_%.0f", clup_observable_name(observable),
                 clup_vector_at(simulation, observable, k));
        CLUP_TRY(clup_record_add_name(record, name, &row));
        const size_t before = system->series[row] != NULL ? system->count : 0;
        CLUP_TRY(clup_record_reserve(system, row, count));
        CLUP_TRY(clup_simulation_vector_series(simulation, r, observable, k, before, count - before,
                                               system->series[row] + before));
    }
done:
    return status;
}

/* Adds the systems that were at a place, where systems change places: the series "walker". */
static clup_status take_walkers(clup_record *record, const clup_simulation *simulation, uint32_t r,
                                size_t count)
{
    record_system *system = &record->systems[r];
    clup_tempering tempering;
    uint32_t *walkers = NULL;
    size_t row;
    clup_status status;
    CLUP_TRY(clup_simulation_tempering(simulation, &tempering));
    if (tempering.rungs == 0)
        return CLUP_OK;
    CLUP_TRY(clup_record_add_name(record, "walker", &row));
    const size_t before = system->series[row] != NULL ? system->count : 0;
    CLUP_TRY(clup_record_reserve(system, row, count));
    if ((walkers = malloc((count - before + 1) * sizeof *walkers)) == NULL)
        CLUP_TRY(clup_fail_memory("the series"));
    CLUP_TRY(clup_simulation_systems(simulation, r, before, count - before, walkers));
    for (size_t k = before; k < count; k++)
        system->series[row][k] = record->problem.first_replica + walkers[k - before];
done:
    free(walkers);
    return status;
}

clup_status clup_record_take(clup_record *record, const clup_simulation *simulation)
{
    clup_status status;
    CLUP_NEED(record);
    CLUP_NEED(simulation);
    const uint32_t replicas = record->problem.replicas;
    const size_t count = (size_t)clup_simulation_measured(simulation);
    clup_observable single[OBSERVED];
    size_t singles = 0;
    clup_estimate *estimates = NULL;
    CLUP_TRY(clup_simulation_like(simulation, &record->problem));
    if (count == 0)
        return CLUP_OK;
    for (unsigned o = 0; o < OBSERVED; o++)
        if (!clup_observable_has_values(o))
            single[singles++] = (clup_observable)o;
    if ((estimates = calloc(replicas * singles, sizeof *estimates)) == NULL)
        return clup_fail_memory("the estimates");
    CLUP_TRY(clup_simulation_estimates_of(simulation, single, singles, 0, replicas, estimates));
    for (uint32_t r = 0; r < replicas; r++) {
        record_system *system = &record->systems[r];
        if (count < system->count)
            CLUP_TRY(clup_fail(CLUP_ERROR_USAGE, "%zu sweeps were measured, %zu are there already",
                               count, system->count));
        for (unsigned o = 0; o < OBSERVED; o++)
            system->functions[o].mean = NAN;
        for (size_t k = 0; k < singles; k++)
            if (clup_observable_is_mean(single[k]))
                CLUP_TRY(take_mean(record, simulation, r, single[k], count));
            else
                system->functions[single[k]] = estimates[r * singles + k];
        system->has_functions = true;
        for (unsigned o = 0; o < OBSERVED; o++)
            if (clup_observable_has_values(o))
                CLUP_TRY(take_vector(record, simulation, r, o, count));
        CLUP_TRY(take_walkers(record, simulation, r, count));
        system->count = count;
    }
done:
    free(estimates);
    return status;
}
