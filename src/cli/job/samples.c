/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages over samples of disorder: over all systems of a job that differ in disorder and random
 * numbers alone, whichever launches they are of. Systems of one sample are averaged first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job/job.h"
#include "cli/message.h"
#include "cli/value.h"

/* Sums over the systems of a sample, by the numbers of observables. */
typedef struct sample {
    unsigned systems;
    double *sums;
} sample;

/* Samples of one problem at one temperature. */
typedef struct group {
    json_t *numbers; /* of samples, by what they are */
    sample *samples;
    size_t count;
    unsigned systems;
    double beta;
    const json_t *launch; /* of the first system */
} group;

typedef struct groups {
    json_t *numbers; /* of groups, by what they are */
    group *of;
    size_t count;
} groups;

/* Returns the number that an object has for a name; when it has none, gives the name the next
 * number and returns that. */
static size_t number_of(json_t *numbers, const char *name)
{
    const json_t *number = json_object_get(numbers, name);
    if (number != NULL)
        return (size_t)json_integer_value(number);
    json_object_set_new(numbers, name, json_integer((json_int_t)json_object_size(numbers)));
    return json_object_size(numbers) - 1;
}

static void *grown(void *array, size_t count, size_t size)
{
    char *larger = realloc(array, (count + 1) * size);
    if (larger == NULL)
        exit(cli_fail_memory("the samples"));
    memset(larger + count * size, 0, size);
    return larger;
}

/* ---- which sample a system is of ------------------------------------------------------------- */

/* Whether a launch has couplings or sites that samples differ in. */
static int has_samples(const json_t *launch)
{
    const char *disorder = job_value(launch, "disorder");
    return (disorder != NULL && strcmp(disorder, "none") != 0) ||
           job_value(launch, "bond-couplings") != NULL;
}

