/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost formulas of the paper. The constants of kernel variants are in ns: the time of a site
 * times the lanes that work at once. */
#include "plan/estimate.h"

#include <math.h>

#include "core/couplings.h"
#include "core/model.h"

#define PS_PER_NS 1000.0
/* Union: a seam bond costs this many times as much as a site (from times on one GPU, with tiles of
 * 4 to 64). */
#define SEAM_BOND 67.0

static double reduced_beta(const clup_problem *problem)
{
    return problem->beta * clup_energy_gap(problem) /
           clup_critical_beta(problem->lattice, problem->q);
}

double clup_d_min(const clup_problem *problem)
{
    /* E. N. Miranda (1991), for Fortuin-Kasteleyn clusters, as the paper quotes it; above q = 3
     * paths are nearly straight */
    if (reduced_beta(problem) > 1.001)
        return 1; /* compact clusters */
    return problem->q == 2 ? 1.08 : problem->q == 3 ? 1.01 : 1;
}

double clup_passes(const clup_problem *problem, double extent)
{
    double distance = 1 - reduced_beta(problem);
    /* above the critical temperature: the correlation length, with amplitude 1 and the exponents
     * for q = 2, 3, 4 */
    double nu = problem->q == 2 ? 1 : problem->q == 3 ? 5.0 / 6 : 2.0 / 3;
    if (distance > 0.001 && pow(distance, -nu) < extent)
        extent = pow(distance, -nu);
    return pow(extent, clup_d_min(problem));
}

double clup_estimate_ps(const clup_variant *variant, const clup_machine *machine,
                        const clup_problem *problem, const unsigned plan_tile[3])
{
    lattice_args lattice = clup_lattice_args(problem);
    unsigned tile[3] = {plan_tile[0], plan_tile[1], plan_tile[2]};
    if (variant->shape != NULL)
        variant->shape(&lattice, tile);
    double sites = (double)clup_lattice_sites(&lattice), length = sqrt(sites),
           b = sqrt((double)tile[0] * tile[1]);
    double tiles = (double)clup_lattice_tiles(&lattice, tile) * clup_problem_replicas(problem);
    double items = variant->items != NULL ? (double)variant->items(tile) : 1;
    double units = fmin(tiles, machine->units),
           groups = fmin(tiles, machine->units * machine->resident);
    /* lanes of a compute unit that its work-groups keep busy */
    double busy = fmin(items * groups / units, machine->lanes);
    double all = machine->units * machine->resident, ns = NAN;
    switch (variant->growth) {
    case CLUP_GROWTH_SITES: ns = 1 / (machine->lanes * machine->units); break;
    case CLUP_GROWTH_COLUMNS: ns = machine->waiting / (machine->lanes * machine->units); break;
    case CLUP_GROWTH_SERIAL: ns = machine->serial / groups; break;
    case CLUP_GROWTH_THREADS: ns = machine->threads ? machine->serial / groups : NAN; break;
    case CLUP_GROWTH_SELFLABEL: ns = clup_passes(problem, b) / (units * busy); break;
    case CLUP_GROWTH_SEW:
        ns = machine->serial * (1 / (all * b) + fmax(4 - 5 / sqrt(all), 0) / length);
        break;
    case CLUP_GROWTH_RELAX: ns = clup_passes(problem, length / b) / (b * units * busy); break;
    case CLUP_GROWTH_UNION: ns = (1 + SEAM_BOND / b) / (machine->lanes * machine->units); break;
    case CLUP_GROWTH_RUNS:
        ns = 1 / (units * fmin(items * fmin(groups / units,
                                            fmax(1, floor(machine->local_mem /
                                                          (double)variant->local_bytes(
                                                              &lattice, tile, problem->q)))),
                               machine->lanes));
        break;
    case CLUP_GROWTH_RESIDENT: ns = 1 / (units * busy); break;
    default: break;
    }
    return PS_PER_NS * variant->cost * ns;
}

double clup_best_tile_sew(double c_local, double b, double dmin)
{
    return pow(b / (dmin * c_local), 1 / (dmin + 1));
}

double clup_best_tile_relax(double c_local, double c_relax, double dmin, double size)
{
    return pow(c_relax * (dmin + 1) / (c_local * dmin) * pow(size, dmin), 1 / (2 * dmin + 1));
}
