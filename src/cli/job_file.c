/* What a job file asks for: its keys are the options of clup simulate, lists of values stand for
 * all combinations. */
#include "cli/job.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job_toml.h"
#include "cli/message.h"
#include "cli/paths.h"
#include "cli/simulate.h"

#define VALUES_MOST 4096 /* of a key */

/* Options that say how a run goes, or where its results are: those of clup run, or of no use. */
static const char *const of_runs[] = {
    "device",     "reference", "series",         "checkpoint",    "save-every", "time-limit",
    "json",       "quiet",     "save-spins",     "first-replica", "betas",      "tempering",
    "swap-every", "anneal",    "tempering-tune", "population"};
/* Options that are no part of what a system is. */
static const char *const settings[] = {"sweeps", "thermalize", "observables", "measure-every",
                                       "series"};
/* Those that say the temperature. */
static const char *const betas[] = {"beta", "beta-ratio", "temperature"};
#define IN(LIST, NAME) in(LIST, sizeof(LIST) / sizeof *(LIST), NAME)

static int in(const char *const *list, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(list[k], name) == 0)
            return 1;
    return 0;
}

/* ---- the file -------------------------------------------------------------------------------- */

static json_t *read_toml(const char *path, int *code)
{
    char error[512] = "", *lines;
    json_t *job = NULL;
    char *text = job_toml(path, &lines, error, sizeof error);
    if (text != NULL && (job = json_loads(text, 0, NULL)) == NULL)
        snprintf(error, sizeof error, "a value that JSON does not have");
    free(text);
    free(lines);
    *code = job != NULL ? 0 : cli_usage_error("%s: %s", path, error);
    return job;
}

static json_t *read_json(const char *path, int *code)
{
    json_error_t error;
    json_t *job = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (job != NULL && !json_is_object(job)) {
        json_decref(job);
        *code = cli_usage_error("%s: a job is an object", path);
        return NULL;
    }
    *code = job == NULL && error.line > 0
                ? cli_usage_error("%s: line %d: %s", path, error.line, error.text)
            : job == NULL ? cli_usage_error("%s: %s", path, error.text)
                          : 0;
    return job;
}

json_t *job_read(const char *path, int *code)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        cli_message(0, "cannot read '%s': %m", path);
        *code = CLUP_ERROR_RUNTIME;
        return NULL;
    }
    fclose(file);
    return cli_has_extension(path, ".json") ? read_json(path, code) : read_toml(path, code);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Where it stands, for messages. */
typedef struct place {
    const char *path, *key;
} place;

static int refuse(place at, const char *what)
{
    return cli_usage_error("%s: '%s' %s", at.path, at.key, what);
}

/* A value as the text of an option, "" for true: NULL for what cannot be one. */
static char *text_of(const json_t *value)
{
    char text[64];
    if (json_is_string(value))
        return strdup(json_string_value(value));
    if (json_is_true(value))
        return strdup("");
    if (json_is_integer(value))
        snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, sizeof text, "%.17g", json_real_value(value));
    else
        return NULL;
    return strdup(text);
}

/* The values of a key, those of a list, as an array of texts: 0, or an exit code after a message.
 */
static int values_of(place at, const json_t *value, json_t **out)
{
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    json_t *values = json_array();
    *out = values;
    if (count == 0)
        return refuse(at, "is an empty list");
    if (count > VALUES_MOST)
        return refuse(at, "has too many values");
    if (json_is_false(value))
        return 0;
    for (size_t k = 0; k < count; k++) {
        char *text = text_of(json_is_array(value) ? json_array_get(value, k) : value);
        if (text == NULL)
            return refuse(at, "is not a number, a text, true, or a list of these");
        json_array_append_new(values, json_string(text));
        free(text);
    }
    return 0;
}

/* Names in a list are all asked for at once. */
static void join(json_t *values)
{
    char all[4096] = "";
    for (size_t k = 0; k < json_array_size(values); k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k > 0 ? "," : "",
                 json_string_value(json_array_get(values, k)));
    json_array_clear(values);
    json_array_append_new(values, json_string(all));
}

