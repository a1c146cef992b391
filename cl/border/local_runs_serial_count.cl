/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_serial.clh: local_runs_serial for sweeps that are measured. */
#define RUNS_SERIAL local_runs_serial_count
#define COUNT
#include "border/runs_serial.clh"
