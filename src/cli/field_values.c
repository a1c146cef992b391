/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets the fields of a problem from options, and writes them as JSON. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

/* ---- values ---------------------------------------------------------------------------------- */

static clup_status set_whole(const clup_field *field, const char *value, clup_problem *problem)
{
    char text[CLUP_FIELD_TEXT];
    uint64_t number;
    const clup_status status = cli_parse_whole(value, (uint64_t)field->least, (uint64_t)field->most,
                                               &number);
    if (status != CLUP_OK)
        return status;
    snprintf(text, sizeof text, "%" PRIu64, number);
    return clup_problem_set(problem, field->key, text);
}

static clup_status set_number(const clup_field *field, const char *value, clup_problem *problem)
{
    char text[32], least[32], most[32];
    double number;
    if (cli_parse_double(value, &number) == CLUP_OK && number >= field->least &&
        number <= field->most)
        return clup_problem_set(problem, field->key, clup_number_text(number, text));
    return cli_refuse("is not a number from %s to %s", clup_number_text(field->least, least),
                      clup_number_text(field->most, most));
}

static clup_status set_name(const clup_field *field, const char *value, clup_problem *problem)
{
    char known[512] = "";
    if (clup_problem_set(problem, field->key, value) == CLUP_OK)
        return CLUP_OK;
    for (const char *rest = field->argument; *rest != '\0'; rest += *rest == '|') {
        const int length = (int)strcspn(rest, "|");
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%.*s",
                 known[0] != '\0' ? ", " : "", length, rest);
        rest += length;
    }
    return cli_refuse("is not known; there is %s", known);
}

static clup_status set_text(const clup_field *field, const char *value, clup_problem *problem)
{
    return clup_problem_set(problem, field->key, value) == CLUP_OK
               ? CLUP_OK
               : cli_refuse("is not %s", field->argument);
}

clup_status cli_set_field(const clup_field *field, const char *value, clup_problem *problem)
{
    static clup_status (*const set[])(const clup_field *field, const char *value,
                                      clup_problem *problem) = {
        [CLUP_FIELD_IS_NAME] = set_name,     [CLUP_FIELD_IS_SIZE] = set_text,
        [CLUP_FIELD_IS_AXES] = set_text,     [CLUP_FIELD_IS_WHOLE] = set_whole,
        [CLUP_FIELD_IS_NUMBER] = set_number, [CLUP_FIELD_IS_NUMBERS] = set_text,
        [CLUP_FIELD_IS_TEXT] = set_text};
    return set[field->kind](field, value, problem);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Writes an array with a flag for each axis. */
static void write_axes(json *json, const clup_field *field, const clup_problem *problem,
                       const char *text)
{
    json_open(json, field->key, '[');
    for (unsigned axis = 0; axis < clup_lattice_axes(problem->lattice); axis++)
        json_flag(json, NULL, strchr(text, "xyz"[axis]) != NULL);
    json_close(json, ']');
}

/* Writes an array of the whole numbers of a text such as "64x32". */
static void write_numbers_of_size(json *json, const char *key, const char *text)
{
    json_open(json, key, '[');
    for (char *end; *text != '\0'; text = end + (*end != '\0'))
        json_whole(json, NULL, strtoull(text, &end, 10));
    json_close(json, ']');
}

/* Writes an array of the numbers of a text such as "1,-0.5". */
static void write_numbers(json *json, const char *key, const char *text)
{
    json_open(json, key, '[');
    for (char *end; *text != '\0'; text = end + (*end != '\0'))
        json_number(json, NULL, strtod(text, &end));
    json_close(json, ']');
}

void cli_write_size(json *json, const char *key, const clup_problem *problem)
{
    char text[CLUP_FIELD_TEXT];
    clup_problem_get(problem, "size", text);
    write_numbers_of_size(json, key, text);
}

size_t cli_more_fields_text(const clup_problem *problem, char *text, size_t size)
{
    const clup_field *field;
    size_t used = 0;
    text[0] = '\0';
    for (size_t row = 0; (field = cli_more_field(row)) != NULL; row++) {
        char value[CLUP_FIELD_TEXT];
        if (used < size && clup_problem_get(problem, field->key, value) == CLUP_OK &&
            strcmp(value, field->initial) != 0)
            used += (size_t)snprintf(text + used, size - used, "; %s = %s%s%s", field->key, value,
                                     field->unit[0] != '\0' ? " " : "", field->unit);
    }
    return used < size ? used : size - 1;
}

/* Whether a field is written only where it has not its initial value: the number of replicas,
 * texts, and the fields that cli_more_field finds, but for the model. */
static bool is_rare(const clup_field *field)
{
    const clup_field *more;
    for (size_t row = 0; (more = cli_more_field(row)) != NULL; row++)
        if (more == field)
            return field->kind != CLUP_FIELD_IS_NAME;
    return field->part == CLUP_FIELD_REPLICAS || field->kind == CLUP_FIELD_IS_TEXT;
}

void cli_write_fields(json *json, const clup_problem *problem, unsigned parts)
{
    const clup_field *field;
    for (size_t row = 0; (field = clup_problem_field(row)) != NULL; row++) {
        char text[CLUP_FIELD_TEXT];
        /* some are written only where they are not as usual; the document has one model */
        if ((field->part & parts) == 0 || !(field->models >> problem->model & 1) ||
            (field->kind == CLUP_FIELD_IS_AXES && problem->graph != NULL) ||
            clup_problem_get(problem, field->key, text) != CLUP_OK ||
            (is_rare(field) && strcmp(text, field->initial) == 0))
            continue;
        switch (field->kind) {
        case CLUP_FIELD_IS_NAME:
        case CLUP_FIELD_IS_TEXT: json_text(json, field->key, text); break;
        case CLUP_FIELD_IS_SIZE: cli_write_size(json, field->key, problem); break;
        case CLUP_FIELD_IS_AXES: write_axes(json, field, problem, text); break;
        case CLUP_FIELD_IS_WHOLE: json_digits(json, field->key, text); break;
        case CLUP_FIELD_IS_NUMBER: json_number(json, field->key, strtod(text, NULL)); break;
        case CLUP_FIELD_IS_NUMBERS: write_numbers(json, field->key, text); break;
        }
    }
    if ((parts & CLUP_FIELD_SIZE) != 0 && clup_graph_called(problem->graph) != NULL)
        json_text(json, "called", clup_graph_called(problem->graph));
}
