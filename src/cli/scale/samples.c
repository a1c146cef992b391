/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages over samples of disorder, at the temperatures that were simulated, with their
 * covariance: by the jackknife over samples, since a sample may have systems at several
 * temperatures. Systems of one sample at one temperature are averaged first; functions of means are
 * those of the averages, and variances are averages of the samples' own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/scale/scale.h"

/* Samples of which the scatter tells an error. */
#define SAMPLES_LEAST 8

/* A sample at a temperature: sums over its systems, by numbers of observables; the last one is of
 * the series that has the name that is wanted, if it is no observable with one value. */
typedef struct part {
    uint64_t name; /* of the sample */
    size_t place;  /* of the temperature */
    unsigned systems;
    double *sums;
} part;

typedef struct averaging {
    const char *wanted;
    clup_observable observable; /* of that name; count for none */
    unsigned count;             /* observables with a number */
    double *betas;              /* [place_count], in ascending order */
    unsigned *samples;          /* [place_count] */
    size_t place_count;
    part *parts;
    size_t part_count;
    double *room;   /* for all sums, and means */
    double *totals; /* [place_count][count + 1]: sums of the means of samples */
} averaging;

static int compare_numbers(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static int compare_names(const void *a, const void *b)
{
    const part *x = a, *y = b;
    return x->name < y->name ? -1 : x->name > y->name;
}

/* What the sample of a system is called: the seed that draws it and its number. */
static uint64_t name_of(const clup_problem *problem, uint32_t system)
{
    const uint32_t number = problem->first_replica + system;
    return (uint64_t)problem->disorder_seed << 32 |
           (problem->disorder_samples > 0 ? number % problem->disorder_samples : number);
}

/* Whether a system is wanted: at beta, or where that is NAN in the range. */
static int is_wanted(const scale_request *request, double own, double beta)
{
    const double x = request->x->inverse ? 1 / own : own;
    return isnan(beta) ? x >= request->from && x <= request->to : fabs(own - beta) <= 1e-9 * beta;
}

static double mean_of(const double *values, uint64_t count)
{
    double off = 0;
    for (uint64_t k = 0; k < count; k++)
        off += values[k] - values[0];
    return values[0] + off / (double)count;
}

/* The own value of a function of means of a system; NAN for none. */
static double function_of(const clup_record *record, uint32_t system, const char *name)
{
    const char *function;
    clup_analysis analysis;
    for (size_t row = 0; (function = clup_analysis_function(record, system, row)) != NULL; row++)
        if (strcmp(function, name) == 0 &&
            clup_analysis_observable(record, system, name, &analysis) == CLUP_OK)
            return analysis.mean;
    return NAN;
}

/* Adds a system's means to its part; the function of means that is wanted has its own value, which
 * averages use if it is a variance. */
static void add_system(const averaging *all, const clup_record *record, uint32_t system, part *to)
{
    const uint64_t count = clup_record_count(record, system);
    for (unsigned k = 0; k <= all->count; k++) {
        const char *name = k < all->count ? clup_observable_name((clup_observable)k) : all->wanted;
        const double *values = clup_record_series(record, system, name);
        double mean = values != NULL && count > 0 ? mean_of(values, count) : NAN;
        if (values == NULL && k == (unsigned)all->observable && count > 0)
            mean = function_of(record, system, name);
        to->sums[k] += mean;
    }
    to->systems++;
}

/* Finds the part of a system, or makes it. */
static part *part_of(averaging *all, uint64_t name, double beta)
{
    size_t place = 0, k = 0;
    while (all->betas[place] != beta)
        place++;
    while (k < all->part_count && (all->parts[k].name != name || all->parts[k].place != place))
        k++;
    if (k == all->part_count) {
        all->parts[k] = (part){name, place, 0, all->room + (k + 1) * (all->count + 1)};
        all->samples[place]++;
        all->part_count++;
    }
    return &all->parts[k];
}

static size_t count_systems(const scale_size *size)
{
    size_t systems = 0;
    for (size_t k = 0; k < size->count; k++)
        systems += clup_record_systems(size->records[k]);
    return systems;
}

/* Lists the temperatures, each once. */
static void list_places(averaging *all, const scale_request *request, const scale_size *size,
                        double beta)
{
    size_t count = 0;
    for (size_t k = 0; k < size->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(size->records[k]); r++) {
            const double own = clup_record_problem(size->records[k])->betas[r];
            if (is_wanted(request, own, beta))
                all->betas[count++] = own;
        }
    qsort(all->betas, count, sizeof *all->betas, compare_numbers);
    for (size_t k = 0; k < count; k++)
        if (all->place_count == 0 || all->betas[k] != all->betas[all->place_count - 1])
            all->betas[all->place_count++] = all->betas[k];
}

static void add_systems(averaging *all, const scale_request *request, const scale_size *size,
                        double beta)
{
    for (size_t k = 0; k < size->count; k++) {
        const clup_problem *problem = clup_record_problem(size->records[k]);
        for (uint32_t r = 0; r < problem->replicas; r++)
            if (is_wanted(request, problem->betas[r], beta))
                add_system(all, size->records[k], r,
                           part_of(all, name_of(problem, r), problem->betas[r]));
    }
}

static void add_parts(averaging *all)
{
    for (size_t k = 0; k < all->part_count; k++)
        for (unsigned n = 0; n <= all->count; n++)
            all->totals[all->parts[k].place * (all->count + 1) + n] += all->parts[k].sums[n] /
                                                                       all->parts[k].systems;
}

/* ---- averages -------------------------------------------------------------------------------- */

/* Returns the value at a temperature by the average over all samples, or over all but one. */
static double value_of(const averaging *all, const clup_problem *problem, size_t place,
                       const part *without)
{
    const double *totals = all->totals + place * (all->count + 1),
                 count = all->samples[place] - (without != NULL ? 1. : 0);
    double *means = all->room;
    for (unsigned n = 0; n <= all->count; n++)
        means[n] = (totals[n] - (without != NULL ? without->sums[n] / without->systems : 0)) /
                   count;
    return all->observable < all->count
               ? clup_observable_of_means(problem, all->betas[place], all->observable, means)
               : means[all->count];
}

/* Sets the values and their covariance. offs[parts] has what each part changes. */
static void average(const averaging *all, const clup_problem *problem, double *values,
                    double *covariance, double *offs)
{
    const size_t places = all->place_count;
    double *means = offs + all->part_count;
    for (size_t p = 0; p < places; p++) {
        values[p] = value_of(all, problem, p, NULL);
        means[p] = 0;
    }
    for (size_t k = 0; k < all->part_count; k++) {
        const part *part = &all->parts[k];
        offs[k] = value_of(all, problem, part->place, part) - values[part->place];
        means[part->place] += offs[k] / all->samples[part->place];
    }
    memset(covariance, 0, places * places * sizeof *covariance);
    for (size_t i = 0; i < all->part_count; i++)
        for (size_t j = i; j < all->part_count && all->parts[j].name == all->parts[i].name; j++) {
            const size_t a = all->parts[i].place, b = all->parts[j].place;
            const double n = all->samples[a], m = all->samples[b],
                         both = (offs[i] - means[a]) * (offs[j] - means[b]) *
                                sqrt((n - 1) / n * (m - 1) / m);
            covariance[a * places + b] += both;
            if (a != b)
                covariance[b * places + a] += both;
        }
}

static int add_values(scale_result *result, const averaging *all, const scale_size *size,
                      scale_fits *to)
{
    const size_t places = all->place_count;
    double *room = calloc(places * (places + 3) + all->part_count + 1, sizeof *room);
    unsigned least = UINT32_MAX;
    int code = room != NULL ? 0 : cli_fail_memory("the samples");
    double *x = room, *values = room + places, *covariance = values + places;
    for (size_t p = 0; p < places && code == 0; p++) {
        x[p] = result->request->x->inverse ? 1 / all->betas[p] : all->betas[p];
        least = all->samples[p] < least ? all->samples[p] : least;
        if (all->samples[p] < SAMPLES_LEAST)
            code = cli_usage_error("L = %g has %u samples of disorder at beta %.9g: errors over "
                                   "samples need %d",
                                   size->length, all->samples[p], all->betas[p], SAMPLES_LEAST);
    }
    if (code == 0) {
        average(all, clup_record_problem(size->records[0]), values, covariance,
                covariance + places * places);
        for (size_t p = 0; p < places && code == 0; p++)
            if (isnan(values[p]))
                code = cli_usage_error("L = %g: not all systems have '%s'", size->length,
                                       all->wanted);
            else if (!(covariance[p * places + p] > 0))
                code = cli_usage_error("L = %g, beta %.9g: %s has no scatter over samples, and so "
                                       "no error",
                                       size->length, all->betas[p], all->wanted);
    }
    if (code == 0)
        code = scale_add(to, size->length, x, values, covariance, places, least);
    free(room);
    return code;
}

int scale_collect_samples(scale_result *result, const scale_size *size, scale_fits *to,
                          const char *observable, double beta, int *known)
{
    averaging all = {.wanted = observable};
    const size_t systems = count_systems(size);
    while (clup_observable_name((clup_observable)all.count) != NULL)
        all.count++;
    if (clup_observable_named(observable, &all.observable) != CLUP_OK)
        all.observable = (clup_observable)all.count;
    all.betas = calloc(systems + 1, sizeof *all.betas);
    all.samples = calloc(systems + 1, sizeof *all.samples);
    all.parts = calloc(systems + 1, sizeof *all.parts);
    all.room = calloc((systems + 1) * (all.count + 1), sizeof *all.room);
    all.totals = calloc((systems + 1) * (all.count + 1), sizeof *all.totals);
    int code = all.betas != NULL && all.samples != NULL && all.parts != NULL && all.room != NULL &&
                       all.totals != NULL
                   ? 0
                   : cli_fail_memory("the samples");
    if (code == 0) {
        list_places(&all, result->request, size, beta);
        add_systems(&all, result->request, size, beta);
        add_parts(&all);
        qsort(all.parts, all.part_count, sizeof *all.parts, compare_names);
    }
    if (code == 0 && known != NULL)
        *known |= all.part_count > 0 &&
                  !isnan(value_of(&all, clup_record_problem(size->records[0]), 0, NULL));
    if (code == 0 && all.part_count > 0 && (known == NULL || *known))
        code = add_values(result, &all, size, to);
    free(all.betas);
    free(all.samples);
    free(all.parts);
    free(all.room);
    free(all.totals);
    return code;
}
