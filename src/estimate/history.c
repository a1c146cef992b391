/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of values that are kept of each sweep, computed from records. */
#include "estimate/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/modes.clh"
#include "estimate/sweep_record.h"
#include "measure/overlap.clh"

/* Records are taken so many at a time. */
#define BLOCK 64

static double square(double x)
{
    return x * x;
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

/* Returns a part of the helicity modulus (twist.clh) divided by the number of sites: part 0 is the
 * sum of J cos, part 1 the square of the sum of J sin. It is the mean over the periodic axes of
 * more than one site (lengths above 0); NAN where it was not measured. */
static double twist_part(const sweep_record *record, unsigned part, const clup_system *system)
{
    double sum = 0, count = 0;
    if ((system->format & RECORD_TWIST) == 0)
        return NAN;
    for (unsigned axis = 0; axis < 3; axis++) {
        const uint64_t *numbers = record->twist + 3 * axis;
        if (system->lengths[axis] == 0)
            continue;
        sum += part == 0 ? 0x1p-20 * (double)(int64_t)numbers[0]
                         : 0x1p-40 * ((double)numbers[1] + 0x1p64 * (double)numbers[2]);
        count++;
    }
    return count > 0 ? sum / count / system->sites : NAN;
}

/* Returns the length of the staggered magnetisation divided by the number of sites, from four times
 * its square (sublattices.clh). A state is a unit vector: an angle of the plane (directed), or else
 * from the middle of a simplex to one of its q corners, which gives the factor q/(q - 1). */
static double staggered(const sweep_record *record, const clup_system *system)
{
    const double common = system->directed ? 0 : system->vacant.staggered / system->q,
                 squares = (double)record->staggered[0] + 0x1p64 * (double)record->staggered[1] -
                           common,
                 unit = system->directed ? 0x1p-54 : system->q / (system->q - 1) / 4;
    return system->format & RECORD_STAGGERED ? sqrt(unit * fmax(squares, 0)) / system->sites : NAN;
}

/* S(k) along an axis from the sum of squares (modes.clh). */
static double structure(uint64_t low, uint64_t high, unsigned axis, const clup_system *system)
{
    const double one = (double)(1u << (system->directed ? MODE_UNIT_BITS : MODE_BITS)),
                 vacant = system->directed ? 0 : system->vacant.waves[axis] / system->q,
                 squares = ((double)low + 0x1p64 * (double)high) / (one * one) - vacant,
                 factor = system->directed ? 1 : system->q / (system->q - 1);
    return (system->format & RECORD_MODES) && system->lengths[axis] > 0
               ? factor * squares / system->sites
               : NAN;
}

/* Return the overlap a site, and its structure factor along an axis, of a site's overlap (q delta -
 * 1)/(q - 1), delta 1 where the states of both systems are equal (overlap.clh). */
static double overlap(const sweep_record *record, const clup_system *system)
{
    return system->format & RECORD_OVERLAP
               ? (system->q * (double)record->overlap[0] / system->sites - 1 +
                  system->vacant.drawn / system->sites) /
                     (system->q - 1)
               : NAN;
}

static double overlap_structure(const sweep_record *record, unsigned axis,
                                const clup_system *system)
{
    const uint64_t *square = record->overlap + OVERLAP_WAVES + 2 * axis;
    const double factor = system->q / (system->q - 1) * ldexp(1, -MODE_BITS);
    return (system->format & RECORD_OVERLAP) && system->lengths[axis] > 0
               ? factor * factor * ((double)square[0] + 0x1p64 * (double)square[1]) / system->sites
               : NAN;
}

/* The share of links that are equal in both systems, less that of links that are not. */
static double link_overlap(const sweep_record *record, const clup_system *system)
{
    return (system->format & RECORD_OVERLAP) && system->links > 0
               ? 1 - 2 * (double)record->overlap[1] / system->links
               : NAN;
}

double clup_system_length(const clup_system *system)
{
    return fmax(system->lengths[0], fmax(system->lengths[1], system->lengths[2]));
}

/* S(k) by clusters along an axis, or at wave vector 0, which all lattices have. Of vectors it is
 * known along the axis of the sweep, one of the components. */
static double fk_structure(const sweep_record *record, unsigned axis, const clup_system *system)
{
    double squares = 0;
    for (int k = 0; k < (int)WAVE_PARTS; k++)
        squares += ldexp((double)record->fk_modes[axis * WAVE_PARTS + (unsigned)k],
                         WAVE_PART_BITS * k - 2 * MODE_BITS);
    return (system->format & RECORD_FK_MODES) && system->amplitudes &&
                   (axis == WAVE_ZERO || system->lengths[axis] > 0)
               ? fmax(system->components, 1) * squares / system->sites
               : NAN;
}

/* The fourth moment of the magnetisation by clusters. With clusters of sums c, each of which has
 * either sign, the mean of (sum of +-c)^4 is 3 (sum of c^2)^2 - 2 sum of c^4; that along one of n
 * components is 3/(n (n + 2)) of the whole. */
static double fk_fourth_moment(const sweep_record *record, const clup_system *system)
{
    static const int places[FK_FOURTH_PARTS] = {0, 20, 40, 72, 104};
    const double n = fmax(system->components, 1),
                 squares = fk_structure(record, WAVE_ZERO, system) / system->sites / n;
    double fourths = 0;
    for (unsigned k = 0; k < FK_FOURTH_PARTS; k++)
        fourths += ldexp((double)record->fk_modes[FK_FOURTHS + k], places[k] - 4 * FK_FOURTH_BITS);
    return system->q == 2 ? n * (n + 2) / 3 *
                                (3 * square(squares) - 2 * fourths / square(square(system->sites)))
                          : NAN;
}

/* The mean over the longest axes, such as of S(k). */
static double mean_of_longest(const double along[3], const clup_system *system)
{
    double sum = 0, count = 0;
    for (unsigned axis = 0; axis < 3; axis++)
        if (system->lengths[axis] == clup_system_length(system)) {
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

static double longest_overlap_structure(const sweep_record *record, const clup_system *system)
{
    const double along[] = {overlap_structure(record, 0, system),
                            overlap_structure(record, 1, system),
                            overlap_structure(record, 2, system)};
    return mean_of_longest(along, system);
}

static double longest_fk_structure(const sweep_record *record, const clup_system *system)
{
    const double along[] = {fk_structure(record, 0, system), fk_structure(record, 1, system),
                            fk_structure(record, 2, system)};
    return mean_of_longest(along, system);
}

/* The share of the pairs at half of the longest axes that numbers[3] counts, which a part of
 * records has. */
static double half_share(const uint64_t numbers[3], uint32_t part, const clup_system *system)
{
    double along[3];
    for (unsigned axis = 0; axis < 3; axis++)
        along[axis] = system->half_pairs[axis] > 0
                          ? (double)numbers[axis] / system->half_pairs[axis]
                          : NAN;
    return system->format & part ? mean_of_longest(along, system) : NAN;
}

/* Sets the numbers of pairs at half of each axis, from the arrays of records. */
static void take_halves(const uint32_t *from, size_t apart, size_t count, const clup_system *system,
                        sweep_record *records)
{
    for (size_t k = 0; (system->format & (RECORD_PAIRS | RECORD_COMMON)) && k < count; k++)
        for (unsigned axis = 0; axis < 3; axis++) {
            if (system->half_pairs[axis] == 0)
                continue;
            if (system->format & RECORD_PAIRS)
                records[k].half_equal[axis] = clup_sweep_record_number(
                    from + k * apart, system->format, RECORD_PAIRS, system->half[axis]);
            if (system->format & RECORD_COMMON)
                records[k].half_common[axis] = clup_sweep_record_number(
                    from + k * apart, system->format, RECORD_COMMON, system->half[axis]);
        }
}

/* Computes the values of a column in sweeps from number first on. */
#define KEPT(NAME) history->columns[CLUP_COLUMN_##NAME][first + k]
#define COLUMN(NAME, VALUE) \
    static void column_##NAME(const sweep_record *records, const clup_system *system, \
                              const clup_history *history, size_t first, size_t count) \
    { \
        const double sites = system->sites, q = system->q; \
        const bool all = system->all, counted = (system->format & RECORD_CLUSTERS) != 0; \
        double *values = history->columns[CLUP_COLUMN_##NAME] + first; \
        (void)sites, (void)q, (void)all, (void)counted; \
        for (size_t k = 0; k < count; k++) { \
            const sweep_record *record = &records[k]; \
            (void)record; \
            values[k] = VALUE; \
        } \
    }
#include "estimate/observables.def"

static void (*const columns[CLUP_COLUMNS])(const sweep_record *records, const clup_system *system,
                                           const clup_history *history, size_t first,
                                           size_t count) = {
#define COLUMN(NAME, VALUE) [CLUP_COLUMN_##NAME] = column_##NAME,
#include "estimate/observables.def"
};

/* Finds which columns are kept: a column that is not measured is NAN from the first sweep on. */
static void find_kept(clup_history *history, const clup_system *system, const sweep_record *record)
{
    double values[CLUP_COLUMNS];
    clup_history one = {0};
    for (size_t c = 0; c < CLUP_COLUMNS; c++) {
        one.columns[c] = &values[c];
        columns[c](record, system, &one, 0, 1);
        history->kept[c] = !isnan(values[c]);
        if (!history->kept[c]) {
            free(history->columns[c]);
            history->columns[c] = NULL;
        }
    }
}

clup_status clup_history_reserve(clup_history *history, size_t count)
{
    const size_t twice = 2 * history->capacity, capacity = count <= history->capacity
                                                               ? history->capacity
                                                           : count < twice ? twice
                                                                           : count;
    for (size_t c = 0; c < CLUP_COLUMNS; c++) {
        if (!history->kept[c] || (history->columns[c] != NULL && capacity == history->capacity))
            continue;
        double *grown = realloc(history->columns[c], capacity * sizeof *grown);
        if (grown == NULL)
            return clup_fail_memory("the series");
        history->columns[c] = grown;
    }
    history->capacity = capacity;
    return CLUP_OK;
}

clup_status clup_history_add(clup_history *history, const clup_system *system,
                             const uint32_t *records, size_t apart, size_t count)
{
    sweep_record block[BLOCK];
    clup_status status = CLUP_OK;
    memset(block, 0, sizeof block);
    for (size_t some; count > 0; count -= some, records += some * apart) {
        some = count < BLOCK ? count : BLOCK;
        clup_sweep_records_get(records, apart, some, system->format, block);
        take_halves(records, apart, some, system, block);
        if (history->count == 0)
            find_kept(history, system, block);
        CLUP_TRY(clup_history_reserve(history, history->count + some));
        for (size_t c = 0; c < CLUP_COLUMNS; c++)
            if (history->kept[c])
                columns[c](block, system, history, history->count, some);
        history->count += some;
    }
done:
    return status;
}

void clup_history_clear(clup_history *history)
{
    for (size_t c = 0; c < CLUP_COLUMNS; c++)
        free(history->columns[c]);
    *history = (clup_history){0};
}
