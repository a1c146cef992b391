/* SPDX-License-Identifier: BSD-3-Clause */
/* The keys of a job file, most of which are options of the command, and their values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job/job.h"
#include "cli/message.h"

#define VALUES_MOST 4096        /* of a key */
#define TEMPERATURES_MOST 65536 /* of all lists and ranges of one key */

/* Options of commands that are not keys, and why. */
static const char of_runs[] = "it says how a run goes, see clup run --help";
static const struct foreign {
    const char *name, *why;
} foreign[] = {
    {"betas", "several temperatures are a list of values of beta"},
    {"ps", "several probabilities are a list of values of p"},
    {"steps", "all launches would write one file"},
    {"resume", "each launch goes on from a checkpoint of its own"},
    {"checkpoint", "each launch has one of its own"},
    {"between", "each launch is one process"},
    {"device", of_runs},
    {"reference", of_runs},
    {"save-every", of_runs},
    {"time-limit", of_runs},
    {"each-replica", of_runs},
    {"json", of_runs},
    {"quiet", of_runs},
    {"save-spins", of_runs},
    {"plane", of_runs},
    {"watch", of_runs},
};

/* Keys that set temperatures; a system has one of these keys. is_path: one system takes all values;
 * else each value is one system. */
static const struct temperature {
    const char *name;
    int is_path;
} temperatures[] = {
    {"beta", 0},   {"beta-ratio", 0}, {"temperature", 0}, {"tempering", 1},
    {"anneal", 1}, {"p", 0},          {"p-ratio", 0},
};
#define COUNT(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

static const struct foreign *foreign_of(const char *key)
{
    static const struct foreign numbers = {"", "the folder gives each system its number"};
    const clup_field *field = cli_field_of(&(cli_option){.name = key});
    if (field != NULL && field->part == CLUP_FIELD_NUMBERS)
        return &numbers;
    for (size_t k = 0; k < COUNT(foreign); k++)
        if (strcmp(foreign[k].name, key) == 0)
            return &foreign[k];
    return NULL;
}

static const struct temperature *temperature_of(const char *key)
{
    for (size_t k = 0; k < COUNT(temperatures); k++)
        if (strcmp(temperatures[k].name, key) == 0)
            return &temperatures[k];
    return NULL;
}

int job_is_temperature(const char *key)
{
    const struct temperature *temperature = temperature_of(key);
    return temperature != NULL && !temperature->is_path;
}

const char *job_path_key(const json_t *options)
{
    for (size_t k = 0; k < COUNT(temperatures); k++)
        if (temperatures[k].is_path && json_object_get(options, temperatures[k].name) != NULL)
            return temperatures[k].name;
    return NULL;
}

