/* The table of a job: a row for each system that is done. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/job.h"
#include "cli/message.h"
#include "clup.h"

/* A word of the table has fewer bytes. */
#define WORD 80

/* Text that grows; NULL once there was no memory. */
typedef struct growing {
    char *text;
    size_t size, room;
} growing;

static void add(growing *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(growing *to, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (to->text != NULL && to->size + (size_t)length + 1 > to->room) {
        char *larger = realloc(to->text, to->room = 2 * to->room + (size_t)length + 1);
        if (larger == NULL)
            free(to->text);
        to->text = larger;
    }
    if (to->text != NULL) {
        vsnprintf(to->text + to->size, (size_t)length + 1, format, again);
        to->size += (size_t)length;
    }
    va_end(again);
}

/* What a result has of a system; a run of one has no list of them. */
static const json_t *system_of(const json_t *result, size_t r)
{
    const json_t *systems = json_object_get(result, "replicas");
    return systems != NULL ? json_array_get(systems, r) : r == 0 ? result : NULL;
}

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static void add_number(growing *to, const json_t *estimate, const char *key)
{
    const json_t *number = json_object_get(estimate, key);
    if (json_is_number(number))
        add(to, ",%.17g", json_number_value(number));
    else
        add(to, ",");
}

static void add_system(growing *to, size_t k, const json_t *launch, const json_t *result, size_t r,
                       const json_t *names)
{
    const json_t *system = system_of(result, r), *problem = json_object_get(result, "problem"),
                 *size = json_object_get(problem, "size"), *beta = json_object_get(system, "beta");
    const char *name;
    const json_t *any;
    add(to, "%zu,%zu,%s,", k + 1,
        (size_t)json_integer_value(json_object_get(launch, "first_replica")) + r,
        text_at(problem, "lattice"));
    for (size_t axis = 0; axis < json_array_size(size); axis++)
        add(to, "%s%" JSON_INTEGER_FORMAT, axis > 0 ? "x" : "",
            json_integer_value(json_array_get(size, axis)));
    add(to, ",%" JSON_INTEGER_FORMAT ",%.17g,%" JSON_INTEGER_FORMAT ",%" JSON_INTEGER_FORMAT ",%s",
        json_integer_value(json_object_get(problem, "q")),
        json_number_value(beta != NULL ? beta : json_object_get(problem, "beta")),
        json_integer_value(json_object_get(result, "seed")),
        json_integer_value(json_object_get(result, "sweeps")), text_at(system, "spins_sha256"));
    json_object_foreach((json_t *)names, name, any)
    {
        const json_t *estimate = json_object_get(json_object_get(system, "observables"), name);
        add_number(to, estimate, "mean");
        add_number(to, estimate, "error");
        add_number(to, estimate, "tau_int");
    }
    add(to, "\n");
}

/* The observables that some system has, as keys. */
static void add_names(json_t *names, const json_t *result)
{
    const json_t *system;
    for (size_t r = 0; (system = system_of(result, r)) != NULL; r++) {
        const char *name;
        json_t *estimate;
        json_object_foreach(json_object_get(system, "observables"), name, estimate)
        {
            if (json_is_number(json_object_get(estimate, "mean")))
                json_object_set_new(names, name, json_true());
        }
    }
}

/* Whether a text can be a word of the table, which has no quotes: those that clup writes can. */
static int is_word(const char *text)
{
    size_t length = 0;
    for (; text[length] != '\0'; length++)
        if ((unsigned char)text[length] <= ' ' || text[length] == 0x7f ||
            strchr(",\"", text[length]) != NULL)
            return 0;
    return length < WORD;
}

/* Whether all keys in a result are words, and so are the texts that the table has of it. */
static int is_result(const json_t *value)
{
    const char *key;
    json_t *inner;
    size_t k;
    json_object_foreach((json_t *)value, key, inner)
    {
        const int in_table = strcmp(key, "lattice") == 0 || strcmp(key, "spins_sha256") == 0;
        if (!is_word(key) || !is_result(inner) ||
            (in_table && json_is_string(inner) && !is_word(json_string_value(inner))))
            return 0;
    }
    json_array_foreach(value, k, inner)
    {
        if (!is_result(inner))
            return 0;
    }
    return 1;
}

int job_write_table(const char *folder, const json_t *launches)
{
    json_t *names = json_object(), *results = json_array(), *any;
    growing to = {malloc(1024), 0, 1024};
    const char *name;
    int code = 0;
    for (size_t k = 0; k < json_array_size(launches); k++) {
        json_t *result = NULL;
        job_state_of(folder, k, &result);
        if (result != NULL && (!json_is_object(result) || !is_result(result))) {
            cli_message(0, "'%s' is no result of clup simulate",
                        job_launch_file(folder, k, ".json").text);
            code = CLUP_ERROR_RUNTIME;
        } else if (result != NULL)
            add_names(names, result);
        json_array_append_new(results, result != NULL ? result : json_null());
    }
    add(&to, "launch,replica,lattice,size,q,beta,seed,sweeps,spins_sha256");
    json_object_foreach(names, name, any)
    {
        add(&to, ",%s,%s_error,%s_tau_int", name, name, name);
    }
    add(&to, "\n");
    for (size_t k = 0; k < json_array_size(launches); k++)
        for (size_t r = 0; system_of(json_array_get(results, k), r) != NULL &&
                           json_is_object(json_array_get(results, k));
             r++)
            add_system(&to, k, json_array_get(launches, k), json_array_get(results, k), r, names);
    if (code == 0)
        code = to.text == NULL ? cli_fail_memory("the table")
                               : job_write(job_file(folder, "table.csv").text, to.text, to.size);
    free(to.text);
    json_decref(names);
    json_decref(results);
    return code;
}
