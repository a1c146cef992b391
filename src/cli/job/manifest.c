/* SPDX-License-Identifier: BSD-3-Clause */
/* The manifest of a job's folder, job.json, which lists the launches. It may come from anybody, so
 * each launch is validated as one that a job file could have asked for. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/job/job.h"
#include "cli/message.h"

/* Whether a launch has the fields that are read below. */
static int has_parts(const json_t *launch)
{
    const char *name;
    const json_t *value;
    const json_t *options = json_object_get(launch, "options"),
                 *betas = json_object_get(launch, "betas");
    const job_command *command = job_command_of(options);
    const char *const numbers[] = {"seed", "first_replica", "sites", "sweeps"};
    if (!json_is_object(options) || json_array_size(betas) == 0)
        return 0;
    json_object_foreach((json_t *)options, name, value)
    {
        if (!json_is_string(value) || job_is_temperature(name))
            return 0;
    }
    for (size_t k = 0; k < json_array_size(betas); k++) {
        const double beta = json_number_value(json_array_get(betas, k));
        if (!json_is_number(json_array_get(betas, k)) || !isfinite(beta) || beta < 0 ||
            (beta > 1 && command != NULL && command->begins == &cli_percolate))
            return 0;
    }
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (!json_is_integer(json_object_get(launch, numbers[k])))
            return 0;
    return 1;
}

static int has_number(const json_t *launch, const char *key, uint64_t number)
{
    return json_integer_value(json_object_get(launch, key)) == (json_int_t)number;
}

/* Whether the temperatures of a launch are those that its options go through. Without a path, the
 * launch may have any temperatures, but only one unless its systems can be replicas of one
 * simulation. */
static int has_betas(const json_t *launch, const job_wish *wish)
{
    const json_t *betas = json_object_get(launch, "betas"),
                 *options = json_object_get(launch, "options");
    const size_t count = json_array_size(betas);
    if (job_path_key(options) == NULL)
        return count == 1 || job_wish_shares(options, wish);
    for (size_t k = 0; k < count && count == wish->count; k++)
        if (json_number_value(json_array_get(betas, k)) != wish->values[k])
            return 0;
    return count == wish->count;
}

/* Validates a launch: its options and temperatures as those of a job file are, and that its numbers
 * follow from them. */
static int check_launch(const json_t *launch)
{
    const json_t *options = json_object_get(launch, "options");
    char beta[32];
    job_wish wish;
    if (!has_parts(launch))
        return cli_usage_error("it does not have the parts of a launch");
    snprintf(beta, sizeof beta, "%.17g",
             json_number_value(json_array_get(json_object_get(launch, "betas"), 0)));
    const job_command *command = job_command_of(options);
    const char *key = command == NULL || job_path_key(options) != NULL ? NULL : command->value;
    int code = job_wish_of(options, NULL, key, beta, 0, &wish);
    if (code == 0)
        code = job_wish_fits(options, &wish);
    if (code == 0 &&
        (!has_betas(launch, &wish) || !has_number(launch, "seed", wish.asked.system.seed) ||
         !has_number(launch, "sites", clup_problem_sites(&wish.asked.system.problem)) ||
         !has_number(launch, "sweeps", wish.sweeps)))
        code = cli_usage_error("its numbers are not those of its options");
    job_wish_free(&wish);
    return code;
}

/* ---- numbers of systems ---------------------------------------------------------------------- */

typedef struct range {
    json_int_t seed, first, end;
} range;

static int compare(const void *left, const void *right)
{
    const range *a = left, *b = right;
    return a->seed != b->seed     ? (a->seed > b->seed) - (a->seed < b->seed)
           : a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                  : (a->end > b->end) - (a->end < b->end);
}

/* Validates that no two systems of a seed have the same number. */
static int check_numbers(const json_t *launches)
{
    const size_t count = json_array_size(launches);
    range *ranges = calloc(count + 1, sizeof *ranges);
    int right = 1;
    if (ranges == NULL)
        return cli_fail_memory("the launches");
    for (size_t k = 0; k < count; k++) {
        const json_t *launch = json_array_get(launches, k);
        const json_int_t first = json_integer_value(json_object_get(launch, "first_replica"));
        ranges[k] = (range){json_integer_value(json_object_get(launch, "seed")), first,
                            first + job_systems(launch)};
        right = right && first >= 0 && first < JOB_SEED_SYSTEMS &&
                ranges[k].end <= JOB_SEED_SYSTEMS;
    }
    qsort(ranges, count, sizeof *ranges, compare);
    for (size_t k = 1; k < count; k++)
        right = right &&
                (ranges[k].seed != ranges[k - 1].seed || ranges[k].first >= ranges[k - 1].end);
    free(ranges);
    return right ? 0
                 : cli_usage_error("systems of one seed have the same numbers, or too large ones");
}

/* ---- the file -------------------------------------------------------------------------------- */

static int check_launches(const char *path, const json_t *launches)
{
    const json_t *launch;
    size_t k;
    int code = json_is_array(launches) ? 0 : cli_usage_error("'%s' is damaged", path);
    json_array_foreach((json_t *)launches, k, launch)
    {
        if (job_stopped()) {
            code = cli_stopped("nothing was begun");
            break;
        }
        cli_message_about("'%s' is damaged, or no work of clup run: launch %zu: ", path, k + 1);
        if ((code = check_launch(launch)) != 0)
            break;
        cli_message_about("%s", "");
    }
    if (code == 0) {
        cli_message_about("'%s' is damaged, or no work of clup run: ", path);
        code = check_numbers(launches);
    }
    cli_message_about("%s", "");
    return code == 0 || code == CLUP_INTERRUPTED || code == CLUP_ERROR_MEMORY ? code
                                                                              : CLUP_ERROR_RUNTIME;
}

json_t *job_manifest(const char *folder, int *code)
{
    const job_path path = job_file(folder, "job.json");
    json_error_t error;
    *code = 0;
    if (access(path.text, F_OK) != 0 && errno == ENOENT)
        return json_array();
    json_t *root = job_load(path.text, JSON_REJECT_DUPLICATES, &error);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    json_t *launches = json_object_get(root, "launches");
    *code = CLUP_ERROR_RUNTIME;
    if (root == NULL)
        cli_message(0, "'%s': %s", path.text, error.text);
    else if (schema == NULL || strncmp(schema, "clup/job/", 9) != 0)
        cli_message(0, "'%s' is no manifest of clup run", path.text);
    else if (strcmp(schema, JOB_SCHEMA) != 0)
        cli_message(0, "'%s' is of a later clup: %s", path.text, schema);
    else
        *code = check_launches(path.text, launches);
    launches = *code == 0 ? json_incref(launches) : NULL;
    json_decref(root);
    return launches;
}

int job_write_manifest(const char *folder, const json_t *launches)
{
    json_t *root = json_pack("{s:s,s:s,s:O}", "schema", JOB_SCHEMA, "version", clup_version(),
                             "launches", launches);
    const int code = root != NULL ? job_write_json(job_file(folder, "job.json").text, root)
                                  : cli_fail_memory("the manifest");
    json_decref(root);
    return code;
}

#ifdef __APPLE__
#define st_mtim st_mtimespec
#endif

job_stamp job_stamp_of(const char *folder)
{
    struct stat found;
    if (stat(job_file(folder, "job.json").text, &found) != 0)
        return (job_stamp){0};
    return (job_stamp){found.st_ino, (uint64_t)found.st_size, found.st_mtim.tv_sec,
                       found.st_mtim.tv_nsec};
}
