/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's cost formulas: they predict the time of a kernel variant on a device, and the best
 * tile. */
#ifndef CLUP_PLAN_ESTIMATE_H
#define CLUP_PLAN_ESTIMATE_H
#include "core/prepared.h"
#include "ocl/machine.h"

/* Returns the fractal dimension of the shortest path on the model's clusters at coupling beta. The
 * number of passes grows with this power of the size. */
double clup_d_min(const clup_problem *problem);
/* Returns, up to a factor, the number of passes over a box of extent sites or tiles: extent^dmin,
 * or with the correlation length instead of extent where it is less. */
double clup_passes(const clup_problem *problem, double extent);

/* Returns the predicted picoseconds a site; NAN for a variant without a formula. tile is the
 * plan's. */
double clup_estimate_ps(const clup_variant *variant, const clup_machine *machine,
                        const clup_problem *problem, const unsigned tile[3]);

/* Return the best tile for hierarchical sewing, Eq. (24), and for label relaxation, Eq. (26). All
 * constants must be in one unit of time. */
double clup_best_tile_sew(double c_local, double b, double dmin);
double clup_best_tile_relax(double c_local, double c_relax, double dmin, double size);

#endif