/* Numbers of a temperature, "FROM:TO:N" and lists among them, instead of texts. */
static int numbers_of(place at, json_t *values)
{
    double *numbers = NULL;
    uint32_t count = 0;
    int code = 0;
    for (size_t k = 0; k < json_array_size(values) && code == 0; k++)
        if (cli_parse_numbers(json_string_value(json_array_get(values, k)), &numbers, &count) !=
            CLUP_OK)
            code = refuse(at, "is no list of numbers, nor FROM:TO:N");
    json_array_clear(values);
    for (uint32_t k = 0; k < count; k++) {
        char text[64];
        snprintf(text, sizeof text, "%.17g", numbers[k]);
        json_array_append_new(values, json_string(text));
    }
    free(numbers);
    return code;
}

static const cli_option *option_named(const char *name)
{
    for (const cli_option *option = simulate_options; option->name != NULL; option++)
        if (strcmp(option->name, name) == 0)
            return option;
    return NULL;
}

static int refuse_key(place at)
{
    cli_guess guess = {0};
    char text[256];
    if (IN(of_runs, at.key))
        return refuse(at, "is no key of a job: it says how a run goes, see clup run --help");
    for (const cli_option *option = simulate_options; option->name != NULL; option++)
        if (!IN(of_runs, option->name))
            cli_nearest(at.key, option->name, &guess);
    snprintf(text, sizeof text, "is no key of a job; %s%s, see clup simulate --help",
             guess.name != NULL ? "the nearest is " : "",
             guess.name != NULL ? guess.name : "its keys are options");
    return refuse(at, text);
}

/* Puts the keys of one table into all, as arrays of texts. */
static int add_table(const char *path, const json_t *table, json_t *all)
{
    const char *key;
    json_t *value;
    int code = 0;
    json_object_foreach((json_t *)table, key, value)
    {
        const place at = {path, key};
        json_t *values = NULL;
        if (strcmp(key, "points") == 0)
            continue;
        if (option_named(key) == NULL || (IN(of_runs, key) && strcmp(key, "series") != 0))
            return refuse_key(at);
        if (strcmp(key, "series") == 0 && !json_is_boolean(value))
            return refuse(at, "is true or false: series have a file for each launch");
        if ((code = values_of(at, value, &values)) == 0 && strcmp(key, "observables") == 0)
            join(values);
        if (code == 0 && IN(betas, key)) {
            /* one of them takes the place of another one */
            for (size_t k = 0; k < sizeof betas / sizeof *betas; k++)
                if (strcmp(betas[k], key) != 0 && json_object_get(table, betas[k]) != NULL)
                    code = refuse(at, "goes without another temperature");
                else
                    json_object_del(all, betas[k]);
            if (code == 0)
                code = numbers_of(at, values);
        }
        json_object_set_new(all, key, values);
        if (code != 0)
            return code;
    }
    return 0;
}

/* ---- combinations ---------------------------------------------------------------------------- */

/* One of them, that of number k: as options by their names, without temperatures; the number of
 * combinations where k is past the last. */
static size_t combination(const json_t *all, size_t k, json_t *options)
{
    size_t count = 1;
    const char *key;
    json_t *values;
    json_object_foreach((json_t *)all, key, values)
    {
        const size_t size = json_array_size(values);
        if (IN(betas, key) || size == 0)
            continue;
        json_object_set(options, key, json_array_get(values, k / count % size));
        count *= size;
    }
    return count;
}