/* Finds the group of a row by all that was asked for, without what samples may differ in. */
static group *group_of(groups *all, const json_t *launch, const json_t *row, double beta)
{
    static const char *const unlike[] = {"seed",     "disorder-seed",  "disorder-samples",
                                         "replicas", "bond-couplings", "series"};
    json_t *some = json_copy(json_object_get(launch, "options"));
    const json_t *step = json_object_get(row, "step");
    for (size_t k = 0; k < sizeof unlike / sizeof *unlike; k++)
        json_object_del(some, unlike[k]);
    json_object_set_new(some, "at", json_real(beta));
    if (step != NULL)
        json_object_set(some, "step", (json_t *)step);
    char *text = json_dumps(some, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(some);
    if (text == NULL)
        exit(cli_fail_memory("the samples"));
    const size_t number = number_of(all->numbers, text);
    free(text);
    if (number == all->count) {
        all->of = grown(all->of, all->count, sizeof *all->of);
        all->of[all->count++] = (group){.numbers = json_object(), .beta = beta, .launch = launch};
    }
    return &all->of[number];
}

/* Finds the sample of a system: by the couplings of a file, or by the number of the sample that
 * disorder is drawn for. */
static sample *sample_of(group *group, const json_t *launch, json_int_t replica)
{
    const char *file = job_value(launch, "bond-couplings"),
               *seed = job_value(launch, "disorder-seed"),
               *samples = job_value(launch, "disorder-samples");
    uint64_t period = 0;
    char *name;
    if (samples != NULL && cli_parse_u64(samples, JOB_SEED_SYSTEMS, &period) == CLUP_OK &&
        period > 0)
        replica %= (json_int_t)period;
    json_t *names = json_pack("[s,s,I]", file != NULL ? file : "", seed != NULL ? seed : "0",
                              file != NULL && job_value(launch, "disorder") == NULL ? 0 : replica);
    if (names == NULL || (name = json_dumps(names, JSON_COMPACT)) == NULL)
        exit(cli_fail_memory("the samples"));
    const size_t number = number_of(group->numbers, name);
    free(name);
    json_decref(names);
    if (number == group->count)
        group->samples = grown(group->samples, group->count++, sizeof *group->samples);
    return &group->samples[number];
}

/* Adds a row to its sample. */
static void add_row(groups *all, const json_t *launch, const json_t *result, const json_t *row)
{
    const json_t *own = json_object_get(row, "beta"), *replica = json_object_get(row, "replica"),
                 *beta = own != NULL ? own
                                     : json_object_get(json_object_get(result, "problem"), "beta");
    /* a population has no systems of its own */
    if (json_object_get(row, "families") != NULL)
        return;
    if (replica == NULL)
        replica = json_object_get(launch, "first_replica");
    group *group = group_of(all, launch, row, json_number_value(beta));
    sample *to = sample_of(group, launch, json_integer_value(replica));
    if (to->sums == NULL && (to->sums = calloc(simulate_observables(), sizeof *to->sums)) == NULL)
        exit(cli_fail_memory("the samples"));
    to->systems++;
    group->systems++;
    for (clup_observable k = 0; k < simulate_observables(); k++) {
        double mean, error;
        to->sums[k] += job_estimate(row, clup_observable_name(k), &mean, &error) ? mean : NAN;
    }
}

/* ---- averages -------------------------------------------------------------------------------- */

/* Computes an observable by the average over all samples but one, without, or over all where that
 * is NULL. totals and means have room for all observables; totals are sums over all samples. */
static double value_of(const group *group, const clup_problem *problem, clup_observable observable,
                       const sample *without, const double *totals, double *means)
{
    const double count = (double)(group->count - (without != NULL));
    for (clup_observable k = 0; k < simulate_observables(); k++) {
        const double own = without != NULL ? without->sums[k] / without->systems : 0;
        means[k] = (totals[k] - own) / count;
    }
    return clup_observable_of_means(problem, group->beta, observable, means);
}

/* Computes the average with its error, by the jackknife over samples. */
static void average(const group *group, const clup_problem *problem, clup_observable observable,
                    double *mean, double *error)
{
    const double count = (double)group->count;
    double *totals = calloc(2 * simulate_observables(), sizeof *totals), sum = 0, squares = 0;
    if (totals == NULL)
        exit(cli_fail_memory("the averages"));
    double *means = totals + simulate_observables();
    for (size_t s = 0; s < group->count; s++)
        for (clup_observable k = 0; k < simulate_observables(); k++)
            totals[k] += group->samples[s].sums[k] / group->samples[s].systems;
    *mean = value_of(group, problem, observable, NULL, totals, means);
    for (size_t s = 0; s < group->count; s++) {
        const sample *own = &group->samples[s];
        const double off = value_of(group, problem, observable, own, totals, means) - *mean;
        sum += off;
        squares += off * off;
    }
    *error = sqrt(fmax(0, squares - sum * sum / count) * (count - 1) / count);
    free(totals);
}

static int print_group(const group *group, const char *names)
{
    const json_t *options = json_object_get(group->launch, "options");
    char name[JOB_NAME_LONGEST], size[CLUP_FIELD_TEXT], beta[32], value[VALUE_TEXT];
    job_wish wish;
    snprintf(beta, sizeof beta, "%.17g", group->beta);
    const int code = job_wish_of(options, NULL, job_path_key(options) != NULL ? NULL : "beta", beta,
                                 0, &wish);
    const clup_problem *problem = &wish.asked.system.problem;
    if (code == 0) {
        clup_problem_get(problem, "size", size);
        printf("%7zu%8u  %-14.13s%12.24s%4u%14.9g", group->count, group->systems,
               clup_lattice_name(problem->lattice), size, problem->q, group->beta);
        for (size_t n = 0; job_name_at(names, n, name); n++) {
            clup_observable observable;
            double mean = NAN, error = NAN;
            if (clup_observable_named(name, &observable) == CLUP_OK &&
                observable < simulate_observables())
                average(group, problem, observable, &mean, &error);
            if (!isnan(mean))
                value_text(mean, error, value);
            printf("  %*s", JOB_COLUMN, isnan(mean) ? "-" : value);
        }
        printf("\n");
    }
    job_wish_free(&wish);
    return code;
}

static void free_groups(groups *all)
{
    for (size_t g = 0; g < all->count; g++) {
        for (size_t s = 0; s < all->of[g].count; s++)
            free(all->of[g].samples[s].sums);
        free(all->of[g].samples);
        json_decref(all->of[g].numbers);
    }
    free(all->of);
    json_decref(all->numbers);
}

int job_print_samples(const char *folder, const json_t *launches, const char *names)
{
    groups all = {.numbers = json_object()};
    char name[JOB_NAME_LONGEST];
    int code = 0, headed = 0;
    for (size_t k = 0; k < json_array_size(launches); k++) {
        const json_t *launch = json_array_get(launches, k), *row;
        json_t *result = NULL;
        if (has_samples(launch))
            job_state_of(folder, k, &result);
        for (size_t r = 0; result != NULL && (row = job_row(result, r)) != NULL; r++)
            add_row(&all, launch, result, row);
        json_decref(result);
    }
    for (size_t g = 0; g < all.count && code == 0; g++) {
        if (all.of[g].count < 2)
            continue;
        if (!headed++) {
            printf("\naverages over samples of disorder, errors by their scatter\n%7s%8s  "
                   "%-14s%12s%4s%14s",
                   "samples", "systems", "lattice", "size", "q", "beta");
            for (size_t n = 0; job_name_at(names, n, name); n++)
                printf("  %*s", JOB_COLUMN, name);
            printf("\n");
        }
        code = print_group(&all.of[g], names);
    }
    free_groups(&all);
    return code;
}
