/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the energies that were seen: how often, and with which values of observables, in all
 * values and in each block. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/couplings.h"
#include "estimate/estimate.h"
#include "estimate/reweight.h"
#include "estimate/series.h"

/* A series of energies, one of those that are combined. */
typedef struct source {
    clup_measured measured; /* observables of the spins, or of the bonds */
    const double *extras[REWEIGHT_EXTRAS];
    double g;
    uint64_t hash;
    int64_t *whole; /* energies of the whole system, from the first of all on, in their unit */
    size_t group;
} source;

typedef struct collection {
    clup_reweighting *to;
    source *sources;
    size_t count;
    int64_t *seen;          /* all energies, then the distinct ones */
    double *weights, *sums; /* of levels in the present block: [levels], and [levels][columns] */
    size_t *touched, room;
    double first, unit; /* the first energy, and what energies differ by multiples of */
} collection;

static bool all_have(const collection *all, clup_observable observable)
{
    size_t have = 0;
    while (have < all->count && clup_measured_has(&all->sources[have].measured, observable))
        have++;
    return have == all->count;
}

static bool all_have_mean(const collection *all, unsigned mean)
{
    size_t have = 0;
    while (have < all->count && clup_measured_has_mean(&all->sources[have].measured, mean))
        have++;
    return have == all->count;
}

/* Finds what all systems have: rows, the observables that follow from the spins alone, or from the
 * bonds; extra series; and columns, the means other than those of the energy, which the levels
 * give. */
static void name_rows(collection *all)
{
    clup_reweighting *to = all->to;
    for (unsigned o = 0; o < OBSERVED; o++)
        if (all_have(all, o))
            to->row[to->observed++] = o;
    for (unsigned m = 0; m < CLUP_MEANS; m++)
        if (m != CLUP_MEAN_ENERGY && m != CLUP_MEAN_ENERGY2 && all_have_mean(all, m))
            to->column[to->columns++] = m;
    for (unsigned k = 0; k < to->extra_count; k++)
        to->column[to->columns++] = CLUP_MEANS + k;
}

/* Whether an observable follows from what the levels are of: the spins, or the bonds. */
static bool follows(const clup_reweighting *to, clup_observable observable)
{
    return to->gap > 0 ? clup_observable_of_bonds(observable)
                       : clup_observable_of_spins(observable);
}

/* Whether a series is one of several values of such an observable, as correlation_x_16 is. */
static bool is_extra(const clup_reweighting *to, const char *name)
{
    for (unsigned o = 0; o < OBSERVED; o++) {
        const char *of = clup_observable_name(o);
        const size_t length = strlen(of);
        if (clup_observable_has_values(o) && follows(to, o) && strncmp(name, of, length) == 0 &&
            name[length] == '_' && name[length + 1] != '\0' &&
            strspn(name + length + 1, "0123456789") == strlen(name + length + 1))
            return true;
    }
    return false;
}

/* Finds the extra series that all systems have. */
static void find_extras(clup_reweighting *to, const clup_record *const *records, size_t count)
{
    const char *name;
    for (size_t row = 0; (name = clup_record_observable(records[0], row)) != NULL; row++) {
        bool have = is_extra(to, name) && to->extra_count < REWEIGHT_EXTRAS;
        for (size_t k = 0; k < count && have; k++)
            for (uint32_t r = 0; r < records[k]->problem.replicas && have; r++)
                have = clup_record_series(records[k], r, name) != NULL;
        if (have)
            strcpy(to->extras[to->extra_count++], name);
    }
}

/* Reads the energies of the whole system, which differ from the first of all by whole numbers of
 * unit. Also sets a number that differs for different series (the
 * Fowler-Noll-Vo hash), 0 for a constant series. */
static clup_status read_energies(source *source, const double *energies, double sites, double first,
                                 double unit, size_t record, uint32_t system)
{
    const size_t count = source->measured.count;
    bool constant = true;
    if ((source->whole = malloc(count * sizeof *source->whole)) == NULL)
        return clup_fail_memory("the energies");
    source->hash = 14695981039346656037u;
    for (size_t k = 0; k < count; k++) {
        const double energy = (energies[k] * sites - first) / unit;
        /* what is left of 53 bits */
        const double rounding = fmin(0.25, fmax(1e-3, fabs(energies[k] * sites) / unit * 1e-15));
        if (!(fabs(energy) < 1e15) || fabs(energy - round(energy)) > rounding)
            return clup_fail(CLUP_ERROR_USAGE,
                             "record %zu, system %u: energy %.17g and %.17g differ by no multiple "
                             "of %.9g/%.0f",
                             record, system, energies[k], first / sites, unit, sites);
        source->whole[k] = (int64_t)round(energy);
        source->hash = (source->hash ^ (uint64_t)source->whole[k]) * 1099511628211u;
        constant = constant && source->whole[k] == source->whole[0];
    }
    if (constant)
        source->hash = 0;
    return CLUP_OK;
}

