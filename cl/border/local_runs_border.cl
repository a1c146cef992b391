/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_border.clh. */
#define RUNS_BORDER local_runs_border
#include "border/runs_border.clh"
