/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of a job: a row for each system that is done. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/job/job.h"
#include "cli/message.h"
#include "clup.h"

/* Size of a word of the table, with its zero byte. */
#define WORD 80

static const char *text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static void add_number(FILE *to, const json_t *estimate, const char *key)
{
    const json_t *number = json_object_get(estimate, key);
    if (json_is_number(number))
        fprintf(to, ",%.17g", json_number_value(number));
    else
        fprintf(to, ",");
}

/* Columns of rows of annealing after the observables, in this order. */
static const char *const of_steps[] = {"step", "ln_z", "ln_z_error", "families", "rho"};
#define OF_STEPS (sizeof of_steps / sizeof *of_steps)

/* Prints an observable of a row. A population has mean and error of the energy alone. */
static void add_observable(FILE *to, const json_t *row, const char *name)
{
    const json_t *estimate = json_object_get(json_object_get(row, "observables"), name);
    if (json_is_number(json_object_get(row, name))) {
        add_number(to, row, name);
        add_number(to, row, "error");
        fprintf(to, ",");
        return;
    }
    add_number(to, estimate, "mean");
    add_number(to, estimate, "error");
    add_number(to, estimate, "tau_int");
}

/* Prints the number of a row's system; a population has none. */
static void add_replica(FILE *to, const json_t *launch, const json_t *row)
{
    const json_t *replica = json_object_get(row, "replica");
    if (replica == NULL && json_object_get(row, "families") == NULL)
        replica = json_object_get(launch, "first_replica");
    if (json_is_integer(replica))
        fprintf(to, "%" JSON_INTEGER_FORMAT, json_integer_value(replica));
}

/* Writes the value of a field as text: a name, a number, or a list of them, with semicolons between
 * them, since the table has commas. */
