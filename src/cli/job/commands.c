/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands whose runs launches are. */
#include <string.h>

#include "cli/job/job.h"

static const job_command commands[] = {
    {"simulate", &cli_simulate, &cli_resume, NULL, simulate_options, "beta", "betas", "beta"},
    {"percolate", &cli_percolate, &cli_percolate, "resume", percolate_options, "p", "ps", "p"},
};

const job_command *job_command_at(size_t row)
{
    return row < sizeof commands / sizeof *commands ? &commands[row] : NULL;
}

const job_command *job_command_named(const char *name)
{
    for (size_t row = 0; row < sizeof commands / sizeof *commands; row++)
        if (strcmp(commands[row].name, name) == 0)
            return &commands[row];
    return NULL;
}

const job_command *job_command_of(const json_t *options)
{
    const char *name = json_string_value(json_object_get(options, "command"));
    return name != NULL ? job_command_named(name) : &commands[0];
}

int job_keeps_checkpoint(const json_t *options)
{
    const char *rng = json_string_value(json_object_get(options, "rng")),
               *algorithm = json_string_value(json_object_get(options, "algorithm"));
    return clup_hdf5_version() != NULL && json_object_get(options, "anneal") == NULL &&
           (rng == NULL || strcmp(rng, clup_rng_name(0)) == 0) &&
           (algorithm == NULL || strcmp(algorithm, "newman-ziff") != 0);
}
