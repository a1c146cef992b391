/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of a problem: their table, and how each kind of them is written and read. */
#include "core/problem.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/bond_couplings.h"
#include "core/cell.h"
#include "core/disorder.h"
#include "core/graph.h"
#include "core/lattice.h"
#include "core/model.h"
#include "core/table.h"
#include "program.h"

const char *clup_model_name(clup_model model)
{
    static const char *const names[CLUP_MODELS] = {
#define MODEL(NAME, TEXT, ...) [CLUP_##NAME] = TEXT,
#include "core/model.def"
    };
    return (unsigned)model < CLUP_MODELS ? names[model] : NULL;
}

/* ---- kinds of values ------------------------------------------------------------------------- */

static bool read_whole(const char *text, uint32_t *number)
{
    const size_t length = strlen(text);
    const unsigned long long value = strtoull(text, NULL, 10);
    *number = (uint32_t)value;
    return length > 0 && length <= 10 && strspn(text, "0123456789") == length &&
           value <= UINT32_MAX;
}

/* Finds the row of a name. Returns false where there is none. */
static bool row_of(const char *text, const char *(*name)(unsigned row), unsigned *row)
{
    for (*row = 0; name(*row) != NULL; ++*row)
        if (strcasecmp(text, name(*row)) == 0)
            return true;
    return false;
}

static const char *lattice_name(unsigned row)
{
    return clup_lattice_name((clup_lattice_kind)row);
}

static const char *model_name(unsigned row)
{
    return clup_model_name((clup_model)row);
}

static void copy_name(const char *name, char *text)
{
    snprintf(text, CLUP_FIELD_TEXT, "%s", name != NULL ? name : "");
}

static void write_MODEL(const clup_problem *problem, const void *at, char *text)
{
    (void)at;
    copy_name(clup_model_name(problem->model), text);
}

static bool read_MODEL(const char *text, clup_problem *problem, void *at)
{
    unsigned row;
    (void)at;
    const bool right = row_of(text, model_name, &row);
    problem->model = right ? (clup_model)row : problem->model;
    return right;
}

static void write_LATTICE(const clup_problem *problem, const void *at, char *text)
{
    (void)at;
    copy_name(clup_lattice_name(problem->lattice), text);
}

static bool read_LATTICE(const char *text, clup_problem *problem, void *at)
{
    unsigned row;
    (void)at;
    const bool right = row_of(text, lattice_name, &row);
    problem->lattice = right ? (clup_lattice_kind)row : problem->lattice;
    return right;
}

/* The numbers of a size: one of a graph, else one for each axis. */
static unsigned numbers_of_size(const clup_problem *problem)
{
    return problem->lattice == CLUP_LATTICE_GRAPH ? 1 : clup_lattice_axes(problem->lattice);
}

/* Sizes such as "64x32": as many numbers of cells as the lattice has axes. */
static void write_SIZE(const clup_problem *problem, const void *at, char *text)
{
    const unsigned axes = numbers_of_size(problem);
    const uint32_t *size = at;
    unsigned cell[3];
    size_t end = 0;
    clup_lattice_cell(problem->lattice, cell);
    text[0] = '\0';
    for (unsigned axis = 0; axis < axes; axis++)
        end += (size_t)snprintf(text + end, CLUP_FIELD_TEXT - end, "%s%u", axis > 0 ? "x" : "",
                                size[axis] / cell[axis]);
}

static bool read_SIZE(const char *text, clup_problem *problem, void *at)
{
    const unsigned axes = numbers_of_size(problem);
    uint32_t *size = at;
    unsigned cell[3];
    size[1] = axes < 2 ? 1 : size[1];
    clup_lattice_cell(problem->lattice, cell);
    for (unsigned axis = 0; axis < axes; axis++) {
        char item[16];
        const size_t length = strcspn(text, "x");
        if (length >= sizeof item || (text[length] == '\0') != (axis + 1 == axes))
            return false;
        memcpy(item, text, length);
        item[length] = '\0';
        if (!read_whole(item, &size[axis]) || size[axis] > UINT32_MAX / cell[axis])
            return false;
        size[axis] *= cell[axis];
        text += length + (text[length] != '\0');
    }
    return axes > 0;
}

/* Axes such as "xy": those whose flag is set. */
static void write_AXES(const clup_problem *problem, const void *at, char *text)
{
    const unsigned axes = clup_lattice_axes(problem->lattice);
    const int *flags = at;
    for (unsigned axis = 0; axis < axes; axis++)
        if (flags[axis])
            *text++ = "xyz"[axis];
    *text = '\0';
}

