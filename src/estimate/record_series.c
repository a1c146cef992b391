/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets and reads the series of records. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cell.h"
#include "estimate/estimate.h"
#include "estimate/modes.h"
#include "estimate/record.h"

size_t clup_record_row(const clup_record *record, const char *name)
{
    size_t row = 0;
    while (row < record->name_count && strcmp(record->names[row], name) != 0)
        row++;
    return row;
}

clup_status clup_record_add_name(clup_record *record, const char *name, size_t *row)
{
    if ((*row = clup_record_row(record, name)) < record->name_count)
        return CLUP_OK;
    if (!clup_record_key_ok(name))
        return clup_fail(CLUP_ERROR_USAGE, "observable '%.80s' is not of a to z, 0 to 9 and _",
                         name);
    if (*row == CLUP_RECORD_NAMES)
        return clup_fail(CLUP_ERROR_USAGE, "observable '%s' is one more than %d", name,
                         CLUP_RECORD_NAMES);
    strcpy(record->names[record->name_count++], name);
    return CLUP_OK;
}

clup_status clup_record_reserve(record_system *system, size_t row, size_t count)
{
    if (system->series[row] != NULL && count <= system->room[row])
        return CLUP_OK;
    /* doubles the room of a series that grows */
    const size_t room = count > 2 * system->room[row] ? count : 2 * system->room[row];
    double *grown = room < SIZE_MAX / sizeof *grown
                        ? realloc(system->series[row], (room + 1) * sizeof *grown)
                        : NULL;
    if (grown == NULL)
        return clup_fail_memory("the series");
    system->series[row] = grown;
    system->room[row] = room;
    return CLUP_OK;
}

static clup_status check_system(const clup_record *record, uint32_t system)
{
    return system < record->problem.replicas
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "there is no system %u of %u", system,
                           record->problem.replicas);
}

/* Validates the length of a series that is given to a system. */
static clup_status check_series(const clup_record *record, uint32_t number, const char *observable,
                                const double *values, uint64_t count)
{
    const record_system *system = &record->systems[number];
    for (size_t k = 0; k < record->name_count; k++)
        if (system->series[k] != NULL && strcmp(record->names[k], observable) != 0 &&
            count != system->count)
            return clup_fail(CLUP_ERROR_USAGE,
                             "'%.80s' of system %u has %llu values, other series have %zu",
                             observable, number, (unsigned long long)count, system->count);
    for (uint64_t k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return clup_fail(CLUP_ERROR_USAGE, "value %llu of '%.80s' of system %u is %g",
                             (unsigned long long)k, observable, number, values[k]);
    return CLUP_OK;
}

clup_status clup_record_set_series(clup_record *record, uint32_t system, const char *observable,
                                   const double *values, uint64_t count)
{
    size_t row;
    clup_status status;
    CLUP_NEED(record);
    CLUP_NEED(observable);
    CLUP_NEED(values);
    CLUP_TRY(check_system(record, system));
    CLUP_TRY(check_series(record, system, observable, values, count));
    CLUP_TRY(clup_record_add_name(record, observable, &row));
    CLUP_TRY(clup_record_reserve(&record->systems[system], row, (size_t)count));
    memcpy(record->systems[system].series[row], values, (size_t)count * sizeof *values);
    record->systems[system].count = (size_t)count;
done:
    return status;
}

clup_status clup_record_set_spins(clup_record *record, uint32_t system, const char *sha256)
{
    CLUP_NEED(record);
    CLUP_NEED(sha256);
    const clup_status status = check_system(record, system);
    if (status != CLUP_OK)
        return status;
    const size_t length = strlen(sha256);
    if (length != 0 && (length != 64 || strspn(sha256, "0123456789abcdef") != length))
        return clup_fail(CLUP_ERROR_USAGE, "sha256 '%.80s' is not 64 hexadecimal digits", sha256);
    strcpy(record->systems[system].spins, sha256);
    return CLUP_OK;
}

const char *clup_record_spins(const clup_record *record, uint32_t system)
{
    return record != NULL && system < record->problem.replicas ? record->systems[system].spins
                                                               : NULL;
}

uint32_t clup_record_systems(const clup_record *record)
{
    return record != NULL ? record->problem.replicas : 0;
}

uint64_t clup_record_count(const clup_record *record, uint32_t system)
{
    return record != NULL && system < record->problem.replicas ? record->systems[system].count : 0;
}

const char *clup_record_observable(const clup_record *record, size_t row)
{
    return record != NULL && row < record->name_count ? record->names[row] : NULL;
}

const double *clup_record_series(const clup_record *record, uint32_t system, const char *observable)
{
    if (record == NULL || observable == NULL || system >= record->problem.replicas)
        return NULL;
    const size_t row = clup_record_row(record, observable);
    return row < record->name_count ? record->systems[system].series[row] : NULL;
}

double clup_record_length(const clup_problem *problem)
{
    const clup_cell *cell = problem->graph != NULL ? problem->graph->extras.cell : NULL;
    const unsigned axes = cell != NULL             ? cell->axes
                          : problem->graph != NULL ? 0
                                                   : clup_lattice_axes(problem->lattice);
    uint32_t longest = 0;
    for (unsigned axis = 0; axis < axes; axis++) {
        const uint32_t size = cell != NULL ? cell->size[axis] : problem->size[axis];
        longest = size > longest ? size : longest;
    }
    return longest > 0 ? longest : NAN;
}

bool clup_record_determines(const clup_record *record, uint32_t system,
                            const clup_measured *measured, clup_observable observable)
{
    return measured->count > 0 && !clup_observable_is_mean(observable) &&
           clup_measured_has(measured, observable) &&
           clup_record_series(record, system, clup_observable_name(observable)) == NULL;
}

clup_measured clup_record_measured(const clup_record *record, uint32_t system)
{
    const lattice_args lattice = clup_lattice_args(&record->problem);
    double length = 0;
    for (unsigned axis = 0; axis < 3; axis++)
        length = fmax(length, clup_modes_length(&lattice, axis));
    clup_measured measured = {.beta = record->betas[system],
                              .sites = (double)clup_problem_real_sites(&record->problem),
                              .length = length > 0 ? length : NAN,
                              .count = record->systems[system].count};
    for (unsigned o = 0; o < OBSERVED; o++)
        if (clup_observable_is_mean(o))
            measured.values[o] = clup_record_series(record, system, clup_observable_name(o));
    return measured;
}