const cli_option *job_option(const job_command *command, const char *key)
{
    if (foreign_of(key) == NULL)
        for (const cli_option *option = cli_options(command->options); option->name != NULL;
             option++)
            if (strcmp(option->name, key) == 0)
                return option;
    return NULL;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Where a value stands, for messages. */
typedef struct place {
    const char *key;
    json_int_t line; /* 0 where it is not known */
} place;

static int refuse(place at, const char *what)
{
    return at.line > 0
               ? cli_usage_error("line %" JSON_INTEGER_FORMAT ": '%s' %s", at.line, at.key, what)
               : cli_usage_error("'%s' %s", at.key, what);
}

/* Returns a value as the text of an option, "" for true; NULL for a value that cannot be one. */
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

/* Appends the values of a key, or those of its list, to values as texts. */
static int add_values(place at, const json_t *value, json_t *values)
{
    const size_t count = json_is_array(value) ? json_array_size(value) : 1;
    if (count == 0)
        return refuse(at, "is an empty list");
    if (count > VALUES_MOST)
        return refuse(at, "has more than 4096 values");
    for (size_t k = 0; k < count; k++) {
        char *text = text_of(json_is_array(value) ? json_array_get(value, k) : value);
        if (text == NULL)
            return refuse(at, "is not a number, a text, true, or a list of these");
        json_array_append_new(values, json_string(text));
        free(text);
    }
    return 0;
}

/* Joins all values into one, with commas between them. */
static void join(json_t *values)
{
    size_t room = 1;
    for (size_t k = 0; k < json_array_size(values); k++)
        room += json_string_length(json_array_get(values, k)) + 1;
    char *all = malloc(room), *end = all;
    if (all == NULL)
        exit(cli_fail_memory("the values of a key"));
    for (size_t k = 0; k < json_array_size(values); k++)
        end += sprintf(end, "%s%s", k > 0 ? "," : "", json_string_value(json_array_get(values, k)));
    json_array_clear(values);
    json_array_append_new(values, json_string(all));
    free(all);
}

/* Replaces the texts of a temperature key, "FROM:TO:N" and lists among them, by numbers. */
static int numbers_of(place at, json_t *values)
{
    double *numbers = NULL;
    uint32_t count = 0;
    int code = 0;
    for (size_t k = 0; k < json_array_size(values) && code == 0; k++) {
        const char *text = json_string_value(json_array_get(values, k));
        if (cli_parse_numbers(text, &numbers, &count) != CLUP_OK)
            code = refuse(at, "is no list of numbers, nor FROM:TO:N");
        else if (count > TEMPERATURES_MOST)
            code = refuse(at, "has more than 65536 values");
    }
    json_array_clear(values);
    for (uint32_t k = 0; k < count; k++) {
        char text[64];
        snprintf(text, sizeof text, "%.17g", numbers[k]);
        json_array_append_new(values, json_string(text));
    }
    free(numbers);
    return code;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int refuse_key(place at, const job_command *command)
{
    const struct foreign *known = foreign_of(at.key);
    cli_guess guess = {0};
    char text[256];
    for (const cli_option *option = cli_options(command->options); option->name != NULL; option++)
        if (foreign_of(option->name) == NULL)
            cli_nearest(at.key, option->name, &guess);
    if (known != NULL)
        snprintf(text, sizeof text, "is no key of a job: %s", known->why);
    else
        snprintf(text, sizeof text, "is no key of a job; %s%s, see clup %s --help",
                 guess.name != NULL ? "the nearest is " : "",
                 guess.name != NULL ? guess.name : "its keys are options", command->name);
    return refuse(at, text);
}

/* Removes the other temperature keys, which the key at this place replaces. Refuses a table that
 * sets two of them. */
static int take_place(place at, const json_t *table, job_keys *keys)
{
    for (size_t k = 0; k < COUNT(temperatures); k++) {
        const char *other = temperatures[k].name;
        const json_t *beside = strcmp(other, at.key) != 0 ? json_object_get(table, other) : NULL;
        if (beside != NULL && !json_is_false(beside))
            return refuse(at, keys->command->begins == &cli_percolate
                                  ? "goes without another probability"
                                  : "goes without another temperature");
        json_object_del(keys->values, other);
    }
    return 0;
}

static int add_key(place at, const json_t *table, const json_t *value, job_keys *keys)
{
    const struct temperature *temperature = temperature_of(at.key);
    json_t *values = json_array();
    int code = 0;
    if (job_option(keys->command, at.key) == NULL)
        code = refuse_key(at, keys->command);
    else if (strcmp(at.key, "series") == 0 && !json_is_boolean(value))
        code = refuse(at, "is true or false: series have a file for each launch");
    else if (json_is_false(value))
        json_object_del(keys->values, at.key);
    else
        code = add_values(at, value, values);
    if (code == 0 && temperature != NULL && !json_is_false(value)) {
        code = take_place(at, table, keys);
        if (code == 0)
            code = numbers_of(at, values);
    }
    if (code == 0 &&
        (strcmp(at.key, "observables") == 0 || (temperature != NULL && temperature->is_path)))
        join(values);
    if (code == 0 && !json_is_false(value)) {
        json_object_set(keys->values, at.key, values);
        json_object_set_new(keys->lines, at.key, json_integer(at.line));
    }
    json_decref(values);
    return code;
}

/* Whether some command has a key. */
static int is_key(const char *key)
{
    const job_command *command;
    for (size_t row = 0; (command = job_command_at(row)) != NULL; row++)
        if (job_option(command, key) != NULL)
            return 1;
    return 0;
}

/* Adds the keys of a table; a key that is there already is replaced. Of keys for all tables, skips
 * those that are for tables of other commands. */
static int add_table(const json_t *table, const json_t *lines, int for_all, job_keys *keys)
{
    const char *key;
    json_t *value;
    int code = 0;
    json_object_foreach((json_t *)table, key, value)
    {
        const place at = {key, json_integer_value(json_object_get(lines, key))};
        if (strcmp(key, "command") == 0 ||
            (for_all && (strcmp(key, "points") == 0 ||
                         (job_option(keys->command, key) == NULL && is_key(key)))))
            continue;
        if ((code = add_key(at, table, value, keys)) != 0)
            break;
    }
    return code;
}

/* Takes the command that the table, or else the file, asks for. */
static int take_command(const job_source *source, size_t k, job_keys *keys)
{
    const json_t *table = json_array_get(json_object_get(source->keys, "points"), k),
                 *own = json_object_get(table, "command"),
                 *value = own != NULL ? own : json_object_get(source->keys, "command"),
                 *lines = json_array_get(source->lines, own != NULL ? k + 1 : 0);
    const place at = {"command", json_integer_value(json_object_get(lines, "command"))};
    const char *name = json_string_value(value);
    keys->command = name != NULL ? job_command_named(name) : job_command_at(0);
    if ((value != NULL && name == NULL) || keys->command == NULL)
        return refuse(at, "is not simulate, nor percolate");
    /* the default is what folders have that are older than the key */
    if (keys->command != job_command_at(0))
        json_object_set_new(keys->values, "command", json_pack("[s]", name));
    return 0;
}

int job_keys_of(const job_source *source, size_t k, job_keys *keys)
{
    const json_t *points = json_object_get(source->keys, "points"),
                 *table = json_array_get(points, k);
    *keys = (job_keys){json_object(), json_object(), NULL};
    if (points != NULL && !json_is_object(table))
        return cli_usage_error("'points' are tables");
    int code = take_command(source, k, keys);
    if (code == 0)
        code = add_table(source->keys, json_array_get(source->lines, 0), points != NULL, keys);
    return code == 0 ? add_table(table, json_array_get(source->lines, k + 1), 0, keys) : code;
}

void job_keys_free(job_keys *keys)
{
    json_decref(keys->values);
    json_decref(keys->lines);
    *keys = (job_keys){0};
}
