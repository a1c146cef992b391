/* SPDX-License-Identifier: BSD-3-Clause */
/* The cost formulas of the paper: what a row should cost on a device, and the tile that is best by
 * them. */
#ifndef CLUP_PLAN_ESTIMATE_H
#define CLUP_PLAN_ESTIMATE_H
#include "core/prepared.h"
#include "ocl/machine.h"

/* Fractal dimension of the shortest path on clusters of the model at coupling beta: how the number
 * of passes grows. */
double clup_d_min(const clup_problem *problem);
/* Passes over a box of some extent, in sites or tiles, up to a factor: extent^dmin, or the
 * correlation length where that is less. */
double clup_passes(const clup_problem *problem, double extent);

/* Picoseconds a site, NAN for a variant without a formula. The tile is the plan's. */
double clup_estimate_ps(const clup_variant *variant, const clup_machine *machine,
                        const clup_problem *problem, const unsigned tile[3]);

/* The best tile with sewing, Eq. (24), and with relaxation, Eq. (26), from constants in the same
 * unit of time. */
double clup_best_tile_sew(double c_local, double b, double dmin);
double clup_best_tile_relax(double c_local, double c_relax, double dmin, double size);

#endif