static bool read_AXES(const char *text, clup_problem *problem, void *at)
{
    const unsigned axes = clup_lattice_axes(problem->lattice);
    int *flags = at;
    if (strlen(text) > axes || strspn(text, "xyz") != strlen(text))
        return false;
    for (unsigned axis = 0; axis < 3; axis++) {
        flags[axis] = strchr(text, "xyz"[axis]) != NULL;
        if (axis >= axes && flags[axis])
            return false;
    }
    return true;
}

/* A whole number of 32 bits. */
static void write_WHOLE(const clup_problem *problem, const void *at, char *text)
{
    (void)problem;
    snprintf(text, CLUP_FIELD_TEXT, "%u", *(const uint32_t *)at);
}

static bool read_WHOLE(const char *text, clup_problem *problem, void *at)
{
    (void)problem;
    return read_whole(text, at);
}

/* A whole number of 32 bits, where 0 stands for 1. */
static void write_REPLICAS(const clup_problem *problem, const void *at, char *text)
{
    (void)at;
    snprintf(text, CLUP_FIELD_TEXT, "%u", clup_problem_replicas(problem));
}

static bool read_REPLICAS(const char *text, clup_problem *problem, void *at)
{
    return read_WHOLE(text, problem, at) && problem->replicas > 0;
}

/* A double. */
static void write_NUMBER(const clup_problem *problem, const void *at, char *text)
{
    char number[32];
    (void)problem;
    snprintf(text, CLUP_FIELD_TEXT, "%s", clup_number_text(*(const double *)at, number));
}

static bool read_NUMBER(const char *text, clup_problem *problem, void *at)
{
    char *end;
    (void)problem;
    *(double *)at = strtod(text, &end);
    return end != text && *end == '\0';
}

/* Couplings such as "1,-0.5": one for each direction of bonds, or one for all. */
static void write_COUPLINGS(const clup_problem *problem, const void *at, char *text)
{
    const double *couplings = at;
    const unsigned directions = clup_problem_directions(problem);
    char number[32];
    size_t end = 0;
    unsigned alike = 1;
    while (alike < directions && couplings[alike] == couplings[0])
        alike++;
    if (alike == directions) {
        snprintf(text, CLUP_FIELD_TEXT, "%s",
                 clup_number_text(couplings[0] != 0 ? couplings[0] : 1, number));
        return;
    }
    for (unsigned d = 0; d < directions; d++)
        end += (size_t)snprintf(text + end, CLUP_FIELD_TEXT - end, "%s%s", d > 0 ? "," : "",
                                clup_number_text(couplings[d], number));
}

static bool read_COUPLINGS(const char *text, clup_problem *problem, void *at)
{
    const unsigned directions = clup_problem_directions(problem);
    double *couplings = at;
    unsigned count = 0;
    bool any = false;
    for (;; text++) {
        char *end;
        const double number = strtod(text, &end);
        if (end == text || count == directions || !isfinite(number))
            return false;
        couplings[count++] = number;
        any = any || number != 0;
        text = end;
        if (*text != ',')
            break;
    }
    if (*text != '\0' || !any || (count > 1 && count < directions))
        return false;
    for (; count < directions; count++)
        couplings[count] = couplings[0];
    for (unsigned d = directions; d < CLUP_DIRECTIONS_MAX; d++)
        couplings[d] = 0;
    return true;
}

/* Disorder such as "pm=0.5,dilute=0.1": its kinds with their probabilities, or "none"; "gauss" with
 * a standard deviation, or without one for 1. */
static const char *const disorders[CLUP_DISORDERS] = {[CLUP_SIGNS] = "pm",
                                                      [CLUP_ABSENT] = "dilute",
                                                      [CLUP_NORMAL] = "gauss",
                                                      [CLUP_VACANT] = "site-dilute"};

static void write_DISORDER(const clup_problem *problem, const void *at, char *text)
{
    const double *disorder = at;
    char number[32];
    size_t end = 0;
    (void)problem;
    strcpy(text, "none");
    for (unsigned k = 0; k < CLUP_DISORDERS; k++)
        if (disorder[k] != 0)
            end += (size_t)snprintf(text + end, CLUP_FIELD_TEXT - end, "%s%s=%s",
                                    end > 0 ? "," : "", disorders[k],
                                    clup_number_text(disorder[k], number));
}