/* What the options ask for, at a temperature, in wish: 0, or an exit code after a message. */
static int wish_of(const char *path, const json_t *options, const char *key, const char *value,
                   simulate_wish *wish)
{
    const char *name;
    const json_t *text;
    int code = 0;
    *wish = (simulate_wish)SIMULATE_WISH;
    json_object_foreach((json_t *)options, name, text)
    {
        char called[4200];
        const cli_option *option = option_named(name);
        const char *asked = json_string_value(text);
        const int flag = option->argument == NULL;
        snprintf(called, sizeof called, "%s: %s", path, name);
        if (strcmp(name, "series") == 0)
            continue;
        if (flag != (asked[0] == '\0'))
            return cli_usage_error("%s %s", called,
                                   flag ? "is true or false" : "is no flag: it has a value");
        if ((code = cli_set(option, wish, flag ? NULL : asked, called)) != 0)
            return code;
    }
    if (wish->seed_kind == SEED_RANDOM)
        return cli_usage_error("%s: seed 'random' would be another one each time", path);
    if (key != NULL) {
        char called[4200];
        snprintf(called, sizeof called, "%s: %s", path, key);
        if ((code = cli_set(option_named(key), wish, value, called)) != 0)
            return code;
    }
    return simulate_settle(wish);
}

