/* SPDX-License-Identifier: BSD-3-Clause */
/* Histograms of energies and other values, at any temperature by the weights of the reweighting. */
#include "estimate/histogram.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/couplings.h"
#include "estimate/estimate.h"
#include "estimate/series.h"

#define BINS_GIVEN 64
/* Distances of values that differ by less, relative to the smallest, are equal. */
#define EQUAL 1e-4

/* A value, as it is collected. */
typedef struct entry {
    uint32_t block, level, bin;
    double weight;
} entry;

typedef struct collection {
    clup_histogram *to;
    clup_observable observable;
    double unit; /* what energies differ by multiples of */
    entry *entries;
    size_t count;
} collection;

/* Whether all systems have a series of single sweeps that spins alone determine. */
static bool all_have(const clup_record *const *records, size_t count, clup_observable observable)
{
    bool have = clup_observable_is_mean(observable) && clup_observable_of_spins(observable);
    for (size_t k = 0; k < count && have; k++)
        for (uint32_t r = 0; r < records[k]->problem.replicas && have; r++)
            have = clup_record_series(records[k], r, clup_observable_name(observable)) != NULL;
    return have;
}

static clup_status find(const clup_record *const *records, size_t count, const char *name,
                        clup_observable *observable)
{
    char known[600] = "";
    for (unsigned o = 0; o < OBSERVED; o++) {
        if (!all_have(records, count, o))
            continue;
        *observable = o;
        if (strcmp(clup_observable_name(o), name) == 0)
            return CLUP_OK;
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "",
                 clup_observable_name(o));
    }
    return clup_fail(CLUP_ERROR_USAGE, "there is no histogram of '%.80s': the series have %s", name,
                     known[0] != '\0' ? known : "nothing of the spins");
}

/* ---- bins ------------------------------------------------------------------------------------ */

