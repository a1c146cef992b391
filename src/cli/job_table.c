/* The table of a job: a row for each system that is done. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/job.h"
#include "clup.h"

/* Text that grows; NULL once there was no memory. */
typedef struct growing {
    char *text;
    size_t size, room;
} growing;

static void add(growing *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(growing *to, const char *format, ...)
{
    char piece[512];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (to->text == NULL)
        return;
    if (to->size + (size_t)length + 1 > to->room) {
        char *larger = realloc(to->text, to->room = 2 * to->room + (size_t)length + 1);
        if (larger == NULL)
            free(to->text);
        to->text = larger;
        if (larger == NULL)
            return;
    }
    memcpy(to->text + to->size, piece, (size_t)length + 1);
    to->size += (size_t)length;
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

/* What rows of annealing have besides observables, in this order behind them. */
static const char *const of_steps[] = {"step", "ln_z", "ln_z_error", "families", "rho"};
#define OF_STEPS (sizeof of_steps / sizeof *of_steps)

/* An observable of a row; a population has means and errors of its energy alone. */
static void add_observable(growing *to, const json_t *row, const char *name)
{
    const json_t *estimate = json_object_get(json_object_get(row, "observables"), name);
    if (json_is_number(json_object_get(row, name))) {
        add_number(to, row, name);
        add_number(to, row, "error");
        add(to, ",");
        return;
    }
    add_number(to, estimate, "mean");
    add_number(to, estimate, "error");
    add_number(to, estimate, "tau_int");
}

/* The number of a row's system, which a population does not have. */
static void add_replica(growing *to, const json_t *launch, const json_t *row)
{
    const json_t *replica = json_object_get(row, "replica");
    if (replica == NULL && json_object_get(row, "families") == NULL)
        replica = json_object_get(launch, "first_replica");
    if (json_is_integer(replica))
        add(to, "%" JSON_INTEGER_FORMAT, json_integer_value(replica));
}

static void add_row(growing *to, size_t k, const json_t *launch, const json_t *result,
                    const json_t *row, const json_t *names)
{
    const json_t *problem = json_object_get(result, "problem"),
                 *size = json_object_get(problem, "size"), *beta = json_object_get(row, "beta");
    const char *name;
    const json_t *any;
    add(to, "%zu,", k + 1);
    add_replica(to, launch, row);
    add(to, ",%s,", text_at(problem, "lattice"));
    for (size_t axis = 0; axis < json_array_size(size); axis++)
        add(to, "%s%" JSON_INTEGER_FORMAT, axis > 0 ? "x" : "",
            json_integer_value(json_array_get(size, axis)));
    add(to, ",%" JSON_INTEGER_FORMAT ",%.17g,%" JSON_INTEGER_FORMAT ",%" JSON_INTEGER_FORMAT ",%s",
        json_integer_value(json_object_get(problem, "q")),
        json_number_value(beta != NULL ? beta : json_object_get(problem, "beta")),
        json_integer_value(json_object_get(result, "seed")),
        json_integer_value(json_object_get(result, "sweeps")), text_at(row, "spins_sha256"));
    json_object_foreach((json_t *)json_object_get(names, "observables"), name, any)
    {
        add_observable(to, row, name);
    }
    for (size_t n = 0; n < OF_STEPS; n++)
        if (json_object_get(names, of_steps[n]) != NULL)
            add_number(to, row, of_steps[n]);
    add(to, "\n");
}

/* The observables that some row has, as keys, and what else. */
static void add_names(json_t *names, const json_t *result)
{
    const json_t *row;
    json_t *observables = json_object_get(names, "observables");
    for (size_t r = 0; (row = job_row(result, r)) != NULL; r++) {
        const char *name;
        json_t *estimate;
        json_object_foreach(json_object_get(row, "observables"), name, estimate)
        {
            if (json_is_number(json_object_get(estimate, "mean")))
                json_object_set_new(observables, name, json_true());
        }
        if (json_is_number(json_object_get(row, "energy")))
            json_object_set_new(observables, "energy", json_true());
        for (size_t n = 0; n < OF_STEPS; n++)
            if (json_is_number(json_object_get(row, of_steps[n])))
                json_object_set_new(names, of_steps[n], json_true());
    }
}

static void add_head(growing *to, const json_t *names)
{
    const char *name;
    const json_t *any;
    add(to, "launch,replica,lattice,size,q,beta,seed,sweeps,spins_sha256");
    json_object_foreach((json_t *)json_object_get(names, "observables"), name, any)
    {
        add(to, ",%s,%s_error,%s_tau_int", name, name, name);
    }
    for (size_t n = 0; n < OF_STEPS; n++)
        if (json_object_get(names, of_steps[n]) != NULL)
            add(to, ",%s", of_steps[n]);
    add(to, "\n");
}

int job_write_table(const char *folder, const json_t *launches)
{
    json_t *names = json_pack("{s:{}}", "observables"), *results = json_array();
    growing to = {malloc(1024), 0, 1024};
    const size_t count = json_array_size(launches);
    for (size_t k = 0; k < count; k++) {
        json_t *result = NULL;
        job_state_of(folder, k, &result);
        if (result != NULL)
            add_names(names, result);
        json_array_append_new(results, result != NULL ? result : json_null());
    }
    add_head(&to, names);
    for (size_t k = 0; k < count; k++) {
        const json_t *result = json_array_get(results, k), *row;
        for (size_t r = 0; json_is_object(result) && (row = job_row(result, r)) != NULL; r++)
            add_row(&to, k, json_array_get(launches, k), result, row, names);
    }
    const int code = to.text == NULL
                         ? cli_fail_memory("the table")
                         : job_write(job_file(folder, "table.csv").text, to.text, to.size);
    free(to.text);
    json_decref(names);
    json_decref(results);
    return code;
}