static bool read_DISORDER(const char *text, clup_problem *problem, void *at)
{
    double *disorder = at;
    bool seen[CLUP_DISORDERS] = {false};
    (void)problem;
    for (unsigned k = 0; k < CLUP_DISORDERS; k++)
        disorder[k] = 0;
    if (strcmp(text, "none") == 0)
        return true;
    for (;; text++) {
        char *end;
        unsigned k = 0;
        while (k < CLUP_DISORDERS && strncmp(text, disorders[k], strlen(disorders[k])) != 0)
            k++;
        if (k == CLUP_DISORDERS || seen[k])
            return false;
        text += strlen(disorders[k]);
        const double most = k == CLUP_NORMAL ? 2 : 1;
        if (*text == '=') {
            disorder[k] = strtod(text + 1, &end);
            if (end == text + 1 || !(disorder[k] >= 0 && disorder[k] <= most))
                return false;
            text = end;
        } else if (k == CLUP_NORMAL) {
            disorder[k] = 1;
        } else {
            return false;
        }
        seen[k] = true;
        if (*text != ',')
            return *text == '\0';
    }
}

/* What large values are called: "sha256:" and their SHA-256. */
#define ID "sha256:"

static void write_id(const char *id, char *text)
{
    if (id != NULL)
        snprintf(text, CLUP_FIELD_TEXT, ID "%s", id);
    else
        strcpy(text, "none");
}

/* The table of a model: in files its text, else its id. */

static void write_TABLE(const clup_problem *problem, const void *at, char *text)
{
    (void)at;
    write_id(problem->model == CLUP_TABLE && problem->table != NULL ? problem->table->kept.id
                                                                    : NULL,
             text);
}

static bool read_TABLE(const char *text, clup_problem *problem, void *at)
{
    (void)at;
    problem->table = NULL;
    if (strcmp(text, "none") == 0)
        return true;
    if (strncmp(text, ID, strlen(ID)) != 0)
        return clup_table_parse(text, &problem->table) == CLUP_OK;
    problem->table = clup_table_known(text + strlen(ID));
    return problem->table != NULL;
}

/* Couplings of single bonds: their id. Files do not contain them. */
static void write_BOND_COUPLINGS(const clup_problem *problem, const void *at, char *text)
{
    (void)at;
    write_id(problem->bond_couplings != NULL ? problem->bond_couplings->kept.id : NULL, text);
}

static bool read_BOND_COUPLINGS(const char *text, clup_problem *problem, void *at)
{
    (void)at;
    problem->bond_couplings = strncmp(text, ID, strlen(ID)) == 0
                                  ? clup_bond_couplings_known(text + strlen(ID))
                                  : NULL;
    return problem->bond_couplings != NULL || strcmp(text, "none") == 0;
}

/* A graph: likewise. */
static void write_GRAPH(const clup_problem *problem, const void *at, char *text)
{
    (void)at;
    write_id(problem->graph != NULL ? problem->graph->kept.id : NULL, text);
}

static bool read_GRAPH(const char *text, clup_problem *problem, void *at)
{
    const clup_bond_couplings *given = problem->bond_couplings;
    const clup_graph *graph;
    (void)at;
    if (text[0] == '{') {
        if (clup_graph_of_text(text, &graph) != CLUP_OK)
            return false;
        clup_problem_set_graph(problem, graph);
        if (given != NULL)
            problem->bond_couplings = given;
        return true;
    }
    problem->graph = strncmp(text, ID, strlen(ID)) == 0 ? clup_graph_known(text + strlen(ID))
                                                        : NULL;
    return problem->graph != NULL || strcmp(text, "none") == 0;
}

typedef struct field_kind {
    /* Write to text[CLUP_FIELD_TEXT] the field at place at of a problem, and read it. read returns
     * false for a text that is no value. */
    void (*write)(const clup_problem *problem, const void *at, char *text);
    bool (*read)(const char *text, clup_problem *problem, void *at);
} field_kind;
/* KIND(NAME, IS): the kind's name in problem.def, and the kind that programs see */
#define KINDS(KIND) \
    KIND(MODEL, NAME) \
    KIND(LATTICE, NAME) \
    KIND(SIZE, SIZE) \
    KIND(AXES, AXES) \
    KIND(WHOLE, WHOLE) \
    KIND(REPLICAS, WHOLE) \
    KIND(NUMBER, NUMBER) \
    KIND(COUPLINGS, NUMBERS) \
    KIND(DISORDER, TEXT) \
    KIND(TABLE, TEXT) \
    KIND(BOND_COUPLINGS, TEXT) \
    KIND(GRAPH, TEXT)
