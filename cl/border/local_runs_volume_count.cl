/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_volume.clh: local_runs_volume for sweeps that are measured. */
#define RUNS_VOLUME local_runs_volume_count
#define COUNT
#include "border/runs_volume.clh"
