/* SPDX-License-Identifier: BSD-3-Clause */
/* What commands ask of several files of series. */
#ifndef CLUP_CLI_RECORDS_H
#define CLUP_CLI_RECORDS_H
#include "program.h"

/* Whether the systems of a problem are samples of percolation, each system at one p. */
int cli_is_percolation(const clup_problem *problem);
/* What the systems of a problem differ in, as results call it: "p" of percolation, else "beta". */
const char *cli_parameter(const clup_problem *problem);
/* Refuses records[count] of different problems; they may differ in size alone. Returns 0, or an
 * exit code after a message with the names of files. */
int cli_records_alike(const char *const *files, clup_record *const *records, size_t count);
/* Records a whole number; what ran a simulation or drew samples: the device, and the plan. */
clup_status cli_record_whole(clup_record *record, const char *key, uint64_t number);
clup_status cli_record_device(clup_record *record, const clup_device_info *device);
clup_status cli_record_plan(clup_record *record, const clup_plan *plan);
/* Warns of the first two records that have some of the same random numbers. */
void cli_warn_of_seeds(const char *const *files, clup_record *const *records, size_t count);

#endif
