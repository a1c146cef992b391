/* What clup simulate was asked for and what it found. */
#ifndef CLUP_CLI_SIMULATE_H
#define CLUP_CLI_SIMULATE_H
#include "cli/cli.h"

typedef struct simulate_wish {
    clup_problem problem;
    clup_method method;
    clup_plan_request plan;
    clup_start start;
    uint64_t sweeps, thermalize, seed;
    double beta_value;
    enum { BETA_DEFAULT, BETA, BETA_RATIO, TEMPERATURE, BETA_TWICE } beta_kind;
    const char *device, *save_spins;
    int reference, json, quiet;
} simulate_wish;

typedef struct simulate_result {
    const simulate_wish *wish;
    clup_device_info device;
    clup_plan plan;
    uint64_t sweeps, thermalize; /* done, fewer than asked for after an interrupt */
    clup_estimate estimates[CLUP_OBSERVABLES];
    clup_timing timing;
    char spins_sha256[65];
} simulate_result;

/* The options, ending with a NULL name; their target is a simulate_wish. */
extern const cli_option simulate_options[];
void simulate_more_help(FILE *to);
/* The two ways to report a result. */
void simulate_print_table(const simulate_result *result);
void simulate_write_json(const simulate_result *result);

#endif
