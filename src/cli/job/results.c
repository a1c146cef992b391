/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the results of a job, as far as they are there: a line for each system that is done. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/job/job.h"
#include "cli/value.h"

int job_name_at(const char *list, size_t k, char name[JOB_NAME_LONGEST])
{
    while (list != NULL && k-- > 0)
        list = strchr(list, ',') != NULL ? strchr(list, ',') + 1 : NULL;
    if (list == NULL)
        return 0;
    snprintf(name, JOB_NAME_LONGEST, "%.*s", (int)strcspn(list, ","), list);
    return 1;
}

static double number_at(const json_t *object, const char *key)
{
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

int job_estimate(const json_t *row, const char *name, double *mean, double *error)
{
    const json_t *estimate = json_object_get(json_object_get(row, "observables"), name);
    const int of_population = json_is_number(json_object_get(row, name));
    *mean = of_population ? number_at(row, name) : number_at(estimate, "mean");
    *error = number_at(of_population ? row : estimate, "error");
    return !isnan(*mean);
}

static void print_head(const json_t *launches, const char *names)
{
    char name[JOB_NAME_LONGEST];
    int percolates = 0;
    for (size_t k = 0; k < json_array_size(launches); k++)
        percolates |= job_launch_command(json_array_get(launches, k))->begins == &cli_percolate;
    printf("\n%6s%9s  %-14s%12s%4s%14s", "launch", "replica", "lattice", "size", "q",
           percolates ? "beta or p" : "beta");
    for (size_t k = 0; job_name_at(names, k, name); k++)
        printf("  %*s", JOB_COLUMN, name);
    printf("\n");
}

static void size_text(const json_t *problem, char text[64])
{
    const json_t *size = json_object_get(problem, "size");
    size_t used = 0;
    text[0] = '\0';
    for (size_t axis = 0; axis < json_array_size(size) && used < 48; axis++)
        used += (size_t)snprintf(text + used, 64 - used, "%s%" JSON_INTEGER_FORMAT,
                                 axis > 0 ? "x" : "",
                                 json_integer_value(json_array_get(size, axis)));
}

static void print_row(size_t k, const json_t *launch, const json_t *result, const json_t *row,
                      const char *names)
{
    const json_t *problem = json_object_get(result, "problem"),
                 *lattice = json_object_get(problem, "lattice"),
                 *replica = json_object_get(row, "replica"), *beta = json_object_get(row, "beta"),
                 *p = json_object_get(row, "p");
    char size[64], name[JOB_NAME_LONGEST], number[32] = "-", states[32] = "-", value[VALUE_TEXT];
    double mean, error;
    size_text(problem, size);
    if (replica == NULL && json_object_get(row, "families") == NULL)
        replica = json_object_get(launch, "first_replica");
    if (json_is_integer(replica))
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(replica));
    if (p == NULL)
        snprintf(states, sizeof states, "%" JSON_INTEGER_FORMAT,
                 json_integer_value(json_object_get(problem, "q")));
    printf("%6zu%9s  %-14.13s%12s%4s%14.9g", k + 1, number,
           json_is_string(lattice) ? json_string_value(lattice) : "", size, states,
           json_number_value(p != NULL      ? p
                             : beta != NULL ? beta
                                            : json_object_get(problem, "beta")));
    for (size_t n = 0; job_name_at(names, n, name); n++) {
        if (job_estimate(row, name, &mean, &error))
            value_text(mean, error, value);
        printf("  %*s", JOB_COLUMN, isnan(mean) ? "-" : value);
    }
    printf("\n");
}

/* Calls visit for each row of the launches that are done, until it returns other than 0. */
static int visit_rows(const char *folder, const json_t *launches, const char *names,
                      int (*visit)(size_t k, const json_t *launch, const json_t *result,
                                   const json_t *row, const char *names))
{
    int end = 0;
    for (size_t k = 0; k < json_array_size(launches) && end == 0; k++) {
        json_t *result = NULL;
        const json_t *row;
        job_state_of(folder, k, &result);
        for (size_t r = 0; end == 0 && (row = job_row(result, r)) != NULL; r++)
            end = visit(k, json_array_get(launches, k), result, row, names);
        json_decref(result);
    }
    return end;
}

static int has_name(size_t k, const json_t *launch, const json_t *result, const json_t *row,
                    const char *name)
{
    double mean, error;
    (void)k, (void)launch, (void)result;
    return job_estimate(row, name, &mean, &error);
}

static int print_visited(size_t k, const json_t *launch, const json_t *result, const json_t *row,
                         const char *names)
{
    print_row(k, launch, result, row, names);
    return 0;
}

int job_check_results(const char *folder, const json_t *launches, const char *names)
{
    char name[JOB_NAME_LONGEST];
    for (size_t k = 0; job_name_at(names, k, name); k++)
        if (!visit_rows(folder, launches, name, has_name))
            return cli_usage_error("--results '%s': no system that is done has it", name);
    return 0;
}

void job_print_results(const char *folder, const json_t *launches, const char *names)
{
    print_head(launches, names);
    visit_rows(folder, launches, names, print_visited);
}
