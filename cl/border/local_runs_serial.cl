/* SPDX-License-Identifier: BSD-3-Clause */
/* See runs_serial.clh. */
#define RUNS_SERIAL local_runs_serial
#include "border/runs_serial.clh"
