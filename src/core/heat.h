/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat bath: its laws and colours, see cl/heat/heat.clh. */
#ifndef CLUP_CORE_HEAT_H
#define CLUP_CORE_HEAT_H
#include "core/lattice.h"
#include "heat/heat.clh"

/* Returns step of a heat_law, in units of 2^-58: beta times the energy that a weight of 1 stands
 * for. At 64 and more it is the largest number. */
uint64_t clup_heat_step(const clup_problem *problem, double beta);
/* Returns the law of a system at an inverse temperature. */
heat_law clup_heat_law_of(const clup_problem *problem, double beta);
/* Whether two colours are enough: bonds lead along one axis each, and no periodic axis has an odd
 * number of sites above 1. */
bool clup_is_checkered(const lattice_args *lattice);
/* Whether a method has sweeps of the heat bath. */
bool clup_has_heat_bath(const clup_method *method);

#endif
