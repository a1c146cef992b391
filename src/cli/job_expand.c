/* What a job file asks for as launches: lists of values stand for all combinations, each system is
 * there once, and has the number that it was given first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"
#include "cli/message.h"

/* Options that are no part of what a system is. */
static const char *const settings[] = {"sweeps", "thermalize", "observables", "measure-every",
                                       "series"};

/* What is asked for, or not, at once: the systems of a launch at one temperature, or all of it
 * where they go from one temperature to another. */
typedef struct unit {
    size_t launch, at; /* at of its temperatures */
    int asked;
} unit;

typedef struct expansion {
    const job_source *source;
    int reference;
    json_t *launches;
    uint64_t systems; /* that the job asks for */
    json_t *index;    /* by what systems are, by temperature and number of the copy: the unit */
    json_t *texts;    /* of each launch, all that it was asked for */
    json_t *next;     /* by seed, the first number that no system has */
    unit *units;
    size_t count, room;
    job_change *change;
} expansion;

/* ---- what is there --------------------------------------------------------------------------- */

/* What a system is, but for its temperature, as a text that the caller frees; or all that was asked
 * of it. */
static char *text_of(const json_t *options, int with_settings)
{
    json_t *some = json_copy((json_t *)options);
    for (size_t k = 0; !with_settings && k < sizeof settings / sizeof *settings; k++)
        json_object_del(some, settings[k]);
    char *text = json_dumps(some, JSON_SORT_KEYS | JSON_COMPACT);
    json_decref(some);
    if (text == NULL)
        exit(cli_fail_memory("the systems of a job"));
    return text;
}

/* The units of what systems with these options are, by temperature. */
static json_t *units_of(expansion *all, const json_t *options)
{
    char *text = text_of(options, 0);
    json_t *units = json_object_get(all->index, text);
    if (units == NULL)
        json_object_set_new(all->index, text, units = json_object());
    free(text);
    return units;
}

typedef struct unit_name {
    char text[64];
} unit_name;

static unit_name name_of(double beta, unsigned copy)
{
    unit_name name;
    snprintf(name.text, sizeof name.text, copy > 0 ? "%.17g copy %u" : "%.17g", beta, copy);
    return name;
}

/* Adds a unit; where launches of one system each are copies of each other, as the next one. */
static void add_unit(expansion *all, json_t *units, double beta, unit added)
{
    char copies[64];
    snprintf(copies, sizeof copies, "%.17g copies", beta);
    const json_int_t copy = json_integer_value(json_object_get(units, copies));
    if (all->count == all->room) {
        unit *larger = realloc(all->units, (all->room = 2 * all->room + 64) * sizeof *larger);
        if (larger == NULL)
            exit(cli_fail_memory("the systems of a job"));
        all->units = larger;
    }
    json_object_set_new(units, copies, json_integer(copy + 1));
    json_object_set_new(units, name_of(beta, (unsigned)copy).text,
                        json_integer((json_int_t)all->count));
    all->units[all->count++] = added;
}

/* A temperature stands for all of a path. */
static size_t units_in(const json_t *launch)
{
    return job_path_key(json_object_get(launch, "options")) != NULL
               ? 1
               : json_array_size(json_object_get(launch, "betas"));
}

static void take_numbers(expansion *all, const json_t *launch)
{
    char seed[32];
    snprintf(seed, sizeof seed, "%" JSON_INTEGER_FORMAT,
             json_integer_value(json_object_get(launch, "seed")));
    const json_int_t end = json_integer_value(json_object_get(launch, "first_replica")) +
                           job_systems(launch);
    if (end > json_integer_value(json_object_get(all->next, seed)))
        json_object_set_new(all->next, seed, json_integer(end));
}

static void take_launch(expansion *all, size_t k)
{
    const json_t *launch = json_array_get(all->launches, k),
                 *options = json_object_get(launch, "options"),
                 *betas = json_object_get(launch, "betas");
    char *text = text_of(options, 1);
    json_t *units = units_of(all, options);
    json_array_append_new(all->texts, json_string(text));
    free(text);
    for (size_t at = 0; at < units_in(launch); at++)
        add_unit(all, units, json_number_value(json_array_get(betas, at)), (unit){k, at, 0});
    take_numbers(all, launch);
}

/* ---- what is asked for ----------------------------------------------------------------------- */

/* Some systems that are alike but for their temperature. */
typedef struct combination {
    json_t *options, *units;
    char *text;       /* of all options */
    unsigned copies;  /* of each unit */
    int shares;       /* launches have several of them */
    size_t own_first; /* the first launch that is its own */
} combination;