enum {
#define KIND(NAME, IS) KIND_##NAME,
    KINDS(KIND)
#undef KIND
};
enum {
#define KIND(NAME, IS) IS_##NAME = CLUP_FIELD_IS_##IS,
    KINDS(KIND)
#undef KIND
};
static const field_kind kinds[] = {
#define KIND(NAME, IS) [KIND_##NAME] = {write_##NAME, read_##NAME},
    KINDS(KIND)
#undef KIND
};

/* ---- the table ------------------------------------------------------------------------------- */

#define SPINS (CLUP_ON_SPINS | CLUP_ON_VECTORS)
#define SITES (SPINS | CLUP_ON_PERCOLATION)
#define TABLE CLUP_ON(CLUP_TABLE)
static const struct field_row {
    clup_field field;
    const field_kind *kind;
    size_t place; /* of the field in clup_problem */
    int since;
} rows[CLUP_PROBLEM_FIELDS] = {
#define FIELD(MEMBER, KIND, OPTION, ARGUMENT, PART, MODELS, LEAST, MOST, INITIAL, SINCE, UNIT, \
              ABOUT) \
    {{#MEMBER, OPTION, ARGUMENT, ABOUT, UNIT, INITIAL, CLUP_FIELD_##PART, \
      (clup_field_kind)IS_##KIND, MODELS, LEAST, MOST}, \
     &kinds[KIND_##KIND], \
     offsetof(clup_problem, MEMBER), \
     SINCE},
#include "core/problem.def"
};

static const void *place_of(const struct field_row *row, const clup_problem *problem)
{
    return (const char *)problem + row->place;
}

static void text_of(const struct field_row *row, const clup_problem *problem, char *text)
{
    row->kind->write(problem, place_of(row, problem), text);
}

static bool take_text(const struct field_row *row, const char *text, clup_problem *problem)
{
    return row->kind->read(text, problem, (char *)problem + row->place);
}

static const struct field_row *row_named(const char *key)
{
    for (size_t k = 0; k < CLUP_PROBLEM_FIELDS; k++)
        if (strcmp(rows[k].field.key, key) == 0)
            return &rows[k];
    return NULL;
}

/* Whether a field has a value that files of version 1 cannot store. */
static bool is_later(const struct field_row *row, const clup_problem *problem)
{
    char text[CLUP_FIELD_TEXT];
    text_of(row, problem, text);
    return row->since > 1 && strcmp(text, row->field.initial) != 0;
}

/* ---- words of files -------------------------------------------------------------------------- */

size_t clup_problem_words(const clup_problem *problem, problem_word words[CLUP_PROBLEM_FIELDS])
{
    size_t count = 0;
    for (size_t k = 0; k < CLUP_PROBLEM_FIELDS; k++)
        if (rows[k].since == 1 || is_later(&rows[k], problem)) {
            problem_word *word = &words[count++];
            word->key = rows[k].field.key;
            text_of(&rows[k], problem, word->text);
            word->value = k == CLUP_ROW_OF_table && problem->table != NULL ? problem->table->text
                          : k == CLUP_ROW_OF_graph && problem->graph != NULL &&
                                  problem->graph->extras.text != NULL
                              ? problem->graph->extras.text
                              : word->text;
        }
    return count;
}

bool clup_problem_has_key(const char *key)
{
    return row_named(key) != NULL;
}

clup_status clup_problem_of_words(const char *(*value)(void *user, const char *key), void *user,
                                  clup_problem *problem)
{
    *problem = (clup_problem){0};
    for (size_t k = 0; k < CLUP_PROBLEM_FIELDS; k++) {
        const char *key = rows[k].field.key, *text = value(user, key);
        if (text == NULL && rows[k].since > 1)
            text = rows[k].field.initial;
        if (text == NULL)
            return clup_fail(CLUP_ERROR_RUNTIME, "its %s is missing", key);
        if (!take_text(&rows[k], text, problem))
            return clup_fail(CLUP_ERROR_RUNTIME, "its %s is '%.80s'", key, text);
    }
    return CLUP_OK;
}

int clup_problem_version(const clup_problem *problem)
{
    int version = 1;
    for (size_t k = 0; k < CLUP_PROBLEM_FIELDS; k++)
        if (rows[k].since > version && is_later(&rows[k], problem))
            version = rows[k].since;
    return version;
}

int clup_problem_latest(void)
{
    int latest = 1;
    for (size_t k = 0; k < CLUP_PROBLEM_FIELDS; k++)
        latest = rows[k].since > latest ? rows[k].since : latest;
    return latest;
}

/* ---- validation ------------------------------------------------------------------------------ */

/* Validates that a number is in its range. Fields that are no numbers have no range. */
static clup_status check_range(const struct field_row *row, const clup_problem *problem)
{
    const clup_field *field = &row->field;
    char text[CLUP_FIELD_TEXT], least[32], most[32];
    if (field->kind != CLUP_FIELD_IS_WHOLE && field->kind != CLUP_FIELD_IS_NUMBER)
        return CLUP_OK;
    text_of(row, problem, text);
    const double number = strtod(text, NULL);
    return number >= field->least && number <= field->most
               ? CLUP_OK
               : clup_fail(CLUP_ERROR_USAGE, "%s = %s is not between %s and %s", field->key, text,
                           clup_number_text(field->least, least),
                           clup_number_text(field->most, most));
}

clup_status clup_problem_check_fields(const clup_problem *problem)
{
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < CLUP_PROBLEM_FIELDS && status == CLUP_OK; k++)
        if (rows[k].field.models >> problem->model & 1)
            status = check_range(&rows[k], problem);
    return status;
}

