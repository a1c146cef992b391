/* SPDX-License-Identifier: BSD-3-Clause */
/* Records: the series of systems, and what is known about them. */
#include "estimate/record.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/lattice.h"
#include "core/problem.h"
#include "core/model.h"
#include "program.h"

clup_status clup_record_create(const clup_problem *problem, clup_record **out)
{
    CLUP_NEED(out);
    *out = NULL;
    clup_status status = clup_problem_check(problem);
    clup_record *record = NULL;
    if (status == CLUP_OK && !clup_problem_is_percolation(problem))
        status = clup_model_check_runner(problem, CLUP_RUNNER_simulation);
    if (status != CLUP_OK)
        return status;
    const uint32_t replicas = clup_problem_replicas(problem);
    for (uint32_t r = 0; r < replicas && clup_problem_is_percolation(problem); r++) {
        char text[32];
        const double p = clup_problem_beta(problem, r);
        if (!(p >= 0 && p <= 1))
            return clup_fail(CLUP_ERROR_USAGE, "p = %s of system %u is not between 0 and 1",
                             clup_number_text(p, text), r);
    }
    if ((record = calloc(1, sizeof *record)) == NULL ||
        (record->betas = calloc(replicas, sizeof *record->betas)) == NULL ||
        (record->systems = calloc(replicas, sizeof *record->systems)) == NULL) {
        clup_record_free(record);
        return clup_fail_memory("the series");
    }
    record->problem = *problem;
    for (uint32_t r = 0; r < replicas; r++)
        record->betas[r] = clup_problem_beta(problem, r);
    record->problem.replicas = replicas;
    record->problem.beta = record->betas[0];
    record->problem.betas = record->betas;
    *out = record;
    return CLUP_OK;
}

void clup_record_free(clup_record *record)
{
    if (record == NULL)
        return;
    for (uint32_t r = 0; record->systems != NULL && r < record->problem.replicas; r++)
        for (size_t k = 0; k < record->name_count; k++)
            free(record->systems[r].series[k]);
    for (size_t k = 0; k < record->field_count; k++)
        free(record->fields[k].value);
    free(record->systems);
    free(record->betas);
    free(record);
}

const char *clup_record_parameter(const clup_record *record)
{
    return clup_problem_is_percolation(&record->problem) ? "p" : "beta";
}

const clup_problem *clup_record_problem(const clup_record *record)
{
    return record != NULL ? &record->problem : NULL;
}

bool clup_record_key_ok(const char *key)
{
    const size_t length = strlen(key);
    return length > 0 && length < CLUP_RECORD_KEY && *key >= 'a' && *key <= 'z' &&
           strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

/* ---- what else is known ---------------------------------------------------------------------- */

static record_field *find(const clup_record *record, const char *key)
{
    for (size_t k = 0; k < record->field_count; k++)
        if (strcmp(record->fields[k].key, key) == 0)
            return (record_field *)&record->fields[k];
    return NULL;
}

/* Keys whose values follow from the problem and the series. */
static bool is_taken(const char *key)
{
    static const char *const others[] = {"system", "systems", "observables", "sha256"};
    if (clup_problem_has_key(key))
        return true;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k], key) == 0)
            return true;
    return false;
}

static bool is_whole(const char *text)
{
    return *text != '\0' && strlen(text) < 20 && strspn(text, "0123456789") == strlen(text);
}

static clup_status check_field(const char *key, const char *value)
{
    if (!clup_record_key_ok(key) || is_taken(key))
        return clup_fail(CLUP_ERROR_USAGE, "key '%.80s' is %s", key,
                         clup_record_key_ok(key) ? "the problem's" : "not of a to z, 0 to 9 and _");
    if (value != NULL && strlen(value) >= CLUP_RECORD_VALUE)
        return clup_fail(CLUP_ERROR_USAGE, "%s has %zu bytes, more than %d", key, strlen(value),
                         CLUP_RECORD_VALUE - 1);
    if (value != NULL && (strcmp(key, "first_sweep") == 0 || strcmp(key, "every") == 0) &&
        !is_whole(value))
        return clup_fail(CLUP_ERROR_USAGE, "%s '%.80s' is not a whole number", key, value);
    return CLUP_OK;
}

clup_status clup_record_set(clup_record *record, const char *key, const char *value)
{
    CLUP_NEED(record);
    CLUP_NEED(key);
    const clup_status status = check_field(key, value);
    if (status != CLUP_OK)
        return status;
    record_field *field = find(record, key);
    char *copy = value != NULL ? strdup(value) : NULL;
    if (value != NULL && copy == NULL)
        return clup_fail_memory("what is known of the series");
    for (char *at = copy; at != NULL && *at != '\0'; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            *at = ' ';
    if (field == NULL && value == NULL)
        return CLUP_OK;
    if (field == NULL && record->field_count == CLUP_RECORD_KEYS) {
        free(copy);
        return clup_fail(CLUP_ERROR_USAGE, "key '%s' is one more than %d", key, CLUP_RECORD_KEYS);
    }
    if (field == NULL) {
        field = &record->fields[record->field_count++];
        strcpy(field->key, key);
    } else
        free(field->value);
    field->value = copy;
    if (copy == NULL) {
        const size_t row = (size_t)(field - record->fields);
        memmove(field, field + 1, (--record->field_count - row) * sizeof *field);
    }
    return CLUP_OK;
}

const char *clup_record_get(const clup_record *record, const char *key)
{
    const record_field *field = record != NULL && key != NULL ? find(record, key) : NULL;
    return field != NULL ? field->value : NULL;
}

const char *clup_record_key(const clup_record *record, size_t row)
{
    return record != NULL && row < record->field_count ? record->fields[row].key : NULL;
}

uint64_t clup_record_whole(const clup_record *record, const char *key, uint64_t otherwise)
{
    const char *text = clup_record_get(record, key);
    return text != NULL && is_whole(text) ? strtoull(text, NULL, 10) : otherwise;
}
