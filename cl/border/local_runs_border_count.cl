/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_border.clh: local_runs_border for sweeps that are measured. */
#define RUNS_BORDER local_runs_border_count
#define COUNT
#include "border/runs_border.clh"