/* Returns what a graph is called in a message. */
static const char *called(const clup_graph *graph)
{
    return graph == NULL                      ? "a lattice of the list"
           : clup_graph_called(graph) != NULL ? clup_graph_called(graph)
                                              : "a list of edges";
}

/* Whether the couplings of a problem's bonds are those of its graph's cell. */
static bool couplings_of_cell(const clup_problem *problem)
{
    return problem->graph != NULL && problem->bond_couplings == problem->graph->extras.couplings;
}

clup_status clup_problem_compare(const clup_problem *a, const clup_problem *b, unsigned parts)
{
    CLUP_NEED(a);
    CLUP_NEED(b);
    const bool of_cells = couplings_of_cell(a) && couplings_of_cell(b);
    if ((parts & CLUP_FIELD_LAW) != 0 && !clup_graph_same_law(a->graph, b->graph))
        return clup_fail(CLUP_ERROR_USAGE, "lattices differ: %s, and %s", called(a->graph),
                         called(b->graph));
    for (size_t k = 0; k < CLUP_PROBLEM_FIELDS; k++) {
        char one[CLUP_FIELD_TEXT], other[CLUP_FIELD_TEXT];
        if ((parts & rows[k].field.part) == 0 || (of_cells && k == CLUP_ROW_OF_bond_couplings))
            continue;
        text_of(&rows[k], a, one);
        text_of(&rows[k], b, other);
        if (strcmp(one, other) != 0)
            return clup_fail(CLUP_ERROR_USAGE, "%s differs: '%s' and '%s'", rows[k].field.key, one,
                             other);
    }
    return CLUP_OK;
}

/* ---- for programs ---------------------------------------------------------------------------- */

const clup_field *clup_problem_field(size_t row)
{
    return row < CLUP_PROBLEM_FIELDS ? &rows[row].field : NULL;
}

static clup_status find(const char *key, const struct field_row **row)
{
    *row = row_named(key);
    return *row != NULL ? CLUP_OK
                        : clup_fail(CLUP_ERROR_USAGE, "a problem has no field '%.80s'", key);
}

clup_status clup_problem_get(const clup_problem *problem, const char *key,
                             char text[CLUP_FIELD_TEXT])
{
    CLUP_NEED(problem);
    CLUP_NEED(key);
    CLUP_NEED(text);
    const struct field_row *row;
    const clup_status status = find(key, &row);
    if (status == CLUP_OK)
        text_of(row, problem, text);
    return status;
}

/* Whether the name of a model is the path of a table. */
static bool is_path(const char *text)
{
    const size_t length = strlen(text);
    return length > 5 && strcmp(text + length - 5, ".toml") == 0;
}

static clup_status read_model(const char *path, clup_problem *problem)
{
    const clup_status status = clup_table_read(path, &problem->table);
    if (status == CLUP_OK) {
        problem->model = CLUP_TABLE;
        problem->q = problem->table->states;
    }
    return status;
}

clup_status clup_problem_set(clup_problem *problem, const char *key, const char *text)
{
    CLUP_NEED(problem);
    CLUP_NEED(key);
    CLUP_NEED(text);
    const struct field_row *row;
    clup_problem changed = *problem;
    clup_status status = find(key, &row);
    if (status == CLUP_OK && row == &rows[CLUP_ROW_OF_model] && is_path(text))
        status = read_model(text, &changed);
    else if (status == CLUP_OK && !take_text(row, text, &changed))
        status = clup_fail(CLUP_ERROR_USAGE, "%s = '%.80s' is not %s", key, text,
                           row->field.argument != NULL ? row->field.argument : "known");
    if (status == CLUP_OK)
        status = check_range(row, &changed);
    if (status == CLUP_OK)
        *problem = changed;
    return status;
}