static int compare_values(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Returns the number of which all differences of sorted values are multiples, or 0 if they are
 * multiples of none that is large enough to see. */
static double spacing_of(const double *sorted, size_t count)
{
    const double range = sorted[count - 1] - sorted[0];
    double least = INFINITY;
    for (size_t k = 1; k < count; k++)
        if (sorted[k] - sorted[k - 1] > 1e-9 * range)
            least = fmin(least, sorted[k] - sorted[k - 1]);
    for (size_t k = 1; k < count; k++) {
        const double steps = (sorted[k] - sorted[k - 1]) / least;
        if (fabs(steps - round(steps)) > EQUAL * fmax(1, steps) && steps > EQUAL)
            return 0;
    }
    return isfinite(least) ? least : 0;
}

/* Chooses bins of equal width. Where values have a spacing, each bin has equally many of them. */
static clup_status make_bins(collection *all, const clup_record *const *records, size_t count,
                             uint32_t bins)
{
    clup_histogram *to = all->to;
    const char *name = clup_observable_name(all->observable);
    double *sorted = malloc(all->count * sizeof *sorted);
    size_t at = 0;
    if (sorted == NULL)
        return clup_fail_memory("the histogram");
    for (size_t k = 0; k < count; k++)
        for (uint32_t r = 0; r < records[k]->problem.replicas; r++) {
            const uint64_t values = clup_record_count(records[k], r);
            memcpy(sorted + at, clup_record_series(records[k], r, name), values * sizeof *sorted);
            at += values;
        }
    qsort(sorted, all->count, sizeof *sorted, compare_values);
    const double range = sorted[all->count - 1] - sorted[0],
                 spacing = spacing_of(sorted, all->count);
    to->low = sorted[0] - spacing / 2;
    to->bins = range > 0 ? bins : 1;
    to->width = range / to->bins;
    to->together = INFINITY;
    if (spacing > 0) {
        const double steps = round(range / spacing) + 1;
        to->together = ceil(steps / bins);
        to->width = to->together * spacing;
        to->bins = (uint32_t)ceil(steps / to->together);
    }
    free(sorted);
    return CLUP_OK;
}

static uint32_t bin_of(const clup_histogram *of, double value)
{
    const double bin = of->width > 0 ? floor((value - of->low) / of->width) : 0;
    return bin < 0 ? 0 : bin < of->bins ? (uint32_t)bin : of->bins - 1;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Finds the level of an energy of the whole system; levels if there is none. */
static size_t level_of(const clup_reweighting *of, double energy, double unit)
{
    size_t low = 0, high = of->levels;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        *(of->level[middle].energy > energy - unit / 4
              ? &high
              : &low) = middle + (of->level[middle].energy <= energy - unit / 4);
    }
    return low < of->levels && of->level[low].energy < energy + unit / 4 ? low : of->levels;
}

static clup_status add_system(collection *all, const clup_record *record, size_t number,
                              uint32_t system)
{
    const clup_reweighting *of = all->to->of;
    const uint64_t count = clup_record_count(record, system);
    const double *energies = clup_record_series(record, system, "energy"),
                 *values = clup_record_series(record, system,
                                              clup_observable_name(all->observable));
    const unsigned blocks = of->blocks > 0 ? of->blocks : 1;
    size_t window;
    if (energies == NULL)
        return clup_fail(CLUP_ERROR_USAGE, "record %zu, system %u has no 'energy'", number, system);
    const double weight = 1 / fmax(1, 2 * clup_series_tau(energies, (size_t)count, &window));
    for (unsigned b = 0; b < blocks; b++)
        for (size_t k = clup_block_first((size_t)count, blocks, b);
             k < clup_block_first((size_t)count, blocks, b + 1); k++) {
            const size_t level = level_of(of, energies[k] * of->sites - of->energy0, all->unit);
            if (level == of->levels)
                return clup_fail(CLUP_ERROR_USAGE,
                                 "record %zu, system %u: the reweighting has not its energies",
                                 number, system);
            all->entries[all->count++] = (entry){b, (uint32_t)level, bin_of(all->to, values[k]),
                                                 weight};
        }
    return CLUP_OK;
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    return x->block != y->block   ? (x->block < y->block ? -1 : 1)
           : x->level != y->level ? (x->level < y->level ? -1 : 1)
                                  : (x->bin > y->bin) - (x->bin < y->bin);
}

/* Adds the entries first to end - 1, sorted, to the parts; those of one level and bin are one. */
static size_t merge(collection *all, size_t first, size_t end, size_t at)
{
    const size_t start = at;
    for (size_t k = first; k < end; k++) {
        const entry *entry = &all->entries[k];
        histogram_part *last = &all->to->part[at - 1];
        if (at > start && last->level == entry->level && last->bin == entry->bin)
            last->weight += entry->weight;
        else
            all->to->part[at++] = (histogram_part){entry->level, entry->bin, entry->weight};
    }
    return at;
}

static clup_status make_parts(collection *all)
{
    clup_histogram *to = all->to;
    const unsigned blocks = to->of->blocks > 0 ? to->of->blocks : 1;
    size_t starts[CLUP_BLOCKS_MOST + 1] = {0}, at = 0;
    if (all->count > SIZE_MAX / 2 / sizeof *to->part ||
        (to->part = malloc(2 * all->count * sizeof *to->part)) == NULL)
        return clup_fail_memory("the histogram");
    qsort(all->entries, all->count, sizeof *all->entries, compare_entries);
    for (unsigned b = 0; b < blocks; b++) {
        starts[b + 1] = starts[b];
        while (starts[b + 1] < all->count && all->entries[starts[b + 1]].block == b)
            starts[b + 1]++;
    }
    for (unsigned b = 0; b < blocks; b++)
        at = merge(all, starts[b], starts[b + 1], to->first[b] = at);
    to->first[blocks] = at;
    for (size_t k = 0; k < all->count; k++)
        all->entries[k].block = 0;
    qsort(all->entries, all->count, sizeof *all->entries, compare_entries);
    to->whole = at;
    to->end = merge(all, 0, all->count, at);
    return CLUP_OK;
}

clup_status clup_histogram_create(const clup_reweighting *reweighting,
                                  const clup_record *const *records, size_t count, const char *name,
                                  uint32_t bins, clup_histogram **out)
{
    clup_status status = CLUP_OK;
    collection all = {0};
    size_t room = 0;
    CLUP_NEED(out);
    *out = NULL;
    CLUP_NEED(reweighting);
    CLUP_NEED(records);
    CLUP_NEED(name);
    if (count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "no records");
    for (size_t k = 0; k < count; k++) {
        CLUP_NEED(records[k]);
        if ((status = clup_problem_compare(&reweighting->problem, &records[k]->problem,
                                           CLUP_FIELD_LAW | CLUP_FIELD_SIZE)) != CLUP_OK)
            return status;
        for (uint32_t r = 0; r < records[k]->problem.replicas; r++)
            room += clup_record_count(records[k], r);
    }
    if ((status = find(records, count, name, &all.observable)) != CLUP_OK)
        return status;
    if (room == 0)
        return clup_fail(CLUP_ERROR_USAGE, "series of no values");
    all.unit = clup_problem_classes(&reweighting->problem).unit;
    all.to = calloc(1, sizeof *all.to);
    all.entries = room < SIZE_MAX / sizeof *all.entries ? malloc(room * sizeof *all.entries) : NULL;
    if (all.to == NULL || all.entries == NULL) {
        status = clup_fail_memory("the histogram");
        goto done;
    }
    all.to->of = reweighting;
    all.to->energies = all.observable == CLUP_ENERGY;
    all.count = room;
    CLUP_TRY(make_bins(&all, records, count, bins > 0 ? bins : BINS_GIVEN));
    all.count = 0;
    for (size_t k = 0; k < count; k++)
        for (uint32_t r = 0; r < records[k]->problem.replicas; r++)
            CLUP_TRY(add_system(&all, records[k], k, r));
    CLUP_TRY(make_parts(&all));
done:
    free(all.entries);
    if (status == CLUP_OK)
        *out = all.to;
    else
        clup_histogram_free(all.to);
    return status;
}

void clup_histogram_free(clup_histogram *histogram)
{
    if (histogram == NULL)
        return;
    free(histogram->part);
    free(histogram);
}

uint32_t clup_histogram_bins(const clup_histogram *histogram, double *low, double *width)
{
    if (low != NULL)
        *low = histogram != NULL ? histogram->low : NAN;
    if (width != NULL)
        *width = histogram != NULL ? histogram->width : NAN;
    return histogram != NULL ? histogram->bins : 0;
}

/* ---- shares ---------------------------------------------------------------------------------- */

/* Adds, with a sign, parts first to end - 1. */
static void add(const clup_histogram *of, const double *factors, size_t first, size_t end, int sign,
                double *shares, double *energies)
{
    for (size_t k = first; k < end; k++) {
        const histogram_part *part = &of->part[k];
        const double share = sign * part->weight * factors[part->level];
        shares[part->bin] += share;
        if (energies != NULL)
            energies[part->bin] += share * of->of->level[part->level].energy;
    }
}

clup_status clup_histogram_shares(const clup_histogram *of, double beta, int without,
                                  double *shares, double *energies)
{
    const clup_reweighting *by = of->of;
    double *factors = malloc(by->levels * sizeof *factors), sum = 0;
    if (factors == NULL)
        return clup_fail_memory("the histogram");
    clup_reweight_factors(by, beta, without, factors);
    for (uint32_t k = 0; k < of->bins; k++) {
        shares[k] = 0;
        if (energies != NULL)
            energies[k] = 0;
    }
    add(of, factors, of->whole, of->end, 1, shares, energies);
    if (without >= 0)
        add(of, factors, of->first[without], of->first[without + 1], -1, shares, energies);
    free(factors);
    for (uint32_t k = 0; k < of->bins; k++)
        sum += shares[k];
    for (uint32_t k = 0; k < of->bins; k++) {
        /* what is left of values that are all in the block is rounding error */
        shares[k] = shares[k] > 1e-14 * sum ? shares[k] / sum : 0;
        if (energies != NULL)
            energies[k] = (energies[k] / sum + by->energy0 * shares[k]) / by->sites;
    }
    return CLUP_OK;
}

clup_status clup_histogram_at(const clup_histogram *histogram, double beta, double *shares,
                              double *errors)
{
    clup_status status = CLUP_OK;
    CLUP_NEED(histogram);
    if (!(beta >= 0) || !isfinite(beta))
        return clup_fail(CLUP_ERROR_USAGE, "beta %g is not a number from 0 up", beta);
    const uint32_t bins = histogram->bins;
    const unsigned blocks = histogram->of->blocks;
    double *room = malloc((blocks + 1) * (size_t)bins * sizeof *room), column[CLUP_BLOCKS_MOST];
    if (room == NULL)
        return clup_fail_memory("the histogram");
    CLUP_TRY(clup_histogram_shares(histogram, beta, -1, room, NULL));
    if (shares != NULL)
        memcpy(shares, room, bins * sizeof *shares);
    for (unsigned b = 0; b < blocks && errors != NULL; b++)
        CLUP_TRY(clup_histogram_shares(histogram, beta, (int)b, room + (size_t)b * bins, NULL));
    for (uint32_t k = 0; k < bins && errors != NULL; k++) {
        for (unsigned b = 0; b < blocks; b++)
            column[b] = room[(size_t)b * bins + k];
        errors[k] = clup_jackknife_error(column, blocks);
    }
done:
    free(room);
    return status;
}