static clup_status open_source(collection *all, const clup_record *const *records, size_t k,
                               uint32_t r)
{
    source *source = &all->sources[all->count++];
    size_t window;
    clup_measured *measured = &source->measured;
    *measured = clup_record_measured(records[k], r);
    const double *energies = measured
                                 ->values[all->to->gap > 0 ? OBSERVED_FK_BONDS : OBSERVED_ENERGY];
    /* active bonds count as energies below 0 */
    const double sites = all->to->gap > 0 ? -measured->sites : measured->sites;
    for (unsigned o = 0; o < OBSERVED; o++)
        if (!follows(all->to, o))
            measured->values[o] = NULL;
    for (unsigned e = 0; e < all->to->extra_count; e++)
        source->extras[e] = clup_record_series(records[k], r, all->to->extras[e]);
    if (energies == NULL || measured->count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "record %zu, system %u has no %s", k, r,
                         energies == NULL ? "'energy'" : "values");
    if (!isfinite(measured->beta))
        return clup_fail(CLUP_ERROR_USAGE, "record %zu, system %u has beta %g", k, r,
                         measured->beta);
    source->g = fmax(1, 2 * clup_series_tau(energies, measured->count, &window));
    if (all->count == 1)
        all->first = energies[0] * sites;
    return read_energies(source, energies, sites, all->first, all->unit, k, r);
}

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t x = ((const source *)a)->hash, y = ((const source *)b)->hash;
    return x < y ? -1 : x > y;
}

static int compare_betas(const void *a, const void *b)
{
    const double x = ((const source *)a)->measured.beta, y = ((const source *)b)->measured.beta;
    return x < y ? -1 : x > y;
}

