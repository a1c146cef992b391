/* What energies were seen, how often, and with what: of all values, and of each block. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/reweight.h"
#include "observe/series.h"

/* A series of energies, of those that are put together. */
typedef struct source {
    const record_system *system;
    const double *energies, *columns[CLUP_REWEIGHT_COLUMNS];
    double beta, g;
    uint64_t hash;
    int64_t *whole; /* energies of the whole system */
    size_t group;
} source;

typedef struct collection {
    clup_reweighting *to;
    source *sources;
    size_t count;
    int64_t *seen;       /* all energies, then the different ones */
    reweight_part *sums; /* sums[levels], of the block at hand */
    size_t *touched, room;
} collection;

/* Series that depend on the spins of a moment alone. */
static const struct {
    const char *name, *series;
    bool per_length;
} columns[] = {
    {"abs_m", "abs_m", false},
    {"m2", "m2", false},
    {"m4", "m4", false},
    {"m2_vector", "m2_vector", false},
    {"xi_over_l", "xi_over_l", false},
    {"xi_over_l", "xi", true},
};

static bool all_have(const clup_record *const *records, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        for (uint32_t r = 0; r < records[k]->problem.replicas; r++)
            if (clup_record_series(records[k], r, name) == NULL)
                return false;
    return true;
}

static int column_of(const clup_reweighting *to, const char *name)
{
    for (unsigned c = 0; c < to->columns; c++)
        if (strcmp(to->column_names[c], name) == 0)
            return (int)c;
    return -1;
}

static void add_row(clup_reweighting *to, const char *name, int kind, int column)
{
    to->row[to->rows].name = name;
    to->row[to->rows].kind = kind;
    to->row[to->rows++].column = (unsigned)column;
}

/* What is known, in the order of rows. */
static void name_rows(clup_reweighting *to, const char *series[CLUP_REWEIGHT_COLUMNS],
                      const clup_record *const *records, size_t count)
{
    add_row(to, "energy", OF_ENERGY, 0);
    add_row(to, "specific_heat", OF_HEAT, 0);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
        if (column_of(to, columns[k].name) >= 0 || !all_have(records, count, columns[k].series))
            continue;
        series[to->columns] = columns[k].series;
        to->column_names[to->columns] = columns[k].name;
        to->column_scale[to->columns] = columns[k].per_length ? 1. / to->problem.size[0] : 1;
        add_row(to, columns[k].name, OF_COLUMN, (int)to->columns++);
    }
    if (column_of(to, "abs_m") >= 0 && column_of(to, "m2") >= 0)
        add_row(to, "susceptibility", OF_SUSCEPTIBILITY, 0);
    if (column_of(to, "m2") >= 0 && column_of(to, "m4") >= 0)
        add_row(to, "binder", OF_BINDER, 0);
}

/* Energies of the whole system, and a number that is another for another series (the Fowler-Noll-Vo
 * hash), 0 for one that does not change. */
static clup_status read_energies(source *source, double sites, size_t record, uint32_t system)
{
    const size_t count = source->system->count;
    bool constant = true;
    if ((source->whole = malloc(count * sizeof *source->whole)) == NULL)
        return clup_fail_memory("the energies");
    source->hash = 14695981039346656037u;
    for (size_t k = 0; k < count; k++) {
        const double energy = source->energies[k] * sites;
        if (!(fabs(energy) < 1e15) || fabs(energy - round(energy)) > 1e-3)
            return clup_fail(CLUP_ERROR_USAGE,
                             "record %zu, system %u: energy %.17g is no multiple of 1/%.0f", record,
                             system, source->energies[k], sites);
        source->whole[k] = (int64_t)round(energy);
        source->hash = (source->hash ^ (uint64_t)source->whole[k]) * 1099511628211u;
        constant = constant && source->whole[k] == source->whole[0];
    }
    if (constant)
        source->hash = 0;
    return CLUP_OK;
}

static clup_status open_source(source *source, const clup_record *const *records, size_t k,
                               uint32_t r, const clup_reweighting *to,
                               const char *const series[CLUP_REWEIGHT_COLUMNS])
{
    size_t window;
    source->system = &records[k]->systems[r];
    source->beta = records[k]->betas[r];
    if ((source->energies = clup_record_series(records[k], r, "energy")) == NULL ||
        source->system->count == 0)
        return clup_fail(CLUP_ERROR_USAGE, "record %zu, system %u has no %s", k, r,
                         source->energies == NULL ? "'energy'" : "values");
    if (!isfinite(source->beta))
        return clup_fail(CLUP_ERROR_USAGE, "record %zu, system %u has beta %g", k, r, source->beta);
    for (unsigned c = 0; c < to->columns; c++)
        source->columns[c] = clup_record_series(records[k], r, series[c]);
    const double tau = clup_series_tau(source->energies, source->system->count, &window);
    source->g = fmax(1, 2 * tau);
    return read_energies(source, to->sites, k, r);
}

static int compare_hashes(const void *a, const void *b)
{
    const uint64_t x = ((const source *)a)->hash, y = ((const source *)b)->hash;
    return x < y ? -1 : x > y;
}

static int compare_betas(const void *a, const void *b)
{
    const double x = ((const source *)a)->beta, y = ((const source *)b)->beta;
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
                             all->sources[k - 1].beta, all->sources[k].beta);
    return CLUP_OK;
}

