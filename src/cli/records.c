/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether records go together. */
#include "cli/records.h"

#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"

int cli_is_percolation(const clup_problem *problem)
{
    return problem->model == CLUP_BOND_PERCOLATION || problem->model == CLUP_SITE_PERCOLATION;
}

const char *cli_parameter(const clup_problem *problem)
{
    return cli_is_percolation(problem) ? "p" : "beta";
}

clup_status cli_record_whole(clup_record *record, const char *key, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return clup_record_set(record, key, text);
}

/* Records texts[count], each a key and its text; leaves out those that are NULL. */
static clup_status record_texts(clup_record *record, const char *const texts[][2], size_t count)
{
    clup_status status = CLUP_OK;
    for (size_t k = 0; k < count && status == CLUP_OK; k++)
        if (texts[k][1] != NULL)
            status = clup_record_set(record, texts[k][0], texts[k][1]);
    return status;
}

clup_status cli_record_device(clup_record *record, const clup_device_info *device)
{
    const char *const texts[][2] = {
        {"device", device->name}, {"platform", device->platform}, {"driver", device->driver}};
    return record_texts(record, texts, sizeof texts / sizeof *texts);
}

clup_status cli_record_plan(clup_record *record, const clup_plan *plan)
{
    char tile[64];
    snprintf(tile, sizeof tile, "%ux%ux%u", plan->tile[0], plan->tile[1], plan->tile[2]);
    const char *const texts[][2] = {
        {"source", plan->source}, {"local", plan->local}, {"consolidate", plan->consolidate},
        {"action", plan->action}, {"bonds", plan->bonds}, {"tile", tile},
        {"plan", plan->why},
    };
    return record_texts(record, texts, sizeof texts / sizeof *texts);
}

int cli_records_alike(const char *const *files, clup_record *const *records, size_t count)
{
    const clup_problem *first = clup_record_problem(records[0]);
    for (size_t k = 1; k < count; k++)
        if (clup_problem_compare(first, clup_record_problem(records[k]), CLUP_FIELD_LAW) != CLUP_OK)
            return cli_usage_error("'%s' and '%s' are of unlike problems: %s", files[0], files[k],
                                   clup_error_detail());
    return 0;
}

/* Whether two records have a seed and a replica in common. */
static int share_numbers(const clup_record *one, const clup_record *other)
{
    const char *a = clup_record_get(one, "seed"), *b = clup_record_get(other, "seed");
    const clup_problem *x = clup_record_problem(one), *y = clup_record_problem(other);
    return a != NULL && b != NULL && strcmp(a, b) == 0 &&
           x->first_replica < y->first_replica + y->replicas &&
           y->first_replica < x->first_replica + x->replicas;
}

void cli_warn_of_seeds(const char *const *files, clup_record *const *records, size_t count)
{
    for (size_t k = 1; k < count; k++)
        for (size_t j = 0; j < k; j++) {
            char text[600];
            if (!share_numbers(records[j], records[k]))
                continue;
            snprintf(text, sizeof text,
                     "'%.200s' and '%.200s' have the same seed and replicas: they are correlated, "
                     "and errors of what rests on both are not to be relied on",
                     files[j], files[k]);
            cli_warn(text);
            return;
        }
}
