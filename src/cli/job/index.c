/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/job/index.h"

#include <stdio.h>
#include <stdlib.h>

/* Options that do not decide what a system is. */
static const char *const settings[] = {"sweeps",        "thermalize", "until",  "observables",
                                       "measure-every", "series",     "samples"};

char *job_text_of(const json_t *options, int with_settings)
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

json_t *job_index_kind(job_index *index, const json_t *options)
{
    char *text = job_text_of(options, 0);
    json_t *kind = json_object_get(index->kinds, text);
    if (kind == NULL)
        json_object_set_new(index->kinds, text, kind = json_object());
    free(text);
    return kind;
}

/* ---- units ----------------------------------------------------------------------------------- */

typedef struct unit_name {
    char text[64];
} unit_name;

static unit_name name_of(double beta, unsigned copy)
{
    unit_name name;
    snprintf(name.text, sizeof name.text, copy > 0 ? "%.17g copy %u" : "%.17g", beta, copy);
    return name;
}

job_unit *job_index_find(const job_index *index, const json_t *kind, double beta, unsigned copy)
{
    const json_t *number = json_object_get(kind, name_of(beta, copy).text);
    return number != NULL ? &index->units[json_integer_value(number)] : NULL;
}

/* Adds a unit. When launches of one system each have equal systems, the unit gets the next number
 * of a copy. */
static void add_unit(job_index *index, json_t *kind, double beta, job_unit added)
{
    char copies[64];
    snprintf(copies, sizeof copies, "%.17g copies", beta);
    const json_int_t copy = json_integer_value(json_object_get(kind, copies));
    if (index->count == index->room) {
        index->room = 2 * index->room + 64;
        job_unit *larger = realloc(index->units, index->room * sizeof *larger);
        if (larger == NULL)
            exit(cli_fail_memory("the systems of a job"));
        index->units = larger;
    }
    json_object_set_new(kind, copies, json_integer(copy + 1));
    json_object_set_new(kind, name_of(beta, (unsigned)copy).text,
                        json_integer((json_int_t)index->count));
    index->units[index->count++] = added;
}

/* The number of units of a launch: 1 for a path, else one for each temperature. */
static size_t units_in(const json_t *launch)
{
    return job_path_key(json_object_get(launch, "options")) != NULL
               ? 1
               : json_array_size(json_object_get(launch, "betas"));
}

static void add_temperature(job_index *index, json_t *kind, size_t k, size_t at, int asked)
{
    const json_t *betas = json_object_get(json_array_get(index->launches, k), "betas");
    add_unit(index, kind, json_number_value(json_array_get(betas, at)), (job_unit){k, at, asked});
}

/* ---- numbers --------------------------------------------------------------------------------- */

json_int_t job_index_next(const job_index *index, json_int_t seed)
{
    char text[32];
    snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, seed);
    return json_integer_value(json_object_get(index->next, text));
}

static void take_numbers(job_index *index, const json_t *launch)
{
    const json_int_t seed = json_integer_value(json_object_get(launch, "seed")),
                     end = json_integer_value(json_object_get(launch, "first_replica")) +
                           job_systems(launch);
    char text[32];
    snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, seed);
    if (end > job_index_next(index, seed))
        json_object_set_new(index->next, text, json_integer(end));
}

/* ---- launches -------------------------------------------------------------------------------- */

const char *job_index_text(const job_index *index, size_t launch)
{
    return json_string_value(json_array_get(index->texts, launch));
}

void job_index_launch(job_index *index, json_t *launch, const char *text)
{
    json_array_append_new(index->launches, launch);
    json_array_append_new(index->texts, json_string(text));
}

void job_index_unit(job_index *index, json_t *kind)
{
    const size_t last = json_array_size(index->launches) - 1;
    const json_t *launch = json_array_get(index->launches, last);
    add_temperature(index, kind, last, units_in(launch) - 1, 1);
    take_numbers(index, launch);
}

job_index job_index_of(json_t *launches)
{
    job_index index = {
        .launches = launches, .kinds = json_object(), .texts = json_array(), .next = json_object()};
    for (size_t k = 0; k < json_array_size(launches); k++) {
        const json_t *launch = json_array_get(launches, k),
                     *options = json_object_get(launch, "options");
        char *text = job_text_of(options, 1);
        json_t *kind = job_index_kind(&index, options);
        json_array_append_new(index.texts, json_string(text));
        free(text);
        for (size_t at = 0; at < units_in(launch); at++)
            add_temperature(&index, kind, k, at, 0);
        take_numbers(&index, launch);
    }
    return index;
}

void job_index_free(job_index *index)
{
    json_decref(index->kinds);
    json_decref(index->texts);
    json_decref(index->next);
    free(index->units);
    *index = (job_index){0};
}
