/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches: their values, and how those that are asked for in part are split. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/job/job.h"

const char *job_value(const json_t *launch, const char *option)
{
    return json_string_value(json_object_get(json_object_get(launch, "options"), option));
}

const job_command *job_launch_command(const json_t *launch)
{
    return job_command_of(json_object_get(launch, "options"));
}

void job_range_text(const json_t *launch, const char *format, char *text, size_t size)
{
    const json_t *betas = json_object_get(launch, "betas"), *value;
    double least = INFINITY, most = -INFINITY;
    size_t k;
    json_array_foreach((json_t *)betas, k, value)
    {
        least = fmin(least, json_number_value(value));
        most = fmax(most, json_number_value(value));
    }
    char ends[2][40];
    snprintf(ends[0], sizeof ends[0], format, least);
    snprintf(ends[1], sizeof ends[1], format, most);
    snprintf(text, size, least < most ? "%s to %s" : "%s", ends[0], ends[1]);
}

/* The number of systems at each temperature of a launch. */
static unsigned replicas_of(const json_t *launch)
{
    uint64_t replicas = 1;
    const char *text = job_value(launch, "replicas");
    if (text != NULL && cli_parse_u64(text, JOB_SEED_SYSTEMS, &replicas) != CLUP_OK)
        replicas = 1;
    return (unsigned)replicas;
}

unsigned job_systems(const json_t *launch)
{
    const uint64_t betas = json_array_size(json_object_get(launch, "betas")),
                   all = replicas_of(launch) * (job_value(launch, "anneal") != NULL ? 1 : betas);
    return all < UINT32_MAX ? (unsigned)all : UINT32_MAX;
}

double job_work(const json_t *launch)
{
    return (double)job_systems(launch) * json_number_value(json_object_get(launch, "sites")) *
           json_number_value(json_object_get(launch, "sweeps"));
}

int job_asked(const json_t *launch)
{
    return !json_is_false(json_object_get(launch, "asked"));
}

/* Makes a launch of the temperatures first to end - 1 of another launch. */
static json_t *part_of(const json_t *launch, size_t first, size_t end, int asked)
{
    json_t *part = json_copy((json_t *)launch), *betas = json_array();
    for (size_t at = first; at < end; at++)
        json_array_append(betas, json_array_get(json_object_get(launch, "betas"), at));
    json_object_set_new(part, "betas", betas);
    json_object_set_new(part, "first_replica",
                        json_integer(json_integer_value(json_object_get(launch, "first_replica")) +
                                     (json_int_t)(first * replicas_of(launch))));
    if (!asked)
        json_object_set_new(part, "asked", json_false());
    return part;
}

/* Splits launch number k into launches of neighbouring temperatures; of each, all temperatures are
 * dropped or all are asked for. */
static void split(json_t *launches, size_t k, const json_t *dropped)
{
    json_t *launch = json_incref(json_array_get(launches, k));
    const size_t count = json_array_size(json_object_get(launch, "betas"));
    char *drops = calloc(count, 1);
    int placed = 0;
    if (drops == NULL)
        exit(cli_fail_memory("the launches"));
    for (size_t n = 0; n < json_array_size(dropped); n++)
        drops[json_integer_value(json_array_get(dropped, n))] = 1;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && drops[end] == drops[first]; end++)
            ;
        json_t *part = part_of(launch, first, end, !drops[first]);
        if (!drops[first] && !placed++)
            json_array_set_new(launches, k, part);
        else
            json_array_append_new(launches, part);
    }
    free(drops);
    json_decref(launch);
}

int job_split(const char *folder, json_t *launches)
{
    const size_t count = json_array_size(launches);
    for (size_t k = 0; k < count; k++) {
        json_t *launch = json_array_get(launches, k),
               *dropped = json_incref(json_object_get(launch, "dropped"));
        json_object_del(launch, "dropped");
        if (dropped != NULL && job_state_of(folder, k, NULL) == JOB_LEFT)
            split(launches, k, dropped);
        json_decref(dropped);
    }
    return json_array_size(launches) > count;
}
