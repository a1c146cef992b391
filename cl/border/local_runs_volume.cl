/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_volume.clh. */
#define RUNS_VOLUME local_runs_volume
#include "border/runs_volume.clh"
