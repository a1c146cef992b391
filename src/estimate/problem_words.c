/* Problems in words, as files have them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lattice.h"
#include "estimate/record.h"

void clup_problem_words(const clup_problem *problem, problem_word words[CLUP_PROBLEM_WORDS])
{
    const unsigned axes = clup_lattice_axes(problem->lattice);
    problem_word *size = &words[2], *periodic = &words[3];
    for (unsigned k = 0; k < CLUP_PROBLEM_WORDS; k++)
        words[k].value[0] = '\0';
    words[0].key = "model";
    snprintf(words[0].value, sizeof words->value, "%s", clup_model_name(problem->model));
    words[1].key = "lattice";
    snprintf(words[1].value, sizeof words->value, "%s", clup_lattice_name(problem->lattice));
    size->key = "size";
    periodic->key = "periodic";
    for (unsigned axis = 0; axis < axes; axis++) {
        const size_t end = strlen(size->value);
        snprintf(size->value + end, sizeof size->value - end, "%s%u", axis > 0 ? "x" : "",
                 problem->size[axis]);
        if (problem->periodic[axis])
            strncat(periodic->value, &"xyz"[axis], 1);
    }
    words[4].key = "q";
    snprintf(words[4].value, sizeof words->value, "%u", problem->q);
    words[5].key = "replicas";
    snprintf(words[5].value, sizeof words->value, "%u", clup_problem_replicas(problem));
    words[6].key = "first_replica";
    snprintf(words[6].value, sizeof words->value, "%u", problem->first_replica);
}

/* The row of a name; false for none. */
static bool row_of(const char *text, const char *(*name)(unsigned row), unsigned *row)
{
    for (*row = 0; name(*row) != NULL; ++*row)
        if (strcmp(text, name(*row)) == 0)
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

static bool read_whole(const char *text, uint32_t *number)
{
    const size_t length = strlen(text);
    const unsigned long long value = strtoull(text, NULL, 10);
    *number = (uint32_t)value;
    return length > 0 && length <= 10 && strspn(text, "0123456789") == length &&
           value <= UINT32_MAX;
}

static bool read_size(const char *text, clup_problem *problem)
{
    const unsigned axes = clup_lattice_axes(problem->lattice);
    for (unsigned axis = 0; axis < axes; axis++) {
        char item[16];
        const size_t length = strcspn(text, "x");
        if (length >= sizeof item || (text[length] == '\0') != (axis + 1 == axes))
            return false;
        memcpy(item, text, length);
        item[length] = '\0';
        if (!read_whole(item, &problem->size[axis]))
            return false;
        text += length + (text[length] != '\0');
    }
    return true;
}

static bool read_periodic(const char *text, clup_problem *problem)
{
    const unsigned axes = clup_lattice_axes(problem->lattice);
    if (strspn(text, "xyz") != strlen(text))
        return false;
    for (unsigned axis = 0; axis < 3; axis++) {
        problem->periodic[axis] = strchr(text, "xyz"[axis]) != NULL;
        if (axis >= axes && problem->periodic[axis])
            return false;
    }
    return true;
}

clup_status clup_problem_of_words(const char *(*value)(void *user, const char *key), void *user,
                                  clup_problem *problem)
{
    static const char *const keys[CLUP_PROBLEM_WORDS] = {
        "model", "lattice", "size", "periodic", "q", "replicas", "first_replica"};
    *problem = (clup_problem){0};
    for (unsigned k = 0; k < CLUP_PROBLEM_WORDS; k++) {
        const char *text = value(user, keys[k]);
        unsigned row = 0;
        bool right = false;
        if (text == NULL)
            return clup_fail(CLUP_ERROR_RUNTIME, "its %s is missing", keys[k]);
        switch (k) {
        case 0:
            right = row_of(text, model_name, &row);
            problem->model = (clup_model)row;
            break;
        case 1:
            right = row_of(text, lattice_name, &row);
            problem->lattice = (clup_lattice_kind)row;
            break;
        case 2: right = read_size(text, problem); break;
        case 3: right = read_periodic(text, problem); break;
        case 4: right = read_whole(text, &problem->q); break;
        case 5: right = read_whole(text, &problem->replicas) && problem->replicas > 0; break;
        case 6: right = read_whole(text, &problem->first_replica); break;
        }
        if (!right)
            return clup_fail(CLUP_ERROR_RUNTIME, "its %s is '%.80s'", keys[k], text);
    }
    return CLUP_OK;
}