static void field_text(const json_t *value, char text[CLUP_FIELD_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    if (json_is_string(value))
        snprintf(text, CLUP_FIELD_TEXT, "%s", json_string_value(value));
    else if (json_is_number(value))
        clup_number_text(json_number_value(value), text);
    for (size_t k = 0; k < json_array_size(value) && used < CLUP_FIELD_TEXT; k++) {
        char number[32];
        used += (size_t)snprintf(
            text + used, CLUP_FIELD_TEXT - used, "%s%s", k > 0 ? ";" : "",
            clup_number_text(json_number_value(json_array_get(value, k)), number));
    }
    for (char *comma = text; (comma = strchr(comma, ',')) != NULL;)
        *comma = ';';
}

/* Adds which graph the sites are of, where some result has one. */
static void add_graph(FILE *to, const json_t *names, const json_t *problem)
{
    const char *called = text_at(problem, "called"),
               *graph = *called != '\0' ? called : text_at(problem, "graph");
    if (json_object_get(names, "graph") == NULL)
        return;
    if (problem == NULL)
        graph = "graph";
    else if (*graph == '\0')
        graph = "none";
    fputc(',', to);
    for (; *graph != '\0'; graph++)
        fputc(*graph == ',' || *graph == '"' ? ';' : *graph, to);
}

/* Adds the fields that some result sets to other values than the defaults. */
static void add_fields(FILE *to, const json_t *names, const json_t *problem)
{
    const clup_field *field;
    for (size_t row = 0; (field = cli_more_field(row)) != NULL; row++) {
        char text[CLUP_FIELD_TEXT];
        field_text(json_object_get(problem, field->key), text);
        if (json_object_get(names, field->key) != NULL)
            fprintf(to, ",%s", problem != NULL ? text : field->key);
    }
}

/* What goes into sweeps besides their algorithm, as results name it. */
static const char *const beside[] = {"heat_bath", "houdayer", "overrelaxation"};
#define BESIDE (sizeof beside / sizeof *beside)

/* Adds the algorithm where some launch has another one than Swendsen-Wang, and what goes besides
 * into the sweeps of some launch. */
static void add_method(FILE *to, const json_t *names, const json_t *result)
{
    if (json_object_get(names, "algorithm") != NULL)
        fprintf(to, ",%s", result != NULL ? text_at(result, "algorithm") : "algorithm");
    for (size_t k = 0; k < BESIDE; k++)
        if (json_object_get(names, beside[k]) == NULL)
            continue;
        else if (result != NULL)
            fprintf(to, ",%" JSON_INTEGER_FORMAT,
                    json_integer_value(json_object_get(result, beside[k])));
        else
            fprintf(to, ",%s", beside[k]);
}

/* Adds of which kind percolation is and p, where some launch is of percolation. row is NULL for the
 * head. */
static void add_percolation(FILE *to, const json_t *names, const json_t *problem, const json_t *row)
{
    if (json_object_get(names, "p") == NULL)
        return;
    fprintf(to, ",%s", row != NULL ? text_at(problem, "kind") : "kind");
    if (row != NULL)
        add_number(to, row, "p");
    else
        fprintf(to, ",p");
}

/* Adds states, beta, seed and the number of sweeps; of percolation seed and the number of samples
 * alone. */
static void add_numbers(FILE *to, const json_t *result, const json_t *row)
{
    const json_t *problem = json_object_get(result, "problem"),
                 *beta = json_object_get(row, "beta"), *samples = json_object_get(row, "samples");
    const int percolates = json_object_get(row, "p") != NULL;
    if (percolates)
        fprintf(to, ",,");
    else
        fprintf(to, ",%" JSON_INTEGER_FORMAT ",%.17g",
                json_integer_value(json_object_get(problem, "q")),
                json_number_value(beta != NULL ? beta : json_object_get(problem, "beta")));
    fprintf(to, ",%" JSON_INTEGER_FORMAT ",%" JSON_INTEGER_FORMAT,
            json_integer_value(json_object_get(result, "seed")),
            json_integer_value(percolates ? samples : json_object_get(result, "sweeps")));
}

static void add_row(FILE *to, size_t k, const json_t *launch, const json_t *result,
                    const json_t *row, const json_t *names)
{
    const json_t *problem = json_object_get(result, "problem"),
                 *size = json_object_get(problem, "size");
    const char *name;
    const json_t *any;
    fprintf(to, "%zu,", k + 1);
    add_replica(to, launch, row);
    fprintf(to, ",%s,", text_at(problem, "lattice"));
    for (size_t axis = 0; axis < json_array_size(size); axis++)
        fprintf(to, "%s%" JSON_INTEGER_FORMAT, axis > 0 ? "x" : "",
                json_integer_value(json_array_get(size, axis)));
    add_numbers(to, result, row);
    fprintf(to, ",%s", text_at(row, "spins_sha256"));
    json_object_foreach((json_t *)json_object_get(names, "observables"), name, any)
    {
        add_observable(to, row, name);
    }
    for (size_t n = 0; n < OF_STEPS; n++)
        if (json_object_get(names, of_steps[n]) != NULL)
            add_number(to, row, of_steps[n]);
    add_graph(to, names, problem);
    add_fields(to, names, problem);
    add_method(to, names, result);
    add_percolation(to, names, problem, row);
    fprintf(to, "\n");
}

/* Whether a text can be a word of the table, which has no quotes. All words that clup writes
 * can. */
static int is_word(const char *text)
{
    size_t length = 0;
    for (; text[length] != '\0'; length++)
        if ((unsigned char)text[length] <= ' ' || text[length] == 0x7f ||
            strchr(",\"", text[length]) != NULL)
            return 0;
    return length < WORD;
}

/* Adds to names, as keys, the observables of all rows of a result, and its other columns. Returns
 * whether all texts that the table takes from the result are words. */
static int add_names(json_t *names, const json_t *result)
{
    const json_t *row;
    json_t *observables = json_object_get(names, "observables");
    const json_t *problem = json_object_get(result, "problem");
    const clup_field *field;
    const char *algorithm = text_at(result, "algorithm");
    int right = is_word(text_at(problem, "lattice")) && is_word(algorithm) &&
                is_word(text_at(problem, "kind"));
    if (*algorithm != '\0' && strcmp(algorithm, clup_algorithm_name(CLUP_SWENDSEN_WANG)) != 0 &&
        strcmp(algorithm, "direct") != 0)
        json_object_set_new(names, "algorithm", json_true());
    for (size_t k = 0; k < BESIDE; k++)
        if (json_integer_value(json_object_get(result, beside[k])) > 0)
            json_object_set_new(names, beside[k], json_true());
    if (json_object_get(problem, "graph") != NULL)
        json_object_set_new(names, "graph", json_true());
    for (size_t k = 0; (field = cli_more_field(k)) != NULL; k++) {
        char text[CLUP_FIELD_TEXT];
        field_text(json_object_get(problem, field->key), text);
        right = right && is_word(text);
        if (text[0] != '\0' && strcmp(text, field->initial) != 0)
            json_object_set_new(names, field->key, json_true());
    }
    for (size_t r = 0; (row = job_row(result, r)) != NULL; r++) {
        const char *name;
        json_t *estimate;
        right = right && is_word(text_at(row, "spins_sha256"));
        json_object_foreach(json_object_get(row, "observables"), name, estimate)
        {
            right = right && is_word(name);
            if (json_is_number(json_object_get(estimate, "mean")))
                json_object_set_new(observables, name, json_true());
        }
        if (json_object_get(row, "p") != NULL)
            json_object_set_new(names, "p", json_true());
        if (json_is_number(json_object_get(row, "energy")))
            json_object_set_new(observables, "energy", json_true());
        for (size_t n = 0; n < OF_STEPS; n++)
            if (json_is_number(json_object_get(row, of_steps[n])))
                json_object_set_new(names, of_steps[n], json_true());
    }
    return right;
}

/* Reads the results of all launches that are done (null for others), and collects their names.
 * Returns 0, or an exit code after a message. */
static int read_results(const char *folder, const json_t *launches, json_t *results, json_t *names)
{
    for (size_t k = 0; k < json_array_size(launches); k++) {
        json_t *result = NULL;
        job_state_of(folder, k, &result);
        json_array_append_new(results, json_is_object(result) ? result : json_null());
        if (result == NULL || (json_is_object(result) && add_names(names, result)))
            continue;
        cli_message(0, "'%s' is no result of clup %s", job_launch_file(folder, k, ".json").text,
                    job_launch_command(json_array_get(launches, k))->name);
        if (!json_is_object(result))
            json_decref(result);
        return CLUP_ERROR_RUNTIME;
    }
    return 0;
}

static void add_head(FILE *to, const json_t *names)
{
    const char *name;
    const json_t *any;
    fprintf(to, "launch,replica,lattice,size,q,beta,seed,sweeps,spins_sha256");
    json_object_foreach((json_t *)json_object_get(names, "observables"), name, any)
    {
        fprintf(to, ",%s,%s_error,%s_tau_int", name, name, name);
    }
    for (size_t n = 0; n < OF_STEPS; n++)
        if (json_object_get(names, of_steps[n]) != NULL)
            fprintf(to, ",%s", of_steps[n]);
    add_graph(to, names, NULL);
    add_fields(to, names, NULL);
    add_method(to, names, NULL);
    add_percolation(to, names, NULL, NULL);
    fprintf(to, "\n");
}

static void write_rows(FILE *to, const json_t *launches, const json_t *results, const json_t *names)
{
    add_head(to, names);
    for (size_t k = 0; k < json_array_size(launches); k++) {
        const json_t *result = json_array_get(results, k), *row;
        for (size_t r = 0; json_is_object(result) && (row = job_row(result, r)) != NULL; r++)
            add_row(to, k, json_array_get(launches, k), result, row, names);
    }
}

int job_write_table(const char *folder, const json_t *launches)
{
    json_t *names = json_pack("{s:{}}", "observables"), *results = json_array();
    char *text = NULL;
    size_t size = 0;
    int code = read_results(folder, launches, results, names);
    FILE *to = code == 0 ? open_memstream(&text, &size) : NULL;
    if (to != NULL)
        write_rows(to, launches, results, names);
    if (code == 0 && (to == NULL || ferror(to) || fflush(to) != 0))
        code = cli_fail_memory("the table");
    if (to != NULL)
        fclose(to);
    if (code == 0)
        code = job_write(job_file(folder, "table.csv").text, text, size);
    free(text);
    json_decref(names);
    json_decref(results);
    return code;
}