/* What a system is, but for its temperature, as a text; or all that was asked of it. */
static char *text_of_options(const json_t *options, int with_settings)
{
    const char *name;
    const json_t *value;
    json_t *some = json_object();
    json_object_foreach((json_t *)options, name, value)
    {
        if (with_settings || !IN(settings, name))
            json_object_set(some, name, (json_t *)value);
    }
    char *text = json_dumps(some, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(some);
    return text;
}

static int same_text(const json_t *a, const json_t *b, int with_settings)
{
    char *left = text_of_options(a, with_settings), *right = text_of_options(b, with_settings);
    const int same = strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

unsigned job_systems(const json_t *launch)
{
    const char *replicas = job_value(launch, "replicas");
    return (unsigned)json_array_size(json_object_get(launch, "betas")) *
           (replicas != NULL ? (unsigned)atoi(replicas) : 1);
}

double job_work(const json_t *launch)
{
    return json_number_value(json_object_get(launch, "sites")) * job_systems(launch) *
           json_number_value(json_object_get(launch, "sweeps"));
}

const char *job_value(const json_t *launch, const char *option)
{
    return json_string_value(json_object_get(json_object_get(launch, "options"), option));
}

/* ---- launches -------------------------------------------------------------------------------- */

/* The first number that no system of the seed has. */
static unsigned next_replica(const json_t *launches, uint64_t seed)
{
    unsigned next = 0;
    size_t k;
    json_t *launch;
    json_array_foreach((json_t *)launches, k, launch)
    {
        if ((uint64_t)json_integer_value(json_object_get(launch, "seed")) == seed)
            next = (unsigned)json_integer_value(json_object_get(launch, "first_replica")) +
                   job_systems(launch);
    }
    return next;
}

/* Marks a temperature of a launch as asked for. */
static void mark(json_t *launch, size_t at)
{
    json_t *asked = json_object_get(launch, "asked");
    if (asked == NULL)
        json_object_set_new(launch, "asked", asked = json_object());
    char text[32];
    snprintf(text, sizeof text, "%zu", at);
    json_object_set_new(asked, text, json_true());
}

/* Whether a launch has a system already: -1, or an exit code after a message. */
static int is_there(const char *path, json_t *launches, const json_t *options, double beta)
{
    size_t k, at;
    json_t *launch, *there;
    json_array_foreach(launches, k, launch)
    {
        const json_t *own = json_object_get(launch, "options");
        if (!same_text(own, options, 0))
            continue;
        json_array_foreach(json_object_get(launch, "betas"), at, there)
        {
            if (json_number_value(there) != beta)
                continue;
            if (!same_text(own, options, 1))
                return cli_usage_error("%s: what the folder has at beta = %.17g (launch %zu) was "
                                       "asked for with other sweeps or observables: take another "
                                       "folder",
                                       path, beta, k + 1);
            mark(launch, at);
            return -1;
        }
    }
    return 0;
}

/* Adds a system to the last launch, or to a new one where it does not fit. */
static int add_system(const char *path, json_t *launches, const json_t *options,
                      const simulate_wish *wish)
{
    const uint64_t sites = clup_problem_sites(&wish->problem),
                   replicas = wish->problem.replicas > 0 ? wish->problem.replicas : 1;
    json_t *last = json_array_get(launches, json_array_size(launches) - 1);
    const int fits = last != NULL && json_object_get(last, "new") != NULL &&
                     same_text(json_object_get(last, "options"), options, 1) &&
                     job_systems(last) + replicas <= JOB_SYSTEMS &&
                     (job_systems(last) + replicas) * sites <= JOB_SITES;
    const unsigned next = next_replica(launches, wish->seed);
    if (next + replicas > 65536)
        return cli_usage_error("%s: seed %" PRIu64 " has random numbers for 65536 systems: give "
                               "some of them another seed",
                               path, wish->seed);
    if (!fits) {
        last = json_object();
        json_object_set(last, "options", (json_t *)options);
        json_object_set_new(last, "seed", json_integer((json_int_t)wish->seed));
        json_object_set_new(last, "first_replica", json_integer(next));
        json_object_set_new(last, "sites", json_integer((json_int_t)sites));
        json_object_set_new(last, "sweeps",
                            json_integer((json_int_t)(wish->thermalize + wish->sweeps)));
        json_object_set_new(last, "betas", json_array());
        json_object_set_new(last, "new", json_true());
        json_array_append_new(launches, last);
    }
    json_t *there = json_object_get(last, "betas");
    json_array_append_new(there, json_real(wish->problem.beta));
    mark(last, json_array_size(there) - 1);
    return 0;
}

/* Adds the systems of one combination. */
static int add_combination(const char *path, const json_t *all, const json_t *options,
                           json_t *launches, unsigned *added)
{
    const char *key = NULL;
    for (size_t k = 0; k < sizeof betas / sizeof *betas; k++)
        if (json_object_get(all, betas[k]) != NULL)
            key = betas[k];
    const json_t *values = key != NULL ? json_object_get(all, key) : NULL;
    const size_t count = values != NULL ? json_array_size(values) : 1;
    int code = 0;
    for (size_t k = 0; k < count && code == 0; k++) {
        simulate_wish wish;
        code = wish_of(path, options, key,
                       key != NULL ? json_string_value(json_array_get(values, k)) : NULL, &wish);
        if (code == 0 && isinf(wish.problem.beta))
            code = cli_usage_error("%s: a job has finite temperatures", path);
        if (code == 0)
            code = is_there(path, launches, options, wish.problem.beta);
        if (code == 0 && (code = add_system(path, launches, options, &wish)) == 0)
            ++*added;
        free(wish.betas);
        code = code < 0 ? 0 : code;
    }
    return code;
}

static int add_points(const char *path, const json_t *job, const json_t *table, json_t *launches,
                      unsigned *added)
{
    json_t *all = json_object();
    int code = add_table(path, job, all);
    if (code == 0 && table != NULL)
        code = json_is_object(table) ? add_table(path, table, all)
                                     : cli_usage_error("%s: 'points' are tables", path);
    json_t *none = json_object();
    const size_t count = code == 0 ? combination(all, 0, none) : 0;
    json_decref(none);
    for (size_t k = 0; k < count && code == 0; k++) {
        json_t *options = json_object();
        combination(all, k, options);
        code = add_combination(path, all, options, launches, added);
        json_decref(options);
    }
    json_decref(all);
    return code;
}

int job_expand(const char *path, const json_t *job, json_t *launches, unsigned *added,
               unsigned *missing)
{
    const json_t *points = json_object_get(job, "points");
    const size_t tables = json_is_array(points) ? json_array_size(points) : 1;
    size_t k;
    json_t *launch;
    int code = 0;
    *added = *missing = 0;
    if (points != NULL && (!json_is_array(points) || tables == 0))
        return cli_usage_error("%s: 'points' is a list of tables", path);
    for (k = 0; k < tables && code == 0; k++)
        code = add_points(path, job, json_array_get(points, k), launches, added);
    json_array_foreach(launches, k, launch)
    {
        *missing += (unsigned)(json_array_size(json_object_get(launch, "betas")) -
                               json_object_size(json_object_get(launch, "asked")));
        json_object_del(launch, "asked");
        json_object_del(launch, "new");
    }
    return code;
}
