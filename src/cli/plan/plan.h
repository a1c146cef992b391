/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of clup plan. */
#ifndef CLUP_CLI_PLAN_PLAN_H
#define CLUP_CLI_PLAN_PLAN_H
#include "cli/simulate/simulate.h"

#define PLAN_BETWEEN 8

typedef struct plan_result {
    const simulate_request *request;
    const clup_report *report;
    const clup_device_info *device;
    clup_memory memory;
    const char *interrupted; /* how far measuring was when interrupted; else NULL */
    int all;                 /* print every candidate, not only the best; JSON always has all */
    /* with --processes: their number, the union methods that they could use together, and the sites
     * of the largest subdomain */
    uint32_t processes;
    clup_union_method_kind between[PLAN_BETWEEN];
    size_t between_count;
    uint64_t part_sites;
} plan_result;

/* Print the result as a table, or write it as JSON. */
void plan_print_table(const plan_result *result);
void plan_write_json(const plan_result *result);

#endif
