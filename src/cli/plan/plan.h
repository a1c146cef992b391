/* SPDX-License-Identifier: BSD-3-Clause */
/* What clup plan found. */
#ifndef CLUP_CLI_PLAN_PLAN_H
#define CLUP_CLI_PLAN_PLAN_H
#include "cli/simulate/simulate.h"

#define PLAN_BETWEEN 8

typedef struct plan_result {
    const simulate_request *request;
    const clup_report *report;
    const clup_device_info *device;
    clup_memory memory;
    const char *interrupted; /* how far measuring was when it was; else NULL */
    int all;                 /* every candidate, not only the best; JSON always has them */
    /* with --processes: how many, what they could do together, and the sites of the largest part */
    uint32_t processes;
    clup_union_method_kind between[PLAN_BETWEEN];
    size_t between_count;
    uint64_t part_sites;
} plan_result;

/* The two ways to report it. */
void plan_print_table(const plan_result *result);
void plan_write_json(const plan_result *result);

#endif
