/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups the files by size, and refuses those that do not go together. */
#include <stdlib.h>
#include <string.h>

#include "cli/records.h"
#include "cli/scale/scale.h"

/* Refuses systems whose shapes differ, as a length does not say then what size they have. */
static int check_shape(const scale_result *result, size_t k)
{
    const clup_problem *first = clup_record_problem(result->records[0]),
                       *other = clup_record_problem(result->records[k]);
    if (other->graph != NULL)
        return cli_usage_error("'%s' is of a graph, which has no length",
                               result->request->files[k]);
    for (unsigned axis = 1; axis < clup_lattice_axes(first->lattice); axis++)
        if ((uint64_t)first->size[axis] * other->size[0] !=
            (uint64_t)other->size[axis] * first->size[0])
            return cli_usage_error(
                "'%s' and '%s' have unlike shapes: their axes have unlike ratios",
                result->request->files[0], result->request->files[k]);
    return 0;
}

/* A system, and a number that differs for different values of its first series (the
 * Fowler-Noll-Vo hash). */
typedef struct trace {
    uint64_t hash;
    size_t file;
    uint32_t system;
} trace;

/* Traces a system; returns 0 for a series that is constant, which says nothing. */
static int trace_of(const scale_size *size, size_t file, uint32_t system, trace *trace)
{
    const clup_record *record = size->records[file];
    const char *name = clup_record_observable(record, 0);
    const double *values = name != NULL ? clup_record_series(record, system, name) : NULL;
    const uint64_t count = values != NULL ? clup_record_count(record, system) : 0;
    int varies = 0;
    trace->hash = 14695981039346656037u;
    trace->file = file;
    trace->system = system;
    for (uint64_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        trace->hash = (trace->hash ^ bits) * 1099511628211u;
        trace->hash ^= trace->hash >> 32;
        varies |= values[k] != values[0];
    }
    return varies;
}

static int compare_traces(const void *a, const void *b)
{
    const trace *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return x->system < y->system ? -1 : x->system > y->system;
}

/* Refuses two systems of a size with the same values in their first series. */
static int check_twins(const scale_size *size)
{
    size_t systems = 0, count = 0;
    for (size_t k = 0; k < size->count; k++)
        systems += clup_record_systems(size->records[k]);
    trace *traces = malloc((systems + 1) * sizeof *traces);
    if (traces == NULL)
        return cli_fail_memory("the systems");
    for (size_t k = 0; k < size->count; k++)
        for (uint32_t r = 0; r < clup_record_systems(size->records[k]); r++)
            count += (size_t)trace_of(size, k, r, &traces[count]);
    qsort(traces, count, sizeof *traces, compare_traces);
    const trace *first = NULL;
    for (size_t k = 1; k < count; k++)
        if (traces[k].hash == traces[k - 1].hash &&
            (first == NULL || traces[k - 1].file < first->file ||
             (traces[k - 1].file == first->file && traces[k - 1].system < first->system)))
            first = &traces[k - 1];
    const int code = first == NULL
                         ? 0
                         : cli_usage_error(
                               "'%s', system %u and '%s', system %u have the very same values",
                               size->files[first[0].file], first[0].system,
                               size->files[first[1].file], first[1].system);
    free(traces);
    return code;
}

/* Refuses files of other problems. Samples may be drawn by other seeds. */
static int check_alike(const scale_result *result)
{
    clup_problem first = *clup_record_problem(result->records[0]);
    first.disorder_seed = first.disorder_samples = 0;
    for (size_t k = 1; k < result->record_count; k++) {
        clup_problem other = *clup_record_problem(result->records[k]);
        other.disorder_seed = other.disorder_samples = 0;
        if (clup_problem_compare(&first, &other, CLUP_FIELD_LAW) != CLUP_OK)
            return cli_usage_error("'%s' and '%s' are of unlike problems: %s",
                                   result->request->files[0], result->request->files[k],
                                   clup_error_detail());
    }
    return 0;
}

/* Whether two records have samples of disorder in common, by their numbers. */
static int share_samples(const clup_record *one, const clup_record *other)
{
    const clup_problem *a = clup_record_problem(one), *b = clup_record_problem(other);
    return a->disorder_seed == b->disorder_seed &&
           (a->disorder_samples > 0 || b->disorder_samples > 0 ||
            (a->first_replica < b->first_replica + b->replicas &&
             b->first_replica < a->first_replica + a->replicas));
}

/* Samples of one number at two sizes have random numbers in common. */
static void warn_of_samples(const scale_result *result)
{
    for (size_t k = 1; k < result->size_count; k++)
        for (size_t j = 0; j < k; j++)
            if (share_samples(result->sizes[j].records[0], result->sizes[k].records[0])) {
                char text[600];
                snprintf(text, sizeof text,
                         "'%.200s' and '%.200s' have samples of the same seed and numbers, which "
                         "are correlated: give each size its own --disorder-seed",
                         result->sizes[j].files[0], result->sizes[k].files[0]);
                cli_warn(text);
                return;
            }
}

static void add_record(scale_result *result, size_t k)
{
    const double length = clup_record_problem(result->records[k])->size[0];
    size_t at = 0;
    while (at < result->size_count && result->sizes[at].length < length)
        at++;
    if (at == result->size_count || result->sizes[at].length > length) {
        memmove(&result->sizes[at + 1], &result->sizes[at],
                (result->size_count++ - at) * sizeof *result->sizes);
        result->sizes[at] = (scale_size){.length = length};
    }
    scale_size *size = &result->sizes[at];
    size->files[size->count] = result->request->files[k];
    size->records[size->count++] = result->records[k];
}

int scale_sort(scale_result *result)
{
    const clup_problem *first = clup_record_problem(result->records[0]);
    int code = check_alike(result);
    for (unsigned d = 0; d < sizeof first->disorder / sizeof *first->disorder; d++)
        result->disorder |= first->disorder[d] != 0;
    if (code == 0 && result->disorder && result->request->expression != NULL)
        return cli_usage_error("--expr: '%s' has disorder, of which --observable is fitted",
                               result->request->files[0]);
    if (code == 0 && result->disorder && result->request->beta_count > 0)
        return cli_usage_error("--reweight: '%s' has disorder, and each sample energies of its own",
                               result->request->files[0]);
    for (size_t k = 0; k < result->record_count && code == 0; k++)
        if ((code = check_shape(result, k)) == 0)
            add_record(result, k);
    for (size_t k = 0; k < result->size_count && code == 0; k++)
        code = check_twins(&result->sizes[k]);
    if (code != 0)
        return code;
    cli_warn_of_seeds(result->request->files, result->records, result->record_count);
    if (result->disorder)
        warn_of_samples(result);
    return result->size_count > 1
               ? 0
               : cli_usage_error("one size alone, L = %g: exponents need two sizes or more",
                                 result->sizes[0].length);
}

int scale_reweighting(scale_size *size)
{
    if (size->reweighting != NULL)
        return 0;
    const clup_status status = clup_reweighting_create(size->records, size->count,
                                                       &size->reweighting);
    cli_clear();
    return status == CLUP_OK ? 0
           : status == CLUP_ERROR_USAGE
               ? cli_usage_error("L = %g: %s", size->length, clup_error_detail())
               : cli_fail(status);
}
