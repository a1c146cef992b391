/* SPDX-License-Identifier: BSD-3-Clause */
/* The convention of energy that temperatures refer to. The Potts model has H = -J sum delta(s, t).
 * With H = -J sum s t of spins +-1, the Ising model's, which is 2 H plus a constant for q = 2, each
 * temperature is twice as high. */
#include <math.h>

#include "cli/cli.h"
#include "cli/message.h"
#include "cli/simulate/simulate.h"

/* A temperature is near the critical one of the other energy when it differs by less than NEAR, and
 * far from the critical one of this energy when it differs by more than FAR. Both are relative. */
#define NEAR 0.02
#define FAR 0.1

void simulate_energy_help(FILE *to)
{
    const double beta = clup_critical_beta(CLUP_LATTICE_SQUARE, 2);
    fputs("\nenergy\n  H = -J times the number of bonds between equal spins. The Ising model,\n",
          to);
    fprintf(to,
            "  q = 2, of the square lattice is critical at T = %.5f, beta = %.5f. With spins +-1\n"
            "  and H = -J sum s t, --model ising, T is twice as high, %.5f, and beta half, %.5f.\n",
            1 / beta, beta, 2 / beta, beta / 2);
}

/* The lowest and the highest inverse temperature of a request. */
static void range_of(const simulate_request *request, double *low, double *high)
{
    const double *betas = request->schedule != NULL ? request->schedule : request->problem.betas;
    const uint32_t count = request->schedule != NULL ? request->steps : request->problem.replicas;
    *low = *high = request->problem.beta;
    for (uint32_t k = 0; betas != NULL && k < count; k++) {
        *low = k > 0 ? fmin(*low, betas[k]) : betas[k];
        *high = k > 0 ? fmax(*high, betas[k]) : betas[k];
    }
}

void simulate_warn_energy(const simulate_request *request)
{
    const double critical = clup_problem_critical_beta(&request->problem), other = critical / 2;
    double low, high;
    range_of(request, &low, &high);
    if (request->problem.model != CLUP_POTTS || request->problem.q != 2 || isnan(critical) ||
        request->beta_kind == BETA_RATIO || cli_world_is.silent || low > other * (1 + NEAR) ||
        high < other * (1 - NEAR) || high > critical * (1 - FAR))
        return;
    cli_message(
        0,
        "note: T = %.6g, beta = %.6g is the critical point for spins +-1 with "
        "H = -J sum s t, which is --model ising; the Potts model has H = -J sum delta(s, t), "
        "whose critical point is T = %.6g, beta = %.6g (--beta-ratio 1)",
        1 / other, other, 1 / critical, critical);
}