static clup_status make_groups(collection *all)
{
    clup_reweighting *to = all->to;
    qsort(all->sources, all->count, sizeof *all->sources, compare_betas);
    if ((to->group = calloc(all->count, sizeof *to->group)) == NULL)
        return clup_fail_memory("the histograms");
    to->blocks = CLUP_BLOCKS_MOST;
    to->shortest = INFINITY;
    for (size_t k = 0; k < all->count; k++) {
        source *source = &all->sources[k];
        const double count = (double)source->system->count;
        if (k == 0 || source->beta != all->sources[k - 1].beta)
            to->group[to->group_count++].beta = source->beta;
        source->group = to->group_count - 1;
        const unsigned blocks = clup_blocks_of(count, source->g / 2);
        to->blocks = blocks < to->blocks ? blocks : to->blocks;
        to->shortest = fmin(to->shortest, count / source->g);
    }
    to->problem.beta = to->group[0].beta;
    to->highest = to->group[to->group_count - 1].beta;
    return CLUP_OK;
}

static clup_status make_levels(collection *all)
{
    clup_reweighting *to = all->to;
    size_t count = 0, at = 0;
    for (size_t k = 0; k < all->count; k++)
        count += all->sources[k].system->count;
    if ((all->seen = malloc(count * sizeof *all->seen)) == NULL)
        return clup_fail_memory("the energies");
    for (size_t k = 0; k < all->count; k++) {
        memcpy(all->seen + at, all->sources[k].whole,
               all->sources[k].system->count * sizeof *all->seen);
        at += all->sources[k].system->count;
    }
    qsort(all->seen, count, sizeof *all->seen, compare_energies);
    for (size_t k = 0; k < count; k++)
        if (to->levels == 0 || all->seen[k] != all->seen[to->levels - 1])
            all->seen[to->levels++] = all->seen[k];
    to->energy0 = (double)all->seen[to->levels / 2];
    to->level = calloc(to->levels, sizeof *to->level);
    all->sums = calloc(to->levels, sizeof *all->sums);
    all->touched = malloc(to->levels * sizeof *all->touched);
    if (to->level == NULL || all->sums == NULL || all->touched == NULL)
        return clup_fail_memory("the energies");
    for (size_t k = 0; k < to->levels; k++)
        to->level[k].energy = (double)all->seen[k] - to->energy0;
    return CLUP_OK;
}

static size_t level_of(const collection *all, int64_t energy)
{
    const int64_t *found = bsearch(&energy, all->seen, all->to->levels, sizeof energy,
                                   compare_energies);
    return (size_t)(found - all->seen);
}

/* Adds a block of a source to the sums; the number of levels that have any. */
static size_t add_block(collection *all, source *source, unsigned blocks, unsigned block,
                        size_t touched)
{
    clup_reweighting *to = all->to;
    const double weight = 1 / source->g;
    const size_t end = clup_block_first(source->system->count, blocks, block + 1);
    for (size_t k = clup_block_first(source->system->count, blocks, block); k < end; k++) {
        const size_t level = level_of(all, source->whole[k]);
        reweight_part *sums = &all->sums[level];
        if (sums->weight == 0)
            all->touched[touched++] = level;
        sums->weight += weight;
        for (unsigned c = 0; c < to->columns; c++)
            sums->sums[c] += weight * to->column_scale[c] * source->columns[c][k];
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
        if (grown == NULL)
            return clup_fail_memory("the blocks");
        to->part = grown;
        all->room = room;
    }
    for (size_t k = 0; k < touched; k++) {
        reweight_part *sums = &all->sums[all->touched[k]];
        reweight_level *level = &to->level[all->touched[k]];
        sums->number = all->touched[k];
        to->part[first + k] = *sums;
        level->weight += sums->weight;
        for (unsigned c = 0; c < to->columns; c++)
            level->sums[c] += sums->sums[c];
        *sums = (reweight_part){0};
    }
    to->first[block + 1] = first + touched;
    return CLUP_OK;
}

static clup_status add_blocks(collection *all)
{
    clup_reweighting *to = all->to;
    /* without a jackknife all is one block */
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
    const char *series[CLUP_REWEIGHT_COLUMNS] = {NULL};
    collection all = {.to = to};
    clup_status status = CLUP_OK;
    size_t systems = 0;
    for (size_t k = 0; k < count; k++)
        systems += records[k]->problem.replicas;
    if ((all.sources = calloc(systems, sizeof *all.sources)) == NULL)
        return clup_fail_memory("the series");
    name_rows(to, series, records, count);
    for (size_t k = 0; k < count; k++)
        for (uint32_t r = 0; r < records[k]->problem.replicas; r++)
            CLUP_TRY(open_source(&all.sources[all.count++], records, k, r, to, series));
    CLUP_TRY(refuse_twins(&all));
    CLUP_TRY(make_groups(&all));
    CLUP_TRY(make_levels(&all));
    CLUP_TRY(add_blocks(&all));
done:
    for (size_t k = 0; k < all.count; k++)
        free(all.sources[k].whole);
    free(all.sources);
    free(all.seen);
    free(all.sums);
    free(all.touched);
    return status;
}