/* Whether a unit is there already, which is then asked for: -1, or an exit code after a message. */
static int is_there(expansion *all, const combination *own, double beta, unsigned copy)
{
    const json_t *number = json_object_get(own->units, name_of(beta, copy).text);
    if (number == NULL)
        return 0;
    unit *there = &all->units[json_integer_value(number)];
    if (strcmp(json_string_value(json_array_get(all->texts, there->launch)), own->text) != 0)
        return cli_usage_error("what is there at beta = %.17g (launch %zu) was asked for with "
                               "other sweeps or observables: take another folder",
                               beta, there->launch + 1);
    there->asked = 1;
    return -1;
}

static json_t *new_launch(const combination *own, const simulate_wish *wish, json_int_t first)
{
    const uint64_t steps = wish->schedule != NULL ? wish->steps : 1;
    json_t *launch = json_object();
    json_object_set(launch, "options", own->options);
    json_object_set_new(launch, "seed", json_integer((json_int_t)wish->seed));
    json_object_set_new(launch, "first_replica", json_integer(first));
    json_object_set_new(launch, "sites",
                        json_integer((json_int_t)clup_problem_sites(&wish->problem)));
    json_object_set_new(launch, "sweeps",
                        json_integer((json_int_t)(steps * (wish->thermalize + wish->sweeps))));
    json_object_set_new(launch, "betas", json_array());
    return launch;
}

/* Adds the temperatures of a unit to a launch. */
static void add_betas(json_t *launch, const simulate_wish *wish)
{
    json_t *betas = json_object_get(launch, "betas");
    const uint32_t each = wish->beta_count > 0 ? wish->problem.replicas / wish->beta_count : 1;
    for (uint32_t k = 0; k < wish->steps; k++)
        json_array_append_new(betas, json_real(wish->schedule[k]));
    for (uint32_t k = 0; wish->tempering && k < wish->beta_count; k++)
        json_array_append_new(betas, json_real(wish->betas[k * each]));
    if (wish->schedule == NULL && !wish->tempering)
        json_array_append_new(betas, json_real(wish->problem.beta));
}

/* Adds a unit to the last launch of the combination, or to a new one where it does not fit. */
static int add_systems(expansion *all, combination *own, const simulate_wish *wish)
{
    const uint64_t sites = clup_problem_sites(&wish->problem), replicas = simulate_replicas(wish);
    const size_t count = json_array_size(all->launches);
    json_t *last = count > own->own_first ? json_array_get(all->launches, count - 1) : NULL;
    char seed[32];
    snprintf(seed, sizeof seed, "%" JSON_INTEGER_FORMAT, (json_int_t)wish->seed);
    const json_int_t first = json_integer_value(json_object_get(all->next, seed));
    if ((uint64_t)first + replicas > JOB_SEED_SYSTEMS)
        return cli_usage_error("seed %" PRIu64 " has random numbers for 65536 systems: give some "
                               "of them another seed",
                               wish->seed);
    if (!own->shares || last == NULL || job_systems(last) + replicas > JOB_SYSTEMS ||
        (job_systems(last) + replicas) * sites > JOB_SITES) {
        json_array_append_new(all->launches, last = new_launch(own, wish, first));
        json_array_append_new(all->texts, json_string(own->text));
    }
    add_betas(last, wish);
    const size_t at = units_in(last) - 1;
    const json_t *beta = json_array_get(json_object_get(last, "betas"), at);
    add_unit(all, own->units, json_number_value(beta),
             (unit){json_array_size(all->launches) - 1, at, 1});
    take_numbers(all, last);
    all->change->added += (unsigned)replicas;
    return 0;
}

/* What systems of a combination are, by the first of its temperatures: those that cannot be
 * replicas of one simulation are launches of one system each. */
static int begin(expansion *all, combination *own, simulate_wish *wish)
{
    const uint32_t replicas = wish->problem.replicas;
    own->shares = job_wish_shares(own->options, wish) && job_path_key(own->options) == NULL;
    own->copies = 1;
    if (!own->shares && replicas > 1 && job_path_key(own->options) == NULL) {
        own->copies = replicas;
        json_object_del(own->options, "replicas");
        wish->problem.replicas = 1;
    }
    own->text = text_of(own->options, 1);
    own->units = units_of(all, own->options);
    own->own_first = json_array_size(all->launches);
    return job_wish_fits(own->options, wish);
}

/* Where there is a path the key that a unit has is its first temperature. */
static double first_beta(const simulate_wish *wish)
{
    return wish->schedule != NULL ? wish->schedule[0] : wish->problem.beta;
}

static int add_value(expansion *all, combination *own, const json_t *lines, const char *key,
                     const char *value)
{
    simulate_wish wish;
    if (job_stopped()) {
        cli_message_about("%s", "");
        return cli_stopped("nothing was begun");
    }
    int code = job_wish(own->options, lines, key, value, all->reference, &wish);
    if (code == 0 && own->text == NULL)
        code = begin(all, own, &wish);
    for (unsigned copy = 0; code == 0 && copy < own->copies; copy++) {
        code = is_there(all, own, first_beta(&wish), copy);
        if (code == 0)
            code = add_systems(all, own, &wish);
        code = code < 0 ? 0 : code;
    }
    job_wish_free(&wish);
    return code;
}

