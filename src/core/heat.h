/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat bath: its laws and colours, see cl/heat/heat.clh. */
#ifndef CLUP_CORE_HEAT_H
#define CLUP_CORE_HEAT_H
#include "core/lattice.h"
#include "heat/heat.clh"

/* Returns the law of a system at an inverse temperature. */
heat_law clup_heat_law_of(const clup_problem *problem, double beta);
/* Whether two colours are enough: bonds lead along one axis each, and no periodic axis has an odd
 * number of sites above 1. */
bool clup_is_checkered(const lattice_args *lattice);
/* Whether a method has sweeps of the heat bath. */
bool clup_has_heat_bath(const clup_method *method);

#endif