static int compare_energies(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

static clup_status refuse_twins(collection *all)
{
    qsort(all->sources, all->count, sizeof *all->sources, compare_hashes);
    for (size_t k = 1; k < all->count; k++)
        if (all->sources[k].hash != 0 && all->sources[k].hash == all->sources[k - 1].hash)
            return clup_fail(CLUP_ERROR_USAGE,
                             "two systems, of beta %.9g and %.9g, have the very same energies",
                             all->sources[k - 1].measured.beta, all->sources[k].measured.beta);
    return CLUP_OK;
}

static clup_status make_groups(collection *all)
{
    clup_reweighting *to = all->to;
    qsort(all->sources, all->count, sizeof *all->sources, compare_betas);
    if ((to->group = calloc(all->count, sizeof *to->group)) == NULL)
        return clup_fail_memory("the histograms");
    const unsigned given = to->blocks;
    to->blocks = CLUP_BLOCKS_MOST;
    to->shortest = INFINITY;
    for (size_t k = 0; k < all->count; k++) {
        source *source = &all->sources[k];
        const double count = (double)source->measured.count;
        if (k == 0 || source->measured.beta != all->sources[k - 1].measured.beta)
            to->group[to->group_count++].beta = source->measured.beta;
        source->group = to->group_count - 1;
        const unsigned blocks = clup_blocks_of(count, source->g / 2);
        to->blocks = blocks < to->blocks ? blocks : to->blocks;
        to->shortest = fmin(to->shortest, count / source->g);
    }
    to->blocks = given > 0 ? given : to->blocks;
    for (size_t j = 0; j < to->group_count && to->gap > 0; j++)
        to->group[j].beta = clup_reweight_parameter(to, to->group[j].beta);
    to->problem.beta = to->group[0].beta;
    to->highest = to->group[to->group_count - 1].beta;
    return CLUP_OK;
}

static clup_status make_levels(collection *all)
{
    clup_reweighting *to = all->to;
    size_t count = 0, at = 0;
    for (size_t k = 0; k < all->count; k++)
        count += all->sources[k].measured.count;
    if ((all->seen = malloc(count * sizeof *all->seen)) == NULL)
        return clup_fail_memory("the energies");
    for (size_t k = 0; k < all->count; k++) {
        memcpy(all->seen + at, all->sources[k].whole,
               all->sources[k].measured.count * sizeof *all->seen);
        at += all->sources[k].measured.count;
    }
    qsort(all->seen, count, sizeof *all->seen, compare_energies);
    for (size_t k = 0; k < count; k++)
        if (to->levels == 0 || all->seen[k] != all->seen[to->levels - 1])
            all->seen[to->levels++] = all->seen[k];
    const int64_t middle = all->seen[to->levels / 2];
    to->energy0 = all->first + all->unit * (double)middle;
    to->level = calloc(to->levels, sizeof *to->level);
    to->level_sums = calloc(to->levels * to->columns + 1, sizeof *to->level_sums);
    all->weights = calloc(to->levels, sizeof *all->weights);
    all->sums = calloc(to->levels * to->columns + 1, sizeof *all->sums);
    all->touched = malloc(to->levels * sizeof *all->touched);
    if (to->level == NULL || to->level_sums == NULL || all->weights == NULL || all->sums == NULL ||
        all->touched == NULL)
        return clup_fail_memory("the energies");
    for (size_t k = 0; k < to->levels; k++)
        to->level[k].energy = all->unit * (double)(all->seen[k] - middle);
    return CLUP_OK;
}

static size_t level_of(const collection *all, int64_t energy)
{
    const int64_t *found = bsearch(&energy, all->seen, all->to->levels, sizeof energy,
                                   compare_energies);
    return (size_t)(found - all->seen);
}

/* The contribution of value k to a column. */
static double value_of(const collection *all, const source *source, unsigned column, size_t k)
{
    const unsigned mean = all->to->column[column];
    return mean < CLUP_MEANS ? clup_measured_sweep(&source->measured, mean, k, 0)
                             : source->extras[mean - CLUP_MEANS][k];
}

/* Adds a block of a source to the sums; returns the number of levels that are not empty. */
static size_t add_block(collection *all, source *source, unsigned blocks, unsigned block,
                        size_t touched)
{
    clup_reweighting *to = all->to;
    const double weight = 1 / source->g;
    const size_t end = clup_block_first(source->measured.count, blocks, block + 1);
    for (size_t k = clup_block_first(source->measured.count, blocks, block); k < end; k++) {
        const size_t level = level_of(all, source->whole[k]);
        if (all->weights[level] == 0)
            all->touched[touched++] = level;
        all->weights[level] += weight;
        for (unsigned c = 0; c < to->columns; c++)
            all->sums[level * to->columns + c] += weight * value_of(all, source, c, k);
        to->group[source->group].without[block] += weight;
        to->group[source->group].weight += weight;
        to->group[source->group].energy += weight * to->level[level].energy;
    }
    return touched;
}

static clup_status keep_block(collection *all, unsigned block, size_t touched)
{
    clup_reweighting *to = all->to;
    const size_t first = to->first[block];
    if (first + touched > all->room) {
        const size_t room = 2 * all->room + touched;
        reweight_part *grown = realloc(to->part, room * sizeof *grown);
        to->part = grown != NULL ? grown : to->part;
        double *sums = grown != NULL
                           ? realloc(to->part_sums, (room * to->columns + 1) * sizeof *sums)
                           : NULL;
        if (sums == NULL)
            return clup_fail_memory("the blocks");
        to->part_sums = sums;
        all->room = room;
    }
    for (size_t k = 0; k < touched; k++) {
        const size_t number = all->touched[k];
        double *sums = all->sums + number * to->columns,
               *level = to->level_sums + number * to->columns;
        to->part[first + k] = (reweight_part){number, all->weights[number]};
        memcpy(to->part_sums + (first + k) * to->columns, sums, to->columns * sizeof *sums);
        to->level[number].weight += all->weights[number];
        all->weights[number] = 0;
        for (unsigned c = 0; c < to->columns; c++) {
            level[c] += sums[c];
            sums[c] = 0;
        }
    }
    to->first[block + 1] = first + touched;
    return CLUP_OK;
}

static clup_status add_blocks(collection *all)
{
    clup_reweighting *to = all->to;
    /* without a jackknife there is one block */
    const unsigned blocks = to->blocks > 0 ? to->blocks : 1;
    for (unsigned b = 0; b < blocks; b++) {
        size_t touched = 0;
        for (size_t k = 0; k < all->count; k++)
            touched = add_block(all, &all->sources[k], blocks, b, touched);
        const clup_status status = keep_block(all, b, touched);
        if (status != CLUP_OK)
            return status;
    }
    for (size_t j = 0; j < to->group_count; j++)
        to->group[j].energy /= to->group[j].weight;
    return CLUP_OK;
}

clup_status clup_reweight_collect(clup_reweighting *to, const clup_record *const *records,
                                  size_t count)
{
    collection all = {.to = to,
                      .unit = to->gap > 0 ? 1 : clup_problem_classes(&records[0]->problem).unit};
    clup_status status = CLUP_OK;
    size_t systems = 0;
    for (size_t k = 0; k < count; k++)
        systems += records[k]->problem.replicas;
    if ((all.sources = calloc(systems, sizeof *all.sources)) == NULL)
        return clup_fail_memory("the series");
    find_extras(to, records, count);
    for (size_t k = 0; k < count; k++)
        for (uint32_t r = 0; r < records[k]->problem.replicas; r++)
            CLUP_TRY(open_source(&all, records, k, r));
    to->sites = all.sources[0].measured.sites;
    to->length = all.sources[0].measured.length;
    name_rows(&all);
    if (to->gap == 0)
        CLUP_TRY(refuse_twins(&all));
    CLUP_TRY(make_groups(&all));
    CLUP_TRY(make_levels(&all));
    CLUP_TRY(add_blocks(&all));
done:
    for (size_t k = 0; k < all.count; k++)
        free(all.sources[k].whole);
    free(all.sources);
    free(all.seen);
    free(all.weights);
    free(all.sums);
    free(all.touched);
    return status;
}