/* The systems of one combination, at all temperatures. */
static int add_combination(expansion *all, const job_keys *keys, json_t *options)
{
    combination own = {.options = options};
    const char *key, *temperature = NULL;
    json_t *values;
    int code = 0;
    json_object_foreach(keys->values, key, values)
    {
        if (job_is_temperature(key))
            temperature = key;
    }
    values = temperature != NULL ? json_object_get(keys->values, temperature) : NULL;
    const size_t count = values != NULL ? json_array_size(values) : 1;
    for (size_t k = 0; k < count && code == 0; k++)
        code = add_value(all, &own, keys->lines, temperature,
                         json_string_value(json_array_get(values, k)));
    free(own.text);
    return code;
}

/* Systems that the keys ask for, without replicas; one more than a job may have where they are as
 * many, or more. */
static uint64_t count_systems(const job_keys *keys)
{
    uint64_t count = 1;
    const char *key;
    json_t *values;
    json_object_foreach(keys->values, key, values)
    {
        const size_t size = json_array_size(values);
        count = count > JOB_SYSTEMS_MOST / size ? JOB_SYSTEMS_MOST + 1 : count * size;
    }
    return count;
}

/* The combination number k, as options by their names, without temperatures; past the last one
 * NULL. */
static json_t *options_of(const job_keys *keys, uint64_t k)
{
    json_t *options = json_object(), *values;
    const char *key;
    uint64_t count = 1;
    json_object_foreach(keys->values, key, values)
    {
        const size_t size = json_array_size(values);
        if (job_is_temperature(key))
            continue;
        json_object_set(options, key, json_array_get(values, k / count % size));
        count *= size;
    }
    if (k < count)
        return options;
    json_decref(options);
    return NULL;
}

static int add_points(expansion *all, size_t table)
{
    job_keys keys;
    json_t *options;
    int code = job_keys_of(all->source, table, &keys);
    if (code == 0 && (all->systems += count_systems(&keys)) > JOB_SYSTEMS_MOST)
        code = cli_usage_error("lists of values ask for more than %" PRIu64 " systems",
                               JOB_SYSTEMS_MOST);
    for (uint64_t k = 0; code == 0 && (options = options_of(&keys, k)) != NULL; k++) {
        code = add_combination(all, &keys, options);
        json_decref(options);
    }
    job_keys_free(&keys);
    return code;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Marks a launch by its units, of which count are there, the first being one of it. */
static void mark(expansion *all, json_t *launch, const unit *units, size_t count)
{
    json_t *dropped = json_array();
    for (size_t k = 0; k < count; k++)
        if (!units[k].asked)
            json_array_append_new(dropped, json_integer((json_int_t)units[k].at));
    const size_t missing = json_array_size(dropped);
    const int asked = missing < count;
    all->change->missing += (unsigned)(missing * (job_systems(launch) / count));
    all->change->differs |= asked != job_asked(launch);
    if (asked)
        json_object_del(launch, "asked");
    else
        json_object_set_new(launch, "asked", json_false());
    if (asked && missing > 0)
        json_object_set(launch, "dropped", dropped);
    json_decref(dropped);
}

static int expand(expansion *all)
{
    const json_t *points = json_object_get(all->source->keys, "points");
    const size_t tables = json_is_array(points) ? json_array_size(points) : 1;
    int code = 0;
    if (points != NULL && (!json_is_array(points) || tables == 0))
        return cli_usage_error("'points' is a list of tables");
    for (size_t k = 0; k < json_array_size(all->launches); k++)
        take_launch(all, k);
    for (size_t k = 0; k < tables && code == 0; k++)
        code = add_points(all, k);
    for (size_t k = 0, count; k < all->count && code == 0; k += count) {
        for (count = 1;
             k + count < all->count && all->units[k + count].launch == all->units[k].launch;
             count++)
            ;
        mark(all, json_array_get(all->launches, all->units[k].launch), all->units + k, count);
    }
    all->change->differs |= all->change->added > 0;
    return code;
}

int job_expand(const job_source *source, int reference, json_t *launches, job_change *change)
{
    expansion all = {.source = source,
                     .reference = reference,
                     .launches = launches,
                     .index = json_object(),
                     .texts = json_array(),
                     .next = json_object(),
                     .change = change};
    *change = (job_change){0};
    cli_message_about("%s: ", source->path);
    const int code = expand(&all);
    cli_message_about("%s", "");
    json_decref(all.index);
    json_decref(all.texts);
    json_decref(all.next);
    free(all.units);
    return code;
}
