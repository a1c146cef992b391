/* SPDX-License-Identifier: BSD-3-Clause */
/* clup simulate: a spin model by cluster updates. */
#include "cli/simulate/simulate.h"

#include <stdlib.h>

#include "cli/message.h"

static simulate_request request = SIMULATE_WISH;

/* Says where clusters of unlike sites, which Houdayer's moves exchange, percolate: 1 - 1/q of all
 * sites are unlike at high temperatures. */
static void warn_percolating(void)
{
    const clup_lattice_kind lattice = request.problem.lattice;
    if (request.method.houdayer == 0 || cli_world_is.silent ||
        clup_critical_p(lattice, CLUP_SITE_PERCOLATION) > 1 - 1. / request.problem.q)
        return;
    cli_message(
        0,
        "note: at high temperatures one cluster of unlike sites of two systems spans the %s "
        "lattice, and Houdayer's moves do little; they help at low temperatures alone",
        clup_lattice_name(lattice));
}

static int run(void)
{
    int code = simulate_settle(&request);
    if (code == 0) {
        simulate_warn_energy(&request);
        warn_percolating();
        code = simulate_run(&request);
    }
    free(request.betas);
    free(request.schedule);
    return code;
}

static void more_help(FILE *to)
{
    simulate_more_help(to);
    simulate_energy_help(to);
    fputs("\nobservables\n", to);
    for (clup_observable k = 0; k < simulate_observables(); k++)
        fprintf(to, "  %-13s%-26s%s%s%s\n", "", clup_observable_name(k), clup_observable_about(k),
                simulate_by_the_way(k) ? "" : "; needs ",
                simulate_by_the_way(k) ? "" : clup_observable_group(k));
}

const cli_command cli_simulate = {
    "simulate",
    "simulates a Potts, Ising, clock, XY or Heisenberg model by cluster updates",
    simulate_options,
    &request,
    run,
    more_help,
    NULL,
    NULL,
};
