/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes launches of a job file: lists of values stand for all combinations. Each system occurs
 * once, and keeps the number that it was given first. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job/index.h"
#include "cli/message.h"

typedef struct expansion {
    const job_source *source;
    int reference;
    job_index index;
    uint64_t systems; /* that the job asks for */
    job_change *change;
} expansion;

/* ---- what is asked for ----------------------------------------------------------------------- */

/* Systems that differ in temperature and copy alone. */
typedef struct combination {
    json_t *options, *kind;
    char *text;       /* all options as text */
    unsigned copies;  /* of each unit */
    int shares;       /* whether a launch can have several of the systems */
    size_t own_first; /* the first launch that this combination added */
} combination;

/* Marks a unit that exists already as asked for. Returns -1 when it did, 0 when there is no such
 * unit, or an exit code after a message. */
static int is_there(expansion *all, const combination *own, double beta, unsigned copy)
{
    job_unit *there = job_index_find(&all->index, own->kind, beta, copy);
    const job_command *command = job_command_of(own->options);
    if (there == NULL)
        return 0;
    if (strcmp(job_index_text(&all->index, there->launch), own->text) != 0)
        return cli_usage_error("what is there at %s = %.17g (launch %zu) was asked for with "
                               "other %s: take another folder",
                               command->symbol, beta, there->launch + 1,
                               command->begins == &cli_percolate ? "samples"
                                                                 : "sweeps or observables");
    there->asked = 1;
    return -1;
}

static json_t *new_launch(const combination *own, const job_wish *wish, json_int_t first)
{
    const simulate_request *request = &wish->asked.system;
    json_t *launch = json_object();
    json_object_set(launch, "options", own->options);
    json_object_set_new(launch, "seed", json_integer((json_int_t)request->seed));
    json_object_set_new(launch, "first_replica", json_integer(first));
    json_object_set_new(launch, "sites",
                        json_integer((json_int_t)clup_problem_sites(&request->problem)));
    json_object_set_new(launch, "sweeps", json_integer((json_int_t)wish->sweeps));
    json_object_set_new(launch, "betas", json_array());
    return launch;
}

/* Whether a launch has room for a unit more. Samples that are drawn bond by bond are the same at
 * all probabilities, so that more of these cost little. */
static int has_room(const json_t *launch, const job_wish *wish)
{
    const uint64_t sites = clup_problem_sites(&wish->asked.system.problem),
                   systems = job_systems(launch) + wish->systems;
    return systems <= JOB_SYSTEMS && (wish->asked.curves || systems * sites <= JOB_SITES);
}

/* Adds a unit to the last launch of the combination, or to a new launch when it does not fit
 * there. */
static int add_systems(expansion *all, const combination *own, const job_wish *wish)
{
    const uint64_t seed = wish->asked.system.seed;
    const size_t count = json_array_size(all->index.launches);
    json_t *last = count > own->own_first ? json_array_get(all->index.launches, count - 1) : NULL;
    const json_int_t first = job_index_next(&all->index, (json_int_t)seed);
    if ((uint64_t)first + wish->systems > JOB_SEED_SYSTEMS)
        return cli_usage_error("seed %" PRIu64 " has random numbers for 65536 systems: give some "
                               "of them another seed",
                               seed);
    if (!own->shares || last == NULL || !has_room(last, wish))
        job_index_launch(&all->index, last = new_launch(own, wish, first), own->text);
    for (size_t k = 0; k < wish->count; k++)
        json_array_append_new(json_object_get(last, "betas"), json_real(wish->values[k]));
    job_index_unit(&all->index, own->kind);
    all->change->added += wish->systems;
    return 0;
}

/* Decides what the launches of a combination are, by its first temperature: systems that cannot be
 * replicas of one simulation get launches of one system each. */
static int begin(expansion *all, combination *own, job_wish *wish)
{
    const uint32_t systems = wish->systems;
    own->shares = job_wish_shares(own->options, wish) && job_path_key(own->options) == NULL;
    own->copies = 1;
    if (!own->shares && systems > 1 && job_path_key(own->options) == NULL) {
        own->copies = systems;
        json_object_del(own->options, "replicas");
        wish->systems = wish->asked.system.problem.replicas = 1;
    }
    own->text = job_text_of(own->options, 1);
    own->kind = job_index_kind(&all->index, own->options);
    own->own_first = json_array_size(all->index.launches);
    return job_wish_fits(own->options, wish);
}

static int add_value(expansion *all, combination *own, const json_t *lines, const char *key,
                     const char *value)
{
    job_wish wish;
    if (job_stopped()) {
        cli_message_about("%s", "");
        return cli_stopped("nothing was begun");
    }
    int code = job_wish_of(own->options, lines, key, value, all->reference, &wish);
    if (code == 0 && own->text == NULL)
        code = begin(all, own, &wish);
    for (unsigned copy = 0; code == 0 && copy < own->copies; copy++) {
        code = is_there(all, own, wish.values[0], copy);
        if (code == 0)
            code = add_systems(all, own, &wish);
        code = code < 0 ? 0 : code;
    }
    job_wish_free(&wish);
    return code;
}

/* Adds the systems of one combination, at all temperatures. */
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

/* Counts the systems that the keys ask for, without replicas. Returns the limit of a job plus one
 * when there are more. */
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

/* Combination number k, as options by name, without temperatures; NULL past the last. */
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

/* Marks a launch by its units: first is the first unit, count the number of all. */
static void mark(expansion *all, json_t *launch, const job_unit *units, size_t count)
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
    for (size_t k = 0; k < tables && code == 0; k++)
        code = add_points(all, k);
    const job_unit *units = all->index.units;
    for (size_t k = 0, count; k < all->index.count && code == 0; k += count) {
        for (count = 1; k + count < all->index.count && units[k + count].launch == units[k].launch;
             count++)
            ;
        mark(all, json_array_get(all->index.launches, units[k].launch), units + k, count);
    }
    all->change->differs |= all->change->added > 0;
    return code;
}

int job_expand(const job_source *source, int reference, json_t *launches, job_change *change)
{
    expansion all = {.source = source,
                     .reference = reference,
                     .index = job_index_of(launches),
                     .change = change};
    *change = (job_change){0};
    cli_message_about("%s: ", source->path);
    const int code = expand(&all);
    cli_message_about("%s", "");
    job_index_free(&all.index);
    return code;
}
